/** Restores a state file from the store, with the vault beside it, and checks it against its content hash. */
import { Effect } from "effect"
import { chmodSync, closeSync, ftruncateSync, openSync, rmSync, writeFileSync, writeSync } from "node:fs"
import { damaged, type StateError } from "../StateError.ts"
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

/** @param file does not exist, or is replaced */
export const restore = (
  tenure: Pick<Tenure, "read" | "tenant">,
  file: string
): Effect.Effect<Restored, StoreError | StateError> =>
  Effect.gen(function* () {
    const content = new ContentHash()
    discard(file)
    // Nobody has the file open yet, so closing it here releases no lock of SQLite.
    const handle = openSync(file, "w", 0o600)
    const written = new Set<number>()
    const put = (number: number, page: Buffer): void => {
      if (written.has(number)) return
      written.add(number)
      content.put(number, page)
      writeSync(handle, page, 0, page.length, (number - 1) * page.length)
    }
    const kept = yield* tenure
      .read((part, pageSize) => unpack(part, pageSize, put))
      .pipe(
        Effect.tap(({ pageSize, size }) => Effect.sync(() => ftruncateSync(handle, size * pageSize))),
        Effect.ensuring(Effect.sync(() => closeSync(handle)))
      )
    content.cut(kept.size)
    if (kept.seq === 0) discard(file)
    else if (!content.value.equals(kept.hash))
      return yield* damaged(file, "what was restored is not what was shipped: its pages have another hash")
    if (kept.vault !== undefined) {
      writeFileSync(`${file}.vault`, kept.vault, { mode: 0o600 })
      chmodSync(`${file}.vault`, 0o600)
    }
    return { kept, content }
  })
