/** A decision is taken back: all that it wrote is as it was before, or nothing is changed, with the reason. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as AttentionActions from "../../../sync/apply/AttentionActions.ts"
import * as AttentionStore from "../../../sync/apply/AttentionStore.ts"
import { concerned } from "../../../sync/decisions/Concerned.ts"
import * as Debtors from "../../../sync/decisions/Debtors.ts"
import * as Movements from "../../../sync/decisions/Movements.ts"
import * as Notes from "../../../sync/decisions/Notes.ts"
import * as Payers from "../../../sync/decisions/Payers.ts"
import * as Plans from "../../../sync/decisions/Plans.ts"
import { decideTogether, foresee } from "../../../sync/decisions/Together.ts"
import * as Undo from "../../../sync/decisions/Undo.ts"
import * as Undoable from "../../../sync/state/Undoable.ts"
import * as MatchChoices from "../../../sync/matching/Choices.ts"
import * as Matching from "../../../sync/matching/Run.ts"
import * as Approvals from "../../../sync/plan/Approvals.ts"
import { Tally } from "../../../sync/plan/Tally.ts"
import { verify } from "../../../sync/state/chain/Verify.ts"
import { Database } from "../../../sync/state/Database.ts"
import { invoice } from "../../support/Documents.ts"
import { books, debits, matches, received, take } from "../Paying.ts"

type Db = Database["Service"]

const NOW = 1_000

/** What people decide, as it is stored; an item that matching opened again is the same item. */
const SQL = [
  "SELECT subject, rule, why FROM attention WHERE closed IS NULL ORDER BY 1, 2, 3",
  "SELECT connection, digest, decision, who FROM approval",
  "SELECT words FROM customer_note",
  "SELECT connection, party, company FROM match",
  "SELECT payment, shares FROM choice",
  "SELECT connection, payer, party, customer FROM payer",
  "SELECT connection, payer, words FROM not_ours",
  "SELECT a, b, same FROM same_money"
]
const standing = (db: Db) => SQL.map((sql) => db.prepare(sql).all())

/** Books with two invoices, a payment that nobody can tell, two items, and a plan that waits. */
const desk = <E>(check: (db: Db) => Effect.Effect<void, E, Database>) =>
  Effect.gen(function* () {
    const db = yield* Database
    yield* take(books, [
      invoice({ party: { name: "Harbour Lane Bakery" } }),
      invoice({ id: "I2", number: "INV-2", gross: "50.00", party: { name: "Tern & Sons" } })
    ])
    yield* take(debits, [
      received("P1", { party: { id: "X9", name: "Somebody Else" }, amount: "120.00", date: "2026-01-01" })
    ])
    yield* Matching.run
    yield* db.transaction(() => {
      const item = (why: string) => ({ rule: "P1", fact: "books/payment/P9", why, todo: "check it" }) as never
      AttentionStore.update(db, "books/invoice/I1", [item("a"), item("b")], undefined, NOW)
      Approvals.ask(db, "books", { ...new Tally().summary(), digest: "one" }, NOW)
    })
    yield* check(db)
  }).pipe(Effect.provide(Database.layer({ file: ":memory:", mode: "write" })))

const itemsOf = (db: Db) => AttentionStore.list(db).filter(({ rule }) => rule === "P1")

const reject = (db: Db) =>
  db.transaction(() =>
    Plans.decide(db, books, { connection: "books", digest: "one", decision: "rejected", who: "Ada" }, undefined, NOW)
  )

const choose = (...invoices: ReadonlyArray<string>) =>
  Effect.flatMap(Database, (db) =>
    Effect.andThen(
      db.transaction(() => {
        const wanted = invoices.map((invoice) => ({ invoice }))
        assert.notProperty(MatchChoices.choose(db, "debits/payment/P1", wanted, NOW), "why")
      }),
      Matching.run
    )
  )

const DEBTOR = { connection: "books", party: "Harbour Lane Bakery|" }

const PAYER = { connection: "debits", payer: "X9", customer: "Harbour Lane Bakery" }

const forgetting = (work: (now: number) => boolean) =>
  Effect.flatMap(Database, (db) =>
    Effect.andThen(
      db.transaction(() => assert.isTrue(work(NOW))),
      Matching.run
    )
  )

/** Said once, it is known: the payment is matched by it at once. */
const always = (db: Db) =>
  Effect.gen(function* () {
    const said = (customer: string) => db.transaction(() => Payers.always(db, "debits/payment/P1", customer, NOW))
    assert.isTrue(yield* said(PAYER.customer))
    assert.isFalse(yield* said(PAYER.customer))
    yield* Matching.run
    assert.deepStrictEqual(matches(db), ["P1 → I1 120.00"])
  })

/** Each kind of decision; the one before it, if there is another way in which it can stand. */
const DECISIONS: ReadonlyArray<
  readonly [string, (db: Db) => Effect.Effect<unknown, unknown, Database>, Effect.Effect<unknown, unknown, Database>?]
> = [
  ["an item closed", (db) => db.transaction(() => AttentionActions.resolve(db, itemsOf(db)[0]!, "done", NOW))],
  [
    "several items closed",
    (db) =>
      db.transaction(() => {
        const several = { what: "close", ids: itemsOf(db).map(({ id }) => id) } as const
        assert.isDefined(decideTogether(db, [], several, foresee(db, [], several, NOW).digest, NOW))
      })
  ],
  ["a plan rejected", reject],
  ["a note", () => Notes.about(DEBTOR, "Ada", "called them")],
  ["a company", () => Debtors.match([], DEBTOR, "c-1" as never)],
  ["another company", () => Debtors.match([], DEBTOR, "c-2" as never), Debtors.match([], DEBTOR, "c-1" as never)],
  ["a company taken back", () => Debtors.match([], DEBTOR, null), Debtors.match([], DEBTOR, "c-1" as never)],
  ["invoices of a payment", () => choose("INV-1")],
  ["a payment for no invoice", () => choose()],
  ["other invoices of a payment", () => choose("INV-2"), choose("INV-1")],
  [
    "a choice taken back",
    (db) =>
      Effect.andThen(
        db.transaction(() => MatchChoices.forget(db, "debits/payment/P1", NOW)),
        Matching.run
      ),
    choose("INV-1")
  ],
  ["a payer who always pays for a customer", (db) => always(db)],
  [
    "a payer who is forgotten",
    (db) => forgetting((now) => Payers.forget(db, PAYER, now)),
    Effect.flatMap(Database, always)
  ],
  [
    "a kind of payments that is forgotten",
    (db) => forgetting((now) => Payers.forgetKind(db, "debits/payment/P1", now)),
    choose()
  ],
  [
    "two payments that are apart",
    (db) =>
      db.transaction(() =>
        Movements.answer(
          db,
          { payment: "debits/payment/P1", like: ["bank/payment/B1", "cards/payment/C1"] },
          { same: undefined },
          NOW
        )
      )
  ]
]

const takeBack = (db: Db) => {
  const [latest] = Undoable.list(db, 1)
  assert.isDefined(latest)
  return Undo.undo([books, debits], { id: String(latest!.id), digest: latest!.digest })
}

describe("a decision", () => {
  for (const [what, decide, before] of DECISIONS)
    it.effect(`is taken back, once, and all is as it was: ${what}`, () =>
      desk((db) =>
        Effect.gen(function* () {
          if (before !== undefined) yield* before
          const was = standing(db)
          yield* decide(db)
          assert.notDeepEqual(standing(db), was)
          const [kept] = Undo.offers(db, 1)
          assert.isAbove(kept!.words.length, 10)
          assert.notProperty(yield* takeBack(db), "why")
          assert.deepStrictEqual(standing(db), was)
          assert.property(yield* Undo.undo([books], { id: String(kept!.id), digest: kept!.digest }), "why")
          assert.deepStrictEqual(standing(db), was)
          assert.deepStrictEqual(verify(db.raw).problems, [])
        })
      )
    )

  const since: ReadonlyArray<
    readonly [string, RegExp, (db: Db) => Effect.Effect<unknown, unknown, Database>, (db: Db) => unknown]
  > = [
    ["its plan is another one", /another one by now/, reject, (db) => ask(db, "two")],
    [
      "it was decided again",
      /decided otherwise/,
      () => Debtors.match([], DEBTOR, "c-1" as never),
      (db) => Debtors.store(db, DEBTOR, "c-2" as never, NOW + 1)
    ],
    [
      "the same is open again",
      /open again already/,
      (db) => db.transaction(() => AttentionActions.resolve(db, itemsOf(db)[0]!, "done", NOW)),
      (db) =>
        AttentionStore.update(
          db,
          "books/invoice/I1",
          [{ rule: "P1", fact: "books/payment/P9", why: "a", todo: "check it" } as never],
          undefined,
          NOW
        )
    ],
    ["the payment was sent", /was sent for it/, () => choose("INV-1"), (db) => call(db, "books/invoice/I1")],
    [
      "an invoice of the company was sent",
      /was sent for it/,
      () => Debtors.match([], DEBTOR, "c-1" as never),
      (db) => call(db, "books/invoice/I1")
    ],
    [
      "what was closed was sent",
      /was sent for it/,
      (db) => db.transaction(() => AttentionActions.resolve(db, itemsOf(db)[0]!, "done", NOW)),
      (db) => call(db, "books/invoice/I1")
    ]
  ]
  const ask = (db: Db, digest: string) => Approvals.ask(db, "books", { ...new Tally().summary(), digest }, NOW)
  const call = (db: Db, subject: string) =>
    db
      .prepare(
        "INSERT INTO claim (run, subject, fact, rule, operation, request, reason, claimed) VALUES (1, ?, '', 'P1', 'payments.create', '{}', '', ?)"
      )
      .run(subject, NOW)

  for (const [what, why, decide, then] of since)
    it.effect(`stands once something rests on it: ${what}`, () =>
      desk((db) =>
        Effect.gen(function* () {
          // What was sent before does not matter.
          yield* db.transaction(() => call(db, "books/invoice/I1"))
          yield* decide(db)
          assert.lengthOf(Undo.offers(db, 1), 1)
          yield* db.transaction(() => void then(db))
          const stands = standing(db)
          assert.lengthOf(Undo.offers(db, 1), 0)
          assert.match(((yield* takeBack(db)) as { readonly why: string }).why, why)
          assert.deepStrictEqual(standing(db), stands)
        })
      )
    )

  it.effect("is named by its digest and its kind: another one is not taken back in its place", () =>
    desk((db) =>
      Effect.gen(function* () {
        yield* reject(db)
        yield* Notes.about(DEBTOR, "Ada", "called them")
        const [note, plan] = Undoable.list(db, 2)
        const was = standing(db)
        for (const wrong of [
          { id: String(plan!.id), digest: note!.digest },
          { id: "99", digest: note!.digest },
          { id: "x", digest: "" },
          { id: String(plan!.id), digest: plan!.digest, kinds: ["note"] as const }
        ])
          assert.property(yield* Undo.undo([books], wrong), "why")
        assert.deepStrictEqual(standing(db), was)
        // Whose books it is about is looked up before a form is carried out.
        const of = (undo: string) => concerned(db, ["plans", "undo"], new URLSearchParams({ undo }))
        assert.deepStrictEqual([of(String(plan!.id)), of("99")], [["books"], []])
      })
    )
  )

  it.effect(
    "about a payment is one about the books of its invoices, too: who may not see those does not take it back",
    () =>
      desk((db) =>
        Effect.gen(function* () {
          yield* choose("INV-1")
          const [kept] = Undoable.list(db, 1)
          const of = (room: string, fields: Readonly<Record<string, string>>) =>
            [...concerned(db, [room, "undo"], new URLSearchParams(fields))].toSorted()
          assert.deepStrictEqual(of("attention", { undo: String(kept!.id) }), ["books", "debits"])
          assert.deepStrictEqual(of("payments", { payment: "debits/payment/P1" }), ["books", "debits"])
          yield* takeBack(db)
          assert.deepStrictEqual(of("payments", { payment: "debits/payment/P1" }), ["debits"])
        })
      )
  )

  it.effect("that approved, retried or let buy again cannot be taken back", () =>
    desk((db) =>
      Effect.gen(function* () {
        yield* db.transaction(() => {
          Plans.decide(
            db,
            books,
            { connection: "books", digest: "one", decision: "approved", who: "Ada" },
            undefined,
            NOW
          )
          AttentionActions.retry(db, itemsOf(db)[0]!.id, NOW)
          const item = { rule: "Q10", fact: "books/cover/payment", why: "a", todo: "check it" } as never
          AttentionStore.update(db, "books/cover", [item], undefined, NOW)
          AttentionActions.resolve(db, AttentionStore.list(db, "books/cover")[0]!, "done", NOW)
        })
        assert.deepStrictEqual(Undoable.list(db, 9), [])
      })
    )
  )
})
