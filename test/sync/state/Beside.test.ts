/**
 * The world that tests share: what goes on beside a run has the state file open until it has ended, like a daemon's page
 * beside its runs.
 */
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { Database } from "../../../sync/state/Database.ts"
import { paidInvoices } from "../InWorld.ts"
import { World } from "../World.ts"

const commits = (world: World, ask: () => boolean) =>
  Effect.gen(function* () {
    const db = yield* Database
    world.interruptAt = world.steps.length + 1
    const more = ask()
    yield* db.commit(() => db.prepare("SELECT 1").get())
    yield* Effect.yieldNow
    return [more, yield* db.read(() => db.prepare("SELECT count(*) FROM document").pluck().get())]
  })

it("what stops a run from beside it, with its first step, still has the state file", async () => {
  let began: boolean | undefined
  const world: World = new World({
    fault: () => {
      began ??= world.beside(commits(world, () => world.beside(Effect.void)))
      return undefined
    }
  })
  try {
    world.documents = paidInvoices(1)
    const exit = await world.sync()
    assert.deepStrictEqual([exit._tag, began], ["Failure", true])
    assert.lengthOf(world.ends, 1)
    const [end] = world.ends
    assert.deepStrictEqual(end?._tag === "Success" ? end.value : end, [false, 2], "and nothing more goes on meanwhile")
  } finally {
    world.close()
  }
})
