/** Rounds of a fleet, each with new invoices: something happens while calls are under way, and in the end each invoice is there once. */
import { Fleet } from "./Fleet.ts"

/** What happened in a round. */
interface Said {
  readonly [what: string]: number | string | null | undefined
}

/**
 * So many rounds: invoices come, calls are under way, something happens; in the end each invoice is there once.
 *
 * @param losesClaims what happens makes PostgreSQL lose what it confirmed
 */
export const rounds = async (
  happens: (fleet: Fleet, say: (what: Said) => void) => Promise<void>,
  { losesClaims = false } = {}
): Promise<void> => {
  const count = Number(process.argv[2] ?? 20)
  const fleet = await Fleet.make()
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
      unclaimed += losesClaims ? 0 : seen.unclaimed
      await fleet.done()
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
  const asked = fleet.posts
  console.log(JSON.stringify({ rounds: done, twice, asked, damaged, unsettled, unclaimed, failed }))
  const held = done === count && twice === 0 && damaged === 0 && unclaimed === 0
  await fleet.end(!held)
  process.exit(held ? 0 : 1)
}
