/**
 * `node test/cluster/pooled.ts 5`: workers reach PostgreSQL through PgBouncer, in each of its modes that can be used; so many times in each
 * a worker is killed with its slots while calls are under way. Ends with 1 when an invoice was created twice or never, with 77 if there
 * is no PgBouncer here.
 */
import { spawn, spawnSync } from "node:child_process"
import { chownSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { SKIPPED } from "../support/Skipped.ts"
import { Fleet } from "./Fleet.ts"
import { freePort, somebody } from "./Server.ts"
import { signalAll } from "./Shapes.ts"

if (spawnSync("pgbouncer", ["--version"]).status !== 0) {
  console.log("skipped: no PgBouncer was found; install it, or put it into PATH")
  process.exit(SKIPPED)
}
const kills = Number(process.argv[2] ?? 5)
const fleet = await Fleet.make()
const folder = mkdtempSync(join(tmpdir(), "daybook-pgbouncer-"))

/** Listens on this port until it is killed. */
const pooler = (mode: string, port: number) => {
  const file = join(folder, `${mode}.ini`)
  const to = `host=127.0.0.1 port=${new URL(fleet.server.url).port}`
  const how = `pool_mode = ${mode}\nauth_type = any\nmax_client_conn = 500\ndefault_pool_size = 30`
  writeFileSync(
    file,
    `[databases]\npostgres = ${to} user=postgres\n[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = ${port}\nunix_socket_dir =\n${how}\n`
  )
  const user = somebody()
  if (user !== undefined) for (const path of [folder, file]) chownSync(path, user.uid, user.gid)
  return spawn("pgbouncer", ["-q", file], { ...user, stdio: ["ignore", "ignore", "inherit"] })
}

let failed = ""
try {
  await fleet.allReady()
  for (const mode of ["session", "transaction"]) {
    fleet.through = await freePort()
    const between = pooler(mode, fleet.through)
    for (const one of [...fleet.daemons]) await fleet.replace(one, () => one.child.kill("SIGTERM"))
    await fleet.allReady()
    for (let n = 0; n < kills; n++) {
      await fleet.more()
      await fleet.busy()
      const victim = fleet.any
      await fleet.replace(victim, () => signalAll(victim.child, "SIGKILL"))
      await fleet.done()
    }
    const { damaged, unclaimed } = await fleet.inspect()
    const twice = fleet.acted - fleet.expected
    console.log(JSON.stringify({ mode, kills, created: fleet.acted, twice, damaged, unclaimed }))
    if (twice + damaged + unclaimed > 0) throw new Error("created twice, or without a claim, or damaged")
    for (const { child } of fleet.daemons) signalAll(child, "SIGKILL")
    fleet.daemons.length = 0
    between.kill("SIGKILL")
    fleet.through = undefined
    for (let n = 0; n < 3; n++) await fleet.start()
  }
} catch (cause) {
  failed = cause instanceof Error ? cause.message : String(cause)
}
if (failed !== "") console.log(failed)
await fleet.end(failed !== "")
rmSync(folder, { recursive: true, force: true })
process.exit(failed === "" ? 0 : 1)
