/** Checks settings in which a date stands for payments. */
import { Schema } from "effect"

type Loose = Readonly<Record<string, unknown>>

const listOf = (stream: unknown): ReadonlyArray<Loose> =>
  stream === undefined ? [] : Array.isArray(stream) ? stream : [stream as Loose]

/** Requires that what an invoice's `settled` date stands for is known, and is not read a second time. */
export const isSettledOnce = Schema.makeFilter((settings: object) => {
  const { credit_notes, invoices, payments } = settings as Loose
  for (const [n, one] of listOf(invoices).entries()) {
    const columns = one["columns"] as Loose
    if (columns["settled"] === undefined) continue
    const path = ["invoices", ...(Array.isArray(invoices) ? [n] : []), "columns", "settled"]
    if (payments !== undefined)
      return { path, issue: "stands for payments, and they are read under payments; leave one of them out" }
    const isKnown = ["credited", "balance", "paid"].some((name) => columns[name] !== undefined)
    if ((credit_notes !== undefined || one["negative"] === "credit_note") && !isKnown)
      return {
        path,
        issue: "does not say how much of it credit notes leave; name the column for paid, credited or balance"
      }
  }
  return true
})
