/**
 * Writes one seller's months by seed: customers who pay as people pay, a bookkeeper who books late, wrong, twice, and corrects.
 * Every part throws dice of its own, so that leaving one out changes no other.
 */
import { Dice } from "../../simulation/Dice.ts"
import { type Day, iso, major, type Minor, most, sum, Told } from "../Values.ts"
import type { Customer, InvoiceBody, Share } from "./Money.ts"
import { books } from "./Bookkeeper.ts"
import { debit } from "./Debits.ts"
import { faultsOf, told } from "./Faults.ts"
import type { Happening, Plan, Style } from "./Plan.ts"
import { styleOf } from "./Style.ts"
import { stranger, trouble } from "./Trouble.ts"

const NAMES = [
  "Meyer Bau GmbH",
  "Schulz Technik AG",
  "Otto Logistik KG",
  "Peel Street Cafe Ltd",
  "Tern & Sons Ltd",
  "Harbour Tea Ltd"
]
/** Nothing new begins after this day. */
export const LAST: Day = 70

export interface Written {
  readonly id: string
  readonly customer: Customer
  readonly number: string
  readonly gross: Minor
  readonly issued: Day
  readonly due: Day
}

export class Author {
  readonly seed: number
  readonly style: Style
  readonly happenings: Array<Happening> = []
  readonly customers: ReadonlyArray<Customer>
  readonly invoices: Array<Written> = []

  constructor(seed: number, style: Style) {
    this.seed = seed
    this.style = style
    const dice = Dice.of(seed, "customers")
    const first = dice.below(NAMES.length)
    this.customers = Array.from({ length: 2 + dice.below(2) }, (_, at) => ({
      id: `C${at + 1}`,
      name: NAMES[(first + at) % NAMES.length]!,
      iban: `DE0212030000000020${3000 + at}`
    }))
  }

  write(): Plan {
    const dice = Dice.of(this.seed, "plan")
    for (let n = 3 + dice.below(5); n > 0; n--) this.#issue()
    const paid = new Set<string>()
    for (const invoice of this.invoices) {
      if (paid.has(invoice.id)) continue
      const also = this.#fate(invoice, paid)
      for (const one of [invoice, ...also]) paid.add(one.id)
    }
    for (let n = dice.below(3); n > 0; n--) stranger(this, n)
    trouble(this)
    const quiet = Math.max(...this.happenings.map(({ day }) => day)) + 1
    const { books: kept, processor } = this.style
    const hasSource = kept.program !== undefined || (processor !== undefined && processor.api !== "csv")
    for (const { day, fault, id, kind } of faultsOf(this.seed, quiet, hasSource))
      this.say(id, day, kind, told(fault, kind), ({ desk }) => void desk.faults.push(fault))
    const syncs = Array.from({ length: 3 + dice.below(4) }, () => 1 + dice.below(quiet))
    return {
      seed: this.seed,
      style: this.style,
      customers: this.customers,
      happenings: this.happenings.toSorted((a, b) => a.day - b.day),
      syncs: [...new Set(syncs)].toSorted((a, b) => a - b),
      quiet
    }
  }

  /** Whether what was paid is booked, so that it can be seen in a balance at least. */
  get keepsBooks(): boolean {
    return this.style.books.payments || this.style.books.word !== "none"
  }

  say(id: string, day: Day, kind: string, what: string, does: Happening["does"]): void {
    this.happenings.push({ id, day, kind, what, does })
  }

  #body(one: Written, more: Partial<InvoiceBody> = {}): InvoiceBody {
    const { customer, due, gross, issued, number } = one
    return { number, customer: customer.id, gross, issued, due, status: "open", ...more }
  }

  #issue(): void {
    const n = this.invoices.length
    const dice = Dice.of(this.seed, `invoice.${n}`)
    const before = this.invoices.at(-1)
    const twin = before !== undefined && dice.chance(0.35)
    const customer = twin ? before.customer : dice.of(this.customers)!
    const gross = twin
      ? before.gross
      : BigInt(dice.chance(0.5) ? (1 + dice.below(40)) * 2500 : 1000 + dice.below(90_000))
    const issued = Math.min(LAST - 30, twin ? before.issued + dice.of([0, 7, 30])! : dice.below(40))
    const { ids, numbers } = this.style.books
    const number = ids === "colliding" ? `${1042 + n * 8}` : numbers === "plain" ? `${100_200 + n}` : `INV-${1001 + n}`
    const id = ids === "same" ? number : ids === "colliding" ? `${1034 + n * 8}` : `9${String(n).padStart(3, "0")}`
    const invoice: Written = { id, customer, number, gross, issued, due: issued + dice.of([14, 30])! }
    this.invoices.push(invoice)
    const drafted = dice.chance(0.08)
    this.say(
      `${id}`,
      issued,
      "invoice",
      `invoice ${number} of ${major(gross)} for ${customer.name}, due ${iso(invoice.due)}`,
      ({ money }) => {
        const body = new Told<InvoiceBody | undefined>(issued, this.#body(invoice, drafted ? { status: "draft" } : {}))
        money.invoices.set(id, { id, body })
      }
    )
    if (drafted)
      this.#edit(invoice, issued + 1 + dice.below(20), "issued late", "is issued, having been a draft", (now) => ({
        ...now,
        status: "open"
      }))
    if (dice.chance(0.05) && this.style.books.program !== "stripe")
      this.#edit(invoice, issued + 2 + dice.below(30), "gross edited", "is corrected upwards by 10.00", (now) => ({
        ...now,
        gross: now.gross + 1000n
      }))
    if (dice.chance(0.05) && this.style.books.program !== "stripe")
      this.#edit(invoice, issued + 2 + dice.below(30), "due edited", "is due a week later", (now) => ({
        ...now,
        due: now.due + 7
      }))
    // What a program has, it can show.
    if (dice.chance(0.05) && this.style.books.program === undefined) {
      const from = issued + 2 + dice.below(30)
      this.#edit(invoice, from, "row unreadable", "has a due date that nobody can read", (now) => ({
        ...now,
        garbled: true
      }))
      this.#edit(
        invoice,
        from + 3 + dice.below(20),
        "row readable again",
        "can be read again",
        ({ garbled: _, ...now }) => now
      )
    }
    if (dice.chance(0.04))
      this.#edit(invoice, issued + 3 + dice.below(30), "voided", "is cancelled in the books", (now) => ({
        ...now,
        status: "void"
      }))
    if (dice.chance(0.03))
      this.#edit(invoice, issued + 3 + dice.below(30), "deleted", "is deleted in the books", () => undefined)
  }

  #edit(
    invoice: Written,
    day: Day,
    kind: string,
    what: string,
    to: (now: InvoiceBody) => InvoiceBody | undefined
  ): void {
    this.say(`${invoice.id}.${kind}`, day, kind, `invoice ${invoice.number} ${what}`, ({ money }) => {
      const known = money.invoices.get(invoice.id)
      const now = known?.body.at(day)
      // What is paid in Stripe stays as it is.
      const isFinal = this.style.books.program === "stripe" && money.booked(invoice.id, day) > 0n
      if (known !== undefined && now !== undefined && !isFinal) known.body.say(day, to(now))
    })
  }

  /** How an invoice is paid, or not. Returns the others that are paid with it. */
  #fate(invoice: Written, taken: ReadonlySet<string>): ReadonlyArray<Written> {
    const dice = Dice.of(this.seed, `fate.${invoice.id}`)
    let open = invoice.gross
    if (dice.chance(0.15)) open -= this.#credit(invoice, dice)
    const day = this.#payday(Math.min(LAST, Math.max(invoice.issued + 1, invoice.due + dice.below(30) - 10)))
    const collects = (this.style.processor !== undefined || this.style.books.program === "stripe") && dice.chance(0.6)
    const how = dice.of(
      collects
        ? ["debit"]
        : ["whole", "whole", "whole", "parts", "parts", "together", "twice", "never", "cash", "short"]
    )!
    const to = (amount: Minor, one = invoice): Share => ({ invoice: one.id, amount })
    if (how === "never" || open <= 0n) return []
    if (how === "debit") debit(this, invoice, to(open), dice)
    else if (how === "cash") this.#pays(`${invoice.id}.cash`, invoice, day, [to(open)], dice, { via: "cash" })
    else if (how === "parts") {
      const first = most(1n, (open * BigInt(dice.of([3, 4, 5])!)) / 10n)
      this.#pays(`${invoice.id}.part`, invoice, day, [to(first)], dice)
      if (dice.chance(0.5))
        this.#pays(`${invoice.id}.rest`, invoice, Math.min(LAST, day + 1 + dice.below(20)), [to(open - first)], dice)
    } else if (how === "together") {
      const also = this.invoices
        .filter((one) => one !== invoice && one.customer === invoice.customer && !taken.has(one.id) && one.issued < day)
        .slice(0, 2)
      this.#pays(`${invoice.id}.together`, invoice, day, [to(open), ...also.map((one) => to(one.gross, one))], dice)
      return also
    } else {
      const fee = how === "short" && open > 5000n ? 750n : 0n
      this.#pays(`${invoice.id}.whole`, invoice, day, [to(open)], dice, { fee })
      if (how === "twice")
        this.#pays(`${invoice.id}.again`, invoice, Math.min(LAST, day + 1 + dice.below(6)), [to(open)], dice)
    }
    return []
  }

  /** Who pays once a week pays on the same day as others. */
  #payday(day: Day): Day {
    return this.style.bank?.files === "notified" ? Math.ceil(day / 7) * 7 : day
  }

  #credit(invoice: Written, dice: Dice): Minor {
    const amount = most(1n, (invoice.gross * BigInt(1 + dice.below(5))) / 10n)
    const balance = this.style.books.program === "stripe" && Dice.of(this.seed, `balance.${invoice.id}`).chance(0.4)
    const day = balance ? invoice.issued : invoice.issued + 1 + dice.below(10)
    this.say(
      `${invoice.id}.credit`,
      day,
      balance ? "customer balance" : "credit note",
      balance
        ? `${major(amount)} of the customer's credit balance is applied to ${invoice.number}`
        : `a credit note of ${major(amount)} for ${invoice.number}`,
      ({ money }) => {
        if (money.invoices.has(invoice.id))
          money.credits.set(`CN-${invoice.id}`, {
            id: `CN-${invoice.id}`,
            invoice: invoice.id,
            day,
            amount,
            ...(balance ? { balance } : {})
          })
      }
    )
    return amount
  }

  /** What the payer writes. */
  #text(invoices: ReadonlyArray<Written>, dice: Dice): { readonly text: string; readonly kind: string } {
    const numbers = invoices.map(({ number }) => number)
    const other = this.invoices.find((one) => one.customer !== invoices[0]!.customer)
    const kind = dice.of([
      "named",
      "named",
      "named",
      "named",
      "words",
      "nothing",
      "another's number",
      "month",
      "short"
    ])!
    switch (kind) {
      case "words":
        return { kind: "a text without a number", text: dice.of(["danke", "thanks", "Ueberweisung"])! }
      case "nothing":
        return { kind: "no text", text: "" }
      case "another's number":
        return other === undefined
          ? { kind: "named", text: numbers.join(" ") }
          : {
              kind: "another customer's number in the text",
              text: dice.chance(0.5) ? `Kundennr ${other.number}` : `${other.number}`
            }
      case "month":
        return { kind: "a month in the text", text: `Miete 2026/0${5 + dice.below(3)}` }
      case "short":
        return {
          kind: "a short number in the text",
          text: numbers.map((one) => one.replace(/^INV-/, "Rg. ")).join(" ")
        }
      default:
        return { kind: "named", text: `${dice.of(["", "Invoice ", "RG "])}${numbers.join(" ")}` }
    }
  }

  #pays(
    id: string,
    invoice: Written,
    day: Day,
    shares: ReadonlyArray<Share>,
    dice: Dice,
    more: { readonly via?: "cash"; readonly fee?: Minor } = {}
  ): void {
    const { fee = 0n, via = "transfer" } = more
    const { customer } = invoice
    const invoices = shares.map((share) => this.invoices.find((one) => one.id === share.invoice)!)
    const amount = sum(shares.map((one) => one.amount))
    const { kind, text } = this.#text(invoices, dice)
    const drawn = dice.chance(0.06)
    const another = Dice.of(this.seed, `${id}.payer`)
    const other = another.chance(0.05) ? another.of(this.customers.filter((one) => one !== customer)) : undefined
    const parent = drawn && other === undefined
    const payer = other ?? customer
    const name = parent ? `${customer.name.split(" ")[0]} Holding` : payer.name
    const as = via === "cash" ? "cash" : other !== undefined ? "another customer pays" : parent ? "another payer" : kind
    const what = `${name} pays ${major(amount)} for ${invoices.map(({ number }) => number).join(", ")}${via === "cash" ? " in cash" : ` ("${text}")`}${fee > 0n ? `, ${major(fee)} of which a bank keeps` : ""}`
    this.say(id, day, as, what, ({ money }) => {
      if (!shares.every((share) => money.invoices.get(share.invoice)?.body.at(day) !== undefined)) return
      money.movements.set(id, { id, customer: customer.id, via, day, for: shares, fee, refunds: [] })
      if (parent) money.aliases.set(name, customer.id)
      if (via === "transfer")
        money.lines.set(`L${id}`, {
          id: `L${id}`,
          day,
          amount: amount - fee,
          name,
          iban: parent ? "DE02100500000054540402" : payer.iban,
          text,
          movement: id
        })
    })
    if (this.keepsBooks && !(via === "transfer" && this.style.bank !== undefined && dice.chance(0.1)))
      books(this, id, day, shares, invoice, dice)
  }
}

export const planOf = (seed: number): Plan => new Author(seed, styleOf(seed)).write()
