/**
 * Builds the package from the current source, once for all test files of a run, when it is first needed. The folder is created
 * and removed by the run itself (`setup`).
 */
import { execFileSync } from "node:child_process"
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { sparing } from "./Compiler.ts"
import { inMemory } from "./InMemory.ts"

const ROOT = fileURLToPath(new URL("../..", import.meta.url))
const FOLDER = "DAYBOOK_TEST_BUILT"

export const temporary = (): string => mkdtempSync(join(tmpdir(), "daybook-test-"))

export const remove = (folder: string): void => rmSync(folder, { recursive: true, force: true, maxRetries: 10 })

/**
 * Makes every process started from here on share a cache of compiled code, so that it starts faster. This does not affect
 * vitest's own processes: each would write its whole cache at the end, which nothing would read.
 */
export const keepCompiled = (): void => {
  process.env["NODE_COMPILE_CACHE"] = join(process.env[FOLDER]!, "cache")
}

/** Runs before the first test file and after the last: manages the run's folder for all temporary files. */
export const setup = (): (() => void) => {
  const folder = mkdtempSync(join(inMemory(), "daybook-test-"))
  // Database servers run as an unprivileged user.
  chmodSync(folder, 0o1777)
  process.env[FOLDER] = folder
  process.env["TMPDIR"] = folder
  return () => remove(folder)
}

/** The environment for a process that works on another copy of the source, and therefore builds its own package. */
export const apart = (): NodeJS.ProcessEnv => {
  const { [FOLDER]: _, ...rest } = process.env
  return rest
}

/** Builds a part of the package into `into`, as `npm run build` does. */
const build = (into: string, part: "--command" | "--library"): void => {
  for (const name of ["package.json", "CHANGELOG.md", "SECURITY.md", "connectors/GUIDE.md"])
    cpSync(join(ROOT, name), join(into, name), { recursive: true })
  for (const name of ["node_modules", "examples"]) symlinkSync(join(ROOT, name), join(into, name))
  // Types are not checked here: the test command does that once, beside the tests.
  const args = ["cli/build.js", "--into", join(into, "dist"), part, "--unchecked"]
  execFileSync(process.execPath, args, { cwd: ROOT, env: sparing() })
}

const wait = (milliseconds: number): void =>
  void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds)

/** The run's folder; a program not started by vitest has one until it ends. */
const home = (): string => {
  const known = process.env[FOLDER]
  if (known !== undefined) return known
  const end = setup()
  keepCompiled()
  process.on("exit", end)
  return process.env[FOLDER]!
}

/** The first caller creates the folder and builds; the others wait until it is marked as complete. */
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

/** The folder with the command alone, with its cache of compiled code. */
export const builtCommand = (): string => once("command", (into) => build(into, "--command"))

/** The folder with the package and its library; must not be modified. */
export const builtLibrary = (): string =>
  once("library", (into) => {
    cpSync(join(builtCommand(), "dist"), join(into, "dist"), { recursive: true })
    build(into, "--library")
  })

/** Copies it into a folder of the test's own. */
export const copyLibrary = (into: string): void => {
  cpSync(builtLibrary(), into, { recursive: true, verbatimSymlinks: true })
}
