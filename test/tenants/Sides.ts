/** What is measured of many tenants in one process, each side in a process of its own. */
import Sqlite from "better-sqlite3"
import { copyFileSync, linkSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { monitorEventLoopDelay, performance } from "node:perf_hooks"
import { setTimeout as sleep } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import { columns } from "../cluster/Books.ts"
import { Daybook } from "../../sync/library/Daybook.ts"
import type { TenantEvent } from "../../sync/library/many/ManyTenants.ts"
import type { Tenants } from "../../sync/library/many/Opened.ts"

process.env["SERVICE_KEY"] = "sandbox-key"

export const nameOf = (n: number): string => `t${String(n).padStart(5, "0")}`

const two = (n: number) => String(n).padStart(2, "0")

const rows = (tenant: string, count: number) =>
  Array.from({ length: count }, (_, n) => {
    const [issued, due] = [`2026-0${1 + (n % 9)}-${two(1 + (n % 28))}`, `2026-1${n % 2}-${two(1 + (n % 28))}`]
    return `${tenant}-${n},Harbour Bakery #${n % 20},GB,${issued},${due},${100 + n}.00,${120 + n}.00`
  })

const slowSource = { connector: fileURLToPath(new URL("Slow.ts", import.meta.url)) }

/** Side: the folders of so many tenants, of which the first ones have slow sources. */
export const folders = (root: string, url: string, count: number, every: string, slow = 0): void => {
  for (let n = 0; n < count; n++) {
    const name = nameOf(n)
    const folder = join(root, name)
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, "invoices.csv"), `${Object.values(columns).join(",")}\n${rows(name, 50).join("\n")}\n`)
    const files = { connector: "files", invoices: { path: "invoices.csv", columns, currency: "GBP" } }
    const organisation = { unique_id: name, name: `Tenant ${name}`, registered: "2024-01-01T00:00:00Z" }
    const connection = {
      id: "books",
      source: n < slow ? slowSource : files,
      every,
      first_sync: "send",
      owner: { organisation }
    }
    const config = { service: { url, key: { env: "SERVICE_KEY" } }, connections: [connection] }
    writeFileSync(join(folder, "daybook.config.json"), JSON.stringify(config))
  }
}

/**
 * Side: so many tenants more, each as the first one is after its first sync. To the service they are one and the same, of which
 * nothing is to be sent.
 *
 * @param linked they are one file by so many names: for those that only wait
 */
export const clones = (root: string, from: number, to: number, linked = false): void => {
  const first = join(root, nameOf(0))
  const whole = new Sqlite(join(first, "daybook.db"))
  const copy = join(root, ".clone.db")
  rmSync(copy, { force: true })
  whole.prepare("VACUUM INTO ?").run(copy)
  whole.close()
  // It is no copy of one that is used: where it was and what its lock knows are forgotten.
  const clone = new Sqlite(copy)
  clone.exec("UPDATE state SET place = NULL, clean = 1")
  clone.close()
  for (let n = from; n < to; n++) {
    const folder = join(root, nameOf(n))
    mkdirSync(folder, { recursive: true })
    const take = linked ? linkSync : copyFileSync
    for (const file of ["invoices.csv", "daybook.config.json"]) take(join(first, file), join(folder, file))
    take(copy, join(folder, "daybook.db"))
  }
}

const resident = () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync("/proc/self/status", "latin1"))![1]) / 1024
const descriptors = () => readdirSync("/proc/self/fd").length

export interface Lap {
  /** Milliseconds. */
  readonly cpu: number
  readonly wall: number
  /** The longest that the event loop stood still, in milliseconds of the clock: on a busy machine others are the reason. */
  readonly still: number
  /** The most processor time that the thread took between two turns of the event loop, in milliseconds. */
  readonly held: number
}

/** How often the thread is looked at. Milliseconds. */
const TICK_MS = 5

const threadMillis = (): number => {
  const { system, user } = process.threadCpuUsage()
  return (system + user) / 1000
}

/** @param tickMs how often the thread is looked at, which takes its time as well */
const lap = (tickMs = TICK_MS): (() => Lap) => {
  const [cpu, wall] = [process.cpuUsage(), performance.now()]
  const delay = monitorEventLoopDelay({ resolution: tickMs })
  delay.enable()
  let [before, held] = [threadMillis(), 0]
  const tick = () => {
    const now = threadMillis()
    held = Math.max(held, now - before)
    before = now
  }
  const ticking = setInterval(tick, tickMs)
  return () => {
    const { system, user } = process.cpuUsage(cpu)
    tick()
    clearInterval(ticking)
    delay.disable()
    return { cpu: (system + user) / 1000, wall: performance.now() - wall, still: delay.max / 1e6 - tickMs, held }
  }
}

const each = async (count: number, work: (name: string) => Promise<unknown>): Promise<void> => {
  let next = 0
  const lane = async () => {
    while (next < count) await work(nameOf(next++))
  }
  await Promise.all(Array.from({ length: 8 }, lane))
}

/** Hears runs, until as many have ended. */
const hearing = (tenants: Tenants) => {
  const began = new Map<string, number>()
  const ended = new Map<string, number>()
  const failed: Array<string> = []
  tenants.on(({ event, tenant }: TenantEvent) => {
    if (event.type !== "turn") return
    const { event: turn } = event
    if (turn.type === "began") began.set(tenant, Date.now())
    if (turn.type === "ended" || turn.type === "failed") ended.set(tenant, Date.now())
    if (turn.type === "failed") failed.push(turn.message)
  })
  return {
    began,
    ended,
    failed,
    until: async (count: number) => {
      while (ended.size < count) await sleep(20)
    }
  }
}

/** Side: every tenant is read and sent for the first time. */
export const first = async (root: string, count: number): Promise<Lap & { readonly failed: ReadonlyArray<string> }> => {
  const tenants = await Daybook.tenants({ folder: root })
  const heard = hearing(tenants)
  const took = lap()
  const running = tenants.run()
  await heard.until(count)
  const all = took()
  await tenants.close()
  await running
  return { ...all, failed: heard.failed.slice(0, 3) }
}

/** Side: syncs of tenants that are open, with nothing new; and runs on their schedules. Milliseconds of processor each. */
export const quiet = async (root: string, count: number) => {
  const tenants = await Daybook.tenants({ folder: root, maxOpen: count + 2, idleMs: 3_600_000 })
  const opening = lap()
  await each(count, (name) => tenants.with(name, async () => {}))
  const opened = opening()
  const syncs: Array<number> = []
  let [still, held] = [0, 0]
  for (let round = 0; round < 3; round++) {
    const took = lap()
    await each(count, (name) => tenants.with(name, (daybook) => daybook.sync()))
    const all = took()
    syncs.push(all.cpu / count)
    still = Math.max(still, all.still)
    held = Math.max(held, all.held)
  }
  const heard = hearing(tenants)
  const running = tenants.run()
  const turns = lap()
  for (let n = 0; n < count; n++) await tenants.ask(nameOf(n))
  await heard.until(count)
  const turned = turns()
  const [megabytes, files] = [resident(), descriptors()]
  const closing = lap()
  await tenants.close()
  await running
  const closed = closing()
  return {
    open: opened.cpu / count,
    syncs,
    still,
    held,
    heldTurns: turned.held,
    heldOpening: opened.held,
    turn: turned.cpu / count,
    stillTurns: turned.still,
    close: closed.cpu / count,
    stillOpening: opened.still,
    stillClosing: closed.still,
    megabytes,
    files,
    failed: heard.failed.slice(0, 3)
  }
}

/** Has all of them due at one instant. */
const allDue = (root: string, count: number, at: number, every: number): void => {
  for (let n = 0; n < count; n++) {
    const db = new Sqlite(join(root, nameOf(n), "daybook.db"))
    db.prepare("UPDATE run_state SET due_from = ?").run(at - every)
    db.close()
  }
}

/** Side: all of them are due at one instant, some of them slow. How late the others begin and end. */
export const due = async (root: string, count: number, every: number, slow: number, warm: boolean, options: object) => {
  const at = Date.now() + 5000 + count * (warm ? 80 : 40)
  allDue(root, count, at, every)
  const tenants = await Daybook.tenants({ folder: root, ...options })
  if (warm) await each(count, (name) => tenants.with(name, async () => {}))
  const heard = hearing(tenants)
  const running = tenants.run()
  const early = Date.now() > at
  await sleep(Math.max(0, at - Date.now() - 20))
  const took = lap()
  await heard.until(count - slow)
  const all = took()
  const isQuick = ([name]: readonly [string, number]) => name >= nameOf(slow)
  const late = (all: ReadonlyMap<string, number>) =>
    [...all]
      .filter(isQuick)
      .map(([, millis]) => millis - at)
      .toSorted((a, b) => a - b)
  const [quick, ended] = [late(heard.began), late(heard.ended)]
  const slowUnderWay = [...heard.began.keys()].filter((name) => name < nameOf(slow) && !heard.ended.has(name)).length
  const [megabytes, files] = [resident(), descriptors()]
  await tenants.close()
  await running
  return {
    early,
    cpu: all.cpu / count,
    still: all.still,
    held: all.held,
    wall: all.wall,
    slowUnderWay,
    begins: quick,
    ends: ended,
    megabytes,
    files,
    failed: heard.failed.slice(0, 3)
  }
}

/** Side: all of them wait for a time that is far away. */
export const waiting = async (root: string, seconds: number) => {
  const before = { megabytes: resident(), files: descriptors() }
  const start = lap()
  const tenants = await Daybook.tenants({ folder: root })
  const started = start()
  const running = tenants.run()
  await sleep(2000)
  const took = lap(1000)
  await sleep(seconds * 1000)
  const all = took()
  const after = { megabytes: resident(), files: descriptors(), tenants: tenants.list().length }
  await tenants.close()
  await running
  return { started, cpuOfCore: all.cpu / all.wall, still: all.still, before, after }
}
