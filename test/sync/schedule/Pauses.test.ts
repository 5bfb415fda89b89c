/** A connection that a person paused: nothing starts a run of it but a person, until somebody lets it go on. */
import { assert, describe, it } from "@effect/vitest"
import { due } from "../../../sync/schedule/Due.ts"
import * as Pauses from "../../../sync/schedule/Pauses.ts"
import * as RunState from "../../../sync/schedule/RunState.ts"
import { at, HOUR, machine, of } from "../Machine.ts"

const NOW = at("2026-06-30T12:00:00Z")

describe("a paused connection", () => {
  it("runs when it is asked to and not by itself: by no schedule, retry or webhook, nor where a run was cut off", async () => {
    const made = await machine("2026-06-30T12:00:00Z", [])
    const { db } = made
    const connections = [of("books", "1 hour"), of("shop", "1 hour"), of("fair", "1 hour"), of("hook")]
    const look = (now: number, asked: ReadonlyArray<string> = []) => {
      const found = due(db, connections, { now, asked: new Set(asked), busy: [], family: ({ id }) => id })
      return found.start.map(([{ id }, trigger]) => `${id} ${trigger}`)
    }
    look(NOW)
    const later = NOW + 2 * HOUR
    RunState.begin(db, { id: "shop" }, NOW)
    RunState.begin(db, { id: "fair" }, NOW)
    RunState.end(db, "fair", { failed: true, outcome: "failed", message: "" }, NOW)
    db.prepare("INSERT INTO webhook_queue VALUES ('hook', 'x', ?, 1)").run(NOW)
    assert.deepStrictEqual(look(later), ["books schedule", "shop interrupted", "fair retry", "hook webhook"])
    const all = ["books", "shop", "fair", "hook"]
    for (const connection of all) Pauses.pause(db, { connection, since: later, who: "Ada" })
    assert.deepStrictEqual(look(later), [])
    assert.deepStrictEqual(look(later, ["books", "hook"]), ["books asked", "hook asked"])
    // Who paused it first stays on record.
    Pauses.pause(db, { connection: "books", since: later + 1, who: "Bob" })
    assert.deepStrictEqual(Pauses.all(db).get("books"), { connection: "books", since: later, who: "Ada" })
    for (const connection of all) Pauses.resume(db, connection)
    assert.deepStrictEqual(look(later), ["books schedule", "shop interrupted", "fair retry", "hook webhook"])
    await made.close()
  })
})
