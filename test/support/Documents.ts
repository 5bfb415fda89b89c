/**
 * Makes documents, for tests that read like examples: `invoice({ gross: "120" })`, `payment("P1", "50")`. By default
 * everything concerns the invoice `I1` of the connection `books`.
 */
import type {
  CreditNote,
  Document,
  Instalment,
  Invoice,
  Payment,
  Reversal,
  ReversalType
} from "../../connectors/Document.ts"
import * as Documents from "../../connectors/Document.ts"
import { of } from "../../core/money/Decimal.ts"
import * as Day from "../../core/wire/Day.ts"
import type { Planning } from "../../sync/model/Connection.ts"
import type { Fact, InvoiceFacts } from "../../sync/model/InvoiceFacts.ts"

export const day = Day.of

export const planning: Planning = {
  owner: { organisation: { unique_id: "seller", registered: "2020-01-01T00:00:00Z" } }
}

type Changes = Partial<Omit<Invoice, "kind" | "net" | "gross" | "schedule" | "issued" | "due" | "paidOn">> & {
  readonly net?: string | undefined
  readonly gross?: string | undefined
  readonly schedule?: ReadonlyArray<readonly [string, string]>
  readonly issued?: string
  readonly due?: string
  readonly paidOn?: string
}

/** An open invoice of 120.00 with 20% tax, issued on 1 January 2026 and due a month later. */
export const invoice = (changes: Changes = {}): Invoice => {
  const { due = "2026-01-31", issued = "2026-01-01", paidOn, schedule, ...rest } = changes
  const gross = "gross" in changes ? changes.gross : "120.00"
  const net = "net" in changes ? changes.net : "gross" in changes ? undefined : "100.00"
  const { gross: _, net: __, ...others } = rest
  return {
    kind: "invoice",
    id: "I1",
    number: "INV-1",
    status: "open",
    party: { id: "c1", name: "Harbour Lane Bakery", country: "GB" },
    currency: "GBP",
    issued: day(issued),
    due: day(due),
    ...(net === undefined ? {} : { net: of(net) }),
    ...(gross === undefined ? {} : { gross: of(gross) }),
    ...(schedule === undefined
      ? {}
      : { schedule: schedule.map(([date, amount]): Instalment => ({ date: day(date), amount: of(amount) })) }),
    ...(paidOn === undefined ? {} : { paidOn: day(paidOn) }),
    ...others
  }
}

/** The amount for I1, or amounts by invoice. */
type Shares = string | Readonly<Record<string, string>>

const shares = (given: Shares) =>
  Object.entries(typeof given === "string" ? { I1: given } : given).map(([invoice, amount]) => ({
    invoice,
    amount: of(amount)
  }))

export const payment = (id: string, amount: Shares, date = "2026-01-10", changes: Partial<Payment> = {}): Payment => ({
  kind: "payment",
  id,
  date: day(date),
  shares: shares(amount),
  ...changes
})

export const reversal = (
  id: string,
  amount: Shares,
  type: ReversalType,
  changes: Partial<Omit<Reversal, "date">> & { readonly date?: string } = {}
): Reversal => {
  const { date = "2026-01-20", ...rest } = changes
  return { kind: "reversal", id, date: day(date), shares: shares(amount), type, ...rest }
}

export const creditNote = (id: string, amount: Shares, net?: string, date = "2026-01-15"): CreditNote => ({
  kind: "credit_note",
  id,
  date: day(date),
  shares: shares(amount).map((share) => (net === undefined ? share : { ...share, net: of(net) }))
})

export const key = (kind: Documents.Kind, id: string): string => Documents.key("books", kind, id)

/** The facts about I1, or about the named invoice. */
export const about = (documents: ReadonlyArray<Document>, id = "I1"): InvoiceFacts => {
  const facts = documents.flatMap((document) => {
    if (!Documents.isAllocated(document)) return []
    const mine = document.shares.filter((share) => share.invoice === id)
    if (mine.length === 0) return []
    return [{ key: key(document.kind, document.id), document, amount: mine.reduce((sum, one) => sum + one.amount, 0n) }]
  })
  const kind = <K extends Documents.Allocated["kind"]>(kind: K) =>
    facts.filter((fact) => fact.document.kind === kind) as unknown as ReadonlyArray<
      Fact<Extract<Document, { kind: K }>>
    >
  return {
    key: key("invoice", id),
    connection: "books",
    deleted: false,
    invoice: documents.find((one): one is Invoice => one.kind === "invoice" && one.id === id),
    payments: kind("payment"),
    reversals: kind("reversal"),
    creditNotes: kind("credit_note")
  }
}
