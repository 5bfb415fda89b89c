/**
 * An invoice of an accounting system, paid through a payment processor, charged back by the buyer's bank and won again: over
 * the wire of both, and sent to the sandbox. Each is told once.
 */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted, Schema } from "effect"
import * as Adyen from "../../../connectors/adyen/Sample.ts"
import * as FreeAgent from "../../../connectors/freeagent/Sample.ts"
import * as Mollie from "../../../connectors/mollie/Sample.ts"
import * as Odoo from "../../../connectors/odoo/Sample.ts"
import * as PayPal from "../../../connectors/paypal/Sample.ts"
import * as Sage from "../../../connectors/sage/Sample.ts"
import * as ZohoBooks from "../../../connectors/zohobooks/Sample.ts"
import { copy, simulate, type Source } from "../../../connectors/testing/index.ts"
import { type Subject, vaultOf } from "../../../connectors/testing/Subject.ts"
import * as Account from "../../../sync/apply/Account.ts"
import { apply } from "../../../sync/apply/Apply.ts"
import * as Matching from "../../../sync/matching/Run.ts"
import type { Connection } from "../../../sync/model/Connection.ts"
import { GUARDS } from "../../../sync/model/Guard.ts"
import { pull } from "../../../sync/pull/Pull.ts"
import { Database } from "../../../sync/state/Database.ts"
import { planning } from "../../support/Documents.ts"
import { ask, inWorld, report } from "../InWorld.ts"
import { KEY, URL } from "../World.ts"

type Lists = Source["lists"]
type Change = (lists: Lists) => void

interface Books {
  readonly subject: Subject
  /** The number of its only invoice, of 120.00 pounds. */
  readonly number: string
  readonly begin: Change
}

interface Processor {
  readonly subject: Subject
  readonly pay: (lists: Lists, number: string) => void
  readonly chargeBack: Change
  readonly win: Change
}

/** One record of a list, with these members changed; those of other lists are left out. */
const only = (lists: Lists, list: string, change: object, others: ReadonlyArray<string>) => {
  const { records } = lists[list]!
  records.splice(0, records.length, { ...records[0], ...change })
  for (const other of others) lists[other]!.records.splice(0)
}

const BOOKS: Readonly<Record<string, Books>> = {
  freeagent: {
    subject: FreeAgent.subject,
    number: "FA-1",
    begin: (lists) => {
      const amounts = { net_value: "100.0", sales_tax_value: "20.0", total_value: "120.0", due_value: "120.0" }
      only(lists, "invoices", amounts, ["bank_transaction_explanations", "credit_note_reconciliations"])
    }
  },
  sage: {
    subject: Sage.subject,
    number: "SI-i1",
    begin: (lists) =>
      only(lists, "sales_invoices", { status: { id: "UNPAID" }, outstanding_amount: "120.0" }, [
        "contact_payments",
        "contact_allocations"
      ])
  },
  zohobooks: {
    subject: ZohoBooks.subject,
    number: "INV-501",
    begin: (lists) => {
      // It is read in every pull, and has no payments of its own.
      const always = { last_modified_time: "2099-01-01T00:00:00+0000" }
      only(lists, "invoices", { status: "sent", balance: 120, ...always }, ["payments", "credits"])
    }
  },
  odoo: {
    subject: Odoo.subject,
    number: "INV/2026/101",
    begin: (lists) => {
      const open = { payment_state: "not_paid", amount_residual: 120 }
      only(lists, "account.move", open, ["account.partial.reconcile"])
    }
  }
}

const GBP = { value: "120.00", currency: "GBP" }
const LATER = "2026-02-14T17:09:02+00:00"

const mollie: Processor = {
  subject: Mollie.subject,
  pay: (lists, number) => {
    only(lists, "payments", { amount: GBP, metadata: { invoice: number } }, ["refunds", "chargebacks"])
  },
  chargeBack: (lists) => {
    const charged = { resource: "chargeback", id: "chb_7", amount: GBP, paymentId: "tr_1", createdAt: LATER }
    lists["chargebacks"]!.records.push(...copy([{ ...charged, reason: { code: "MD06" }, reversedAt: null }]))
  },
  win: (lists) => void (lists["chargebacks"]!.records[0].reversedAt = "2026-02-21T09:13:37+00:00")
}

const paypal: Processor = {
  subject: PayPal.subject,
  pay: (lists, invoice_id) => {
    only(lists, "transactions", { transaction_amount: { currency_code: "GBP", value: "120.00" }, invoice_id }, [
      "disputes"
    ])
  },
  chargeBack: (lists) => move(lists, "T1201", "-120.00", LATER),
  win: (lists) => move(lists, "T1202", "120.00", "2026-02-21T09:13:37+0000")
}

const move = ({ transactions }: Lists, code: string, value: string, transaction_initiation_date: string) => {
  const [payment] = transactions!.records
  const more = { paypal_reference_id: payment.transaction_id, paypal_reference_id_type: "TXN" }
  const its = { transaction_event_code: code, transaction_amount: { currency_code: "GBP", value } }
  transactions!.records.push({ ...payment, ...its, ...more, transaction_id: code, transaction_initiation_date })
}

const adyen: Processor = {
  subject: Adyen.subject,
  pay: (lists, number) => {
    const its = { batch: 1, "Merchant Reference": number, "Gross Currency": "GBP", "Gross Credit (GC)": "120.00" }
    only(lists, "settlements", its, [])
  },
  chargeBack: (lists) => book(lists, "Chargeback", { "Gross Debit (GC)": "120.00", "Gross Credit (GC)": "" }),
  win: (lists) => book(lists, "ChargebackReversed", {})
}

const book = ({ settlements }: Lists, Type: string, more: object) => {
  const { records, stamp } = settlements!
  const row = { ...records[0], ...more, Type, "Modification Reference": Type, "Creation Date": "2026-02-14 17:09:02" }
  stamp!(row, null)
  records.push(row)
}

const connectionOf = (id: string, { connector, settings }: Subject, more: Partial<Connection>): Connection => ({
  id,
  connector,
  settings: Schema.decodeUnknownSync(connector.settings as Schema.Codec<unknown>)(settings),
  planning,
  firstSync: "send",
  ...more
})

type Told = readonly [Connection, Subject, Source]
type World = Parameters<Parameters<typeof inWorld>[1]>[0]

/** Pulls these sources and sends the plan; returns what the service then has of the only invoice. */
const syncing = (world: World, sources: ReadonlyArray<Told>, number: string) => {
  const vaults = sources.map(([, { oauth }]) => vaultOf(oauth?.held))
  return async () => {
    const exit = await world.life(
      Effect.gen(function* () {
        yield* Account.bind(URL, Redacted.make(KEY))
        const db = yield* Database
        for (const [n, [connection, { environment = {} }, source]] of sources.entries()) {
          yield* db.transaction(() => Matching.rememberSettings(db, connection))
          const context = { folder: ".", environment, vault: vaults[n]! }
          yield* Effect.provide(pull(connection, context), simulate(source).layer)
          yield* Matching.run
        }
        return yield* apply(
          sources.map(([connection]) => connection),
          { allow: GUARDS }
        )
      })
    )
    report(exit)
    const { results } = (await ask(world, "GET", "/v1/transactions?limit=100")) as {
      results: ReadonlyArray<Record<string, string>>
    }
    assert.deepStrictEqual(
      results.map((one) => one["number"]),
      [number]
    )
    const held = (await ask(world, "GET", `/v1/transactions/${results[0]!["id"]}/payments/?limit=100`)) as {
      results: ReadonlyArray<Record<string, string>>
    }
    return held.results.map(({ amount, type }) => `${amount} ${type}`)
  }
}

const story = (books: Books, processor: Processor) =>
  inWorld({}, async (world) => {
    const [ledger, money] = [books.subject.open().source!, processor.subject.open().source!]
    const pays = { connection: "books", days: 60 }
    const sources: ReadonlyArray<Told> = [
      [connectionOf("money", processor.subject, { pays }), processor.subject, money],
      [connectionOf("books", books.subject, { paid: true }), books.subject, ledger]
    ]
    const sync = syncing(world, sources, books.number)
    books.begin(ledger.lists)
    for (const { records } of Object.values(money.lists)) if (records.length > 1) records.splice(1)
    processor.pay(money.lists, books.number)
    const paid = ["120.00 settlement"]
    assert.deepStrictEqual(await sync(), paid)
    processor.chargeBack(money.lists)
    const back = [...paid, "-120.00 chargeback"]
    assert.deepStrictEqual(await sync(), back)
    processor.win(money.lists)
    const won = [...back, "120.00 settlement"]
    assert.deepStrictEqual(await sync(), won)
    const before = world.changes
    assert.deepStrictEqual(await sync(), won)
    assert.strictEqual(world.changes, before)
  })

describe("an invoice that is paid, charged back and won again is told once each", () => {
  it("of FreeAgent, through Mollie", story(BOOKS["freeagent"]!, mollie))
  it("of Sage, through PayPal", story(BOOKS["sage"]!, paypal))
  it("of Odoo, through Adyen", story(BOOKS["odoo"]!, adyen))
  it("of Zoho Books, through Mollie", story(BOOKS["zohobooks"]!, mollie))
})

describe("an invoice of Zoho Books that is paid, refunded and credited", () => {
  it(
    "is told once each, and again nothing",
    inWorld({}, async (world) => {
      const { begin, number, subject } = BOOKS["zohobooks"]!
      const source = subject.open().source!
      const { credits, invoices, payments } = source.lists
      const [money, credit] = [payments!.records[3], credits!.records[0]]
      begin(source.lists)
      const sync = syncing(world, [[connectionOf("books", subject, { paid: true }), subject, source]], number)
      const change = (more: object) => Object.assign(invoices!.records[0], more)
      const of = { invoice_id: "501" }
      assert.deepStrictEqual(await sync(), [])
      payments!.records.push({ ...money, ...of, amount: 120 })
      change({ status: "paid", balance: 0 })
      assert.deepStrictEqual(await sync(), ["120.00 settlement"])
      // To refund what was applied, it is taken off the invoice first.
      payments!.records.splice(0)
      change({ status: "overdue", balance: 120 })
      const back = ["120.00 settlement", "-120.00 unknown"]
      assert.deepStrictEqual(await sync(), back)
      credits!.records.push({ ...credit, ...of, amount_applied: 20 })
      change({ status: "partially_paid", balance: 100 })
      assert.deepStrictEqual(await sync(), back)
      payments!.records.push({ ...money, ...of, invoice_payment_id: "310", amount: 100 })
      change({ status: "paid", balance: 0 })
      const end = [...back, "100.00 settlement"]
      assert.deepStrictEqual(await sync(), end)
      const before = world.changes
      assert.deepStrictEqual(await sync(), end)
      assert.strictEqual(world.changes, before)
    })
  )
})
