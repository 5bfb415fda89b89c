/** Plays one seller's life: the world goes on, somebody runs Daybook now and then, the judge looks, a person answers. */
import type { Config } from "../../sync/library/Daybook.ts"
import { type Failure, Judge } from "./judge/Judge.ts"
import { Mistakes } from "./judge/Mistakes.ts"
import { unexplained } from "./judge/Payouts.ts"
import { Person } from "./judge/Person.ts"
import { aboutOf } from "./judge/Related.ts"
import type { Shown } from "./judge/Truth.ts"
import type { Product, Said } from "./Product.ts"
import { OWNER, QUARTER, QUIET, Stage } from "./Stage.ts"
import { Money } from "./truth/Money.ts"
import type { Desk, Happening, Plan, Style, World } from "./truth/Plan.ts"
import type { Service } from "./Service.ts"
import { type Day, iso, major, type Minor } from "./Values.ts"
import { Bank } from "./views/Bank.ts"
import { Books } from "./views/Books.ts"
import type { Program } from "./views/Program.ts"
import { QuickBooks } from "./views/QuickBooks.ts"
import { Stripe } from "./views/Stripe.ts"
import { Xero } from "./views/Xero.ts"
import { Odoo } from "./views/Odoo.ts"
import { PayPal } from "./views/PayPal.ts"
import { Processor } from "./views/Processor.ts"

export interface Played {
  readonly failures: ReadonlyArray<Failure>
  /** What happened, in words, with what each sync said. */
  readonly story: ReadonlyArray<{
    readonly id: string
    readonly day: Day
    readonly kind: string
    readonly what: string
  }>
  /** What a person decided about money, each once, and why it was asked. */
  readonly questions: ReadonlyMap<string, string>
}

export interface PlayedMoney extends Played {
  /** What people answered wrongly, and what came of it until they took it back. */
  readonly mistakes: ReadonlyArray<string>
  readonly caused: ReadonlyArray<Failure>
}

const PROGRAMS: Readonly<
  Record<NonNullable<Style["books"]["program"]>, (money: Money, zone: Style["zone"]) => Program>
> = {
  xero: (money) => new Xero(money),
  stripe: (money, zone) => new Stripe(money, zone),
  quickbooks: (money) => new QuickBooks(money),
  odoo: (money) => new Odoo(money)
}

class MoneyLife {
  readonly #plan: Plan
  readonly #world: World
  readonly #bank: Bank | undefined
  readonly #books: Program
  readonly #processor: Processor
  readonly #collects: Pick<Processor, "answers">
  /** What was wrong and looked at by the witness. */
  readonly #looked = new Set<string>()
  readonly #story: Array<Played["story"][number]> = []
  readonly #judge: Judge
  readonly #person: Person
  readonly #mistakes: Mistakes
  #today: Day = 0
  /** Somebody was asked for the setting that says what the column of the invoice has, and wrote it. */
  #isExplained = false

  constructor(plan: Plan) {
    this.#plan = plan
    const desk: Desk = {
      removed: new Set(),
      apart: new Set(),
      backups: [],
      second: false,
      byHand: [],
      refused: [],
      faults: []
    }
    const money = new Money()
    for (const one of plan.customers) money.customers.set(one.id, one)
    this.#world = { money, desk }
    const { bank, books } = plan.style
    const until = plan.quiet + QUARTER
    this.#books =
      books.program === undefined ? new Books(money, books) : PROGRAMS[books.program](money, plan.style.zone)
    this.#bank = bank === undefined ? undefined : new Bank(money, desk, bank, until)
    this.#processor = new Processor(money)
    this.#collects = plan.style.processor?.api === "paypal" ? new PayPal(money, plan.style.zone) : this.#processor
    this.#mistakes = new Mistakes(money, plan.seed, plan.style.mistaken ?? 0, plan.quiet)
    const shown: Shown = {
      bank: (line, day) => this.#reads("bank") && (this.#bank?.shows(line, day) ?? false),
      debits: ({ confirmed }, day) => plan.style.processor !== undefined && this.#reads("debits") && confirmed <= day,
      failures: () => books.program === "stripe" || this.#reads("debits")
    }
    this.#judge = new Judge(money, plan.style, shown, this.#mistakes)
    this.#person = new Person(money, this.#mistakes)
    // Where invoices were deleted, an id that is left in a payment may be the number of another: they know.
    this.#isExplained = plan.happenings.some(({ kind }) => kind === "deleted")
  }

  /** Whether this connection's payments are still for the books, as they are configured. */
  #reads(connection: "bank" | "debits"): boolean {
    const { apart, removed } = this.#world.desk
    return !removed.has(connection) && !apart.has(connection)
  }

  #config({ configured, vendor }: Stage): Config {
    const { desk } = this.#world
    const { processor } = this.#plan.style
    const pays = (id: string) => (desk.apart.has(id) ? { owner: OWNER } : { pays: "books" })
    const debits =
      processor?.api === "gocardless"
        ? { connector: "gocardless", token: { env: "GOCARDLESS" }, url: vendor.url }
        : processor?.api === "paypal"
          ? PayPal.source(vendor.url, this.#plan.style.zone)
          : Processor.tableSource
    const connections = [
      { id: "books", owner: OWNER, source: this.#books.source(vendor.url, this.#isExplained) },
      ...(this.#bank === undefined
        ? []
        : [{ id: "bank", source: this.#bank.source, ...pays("bank"), ...this.#bank.settings }]),
      ...(processor === undefined ? [] : [{ id: "debits", source: debits, ...pays("debits") }])
    ].filter(({ id }) => !desk.removed.has(id))
    return { service: configured, connections } as unknown as Config
  }

  #files(): ReadonlyMap<string, string> {
    const files = new Map([...this.#books.files(this.#today), ...(this.#bank?.files(this.#today) ?? [])])
    if (this.#plan.style.processor?.api === "csv") files.set("debits.csv", this.#processor.table(this.#today))
    return files
  }

  #happens(one: Happening): void {
    one.does(this.#world)
    this.#world.money.changed()
    this.#story.push(one)
  }

  async play(without: ReadonlySet<string>): Promise<PlayedMoney> {
    const stage = await Stage.open(
      (asked) => this.#books.answers(asked, this.#today) ?? this.#collects.answers(asked, this.#today)
    )
    const left = this.#plan.happenings.filter(({ id }) => !without.has(id))
    const syncs = [
      ...this.#plan.syncs.filter((day) => !without.has(`sync.${day}`)),
      ...QUIET.map((after) => this.#plan.quiet + after)
    ]
    try {
      for (const day of syncs) await this.#sync(stage, left, day)
      const isPlain = this.#world.desk.removed.size + this.#world.desk.apart.size === 0
      if (this.#judge.end(this.#person, isPlain, false)) {
        await this.#sync(stage, [], this.#plan.quiet + QUARTER)
        this.#judge.end(this.#person, isPlain, true)
      }
      await this.#explains(stage)
    } finally {
      await stage.close()
    }
    const { caused, failures } = this.#judge
    const mistakes = this.#mistakes.all.map(({ what }) => what)
    return { failures, caused, mistakes, story: this.#story, questions: this.#person.decided }
  }

  async #sync(stage: Stage, left: Array<Happening>, day: Day): Promise<void> {
    this.#today = day
    while (left[0] !== undefined && left[0].day <= day) this.#happens(left.shift()!)
    await stage.evening(day, this.#plan.style.zone)
    await this.#operations(stage)
    stage.product.files(this.#files())
    const said = await stage.amid(this.#world.desk.faults, () => stage.product.sync(this.#config(stage)))
    if (this.#world.desk.second) await this.#second(stage)
    await this.#look(day, said, stage)
  }

  async #look(day: Day, said: Said, stage: Stage): Promise<void> {
    const { product, service } = stage
    const held = await service.invoices()
    if (process.env["SHOW"] !== undefined)
      console.log(JSON.stringify({ said, held }, (_, v) => (typeof v === "bigint" ? `${v}` : v), 1))
    this.#judge.look(day, said, held, day >= this.#plan.quiet + QUIET.at(-1)!)
    await this.#isWitnessed(product)
    const ended =
      said.exit === 0
        ? "everything agrees"
        : said.exit === 3
          ? `${said.attention.length} to look at`
          : `fails: ${said.error}`
    this.#story.push({
      id: `sync.${day}`,
      day,
      kind: "sync",
      what: `Daybook runs: ${ended}${said.allowed.length > 0 ? `, past ${said.allowed.join(", ")}` : ""}`
    })
    for (const item of said.attention) if (process.env["ITEMS"] !== undefined) console.log(JSON.stringify(item))
    if (said.quarantined > 0 && !this.#isExplained) this.#isExplained = await this.#asksWhatIsNamed(product)
    await this.#takesBack(said.attention, stage)
    for (const one of await this.#mistakes.takeBack(day, product)) this.#person.answered.delete(one)
    await this.#person.answer(day, said.attention, product)
    // Some are noticed as soon as they are made.
    if (this.#mistakes.all.some((one) => one.day === day)) await this.#mistakes.takeBack(day, product)
  }

  /** What is wrong is found by somebody who shares no rule with Daybook: each once. */
  async #isWitnessed(product: Product): Promise<void> {
    const fresh = this.#judge.standing.filter(({ kind, what }) => kind === "wrong money" && !this.#looked.has(what))
    if (fresh.length === 0) return
    for (const { what } of fresh) this.#looked.add(what)
    const { failed, found } = await product.witnessed()
    if (failed.length === 0 && found.length === 0) this.#judge.unwitnessed()
  }

  /** In the end: what people could not take back, and what a processor paid out without being explained. */
  async #explains({ product }: Stage): Promise<void> {
    this.#judge.fails("a question nobody can answer", "a wrong answer cannot be taken back", this.#mistakes.refused)
    if (this.#plan.style.processor?.api !== "gocardless" || !this.#reads("bank") || !this.#reads("debits")) return
    const wrong = unexplained(this.#world.money, await product.payouts(), this.#today)
    this.#judge.fails("false agree", "a payout is not explained to the cent", wrong)
  }

  /** Whether a record cannot be read until a setting says what the column of the invoice has. */
  async #asksWhatIsNamed(product: Product): Promise<boolean> {
    const { credits, entries } = this.#world.money
    const keys = [
      ...[...credits.values()].map(({ id, invoice }) => `books/credit_note/${id}/${invoice}`),
      ...[...entries.values()].map(({ body, id }) => `books/payment/${id}/${body.at(this.#today)?.invoice}`)
    ]
    for (const key of keys) if ((await product.whyUnread(key)).some((why) => why.includes("set names"))) return true
    return false
  }

  /** What is done to the state file and on the service before a sync. */
  async #operations(stage: Stage): Promise<void> {
    const { desk } = this.#world
    const { product, service } = stage
    for (const what of desk.backups.splice(0)) {
      if (what === "take") await product.backup()
      else {
        await product.restore()
        await product.reconcile(this.#config(stage))
      }
    }
    for (const { amount, invoice } of desk.byHand.splice(0)) await this.#record(service, invoice, amount)
  }

  /** Somebody records a payment on the service by hand, or takes it back. */
  async #record(service: Service, invoice: string, amount: Minor): Promise<void> {
    const held = (await service.invoices()).find(({ number }) => number === invoice)
    if (held === undefined || held.status === "paid") return
    await service.pay(held.id, major(amount), iso(this.#today))
    this.#judge.byHand(invoice, amount)
  }

  /** Who recorded something by hand is asked, finds that it never came, and takes it back as the item says. */
  async #takesBack(items: Said["attention"], stage: Stage): Promise<void> {
    const { money } = this.#world
    for (const item of items.filter(({ rule }) => rule === "P9"))
      for (const id of aboutOf(money, item).invoices) {
        const number = money.invoices.get(id)?.body.at(this.#today)?.number
        const amount = number === undefined ? 0n : this.#judge.handOf(number)
        if (amount === 0n) continue
        await this.#record(stage.service, number!, -amount)
        await stage.product.reconcile(this.#config(stage))
      }
  }

  async #second(stage: Stage): Promise<void> {
    stage.second.files(this.#files())
    const config = this.#config(stage)
    await stage.second.reconcile(config)
    await stage.second.sync(config)
  }
}

export const play = (plan: Plan, without: ReadonlySet<string> = new Set()): Promise<PlayedMoney> =>
  new MoneyLife(plan).play(without)
