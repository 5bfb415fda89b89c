/** Restores a state file from the store, with the vault beside it, and checks it against its content hash. */
import { Effect } from "effect"
import { chmodSync, closeSync, ftruncateSync, openSync, rmSync, writeFileSync, writeSync } from "node:fs"
import { damaged, type StateError, stateError } from "../StateError.ts"
import type { Cached } from "./CachedCopy.ts"
import { ContentHash } from "./ContentHash.ts"
import { unpack } from "./Shipment.ts"
import type { Kept, StoreError, Tenure } from "./Store.ts"

export interface Restored {
  readonly kept: Kept
  /** The hash of the file's pages, to be updated with each later shipment. */
  readonly content: ContentHash
}

/** Deletes whatever was there before. */
export const discard = (file: string): void => {
  for (const end of ["", "-wal", "-shm", ".vault", ".vault-journal", ".lock", ".lock-journal"])
    rmSync(file + end, { force: true })
}

/** Writes pages that follow each other, in the file as in memory, at once. */
class Runs {
  readonly #handle: number
  #first: Buffer | undefined
  #at = 0
  #bytes = 0

  constructor(handle: number) {
    this.#handle = handle
  }

  put(number: number, page: Buffer): void {
    const at = (number - 1) * page.length
    const first = this.#first
    const follows = first?.buffer === page.buffer && page.byteOffset === first.byteOffset + this.#bytes
    if (!follows || at !== this.#at + this.#bytes) {
      this.end()
      this.#first = page
      this.#at = at
    }
    this.#bytes += page.length
  }

  end(): void {
    const first = this.#first
    if (first !== undefined) {
      const bytes = new Uint8Array(first.buffer, first.byteOffset, this.#bytes)
      // A disk that is nearly full takes some of it, and says so only at the next.
      for (let at = 0; at < bytes.length; ) at += writeSync(this.#handle, bytes, at, bytes.length - at, this.#at + at)
    }
    this.#first = undefined
    this.#bytes = 0
  }
}

/**
 * @param file does not exist, or is replaced
 * @param cached what the file has already
 */
export const restore = (
  tenure: Pick<Tenure, "read" | "tenant">,
  file: string,
  cached?: Cached
): Effect.Effect<Restored, StoreError | StateError> =>
  Effect.gen(function* () {
    const attempt = <A>(work: () => A) => Effect.try({ try: work, catch: (cause) => stateError(file, cause) })
    const content = cached?.content ?? new ContentHash()
    const handle = yield* attempt(() => {
      if (cached === undefined) discard(file)
      // Nobody has the file open yet, so closing it here releases no lock of SQLite.
      return openSync(file, cached === undefined ? "w" : "r+", 0o600)
    })
    const written = new Set<number>()
    const writing = new Runs(handle)
    const put = (number: number, page: Buffer): void => {
      if (written.has(number)) return
      written.add(number)
      content.put(number, page)
      writing.put(number, page)
    }
    let failed: StateError | undefined
    let isClosed = false
    const take = (part: Buffer, pageSize: number): void => {
      if (failed !== undefined || isClosed) return
      try {
        unpack(part, pageSize, put)
        writing.end()
      } catch (cause) {
        failed = isOfSystem(cause) ? stateError(file, cause) : damaged(file, `what was shipped: ${String(cause)}`)
      }
    }
    const read = yield* tenure.read(take, cached?.seq).pipe(
      Effect.tap(({ pageSize, size }) => attempt(() => ftruncateSync(handle, size * pageSize))),
      Effect.ensuring(
        Effect.sync(() => {
          isClosed = true
          closeSync(handle)
        })
      )
    )
    if (failed !== undefined) return yield* failed
    content.cut(read.size)
    // Whatever it was: fetched as a whole, it is what was shipped.
    if (cached !== undefined && !content.value.equals(read.hash)) return yield* restore(tenure, file)
    const kept = cached === undefined || read.baseBytes > 0 ? read : onTop(cached, read)
    if (kept.seq === 0) discard(file)
    else if (!content.value.equals(kept.hash))
      return yield* damaged(file, "what was restored is not what was shipped: its pages have another hash")
    const { vault } = kept
    if (vault !== undefined) yield* attempt(() => writeVault(`${file}.vault`, vault))
    return { kept, content }
  })

const onTop = ({ baseBytes, logBytes }: Cached, read: Kept): Kept => ({
  ...read,
  baseBytes,
  logBytes: logBytes + read.logBytes
})

/** Whether it is about the disk here, and not about what was stored. */
const isOfSystem = (cause: unknown): boolean => cause instanceof Error && "syscall" in cause

const writeVault = (file: string, vault: Buffer): void => {
  writeFileSync(file, vault, { mode: 0o600 })
  chmodSync(file, 0o600)
}
