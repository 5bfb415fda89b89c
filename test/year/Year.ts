/**
 * Plays the script: each morning what happened since yesterday, one `daybook sync`, and then the statement of cover beside an
 * account that knows nothing of Daybook; at last what people do that day. Stops at the first day that is wrong.
 */
import { REJECTIONS } from "../../core/sandbox/rules/Rejections.ts"
import { all, differences, type Held, held, openOn, partOf, penceOf, said, statement, statuses } from "./Account.ts"
import { type Desk, dayOf, open, pdf, pence, PRICE } from "./Desk.ts"
import { broken, spentIn } from "./Laws.ts"
import { type Bill, LIMITED, type Move, script } from "./Script.ts"

type Line = Readonly<Record<string, unknown>>

/** What a year brought, to show that nothing of it was left out. */
export interface Seen {
  days: number
  invoices: number
  readonly parts: Set<string>
  readonly codes: Set<string>
  readonly statuses: Set<string>
  readonly quotes: Set<string>
  readonly done: Map<string, number>
  /** Days on which an offer waited because the month's limit was reached. */
  full: number
}

export interface YearReport {
  readonly found: ReadonlyArray<string>
  readonly seen: Seen
}

const STATEMENTS = ["completeness", "orders", "payments", "cover"]
const OF_COVER = ["exposure", "total", "budget", "deadline", "invoice"]

interface Printed {
  readonly statement: string
  readonly cover: string
}

/** Lines of these types as text; without limits, and why something waits: those are not kept as of a day. */
const figures = (lines: ReadonlyArray<Line>, types: ReadonlyArray<string>): string =>
  lines
    .filter(({ type }) => types.includes(String(type)))
    .map(({ limit, why, ...one }) => JSON.stringify(one["type"] === "budget" ? { ...one, limit } : one))
    .join("\n")

class Year {
  readonly seen: Seen = {
    days: 0,
    invoices: 0,
    parts: new Set(),
    codes: new Set(),
    statuses: new Set(),
    quotes: new Set(),
    done: new Map(),
    full: 0
  }
  readonly #people = {
    approved: new Set<string>(),
    rejected: new Set<string>(),
    confirmed: new Set<string>(),
    reminded: new Map<string, Set<string>>()
  }
  readonly #bills = new Map<string, Bill>()
  readonly #open = new Map<string, bigint>()
  readonly #companies = new Map<string, string>()
  readonly #files = {
    "invoices.csv": "Invoice,Buyer,Country,Address,Currency,Issued,Due,Net,Gross,State\n",
    "payments.csv": "Ref,Invoice,Date,Amount,Currency,Type\n",
    "credit_notes.csv": "Note,Invoice,Date,Gross,Currency\n"
  }
  #rows = 0
  /** What was printed, by day. */
  readonly #printed = new Map<number, Printed>()
  readonly #desk: Desk
  readonly #script: ReturnType<typeof script>

  constructor(desk: Desk, seed: number) {
    this.#desk = desk
    this.#script = script(seed)
  }

  #count(what: string): void {
    this.seen.done.set(what, (this.seen.done.get(what) ?? 0) + 1)
  }

  async #begin(): Promise<void> {
    for (const [n, name] of this.#script.buyers.entries()) {
      const credit_limit = name === LIMITED ? { currency: "GBP", amount: "4000.00" } : null
      const body = { name, country: "GB", reg_number: String(90_000_000 + n), decision: null, credit_limit }
      const { id } = await this.#desk.asked<{ readonly id: string }>("POST", "/sandbox/companies", body)
      this.#companies.set(name, id)
    }
  }

  /** What a person or a bank wrote into the books. */
  #write(move: Move, day: number): void {
    const today = dayOf(day)
    const row = `R-${++this.#rows}`
    if (move.what === "issue") {
      const { buyer, currency, due, gross, id, issued, net } = move.bill
      const cells = [
        id,
        buyer,
        "GB",
        "1 Quay Street Bristol",
        currency,
        dayOf(issued),
        dayOf(due),
        pence(net),
        pence(gross)
      ]
      this.#files["invoices.csv"] += `${cells.join(",")},Sent\n`
      this.#desk.write(`invoices/${id}.pdf`, pdf(id))
      this.#bills.set(id, move.bill)
      this.#open.set(id, gross)
      this.seen.invoices++
    } else if (move.what === "pay" || move.what === "fail" || move.what === "credit") {
      const { amount, bill, what } = move
      const { currency, id } = bill
      const left = this.#open.get(id) ?? 0n
      this.#open.set(id, what === "fail" ? left + amount : left - amount)
      if (what === "credit") this.#files["credit_notes.csv"] += `${row},${id},${today},${pence(amount)},${currency}\n`
      else
        this.#files["payments.csv"] +=
          `${row},${id},${today},${what === "fail" ? "-" : ""}${pence(amount)},${currency},${what === "fail" ? "error" : ""}\n`
    }
  }

  /** What happens before the sync of a day. */
  async #morning(day: number, holds: ReadonlyMap<string, Held>): Promise<void> {
    const desk = this.#desk
    await desk.morning(day)
    for (const move of this.#script.on(day)) {
      this.#write(move, day)
      if (move.what === "decide") {
        const decision = move.code === null ? null : { code: move.code, params: REJECTIONS[move.code]!.params }
        await desk.asked("PUT", `/sandbox/companies/${this.#companies.get(move.buyer)}/decision`, decision)
      } else if (move.what === "recover") {
        const policy = holds.get(move.bill.id)?.policy
        if (policy === null || policy === undefined || !this.#people.confirmed.has(move.bill.id)) continue
        const { recovered, status } = move
        await desk.asked("PUT", `/sandbox/policies/${policy.id}/status`, {
          status,
          ...(recovered === undefined ? {} : { recovered: pence(recovered) })
        })
      } else if (move.what === "approve" || move.what === "reject" || move.what === "hand over") continue
      this.#count(move.what)
    }
    for (const [name, text] of Object.entries(this.#files)) desk.write(name, text)
  }

  async #command(statuses: ReadonlyArray<number>, ...args: ReadonlyArray<string>) {
    const ran = await this.#desk.run(...args)
    if (!statuses.includes(ran.status ?? -1))
      throw new Error(`daybook ${args.join(" ")} ended with ${ran.status}: ${ran.stdout}${ran.stderr}`)
    return ran.stdout
  }

  async #records(...args: ReadonlyArray<string>): Promise<ReadonlyArray<Line>> {
    const text = await this.#command([0, 3], ...args, "--json")
    return text
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line) as Line)
  }

  async #lines(type: string, ...args: ReadonlyArray<string>): Promise<ReadonlyArray<Line>> {
    return (await this.#records(...args)).filter((line) => line["type"] === type)
  }

  /** Nobody is reminded where nothing can be handed over. */
  async #remind(holds: ReadonlyMap<string, Held>): Promise<void> {
    if (![...holds.values()].some(({ policy }) => policy?.status === "late_can_handover")) return
    for (const { document, why } of await this.#lines("attention", "attention")) {
      const days = /the window to hand it over closes on \S+: (.+) left/.exec(String(why))?.[1]
      const number = String(document).split("/").at(-1)!
      if (days === undefined) continue
      const before = this.#people.reminded.get(number) ?? new Set()
      this.#people.reminded.set(number, before.add(days))
    }
  }

  async #compare(
    day: number,
    holds: ReadonlyMap<string, Held>,
    synced: ReadonlyArray<Line>
  ): Promise<ReadonlyArray<string>> {
    const bills = [...this.#bills.values()]
    const report = await this.#records("cover")
    this.#printed.set(day, { statement: figures(synced, STATEMENTS), cover: figures(report, OF_COVER) })
    const totals = report.filter(({ type }) => type === "total")
    const theirs = report.filter(({ type }) => type === "invoice")
    const onService = statement(bills, holds, ({ id }) => {
      const one = holds.get(id)
      return one === undefined ? 0n : openOn(one)
    })
    const inBooks = statement(bills, holds, ({ id }) => this.#open.get(id) ?? 0n)
    const handed = await all<{ readonly policy: string; readonly sent: string | null }>(
      this.#desk,
      "/v1/collections?limit=100"
    )
    const sent = new Set(handed.flatMap(({ policy, sent }) => (sent === null ? [] : [policy])))
    this.#look(bills, holds, day)
    const wrong = [
      ...statuses(holds, theirs),
      ...differences(onService, said(totals, "onService")).map((one) => `on the service: ${one}`),
      ...differences(inBooks, said(totals, "inBooks")).map((one) => `in the books: ${one}`),
      ...broken(this.#bills, holds, this.#people, sent, dayOf(day))
    ]
    return wrong.length === 0 ? [] : [...wrong, ...this.#apart(holds, theirs)]
  }

  /** Invoices of which Daybook says another part. */
  #apart(holds: ReadonlyMap<string, Held>, theirs: ReadonlyArray<Line>): ReadonlyArray<string> {
    return theirs.flatMap(({ document, open, state, status, why }) => {
      const id = String(document).split("/").at(-1)!
      const [bill, one] = [this.#bills.get(id), holds.get(id)]
      if (bill === undefined || (partOf(one, bill) === state && penceOf(String(open)) === this.#open.get(id))) return []
      const ours = `${partOf(one, bill)} (${one?.status}, quote ${one?.quote?.status}, policy ${one?.policy?.status}) ${this.#open.get(id)}`
      return [`${id}: ${ours}; Daybook: ${state} (${status}) ${open}, ${why}`]
    })
  }

  #look(bills: ReadonlyArray<Bill>, holds: ReadonlyMap<string, Held>, day: number): void {
    const { codes, parts, quotes, statuses } = this.seen
    for (const bill of bills) {
      const one = holds.get(bill.id)
      parts.add(partOf(one, bill))
      if (one?.quote) quotes.add(one.quote.status)
      if (one?.quote?.rejection_reason) codes.add(one.quote.rejection_reason.code)
      if (one?.policy) statuses.add(one.policy.status)
    }
    const waits = [...holds.values()].some(
      ({ policy, quote }) =>
        policy === null &&
        quote?.status === "offered" &&
        penceOf(quote.total_price ?? "0") <= PRICE.invoice &&
        spentIn(holds, dayOf(day).slice(0, 7)) + penceOf(quote.total_price ?? "0") > PRICE.month
    )
    if (waits) this.seen.full++
  }

  /** What people do after they saw how it stands; the next sync carries it out. */
  async #decide(day: number, holds: ReadonlyMap<string, Held>): Promise<void> {
    for (const move of this.#script.on(day)) {
      if (move.what === "approve" || move.what === "reject") {
        const { policy, quote, status } = holds.get(move.bill.id) ?? {}
        if (policy || quote?.status !== "offered" || status !== "pending") continue
        const verb = move.what === "approve" ? "buy" : "reject"
        const shown = await this.#command([3], "cover", verb, move.bill.id)
        const digest = /--digest (\S+)/.exec(shown)?.[1] ?? ""
        await this.#command([0], "cover", verb, move.bill.id, "--yes", "--digest", digest, "--by", "Pat")
        this.#people[move.what === "approve" ? "approved" : "rejected"].add(move.bill.id)
      } else if (move.what === "hand over") {
        const one = holds.get(move.bill.id)
        if (one?.policy?.status !== "late_can_handover" || openOn(one) === 0n) continue
        await this.#handOver(move.bill.id, move.file)
      } else continue
      this.#count(move.what)
    }
  }

  async #handOver(id: string, file: boolean): Promise<void> {
    if (file) {
      this.#desk.write(`parcels/${id}.pdf`, pdf(`the parcel of ${id}`))
      const path = this.#desk.path(`parcels/${id}.pdf`)
      await this.#command([3], "collect", id, "--attach", path, "--type", "proof_delivery", "--name", "Ada Reed")
    }
    const [view] = await this.#lines("collection", "collect", id)
    const word = ["--not-disputed", "--declare-correct", "--accept-terms", "--name", "Ada Reed"]
    await this.#command([0], "collect", id, "--confirm", "--digest", String(view?.["digest"]), ...word)
    this.#people.confirmed.add(id)
  }

  /** Each collection has its documents once: the invoice, the statement of account, and what a person added. */
  async handedOver(): Promise<ReadonlyArray<string>> {
    const holds = await held(this.#desk)
    const found: Array<string> = []
    for (const id of this.#people.confirmed) {
      const policy = holds.get(id)?.policy
      const documents = await all<{ readonly type: string }>(
        this.#desk,
        `/v1/collectiondocuments?limit=100&policy_id=${policy?.id}`
      )
      const types = documents.map(({ type }) => type).filter((type) => type !== "proof_delivery")
      if (types.toSorted().join() !== "invoice,statement") found.push(`${id} was handed over with ${types.join(", ")}`)
    }
    return found
  }

  async play(days: number, onDay: (days: number) => void): Promise<ReadonlyArray<string>> {
    await this.#begin()
    let holds: ReadonlyMap<string, Held> = new Map()
    for (let day = 0; day < days; day++) {
      await this.#morning(day, holds)
      const synced = await this.#records("sync")
      holds = await held(this.#desk)
      await this.#remind(holds)
      const wrong = await this.#compare(day, holds, synced)
      onDay(++this.seen.days)
      if (wrong.length > 0) return wrong.map((what) => `${dayOf(day)}: ${what}`)
      await this.#decide(day, holds)
    }
    return [...(await this.handedOver()), ...(await this.#asOf())]
  }

  /** As of a past day, the statements and cover are what was printed then, to the letter. */
  async #asOf(): Promise<ReadonlyArray<string>> {
    const wrong: Array<string> = []
    for (const [n, printed] of this.#printed) {
      if (n % 5 > 0 && n < this.#printed.size - 1) continue
      const day = dayOf(n)
      const statement = figures(await this.#records("status", "--as-of", day), STATEMENTS)
      const cover = figures(await this.#records("cover", "--as-of", day), OF_COVER)
      if (statement !== printed.statement)
        wrong.push(`as of ${day}: ${printed.statement} was printed, and now ${statement}`)
      if (cover !== printed.cover) wrong.push(`as of ${day}: of cover ${printed.cover} was printed, and now ${cover}`)
    }
    return wrong
  }
}

/** The first so many days of a year. */
export const year = async (
  seed: number,
  days: number,
  onDay: (days: number) => void = () => undefined
): Promise<YearReport> => {
  const desk = await open()
  try {
    const played = new Year(desk, seed)
    const found = await played
      .play(days, onDay)
      .catch((cause: Error) => [`after ${played.seen.days} days: ${cause.message}`])
    return { found, seen: played.seen }
  } finally {
    await desk.close()
  }
}
