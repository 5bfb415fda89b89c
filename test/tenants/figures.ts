/**
 * What many tenants in one process cost: `node test/tenants/figures.ts` for all of it, or some of `quiet`, `due` (of which
 * `open` and `closed` are halves), `waiting`, `slow`; a number makes it smaller: `node test/tenants/figures.ts 0.1 quiet`. A busy
 * machine makes everything late: processor time says more there. Ends with 1 when a limit is missed.
 */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { run, serve } from "../bench/Process.ts"
import type * as Sides from "./Sides.ts"

const sides = new URL("Sides.ts", import.meta.url).href
const HOUR_MS = 3_600_000
const words = process.argv.slice(2)
const scale = Number(words.find((word) => Number(word) > 0) ?? 1)
const chosen = words.filter((word) => !(Number(word) > 0))
const wants = (what: string) => chosen.length === 0 || chosen.includes(what)
const sized = (n: number) => Math.max(2, Math.round(n * scale))

let missed = 0
const say = (figure: string, value: string, held?: boolean) => {
  if (held === false) missed++
  console.log(`${figure.padEnd(64)} ${value.padStart(16)}  ${held === undefined ? "" : held ? "held" : "MISSED"}`)
}
const ms = (value: number) => `${value.toFixed(value < 100 ? 1 : 0)} ms`
const share = (all: ReadonlyArray<number>, part: number) =>
  all.toSorted((a, b) => a - b)[Math.min(all.length - 1, Math.floor(all.length * part))] ?? Number.NaN
const median = (all: ReadonlyArray<number>) => share(all, 0.5)

type Answer<Side extends keyof typeof Sides> = Awaited<
  ReturnType<Extract<(typeof Sides)[Side], (...args: never) => unknown>>
>

const side = async <Name extends "quiet" | "due" | "waiting" | "first">(name: Name, ...args: ReadonlyArray<unknown>) =>
  (await run<Answer<Name>>(sides, name, ...args)).result

const root = mkdtempSync(join(tmpdir(), "daybook-tenants-"))
const sandbox = () => serve<string>(new URL("../bench/Apply.ts", import.meta.url).href, "sandbox")
const { result: url, stop } = await sandbox()

/** A folder of so many tenants of which the service was sent everything. */
let made = 0
const tenants = async (count: number, linked = false): Promise<void> => {
  if (made === 0) {
    await run(sides, "folders", root, url, 1, "1 hour")
    await side("first", root, 1)
    made = 1
  }
  if (count > made) await run(sides, "clones", root, made, count, linked)
  made = Math.max(made, count)
}

const quiet = async () => {
  const cpu: Array<number> = []
  for (const count of [sized(100), sized(1000), sized(3000)]) {
    await tenants(count)
    const measured = await side("quiet", root, count)
    const { close, failed, files, held, heldOpening, heldTurns, megabytes, open, still, stillTurns, syncs, turn } =
      measured
    const each = median(syncs)
    cpu.push(each)
    say(`quiet sync, ${count} open: processor; 6.5 ms`, ms(each), each <= 6.5)
    say(`scheduled turn, ${count} open: processor; 1.5 times a quiet sync`, ms(turn), turn <= 1.5 * each)
    say(`${count} open: event loop still at most, in syncs and turns`, `${ms(still)}, ${ms(stillTurns)}`)
    say(`${count} open: the same of processor, and in opening`, [held, heldTurns, heldOpening].map(ms).join(", "))
    say(`${count} open: opening, closing, processor each`, `${ms(open)}, ${ms(close)}`)
    say(`${count} open: memory, descriptors`, `${Math.round(megabytes)} MB, ${files}`)
    if (failed.length > 0) say("failed", failed.join("; "), false)
  }
  const ratio = Math.max(...cpu) / cpu[0]!
  say("quiet sync: the most of these to the first; 1.2 times", ratio.toFixed(2), ratio <= 1.2)
}

const due = async () => {
  const count = sized(1000)
  await tenants(count)
  const asked = (half: string) => wants("due") || chosen.includes(half)
  for (const warm of [true, false].filter((warm) => asked(warm ? "open" : "closed"))) {
    const { begins, cpu, early, held, still } = await side("due", root, count, HOUR_MS, 0, warm, { maxOpen: count + 2 })
    const what = `${count} due at once, ${warm ? "open" : "closed"} before`
    if (early) say(`${what}: it was not ready in time`, "", false)
    const [first, p95] = [share(begins, 0), share(begins, 0.95)]
    say(`${what}: first begins; 1 s`, ms(first), first < 1000)
    say(`${what}: p95; 15 s`, ms(p95), p95 < 15_000)
    say(`${what}: event loop still at most; 200 ms`, ms(still), still < 200)
    say(`${what}: the same of processor`, ms(held), held < 200)
    say(`${what}: processor each`, ms(cpu))
  }
}

const waiting = async () => {
  const count = sized(10_000)
  await tenants(count, true)
  const { after, before, cpuOfCore, started } = await side("waiting", root, 30)
  say(`${count} wait: share of a core; 2%`, `${(cpuOfCore * 100).toFixed(2)}%`, cpuOfCore < 0.02)
  say(`${count} wait: memory more than none`, `${Math.round(after.megabytes - before.megabytes)} MB`)
  say(`${count} wait: descriptors more than none`, String(after.files - before.files), after.files - before.files < 50)
  say(`${count}: to know all of them at the start, processor`, ms(started.cpu))
}

/** When those began and ended that are not slow, with so many slow ones beside them that are due at the same instant. */
const others = async (slow: number) => {
  const what = `56 tenants beside ${slow} slow ones`
  const folder = mkdtempSync(join(tmpdir(), "daybook-slow-"))
  // The same tenants at another service, which has nothing of theirs.
  const { result: url, stop } = await sandbox()
  await run(sides, "folders", folder, url, 56 + slow, "1 hour", slow)
  const { failed } = await side("first", folder, 56 + slow)
  // One that failed is left alone for a minute, and says nothing about slow ones.
  if (failed.length > 0) say(`${what}: the first sync failed`, failed.join("; "), false)
  // A new process, which does not know yet who is slow. They begin first, and have every slot.
  const options = { atOnce: 4, spreadMs: 0 }
  const ran = await side("due", folder, 56 + slow, HOUR_MS, slow, true, options)
  stop()
  rmSync(folder, { recursive: true, force: true })
  if (ran.early) say(`${what}: it was not ready in time`, "", false)
  if (ran.failed.length > 0) say(`${what}: failed`, ran.failed.join("; "), false)
  say(
    `${what}: slow ones still under way when the last other ended`,
    String(ran.slowUnderWay),
    ran.slowUnderWay === slow
  )
  say(`${what}: the median other begins; the last ends`, `${ms(median(ran.begins))}; ${ms(share(ran.ends, 1))}`)
  return ran
}

/** The most by which one comes later than the one in the same place would come alone. */
const later = (beside: ReadonlyArray<number>, alone: ReadonlyArray<number>) =>
  Math.max(...beside.map((millis, at) => millis - (alone[at] ?? Number.NaN)))

const slow = async () => {
  const [alone, beside] = [await others(0), await others(4)]
  for (const what of ["begins", "ends"] as const) {
    const most = later(beside[what], alone[what])
    say(`four of 60 have a source of 30 s: another ${what} later by at most; 2 s`, ms(most), most <= 2000)
  }
}

try {
  if (wants("quiet")) await quiet()
  if (["due", "open", "closed"].some(wants)) await due()
  if (wants("waiting")) await waiting()
  if (wants("slow")) await slow()
} finally {
  stop()
  rmSync(root, { recursive: true, force: true })
}
process.exitCode = missed > 0 ? 1 : 0
