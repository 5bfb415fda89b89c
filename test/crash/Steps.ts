/**
 * Steps by chance against the real command: three processes at once on the books and on a bank that pays for them, while
 * the files change, the service fails, foreign pages answer, people decide, processes are stopped and killed, and the
 * state file is lost, found and put back. At each quiet point a witness, which shares no code with sync, reads both sides.
 */
import { copyFileSync, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { type Between, proxy } from "../orders/Proxy.ts"
import { Dice } from "../simulation/Dice.ts"
import { judgeInvoices } from "../support/witness/Invoices.ts"
import type { PrintedInvoices } from "../support/witness/Printed.ts"
import { Api } from "./Api.ts"
import { Crowd, type Finished } from "./Crowd.ts"
import { CONNECTIONS, Ledgers } from "./Ledgers.ts"
import type { Program } from "./Program.ts"
import { GO_ON } from "../support/GoOn.ts"

type Json = Readonly<Record<string, unknown>>

export interface Setting {
  readonly url: string
  /** Of the service, for this run alone. */
  readonly key: string
  readonly seed: number
  readonly steps: number
}

export interface Outcome {
  readonly steps: number
  readonly quiet: number
  readonly kills: number
  readonly transactions: number
  readonly found: ReadonlyArray<string>
  /** What happened since it was quiet and right. */
  readonly story: ReadonlyArray<string>
}

const WEIGHTS = {
  edit: 30,
  start: 24,
  daemon: 3,
  kill: 8,
  stop: 6,
  continue: 6,
  fault: 8,
  page: 4,
  clear: 3,
  decide: 8,
  wait: 8,
  lock: 2,
  copy: 3,
  lost: 2,
  restored: 2
} as const

export type Kind = keyof typeof WEIGHTS

const KINDS = Object.keys(WEIGHTS) as ReadonlyArray<Kind>

/** Steps between two quiet points. */
const ROUND = 20
const AT_ONCE = 3
const PARTS = ["", "-wal", "-shm"]
const SETTLED_MS = 800

const FAULTS = [
  { kind: "lose_request" },
  { kind: "lose_response" },
  { kind: "late", delay_ms: 200 },
  { kind: "garble" },
  { kind: "status", status: 500 },
  { kind: "status", status: 503 },
  { kind: "status", status: 429, retry_after: 1 },
  { kind: "delay", delay_ms: 300 },
  { kind: "delay", delay_ms: 40, times: 99 },
  { kind: "delay", delay_ms: 40, times: 99 }
] as const

const COMMANDS: ReadonlyArray<ReadonlyArray<string>> = [
  ["sync", ...GO_ON, "--json"],
  ["sync", ...GO_ON, "--json"],
  ["apply", ...GO_ON, "--json"],
  ["apply", "--json"],
  ["pull", "--json"],
  ["pull"],
  ["plan", "--json"],
  ["status"]
]

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

const lines = ({ said }: Finished): ReadonlyArray<Json> =>
  said.split("\n").flatMap((text): ReadonlyArray<Json> => (text.startsWith("{") ? [JSON.parse(text)] : []))

class Run {
  readonly #dice: Dice
  readonly #ledgers = new Ledgers()
  readonly #crowd: Crowd
  readonly #between: Between
  readonly #folder: string
  readonly #api: Api
  readonly #weights: ReadonlyArray<readonly [Kind, number]>
  /** Payments that a person placed, and what a person closed. */
  readonly #decided = new Set<string>()
  readonly #closed = new Set<string>()
  story: Array<string> = []
  found: Array<string> = []
  kills = 0
  transactions = 0

  constructor(program: Program, between: Between, setting: Setting) {
    this.#api = new Api(setting.url, setting.key)
    this.#between = between
    this.#dice = Dice.of(setting.seed, "steps")
    this.#folder = join(program.folder, `steps-${setting.seed}`)
    this.#crowd = new Crowd(program, this.#folder, setting.key)
    this.#weights = KINDS.map((kind) => [kind, WEIGHTS[kind]])
    mkdirSync(this.#folder)
    const service = {
      url: between.url,
      key: { env: "SERVICE_KEY" },
      concurrency: 4,
      settle_after: `${SETTLED_MS} millis`
    }
    const daemon = { listen: "127.0.0.1:0" }
    this.#file("daybook.config.json", JSON.stringify({ service, daemon, connections: CONNECTIONS }))
    for (let n = 0; n < 5; n++) this.#ledgers.change(this.#dice)
    this.#write()
  }

  #file(name: string, text: string): void {
    const path = join(this.#folder, name)
    writeFileSync(`${path}.new`, text)
    renameSync(`${path}.new`, path)
  }

  #write(): void {
    for (const [name, text] of Object.entries(this.#ledgers.files())) this.#file(name, text)
  }

  #say(what: string): void {
    this.story.push(what)
  }

  async step(): Promise<void> {
    const { below } = { below: (n: number) => this.#dice.below(n) }
    let left = below(this.#weights.reduce((sum, [, weight]) => sum + weight, 0))
    const [kind] = this.#weights.find(([, weight]) => (left -= weight) < 0)!
    await this.#take(kind)
    await pause(below(120))
  }

  async #take(kind: Kind): Promise<void> {
    const dice = this.#dice
    const crowd = this.#crowd
    const one = dice.of(crowd.running)
    switch (kind) {
      case "edit":
        for (let more = 1 + dice.below(4); more > 0; more--) this.#say(this.#ledgers.change(dice))
        return this.#write()
      case "start":
      case "daemon": {
        if (crowd.running.length >= AT_ONCE) return
        const args = kind === "daemon" ? ["daemon", "--log", "json"] : dice.of(COMMANDS)!
        return this.#say(`starts ${crowd.start(...args).name}`)
      }
      case "kill":
      case "stop":
      case "continue": {
        if (one === undefined && kind === "continue") return
        const chosen = one ?? crowd.start(...dice.of(COMMANDS)!)
        // Most of what a process does it does in its first second.
        if (one === undefined) await pause(250 + dice.below(700))
        const signal = ({ kill: "SIGKILL", stop: "SIGSTOP", continue: "SIGCONT" } as const)[kind]
        if (kind === "kill") this.kills++
        this.#say(`${signal} to ${chosen.name}`)
        return crowd.signal(chosen, signal)
      }
      case "fault": {
        const fault = { path: "/v1", skip: dice.below(8), times: 1 + dice.below(2), ...dice.of(FAULTS)! }
        this.#say(`the service: ${JSON.stringify(fault)}`)
        await this.#api.ask("POST", "/sandbox/faults", fault)
        return
      }
      case "page": {
        const method = dice.of(["GET", "POST", "PUT", "PATCH", "DELETE"])!
        const page = { method, path: "", status: dice.of([200, 400, 404, 409, 502])!, acts: dice.chance(0.5), times: 1 }
        this.#say(`a foreign page answers: ${JSON.stringify(page)}`)
        this.#between.foreign.push(page)
        return
      }
      case "clear":
        return this.#clear()
      case "decide":
        return this.#decide()
      case "wait":
        return void (await Promise.race([pause(1000), ...crowd.running.map(({ ended }) => ended)]))
      case "lock":
        this.#say("the lock's file is removed")
        return rmSync(join(this.#folder, "daybook.db.lock"), { force: true })
      case "copy":
      case "lost":
      case "restored":
        return this.#state(kind)
    }
  }

  async #clear(): Promise<void> {
    this.#say("the service works again")
    this.#between.foreign.splice(0)
    await this.#api.ask("DELETE", "/sandbox/faults")
  }

  /** A person looks at something that is open, and decides. */
  async #decide(): Promise<void> {
    const dice = this.#dice
    const open = lines(await this.#crowd.run("attention", "--json")).filter(({ type }) => type === "attention")
    const one = dice.of(open)
    if (one === undefined || this.#crowd.running.length >= AT_ONCE) return
    const [id, document] = [String(one["id"]), String(one["document"])]
    const what = dice.of(["retry", "note", "invoice", "none"] as const)!
    const isPayment = document.startsWith("bank/")
    if (what === "retry" || !isPayment) {
      const args = what === "note" ? ["resolve", id, "--note", "seen to"] : ["retry", id]
      if (what === "note") for (const about of [document, String(one["fact"])]) this.#closed.add(about)
      return this.#say(`${document}: ${args.join(" ")}, ${this.#crowd.start("attention", ...args).name}`)
    }
    this.#decided.add(document)
    if (what === "note") this.#closed.add(document)
    const place = {
      note: ["--note", "seen to"],
      none: ["--none"],
      invoice: ["--invoice", dice.of(this.#ledgers.invoices)!]
    }
    const args = ["resolve", id, ...place[what]]
    this.#say(`${document}: ${args.join(" ")}, ${this.#crowd.start("attention", ...args).name}`)
  }

  /** The state file past the program, while nothing of it runs. */
  async #state(kind: "copy" | "lost" | "restored"): Promise<void> {
    const state = join(this.#folder, "daybook.db")
    const kept = join(this.#folder, "kept.db")
    await this.#crowd.quiet(0)
    const copy = (from: string, to: string) => {
      for (const part of PARTS) {
        rmSync(to + part, { force: true })
        if (existsSync(from + part)) copyFileSync(from + part, to + part)
      }
    }
    if (kind === "copy") {
      this.#say("everything is killed, the state file is copied")
      copy(state, kept)
    }
    if (kind === "restored" && existsSync(kept)) {
      this.#say("everything is killed, the copy of the state file is put back")
      copy(kept, state)
    }
    if (kind === "lost" && existsSync(state)) {
      const found = join(this.#folder, "found.db")
      copy(state, found)
      for (const part of PARTS) rmSync(state + part, { force: true })
      this.#say("everything is killed, the state file is lost; a sync; it is found again")
      await this.#crowd.run("sync", "--json")
      copy(found, state)
    }
  }

  /** Nothing happens any more: both sides say the same, or somebody is told. */
  async quiet(): Promise<void> {
    this.#say("-- quiet")
    await this.#crowd.quiet(this.#dice.below(2) * 8000)
    await this.#clear()
    await pause(250)
    let last: Finished | undefined
    for (let n = 0; n < 6; n++) {
      last = await this.#crowd.run("sync", ...GO_ON, "--json")
      this.#say(`sync ends with ${last.status}: ${last.said.trim().split("\n").at(-1)}`)
      if (last.status === 4) await this.#crowd.run("reconcile", "--fix", "--json")
      const summary = lines(last).find(({ type }) => type === "summary")
      if ([0, 3].includes(last.status ?? -1) && summary?.["done"] === 0 && summary["unknown"] === 0) break
      if (n === 5) return void this.found.push("it never gets quiet")
    }
    this.found.push(...(await this.#witness(last!)), ...this.#crowd.found.splice(0))
  }

  async #witness(last: Finished): Promise<ReadonlyArray<string>> {
    const transactions = await this.#api.transactions()
    this.transactions = transactions.length
    const printed = lines(last)
      .filter(({ type }) => type === "completeness")
      .map((one) => ({ more: 0, ...one })) as unknown as ReadonlyArray<PrintedInvoices>
    const open = lines(last).filter(({ type }) => type === "attention")
    const attention = new Set([
      ...this.#closed,
      ...open.flatMap(({ document, fact }) => [String(document), String(fact)])
    ])
    const { bank, books } = this.#ledgers.documents()
    const sources = { connection: "books", documents: books, paying: { connection: "bank", documents: bank } }
    const ids = transactions.map(({ unique_id }) => unique_id)
    const twice = ids.filter((id, at) => ids.indexOf(id) < at).map((id) => `${id} is on the service twice`)
    return [...twice, ...judgeInvoices(sources, { transactions, printed, attention, decided: this.#decided })]
  }

  async end(): Promise<void> {
    await this.#crowd.quiet(0)
  }
}

/** So many steps of one seller's books, from the first day, quiet now and then and at the end. */
export const steps = async (program: Program, setting: Setting): Promise<Outcome> => {
  const between = await proxy(setting.url)
  const run = new Run(program, between, setting)
  let [n, quiet] = [0, 0]
  try {
    while (n < setting.steps && run.found.length === 0) {
      run.story = []
      for (let more = Math.min(ROUND, setting.steps - n); more > 0; more--, n++) await run.step()
      await run.quiet()
      quiet++
    }
  } finally {
    await run.end()
    await between.close()
  }
  const { found, kills, story, transactions } = run
  return { steps: n, quiet, kills, transactions, found, story: found.length === 0 ? [] : story }
}
