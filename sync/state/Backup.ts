/**
 * Copies the state file while others go on writing: a consistent snapshot, checked, and on disk before it gets its name. The
 * encrypted vault beside the state file is copied with it; its key is not.
 *
 * The copy is marked as one. Put back in the state file's place, it lacks what was sent since: nothing is sent from it until
 * `daybook reconcile --fix` has read the service (`Guards.ts`).
 */
import Sqlite from "better-sqlite3"
import { Clock, Effect } from "effect"
import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync, statSync } from "node:fs"
import { dirname, resolve } from "node:path"
import { partialOf } from "../../core/TemporaryFolder.ts"
import * as Instant from "../../core/wire/Instant.ts"
import { headOf } from "./chain/Chain.ts"
import type { Head } from "./chain/Entry.ts"
import { Database, StateError } from "./Database.ts"
import * as LedgerTrust from "./LedgerTrust.ts"
import { copyInto } from "./OwnFile.ts"
import { stateError } from "./StateError.ts"

export interface Backup {
  readonly file: string
  readonly bytes: number
  /** Where the vault was copied to, if there is one. */
  readonly vault?: string
  /** The latest entry of the chain in it. */
  readonly chain?: Head
}

const flush = (path: string): void => {
  const handle = openSync(path, "r")
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}

/** Copies a snapshot of a database into a file that gets its name once it is complete. */
const copy = (from: Sqlite.Database, to: string, mark: (copy: Sqlite.Database) => void = () => {}): void => {
  const part = partialOf(to)
  try {
    copyInto(from, part)
    const made = new Sqlite(part, { fileMustExist: true })
    mark(made)
    const check = made.pragma("quick_check(1)", { simple: true })
    made.close()
    if (check !== "ok") throw new Error(`the copy is not whole: ${String(check)}`)
    flush(part)
    renameSync(part, to)
    if (process.platform !== "win32") flush(dirname(to))
  } finally {
    rmSync(part, { force: true })
  }
}

/** Copies the file of this open database, and its vault. Others wait meanwhile. */
const copyAll = (from: Sqlite.Database, { from: state, now, to }: BackupWork): Backup => {
  const file = resolve(to)
  const same = [state, `${state}-wal`, `${state}.vault`].includes(file)
  if (same || (existsSync(file) && statSync(file).isDirectory())) {
    const why = "a backup cannot take its place; name a file beside it or elsewhere"
    throw new StateError({ kind: "failed", file, why: same ? why : "this is a folder; name a file in it" })
  }
  if (!existsSync(dirname(file))) {
    throw new StateError({ kind: "failed", file, why: `the folder ${dirname(file)} does not exist` })
  }
  copy(from, file, (made) => LedgerTrust.doubtCopy(made, `it is a backup of ${Instant.fromEpochMillis(now)}`))
  const vault = `${state}.vault`
  if (existsSync(vault)) copyOf(vault, (from) => copy(from, `${file}.vault`))
  const chain = copyOf(file, headOf)
  return {
    file,
    bytes: statSync(file).size,
    ...(existsSync(vault) ? { vault: `${file}.vault` } : {}),
    ...(chain === undefined ? {} : { chain })
  }
}

const copyOf = <A>(file: string, work: (from: Sqlite.Database) => A): A => {
  const from = new Sqlite(file, { readonly: true, timeout: 5000 })
  try {
    return work(from)
  } finally {
    from.close()
  }
}

/** What is copied where; `now` in milliseconds since the epoch. */
export interface BackupWork {
  readonly from: string
  readonly to: string
  readonly now: number
}

const attempt = (to: string, work: () => Backup): Effect.Effect<Backup, StateError> =>
  Effect.try({ try: work, catch: (cause) => stateError(resolve(to), cause) })

/** Copies a state file that another thread has open. */
export const copyFile = (work: BackupWork): Effect.Effect<Backup, StateError> =>
  attempt(work.to, () => copyOf(work.from, (from) => copyAll(from, work)))

export const backup = (to: string): Effect.Effect<Backup, StateError, Database> =>
  Effect.flatMap(Effect.all([Database, Clock.currentTimeMillis]), ([db, now]) =>
    attempt(to, () => copyAll(db.raw, { from: db.file, to, now }))
  )
