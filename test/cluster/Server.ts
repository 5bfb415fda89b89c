/**
 * A PostgreSQL of one's own, in a temporary folder and on this machine only, for the commands of this folder. Its programs are looked
 * for in PATH and where Debian has them; it never runs as root.
 */
import { spawnSync } from "node:child_process"
import { chownSync, existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { delimiter, join } from "node:path"
import { processorOf } from "./Processor.ts"

export interface Server {
  readonly url: string
  /** All of its processes stand still, or go on. */
  readonly stall: () => void
  readonly resume: () => void
  readonly restart: (mode: "fast" | "immediate") => void
  /** Makes a backup, which `failOver` puts in the server's place: what was confirmed since then is lost. */
  readonly backup: () => void
  readonly failOver: () => void
  /** Makes a backup, and then puts it in the server's place as a standby that is promoted: on a new timeline. */
  readonly promote: (meanwhile: () => Promise<void>) => Promise<void>
  /** Processor time that it has used. Milliseconds. */
  readonly processor: () => number
  readonly stop: () => void
}

const DEBIAN = "/usr/lib/postgresql"

export const programs = (): string => {
  const places = [
    ...(process.env["PATH"] ?? "").split(delimiter),
    ...(existsSync(DEBIAN) ? readdirSync(DEBIAN).map((version) => join(DEBIAN, version, "bin")) : [])
  ]
  const needed = ["initdb", "pg_ctl", "pg_basebackup"]
  const found = places.find((place) => needed.every((one) => existsSync(join(place, one))))
  if (found === undefined) throw new Error("no PostgreSQL was found; install it, or put its programs into PATH")
  return found
}

/** Somebody who is not root. */
export const somebody = (): { readonly uid: number; readonly gid: number } | undefined => {
  if (process.getuid?.() !== 0) return undefined
  const users = readFileSync("/etc/passwd", "utf8")
    .split("\n")
    .map((line) => line.split(":"))
  const [, , uid, gid] = users.find(([name]) => name === "postgres") ?? users.find(([name]) => name === "nobody") ?? []
  return { uid: Number(uid), gid: Number(gid) }
}

export const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, "127.0.0.1")
  await new Promise((resolve) => server.once("listening", resolve))
  const { port } = server.address() as { port: number }
  await new Promise((resolve) => server.close(resolve))
  return port
}

/** A certificate and its key, in PEM. */
export interface Tls {
  readonly cert: string
  readonly key: string
}

export const start = async (tls?: Tls): Promise<Server> => {
  const bin = programs()
  const user = somebody()
  const folder = mkdtempSync(join(tmpdir(), "daybook-postgres-"))
  if (user !== undefined) chownSync(folder, user.uid, user.gid)
  let data = join(folder, "data")
  const run = (program: string, ...args: ReadonlyArray<string>) => {
    const { status, stderr, stdout } = spawnSync(join(bin, program), args, {
      cwd: folder,
      encoding: "utf8",
      ...user,
      stdio: ["ignore", "pipe", "pipe"]
    })
    if (status !== 0) throw new Error(`${program}: ${stderr}${stdout}`)
  }
  const port = await freePort()
  run("initdb", "-D", data, "-U", "postgres", "-A", "trust")
  const secured = tls === undefined ? "" : " -c ssl=on"
  for (const [name, text] of tls === undefined
    ? []
    : ([
        ["server.crt", tls.cert],
        ["server.key", tls.key]
      ] as const)) {
    writeFileSync(join(data, name), text, { mode: 0o600 })
    if (user !== undefined) chownSync(join(data, name), user.uid, user.gid)
  }
  const options = `-p ${port} -k ${folder} -c listen_addresses=127.0.0.1 -c max_connections=200${secured}`
  const launch = () =>
    spawnSync(join(bin, "pg_ctl"), ["-D", data, "-o", options, "-l", join(folder, "log"), "-w", "start"], {
      cwd: folder,
      ...user,
      stdio: "ignore"
    })
  launch()
  const saved = join(folder, "backup")
  let standbys = 0
  const backup = (to: string, ...more: ReadonlyArray<string>) =>
    run("pg_basebackup", "-D", to, "-h", "127.0.0.1", "-p", `${port}`, "-U", "postgres", "-c", "fast", ...more)
  const mainOf = () => Number(readFileSync(join(data, "postmaster.pid"), "utf8").split("\n")[0])
  const processes = (): ReadonlyArray<number> => {
    const main = mainOf()
    const children = readFileSync(`/proc/${main}/task/${main}/children`, "utf8").trim().split(" ").filter(Boolean)
    return [main, ...children.map(Number)]
  }
  const signal = (name: NodeJS.Signals) => {
    for (const pid of processes())
      try {
        process.kill(pid, name)
      } catch {
        // A session that has ended meanwhile.
      }
  }
  let isStopped = false
  const stop = () => {
    if (isStopped) return
    isStopped = true
    signal("SIGCONT")
    run("pg_ctl", "-D", data, "-m", "immediate", "stop")
    rmSync(folder, { recursive: true, force: true })
  }
  process.on("exit", stop)
  // Whoever ends a trial early leaves no server behind, and no daemons.
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(1))
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    processor: () => processorOf(mainOf()),
    stall: () => signal("SIGSTOP"),
    resume: () => signal("SIGCONT"),
    restart: (mode) => {
      run("pg_ctl", "-D", data, "-m", mode, "-w", "stop")
      launch()
    },
    backup: () => backup(saved),
    failOver: () => {
      run("pg_ctl", "-D", data, "-m", "immediate", "stop")
      data = saved
      launch()
    },
    promote: async (meanwhile) => {
      const standby = join(folder, `standby${++standbys}`)
      backup(standby, "-R")
      await meanwhile()
      run("pg_ctl", "-D", data, "-m", "immediate", "stop")
      rmSync(data, { recursive: true, force: true })
      data = standby
      launch()
      run("pg_ctl", "-D", data, "-w", "promote")
    },
    stop
  }
}
