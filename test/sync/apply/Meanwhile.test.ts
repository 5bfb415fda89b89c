/**
 * What changes while a plan is carried out: the books, by a payment of another connection or a new version, and what a
 * person decides. None of it is lost, and the statement says what the facts say.
 */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as AttentionStore from "../../../sync/apply/AttentionStore.ts"
import * as InvoiceStatement from "../../../sync/reconciliation/InvoiceStatement.ts"
import { Database } from "../../../sync/state/Database.ts"
import * as Debtors from "../../../sync/decisions/Debtors.ts"
import * as Matching from "../../../sync/matching/Run.ts"
import { CompanyId } from "../../../core/wire/Ids.ts"
import * as Facts from "../../../sync/plan/Facts.ts"
import { reread } from "../../../sync/pull/Refetch.ts"
import * as WebhookQueue from "../../../sync/pull/WebhookQueue.ts"
import { Dice } from "../../simulation/Dice.ts"
import { insure } from "../../simulation/Network.ts"
import { invoice, payment, planning } from "../../support/Documents.ts"
import { violations } from "../Invariants.ts"
import { inWorld, open, report, requests } from "../InWorld.ts"
import { received as money, take } from "../Paying.ts"
import type { World } from "../World.ts"

/** Does this once, the moment a request like that leaves. */
const meanwhile = (world: World, path: RegExp, work: Effect.Effect<unknown, unknown, Database>) => {
  let done = 0
  world.onSend = (db, method, asked) => {
    if (done > 0 || !path.test(`${method} ${asked}`)) return
    done++
    Effect.runSync(work.pipe(Effect.provideService(Database, db), Effect.orDie))
  }
  return () => done
}

const statement = async (world: World, connection = "books", most?: number) => {
  const exit = await world.life(Effect.map(Database, (db) => InvoiceStatement.statements(db, [connection], most)))
  if (exit._tag === "Failure") throw new Error(String(exit.cause))
  return exit.value[0]!
}

const received = ({ service }: World) => [...service.payment.values()].map(({ amount }) => amount)

const two = (due: string) => [invoice({ due }), invoice({ id: "I2", number: "INV-2", due })]

describe("what changes while a plan is carried out", () => {
  it(
    "a payment of another connection is sent by the next run, and until then the statement says that it is open",
    inWorld({ pays: true }, async (world) => {
      world.documents = two("2026-01-31")
      report(await world.sync())
      world.documents = two("2026-02-28")
      const paid = money("D1", { amount: "77.00", reference: "INV-2" })
      world.payments = [paid]
      const done = meanwhile(world, /^PATCH /, Effect.andThen(take(world.connections[1]!, [paid]), Matching.run))
      assert.deepInclude(report(await world.sync({ concurrency: 2, reads: ["books"] })), { failed: 0 })
      assert.strictEqual(done(), 1)
      const { books, pending, service } = await statement(world)
      assert.deepInclude({ books, service, pending }, { books: "163.00", service: "240.00", pending: 1 })
      report(await world.sync())
      assert.deepStrictEqual(received(world), ["77.00"])
      assert.deepStrictEqual(await violations(world), [])
    })
  )

  it(
    "a payment that was read and not sent is a difference with its invoice's name, though nothing was planned",
    inWorld({}, async (world) => {
      world.documents = two("2026-01-31")
      report(await world.sync())
      await world.life(
        take(world.connection, [...world.documents, payment("P1", "50.00"), invoice({ id: "I3", number: "INV-3" })])
      )
      const stated = await statement(world)
      assert.deepInclude(stated, {
        source: "310.00",
        books: "310.00",
        service: "240.00",
        pending: 2,
        invoices: 2,
        more: 0
      })
      assert.deepStrictEqual(stated.differences, [
        { document: "books/invoice/I1", amount: "-50.00", why: "not everything has been sent yet" },
        { document: "books/invoice/I3", amount: "120.00", why: "not sent yet" }
      ])
      // More than it was to look at: the last run's, and it says so.
      assert.deepInclude(await statement(world, "books", 1), {
        books: "240.00",
        differences: [],
        pending: 2,
        stale: true
      })
    })
  )

  it(
    "what was reckoned again is named among the rest by its key, and counted once",
    inWorld({}, async (world) => {
      const names = Array.from({ length: 150 }, (_, n) => `I${n + 100}`)
      world.documents = names.map((id) => invoice({ id, number: id }))
      report(await world.sync())
      // The ledger is wrong about ninety of them, and every second has a payment that came since.
      const wrong = "UPDATE ledger SET service_open = 0 WHERE subject >= 'books/invoice/I160'"
      await world.life(Effect.flatMap(Database, (db) => db.transaction(() => db.raw.exec(wrong))))
      const paid = names.filter((_, n) => n % 2 === 0).map((id) => payment(`P${id}`, { [id]: "20.00" }))
      await world.life(take(world.connection, paid))
      const stated = await statement(world)
      assert.deepInclude(stated, { books: "16500.00", service: "7200.00", pending: 75, more: 20 })
      assert.deepStrictEqual(
        stated.differences.map(({ amount, document }) => `${document} ${amount}`),
        names.flatMap((id, n) => {
          if (n >= 130 || (n < 60 && n % 2 === 1)) return []
          return [`books/invoice/${id} ${n < 60 ? "-20.00" : n % 2 === 0 ? "100.00" : "120.00"}`]
        })
      )
    })
  )

  it(
    "a new version of an invoice stops what is left of its plan, and is sent by the next run",
    inWorld({}, async (world) => {
      world.documents = [invoice(), payment("P1", "50.00")]
      const now = [invoice({ gross: "150.00", net: "125.00" }), payment("P1", "60.00")]
      const done = meanwhile(world, /POST .*transactions\/?$/, take(world.connection, now))
      report(await world.sync({ concurrency: 1 }))
      assert.strictEqual(done(), 1)
      assert.deepStrictEqual(received(world), [], "its payment was planned from what is not so any more")
      const { books, service } = await statement(world)
      assert.deepInclude({ books, service }, { books: "90.00", service: "120.00" })
      world.documents = now
      report(await world.sync())
      assert.deepStrictEqual(received(world), ["60.00"])
      assert.deepStrictEqual(await violations(world), [])
    })
  )

  it(
    "a refusal is not held against what came while the call was on its way",
    inWorld({}, async (world) => {
      world.documents = [invoice()]
      report(await world.sync())
      const [transaction] = world.service.transaction.values()
      world.documents = [invoice({ due: "2026-02-28" })]
      const now = [invoice({ due: "2026-02-28" }), payment("P1", "50.00")]
      meanwhile(
        world,
        /^PATCH /,
        Effect.andThen(
          take(world.connection, now),
          // The service loses what it is about: the call is refused.
          Effect.sync(() => void world.service.transaction.delete(transaction!.id))
        )
      )
      report(await world.sync({ concurrency: 1 }))
      const looked = open(world, "SELECT subject FROM changed")
      assert.deepStrictEqual(looked, [{ subject: "books/invoice/I1" }], "what came is still to be planned")
      assert.deepStrictEqual(open(world, "SELECT refused_state FROM attention WHERE refused_state IS NOT NULL"), [])
    })
  )

  it(
    "what a webhook has read again of the service is not written over what a call wrote since",
    inWorld({ planning: { ...planning, creditor: { company: CompanyId.make("co-1000") } } }, async (world) => {
      const party = { id: "c1", name: "Harbour Lane Bakery", company: CompanyId.make("co-1001") }
      world.documents = [invoice({ party })]
      report(await world.sync())
      await insure(world, Dice.of(1, "cover"))
      assert.strictEqual(world.service.policy.size, 1)
      const key = "books/invoice/I1"
      let written = false
      const heard = await world.life(
        Effect.gen(function* () {
          const db = yield* Database
          world.onAnswer = () => {
            if (written) return
            written = true
            db.prepare("UPDATE ledger SET held = json_set(held, '$.f.n', 'INV-9') WHERE subject = ?").run(key)
          }
          const stated = [{ about: `service:${key}`, event: "1" }]
          yield* db.transaction(() => void WebhookQueue.enqueue(db, "books", stated, 0))
          yield* reread(world.connection, { folder: "." })
          return Facts.remoteInvoice(db, key)
        })
      )
      world.onAnswer = undefined
      assert.isTrue(written)
      assert.strictEqual(heard._tag, "Success")
      const held = heard._tag === "Success" ? heard.value! : undefined
      assert.deepInclude(held, { insured: true })
      assert.strictEqual(held!.fields["number"], "INV-9")
    })
  )

  it(
    "a person's choice of company is sent by the next run",
    inWorld({ planning: { ...planning } }, async (world) => {
      world.documents = [invoice()]
      const company = CompanyId.make("co-1000")
      const party = { connection: "books", party: "c1" }
      const chosen = Debtors.match([], party, company)
      const done = meanwhile(world, /POST .*transactions\/?$/, chosen)
      report(await world.sync())
      assert.strictEqual(done(), 1)
      report(await world.sync())
      assert.include(requests(world).at(-1), "match_debtor")
      assert.deepStrictEqual(await violations(world), [])
    })
  )

  it(
    "a person's retry of a refused call is not swallowed by the run that is going on",
    inWorld({}, async (world) => {
      world.documents = [invoice()]
      report(await world.sync())
      world.documents = [invoice({ due: "2026-02-28" }), payment("P1", "50.00")]
      const retried = Effect.flatMap(Database, (db) =>
        db.transaction(() => {
          AttentionStore.update(db, "books/invoice/I1", [anything], undefined, 0)
          return AttentionStore.retry(db, AttentionStore.list(db)[0]!.id, 0)
        })
      )
      meanwhile(world, /POST .*payments/, retried)
      report(await world.sync({ concurrency: 1 }))
      assert.deepStrictEqual(open(world, "SELECT subject FROM changed"), [{ subject: "books/invoice/I1" }])
      report(await world.sync())
      assert.deepStrictEqual(open(world, "SELECT subject FROM changed"), [])
      assert.deepStrictEqual(await violations(world), [])
    })
  )
})

const anything = { subject: "books/invoice/I1", fact: "books/invoice/I1", rule: "T1", why: "", todo: "" } as never
