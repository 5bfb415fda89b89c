/**
 * Copies the state file for plans that are only tried out: what they need to write is written to the copy, which is deleted
 * afterwards. The file itself is only read.
 */
import Sqlite from "better-sqlite3"
import { Context, Effect, Layer, type Scope } from "effect"
import { rmSync } from "node:fs"
import { copyFile } from "node:fs/promises"
import { join } from "node:path"
import { Database, type StateError, type Db } from "./Database.ts"
import { copyInParts, copyInto } from "./OwnFile.ts"
import { stateError } from "./StateError.ts"
import { temporaryFolder } from "../../core/TemporaryFolder.ts"

export interface TrialCopies {
  /** The books as they are. Nothing can be written to them, unless sources are read. */
  readonly today: Db
  /** A second copy, for other settings to take effect in. */
  readonly other: Db
}

/** Such a copy is at another place than its original, of which the file is not to tell. */
const settle = (file: string): void => {
  const raw = new Sqlite(file)
  try {
    raw.prepare("UPDATE state SET stamp = NULL, place = NULL, clean = 1").run()
  } finally {
    raw.close()
  }
}

/** Copies the whole file. A connection that shows only a part of it cannot: its views stand in the tables' place. */
const copy = async ({ file, raw }: Db, to: string): Promise<void> => {
  if (file === ":memory:") return copyInto(raw, to)
  const own = new Sqlite(file, { readonly: true, timeout: 5000 })
  try {
    await copyInParts(own, to)
  } finally {
    own.close()
  }
}

/**
 * Two copies of these books as of one moment, until the scope closes. They take twice the file's size meanwhile.
 *
 * @param reads sources are read into both of them
 */
export const trialOf = (db: Db, reads = false): Effect.Effect<TrialCopies, StateError, Scope.Scope> =>
  Effect.gen(function* () {
    const attempt = <A>(work: () => A) => Effect.try({ try: work, catch: (cause) => stateError(db.file, cause) })
    const folder = yield* Effect.acquireRelease(
      attempt(() => temporaryFolder("trial")),
      (made) => Effect.sync(() => rmSync(made, { recursive: true, force: true }))
    )
    const [today, other] = [join(folder, "today.db"), join(folder, "other.db")]
    const made = async () => {
      await copy(db, today)
      settle(today)
      await copyFile(today, other)
    }
    yield* Effect.tryPromise({ try: made, catch: (cause) => stateError(db.file, cause) }).pipe(Effect.uninterruptible)
    const opened = (file: string, mode: "read" | "write") =>
      Effect.map(Layer.build(Database.layer({ file, mode, only: mode === "read" ? db.only : undefined })), (built) =>
        Context.get(built, Database)
      )
    return { today: yield* opened(today, reads ? "write" : "read"), other: yield* opened(other, "write") }
  })
