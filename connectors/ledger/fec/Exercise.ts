/**
 * Reads one FEC entry by entry, and keeps its lines on customers' accounts with what they are. Entries whose debits and credits
 * differ are not used.
 */
import * as Currency from "../../../core/money/Currency.ts"
import { abs, type Decimal } from "../../../core/money/Decimal.ts"
import type { Day } from "../../../core/wire/Day.ts"
import type { ListedFile } from "../../Listed.ts"
import { told } from "../../Refused.ts"
import { Oddities } from "./Oddities.ts"
import { copied, Item, type Source, type Within } from "./Item.ts"
import { type Bad, dayOf, type FecLine, type Layout, openFec } from "./Lines.ts"
import type { Store } from "./Store.ts"
import { type Accounts, isCustomer, type Role, roleOf, sumsOf } from "./Roles.ts"

export interface Refusal {
  readonly line: number
  readonly raw: string
  readonly why: string
  readonly field?: string
}

export interface Exercise {
  readonly file: ListedFile
  readonly digest: string
  readonly first: Day
  readonly last: Day
  /** The day that the file's name says the year ends with. */
  readonly closes: Day | undefined
  readonly siren: string
  /** Its number among the files. */
  readonly index: number
  /** How many lines are on customers' accounts, and how these accounts begin. */
  readonly count: number
  readonly accounts: ReadonlySet<string>
  /** It has what earlier years left. */
  readonly isOpened: boolean
  readonly refused: ReadonlyArray<Refusal>
  /** By customer, in customers' accounts. */
  readonly balances: ReadonlyMap<string, Decimal>
  readonly lines: number
  /** What is odd about its numbers and accounts. */
  readonly oddities: ReadonlyArray<string>
  /** Entries that sell, but not to a customer and not for money. */
  readonly elsewhere: number
}

const OPENING = /^(?:an|ran|ano|anouv|rano?)\d*$/i
const OPENING_NAME = /nouveau|r[ée]ouverture|report/i

export class Reading {
  readonly index: number
  readonly refused: Array<Refusal> = []
  readonly balances = new Map<string, Decimal>()
  readonly accounts = new Set<string>()
  count = 0
  isOpened = false
  elsewhere = 0
  lines = 0
  first = "9999-12-31" as Day
  last = "0001-01-01" as Day
  #current = ""
  #entry: Array<FecLine> = []
  #balance = 0n
  #moves = 0
  readonly #oddities = new Oddities()
  /** Entries whose lines do not follow each other. */
  readonly #waiting = new Map<string, { readonly lines: Array<FecLine>; readonly balance: Decimal }>()
  readonly #source: Source
  readonly #layout: Layout
  readonly #accounts: Accounts
  readonly #store: Store

  constructor(source: Source, accounts: Accounts, store: Store) {
    this.#source = source
    this.#layout = source.layout
    this.#accounts = accounts
    this.#store = store
    this.index = store.add(source)
  }

  take(line: FecLine | Bad): void {
    this.lines++
    if ("why" in line) {
      const { number, raw, ...rest } = line
      this.refused.push({ ...rest, line: number, raw: copied(raw) })
      return
    }
    const { at } = this.#layout
    const { cells, day } = line
    this.#oddities.line(line, this.#layout)
    if (day < this.first) this.first = day
    if (day > this.last) this.last = day
    const entry = cells[at.entry] ?? ""
    const key = `${cells[at.journal]}\u0000${entry === "" ? `${day}\u0000${cells[at.ref]}` : entry}`
    if (key !== this.#current) {
      this.#close()
      this.#current = key
      const waiting = this.#waiting.get(key)
      this.#waiting.delete(key)
      this.#entry = waiting?.lines ?? []
      if (waiting === undefined) this.#oddities.entry((cells[at.journal] ?? "").trim(), entry.trim())
      this.#balance = waiting?.balance ?? 0n
    }
    this.#entry.push(line)
    this.#balance += line.amount
  }

  get oddities(): ReadonlyArray<string> {
    return this.#oddities.said
  }

  end(): void {
    this.#close()
    for (const { balance, lines } of this.#waiting.values()) this.#refuse(lines, balance)
    this.#waiting.clear()
  }

  #close(): void {
    if (this.#entry.length === 0) return
    if (this.#balance === 0n) {
      const [first] = this.#entry
      if (first !== undefined && !isEven(this.#entry, first)) this.#oddities.uneven(first.number)
      this.#read(this.#entry)
    } else this.#waiting.set(copied(this.#current), { lines: this.#entry, balance: this.#balance })
    this.#entry = []
  }

  #refuse(lines: ReadonlyArray<FecLine>, balance: Decimal): void {
    const [first] = lines
    if (first === undefined) return
    const { at } = this.#layout
    const debits = lines.reduce((sum, { amount }) => (amount > 0n ? sum + amount : sum), 0n)
    const entry = `${first.cells[at.journal]} ${first.cells[at.entry]}`
    this.refused.push({
      line: first.number,
      raw: copied(lines.map(({ raw }) => raw).join("\n")).slice(0, 4096),
      why: told(
        `entry ${entry} is not balanced: its debits are ${Currency.say(debits)}, its credits ${Currency.say(debits - balance)}, and they have to be equal`
      )
    })
  }

  #isOpening({ cells }: FecLine): boolean {
    const { at } = this.#layout
    return (
      OPENING.test((cells[at.journal] ?? "").trim()) ||
      (at.journalName >= 0 && OPENING_NAME.test(cells[at.journalName] ?? ""))
    )
  }

  #read(lines: ReadonlyArray<FecLine>): void {
    const { at } = this.#layout
    const postings = lines.map(({ amount, cells }) => ({ account: (cells[at.account] ?? "").trim(), amount }))
    const sums = sumsOf(postings, this.#accounts, this.#isOpening(lines[0] as FecLine))
    const own = lines.filter((_, n) => isCustomer(postings[n]?.account ?? "", this.#accounts))
    if (own.length === 0) {
      if (sums.revenue < 0n && sums.money <= 0n && !sums.isOpening && sums.other?.startsWith("4") === true)
        this.elsewhere++
      return
    }
    const roles = own.map(({ amount }) => roleOf(amount, sums))
    const count = (role: Role) => roles.filter((one) => one === role).length
    const move = ++this.#moves
    for (const [n, line] of own.entries()) {
      if (line.amount === 0n) continue
      const role = roles[n] as Role
      // Tax and losses are one document's only if there is one: its first line has them.
      const isOnly = count(role) === 1
      const isSale = role === "invoice" || role === "credit note"
      const whole = isSale ? this.#whole(own, roles, role) : undefined
      const lost = sums.losses > 0n && role === "payment" && isOnly ? sums.losses + (sums.vat > 0n ? sums.vat : 0n) : 0n
      const within: Within = {
        role,
        net: whole === undefined ? undefined : roles.indexOf(role) === n ? abs(whole + sums.vat) : 0n,
        lost: lost > 0n && lost < -line.amount ? lost : undefined,
        method: role === "payment" ? sums.method : undefined,
        move: role === "moved" ? move : undefined
      }
      const item = new Item(this.#source, line, within)
      const balance = this.balances.get(item.customer)
      this.balances.set(balance === undefined ? copied(item.customer) : item.customer, (balance ?? 0n) + item.amount)
      this.accounts.add(item.account.slice(0, 3))
      this.isOpened ||= role === "opening"
      this.count++
      this.#store.put(this.index, item, within)
    }
  }

  /** The amount of an entry's only invoice or credit note. */
  #whole(own: ReadonlyArray<FecLine>, roles: ReadonlyArray<Role>, role: Role): Decimal | undefined {
    const { at } = this.#layout
    const lines = own.filter((_, n) => roles[n] === role)
    const names = new Set(lines.map(({ cells }) => `${cells[at.aux]}\u0000${cells[at.account]}\u0000${cells[at.ref]}`))
    return names.size === 1 ? lines.reduce((sum, { amount }) => sum + amount, 0n) : undefined
  }
}

/** Whether the debits and credits of each day are equal. */
const isEven = (lines: ReadonlyArray<FecLine>, { day: first }: FecLine): boolean =>
  lines.every(({ day }) => day === first) ||
  [...Map.groupBy(lines, ({ day }) => day).values()].every(
    (its) => its.reduce((sum, { amount }) => sum + amount, 0n) === 0n
  )

/** `123456789FEC20261231.txt` */
const NAMED = /(?:^|\/)(\d{9})FEC(\d{8})[^/]*$/i

/** Undefined if it is not a FEC. */
export const readExercise = async (
  file: ListedFile,
  accounts: Accounts,
  store: Store
): Promise<Exercise | undefined> => {
  const { digest, layout, lines } = await openFec(file.path)
  if (layout === undefined) return undefined
  const reading = new Reading({ file: file.name, layout }, accounts, store)
  for await (const batch of lines) for (const line of batch) reading.take(line)
  reading.end()
  const [, siren = "", closes = ""] = NAMED.exec(file.name) ?? []
  return { ...reading, oddities: reading.oddities, file, digest, siren, closes: dayOf(closes) }
}
