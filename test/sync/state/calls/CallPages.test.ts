/** Calls that ended are packed: everything finds them as it did before, and the chain still names what was changed. */
import { assert, describe, it } from "@effect/vitest"
import Sqlite from "better-sqlite3"
import { Effect } from "effect"
import { mkdtempSync } from "node:fs"
import { join } from "node:path"
import { zstdCompressSync } from "node:zlib"
import * as SentTwice from "../../../../sync/apply/SentTwice.ts"
import { packParts } from "../../../../sync/evidence/Facts.ts"
import * as Debtors from "../../../../sync/reports/Debtors.ts"
import * as CallPages from "../../../../sync/state/calls/CallPages.ts"
import { toColumns } from "../../../../sync/state/calls/Columns.ts"
import * as PastCalls from "../../../../sync/state/calls/PastCalls.ts"
import { verify } from "../../../../sync/state/chain/Verify.ts"
import { Database } from "../../../../sync/state/Database.ts"
import { narrow } from "../../../../sync/state/TenantView.ts"
import { inMemory } from "../../../support/InMemory.ts"

type Db = Database["Service"]

const file = () => join(mkdtempSync(join(inMemory(), "daybook-calls-")), "daybook.db")

const opened = <A>(at: string, work: (db: Db) => Effect.Effect<A, unknown>) =>
  Effect.flatMap(Database, work).pipe(
    Effect.provide(Database.layer({ file: at, mode: "write" }), { local: true }),
    Effect.scoped,
    Effect.orDie
  )

/** What texts may have that JSON writes otherwise. */
const STRANGE = `"quoted" \\ back\\slash \n\t\u0001\u007f\u2028 é € 𝄞 </script> 'x'`

const OPERATIONS = ["transactions.create", "transactions.createPayment", "transactions.paid"] as const

const subjectOf = (n: number) =>
  `${n % 2 === 0 ? "north" : "south"}/invoice/INV-${n % 300}${n % 7 === 0 ? STRANGE : ""}`

/** 1,200 calls of two connections between each other, three for each of the first documents; with some that are not packed. */
const calls = (db: Db, count = 1200) => {
  const ledger = db.prepare(
    "INSERT INTO ledger (subject, connection, currency, books_open, service_open) VALUES (?, ?, 'GBP', 0, 0) ON CONFLICT DO NOTHING"
  )
  const claim = db.prepare(
    "INSERT INTO claim (run, subject, fact, rule, operation, request, reason, claimed, sends) VALUES (?, ?, ?, 'T2', ?, ?, ?, ?, ?)"
  )
  const receipt = db.prepare("INSERT INTO receipt VALUES (?, ?, ?, ?, ?, ?)")
  for (let n = 1; n <= count; n++) {
    const subject = subjectOf(n)
    ledger.run(subject, subject.slice(0, 5))
    const operation = n === 700 ? "policies.create" : n === 800 ? "orders.create" : (OPERATIONS[n % 3] ?? "")
    const request = JSON.stringify({ params: {}, body: { unique_id: subject, amount: `${n}.00`, of: STRANGE } })
    claim.run(
      n < 100 ? 1 : 2,
      subject,
      `fact ${n}`,
      operation,
      request,
      `because ${n} ${STRANGE}`,
      1e12 + n,
      1 + (n % 2)
    )
    if (n === 900) continue
    db.prepare("UPDATE claim SET has_receipt = 1 WHERE id = ?").run(n)
    const isDone = n % 11 !== 0
    const debtor = n === 302 ? `{"id":"co-1"}` : null
    const answer = isDone ? `{"url":"http://x/${n}","id":"R${n}","debtor":${debtor},"of":${request}}` : STRANGE
    if (n % 13 === 0) receipt.run(n, "absent", null, null, null, 2e12 + n)
    else receipt.run(n, isDone ? "done" : "refused", isDone ? 201 : 400, isDone ? `R${n}` : null, answer, 2e12 + n)
  }
}

const everything = (db: Pick<Db, "prepare">) => ({
  up: [...PastCalls.all(db, "asc")],
  down: [...PastCalls.all(db, "desc")],
  of: [1, 2, 7, 8, 299, 300].map((n) => PastCalls.of(db, subjectOf(n))),
  one: [1, 700, 900, 1199, 1200, 1201].map((id) => PastCalls.find(db, id))
})

const facts = (db: Db): ReadonlyArray<string> =>
  packParts(db)
    .filter(({ name }) => /claim|receipt|ledger/.test(name))
    .map(({ lines }) => [...lines()].join("").split("\n").toSorted().join("\n"))

/** A file with calls that are packed, and what was said of them before. */
const packed = (at: string) =>
  opened(at, (db) =>
    Effect.gen(function* () {
      yield* db.transaction(() => calls(db))
      const before = { said: everything(db), facts: facts(db), named: named(db) }
      const entries = db.prepare("SELECT max(n) FROM chain").pluck().get()
      yield* db.transaction(() => CallPages.pack(db))
      assert.strictEqual(db.prepare("SELECT max(n) FROM chain").pluck().get(), entries)
      assert.deepStrictEqual({ said: everything(db), facts: facts(db), named: named(db) }, before)
      return before.said
    })
  )

const named = (db: Db) => Debtors.list(db, "north")

describe("calls that ended", () => {
  it.effect("are packed, and found by everything as before; what is open or looked for stays, and the latest", () =>
    Effect.gen(function* () {
      const at = file()
      const { up } = yield* packed(at)
      assert.deepStrictEqual(
        up.map(({ id }) => id),
        Array.from({ length: 1200 }, (_, n) => n + 1)
      )
      yield* opened(at, (db) =>
        Effect.gen(function* () {
          const left = db.prepare("SELECT id FROM claim").pluck().all() as ReadonlyArray<number>
          // What is not enough for a page of its connection stays as well.
          assert.includeMembers([...left], [700, 800, 900, 1200])
          assert.isBelow(left.length, 500)
          assert.strictEqual(db.prepare("SELECT count(*) FROM receipt").pluck().get(), left.length - 1)
          assert.deepStrictEqual(verify(db).problems, [])
          const insert =
            "INSERT INTO claim (run, subject, fact, rule, operation, request, reason, claimed) VALUES (3, 'a', '', '', '', '{}', '', 0)"
          const next = yield* db.transaction(() => db.prepare(insert).run().lastInsertRowid)
          assert.strictEqual(next, 1201)
        })
      )
    })
  )

  it.effect("leave the latest where it is, also where it would make a page full", () =>
    opened(file(), (db) =>
      Effect.gen(function* () {
        yield* db.transaction(() => {
          calls(db, CallPages.CALLS_OF_PAGE)
          db.prepare("UPDATE ledger SET connection = 'books'").run()
          CallPages.pack(db)
        })
        assert.strictEqual(db.prepare("SELECT max(id) FROM claim").pluck().get(), CallPages.CALLS_OF_PAGE)
      })
    )
  )

  it.effect("take less than a quarter of their place", () =>
    Effect.gen(function* () {
      const at = file()
      const size = (db: Db, names: string) =>
        db.prepare(`SELECT sum(pgsize) FROM dbstat WHERE name IN (${names})`).pluck().get() as number
      const before = yield* opened(at, (db) =>
        Effect.map(
          db.transaction(() => calls(db)),
          () => size(db, "'claim', 'receipt', 'claim_subject'")
        )
      )
      yield* opened(at, (db) => db.transaction(() => CallPages.pack(db)))
      yield* opened(at, (db) =>
        Effect.sync(() => {
          const left = db.prepare("SELECT count(*) FROM claim").pluck().get() as number
          const pages = size(db, "'call_page', 'call_of'")
          assert.isBelow(pages / (1200 - left), before / 1200 / 4)
        })
      )
    })
  )

  it.effect("are named where a page, or what leads to it, was changed with another program", () =>
    Effect.gen(function* () {
      const at = file()
      yield* packed(at)
      const db = new Sqlite(at)
      db.exec("PRAGMA foreign_keys = OFF")
      const tampered = (
        change: (page: { id: number; first: number; size: number; content: Buffer }) => void
      ): string => {
        db.exec("SAVEPOINT s")
        change(db.prepare("SELECT * FROM call_page WHERE connection = 'north' ORDER BY id LIMIT 1").get() as never)
        const { problems } = verify(db)
        db.exec("ROLLBACK TO s")
        return problems.join("; ")
      }
      const rewritten = (edit: (calls: ReadonlyArray<string>) => ReadonlyArray<string>) =>
        tampered(({ id, size, ...page }) => {
          const calls = CallPages.callsIn({ size, ...page })
          const text = toColumns(edit(calls.map(({ claim, receipt }) => `${claim}\n${receipt}`)))
          db.prepare("UPDATE call_page SET size = ?, content = ? WHERE id = ?").run(
            Buffer.byteLength(text),
            zstdCompressSync(text),
            id
          )
        })
      assert.strictEqual(
        tampered(() => {}),
        ""
      )
      assert.match(
        rewritten((calls) => calls.map((call) => call.replace('\\"amount\\":\\"42.00\\"', '\\"amount\\":\\"24.00\\"'))),
        /^claim 42 is not what entry \d+ says$/
      )
      assert.match(
        rewritten((calls) => calls.slice(1)),
        /receipt 2 was removed.*claim 2 was removed.*the page of calls 2 to \d+ is not as it was written/
      )
      assert.match(
        rewritten((calls) => [...calls, "[9999]\n[9999]"]),
        /the page of calls 2 to \d+ is not as it was written.*call 9999 has no entry/
      )
      assert.match(
        tampered(({ id }) => db.prepare("UPDATE call_page SET content = x'00' WHERE id = ?").run(id)),
        /receipt 502 was removed/
      )
      assert.match(
        tampered(({ id }) => db.prepare("DELETE FROM call_of WHERE page = ?").run(id)),
        /call 2 is not found from north\/invoice\/INV-2/
      )
      assert.match(
        tampered(({ id }) => db.prepare("UPDATE call_page SET connection = 'south' WHERE id = ?").run(id)),
        /call 2 is not found from north\/invoice\/INV-2/
      )
      assert.match(
        tampered(() =>
          db.exec(
            "INSERT INTO claim SELECT 2, run, subject, fact, rule, operation, request, reason, claimed, 1, 0 FROM claim LIMIT 1"
          )
        ),
        /claim 2 is not what.*call 2 is there twice/
      )
      db.close()
    })
  )

  it.effect("are seen by who asks whether something was sent since, by whom, or as what", () =>
    opened(file(), (db) =>
      Effect.gen(function* () {
        yield* db.transaction(() => calls(db))
        const subject = subjectOf(2)
        const asked = () => ({
          // 2, 302 and 902: by run 1 and by run 2.
          since: [0, 901, 902].map((call) => PastCalls.isAnySince(db, [subject], call)),
          others: [1, 2].map((run) => PastCalls.isClaimedByOthers(db, subject, { after: 1, run })),
          late: SentTwice.takeIn(db, [{ call: 302, remote: "R302", subject }], 1).news
        })
        const before = asked()
        assert.deepStrictEqual(before, { since: [true, true, false], others: [true, true], late: 0 })
        yield* db.transaction(() => CallPages.pack(db))
        assert.isUndefined(db.prepare("SELECT 1 FROM claim WHERE id = 302").get())
        assert.deepStrictEqual(asked(), before)
      })
    )
  )

  it.effect(
    "of a run that sends are packed without those of others, so that it does not take its own calls for theirs",
    () =>
      opened(file(), (db) =>
        Effect.gen(function* () {
          yield* db.transaction(() => calls(db))
          yield* db.transaction(() => CallPages.pack(db, 2))
          assert.deepStrictEqual(db.prepare("SELECT DISTINCT first_run, last_run FROM call_page").all(), [
            { first_run: 2, last_run: 2 }
          ])
          const subject = subjectOf(302)
          assert.isFalse(PastCalls.isClaimedByOthers(db, subject, { after: 300, run: 2 }))
          assert.isTrue(PastCalls.isClaimedByOthers(db, subject, { after: 300, run: 3 }))
        })
      )
  )

  it.effect("are a tenant's own", () =>
    Effect.gen(function* () {
      const at = file()
      yield* packed(at)
      const view = new Sqlite(at, { readonly: true })
      narrow(view, ["north"])
      const found = [...PastCalls.all(view, "asc")]
      assert.isTrue(found.every(({ subject }) => subject.startsWith("north/")))
      assert.lengthOf(found, 600)
      assert.deepStrictEqual(PastCalls.of(view, subjectOf(1)), [])
      assert.isUndefined(PastCalls.find(view, 1))
      view.close()
    })
  )
})
