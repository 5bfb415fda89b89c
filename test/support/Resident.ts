/**
 * Runs command lines in resident processes, each line in its own folder and environment. This costs a tenth of starting a
 * process, for tests that are not about the process itself.
 */
import { type ChildProcess, spawn } from "node:child_process"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { builtCommand } from "./Built.ts"

export interface CommandLine {
  readonly args: ReadonlyArray<string>
  readonly cwd: string
  readonly env: NodeJS.ProcessEnv
}

export interface Ran {
  readonly status: number | null
  readonly signal: NodeJS.Signals | null
  readonly stdout: string
  readonly stderr: string
}

const SCRIPT = fileURLToPath(new URL("resident/Program.ts", import.meta.url))

const PROGRAMS = {
  built: () => join(builtCommand(), "dist", "program.js"),
  source: () => fileURLToPath(new URL("../../cli/main.ts", import.meta.url))
}

/** The built command, or its source, with which third-party connectors can import the library. */
export type Program = keyof typeof PROGRAMS

const start = (program: Program): ChildProcess =>
  spawn(process.execPath, [SCRIPT, PROGRAMS[program]()], { stdio: ["ignore", "inherit", "inherit", "ipc"] })

/** One process per concurrent command line; they end with the process that uses them. */
const idle: Record<Program, Array<ChildProcess>> = { built: [], source: [] }

const ask = (child: ChildProcess, line: CommandLine): Promise<Ran> =>
  new Promise((resolve, reject) => {
    const onMessage = (ran: Ran) => {
      child.off("exit", onExit)
      resolve(ran)
    }
    const onExit = (status: number | null, signal: NodeJS.Signals | null) => {
      child.off("message", onMessage as (message: unknown) => void)
      reject(new Error(`the process ended with ${signal ?? status} at ${line.args.join(" ")}`))
    }
    child.once("message", onMessage as (message: unknown) => void)
    child.once("exit", onExit)
    child.send(line)
  })

/** Runs a command line in a process that has run others before, and so has loaded their connectors' modules. */
export const runResident = async (line: CommandLine, program: Program = "built"): Promise<Ran> => {
  const child = idle[program].pop() ?? start(program)
  child.ref()
  child.channel?.ref()
  const ran = await ask(child, line)
  child.unref()
  child.channel?.unref()
  idle[program].push(child)
  return ran
}
