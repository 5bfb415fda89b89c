/**
 * The place of a drill: a folder with a copy of the books, a configuration that leads to a service on this machine only, and that
 * service. The program is run there as a process of its own, which has nothing of the person's environment.
 */
import { spawn } from "node:child_process"
import { randomUUID } from "node:crypto"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { type Journal, startSandbox } from "../../core/sandbox/index.ts"
import { overlaid } from "../../sync/library/config/Overlay.ts"
import { GUARDS } from "../../sync/model/Guard.ts"
import type { Held, Seen } from "./Outside.ts"

/** The key of the drill's own services, which hold the books: for this process alone. */
const KEY = `drill-${randomUUID()}`
const AUTHORIZATION = `Token ${KEY}`
const VARIABLE = "DAYBOOK_DRILL_KEY"

/** What a process needs to start. */
const NEEDED = ["PATH", "SystemRoot", "TMPDIR", "TEMP"]

/** How often to look how far a process is that is about to be killed. Milliseconds. */
const LOOKS_MS = 3

/** How a process ended. */
export interface Ran {
  /** Null: it was killed. */
  readonly status: number | null
  /** The first line of what it complained of. */
  readonly why: string
  readonly lines: ReadonlyArray<Readonly<Record<string, unknown>>>
  readonly ms: number
  /** When it ended, by a monotonic clock. */
  readonly ended: number
}

/** Everything is sent that the books have: a drill is about how, and not about whether. */
const SEND = ["apply", "--yes", "--allow", GUARDS.join(",")]

/** The configuration of a drill: nothing is insured, approved or told to anybody, and the service is that of the drill. */
const settings = (configuration: unknown, url: string): unknown =>
  overlaid(configuration, {
    service: { url, key: { env: VARIABLE }, scheme: null, settle_after: "200 millis", concurrency: 4 },
    ...{ alerts: null, daemon: null },
    connections: [{ cover: null, approve: null, webhook: null, every: null, first_sync: "send" }]
  })

export class Place {
  readonly file: string
  readonly #config: string
  readonly #sandbox: Awaited<ReturnType<typeof startSandbox>>

  private constructor(folder: string, sandbox: Awaited<ReturnType<typeof startSandbox>>) {
    this.file = join(folder, "daybook.db")
    this.#config = join(folder, "daybook.config.json")
    this.#sandbox = sandbox
  }

  static readonly make = async (folder: string, configuration: unknown): Promise<Place> => {
    const place = new Place(folder, await startSandbox({ port: 0, keys: [KEY], guarded: true }))
    writeFileSync(place.#config, JSON.stringify(settings(configuration, place.#sandbox.url)))
    return place
  }

  close(): Promise<void> {
    return this.#sandbox.close()
  }

  async #control<A>(method: string, path: string, body?: object): Promise<A | undefined> {
    const answer = await fetch(`${this.#sandbox.url}/sandbox/${path}`, {
      method,
      headers: { authorization: AUTHORIZATION },
      ...(body === undefined ? {} : { body: JSON.stringify(body) })
    })
    return answer.status === 204 ? undefined : ((await answer.json()) as A)
  }

  /** Every request is answered so, until `mend`. */
  async disturb(fault: { readonly kind: string; readonly status?: number }): Promise<void> {
    await this.#control("POST", "faults", { path: "/", ...fault })
  }

  async mend(): Promise<void> {
    await this.#control("DELETE", "faults")
  }

  async #calls(since = 0): Promise<ReadonlyArray<Journal>> {
    return (await this.#control<ReadonlyArray<Journal>>("GET", `requests?since=${since}`)) ?? []
  }

  /** The number of the last request. */
  async asked(): Promise<number> {
    return (await this.#calls()).at(-1)?.n ?? 0
  }

  /** How many calls had an effect since then. */
  async acted(since = 0): Promise<number> {
    return (await this.#calls(since)).filter(({ acted, method }) => acted && method !== "GET").length
  }

  /** @param killAfter how many calls have an effect before it is killed (SIGKILL) */
  async run(args: ReadonlyArray<string>, killAfter?: number): Promise<Ran> {
    const since = await this.asked()
    const began = performance.now()
    const env = Object.fromEntries(
      NEEDED.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]]))
    )
    const child = spawn(
      process.execPath,
      [process.argv[1] ?? "", "--config", this.#config, "--state", this.file, "--json", ...args],
      { cwd: join(this.file, ".."), env: { ...env, [VARIABLE]: KEY }, stdio: ["ignore", "pipe", "pipe"] }
    )
    const said = { out: "", err: "" }
    child.stdout.setEncoding("utf8").on("data", (text) => void (said.out += text))
    child.stderr.setEncoding("utf8").on("data", (text) => void (said.err += text))
    const ending = new Promise<number | null>((resolve, reject) => {
      child.on("error", reject)
      child.on("close", resolve)
    })
    let isOver = false
    void ending.finally(() => void (isOver = true)).catch(() => {})
    while (killAfter !== undefined && !isOver) {
      if ((await this.acted(since)) >= killAfter) child.kill("SIGKILL")
      await new Promise((resolve) => setTimeout(resolve, LOOKS_MS))
    }
    const status = await ending
    const ended = performance.now()
    const lines = said.out.split("\n").filter((line) => line.startsWith("{") && line.endsWith("}"))
    return {
      ...{ status, ended, ms: Math.round(ended - began), why: said.err.trim().split("\n")[0] ?? "" },
      lines: lines.map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>)
    }
  }

  send(killAfter?: number): Promise<Ran> {
    return this.run(SEND, killAfter)
  }

  /** How many calls the plan has that change something. */
  async planned(): Promise<number> {
    const { lines, why } = await this.run(["plan"])
    const { calls, readings = 0 } = lines.find(({ type }) => type === "summary") ?? {}
    if (typeof calls !== "number") throw new Error(`the books of the copy cannot be planned: ${why}`)
    return calls - Number(readings)
  }

  async seen(): Promise<Seen> {
    const holds: Array<Held> = []
    for (let next: string | null = `${this.#sandbox.url}/v1/transactions?limit=100`; next !== null; ) {
      const answer = await fetch(next, { headers: { authorization: AUTHORIZATION } })
      const page = (await answer.json()) as { readonly next: string | null; readonly results: ReadonlyArray<Held> }
      holds.push(...page.results)
      next = page.next
    }
    return { calls: await this.#calls(), holds }
  }
}
