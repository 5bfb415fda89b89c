/**
 * Which file on disk a path leads to.
 */
import { statSync } from "node:fs"

/** Which file is at a path, for as long as one of those who ask has it open; undefined when there is none. */
export const inode = (path: string): string | undefined => {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false })
  return found === undefined ? undefined : `${found.dev}:${found.ino}`
}
