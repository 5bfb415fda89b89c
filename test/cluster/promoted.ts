/**
 * `node test/cluster/promoted.ts 20`: so many times, while calls are under way, a standby that lacks up to two seconds of what PostgreSQL
 * confirmed is promoted in its place. Each tenant reads the service before it sends anything. Ends with 1 when an invoice was created
 * twice or never.
 */
import { setTimeout as sleep } from "node:timers/promises"
import { rounds } from "./Rounds.ts"

await rounds(
  async (fleet, say) => {
    const millis = Math.round(Math.random() * 2000)
    let before = 0
    await fleet.server.promote(async () => {
      await fleet.count()
      before = fleet.posts
      await sleep(millis)
    })
    await fleet.count()
    say({ lackedMs: millis, askedMeanwhile: fleet.posts - before })
  },
  { losesClaims: true }
)
