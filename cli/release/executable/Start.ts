/**
 * What runs first in the single executable: unpacks the program into the user's cache, once for each version, and runs it from there,
 * with Node as it is in the executable. The program starts others of itself by Node's path and a script's: they end up here, too.
 */
import { lstatSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { homedir, tmpdir } from "node:os"
import { dirname, isAbsolute, join, sep } from "node:path"
import { getRawAsset } from "node:sea"
import { zstdDecompressSync } from "node:zlib"
import { ASSET, START, unpacked } from "./Archive.ts"

/** The version and a checksum of the program, which the build puts here. */
declare const PROGRAM: string

const uid = process.getuid?.()

/** The user's own cache, or a folder for temporary files where that cannot be written. */
const caches = (): ReadonlyArray<string> => {
  const { LOCALAPPDATA: windows, XDG_CACHE_HOME: cache } = process.env
  return [windows ?? cache ?? join(homedir(), ".cache"), join(tmpdir(), `daybook-${uid ?? "program"}`)]
}

/** Nobody else may put a program here. */
const isOwn = (folder: string): boolean => {
  const found = lstatSync(folder)
  return found.isDirectory() && (uid === undefined || (found.uid === uid && (found.mode & 0o022) === 0))
}

const unpack = (cache: string): string => {
  const all = join(cache, "daybook")
  mkdirSync(all, { recursive: true, mode: 0o700 })
  if (!isOwn(all)) throw new Error(`${all} belongs to another user, or others may write in it`)
  const folder = join(all, PROGRAM)
  if (existsSync(join(folder, START))) return folder
  const made = mkdtempSync(join(all, ".unpacking-"))
  for (const { content, path } of unpacked(zstdDecompressSync(Buffer.from(getRawAsset(ASSET))))) {
    mkdirSync(dirname(join(made, path)), { recursive: true })
    writeFileSync(join(made, path), content)
  }
  try {
    renameSync(made, folder)
  } catch (cause) {
    // Another one was faster.
    rmSync(made, { recursive: true, force: true })
    if (!existsSync(join(folder, START))) throw cause
  }
  return folder
}

const place = (): string => {
  const problems: Array<string> = []
  for (const cache of caches())
    try {
      return unpack(cache)
    } catch (cause) {
      problems.push(cause instanceof Error ? cause.message : String(cause))
    }
  console.error(
    `daybook: the program cannot be unpacked: ${problems.join("; ")}. Set XDG_CACHE_HOME to a folder of your own.`
  )
  process.exit(1)
}

const [first = "", ...rest] = process.argv.slice(2)
const end = first.indexOf(`${sep}${PROGRAM}${sep}`)
const isScript = isAbsolute(first) && end >= 0
const folder = isScript ? first.slice(0, end + 1 + PROGRAM.length) : place()
const script = isScript ? first : join(folder, "dist", "daybook.js")
process.argv = [process.execPath, script, ...(isScript ? rest : process.argv.slice(2))]
createRequire(script)(join(folder, START))
