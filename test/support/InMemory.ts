/**
 * Where temporary files need no disk, if the system has such a place with room: a disk takes milliseconds to write
 * anything for good, and tests have thousands of things written so. What they kill are processes, never the machine.
 */
import { statfsSync } from "node:fs"
import { tmpdir } from "node:os"

const MEMORY = "/dev/shm"

/** What a run of all tests may need there, and must be left of the machine's memory beside it. */
const ROOM_BYTES = 2 * 2 ** 30

const isRoomy = (): boolean => {
  try {
    const { bavail, bsize } = statfsSync(MEMORY)
    return bavail * bsize >= ROOM_BYTES && process.availableMemory() >= 2 * ROOM_BYTES
  } catch {
    return false
  }
}

/** The system's own folder for temporary files, where there is none. */
export const inMemory = (): string => (!tmpdir().startsWith(MEMORY) && isRoomy() ? MEMORY : tmpdir())
