/**
 * What is there for a moment: folders, such as for copies of the books, the only ones that Daybook makes outside of its own folder, and
 * files that get their name once they are complete. Their names tell which process made them, so that those of one that was killed are
 * found and deleted by the next.
 */
import { hash, randomUUID } from "node:crypto"
import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs"
import { hostname, tmpdir } from "node:os"
import { dirname, join } from "node:path"

/** Containers may share a folder, and each counts its processes from 1. */
const HOST = hash("sha256", hostname(), "hex").slice(0, 8)

const FOLDER = /^daybook-[a-z]+-([0-9a-f]{8})-(\d+)-/
/** With what SQLite puts beside it. */
const FILE = /^\.daybook-([0-9a-f]{8})-(\d+)-[0-9a-f]{8}\.part(?:$|[.-])/

const swept = new Set<string>()

/** Creates a folder, for its owner alone. The first of a process deletes what others left. */
export const temporaryFolder = (
  what: "download" | "executable" | "page" | "node" | "sample" | "trial" | "witness"
): string => {
  if (!swept.has(tmpdir())) sweepTemporary()
  return mkdtempSync(join(tmpdir(), `daybook-${what}-${HOST}-${process.pid}-`))
}

/**
 * A path beside a file, for what becomes that file. The first of a process in a folder deletes what others left in it. Throws where there
 * is a device or a pipe: `/dev/null` would become a file, for all who use this machine.
 */
export const partialOf = (path: string): string => {
  const there = statSync(path, { throwIfNoEntry: false })
  if (there !== undefined && !there.isFile() && !there.isDirectory())
    throw new Error("there is a device or a pipe, which a file cannot replace; name a file")
  const folder = dirname(path)
  if (!swept.has(folder)) sweep(folder, FILE)
  return join(folder, `.daybook-${HOST}-${process.pid}-${randomUUID().slice(0, 8)}.part`)
}

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (cause) {
    return (cause as NodeJS.ErrnoException).code === "EPERM"
  }
}

/** When this process began, also in its threads. Milliseconds since the epoch. */
const BEGAN = performance.timeOrigin

/** Deletes the folders of processes that are gone. */
export const sweepTemporary = (): void => sweep(tmpdir(), FOLDER)

const sweep = (folder: string, names: RegExp): void => {
  swept.add(folder)
  for (const name of namesIn(folder)) {
    const [, host, pid] = names.exec(name) ?? []
    if (host !== HOST) continue
    const path = join(folder, name)
    // In a container, the one before had the same number.
    const isOwn = Number(pid) === process.pid && (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0) >= BEGAN
    if (isOwn || (Number(pid) !== process.pid && isAlive(Number(pid)))) continue
    try {
      rmSync(path, { recursive: true, force: true })
    } catch {
      // It is another user's.
    }
  }
}

/** Nothing where it cannot be listed: whoever writes there says why that is impossible. */
const namesIn = (folder: string): ReadonlyArray<string> => {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
