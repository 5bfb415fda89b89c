/**
 * The real program, killed with kill -9 at moments that a seed chooses, while the books change and the service, in
 * another process, fails in every way. What must hold is read from the service over HTTP and from the state file.
 */
import Sqlite from "better-sqlite3"
import type { ChildProcess } from "node:child_process"
import { existsSync } from "node:fs"
import { join } from "node:path"
import type { Journal } from "../../core/sandbox/index.ts"
import { Dice } from "../simulation/Dice.ts"
import { type Counter, Shop, type Standing } from "../simulation/Shop.ts"
import { Seller } from "../simulation/Source.ts"
import { doubles, type Holding, type Json, stateFile, unfaithful } from "../support/Sides.ts"
import { asRead, Desk } from "./Desk.ts"
import { KEY, type Program } from "./Program.ts"
import { GO_ON } from "../support/GoOn.ts"

/** Faults that a run meets, each at most so often. Late ones come well before their absence is believed. */
const FAULTS = [
  { kind: "lose_request" },
  { kind: "lose_response" },
  { kind: "late", delay_ms: 200 },
  { kind: "garble" },
  { kind: "status", status: 500 },
  { kind: "status", status: 503 },
  { kind: "status", status: 429, retry_after: 1 },
  { kind: "delay", delay_ms: 30 }
] as const

export interface Survey {
  readonly kills: number
  /** Kills that met a run with requests on their way, or answers that were not written down. */
  readonly pendingCalls: number
  readonly requests: number
  readonly transactions: number
  readonly captures: number
  readonly found: ReadonlyArray<string>
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

class Line {
  readonly url: string
  constructor(url: string) {
    this.url = url
  }

  readonly ask = async <A = Json>(method: string, path: string, body?: unknown): Promise<A> => {
    const answer = await fetch(path.startsWith("http") ? path : this.url + path, {
      method,
      headers: { authorization: `Token ${KEY}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) })
    })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`)
    return (text === "" ? {} : JSON.parse(text)) as A
  }

  async all(path: string): Promise<ReadonlyArray<Json>> {
    const found: Array<Json> = []
    for (let next: string | null = `${path}?limit=100`; next !== null; ) {
      const page: { readonly next: string | null; readonly results: ReadonlyArray<Json> } = await this.ask("GET", next)
      found.push(...page.results)
      next = page.next
    }
    return found
  }

  async holdings(): Promise<ReadonlyArray<Holding>> {
    const transactions = await this.all("/v1/transactions")
    return Promise.all(
      transactions.map(async (transaction) => ({
        transaction,
        payments: await this.all(`/v1/transactions/${String(transaction["id"])}/payments/`)
      }))
    )
  }

  journal = (): Promise<ReadonlyArray<Journal>> => this.ask("GET", "/sandbox/requests?since=0")

  readonly look = async (id: string): Promise<Standing> => {
    const one = await this.ask("GET", `/v1/payment/deferred_payments/${id}?expand=order`)
    const n = (name: string) => Number(one[name])
    const keys = new Map<unknown, string>()
    for (const { acted, idempotency_key, method, path } of await this.journal()) {
      const event = /^\/v1\/payment\/deferred_payments\/([^/]+)\/(capture|void|refund)\/?$/.exec(path)
      // Under one key the service books once, however often it is asked.
      if (method === "POST" && acted && event?.[1] === id) keys.set(idempotency_key, event[2]!)
    }
    return {
      open: n("authorisation"),
      captured: n("protected_captures") + n("unprotected_captures"),
      voided: n("voided_authorisation"),
      refunded: n("refunds"),
      status: one["status"],
      events: [...keys.values()],
      reference: (one["order"] as Json)["unique_id"]
    }
  }
}

const query = (file: string, sql: string): ReadonlyArray<Json> => {
  if (!existsSync(file)) return []
  const db = new Sqlite(file, { readonly: true })
  try {
    if (db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'call'").get() === undefined) return []
    return db.prepare(sql).all() as ReadonlyArray<Json>
  } finally {
    db.close()
  }
}

/**
 * One seller and shop, from their first day, through so many kills, of which so many are to meet a call on its way, until
 * everything is quiet.
 */
export const crash = async (program: Program, seed: number, kills: number, meet = 0): Promise<Survey> => {
  const sandbox = await program.sandbox()
  try {
    const line = new Line(sandbox.url)
    const desk = new Desk(join(program.folder, `desk-${seed}`), sandbox.url)
    const dice = Dice.of(seed, "crash")
    const seller = new Seller(Dice.of(seed, "seller"))
    const held = "SELECT 1 FROM ledger WHERE held IS NOT NULL AND subject ="
    const counter: Counter = {
      ask: line.ask,
      look: line.look,
      found: (id) => query(desk.state, `${held} 'books/order/${id}'`).length > 0
    }
    const shop = new Shop(counter, "value")
    const found: Array<string> = []
    let pendingCalls = 0
    const args = ["sync", ...GO_ON, "--json"]

    /** Kills at a moment of the run: some time after it began, or once so many more requests came in. */
    const moment = (before: number) => async (child: ChildProcess) => {
      const alive = () => child.exitCode === null && child.signalCode === null
      if (dice.chance(0.3)) return void (await pause(100 + dice.below(900)))
      const more = 1 + dice.below(25)
      for (let n = 0; alive() && n < 2000 && (await line.journal()).length < before + more; n++) await pause(3)
      await pause(dice.below(4))
    }

    let killed = 0
    const isEnough = () => found.length > 0 || (killed >= kills && pendingCalls >= meet)
    for (let n = 1; !isEnough() && n < (kills + meet) * 10; n++) {
      for (let changes = 4 + dice.below(16); changes > 0; changes--) seller.change(dice)
      if (shop.documents.length === 0 || dice.chance(0.05)) await shop.sell(dice)
      for (let changes = dice.below(4); changes > 0; changes--) shop.change(dice)
      if (dice.chance(0.3)) await shop.accept()
      desk.write([...seller.documents, ...shop.documents])
      for (let faults = dice.below(6); faults > 0; faults--)
        await line.ask("POST", "/sandbox/faults", {
          ...dice.of(FAULTS)!,
          path: "/v1",
          skip: dice.below(20),
          times: 1 + dice.below(2)
        })
      const ran = await program.run(desk.folder, args, moment((await line.journal()).length))
      await line.ask("DELETE", "/sandbox/faults")
      if (ran.signal === "SIGKILL") killed++
      else if (ran.status !== 0 && ran.status !== 1 && ran.status !== 3)
        found.push(`ended with ${ran.status}: ${ran.said}`)
      if (ran.said.includes(KEY)) found.push(`the key is shown: ${ran.said}`)
      if (query(desk.state, "SELECT 1 FROM claim WHERE has_receipt = 0").length > 0) pendingCalls++
      if (existsSync(desk.state)) found.push(...stateFile(desk.state, { holdings: [], quiet: false, secrets: [KEY] }))
      if (killed % 5 === 0) found.push(...doubles(await line.holdings()), ...(await shop.always()))
    }

    // What was on its way arrives, and two runs without faults follow.
    await pause(300)
    await shop.accept()
    for (let n = 0; n < 2; n++) {
      const { said, status } = await program.run(desk.folder, args)
      if (status !== 0 && status !== 3) found.push(`a quiet run ends with ${status}: ${said}`)
    }
    const before = (await line.journal()).length
    const last = await program.run(desk.folder, args)
    const changes = (await line.journal()).slice(before)
    if (changes.length > 0) found.push(`a further run makes ${changes.length} requests: ${JSON.stringify(changes[0])}`)
    const summary = last.said.trim().split("\n").at(-1)
    if (!/"done":0,"failed":0,"attention":\d+,"unknown":0,"recovered":0/.test(summary ?? "")) found.push(`${summary}`)

    const holdings = await line.holdings()
    const open = query(desk.state, "SELECT DISTINCT subject FROM attention WHERE closed IS NULL")
    const source = { id: "books", documents: asRead([...seller.documents, ...shop.documents]) }
    const attention = new Set(open.map(({ subject }) => String(subject)))
    const refused = query(desk.state, "SELECT why FROM attention WHERE closed IS NULL AND refused_state IS NOT NULL")
    found.push(
      ...doubles(holdings),
      ...unfaithful(source, holdings, attention),
      ...stateFile(desk.state, { holdings, quiet: true, secrets: [KEY] }),
      ...(await shop.always()),
      ...(await shop.settled()),
      ...refused.map(({ why }) => String(why))
    )
    const journal = await line.journal()
    const captures = journal.filter(({ acted, path }) => acted && path.endsWith("/capture")).length
    return { kills: killed, pendingCalls, requests: journal.length, transactions: holdings.length, captures, found }
  } finally {
    await sandbox.end()
  }
}
