/**
 * Finds a memory-backed folder for temporary files, if the system has one with enough space: a disk takes milliseconds for
 * each durable write, and the tests make thousands. The tests kill processes, never the machine, so memory is durable enough.
 */
import { statfsSync } from "node:fs"
import { tmpdir } from "node:os"

const MEMORY = "/dev/shm"

/** Space that a run of all tests may need there, and that must be left in the machine's memory besides. */
const ROOM_BYTES = 2 * 2 ** 30

const isRoomy = (): boolean => {
  try {
    const { bavail, bsize } = statfsSync(MEMORY)
    return bavail * bsize >= ROOM_BYTES && process.availableMemory() >= 2 * ROOM_BYTES
  } catch {
    return false
  }
}

/** Falls back to the system's own folder for temporary files. */
export const inMemory = (): string => (!tmpdir().startsWith(MEMORY) && isRoomy() ? MEMORY : tmpdir())
