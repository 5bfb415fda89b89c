/**
 * Finds the invoices that a table's own payments are for. People write an invoice's id, or its number; some tables have it as the
 * payment's reference only. What names two invoices, or none, is quarantined: it is never left out with a notice. Use inside a
 * page's transaction; a source's invoices are read before its payments.
 */
import type { QuarantinedRecord } from "../../connectors/Connector.ts"
import * as Document from "../../connectors/Document.ts"
import { normal } from "../model/MatchText.ts"
import * as Body from "../state/Body.ts"
import type { Db } from "../state/Database.ts"
import { type Ready, readyOf, quarantinedRecord } from "./Ready.ts"

/** The payment as it is stored, or why it cannot be. */
type Linked = { readonly ready: Ready } | { readonly why: string; readonly field: string }

type Invoice = Document.Invoice

const NUMBER = Body.at("invoice", "number")

export class OwnLinks {
  readonly #db: Db
  readonly #connection: string

  constructor(db: Db, connection: string) {
    this.#db = db
    this.#connection = connection
  }

  /** What a page read, with the invoices found; and what is quarantined instead. */
  all(page: ReadonlyArray<Ready>): {
    readonly read: ReadonlyArray<Ready>
    readonly quarantined: ReadonlyArray<QuarantinedRecord>
  } {
    const read: Array<Ready> = []
    const quarantined: Array<QuarantinedRecord> = []
    for (const one of page) {
      const linked = this.#link(one)
      if ("ready" in linked) read.push(linked.ready)
      else quarantined.push(quarantinedRecord(one, linked))
    }
    return { read, quarantined }
  }

  #link(read: Ready): Linked {
    // An invoice has no link, so it need not be decoded.
    if (read.kind === "invoice") return { ready: read }
    const { document } = read
    if (!Document.isAllocated(document)) return { ready: read }
    const { shares } = document
    if (shares.length === 0) return document.kind === "payment" ? this.#byReference(read, document) : { ready: read }
    let isMoved = false
    const now: Array<Document.Share> = []
    for (const { names, ...share } of shares) {
      const found = this.#find(share.invoice, share.amount, document, names)
      if (found === "two") return { field: "invoice", why: two(share.invoice) }
      isMoved ||= names !== undefined || (found !== undefined && found.id !== share.invoice)
      now.push(found === undefined ? share : { ...share, invoice: found.id })
    }
    return isMoved ? this.#with(read, { ...document, shares: now }) : { ready: read }
  }

  #byReference(read: Ready, payment: Document.Payment): Linked {
    const { reference = "", unallocated = 0n } = payment
    if (reference === "") return { ready: read }
    const found = this.#find(reference.trim(), unallocated, payment)
    if (found === "two") return { field: "reference", why: two(reference) }
    if (found === undefined)
      return {
        field: "reference",
        why: `${JSON.stringify(reference)} is not the id or number of an invoice of this source; name the column of the invoice under columns.invoice, or read the payments in a connection of their own that "pays" this one, where texts are searched for numbers`
      }
    const { unallocated: _, ...rest } = payment
    return this.#with(read, { ...rest, shares: [{ invoice: found.id, amount: unallocated }] })
  }

  #with({ origin, raw }: Ready, document: Document.Document): Linked {
    return { ready: readyOf(this.#connection, { document, origin, raw }) }
  }

  /** The invoice with this id or number. If that is two, the one of this payer, or the one of this amount if only of it so much was paid. */
  #find(
    name: string,
    amount: bigint,
    payment: Document.Allocated,
    names?: Document.Share["names"]
  ): Invoice | "two" | undefined {
    const byId = this.#invoices("key = ? AND deleted = 0", Document.key(this.#connection, "invoice", name))
    if (names === "id") return byId[0]
    const [first, second] = [`${this.#connection}/invoice/`, `${this.#connection}/invoice0`]
    // By the index of numbers that are not the id, whatever else is stored.
    const byNumber = this.#invoices(
      `${Body.is("invoice")} AND ${NUMBER} = ? AND ${NUMBER} IS NOT NULL AND +key > ? AND +key < ? AND deleted = 0 LIMIT 2`,
      name,
      first,
      second
    )
    // The number of an invoice that has none of its own is its id.
    const all = [...(names === "number" ? byId.filter(({ number }) => number === undefined) : byId), ...byNumber]
    if (all.length < 2) return all[0]
    const payer = "party" in payment ? payment.party : undefined
    const ofPayer = all.filter(
      ({ party }) =>
        (payer?.id !== undefined && payer.id === party.id) ||
        (payer?.name !== undefined && normal(payer.name) === normal(party.name))
    )
    const left = ofPayer.length > 0 ? ofPayer : all
    if (left.length === 1) return left[0]
    const exact = left.filter(({ gross, net }) => (gross ?? net) === amount)
    const [one] = exact
    const able = payment.kind === "payment" ? left.filter((its) => mayHave(its, amount)) : exact
    return one !== undefined && exact.length === 1 && able.length === 1 && able[0] === one ? one : "two"
  }

  #invoices(where: string, ...values: ReadonlyArray<string>): ReadonlyArray<Invoice> {
    const rows = this.#db
      .prepare(`SELECT body FROM document WHERE ${where}`)
      .pluck()
      .all(...values)
    return (rows as ReadonlyArray<string>).map((body) => Body.read(body) as Invoice)
  }
}

/** Whether so much may have been paid of an invoice, as far as its source says what was: what it says includes what was credited. */
const mayHave = ({ gross, net, stated }: Invoice, amount: bigint): boolean => {
  const whole = gross ?? net
  const paid = stated?.paid ?? (stated?.open === undefined || whole === undefined ? undefined : whole - stated.open)
  return paid === undefined || paid >= amount
}

const two = (name: string): string =>
  `${JSON.stringify(name)} is the id of one invoice and the number of another, and payer and amount do not show which is meant; set names to "id" or "number" beside columns, whichever the column of the invoice has`
