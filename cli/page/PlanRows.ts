/** The documents of a plan, one row each: what kind of change it is, what it is about in money, and which are asked for. */
import type { Document } from "../../connectors/Document.ts"
import * as Decimal from "../../core/money/Decimal.ts"
import type { Call } from "../../sync/model/Call.ts"
import { effectOf, effectWords } from "../../sync/model/Effect.ts"
import { amountOf } from "../render/PlanView.ts"
import { called, nameIn } from "./DocumentTitle.ts"
import { plainAmount } from "./language/TypedAmount.ts"

/** The calls for one document, with the details that a person needs. */
export interface PlannedRow {
  readonly subject: string
  readonly calls: ReadonlyArray<Call>
  /** What it is about; undefined for an owner or a buyer. */
  readonly document: Document | undefined
  readonly currency: string
}

/** Kinds of changes; a document is of the first that fits. */
export const CHANGES = {
  deleted: "Deleted",
  back: "Money back",
  new: "New",
  received: "Payments",
  other: "Other changes"
} as const
export type ChangeKind = keyof typeof CHANGES

const EFFECTS: Readonly<Partial<Record<ReturnType<typeof effectOf>, ChangeKind>>> = {
  remove: "deleted",
  void: "deleted",
  back: "back",
  refund: "back",
  create: "new",
  order: "new",
  draft: "new",
  issue: "new",
  received: "received",
  capture: "received",
  paid: "received"
}

export const changeOf = ({ calls }: Pick<PlannedRow, "calls">): ChangeKind => {
  const kinds = calls.map((call) => EFFECTS[effectOf(call)] ?? "other")
  return (Object.keys(CHANGES) as ReadonlyArray<ChangeKind>).find((one) => kinds.includes(one)) ?? "other"
}

/** What a call is about in money: its own amount, or what an invoice becomes or ceases to be. */
export const concerned = (call: Call, { currency, document }: PlannedRow): Decimal.Decimal | undefined => {
  const gross = document?.kind === "invoice" ? document.gross : undefined
  if (gross === undefined) return amountOf(call, currency)
  if (call.operation === "transactions.remove") return -gross
  return amountOf(call, currency) ?? (call.operation === "transactions.update" ? gross : undefined)
}

/** What a document is about in money: the amount of its kind of change; payments are added up. */
export const amountOfRow = (row: PlannedRow): Decimal.Decimal | undefined => {
  const kind = changeOf(row)
  const amounts = row.calls.flatMap((call) =>
    (EFFECTS[effectOf(call)] ?? "other") === kind ? (concerned(call, row) ?? []) : []
  )
  const [first] = amounts
  return kind === "received" || kind === "back"
    ? first === undefined
      ? undefined
      : amounts.reduce((sum, one) => sum + one, 0n)
    : first
}

/** `Create invoice; Report payment, twice` */
export const whatOf = ({ calls }: Pick<PlannedRow, "calls">): string => {
  const counts = new Map<string, number>()
  for (const call of calls) counts.set(effectWords(call), (counts.get(effectWords(call)) ?? 0) + 1)
  return [...counts].map(([words, count]) => (count === 1 ? words : `${words} (${count})`)).join("; ")
}

export const ORDERS = { plan: "As sent", amount: "Amount", customer: "Customer", document: "Document" } as const

/** Which documents of a plan are asked for, in which order. */
export interface RowsWanted {
  readonly kind: ChangeKind | undefined
  readonly text: string
  readonly order: keyof typeof ORDERS
  /** How many are before those that are shown. */
  readonly from: number
}

export const rowsWanted = (query: URLSearchParams): RowsWanted => {
  const named = <A extends string>(among: Readonly<Record<A, unknown>>, name: string): A | undefined =>
    (Object.keys(among) as Array<A>).find((one) => one === query.get(name))
  const from = query.get("from") ?? ""
  return {
    kind: named(CHANGES, "kind"),
    text: (query.get("q") ?? "").trim(),
    order: named(ORDERS, "order") ?? "plan",
    from: /^\d{1,6}$/.test(from) ? Number(from) : 0
  }
}

const size = (row: PlannedRow): Decimal.Decimal => {
  const amount = amountOfRow(row) ?? 0n
  return amount < 0n ? -amount : amount
}

const compare = <A>(a: A, b: A): number => (a < b ? -1 : a > b ? 1 : 0)

const BY: Readonly<Record<keyof typeof ORDERS, (a: PlannedRow, b: PlannedRow) => number>> = {
  plan: () => 0,
  amount: (a, b) => compare(a.currency, b.currency) || compare(size(b), size(a)),
  customer: (a, b) => compare(nameIn(a.document) ?? "", nameIn(b.document) ?? ""),
  document: (a, b) => compare(called(a.subject, a.document), called(b.subject, b.document))
}

/** Those that are asked for, all of them, in the order that is asked for. */
export const rowsOf = (
  rows: ReadonlyArray<PlannedRow>,
  { kind, order, text }: Omit<RowsWanted, "from">
): ReadonlyArray<PlannedRow> => {
  const sought = text.toLowerCase()
  const amount = Decimal.parse(plainAmount(text) ?? "")
  return rows
    .filter(
      (row) =>
        (kind === undefined || changeOf(row) === kind) &&
        (text === "" ||
          [row.subject, called(row.subject, row.document), nameIn(row.document) ?? ""].some((one) =>
            one.toLowerCase().includes(sought)
          ) ||
          (typeof amount === "bigint" && size(row) === amount))
    )
    .toSorted(BY[order])
}
