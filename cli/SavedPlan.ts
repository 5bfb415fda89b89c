/**
 * A plan in a file, to be looked at and approved: the lines of `plan --json`. Its last line carries the digest of the
 * books and the ledger that it was made from; `apply --plan` sends this plan or nothing.
 */
import { Effect } from "effect"
import { closeSync, openSync, readFileSync, renameSync, writeSync } from "node:fs"
import { UsageError } from "./Exit.ts"

/** Writes line by line into a file beside, which takes its name only when it is whole. */
export class Writer {
  readonly #file: string
  readonly #handle: number

  constructor(file: string) {
    this.#file = file
    this.#handle = openSync(`${file}.part`, "w")
  }
  write(record: unknown): void {
    writeSync(this.#handle, `${JSON.stringify(record)}\n`)
  }
  close(): void {
    closeSync(this.#handle)
    renameSync(`${this.#file}.part`, this.#file)
  }
}

export const writer = (file: string): Effect.Effect<Writer, UsageError> =>
  Effect.try({
    try: () => new Writer(file),
    catch: (cause) =>
      new UsageError({ why: `the plan cannot be saved to ${file}: ${(cause as Error).message}; check --save` })
  })

export const digestOf = (file: string): Effect.Effect<string, UsageError> =>
  Effect.try({
    try: () => {
      const last = readFileSync(file, "utf8").trimEnd().split("\n").at(-1) ?? ""
      const { digest, type } = JSON.parse(last) as { readonly type?: unknown; readonly digest?: unknown }
      if (type !== "summary" || typeof digest !== "string") throw new Error("its last line is not a plan's summary")
      return digest
    },
    catch: (cause) =>
      new UsageError({
        why: `${file} is not a saved plan (${(cause as Error).message}); make one with \`daybook plan --save ${file}\``
      })
  })
