/** Finds the sample of a third-party connector, which the conformance kit runs on. */
import { existsSync, statSync } from "node:fs"
import { createRequire } from "node:module"
import { basename, dirname, join, resolve } from "node:path"

const inFolder = (folder: string): string | undefined =>
  ["Sample.ts", "Sample.js"].map((name) => join(folder, name)).find(existsSync)

/** The main file of a package that is installed in the working folder. */
const inPackage = (name: string, folder: string): string | undefined => {
  try {
    return createRequire(join(folder, "package.json")).resolve(name)
  } catch {
    return undefined
  }
}

/** The file with a connector's sample. `name` is its folder, a file in it, or a package. Undefined if none is found. */
export const sampleFile = (name: string, folder: string): string | undefined => {
  const path = resolve(folder, name)
  const file = existsSync(path) ? path : inPackage(name, folder)
  if (file === undefined) return undefined
  if (statSync(file).isDirectory()) return inFolder(file)
  return /^Sample\.[jt]s$/.test(basename(file)) ? file : inFolder(dirname(file))
}
