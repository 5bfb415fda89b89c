/**
 * Runs `daybook daemon` in a process of its own, on a free port, and collects its output.
 */
import Sqlite from "better-sqlite3"
import { type ChildProcess, spawn } from "node:child_process"
import { createServer, type AddressInfo } from "node:net"
import { join } from "node:path"
import { atEnd } from "./AtEnd.ts"
import { KEY, program } from "./Cli.ts"

/** Kills the process even if its test fails. */
export const killAtEnd = (child: ChildProcess): void =>
  atEnd(() => {
    if (child.exitCode === null && child.signalCode === null) child.kill("SIGKILL")
  })

export interface Said {
  readonly time: string
  readonly level: string
  readonly message: string
  readonly connection?: string
  readonly outcome?: string
  readonly [member: string]: unknown
}

export interface Running {
  readonly url: string
  readonly child: ChildProcess
  /** All events logged so far. */
  readonly said: () => ReadonlyArray<Said>
  /** Its raw standard output and standard error. */
  readonly text: () => string
  /** Waits for an event that matches. */
  readonly says: (fits: (said: Said) => boolean, from?: number) => Promise<Said>
  /** Makes every connection due now, so that tests need not wait. */
  readonly turn: () => void
  /** Ends it with this signal; returns its exit status and signal. */
  readonly stop: (signal?: NodeJS.Signals) => Promise<readonly [number | null, NodeJS.Signals | null]>
  readonly ended: Promise<readonly [number | null, NodeJS.Signals | null]>
}

const pause = (millis: number) => new Promise((resolve) => setTimeout(resolve, millis))

/** A port that is free at this moment. */
export const freePort = () =>
  new Promise<number>((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address() as AddressInfo
      server.close(() => resolve(port))
    })
  })

/** Polls until the result is defined. Fails after 50 seconds, before the test times out without a message. */
export const until = async <A>(what: string, ask: () => A | undefined | Promise<A | undefined>): Promise<A> => {
  for (let n = 0; n < 1000; n++) {
    const answer = await ask()
    if (answer !== undefined) return answer
    await pause(50)
  }
  throw new Error(`it never came to this: ${what}`)
}

const parse = (line: string): ReadonlyArray<Said> => {
  try {
    return [JSON.parse(line) as Said]
  } catch {
    return []
  }
}

/** Starts it in a folder, and waits until it is ready. */
export const startDaemon = async (
  folder: string,
  options: {
    readonly env?: Readonly<Record<string, string>>
    readonly args?: ReadonlyArray<string>
    readonly port?: number
    /** What Node runs instead of the built command. */
    readonly program?: ReadonlyArray<string>
  } = {}
): Promise<Running> => {
  const args = ["daemon", "--listen", `127.0.0.1:${options.port ?? 0}`, "--log", "json", ...(options.args ?? [])]
  const env = { ...process.env, SERVICE_KEY: KEY, ...options.env }
  const child = spawn(process.execPath, [...(options.program ?? [program()]), ...args], {
    cwd: folder,
    env,
    stdio: ["ignore", "pipe", "pipe"]
  })
  killAtEnd(child)
  let text = ""
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (more) => void (text += more))
  const ended = new Promise<readonly [number | null, NodeJS.Signals | null]>((resolve) =>
    child.on("close", (status, signal) => resolve([status, signal]))
  )
  const said = () => text.split("\n").flatMap(parse)
  const says: Running["says"] = (fits, from = 0) =>
    until(`a fitting line in\n${text}`, () => said().slice(from).find(fits)).catch(() => {
      throw new Error(`it did not say what was expected, but this:\n${text}`)
    })
  const listening = await Promise.race([
    says(({ message }) => message.startsWith("listening at ")),
    ended.then(([status]) => {
      throw new Error(`it ended with ${status}:\n${text}`)
    })
  ])
  const url = String(listening["url"])
  await until("ready", async () => ((await fetch(`${url}/readyz`)).status === 200 ? true : undefined))
  return {
    url,
    child,
    said,
    text: () => text,
    says,
    ended,
    turn: () => {
      const db = new Sqlite(join(folder, "daybook.db"), { timeout: 20_000 })
      db.exec("UPDATE run_state SET due_from = due_from - 86400000")
      db.close()
      child.kill("SIGHUP")
    },
    stop: (signal = "SIGTERM") => {
      child.kill(signal)
      return ended
    }
  }
}
