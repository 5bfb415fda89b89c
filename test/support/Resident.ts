/**
 * Processes of the built command that run one command line after another, each in its own folder and environment. A command
 * line costs a tenth of what a process of its own costs: for tests that are not about the process.
 */
import { type ChildProcess, spawn } from "node:child_process"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { builtCommand, compileCache } from "./Built.ts"

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

const start = (): ChildProcess =>
  spawn(process.execPath, [SCRIPT, join(builtCommand(), "dist", "program.js")], {
    env: { ...process.env, NODE_COMPILE_CACHE: compileCache() },
    stdio: ["ignore", "inherit", "inherit", "ipc"]
  })

/** As many processes as command lines run at once, until `close`. */
export class Residents {
  readonly #idle: Array<ChildProcess> = []
  readonly #all = new Set<ChildProcess>()

  async run(line: CommandLine): Promise<Ran> {
    const child = this.#idle.pop() ?? start()
    this.#all.add(child)
    const ran = await this.#ask(child, line)
    this.#idle.push(child)
    return ran
  }

  #ask(child: ChildProcess, line: CommandLine): Promise<Ran> {
    return new Promise((resolve, reject) => {
      const onMessage = (ran: Ran) => {
        child.off("exit", onExit)
        resolve(ran)
      }
      const onExit = (status: number | null, signal: NodeJS.Signals | null) => {
        this.#all.delete(child)
        reject(new Error(`the process ended with ${signal ?? status} at ${line.args.join(" ")}`))
      }
      child.once("message", onMessage as (message: unknown) => void)
      child.once("exit", onExit)
      child.send(line)
    })
  }

  async close(): Promise<void> {
    const all = [...this.#all]
    this.#all.clear()
    this.#idle.length = 0
    await Promise.all(
      all.map(
        (child) =>
          new Promise<void>((resolve) => {
            child.once("exit", () => resolve())
            child.kill("SIGKILL")
          })
      )
    )
  }
}
