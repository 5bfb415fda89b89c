/**
 * Maps e-conomic's entries of customers to documents. Pure.
 *
 * What is matched with an entry is known with its whole amount only, and of the entry itself, how much of it is matched. That
 * says what each part is where an entry is matched with one other, or with several that are used up by it.
 */
import * as Decimal from "../../core/money/Decimal.ts"
import type { Document, Share } from "../Document.ts"
import * as Json from "../Json.ts"

type Meaning = "invoice" | "payment" | "nothing"
/** Customer invoices and payments, reminders, opening entries (two types), invoices entered by hand: BookedEntry in e-conomic's API document. */
const TYPES: Readonly<Record<string, Meaning>> = {
  ...{ "1": "invoice", "2": "payment", "6": "nothing", "7": "nothing", "8": "nothing", "10": "invoice" }
}

interface Other {
  readonly id: string
  readonly amount: string
}

/** The entries that are matched with this one. A pair may be named from both sides. */
export const others = (fields: Json.Fields): ReadonlyArray<Other> => {
  const of = (list: string, side: string): ReadonlyArray<Other> =>
    fields.list(list).map((pair) => ({ id: pair.text(`${side}Entry`), amount: pair.text(`${side}EntryAmount`) }))
  return [...new Map([...of("from", "to"), ...of("to", "from")].map((one) => [one.id, one])).values()]
}

const absolute = (amount: Decimal.Decimal): Decimal.Decimal => (amount < 0n ? -amount : amount)

/** How an entry that lowers what is owed divides among others; nothing, where that cannot be known. */
const sharesOf = (fields: Json.Fields, used: Decimal.Decimal): ReadonlyArray<Share> => {
  const found = others(fields)
  const [only] = found
  if (used === 0n || only === undefined) return []
  if (found.length === 1) return [{ invoice: only.id, amount: used }]
  const shares = found.map(({ amount, id }) => ({
    invoice: id,
    amount: absolute(new Json.Fields({ amount }).decimal("amount"))
  }))
  return Decimal.sum(shares.map(({ amount }) => amount)) === used ? shares : []
}

const split = (fields: Json.Fields, books: string) => {
  const currency = fields.get("currencyCode") === undefined ? books : fields.currency("currencyCode")
  const [amount, left] = [fields.major("amount", currency), fields.major("remainder", currency)]
  if (absolute(left) > absolute(amount) || (left !== 0n && left > 0n !== amount > 0n))
    throw new Json.Unfit("remainder", `is ${Decimal.format(left)}, of an entry of ${Decimal.format(amount)}`)
  return { currency, amount, left, used: absolute(amount) - absolute(left) }
}

/** @param books the currency of entries that name none */
export const entry =
  (books: string) =>
  (fields: Json.Fields): Json.Decoded => {
    const id = fields.text("entryNumber")
    const type = fields.meaning("type", TYPES, "type of an entry")
    if (type === "nothing") return { documents: [] }
    const { amount, currency, left, used } = split(fields, books)
    const date = fields.day("date")
    const party = Json.present({ id: fields.text("customerNumber"), name: fields.maybe("customer.0.name") })
    const number = fields.maybe("customerInvoiceNumber")
    if (type === "invoice" && amount >= 0n) {
      const due = fields.maybe("dueDate") === undefined ? date : fields.day("dueDate")
      const its = { kind: "invoice", id, number: number ?? fields.text("voucherNumber"), status: "open" } as const
      const named = { id: fields.text("customerNumber"), name: fields.text("customer.0.name") }
      const amounts = { gross: amount, stated: { open: left } }
      return { documents: [{ ...its, party: named, currency, issued: date, due, ...amounts }] }
    }
    const reference = [fields.maybe("text"), number].filter((one) => one !== undefined).join(", ")
    if (type === "payment" && amount > 0n) {
      const back = { kind: "reversal", id, date, currency, shares: [], unallocated: amount, type: "refund" } as const
      return { documents: [{ ...back, ...(reference === "" ? {} : { details: reference }) }] }
    }
    const shares = sharesOf(fields, used)
    if (type === "invoice") return { documents: [{ kind: "credit_note", id, date, currency, shares }] }
    const unallocated = -amount - Decimal.sum(shares.map((share) => share.amount))
    const document: Document = {
      ...{ kind: "payment", id, date, currency, shares, party },
      ...(unallocated === 0n ? {} : { unallocated }),
      ...(reference === "" ? {} : { reference })
    }
    return { documents: [document] }
  }
