/**
 * Three workers on this machine, a service, and a PostgreSQL of one's own: what is done to them, and whether the
 * service got every invoice once. The requests are counted by the service, which is what says so.
 */
import { type ChildProcess, spawn, spawnSync } from "node:child_process"
import { createWriteStream, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { once } from "node:events"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import { Effect } from "effect"
import pg from "pg"
import { connect } from "../../sync/state/replication/postgres/PgSessions.ts"
import { read } from "../../sync/state/replication/postgres/PostgresStore.ts"
import { restore } from "../../sync/state/replication/Restore.ts"
import * as CallPages from "../../sync/state/calls/CallPages.ts"
import { StateError } from "../../sync/state/StateError.ts"
import { serve } from "../bench/Process.ts"
import Sqlite from "better-sqlite3"
import { writeBooks } from "./Books.ts"
import { freePort, type Server, start } from "./Server.ts"
import { type Wire, wire } from "./Wire.ts"
import { SEAL, type Shape, signalAll, USUAL } from "./Shapes.ts"

const CHECKOUT = fileURLToPath(new URL("../..", import.meta.url))
const SETTLE_MS = 1000
/** The service holds each answer back so long, so that calls are under way whenever something happens. Milliseconds. */
const DELAY_MS = 40
export const PAGE_PASSWORD = "a password of all workers"
/** What the service sends with its webhooks. */
export const HOOK_WORD = "agreed with the service"
/** How long a round may take: a takeover and the work itself, on a busy machine. Milliseconds. */
const ROUND_MS = 300_000

export interface Daemon {
  readonly name: string
  readonly url: string
  readonly child: ChildProcess
  /** Between it and PostgreSQL. */
  readonly wire: Wire
}

interface Inspected {
  readonly damaged: number
  readonly unsettled: number
  readonly unclaimed: number
}

interface Journal {
  readonly n: number
  readonly method: string
  readonly path: string
  readonly acted: boolean
}

/** How many invoices it has asked to create, also where those calls are packed. */
const claimsIn = (raw: Sqlite.Database): number => {
  const open = raw.prepare("SELECT count(*) FROM claim WHERE operation = 'transactions.create'").pluck().get() as number
  const pages = raw.prepare("SELECT id, first, size, content FROM call_page").all() as ReadonlyArray<CallPages.CallPage>
  return pages.reduce(
    (sum, page) => sum + CallPages.callsIn(page).filter(({ claim }) => claim.includes('"transactions.create"')).length,
    open
  )
}

/** The command of a checkout that was built. */
export const programIn = (checkout: string): string => join(checkout, "dist", "daybook.js")

/** This checkout's command, built anew if its source has changed; or the one that is named. */
const ownProgram = (): string => {
  const built = process.env["DAYBOOK_BUILT"]
  if (built !== undefined) return built
  const { status } = spawnSync(process.execPath, [join(CHECKOUT, "cli", "build.js")], { stdio: "inherit" })
  if (status !== 0) throw new Error("the command could not be built")
  return programIn(CHECKOUT)
}

export class Fleet {
  readonly server: Server
  readonly service: string
  readonly #stopService: () => void
  /** This version's command. */
  readonly program = ownProgram()
  readonly path = mkdtempSync(join(tmpdir(), "daybook-fleet-"))
  readonly pool: pg.Pool
  readonly daemons: Array<Daemon> = []
  readonly names: ReadonlyArray<string>
  readonly #shape: Shape
  #started = 0
  #rows = 0
  #seen = 0
  acted = 0
  posts = 0
  /** The port by which workers that are started from now on reach PostgreSQL, if it is not its own. */
  through: number | undefined

  private constructor(server: Server, service: string, stopService: () => void, shape: Shape) {
    this.server = server
    this.#shape = shape
    this.names = Array.from({ length: shape.tenants }, (_, n) => `tenant${n}`)
    this.service = service
    this.#stopService = stopService
    this.pool = new pg.Pool({ connectionString: server.url, max: 3 })
    this.pool.on("error", () => {})
    process.on("exit", () => this.#kill())
  }

  /** @param checkout another version, built, whose tables and daemons it begins with */
  static readonly make = async (
    checkout?: string,
    shape = USUAL,
    before: ReadonlyArray<string> = []
  ): Promise<Fleet> => {
    const server = await start()
    const { result, stop } = await serve<string>(new URL("../bench/Apply.ts", import.meta.url).href, "sandbox")
    const fleet = new Fleet(server, result, stop, shape)
    const program = checkout === undefined ? fleet.program : programIn(checkout)
    fleet.init(program)
    await fleet.#control("faults", { kind: "delay", path: "/v1/", delay_ms: DELAY_MS })
    mkdirSync(fleet.#folder)
    const page = { password: { env: "PAGE_PASSWORD" } }
    writeFileSync(join(fleet.#folder, "daybook.tenants.json"), JSON.stringify({ daemon: { page } }))
    for (const name of fleet.names) fleet.#write(name)
    fleet.#command("--database", program, "tenants", "import", "--all", "--tenants", fleet.#folder)
    for (let n = 0; n < 3; n++) await fleet.start(program, before)
    return fleet
  }

  /** Makes the tables, or upgrades them. */
  init(program = this.program): void {
    this.#command("--cluster", program, "cluster", "init")
  }

  /** A command of this version about this database; what it printed. */
  daybook(...args: ReadonlyArray<string>): string {
    return this.#command("--database", this.program, ...args)
  }

  #command(flag: string, ...args: ReadonlyArray<string>): string {
    const { status, stderr, stdout } = spawnSync(process.execPath, [...args, flag, this.server.url], {
      encoding: "utf8",
      cwd: this.path,
      env: { ...process.env, SERVICE_KEY: "sandbox-key", DAYBOOK_SEAL: SEAL, HOOK_WORD }
    })
    if (status !== 0) throw new Error(`daybook ${args.slice(1).join(" ")}: ${stderr}${stdout}`)
    return stdout
  }

  get #folder(): string {
    return join(this.path, "tenants")
  }

  get expected(): number {
    return this.#rows * this.names.length
  }

  /** @param before what Node is given before the program */
  async start(program = this.program, before: ReadonlyArray<string> = []): Promise<Daemon> {
    const name = `node${++this.#started}`
    const port = await freePort()
    const between = await wire(this.through ?? Number(new URL(this.server.url).port))
    const url = this.server.url.replace(/:\d+\//, `:${between.port}/`)
    const which = ["tenants", "work", "--database", url, "--slots", String(this.#shape.slots)]
    const args = [...which, "--files", this.#folder, "--listen", `127.0.0.1:${port}`]
    const secrets = { SERVICE_KEY: "sandbox-key", HOOK_WORD, PAGE_PASSWORD, DAYBOOK_SEAL: SEAL }
    const child = spawn(process.execPath, [...before, program, ...args], {
      env: { ...process.env, ...secrets, TMPDIR: this.path },
      // A worker and its slots are signalled together.
      detached: true,
      stdio: ["ignore", "pipe", "pipe"]
    })
    const log = createWriteStream(join(this.path, `${name}.log`))
    child.stdout?.pipe(log)
    child.stderr?.pipe(log)
    const daemon: Daemon = { name, url: `http://127.0.0.1:${port}`, child, wire: between }
    this.daemons.push(daemon)
    return daemon
  }

  /** Ends one that is no longer needed. */
  forget(daemon: Daemon): void {
    this.daemons.splice(this.daemons.indexOf(daemon), 1)
  }

  /** The service's answer to how many invoices it was asked to create, and created. */
  async count(): Promise<void> {
    const all = (await (
      await fetch(`${this.service}/sandbox/requests?since=${this.#seen}`)
    ).json()) as ReadonlyArray<Journal>
    for (const { acted, method, n, path } of all) {
      this.#seen = Math.max(this.#seen, n)
      if (method !== "POST" || !/^\/v1\/transactions\/?$/.test(path)) continue
      this.posts++
      if (acted) this.acted++
    }
  }

  async ready(daemon: Daemon): Promise<{ readonly ready: boolean; readonly why?: string }> {
    try {
      const answer = await fetch(`${daemon.url}/readyz`, { signal: AbortSignal.timeout(2000) })
      return { ready: answer.ok, ...((await answer.json()) as object) }
    } catch (cause) {
      return { ready: false, why: String(cause) }
    }
  }

  async allReady(): Promise<void> {
    await this.#until("all workers are ready", async () =>
      (await Promise.all(this.daemons.map((one) => this.ready(one)))).every(({ ready }) => ready)
    )
  }

  /** More invoices for every tenant. */
  write(): void {
    this.#rows += this.#shape.perRound
    for (const name of this.names) this.#write(name)
  }

  /** More invoices for every tenant, which is asked to run. */
  async more(): Promise<void> {
    this.write()
    await this.pool.query("UPDATE daybook.tenant SET asked = clock_timestamp()")
  }

  /** Calls of this round are under way. */
  async busy(): Promise<void> {
    const fresh = this.#shape.perRound * this.names.length
    const enough = this.expected - fresh + 3 + Math.floor(Math.random() * fresh * 0.6)
    await this.#until(
      "calls are under way",
      async () => {
        await this.count()
        return this.posts >= enough
      },
      15
    )
  }

  /** Every invoice was created; and if more were than these that are there twice already, that is seen too. */
  async done(twice = 0): Promise<void> {
    await this.#until(`${this.expected} invoices are created`, async () => {
      await this.count()
      return this.acted >= this.expected + twice
    })
    await sleep(300)
    await this.count()
  }

  /** One of them, by chance. */
  get any(): Daemon {
    const found = this.daemons[Math.floor(Math.random() * this.daemons.length)]
    if (found === undefined) throw new Error("no worker is left")
    return found
  }

  /** Ends one by what is done to it, and starts another, of the same version if none is named. */
  async replace(victim: Daemon, end: () => void, program = this.program): Promise<void> {
    const exit = once(victim.child, "exit")
    end()
    await exit
    this.forget(victim)
    await this.start(program)
  }

  /** What is kept of a tenant, restored; undefined: nothing. Fails with a `StateError` if it is damaged. */
  async copyOf(name: string): Promise<Sqlite.Database | undefined> {
    const file = join(this.path, "inspect.db")
    const { rows } = await this.pool.query("SELECT key FROM daybook.tenant WHERE id = $1", [name])
    const tenant: string = rows[0].key
    const restoring = Effect.gen({ self: this }, function* () {
      const sessions = yield* connect(this.server.url, 1)
      return yield* restore({ tenant, read: (onPart) => read(sessions, tenant, onPart) }, file)
    })
    // A server that is cut off or too busy says nothing about the file.
    const patient = Effect.retry(Effect.scoped(restoring), {
      times: 10,
      while: (error) => !(error instanceof StateError)
    })
    const { kept } = await Effect.runPromise(patient)
    return kept.seq === 0 ? undefined : new Sqlite(file)
  }

  /** What is kept of every tenant: whole, how many claims have no receipt, and how many calls no claim. */
  async inspect(): Promise<Inspected> {
    await this.count()
    let [damaged, unsettled, claimed] = [0, 0, 0]
    const before = this.posts
    for (const name of this.names) {
      const raw = await this.copyOf(name).catch((cause: unknown) => {
        if (!(cause instanceof StateError)) throw cause
        console.log(cause.message)
        damaged++
        return undefined
      })
      if (raw === undefined) continue
      if (raw.pragma("integrity_check", { simple: true }) !== "ok") damaged++
      unsettled += raw.prepare("SELECT count(*) FROM claim WHERE has_receipt = 0").pluck().get() as number
      claimed += claimsIn(raw)
      raw.close()
    }
    return { damaged, unsettled, unclaimed: Math.max(0, before - claimed) }
  }

  #kill(): void {
    for (const { child } of this.daemons) signalAll(child, "SIGKILL")
  }

  /** @param keep the logs and the folders, to find out what went wrong */
  async end(keep = false): Promise<void> {
    this.#kill()
    await this.pool.end().catch(() => {})
    this.#stopService()
    this.server.stop()
    if (keep) console.log(`kept: ${this.path}`)
    else rmSync(this.path, { recursive: true, force: true })
  }

  async #until(what: string, ask: () => Promise<boolean>, every = 100): Promise<void> {
    for (const began = performance.now(); performance.now() - began < ROUND_MS; await sleep(every))
      if (await ask()) return
    throw new Error(`it never came to this: ${what} (${this.acted} created, ${this.posts} asked)`)
  }

  #write(name: string): void {
    const { every } = this.#shape
    writeBooks(join(this.#folder, name), name, this.#rows, { service: this.service, every, settleMs: SETTLE_MS })
  }

  async #control(path: string, body: object): Promise<void> {
    const answer = await fetch(`${this.service}/sandbox/${path}`, { method: "POST", body: JSON.stringify(body) })
    if (!answer.ok) throw new Error(`the sandbox answered ${answer.status} to ${path}: ${await answer.text()}`)
  }
}
