/**
 * Saves a plan in a file to be reviewed and approved: the lines of `plan --json`. Its last line contains the digest of the
 * books and the ledger that it was made from; `apply --plan` sends exactly this plan, or nothing.
 */
import { Effect, Schema } from "effect"
import { createHash, hash } from "node:crypto"
import { closeSync, openSync, readFileSync, renameSync, rmSync, writeSync } from "node:fs"
import { partialOf } from "../../core/TemporaryFolder.ts"
import type { Connection } from "../model/Connection.ts"
import type { Database, StateError } from "../state/Database.ts"
import { OWN } from "../state/OwnFile.ts"
import { UsageError } from "./Exit.ts"
import { type Record, records } from "./PlanRecords.ts"

/** The file was changed after it was saved. */
export class PlanEdited extends Schema.TaggedError<PlanEdited>()("PlanEdited", { file: Schema.String }) {
  override get message(): string {
    return `${this.file} was changed after it was saved; nothing was sent. A saved plan is sent as it is or not at all: change the books or the configuration, and make a new one with \`daybook plan --save\``
  }
}

/** Writes line by line into a temporary file, which gets its name only when it is complete. */
class PlanWriter {
  readonly #file: string
  readonly #partial: string
  readonly #handle: number
  #open = true

  constructor(file: string) {
    this.#file = file
    this.#partial = partialOf(file)
    this.#handle = openSync(this.#partial, "wx", OWN)
  }

  readonly write = (record: Record): Effect.Effect<void, UsageError> =>
    this.#attempt(() => {
      const line = Buffer.from(`${JSON.stringify(record)}\n`)
      for (let at = 0; at < line.length; ) at += writeSync(this.#handle, line, at)
    })

  readonly commit = (): Effect.Effect<void, UsageError> =>
    this.#attempt(() => {
      this.#close()
      renameSync(this.#partial, this.#file)
    })

  /** Removes an incomplete file. Does nothing after `commit`. */
  discard(): void {
    if (!this.#open) return
    this.#close()
    rmSync(this.#partial, { force: true })
  }

  #close(): void {
    this.#open = false
    closeSync(this.#handle)
  }

  #attempt<A>(work: () => A): Effect.Effect<A, UsageError> {
    return Effect.try({ try: work, catch: (cause) => unsavable(this.#file, cause) })
  }
}

/** Opens a file to save a plan in, until the scope closes. */
export const writer = (file: string) =>
  Effect.acquireRelease(
    Effect.try({ try: () => new PlanWriter(file), catch: (cause) => unsavable(file, cause) }),
    (writer) => Effect.sync(() => writer.discard())
  )

const WORDS: Readonly<{ [code: string]: string }> = {
  ENOENT: "its folder does not exist",
  ENOTDIR: "part of its path is a file, not a folder",
  EISDIR: "this is a folder",
  EACCES: "there is no permission to write here",
  EPERM: "there is no permission to write here",
  EROFS: "the disk is read-only",
  ENOSPC: "the disk is full",
  EFBIG: "the file is too large for this disk",
  EDQUOT: "your disk quota is used up"
}

const words = (cause: unknown): string => {
  const { code = "", message } = cause as NodeJS.ErrnoException
  return WORDS[code] ?? message
}

const unsavable = (file: string, cause: unknown): UsageError =>
  new UsageError({ why: `the plan cannot be saved to ${file}: ${words(cause)}; name another file with --save` })

/** The digest of a saved plan, for `Apply`. Fails if the file is not a plan, or was changed after it was saved. */
export const read = (
  file: string,
  connections: ReadonlyArray<Connection>
): Effect.Effect<string, UsageError | PlanEdited | StateError, Database> =>
  Effect.gen(function* () {
    const text = yield* Effect.try({
      try: () => readFileSync(file, "utf8").replaceAll("\r\n", "\n").trimEnd(),
      catch: (cause) => {
        const why = (cause as NodeJS.ErrnoException).code === "ENOENT" ? "there is no such file" : words(cause)
        return new UsageError({ why: `the plan ${file} cannot be read: ${why}; check --plan` })
      }
    })
    const digest = digestOf(text)
    if (digest === undefined) {
      return yield* new UsageError({
        why: `${file} is not a saved plan, or is incomplete; make one with \`daybook plan --save FILE\``
      })
    }
    const again = createHash("sha256")
    const { digest: now } = yield* records(connections, {
      write: (record) => Effect.sync(() => void again.update(`${JSON.stringify(record)}\n`))
    })
    // If the books changed, the lines differ legitimately; the run reports that.
    if (digest === now && again.digest("hex") !== hash("sha256", `${text}\n`)) return yield* new PlanEdited({ file })
    return digest
  })

const digestOf = (text: string): string | undefined => {
  try {
    const { digest, type } = JSON.parse(text.slice(text.lastIndexOf("\n") + 1)) as Partial<Record>
    return type === "summary" && typeof digest === "string" ? digest : undefined
  } catch {
    return undefined
  }
}
