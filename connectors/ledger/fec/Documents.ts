/** What the lines of one seller's FECs become: documents, with the total that they have to come to. */
import * as Currency from "../../../core/money/Currency.ts"
import type { Decimal } from "../../../core/money/Decimal.ts"
import * as Day from "../../../core/wire/Day.ts"
import type { Notice, QuarantinedRecord, Read } from "../../Connector.ts"
import type { CreditNote, Document, Invoice, Payment, Reversal, ReversalType } from "../../Document.ts"
import { Refused } from "../../Refused.ts"
import type { Settings } from "../Settings.ts"
import { effectOf, type Share, split } from "../Share.ts"
import { allocate } from "./Allocation.ts"
import type { Grouped } from "./Groups.ts"
import type { Item } from "./Item.ts"

/** French law has ledgers kept in euros. */
export const CURRENCY = "EUR"

export interface Made {
  readonly read: ReadonlyArray<Read>
  readonly quarantined: ReadonlyArray<QuarantinedRecord>
  readonly notices: ReadonlyArray<Notice>
  /** How much the documents raise what customers owe. */
  readonly open: Decimal
}

interface Meant {
  readonly documents: ReadonlyArray<Document>
  readonly notice?: string
}

interface Asked {
  readonly first: Item
  gross: bigint
  net: bigint | undefined
  /** What it still is by its letter, if that is certain. */
  open?: Decimal
  problem?: string
}

const said = (amount: Decimal): string => Currency.say(amount < 0n ? -amount : amount, CURRENCY)

const textOf = ({ label, ref }: Item): string => (ref === "" || label.includes(ref) ? label : `${label} ${ref}`.trim())

const REFUND = /rembours|refund|trop[- ]per[cç]u/i
const FAILED = /rej(?:et|\.)|impay|retour|retourn|unpaid/i

const typeOf = (item: Item, payment: Item | undefined): ReversalType => {
  if (REFUND.test(item.label)) return "refund"
  if (FAILED.test(item.label) || payment !== undefined) return "error"
  return "unknown"
}

const ALONE =
  "it is lettered, and no other line of the customer has its letter: what settles it is in another file, or missing"

/** Where a letter is given for a part only, it is in lower case. */
const TORN =
  "it is lettered as settled, and the lines with its letter do not come to 0.00: what is missing is in another file, or lost"

/** Counts the lines that have the same contents. */
const number = (items: ReadonlyArray<Item>): void => {
  const counts = new Map<string, number>()
  for (const item of items) {
    if (item.role === "invoice" || item.role === "moved" || item.isRepeated) continue
    const { content } = item
    item.nth = (counts.get(content) ?? 0) + 1
    counts.set(content, item.nth)
  }
}

export class Documents {
  readonly #settings: Settings
  readonly #asked = new Map<string, Asked>()
  /** Credit notes, by id. */
  readonly #used = new Map<string, number>()
  /** By customer, what no invoice in particular is known for. */
  readonly #loose = new Map<string, Array<Item>>()
  readonly #dueDays = new Map<Day.Day, Day.Day>()

  /** @param items of some customers, in the order of their files */
  constructor(settings: Settings, { groups }: Grouped, items: ReadonlyArray<Item>) {
    this.#settings = settings
    number(items)
    for (const { items, sum } of groups) {
      const asked = items.flatMap((item) => (item.isAsking ? [this.#ask(item)] : []))
      allocate({ items, sum })
      for (const item of items) if (!item.isAsking && item.shares.length === 0) this.#loosen(item)
      const [only] = items
      if (only !== undefined && sum !== 0n && items.every(({ letter }) => letter === only.letter))
        only.torn =
          items.length > 1 ? (/^[A-Z]+$/.test(only.letter) ? TORN : undefined) : only.letter === "" ? undefined : ALONE
      const [one] = asked
      const isCharged = items.some(({ role }) => role === "charge")
      if (!isCharged && one !== undefined && (sum === 0n || asked.every((other) => other === one)))
        for (const each of asked) each.open = sum
    }
    for (const items of this.#loose.values()) for (const item of items) this.#pair(item)
  }

  #loosen(item: Item): void {
    if (item.amount > 0n && item.role !== "reversal") return
    const known = this.#loose.get(item.customer)
    if (known === undefined) this.#loose.set(item.customer, [item])
    else known.push(item)
  }

  /** Lines of one customer, piece and day are one invoice, such as one line for each due day. */
  #ask(item: Item): Asked {
    const id = item.piece
    const known = this.#asked.get(id)
    if (known === undefined) {
      const asked = { first: item, gross: item.amount, net: item.net }
      this.#asked.set(id, asked)
      return asked
    }
    known.gross += item.amount
    known.net = known.net === undefined || item.net === undefined ? undefined : known.net + item.net
    if (known.first.issued !== item.issued)
      known.problem = `piece ${item.ref} of ${item.customer} is an invoice of ${known.first.issued} in line ${known.first.line} of ${known.first.file}, and of ${item.issued} in line ${item.line} of ${item.file}`
    return known
  }

  /** Money that went back, without a letter: the customer's only payment of that amount before. */
  #pair(item: Item): void {
    if (item.role !== "reversal" || item.reverses !== undefined) return
    const same = (this.#loose.get(item.customer) ?? []).filter(
      ({ amount, day, role }) => role === "payment" && amount === -item.amount && day <= item.day
    )
    if (same.length === 1) item.reverses = same[0]
  }

  /** What a line becomes. */
  make(item: Item): Made {
    const nothing = { read: [], quarantined: [], notices: [], open: 0n }
    if (item.isRepeated) return nothing
    const { line, raw } = item
    const origin = `${item.file}:${line}`
    let found: Meant
    try {
      found = this.#documentsOf(item)
    } catch (cause) {
      if (!(cause instanceof Refused)) throw cause
      const kind = item.amount > 0n ? "invoice" : "payment"
      return { ...nothing, quarantined: [{ kind, origin, raw, why: cause.message, ...idIn(item) }] }
    }
    const { only } = this.#settings
    const documents = found.documents.filter(
      ({ kind }) => only !== "payments" || kind === "payment" || kind === "reversal"
    )
    const notices = [found.notice, item.torn].flatMap((what) => (what === undefined ? [] : [{ origin, what }]))
    const open = documents.reduce((sum, document) => sum + effectOf(document), 0n)
    return { read: documents.map((document) => ({ document, raw, origin })), quarantined: [], notices, open }
  }

  #documentsOf(item: Item): Meant {
    switch (item.role) {
      case "invoice":
        return this.#invoice(item)
      case "opening":
        return this.#opening(item)
      case "payment":
        return this.#payment(item)
      case "reversal":
        return { documents: [this.#reversal(item)] }
      case "credit note":
      case "settled":
        return this.#credit(item)
      case "moved":
        return { documents: [] }
      case "charge":
        throw new Refused(
          `${said(item.amount)} were charged to ${item.name} without revenue or money on the other side: what it asks for is not known`
        )
    }
  }

  #invoice(item: Item): Meant {
    const asked = this.#asked.get(item.piece)
    if (asked === undefined) return { documents: [] }
    if (asked.problem !== undefined) throw new Refused(asked.problem)
    if (asked.first !== item || this.#settings.only === "payments") return { documents: [] }
    const { issued } = item
    const { terms_days: terms } = this.#settings
    if (terms === undefined) throw new Refused("a FEC has no due dates", undefined, "set terms_days")
    const { foreign } = item
    const isLoose = asked.open !== 0n && (this.#loose.get(item.customer)?.length ?? 0) > 0
    const document: Invoice = {
      kind: "invoice",
      id: item.piece,
      number: item.ref === "" ? item.entry : item.ref,
      status: "open",
      party: partyOf(item, this.#settings),
      currency: CURRENCY,
      issued,
      due: this.#dueOf(issued, terms),
      gross: asked.gross,
      ...(asked.net === undefined || item.role === "opening" ? {} : { net: asked.net }),
      ...(asked.open === undefined || asked.open < 0n || isLoose ? {} : { stated: { open: asked.open } }),
      ...(foreign === undefined ? {} : { metadata: { "foreign amount": foreign } })
    }
    return { documents: [document] }
  }

  #dueOf(issued: Day.Day, terms: number): Day.Day {
    const due = this.#dueDays.get(issued) ?? Day.addDays(issued, terms)
    this.#dueDays.set(issued, due)
    return due
  }

  #opening(item: Item): Meant {
    if (item.isAsking) return this.#invoice(item)
    if (item.amount < 0n && this.#sharesOf(item).length > 0) return this.#credit(item)
    throw new Refused(
      `what ${item.name} ${item.amount > 0n ? "owed" : "was owed"} before this year (${said(item.amount)}) is not itemised`,
      undefined,
      "add last year's FEC to the folder"
    )
  }

  #sharesOf(item: Item): ReadonlyArray<Share> {
    const { only } = this.#settings
    const { shares } = item
    if (only === undefined) return shares
    return shares.map(({ amount, invoice }) => {
      const asked = this.#asked.get(invoice)
      return { invoice: asked === undefined || asked.first.ref === "" ? invoice : asked.first.ref, amount }
    })
  }

  #payment(item: Item): Meant {
    const [shares, lost] = split(this.#sharesOf(item), item.lost ?? 0n)
    const amount = -item.amount - (item.lost ?? 0n)
    const rest = amount - shares.reduce((sum, one) => sum + one.amount, 0n)
    const document: Payment = {
      kind: "payment",
      id: item.id,
      date: item.day,
      currency: CURRENCY,
      shares,
      ...(rest > 0n ? { unallocated: rest, reference: textOf(item) } : {}),
      party: { id: item.customer, name: item.name },
      ...(item.method === undefined ? {} : { method: item.method })
    }
    if (item.lost === undefined) return { documents: [document] }
    if (lost.length === 0)
      return {
        documents: [{ ...document, unallocated: (document.unallocated ?? 0n) + item.lost, reference: textOf(item) }],
        notice: "a discount or a loss beside a payment that no invoice is known for: it counts as paid"
      }
    const note: CreditNote = {
      kind: "credit_note",
      id: `${document.id}/discount`,
      date: item.day,
      currency: CURRENCY,
      shares: lost
    }
    return { documents: [document, note], notice: "a discount or a loss beside a payment: a credit note" }
  }

  #reversal(item: Item): Reversal {
    const shares = this.#sharesOf(item)
    const payment = item.reverses
    const rest = item.amount - shares.reduce((sum, one) => sum + one.amount, 0n)
    return {
      kind: "reversal",
      id: item.id,
      ...(payment === undefined ? {} : { payment: payment.id }),
      date: item.day,
      currency: CURRENCY,
      shares,
      ...(rest > 0n ? { unallocated: rest } : {}),
      type: typeOf(item, payment),
      details: textOf(item)
    }
  }

  #credit(item: Item): Meant {
    const amount = -item.amount
    const own = this.#sharesOf(item)
    const shares = own.length > 0 ? own : this.#named(item)
    const rest = amount - shares.reduce((sum, one) => sum + one.amount, 0n)
    const notice =
      item.role === "credit note"
        ? undefined
        : "settled without money and without a credit note (a loss, a discount, set off): a credit note"
    const said = notice === undefined ? {} : { notice }
    const isNote = item.role === "credit note"
    const id = isNote ? item.piece : item.id
    const first = shares[0]
    if (first !== undefined && rest === 0n) {
      const net = item.net !== undefined && shares.length === 1 ? { net: item.net } : {}
      const document: CreditNote = {
        kind: "credit_note",
        id: this.#unique(id, item),
        date: isNote ? item.issued : item.day,
        currency: CURRENCY,
        shares: shares.map((one) => ({ ...one, ...net }))
      }
      return { documents: [document], ...said }
    }
    if (!isNote || first !== undefined)
      throw new Refused(
        `${Currency.say(amount, CURRENCY)} were credited to ${item.name}, and no letter says for which invoice`,
        undefined,
        "letter it with the invoice, and export again"
      )
    // As in tables: money owed back, of which nobody said for which invoice, needs attention.
    const { issued } = item
    const invoice: Invoice = {
      kind: "invoice",
      id: this.#unique(id, item),
      number: item.ref === "" ? item.entry : item.ref,
      status: "open",
      party: partyOf(item, this.#settings),
      currency: CURRENCY,
      issued,
      due: issued,
      gross: -amount,
      ...(item.net === undefined ? {} : { net: -item.net })
    }
    return { documents: [invoice], ...said }
  }

  /** Two credit notes of one piece. */
  #unique(id: string, item: Item): string {
    const key = `credit ${id}`
    const count = (this.#used.get(key) ?? 0) + 1
    this.#used.set(key, count)
    return count === 1 ? id : `${id}:${item.day}:${count}`
  }

  /** The customer's invoice whose number the text of a credit note has. */
  #named(item: Item): ReadonlyArray<Share> {
    const words = textOf(item).split(/[\s,;()]+/)
    const found = new Set(words.map((word) => `${item.customer}:${word}`).filter((id) => this.#asked.has(id)))
    const [invoice] = found
    return invoice !== undefined && found.size === 1 ? [{ invoice, amount: -item.amount }] : []
  }
}

const idIn = (item: Item): { readonly id?: string } => (item.role === "invoice" ? { id: item.piece } : {})

const partyOf = ({ customer, name }: Item, { country }: Settings): Invoice["party"] => ({
  id: customer,
  name,
  ...(country === undefined ? {} : { country })
})
