/**
 * What runs first in the single executable: unpacks the program into the user's cache, once for each version, and runs it from there,
 * with Node as it is in the executable. The program starts others of itself by Node's path and a script's: they end up here, too.
 */
import { existsSync, lstatSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { homedir } from "node:os"
import { dirname, isAbsolute, join, sep } from "node:path"
import { getRawAsset } from "node:sea"
import { zstdDecompressSync } from "node:zlib"
import { partialOf } from "../../../core/TemporaryFolder.ts"
import { ASSET, START, unpacked } from "./Archive.ts"

/** The version and a checksum of the program, which the build puts here. */
declare const PROGRAM: string

const cache = (): string => {
  const { LOCALAPPDATA: windows, XDG_CACHE_HOME: own } = process.env
  return join(windows ?? own ?? join(homedir(), ".cache"), "daybook")
}

/** Nobody else may put a program here. */
const isOwn = (folder: string): boolean => {
  const found = lstatSync(folder)
  const uid = process.getuid?.()
  return found.isDirectory() && (uid === undefined || (found.uid === uid && (found.mode & 0o022) === 0))
}

const unpack = (all: string): string => {
  mkdirSync(all, { recursive: true, mode: 0o700 })
  if (!isOwn(all)) throw new Error(`${all} belongs to another user, or others may write in it`)
  const folder = join(all, PROGRAM)
  if (existsSync(join(folder, START))) return folder
  const made = partialOf(folder)
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
  try {
    return unpack(cache())
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause)
    console.error(`daybook: the program cannot be unpacked: ${why}. Set XDG_CACHE_HOME to a folder of your own.`)
    process.exit(1)
  }
}

const [first = "", ...rest] = process.argv.slice(2)
const end = first.indexOf(`${sep}${PROGRAM}${sep}`)
const isScript = isAbsolute(first) && end >= 0
const folder = isScript ? first.slice(0, end + 1 + PROGRAM.length) : place()
const script = isScript ? first : join(folder, "dist", "daybook.js")
process.argv = [process.execPath, script, ...(isScript ? rest : process.argv.slice(2))]
createRequire(script)(join(folder, START))
