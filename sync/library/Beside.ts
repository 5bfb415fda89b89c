/**
 * Files of this very program: beside the module that asks in a checkout and in the library, or above it in the command,
 * whose parts are in a folder of their own.
 */
import { existsSync } from "node:fs"

/** The address of the first of these that is there. */
export const packageFile = (...names: ReadonlyArray<string>): string | undefined =>
  names
    .flatMap((name) => [`./${name}`, `../${name}`])
    .map((path) => new URL(path, import.meta.url))
    .find((url) => existsSync(url))?.href
