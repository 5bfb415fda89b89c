/** Says whether a path leads out of the folders that may be read, also by a symbolic link. */
import { realpathSync } from "node:fs"
import { basename, dirname, isAbsolute, join, relative, sep } from "node:path"

/** Where a path leads; what does not exist is in the folder in which it would be. */
const real = (path: string): string => {
  try {
    return realpathSync(path)
  } catch {
    const parent = dirname(path)
    return parent === path ? path : join(real(parent), basename(path))
  }
}

const isInside = (folder: string, path: string): boolean => {
  const way = relative(folder, path)
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way)
}

/** @param folders undefined: every file may be read */
export const isOutside = (path: string, folders: ReadonlyArray<string> | undefined): boolean =>
  folders !== undefined && !folders.some((folder) => isInside(real(folder), real(path)))

/** What to say about it. */
export const OUTSIDE = {
  what: "is not in the folder of this configuration",
  hint: "put the file there; the operator can allow other folders, as tenants.folders in daybook.tenants.json"
}
