/**
 * Identifies the file on disk that a path leads to.
 */
import { statSync } from "node:fs"

/** Identifies the file at a path while somebody has it open; undefined if there is none. */
export const inode = (path: string): string | undefined => {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false })
  return found === undefined ? undefined : `${found.dev}:${found.ino}`
}
