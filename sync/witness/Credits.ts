/**
 * Splits credit notes that give one amount for several invoices: where that is all that was open of them on its day, by the source
 * and what the service shows of other lists, or all that they ask for. Others count as unread, and their invoices are not judged.
 */
import type { Notes } from "./Notes.ts"
import { keyOf, type PlainDocument, sum, type Units } from "./Plain.ts"

const upTo = (most: Units): Units => (most > 0n ? most : 0n)

/** What an invoice asks for on the day of a credit note, and what of that is open. */
const leftOf = (notes: Notes, connection: string, note: PlainDocument, invoice: string) => {
  const key = keyOf(connection, "invoice", invoice)
  const its = notes.find(key)
  const whole = its?.gross ?? its?.net
  if (its === undefined || whole === undefined || its.currency !== (note.currency ?? its.currency)) return undefined
  const day = note.date ?? ""
  const before = [...notes.factsOf(key).values()].filter(({ date = "" }) => date <= day)
  const total = (kind: string) =>
    sum(
      before.flatMap((one) =>
        one.kind === kind
          ? (one.shares ?? []).flatMap((share) =>
              share.invoice === invoice && share.among === undefined ? [share.amount] : []
            )
          : []
      )
    )
  const elsewhere = notes
    .postedOn(key)
    .flatMap(({ amount, day: on = "", fact }) => (fact.startsWith(`${connection}/`) || on > day ? [] : [amount]))
  const asked = its.status === "void" ? 0n : whole - total("credit_note")
  return {
    invoice,
    asked: upTo(asked),
    open: upTo(asked - total("payment") + total("reversal") - sum(elsewhere))
  }
}

export const splitCredits = (notes: Notes, connection: string): void => {
  for (const [key, note] of notes.documents(connection, "credit_note")) {
    const { shares = [] } = note
    const among = shares.flatMap((share) => share.among ?? [])
    if (among.length === 0) continue
    const amount = sum(shares.map((share) => share.amount))
    const all = among.map((invoice) => leftOf(notes, connection, note, invoice))
    const parts = all.filter((one) => one !== undefined)
    const certain = (["open", "asked"] as const).find(
      (member) => parts.length === all.length && sum(parts.map((part) => part[member])) === amount
    )
    const split = certain === undefined ? [] : parts.map((part) => ({ invoice: part.invoice, amount: part[certain] }))
    notes.document(connection, {
      ...note,
      shares: certain === undefined ? among.map((invoice) => ({ invoice, amount: 0n })) : split
    })
    if (certain === undefined)
      notes.unread({
        connection,
        kind: note.kind,
        origin: key,
        why: `it credits ${among.length} invoices, and does not say how much of each`,
        key
      })
  }
}
