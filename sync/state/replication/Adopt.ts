/**
 * A state file of before becomes a tenant's first shipment, with its vault. It is then moved aside, so that nobody goes on with it: it
 * would lack what is sent from PostgreSQL from now on.
 */
import Sqlite from "better-sqlite3"
import { Effect } from "effect"
import { closeSync, existsSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { partialOf } from "../../../core/TemporaryFolder.ts"
import { lock } from "../FileLock.ts"
import { copyInParts, copyInto } from "../OwnFile.ts"
import { type StateError, stateError } from "../StateError.ts"
import type { Restored } from "./Restore.ts"
import { contentOf, packing, filePages, type Shipment } from "./Shipment.ts"
import type { StoreError, Tenure } from "./Store.ts"

/** What the name of a file ends with that was moved to PostgreSQL. */
const ASIDE = ".before-cluster"

const copied = (from: string, to: string): void => {
  const raw = new Sqlite(from)
  try {
    copyInto(raw, to)
  } finally {
    raw.close()
  }
}

/** Makes the working copy, as it is once SQLite has it open, which is what its pages are compared with later; returns its size. */
const workingCopy = async (seed: string, file: string): Promise<Pick<Shipment, "pageSize" | "size">> => {
  const own = new Sqlite(seed, { readonly: true })
  try {
    await copyInParts(own, file)
  } finally {
    own.close()
  }
  const raw = new Sqlite(file)
  try {
    raw.pragma("journal_mode = WAL")
    const said = (name: string) => Number(raw.pragma(name, { simple: true }))
    return { pageSize: said("page_size"), size: said("page_count") }
  } finally {
    raw.close()
  }
}

/** What its pages hold, and these as they are shipped. */
const encoded = async (file: string, { pageSize, size }: Pick<Shipment, "pageSize" | "size">) => {
  const handle = openSync(file, "r")
  try {
    const pages = () => filePages(handle, size, pageSize)
    const parts: Array<Buffer> = []
    for await (const part of packing(pages())) parts.push(part)
    return { content: await contentOf(pages()), parts }
  } finally {
    closeSync(handle)
  }
}

/** Secrets are copied as they are: sealed. */
const vaultOf = (seed: string, file: string): Buffer | undefined => {
  if (!existsSync(`${seed}.vault`)) return undefined
  const part = partialOf(file)
  copied(`${seed}.vault`, part)
  const bytes = readFileSync(part)
  rmSync(part)
  writeFileSync(`${file}.vault`, bytes, { mode: 0o600 })
  return bytes
}

const claimsOf = (file: string): number => {
  const raw = new Sqlite(file, { readonly: true })
  try {
    return Number(raw.prepare("SELECT coalesce(max(id), 0) FROM claim").pluck().get())
  } finally {
    raw.close()
  }
}

/**
 * Why the state in PostgreSQL lacks something, although it has all that was shipped; undefined: it does not.
 *
 * @param file the restored working copy, which nobody has opened yet
 */
export const usedOutside = (seed: string, file: string): Effect.Effect<string | undefined, StateError> =>
  Effect.try({
    try: () =>
      claimsOf(seed) > claimsOf(file)
        ? `${seed} has calls that PostgreSQL does not know: it was used beside it`
        : undefined,
    catch: (cause) => stateError(seed, cause)
  })

/** Done once more where it was cut off: PostgreSQL has what was in it. Earlier ones stay where they are. */
export const moveAside = (seed: string): Effect.Effect<void, StateError> =>
  Effect.try({
    try: () => {
      const ends = [".vault", ""].filter((end) => existsSync(seed + end))
      let aside = ASIDE
      for (let n = 2; ends.some((end) => existsSync(seed + end + aside)); n++) aside = `${ASIDE}-${n}`
      for (const end of ends) renameSync(seed + end, seed + end + aside)
    },
    catch: (cause) => stateError(seed, cause)
  })

/** @param file the working copy, which is not there yet */
export const adopt = (seed: string, file: string, tenure: Tenure): Effect.Effect<Restored, StoreError | StateError> => {
  const attempt = <A>(work: () => A) => Effect.try({ try: work, catch: (cause) => stateError(seed, cause) })
  return Effect.scoped(
    Effect.gen(function* () {
      yield* lock(seed, "daybook tenants")
      const copy = Effect.tryPromise({
        try: () => workingCopy(seed, file),
        catch: (cause) => stateError(seed, cause)
      })
      const { pageSize, size } = yield* Effect.uninterruptible(copy)
      const { content, parts } = yield* Effect.promise(() => encoded(file, { pageSize, size }))
      const shipment = { seq: 1, size, pageSize, hash: content.value }
      const vault = yield* attempt(() => vaultOf(seed, file))
      // First the secrets: without a shipment all of it is done once more.
      if (vault !== undefined) yield* tenure.keepVault(vault)
      yield* tenure.ship({ ...shipment, parts })
      yield* moveAside(seed)
      const logBytes = parts.reduce((sum, { length }) => sum + length, 0)
      return { kept: { ...shipment, logBytes, baseBytes: 0, vault }, content }
    })
  )
}
