/**
 * The program as it is shipped, and processes of it: a run that may be killed, and the
 * sandbox behind its port.
 */
import { type ChildProcess, spawn } from "node:child_process"
import { join } from "node:path"
import { builtCommand, remove, temporary } from "../support/Built.ts"
import { runResident } from "../support/Resident.ts"

export const KEY = "sk-crash-5b1e77d2"

/** Variables for a process, beside those of this one. */
type Environment = Readonly<Record<string, string>>

export interface Ended {
  readonly status: number | null
  readonly signal: NodeJS.Signals | null
  readonly said: string
}

export class Program {
  readonly folder = temporary()

  start(cwd: string, args: ReadonlyArray<string>, key: string = KEY, more: Environment = {}): ChildProcess {
    const env = { ...process.env, ...more, SERVICE_KEY: key }
    const command = join(builtCommand(), "dist", "daybook.js")
    return spawn(process.execPath, [command, ...args], { cwd, env, stdio: ["ignore", "pipe", "pipe"] })
  }

  /** Runs to its end, or until `kill` says so. */
  run(
    cwd: string,
    args: ReadonlyArray<string>,
    kill?: (child: ChildProcess) => Promise<void>,
    key?: string,
    environment?: Environment
  ): Promise<Ended> {
    if (kill === undefined) return this.#runToItsEnd(cwd, args, key, environment)
    return new Promise((resolve, reject) => {
      const child = this.start(cwd, args, key, environment)
      let said = ""
      child.stdout!.setEncoding("utf8").on("data", (text) => void (said += text))
      child.stderr!.setEncoding("utf8").on("data", (text) => void (said += text))
      child.on("error", reject)
      const watched = kill(child).then(() => void child.kill("SIGKILL"))
      child.on("close", (status, signal) => {
        void Promise.resolve(watched).then(() => resolve({ status, signal, said }), reject)
      })
    })
  }

  async #runToItsEnd(cwd: string, args: ReadonlyArray<string>, key = KEY, more: Environment = {}): Promise<Ended> {
    const env = { ...process.env, ...more, SERVICE_KEY: key }
    const { signal, status, stderr, stdout } = await runResident({ args, cwd, env })
    return { status, signal, said: stdout + stderr }
  }

  /** A sandbox in a process of its own, with an account for each key. Answers its address, and how it is ended. */
  sandbox(keys: ReadonlyArray<string> = [KEY]): Promise<{ readonly url: string; readonly end: () => Promise<void> }> {
    return new Promise((resolve, reject) => {
      const accounts = keys.flatMap((key) => ["--api-key", key])
      const child = this.start(this.folder, ["sandbox", "--port", "0", "--json", ...accounts])
      let said = ""
      child.stdout!.setEncoding("utf8").on("data", (text: string) => {
        said += text
        if (!said.includes("\n")) return
        const { url } = JSON.parse(said.slice(0, said.indexOf("\n"))) as { readonly url: string }
        resolve({
          url,
          end: () =>
            new Promise((ended) => {
              child.on("close", () => ended())
              child.kill()
            })
        })
      })
      child.on("error", reject)
      child.on("close", (status) => reject(new Error(`the sandbox ended with ${status}: ${said}`)))
    })
  }

  async close(): Promise<void> {
    remove(this.folder)
  }
}
