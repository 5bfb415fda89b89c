/** Rounds of a fleet, each with new invoices: something happens while calls are under way, and in the end each invoice is there once. */
import { Fleet } from "./Fleet.ts"

/** What happened in a round. */
interface Said {
  readonly [what: string]: number | string | null | undefined
  /** How long it took until other nodes had the tenants. Milliseconds. */
  readonly takenOverMs?: number | undefined
}

/** So many rounds: invoices come, calls are under way, something happens; in the end each invoice is there once. */
export const rounds = async (
  happens: (fleet: Fleet, say: (what: Said) => void) => Promise<void>,
  after: (fleet: Fleet) => Promise<void> = async () => {},
  make = () => Fleet.make()
): Promise<void> => {
  const count = Number(process.argv[2] ?? 20)
  const fleet = await make()
  let [damaged, unsettled, unclaimed, done, failed] = [0, 0, 0, 0, ""]
  const said: Array<Said> = []
  try {
    await fleet.allReady()
    for (; done < count; done++) {
      await fleet.more()
      await fleet.busy()
      await happens(fleet, (what) => said.push(what))
      const seen = await fleet.inspect()
      damaged += seen.damaged
      unsettled += seen.unsettled
      unclaimed += seen.unclaimed
      await fleet.done()
      await after(fleet)
      if (done % 5 === 4 || done === count - 1)
        console.log(
          JSON.stringify({
            rounds: done + 1,
            created: fleet.acted,
            expected: fleet.expected,
            asked: fleet.posts,
            damaged,
            unsettled,
            unclaimed,
            last: said.at(-1)
          })
        )
    }
  } catch (cause) {
    failed = cause instanceof Error ? cause.message : String(cause)
  }
  const twice = fleet.acted - fleet.expected
  const takeovers = said.flatMap(({ takenOverMs }) => takenOverMs ?? []).toSorted((a, b) => a - b)
  const at = (share: number) => takeovers[Math.floor((takeovers.length - 1) * share)]
  const takenOver = { times: takeovers.length, medianMs: at(0.5), p95Ms: at(0.95), mostMs: at(1) }
  const asked = fleet.posts
  console.log(JSON.stringify({ rounds: done, twice, asked, damaged, unsettled, unclaimed, takenOver, failed }))
  const held = done === count && twice === 0 && damaged === 0 && unclaimed === 0
  await fleet.end(!held)
  process.exit(held ? 0 : 1)
}
