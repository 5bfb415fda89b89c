/**
 * A whole story: invoices in Xero, their direct debits in GoCardless, sent to the sandbox. Both sources answer over the
 * wire as their conformance fixtures do. A debit that had settled fails weeks later; one that names nothing is settled by a
 * person, and the next of that payer finds its place alone.
 */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted, Schema } from "effect"
import * as GoCardless from "../../../connectors/gocardless/Sample.ts"
import { copy, simulate } from "../../../connectors/testing/Simulator.ts"
import { type Subject, vaultOf } from "../../../connectors/testing/Subject.ts"
import * as Xero from "../../../connectors/xero/Sample.ts"
import * as Account from "../../../sync/apply/Account.ts"
import { apply } from "../../../sync/apply/Apply.ts"
import * as AttentionActions from "../../../sync/apply/AttentionActions.ts"
import * as AttentionStore from "../../../sync/apply/AttentionStore.ts"
import type { Connection } from "../../../sync/model/Connection.ts"
import { Database } from "../../../sync/state/Database.ts"
import * as Matching from "../../../sync/matching/Run.ts"
import * as MatchCandidates from "../../../sync/matching/Candidates.ts"
import * as MatchChoices from "../../../sync/matching/Choices.ts"
import * as InvoiceStatement from "../../../sync/reconciliation/InvoiceStatement.ts"
import * as PaymentStatement from "../../../sync/reconciliation/PaymentStatement.ts"
import { pull } from "../../../sync/pull/Pull.ts"
import { planning } from "../../support/Documents.ts"
import { ask, inWorld, report } from "../InWorld.ts"
import { KEY, URL } from "../World.ts"

type Held = Readonly<Record<"id" | "number" | "status" | "amount" | "type" | "details", string>>

const settingsOf = ({ connector, settings }: Subject): Pick<Connection, "connector" | "settings"> => ({
  connector,
  settings: Schema.decodeUnknownSync(connector.settings as Schema.Codec<unknown>)(settings)
})

const books: Connection = { id: "books", ...settingsOf(Xero.subject), planning, paid: true, firstSync: "send" }
const debits: Connection = {
  id: "debits",
  ...settingsOf(GoCardless.subject),
  planning,
  pays: { connection: "books", days: 30 }
}

/** Both sources, with books and debits of our own in place of the fixtures. */
const open = () => {
  const xero = Xero.subject.open().source!
  const gocardless = GoCardless.subject.open().source!
  const lists = { ...xero.lists, ...gocardless.lists }
  const [invoice] = copy([xero.lists["Invoices"]!.records[0]])
  const [debit] = copy([gocardless.lists["payments"]!.records[0]])
  const [event] = copy([gocardless.lists["events"]!.records[0]])
  for (const { records } of Object.values(lists)) records.length = 0
  return {
    xero,
    gocardless,
    invoice: (n: number, total: string, due: string) =>
      lists["Invoices"]!.records.push({
        ...invoice,
        InvoiceID: `inv-${n}`,
        InvoiceNumber: `INV-000${n}`,
        SubTotal: total,
        TotalTax: 0,
        LineItems: [],
        Total: total,
        AmountDue: total,
        AmountPaid: "0",
        AmountCredited: "0",
        DueDateString: `${due}T00:00:00`,
        UpdatedDateUTC: "/Date(1893456000000+0000)/"
      }),
    debit: (id: string, amount: number, day: string, more: object) =>
      lists["payments"]!.records.push({
        ...debit,
        id,
        amount: String(amount),
        charge_date: day,
        status: "confirmed",
        metadata: {},
        reference: `REF-${id}`,
        description: "Direct debit",
        links: { mandate: "MD7" },
        ...more
      }),
    event: (id: string, payment: string, action: string, at: string, details: object = {}) =>
      lists["events"]!.records.push({
        ...event,
        id,
        action,
        created_at: at,
        links: { payment },
        details: { ...event!.details, ...details }
      })
  }
}

describe("debits in GoCardless for invoices in Xero", () => {
  it(
    "by link, by reference, by a person's choice and what follows from it; and a late failure goes back",
    inWorld({}, async (world) => {
      const source = open()
      const vault = vaultOf(Xero.subject.oauth!.held)
      const read = (connection: Connection) =>
        Effect.gen(function* () {
          const db = yield* Database
          const { environment = {} } = connection === books ? Xero.subject : GoCardless.subject
          const { layer, wrong } = simulate(connection === books ? source.xero : source.gocardless, { size: 2 })
          yield* db.transaction(() => Matching.rememberSettings(db, connection))
          yield* Effect.provide(pull(connection, { folder: ".", environment, vault }), layer)
          assert.isUndefined(wrong())
          yield* Matching.run
        })
      const sync = async () =>
        report(
          await world.life(
            Effect.gen(function* () {
              yield* Account.bind(URL, Redacted.make(KEY))
              yield* read(debits)
              yield* read(books)
              return yield* apply([books, debits])
            })
          )
        )
      const look = <A>(work: (db: Database["Service"]) => A) =>
        world.life(Effect.map(Database, work)).then((exit) => (exit._tag === "Success" ? exit.value : assert.fail()))
      const needs = () => look((db) => AttentionStore.list(db).map(({ subject, why }) => `${subject}: ${why}`))
      /** What the service holds of each invoice: its status, and its payments by amount, type and fact. */
      const held = async () => {
        const { results } = (await ask(world, "GET", "/v1/transactions?limit=100")) as { results: Array<Held> }
        const all = results.map(async ({ id, number, status }) => {
          const own = (await ask(world, "GET", `/v1/transactions/${id}/payments/?limit=100`)) as {
            results: Array<Held>
          }
          const payments = own.results.map(({ amount, details, type }) => `${amount} ${type} ${details}`)
          return [number, [status, ...payments.toSorted()]] as const
        })
        return Object.fromEntries(await Promise.all(all))
      }

      source.invoice(1, "120.00", "2026-02-03")
      source.invoice(2, "60.00", "2026-02-03")
      source.invoice(3, "80.00", "2026-02-20")
      source.debit("DD1", 12_000, "2026-02-03", { metadata: { invoice: "INV-0001" } })
      source.debit("DD2", 6000, "2026-02-03", { description: "INV 0002, with thanks" })
      source.debit("DD3", 8000, "2026-02-20", {})
      for (const n of [1, 2, 3]) source.event(`EV${n}`, `DD${n}`, "confirmed", "2026-02-21T04:00:00.000Z")
      await sync()
      assert.deepStrictEqual(await held(), {
        "INV-0001": ["paid", "120.00 settlement debits/payment/DD1"],
        "INV-0002": ["paid", "60.00 settlement debits/payment/DD2"],
        "INV-0003": ["pending"]
      })
      assert.deepStrictEqual(await needs(), [
        "debits/payment/DD3: 80.00 GBP received on 2026-02-20 from MD7: its reference names no invoice that is known, and the source does not say who paid"
      ])
      assert.deepStrictEqual(
        (await look((db) => MatchCandidates.candidates(db, "debits/payment/DD3"))).map(
          ({ number, open }) => `${number} ${open}`
        ),
        ["INV-0003 80.00"]
      )
      const [statement] = await look((db) => PaymentStatement.statements(db, ["debits"]))
      assert.deepInclude(statement, { received: "260.00", matched: "180.00", pays: "books", payments: 3 })
      assert.deepStrictEqual(statement!.differences, [
        {
          document: "debits/payment/DD3",
          amount: "80.00",
          why: "its reference names no invoice that is known, and the source does not say who paid"
        }
      ])

      // A person says it once; the next of this mandate needs nobody.
      await world.life(
        Effect.gen(function* () {
          const db = yield* Database
          yield* db.transaction(() => MatchChoices.choose(db, "debits/payment/DD3", [{ invoice: "INV-0003" }], 0))
          yield* Matching.run
        })
      )
      source.invoice(4, "85.00", "2026-03-20")
      source.debit("DD4", 8500, "2026-03-20", {})
      source.event("EV4", "DD4", "confirmed", "2026-03-21T04:00:00.000Z")
      // And the first debit, long since settled, comes back.
      source.event("EV5", "DD1", "failed", "2026-03-22T04:00:00.000Z", {
        reason_code: "MD01",
        description: "No mandate"
      })
      await sync()
      assert.deepStrictEqual(await held(), {
        "INV-0001": ["paid", "-120.00 error debits/reversal/EV5; No mandate", "120.00 settlement debits/payment/DD1"],
        "INV-0002": ["paid", "60.00 settlement debits/payment/DD2"],
        "INV-0003": ["paid", "80.00 settlement debits/payment/DD3"],
        "INV-0004": ["paid", "85.00 settlement debits/payment/DD4"]
      })
      // The service has no way back from paid, which is a person's matter (T13).
      assert.deepStrictEqual(await needs(), [
        "books/invoice/inv-1: it is paid on the service, but 120.00 GBP is open again in the source"
      ])
      const before = world.changes
      await sync()
      assert.strictEqual(world.changes, before)

      // Saying that one knows does not make it go away, nor does it become something that is still to be sent.
      await look((db) => AttentionActions.resolve(db, AttentionStore.list(db)[0]!, "they write it off themselves", 0))
      const [stated] = await look((db) => InvoiceStatement.statements(db, ["books"]))
      assert.deepStrictEqual(stated!.differences.at(-1), {
        document: "books/invoice/inv-1",
        amount: "120.00",
        why:
          "it is paid on the service, but 120.00 GBP is open again in the source; " +
          "a person closed this: they write it off themselves"
      })
    })
  )
})
