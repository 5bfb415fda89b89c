/**
 * Finds files of this program: beside the calling module in a checkout and in the library, or above it in the command, whose
 * chunks are in a subfolder.
 */
import { existsSync } from "node:fs"

/** The URL of the first of these that exists. */
export const packageFile = (...names: ReadonlyArray<string>): string | undefined =>
  names
    .flatMap((name) => [`./${name}`, `../${name}`])
    .map((path) => new URL(path, import.meta.url))
    .find((url) => existsSync(url))?.href
