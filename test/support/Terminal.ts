/** Runs the program at a terminal. Node cannot open a pseudo-terminal, so `script` of util-linux does. */
import { spawn, spawnSync } from "node:child_process"
import { stripVTControlCharacters } from "node:util"
import { atEnd } from "./AtEnd.ts"
import { KEY, program } from "./Cli.ts"

/** Whether there is util-linux's `script`, which runs a command at a pseudo-terminal and ends with its exit status. */
export const hasScript = /util-linux/.test(spawnSync("script", ["--version"], { encoding: "utf8" }).stdout ?? "")
export const MISSING = "there is no script of util-linux on this machine, which opens a pseudo-terminal"

export interface Shown {
  readonly status: number | null
  readonly shown: string
}

/** How prompts end: yes or no, a name, a reason. */
const QUESTION = /(?:\[y\/N\]|\[yes\/no\]|Your name:|Why:) /g

/** Runs a command at a terminal. What it shows is looked at as it comes, and what is returned of it is typed. */
const run = (
  folder: string,
  command: string,
  type: (shown: string) => string,
  more: Readonly<Record<string, string>>
): Promise<Shown> =>
  new Promise((resolve, reject) => {
    const line = `'${process.execPath}' '${program()}' ${command}`
    const env = { ...process.env, ...more, SERVICE_KEY: KEY, NO_COLOR: "1", TERM: "xterm", SHELL: "/bin/sh" }
    const child = spawn("script", ["--quiet", "--return", "--command", line, "/dev/null"], { cwd: folder, env })
    atEnd(() => {
      if (child.exitCode === null) child.kill("SIGKILL")
    })
    let shown = ""
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      shown += text
      const typed = type(stripVTControlCharacters(shown))
      if (typed !== "") child.stdin.write(typed)
    })
    child.on("error", reject)
    child.on("close", (status) => resolve({ status, shown: stripVTControlCharacters(shown) }))
  })

/** Runs a command at a terminal, and gives these answers, one per prompt. */
export const atTerminal = (
  folder: string,
  command: string,
  answers: ReadonlyArray<string>,
  more: Readonly<Record<string, string>> = {}
): Promise<Shown> => {
  let answered = 0
  const type = (shown: string) => {
    const asked = Math.min(shown.match(QUESTION)?.length ?? 0, answers.length)
    return answers.slice(answered, (answered = Math.max(answered, asked))).join("")
  }
  return run(folder, command, type, more)
}

/** Runs a command at a terminal, and answers each question that it ends a line with by what is said to it. */
export const converse = async (
  folder: string,
  command: string,
  answer: (question: string) => string
): Promise<Shown & { readonly asked: ReadonlyArray<string> }> => {
  const asked: Array<string> = []
  let answered = 0
  const type = (shown: string) => {
    const question = /[^\n]*[\]?)] $/.exec(shown)?.[0]
    if (question === undefined || shown.length <= answered) return ""
    answered = shown.length
    asked.push(question.trim())
    return `${answer(question)}\n`
  }
  return { ...(await run(folder, command, type, {})), asked }
}
