/** The program of a resident process: runs the command's `main` for each message, and answers with its output. */
import { readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import type { CommandLine } from "../Resident.ts"

/** The variable with the start time, an ISO 8601 instant. */
const BEGINS = "DAYBOOK_TEST_BEGINS"

const program = process.argv[2]!
const { version } = JSON.parse(readFileSync(join(dirname(program), "..", "package.json"), "utf8"))
const { main } = (await import(program)) as { readonly main: (version: string) => Promise<void> }
const { stderr, stdout } = process
stdout.setMaxListeners(0)

const said = { stdout: "", stderr: "" }
const into = (name: keyof typeof said): typeof stdout.write =>
  ((text: string | Uint8Array, ...rest: ReadonlyArray<unknown>) => {
    said[name] += typeof text === "string" ? text : Buffer.from(text).toString()
    const done = rest.findLast((one) => typeof one === "function") as (() => void) | undefined
    done?.()
    return true
  }) as typeof stdout.write
stdout.write = into("stdout")
stderr.write = into("stderr")

/** The machine's clock; a command line may set another start time in its environment. */
const RealDate = Date
let ahead = 0
globalThis.Date = class extends RealDate {
  constructor(...args: [] | ConstructorParameters<typeof RealDate>) {
    if (args.length === 0) super(RealDate.now() + ahead)
    else super(...args)
  }
  static override now = (): number => RealDate.now() + ahead
} as DateConstructor

// Ends with the process that uses it.
process.on("disconnect", () => process.exit())
process.on("message", async ({ args, cwd, env }: CommandLine) => {
  Object.assign(said, { stdout: "", stderr: "" })
  process.chdir(cwd)
  for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name]
  Object.assign(process.env, env)
  const { [BEGINS]: begins } = env
  ahead = begins === undefined ? 0 : RealDate.parse(begins) - RealDate.now()
  process.argv.splice(2, Infinity, ...args)
  process.exitCode = undefined
  await main(version)
  process.send!({ status: process.exitCode ?? 0, signal: null, ...said })
})
