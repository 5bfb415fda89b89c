/**
 * Folders for what is there for a moment, such as copies of the books: the only ones that Daybook makes outside of its own folder.
 * Their names tell which process made them, so that those of one that was killed are found and deleted by the next.
 */
import { hash } from "node:crypto"
import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs"
import { hostname, tmpdir } from "node:os"
import { join } from "node:path"

/** Containers may share a folder, and each counts its processes from 1. */
const HOST = hash("sha256", hostname(), "hex").slice(0, 8)

const NAME = /^daybook-[a-z]+-([0-9a-f]{8})-(\d+)-/

let isSwept = false

/** Creates one, for its owner alone. The first of a process deletes what others left. */
export const temporaryFolder = (what: "download" | "page" | "node" | "sample" | "trial" | "witness"): string => {
  if (!isSwept) sweepTemporary()
  return mkdtempSync(join(tmpdir(), `daybook-${what}-${HOST}-${process.pid}-`))
}

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (cause) {
    return (cause as NodeJS.ErrnoException).code === "EPERM"
  }
}

/** When this process began, in milliseconds since the epoch. */
const BEGAN = performance.timeOrigin

/** Deletes those of processes that are gone. */
export const sweepTemporary = (): void => {
  isSwept = true
  for (const name of readdirSync(tmpdir())) {
    const [, host, pid] = NAME.exec(name) ?? []
    if (host !== HOST) continue
    const path = join(tmpdir(), name)
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
