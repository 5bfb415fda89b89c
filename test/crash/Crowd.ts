/**
 * Processes of the real command in one folder, up to three at once, that may be stopped, continued and killed; and what
 * each of them may never say.
 */
import type { ChildProcess } from "node:child_process"
import type { Program } from "./Program.ts"

export interface Member {
  readonly name: string
  readonly child: ChildProcess
  readonly ended: Promise<void>
  stopped: boolean
}

export interface Finished {
  readonly name: string
  readonly status: number | null
  readonly signal: NodeJS.Signals | null
  readonly said: string
}

/** Done, failed, usage, attention, guard, locked, something to do, interrupted. */
const STATUSES = [0, 1, 2, 3, 4, 5, 6, 130]
/** A mistake of the program, not an error that it reports. */
const MISTAKE = /SQLITE_|\n\s+at [^\n]+:\d+:\d+|RangeError|TypeError|undefined is not|"Die"/

export class Crowd {
  readonly #program: Program
  readonly #folder: string
  readonly #key: string
  #members: ReadonlyArray<Member> = []
  /** Mistakes of processes that have ended. */
  readonly found: Array<string> = []

  constructor(program: Program, folder: string, key: string) {
    this.#program = program
    this.#folder = folder
    this.#key = key
  }

  get running(): ReadonlyArray<Member> {
    return this.#members
  }

  start(...args: ReadonlyArray<string>): Member {
    const child = this.#program.start(this.#folder, args, this.#key)
    const name = `${args[0]} (${child.pid})`
    const ended = this.#watch(name, child).then(() => {
      this.#members = this.#members.filter((one) => one.child !== child)
    })
    const member = { name, child, ended, stopped: false }
    this.#members = [...this.#members, member]
    return member
  }

  async #watch(name: string, child: ChildProcess): Promise<Finished> {
    let said = ""
    child.stdout!.setEncoding("utf8").on("data", (text) => void (said += text))
    child.stderr!.setEncoding("utf8").on("data", (text) => void (said += text))
    const [status, signal] = await new Promise<readonly [number | null, NodeJS.Signals | null]>((resolve, reject) => {
      child.on("error", reject)
      child.on("close", (status, signal) => resolve([status, signal]))
    })
    const short = said.slice(-600)
    if (signal === null && !STATUSES.includes(status ?? -1)) this.found.push(`${name} ended with ${status}: ${short}`)
    if (MISTAKE.test(said)) this.found.push(`${name} made a mistake: ${short}`)
    if (said.includes(this.#key)) this.found.push(`${name} shows the key: ${short}`)
    return { name, status, signal, said }
  }

  /** Runs one to its end. */
  async run(...args: ReadonlyArray<string>): Promise<Finished> {
    return this.#watch(String(args[0]), this.#program.start(this.#folder, args, this.#key))
  }

  signal(member: Member, signal: "SIGSTOP" | "SIGCONT" | "SIGKILL"): void {
    member.stopped = signal === "SIGSTOP"
    member.child.kill(signal)
  }

  /** Everybody goes on, daemons are asked to end, and whoever has not ended after `ms` is killed. */
  async quiet(ms: number): Promise<void> {
    for (const one of this.#members) {
      this.signal(one, "SIGCONT")
      if (ms > 0 && one.name.startsWith("daemon")) one.child.kill("SIGTERM")
    }
    const late = setTimeout(() => {
      for (const one of this.#members) this.signal(one, "SIGKILL")
    }, ms)
    await Promise.all(this.#members.map(({ ended }) => ended))
    clearTimeout(late)
  }
}
