/**
 * What the postings with customers become. Belegfeld 1 is the invoice of a payment as well as of the invoice itself, so it
 * allocates. Postings have no total that the file states: what was left out of it is not noticed.
 */
import * as Currency from "../../../core/money/Currency.ts"
import * as Decimal from "../../../core/money/Decimal.ts"
import * as Day from "../../../core/wire/Day.ts"
import type { Notice, QuarantinedRecord, Read } from "../../Connector.ts"
import type { CreditNote, Document, Invoice, Party, Payment, Reversal } from "../../Document.ts"
import { Refused } from "../../Refused.ts"
import type { Settings } from "../Settings.ts"
import type { Batch, Posting } from "./Batch.ts"
import type { Store } from "./Store.ts"

/** How the accounts of revenue with its VAT, of money, and of opening balances begin, by chart. */
const CHARTS = {
  "03": { revenue: ["8", "177"], money: ["10", "11", "12", "13"], opening: ["90"] },
  "04": { revenue: ["4", "380"], money: ["14", "16", "18"], opening: ["90"] }
} as const

type Side = "revenue" | "money" | "opening" | "other"

const sideOf = ({ other }: Posting, chart: Batch["chart"]): Side => {
  const starts = (prefixes: ReadonlyArray<string>) => prefixes.some((prefix) => other.startsWith(prefix))
  if (starts(CHARTS[chart].opening)) return "opening"
  if (starts(CHARTS[chart].money)) return "money"
  return starts(CHARTS[chart].revenue) ? "revenue" : "other"
}

/** Interest on arrears and dunning fees. */
const DUNNING = ["31", "40"]

const REFUND = /erstatt|rückzahl|auszahl|überzahl|refund/i

export interface Made {
  readonly read: Array<Read>
  readonly quarantined: Array<QuarantinedRecord>
  readonly notices: Array<Notice>
}

/** What a posting becomes, and what is said of it. */
type Meant = readonly [documents: ReadonlyArray<Document>, notice?: string]

const negative = (amount: Decimal.Decimal): boolean => amount < 0n

/** What all documents share. */
export interface Around {
  readonly settings: Settings
  readonly customers: ReadonlyMap<string, Party>
  readonly sideOf: (posting: Posting) => Side
  /** Whether a customer has an invoice of that number. */
  readonly isAsked: (customer: string, ref: string) => boolean
  /** The place of each file among others. */
  readonly order: ReadonlyMap<string, number>
}

/** An inverted credit raises what is owed again, and asks for nothing of its own. */
const asksFor = ({ amount, isInverted, matter }: Posting, side: Side): boolean =>
  side === "revenue" && negative(amount) === isInverted && !DUNNING.includes(matter)

export const aroundOf = (
  settings: Settings,
  { batches, store }: { readonly batches: ReadonlyArray<Batch>; readonly store: Pick<Store, "of"> }
): Around => {
  const charts = new Map(batches.map(({ chart, file }) => [file.name, chart]))
  const side = (posting: Posting): Side => sideOf(posting, charts.get(posting.file) ?? "03")
  return {
    settings,
    customers: new Map(batches.flatMap(({ customers }) => [...customers])),
    sideOf: side,
    isAsked: (customer, ref) => store.of(customer, ref).some((one) => asksFor(one, side(one))),
    order: new Map(batches.map(({ file }, n) => [file.name, n]))
  }
}

/** What the postings of one customer and one Belegfeld 1 become. */
export class Documents {
  readonly #around: Around
  readonly #postings: ReadonlyArray<Posting>
  /** Those that ask for the document. */
  readonly #asked: ReadonlyArray<Posting>
  /** Those that an inverted one takes back, with it. */
  readonly #undone = new Set<Posting>()
  /** Payments so far. */
  readonly #paid: Array<Posting> = []
  readonly #used = new Map<string, number>()

  constructor(around: Around, postings: ReadonlyArray<Posting>) {
    this.#around = around
    const placeOf = ({ file }: Posting) => around.order.get(file) ?? 0
    this.#postings = postings.toSorted((a, b) => placeOf(a) - placeOf(b))
    this.#asked = this.#postings.filter((one) => this.#asks(one))
    const others = new Map<string, Array<Posting>>()
    for (const one of this.#postings) if (!this.#asks(one)) this.#undo(one, others)
  }

  #asks(posting: Posting): boolean {
    return asksFor(posting, this.#around.sideOf(posting))
  }

  /** Payments and credit notes: an inverted one and its original are nothing. */
  #undo(posting: Posting, others: Map<string, Array<Posting>>): void {
    const { amount, currency, isInverted, other } = posting
    const key = (of: Decimal.Decimal) => `${other}\u0000${of}${currency}`
    if (!isInverted) {
      const same = others.get(key(amount))
      if (same === undefined) others.set(key(amount), [posting])
      else same.push(posting)
      return
    }
    const original = others.get(key(-amount))?.pop()
    if (original !== undefined) this.#undone.add(original).add(posting)
  }

  /** What becomes of those that are in one file. */
  make(file: string): Made {
    const made: Made = { read: [], quarantined: [], notices: [] }
    const { only } = this.#around.settings
    for (const posting of this.#postings) {
      const origin = `${posting.file}:${posting.line}`
      let found: Meant = [[]]
      try {
        found = this.#documentsOf(posting)
      } catch (cause) {
        if (!(cause instanceof Refused)) throw cause
        if (posting.file === file)
          made.quarantined.push({ kind: "invoice", origin, raw: posting.raw, why: cause.message })
      }
      if (posting.file !== file) continue
      const [documents, notice] = found
      if (notice !== undefined) made.notices.push({ origin, what: notice })
      for (const document of documents)
        if (only === undefined || document.kind === "payment" || document.kind === "reversal")
          made.read.push({ document, raw: posting.raw, origin })
    }
    return made
  }

  #documentsOf(posting: Posting): Meant {
    if (this.#undone.has(posting)) return [[], "a posting and the one that takes it back (Generalumkehr); left out"]
    if (DUNNING.includes(posting.matter))
      return [[], "interest on arrears or a dunning fee (Sachverhalt 31, 40); left out"]
    if (posting.amount === 0n) return [[]]
    const isAsked = this.#asked.length > 0
    switch (this.#around.sideOf(posting)) {
      case "revenue":
        return this.#asks(posting) ? this.#invoice(posting) : this.#credit(posting)
      case "money":
        return negative(posting.amount) ? this.#payment(posting) : this.#reversal(posting)
      case "opening":
        if (isAsked) return [[], "an opening balance of an invoice that another file has; left out"]
        throw new Refused(
          `what ${this.#party(posting).name} owed before this year (${said(posting)}) is a balance without its invoices`,
          undefined,
          "add last year's postings to the folder"
        )
      default:
        if (negative(posting.amount) && isAsked)
          return this.#credit(
            posting,
            "settled without money and without a credit note (a loss, a discount, set off): a credit note"
          )
        throw new Refused(
          `${said(posting)} between ${this.#party(posting).name} and account ${posting.other} is neither an invoice nor a payment`
        )
    }
  }

  #party({ customer }: Posting): Party {
    const { customers, settings } = this.#around
    const party = customers.get(customer) ?? { id: customer, name: `Debitor ${customer}` }
    const { country } = settings
    return party.country === undefined && country !== undefined ? { ...party, country } : party
  }

  /** Several rows of one document are its rates of tax; inverted ones take rows of it back. */
  #invoice(posting: Posting): Meant {
    const rows = this.#asked
    if (posting.ref === "") throw new Refused("it has no Belegfeld 1, which is the invoice's number")
    if (rows[0] !== posting) return [[]]
    const plain = rows.filter(({ isInverted }) => !isInverted)
    const gross = Decimal.sum(rows.map(({ amount }) => amount))
    const last = plain.at(-1)
    if (last === undefined) return [[], "a posting that takes back one of an earlier file (Generalumkehr); left out"]
    const days = new Set(plain.map(({ day }) => day))
    if (rows.length === plain.length && days.size > 1)
      throw new Refused(
        `document ${posting.ref} of ${posting.customer} has postings of several days (${[...days].join(", ")}): is it one invoice?`,
        undefined,
        "give each its own Belegfeld 1, or post it anew on one day, and export again"
      )
    if (new Set(rows.map(({ currency }) => currency)).size > 1)
      throw new Refused(`document ${posting.ref} is in several currencies`)
    if (negative(gross)) throw new Refused(`document ${posting.ref} comes to ${Currency.say(gross, posting.currency)}`)
    const issued = last.day
    const { terms_days: terms } = this.#around.settings
    const due = last.due ?? (terms === undefined ? undefined : Day.addDays(issued, terms))
    if (due === undefined) throw new Refused("it has no due date (Fälligkeit)", undefined, "set terms_days")
    const invoice: Invoice = {
      kind: "invoice",
      id: posting.ref,
      number: posting.ref,
      status: gross === 0n ? "void" : "open",
      party: this.#party(posting),
      currency: posting.currency,
      issued,
      due: due < issued ? issued : due,
      gross: gross === 0n ? Decimal.sum(plain.map(({ amount }) => amount)) : gross
    }
    return [[invoice]]
  }

  /** The same in every export. */
  #id({ amount, currency, customer, day, ref }: Posting): string {
    const content = [customer, day, ref, Currency.format(Decimal.abs(amount), currency)].join(":")
    const count = (this.#used.get(content) ?? 0) + 1
    this.#used.set(content, count)
    return count === 1 ? content : `${content}:${count}`
  }

  #credit(posting: Posting, notice?: string): Meant {
    const { amount, currency, customer, day, ref, ref2, text } = posting
    if (!negative(amount))
      throw new Refused(
        `${said(posting)} were posted back to ${this.#party(posting).name}: of which credit note is not known`
      )
    const words = [ref, ref2, ...text.split(/[\s,;()]+/)].filter((word) => word !== "")
    const named = [...new Set(words.filter((word) => this.#around.isAsked(customer, word)))]
    const [invoice] = named
    if (invoice !== undefined && named.length === 1) {
      const note: CreditNote = {
        kind: "credit_note",
        id: this.#id(posting),
        date: day,
        currency,
        shares: [{ invoice, amount: -amount }]
      }
      return notice === undefined ? [[note]] : [[note], notice]
    }
    if (ref === "") throw new Refused("it has no Belegfeld 1, which is the document's number")
    // As in tables: money owed back, of which nobody said for which invoice, needs attention.
    const party = this.#party(posting)
    return [
      [{ kind: "invoice", id: ref, number: ref, status: "open", party, currency, issued: day, due: day, gross: amount }]
    ]
  }

  #payment(posting: Posting): Meant {
    const { amount, currency, day, discount, ref, text } = posting
    const id = this.#id(posting)
    const { id: payer, name } = this.#party(posting)
    const payment: Payment = {
      kind: "payment",
      id,
      date: day,
      currency,
      shares: ref === "" ? [] : [{ invoice: ref, amount: -amount }],
      ...(ref === "" ? { unallocated: -amount, reference: text } : {}),
      party: { ...(payer === undefined ? {} : { id: payer }), name },
      method: "bank"
    }
    this.#paid.push(posting)
    this.#ids.set(posting, id)
    if (discount === 0n || ref === "") return [[payment]]
    const shares = [{ invoice: ref, amount: Decimal.abs(discount) }]
    return [
      [payment, { kind: "credit_note", id: `${id}/discount`, date: day, currency, shares }],
      "a discount (Skonto) beside a payment: a credit note"
    ]
  }

  readonly #ids = new Map<Posting, string>()

  #reversal(posting: Posting): Meant {
    const { amount, currency, day, ref, text } = posting
    const paid = this.#paid
    const at = paid.findLastIndex((one) => one.amount === -amount && one.day <= day)
    const [payment] = at < 0 ? [] : paid.splice(at, 1)
    const id = payment && this.#ids.get(payment)
    const reversal: Reversal = {
      kind: "reversal",
      id: this.#id(posting),
      ...(id === undefined ? {} : { payment: id }),
      date: day,
      currency,
      shares: ref === "" ? [] : [{ invoice: ref, amount }],
      ...(ref === "" ? { unallocated: amount } : {}),
      type: REFUND.test(text) ? "refund" : "error",
      details: text
    }
    return [[reversal]]
  }
}

const said = ({ amount, currency }: Posting): string => Currency.say(Decimal.abs(amount), currency)
