/**
 * A state file of before the source's own figures were kept: what the source says is read once more, of all its invoices,
 * and nothing that was sent is sent again.
 */
import { assert, describe, it } from "@effect/vitest"
import Sqlite from "better-sqlite3"
import { Effect, Redacted, Schema, Stream } from "effect"
import * as Account from "../../../sync/apply/Account.ts"
import { apply } from "../../../sync/apply/Apply.ts"
import * as Xero from "../../../connectors/xero/Sample.ts"
import { simulate } from "../../../connectors/testing/Simulator.ts"
import { vaultOf } from "../../../connectors/testing/Subject.ts"
import type { Connection } from "../../../sync/model/Connection.ts"
import * as Plan from "../../../sync/plan/Plan.ts"
import { pull } from "../../../sync/pull/Pull.ts"
import { Database } from "../../../sync/state/Database.ts"
import { migrate } from "../../../sync/state/migrations.ts"
import { FIGURES_AGAIN } from "../../../sync/state/tables/SourceFigures.ts"
import { planning } from "../../support/Documents.ts"
import { inWorld, report } from "../InWorld.ts"
import { KEY, URL } from "../World.ts"

const { connector, environment = {}, oauth, open, settings } = Xero.subject

const books: Connection = {
  id: "books",
  connector,
  settings: Schema.decodeUnknownSync(connector.settings as Schema.Codec<unknown>)(settings),
  planning,
  firstSync: "send"
}

describe("a state file that has none of the source's own figures", () => {
  it(
    "gets them with the next pull of a source that did not change, and sends nothing again",
    inWorld({}, async (world) => {
      const source = open().source!
      const vault = vaultOf(oauth!.held)
      const read = Effect.gen(function* () {
        const { layer, wrong } = simulate(source, { size: 2 })
        yield* Effect.provide(pull(books, { folder: ".", environment, vault }), layer)
        assert.isUndefined(wrong())
      })
      const sync = () =>
        world.life(
          Effect.gen(function* () {
            yield* Account.bind(URL, Redacted.make(KEY))
            yield* read
            return yield* apply([books], { allow: ["G2", "G3", "G7", "G10"] })
          })
        )
      const look = <A>(work: (db: Database["Service"]) => A) =>
        world.life(Effect.map(Database, work)).then((exit) => (exit._tag === "Success" ? exit.value : assert.fail()))
      const stated = () =>
        look((db) =>
          db.prepare("SELECT count(*) FROM document WHERE body ->> '$[10].stated' IS NOT NULL").pluck().get()
        )
      assert.isAbove(report(await sync()).done, 0)
      const before = Number(await stated())
      assert.isAbove(before, 0)
      await look((db) => {
        db.raw.exec("UPDATE document SET body = json_remove(body, '$[10].stated')")
        db.raw.exec(
          "INSERT INTO source (connection, connector) VALUES ('books', 'xero') ON CONFLICT DO UPDATE SET connector = 'xero'"
        )
        // As the step of the state file that such a file has yet to take.
        db.raw.exec(FIGURES_AGAIN)
      })
      const changes = world.changes
      assert.deepInclude(report(await sync()), { done: 0, failed: 0 })
      assert.strictEqual(world.changes, changes)
      assert.strictEqual(await stated(), before)
      const calls = await world.life(Stream.runCollect(Plan.stream([books])))
      assert.isTrue(calls._tag === "Success" && calls.value.every((one) => one.calls.length === 0))
    })
  )

  it("reads anew only what states balances, and had none", () => {
    const db = new Sqlite(":memory:")
    migrate(db, 25)
    const rows = [
      ["one", "xero", "{}"],
      ["two", "stripe", '{"stated":{"open":"1"}}'],
      ["three", "woocommerce", "{}"],
      ["four", "quickbooks", undefined]
    ] as const
    db.prepare("INSERT INTO scan (connection, name) VALUES ('one', '')").run()
    for (const [connection, connector, body] of rows) {
      db.prepare("INSERT INTO source (connection, connector) VALUES (?, ?)").run(connection, connector)
      db.prepare("INSERT INTO bookmark (connection, bookmark) VALUES (?, 'here')").run(connection)
      if (body !== undefined)
        db.prepare(
          "INSERT INTO document (key, scan, n, deleted, read, origin, body, raw) VALUES (?, 1, 1, 0, 0, '', ?, '')"
        ).run(`${connection}/invoice/1`, body)
    }
    db.exec(FIGURES_AGAIN)
    const kept = db.prepare("SELECT connection FROM bookmark WHERE bookmark IS NOT NULL ORDER BY 1").pluck().all()
    assert.deepStrictEqual(kept, ["four", "three", "two"])
    db.close()
  })
})
