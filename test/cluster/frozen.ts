/**
 * `node test/cluster/frozen.ts 5`: so many times a worker is stopped with its slots while calls are under way, until others have its
 * tenants and have sent what was left, and goes on with clocks that all stood still meanwhile. It believes its claims, and sends what others
 * have sent: nobody can prevent it, and each invoice that is there twice must be named in an attention item. Ends with 1 when one is not.
 */
import { setTimeout as sleep } from "node:timers/promises"
import { Fleet } from "./Fleet.ts"
import { signalAll } from "./Shapes.ts"

const rounds = Number(process.argv[2] ?? 5)
/** How long it may take until the last item is there. Milliseconds. */
const NAMED_MS = 60_000

const fleet = await Fleet.make(undefined, undefined, ["--import", new URL("StandingClocks.ts", import.meta.url).href])

/** What the items of all tenants name. */
const named = async (): Promise<ReadonlyArray<string>> => {
  const all: Array<string> = []
  for (const name of fleet.names) {
    const raw = await fleet.copyOf(name)
    all.push(...((raw?.prepare("SELECT why FROM attention WHERE rule = 'I4'").pluck().all() ?? []) as Array<string>))
    raw?.close()
  }
  return all
}

let [failed, twice] = ["", 0]
try {
  await fleet.allReady()
  for (let n = 0; n < rounds; n++) {
    await fleet.more()
    await fleet.busy()
    const victim = fleet.any
    signalAll(victim.child, "SIGSTOP")
    await fleet.done(twice)
    signalAll(victim.child, "SIGCONT")
    await sleep(6000)
    await fleet.allReady()
    await fleet.count()
    twice = fleet.acted - fleet.expected
    let items = await named()
    for (
      const began = performance.now();
      items.length < twice && performance.now() - began < NAMED_MS;
      await sleep(1000)
    )
      items = await named()
    console.log(
      JSON.stringify({ rounds: n + 1, expected: fleet.expected, twice, named: items.length, last: items.at(-1) })
    )
    if (items.length !== twice) throw new Error(`${twice} invoices are there twice, and ${items.length} are named`)
  }
} catch (cause) {
  failed = cause instanceof Error ? cause.message : JSON.stringify(cause)
}
console.log(failed === "" ? "all as it should be" : `FAILED: ${failed}`)
await fleet.end(failed !== "")
process.exit(failed === "" ? 0 : 1)
