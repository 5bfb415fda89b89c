/**
 * Processes of the built command that run one command line after another, each in its own folder and environment. A command
 * line costs a tenth of what a process of its own costs: for tests that are not about the process.
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

const start = (): ChildProcess => {
  const child = spawn(process.execPath, [SCRIPT, join(builtCommand(), "dist", "program.js")], {
    stdio: ["ignore", "inherit", "inherit", "ipc"]
  })
  return child
}

/** As many processes as command lines run at once; they end with the process that asks them. */
const idle: Array<ChildProcess> = []

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

/** Runs a command line in a process that has run others before. */
export const runResident = async (line: CommandLine): Promise<Ran> => {
  const child = idle.pop() ?? start()
  child.ref()
  child.channel?.ref()
  const ran = await ask(child, line)
  child.unref()
  child.channel?.unref()
  idle.push(child)
  return ran
}
