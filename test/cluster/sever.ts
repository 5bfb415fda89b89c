/**
 * `node test/cluster/sever.ts 20`: so many times all sessions of the daemons with PostgreSQL are severed while calls are under way, or some
 * of its processes stand still for longer than a request may take. Ends with 1 when an invoice was created twice or never.
 */
import { setTimeout as sleep } from "node:timers/promises"
import { rounds } from "./Rounds.ts"

const SESSIONS = "FROM pg_stat_activity WHERE application_name = 'daybook'"

await rounds(
  async (fleet, say) => {
    if (Math.random() < 0.5) {
      let severed = 0
      for (let n = 0; n < 5; n++) {
        severed += (await fleet.pool.query(`SELECT pg_terminate_backend(pid) ${SESSIONS}`)).rowCount ?? 0
        await sleep(Math.random() * 300)
      }
      return say({ severed })
    }
    const { rows } = await fleet.pool.query(`SELECT pid ${SESSIONS}`)
    const some = rows.map(({ pid }) => Number(pid)).filter(() => Math.random() < 0.5)
    const standing = some.filter((pid) => signal(pid, "SIGSTOP"))
    await sleep(500 + Math.random() * 5000)
    for (const pid of standing) signal(pid, "SIGCONT")
    say({ stoodStill: standing.length })
  },
  (fleet) => fleet.allReady()
)

function signal(pid: number, name: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, name)
  } catch {
    return false
  }
}
