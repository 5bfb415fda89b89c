/**
 * Detects whether a state file is still the same: not deleted, moved or replaced while a program uses it, not an older one
 * that was put back, and not a copy of one that is used elsewhere.
 *
 * It checks the inode at its path, whenever the lock is taken and before each claim; the stamp, which is also in the lock
 * file beside it; and the place where it was last used. A file that was used elsewhere, and has no lock file beside it with
 * its stamp, counts as a copy. Not detectable: a folder that was put back as a whole, including its lock file, in its own
 * place; an older file written over this one after its lock file was deleted; and an original that remains in use after its
 * copy was declared the valid one, if neither can see the other.
 */
import { inode } from "./Inode.ts"
import Sqlite from "better-sqlite3"
import { statSync } from "node:fs"
import type { Lock } from "./FileLock.ts"
import { StateError } from "./StateError.ts"

const replaced = (file: string, why: string): StateError => new StateError({ kind: "replaced", file, why })

/** Throws if the file at this path is not the one that was opened, or its lock is no longer held. */
export const verify = (file: string, opened: string | undefined, lock: Lock | undefined): void => {
  if (inode(file) !== opened) {
    throw replaced(
      file,
      "it was deleted, moved or replaced while this program used it; nothing more was sent. Put it back, or restore it " +
        "from a backup, and start again; with an empty file everything would be sent again"
    )
  }
  if (lock !== undefined && !lock.isHeld()) {
    throw replaced(
      file,
      `its lock, ${file}.lock, was deleted or replaced while this program held it, so another program may be using it; nothing more was sent. Leave that file alone, and run again`
    )
  }
}

interface Kept {
  readonly stamp: string | null
  /** JSON of `Where`. */
  readonly place: string | null
}

interface Where {
  readonly path: string
  /** The file's inode. The device number is not compared, because it may change when a machine restarts. */
  readonly ino: string
  /** When the file was created, in nanoseconds: inode numbers are soon reused. */
  readonly born?: string
}

/** What is at a path; undefined if there is nothing. */
const at = (path: string): Where | undefined => {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false })
  if (found === undefined) return undefined
  const { birthtimeNs: born, ino } = found
  return { path, ino: `${ino}`, ...(born > 0n ? { born: `${born}` } : {}) }
}

/** Not every file system stores the time of creation, and older versions did not record it. */
const isSame = (one: Where, other: Where | undefined): boolean =>
  one.ino === other?.ino && (one.born === undefined || other.born === undefined || one.born === other.born)

/**
 * Why this file may lack what was sent to the service, in words; undefined if it is the one that was used last. Throws if it
 * is a copy of one that still exists.
 */
export const doubtful = (db: Sqlite.Database, file: string, lock: Lock): string | undefined => {
  const { place, stamp } = db.prepare("SELECT stamp, place FROM state").get() as Kept
  const now = at(file)
  const before = place === null ? undefined : (JSON.parse(place) as Where)
  const isElsewhere = before !== undefined && !isSame(before, now)
  if (isElsewhere && before.path !== file && isSame(before, at(before.path))) {
    throw replaced(
      file,
      `it is a copy of ${before.path}, which still exists. If both are used, each sends again what the other has sent. Use ` +
        "that one; or move it away, and run `daybook reconcile --fix` on this one"
    )
  }
  const known = lock.stamps()
  if (known.length > 0 && (stamp === null || !known.includes(stamp)))
    return "an older version of it was put back in its place"
  if (known.length === 0 && isElsewhere)
    return before.path === file ? "another file was put in its place" : `it is a copy of ${before.path}`
  return undefined
}

/** Throws if the file on disk is not the one that this program left there, whatever it has cached. */
export const sameOnDisk = (file: string, lock: Lock): void => {
  const known = lock.stamps()
  const onDisk = new Sqlite(file, { readonly: true, timeout: 5000 })
  try {
    const stamp = onDisk.prepare("SELECT stamp FROM state").pluck().get() as string | null
    if (known.length === 0 || (stamp !== null && known.includes(stamp))) return
  } finally {
    onDisk.close()
  }
  throw replaced(
    file,
    "an older version was put in its place while this program used it; nothing more was sent. Start again; what the " +
      "file lacks then is found by `daybook reconcile --fix`"
  )
}

/** Writes a new stamp to both files. `clean`: nothing is written after it. */
export const stamp = (db: Sqlite.Database, file: string, lock: Lock, clean: boolean): void =>
  lock.stamp(
    (stamp) =>
      void db
        .prepare("UPDATE state SET clean = ?, stamp = ?, place = ?")
        .run(clean ? 1 : 0, stamp, JSON.stringify(at(file))),
    clean
  )
