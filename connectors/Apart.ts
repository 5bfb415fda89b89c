/**
 * Asks a process of its own, for work that nothing but the end of its process interrupts, or whose memory nothing else limits: a
 * query of SQLite, a PDF of a stranger. `ApartProcess.ts` is the other end.
 */
import { fork } from "node:child_process"
import { existsSync } from "node:fs"

export type ApartAnswer = { readonly value: unknown } | { readonly message: string; readonly code?: string }

/** It did not answer in time. */
export class TookTooLong extends Error {}

/** It has ended: by `end`, because it took too much memory, or by a fault of its own. */
export class Ended extends Error {}

/** Beside its connector in a checkout and in the library, and in a folder with its like in the command. */
const moduleOf = (path: string): URL => {
  const name = path.split("/").at(-1)
  const all = [
    `./${path}.ts`,
    `./${path}.js`,
    ...["./reading", "../reading", "..", "."].map((at) => `${at}/${name}.js`)
  ]
  const found = all.map((one) => new URL(one, import.meta.url)).find((url) => existsSync(url))
  if (found === undefined) throw new Error("this build of Daybook is incomplete; run npm run build")
  return found
}

export interface Apart {
  /** One question after the other; rejects with `TookTooLong`, `Ended`, or what the work threw, with its code. */
  readonly ask: <A>(question: unknown, milliseconds: number) => Promise<A>
  readonly end: () => void
}

/** For what reads files of strangers: it runs no text as code, starts no program and writes nothing but what `ApartProcess.ts` does. */
export const CONFINED = [
  "--disallow-code-generation-from-strings",
  "--permission",
  "--allow-fs-read=*",
  "--allow-fs-write=/proc/self/oom_score_adj",
  "--allow-worker"
]

/**
 * @param path the module in this folder, without its ending: `sql/SqliteProcess`
 * @param flags of Node
 */
export const apart = (path: string, flags: ReadonlyArray<string> = []): Apart => {
  const child = fork(moduleOf(path), {
    serialization: "advanced",
    execArgv: [],
    // None of the secrets. A single executable takes Node's flags from here only.
    env: {
      TMPDIR: process.env["TMPDIR"],
      SystemRoot: process.env["SystemRoot"],
      ...(flags.length === 0 ? {} : { NODE_OPTIONS: flags.join(" ") })
    },
    stdio: ["ignore", "ignore", "ignore", "ipc"]
  })
  // Who waits keeps this process alive; the other one alone does not.
  child.unref()
  child.channel?.unref()
  const ended = new Ended("the process that reads it ended")
  let isOver = false
  let settle: ((said: ApartAnswer | Error) => void) | undefined
  let before: Promise<unknown> = Promise.resolve()
  const over = () => {
    isOver = true
    settle?.(ended)
  }
  child.on("message", (said: ApartAnswer) => settle?.(said))
  child.on("error", over)
  child.on("exit", over)
  const end = () => void child.kill("SIGKILL")
  const asked = <A>(question: unknown, milliseconds: number): Promise<A> =>
    new Promise<A>((resolve, reject) => {
      const timer = setTimeout(() => {
        settle?.(new TookTooLong())
        end()
      }, milliseconds)
      settle = (said) => {
        settle = undefined
        clearTimeout(timer)
        if ("value" in said) resolve(said.value as A)
        else reject(said)
      }
      if (isOver || !child.connected) settle(ended)
      else child.send(question as object)
    })
  return {
    ask: <A>(question: unknown, milliseconds: number) => {
      const answer = before.then(() => asked<A>(question, milliseconds))
      before = answer.catch(() => {})
      return answer
    },
    end
  }
}
