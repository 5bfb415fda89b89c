/**
 * The package built from the source as it is now: once for all test files of a run, by whichever needs it first. The
 * folder is made and taken away by the run itself (`setup`).
 */
import { execFileSync } from "node:child_process"
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { inMemory } from "./InMemory.ts"

const ROOT = fileURLToPath(new URL("../..", import.meta.url))
const FOLDER = "DAYBOOK_TEST_BUILT"

export const temporary = (): string => mkdtempSync(join(tmpdir(), "daybook-test-"))

export const remove = (folder: string): void => rmSync(folder, { recursive: true, force: true, maxRetries: 10 })

/**
 * Every process that is started from here on keeps its compiled code there, and is started the faster. Not vitest's own
 * processes, which this does not reach: each would write all of its own at the end, for nobody.
 */
export const keepCompiled = (): void => {
  process.env["NODE_COMPILE_CACHE"] = join(process.env[FOLDER]!, "cache")
}

/** What vitest runs before the first file and after the last: the run's folder, in which all temporary files are. */
export const setup = (): (() => void) => {
  const folder = mkdtempSync(join(inMemory(), "daybook-test-"))
  // Servers of databases run as a user without rights.
  chmodSync(folder, 0o1777)
  process.env[FOLDER] = folder
  process.env["TMPDIR"] = folder
  return () => remove(folder)
}

/** The environment of a process that works on another copy of the source, and so builds for itself. */
export const apart = (): NodeJS.ProcessEnv => {
  const { [FOLDER]: _, ...rest } = process.env
  return rest
}

/** Builds the package into `into`, as `npm run build` does; without its library unless that is asked for. */
const build = (into: string, options: { readonly library?: boolean } = {}): void => {
  mkdirSync(into, { recursive: true })
  cpSync(join(ROOT, "package.json"), join(into, "package.json"))
  for (const name of ["node_modules", "examples"]) symlinkSync(join(ROOT, name), join(into, name))
  // The test command looks for mistakes in types once, beside the tests.
  const args = ["cli/build.js", "--into", join(into, "dist"), options.library === true ? "--unchecked" : "--command"]
  execFileSync(process.execPath, args, { cwd: ROOT })
}

const wait = (milliseconds: number): void =>
  void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds)

/** The run's folder; a program that vitest did not start has one until it ends. */
const home = (): string => {
  const known = process.env[FOLDER]
  if (known !== undefined) return known
  const end = setup()
  keepCompiled()
  process.on("exit", end)
  return process.env[FOLDER]!
}

/** Whoever makes the folder builds; the others wait for its mark. */
const once = (name: string, make: (into: string) => void): string => {
  const folder = home()
  const into = join(folder, name)
  const done = join(folder, `${name}.done`)
  const failed = join(folder, `${name}.failed`)
  try {
    mkdirSync(into)
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== "EEXIST") throw cause
    while (!existsSync(done)) {
      if (existsSync(failed))
        throw new Error("the package cannot be built; the first test file that needed it says why")
      wait(50)
    }
    return into
  }
  try {
    make(into)
    writeFileSync(done, "")
  } catch (cause) {
    writeFileSync(failed, "")
    throw cause
  }
  return into
}

/** The folder with the command alone, which starts faster the more often it was started. */
export const builtCommand = (): string => once("command", (into) => build(into))

/** The folder with the package and its library; what is in it stays as it is. */
export const builtLibrary = (): string => once("library", (into) => build(into, { library: true }))

/** The same once more, in a folder of the test's own. */
export const copyLibrary = (into: string): void => {
  cpSync(builtLibrary(), into, { recursive: true, verbatimSymlinks: true })
}
