/**
 * Drills what goes wrong one day, on a copy of the books and a service of its own: the process is killed while it sends, the
 * service is away, the key is revoked, a backup is put back. Then it is judged from outside whether anything was lost or sent twice.
 */
import { cpSync, mkdirSync } from "node:fs"
import { join } from "node:path"
import { plural } from "../../core/Plural.ts"
import { countAsRead, putBack, unanswered } from "../../sync/state/ForgetService.ts"
import { type Judged, judge } from "./Outside.ts"
import { Place, type Ran } from "./Place.ts"

/** What came of one drill. */
export interface Drilled {
  readonly drill: "killed" | "service away" | "key revoked" | "backup restored"
  readonly ok: boolean
  /** Until it was as if nothing had happened, or until it had said what is wrong. Milliseconds. */
  readonly ms: number
  readonly recovered: string
  readonly lost: string
}

export interface DrillReport {
  readonly drills: ReadonlyArray<Drilled>
  /** How many calls the books of the copy come to. */
  readonly calls: number
  /** How many of them the drill's own service refuses; nothing is learned of these. */
  readonly refused: number
  readonly judged: Judged
  /** Calls that were still planned at the end. */
  readonly left: number
  readonly ok: boolean
}

/** How often to look whether calls are answered. Milliseconds. */
const LOOKS_MS = 10

/** A run that sent what it had to send, whether or not it has something for a person. */
const went = ({ status }: Ran): boolean => status === 0 || status === 3

const failed = ({ status, why }: Ran): string => `it ended with status ${status}: ${why}`

/** Lets it send while what became of earlier calls is watched. Returns when that was known; undefined: it was not. */
const finding = async (
  place: Place,
  last: number,
  killAfter: number
): Promise<{ ran: Ran; ms: number | undefined }> => {
  const began = performance.now()
  let isOver = false
  const running = place.send(killAfter).finally(() => void (isOver = true))
  let ms: number | undefined
  while (ms === undefined && !isOver) {
    if (unanswered(place.file, last).open === 0) ms = Math.round(performance.now() - began)
    else await new Promise((resolve) => setTimeout(resolve, LOOKS_MS))
  }
  const ran = await running
  return {
    ran,
    ms: ms ?? (unanswered(place.file, last).open === 0 ? Math.round(performance.now() - began) : undefined)
  }
}

/** Kills it while it sends, twice; each next run, which is killed as well, finds out what became of the calls under way. */
const killed = async (place: Place, calls: number, backup: string): Promise<Drilled> => {
  const each = Math.max(1, Math.floor(calls / 4))
  let ran = await place.send(each)
  // What is sent from now on is not in it.
  const copied = await place.run(["backup", backup])
  if (copied.status !== 0) throw new Error(`the copy cannot be backed up: ${failed(copied)}`)
  const found: Array<{ readonly open: number; readonly ms: number | undefined }> = []
  for (const killAfter of [each, 1]) {
    if (ran.status !== null) break
    const { last, open } = unanswered(place.file)
    const next = await finding(place, last, killAfter)
    found.push({ open, ms: next.ms })
    ran = next.ran
  }
  const open = found.reduce((sum, one) => sum + one.open, 0)
  const unknown = found.filter((one) => one.ms === undefined).length
  return {
    drill: "killed",
    ok: found.length > 0 && unknown === 0,
    ms: Math.max(0, ...found.map(({ ms = 0 }) => ms)),
    recovered:
      found.length === 0
        ? "nothing: it ended before it could be killed; there is too little to send"
        : `killed ${plural(found.length, "time")} with ${plural(open, "call")} under way; the next run found out on the service what became of them`,
    lost: unknown === 0 ? "nothing" : "what became of some of these calls was not found out"
  }
}

/** Lets every request fail, and sees that nothing is sent and that it is said. */
const disturbed = async (
  place: Place,
  drill: "key revoked" | "service away",
  fault: Parameters<Place["disturb"]>[0]
): Promise<Drilled> => {
  const since = await place.asked()
  await place.disturb(fault)
  const ran = await place.send()
  await place.mend()
  const acted = await place.acted(since)
  const { stopped, unknown } = ran.lines.find(({ type }) => type === "summary") ?? {}
  const open = Number(unknown ?? 0)
  const lines = [
    ran.why.replace(/^daybook: /, ""),
    String(stopped ?? ""),
    open === 0 ? "" : `${plural(open, "call")} without an answer, looked up before anything else is sent`
  ]
  const said = lines.find((line) => line !== "") ?? ""
  return {
    drill,
    ok: !went(ran) && acted === 0 && said !== "",
    ms: ran.ms,
    recovered: `ended with status ${ran.status} and said: ${said === "" ? "nothing" : said}; what it had to send is sent by the next run`,
    lost: acted === 0 ? "nothing" : `${plural(acted, "call")} had an effect all the same`
  }
}

/** Puts an earlier backup back after everything was sent: it must not send before it has read the service. */
const restored = async (place: Place, backup: string): Promise<Drilled> => {
  const since = await place.asked()
  putBack(backup, place.file)
  const early = await place.send()
  const acted = await place.acted(since)
  const began = performance.now()
  const fixed = await place.run(["reconcile", "--fix"])
  countAsRead(place.file)
  const last = await place.send()
  const mended = fixed.lines.find(({ type }) => type === "summary")?.["mended"]
  const isRefused = early.status === 4 && acted === 0
  return {
    drill: "backup restored",
    ok: isRefused && went(fixed) && went(last),
    ms: Math.round(last.ended - began),
    recovered: isRefused
      ? `nothing was sent from it before daybook reconcile --fix, which learned ${plural(Number(mended ?? 0), "difference")} from the service${went(fixed) && went(last) ? "" : `; then ${failed(went(fixed) ? last : fixed)}`}`
      : `the backup was not refused: ${failed(early)}, ${plural(acted, "call")} sent`,
    lost: "what people decided after the backup was made, and tokens that were renewed since; sources have to be read again"
  }
}

/** Sends the same books to another service without any disturbance. */
const undisturbed = async (folder: string, from: string, configuration: unknown) => {
  const path = join(folder, "plain")
  mkdirSync(path)
  const place = await Place.make(path, configuration)
  try {
    cpSync(from, place.file)
    const calls = await place.planned()
    if (calls === 0)
      throw new Error(
        "these books have nothing to send, so there is nothing to try. Run daybook drill on books with open invoices"
      )
    const ran = await place.send()
    if (!went(ran) || (await place.acted()) === 0)
      throw new Error(`the copy cannot be sent even without a disturbance: ${failed(ran)}`)
    const refused = Number(ran.lines.find(({ type }) => type === "summary")?.["failed"] ?? 0)
    return { calls, refused, seen: await place.seen() }
  } finally {
    await place.close()
  }
}

/**
 * @param folder for everything of the drill
 * @param from a copy of the state file that knows of no service
 */
export const drill = async (
  folder: string,
  from: string,
  configuration: unknown,
  onDone: (text: string) => void
): Promise<DrillReport> => {
  onDone("sending the books to a service without any disturbance")
  const { calls, refused, seen } = await undisturbed(folder, from, configuration)
  const path = join(folder, "drilled")
  mkdirSync(path)
  const place = await Place.make(path, configuration)
  try {
    cpSync(from, place.file)
    const drills: Array<Drilled> = []
    const next = async (what: string, work: () => Promise<Drilled>) => {
      onDone(what)
      drills.push(await work())
    }
    const backup = join(folder, "backup.db")
    await next("killing it while it sends", () => killed(place, calls, backup))
    await next("taking the service away", () => disturbed(place, "service away", { kind: "lose_request" }))
    await next("revoking the key", () => disturbed(place, "key revoked", { kind: "status", status: 401 }))
    const rest = await place.send()
    if (!went(rest)) throw new Error(`the copy cannot be sent to its end: ${failed(rest)}`)
    await next("putting a backup back", () => restored(place, backup))
    const left = await place.planned()
    const judged = judge(seen, await place.seen())
    const ok = drills.every((one) => one.ok) && judged.lost.length + judged.twice.length + left === 0
    return { drills, calls, refused, judged, left, ok }
  } finally {
    await place.close()
  }
}
