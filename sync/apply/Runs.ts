/**
 * Records which runs send, and whether their process is alive: the claims of a live run are not recovered, and no other run
 * sends at the same time.
 *
 * For this process, this is kept in memory, by state file. For another process, the system is asked: a run records the
 * machine's name, the process id and the time when the process was started, which together identify it. Normally the lock of
 * the state file keeps other processes out; this is for the case that its lock file was deleted, or the state file copied
 * while in use. On another machine, or where the system does not tell when a process was started, it cannot be known.
 */
import { Effect } from "effect"
import { execFileSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { hostname } from "node:os"
import type { Connection } from "../model/Connection.ts"
import type { Db } from "../state/Database.ts"
import { inode } from "../state/Inode.ts"
import { StateError } from "../state/StateError.ts"
import type { Report } from "./Report.ts"

/** Runs of this process that have not ended, by state file. */
const alive = new Map<string | Db["raw"], Set<number>>()

const fileOf = (db: Db): string | Db["raw"] => inode(db.file) ?? db.raw

/** When a process was started, according to the system; undefined if it does not exist, or this cannot be known. */
export const startOf = (pid: number): string | undefined => {
  try {
    if (process.platform === "linux") {
      const stat = readFileSync(`/proc/${pid}/stat`, "utf8")
      // After the name, which may contain anything, come the state and, as the 22nd field of all, the start time.
      const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ")
      // A zombie or dead process does nothing any more.
      return ["Z", "X"].includes(fields[0] ?? "") ? undefined : `${boot()} ${fields[19]}`
    }
    if (process.platform === "win32") return undefined
    const said = execFileSync("ps", ["-o", "lstart=", "-p", `${pid}`], { encoding: "utf8", stdio: "pipe" }).trim()
    return said === "" ? undefined : said
  } catch {
    return undefined
  }
}

const boot = (): string => readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim()

let own: string | undefined

/** This process, in the form that a run records. */
const me = (): string => (own ??= JSON.stringify([hostname(), process.pid, startOf(process.pid) ?? null]))

const lives = (kept: string): boolean => {
  const [host, pid, start] = JSON.parse(kept) as [string, number, string | null]
  return start !== null && host === hostname() && startOf(pid) === start
}

interface Row {
  readonly id: number
  readonly process: string
}

/** Throws if another process has a live run on this state file, or on one that it is a copy of. */
const keepOut = (db: Db): void => {
  // Earlier users of a replicated file are kept out by its epoch, wherever they are and whatever they do.
  if (db.isReplicated) return
  const rows = db
    .prepare("SELECT id, process FROM run WHERE process IS NOT NULL AND process <> ?")
    .all(me()) as ReadonlyArray<Row>
  const one = rows.find(({ process }) => lives(process))
  if (one === undefined) return
  const [host, pid] = JSON.parse(one.process) as [string, number]
  throw new StateError({
    kind: "locked",
    file: db.file,
    why: `another process is sending from it (run ${one.id}, process ${pid} on ${host}); wait until it ends and run again`
  })
}

/** Records that a run begins, and returns its number. Throws if another process sends. */
export const begin = (db: Db, connections: ReadonlyArray<Connection>, now: number): number => {
  keepOut(db)
  const insert = db.prepare("INSERT INTO run (command, started, connections, process) VALUES ('apply', ?, ?, ?)")
  return Number(insert.run(now, JSON.stringify(connections.map(({ id }) => id)), me()).lastInsertRowid)
}

/** Records how a run ended and releases it; stores its report if it sent anything. */
export const end = (
  db: Db,
  run: number,
  { ended, outcome, report }: { readonly ended: number; readonly outcome: string; readonly report?: Report }
): void => {
  const figures = report === undefined ? null : JSON.stringify(report)
  db.prepare("UPDATE run SET ended = ?, outcome = ?, figures = ?, process = NULL WHERE id = ?").run(
    ended,
    outcome,
    figures,
    run
  )
}

/** Marks a run as alive while `work` runs, however it ends. */
export const living = <A, E, R>(db: Db, run: number, work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.acquireUseRelease(
    Effect.sync(() => {
      const file = fileOf(db)
      alive.set(file, (alive.get(file) ?? new Set()).add(run))
      return file
    }),
    () => work,
    (file) =>
      Effect.andThen(
        Effect.ignore(
          db.read(() => db.prepare("UPDATE run SET process = NULL WHERE id = ? AND process IS NOT NULL").run(run))
        ),
        Effect.sync(() => {
          alive.get(file)?.delete(run)
          if (alive.get(file)?.size === 0) alive.delete(file)
        })
      )
  )

/** Whether a run of this process is still in progress. */
export const isAlive = (db: Db, run: number): boolean => alive.get(fileOf(db))?.has(run) === true
