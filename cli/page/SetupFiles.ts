/**
 * Stores files that are uploaded on the page, each set in its own folder beside the configuration. Files that were uploaded
 * and never connected are deleted after a day.
 */
import { randomBytes } from "node:crypto"
import { mkdirSync, readdirSync, rmSync, statSync } from "node:fs"
import { basename, extname, join } from "node:path"
import { setImmediate } from "node:timers/promises"
import { bankEndings } from "../../connectors/list.ts"
import { OutputFile } from "../../sync/export/OutputFile.ts"
import { uploadEnding, uploadName } from "../connect/Uploads.ts"
import type { PostedFile } from "./Response.ts"
import { t } from "./language/Texts.ts"

const ROOM = "connected"
const FORGOTTEN_MS = 86_400_000
const MOST_FILES = 10

/** A name for a set of files that cannot be guessed. */
export const newDraft = (): string => randomBytes(8).toString("hex")

export const isDraft = (name: string | undefined): name is string => /^[0-9a-f]{16}$/.test(name ?? "")

/** The path in the configuration. */
export const pathOf = (draft: string, name: string): string => `${ROOM}/setup-${draft}/${name}`

/** Texts with the names that a person gave to the files of a draft, instead of their places. */
export const named =
  (draft: string, folder = "") =>
  (text: string): string =>
    [join(folder, ROOM, `setup-${draft}`, "/"), pathOf(draft, "")].reduce(
      (all, place) => all.replaceAll(place, ""),
      text
    )

const OWN = /^connected\/setup-[0-9a-f]{16}\/[A-Za-z0-9_-]+\.[a-z0-9]+$/

/** The files in a source's settings that were uploaded on the page. */
export const uploadedIn = (source: unknown): ReadonlyArray<string> => {
  const found = new Set<string>()
  JSON.stringify(source, (_, value: unknown) => {
    if (typeof value === "string" && OWN.test(value)) found.add(value)
    return value
  })
  return [...found]
}

export const filesOf = (folder: string, draft: string): ReadonlyArray<string> => {
  try {
    return readdirSync(join(folder, ROOM, `setup-${draft}`))
      .filter((name) => !name.startsWith("."))
      .toSorted()
  } catch {
    return []
  }
}

const put = async (path: string, bytes: Uint8Array): Promise<void> => {
  // What tells files apart has just been loaded, the first time.
  await setImmediate()
  const output = await OutputFile.create(path)
  try {
    await output.append(bytes)
    await output.close()
    await output.commit()
  } finally {
    await output.discard()
  }
}

/** Stores a file of a draft; or returns why not. */
export const add = async (folder: string, draft: string, { bytes, name }: PostedFile): Promise<string | undefined> => {
  const before = filesOf(folder, draft)
  if (before.length >= MOST_FILES) return t`At most ${MOST_FILES} files are taken.`
  const ending = uploadEnding(Buffer.from(bytes.subarray(0, 4096)), name, await bankEndings())
  if (typeof ending !== "string") return t`${name} cannot be used: ${ending.why}.`
  mkdirSync(join(folder, ROOM, `setup-${draft}`), { recursive: true, mode: 0o700 })
  await put(join(folder, pathOf(draft, uploadName(name, ending, before))), bytes)
  return undefined
}

/** Takes a file of a draft away again. */
export const remove = (folder: string, draft: string, name: string): void =>
  rmSync(join(folder, pathOf(draft, name)), { force: true })

/** Replaces an uploaded file with a newer one; or returns why not. */
export const renew = async (folder: string, path: string, { bytes, name }: PostedFile): Promise<string | undefined> => {
  const ending = uploadEnding(Buffer.from(bytes.subarray(0, 4096)), name, await bankEndings())
  if (typeof ending !== "string") return t`${name} cannot be used: ${ending.why}.`
  if (ending !== extname(path))
    return t`${name} is another kind of file than ${basename(path)}; upload one that ends in ${extname(path)}.`
  await put(join(folder, path), bytes)
  return undefined
}

/** @param used a text that contains the paths of the files in use */
export const forget = (folder: string, used: string, now: number): void => {
  try {
    for (const name of readdirSync(join(folder, ROOM))) {
      const path = join(folder, ROOM, name)
      if (!/^setup-[0-9a-f]{16}$/.test(name) || used.includes(name)) continue
      if (now - statSync(path).mtimeMs > FORGOTTEN_MS) rmSync(path, { recursive: true, force: true })
    }
  } catch {
    // There is no such folder, or it belongs to somebody else: nothing to delete.
  }
}
