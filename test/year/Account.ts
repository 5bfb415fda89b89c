/**
 * An account of cover that knows nothing of Daybook: from what the service holds and from the script alone. What is open of each
 * invoice is in exactly one part.
 */
import { type Desk, PRICE } from "./Desk.ts"
import { type Bill, LEFT_OUT } from "./Script.ts"

export interface Held {
  readonly id: string
  readonly unique_id: string
  readonly number: string
  readonly status: string
  readonly currency: string
  readonly due_date: string
  readonly net_amount: string
  readonly gross_amount: string
  readonly payments: ReadonlyArray<{ readonly amount: string }>
  readonly quote: {
    readonly id: string
    readonly status: string
    readonly total_price: string | null
    readonly rejection_reason: { readonly code: string } | null
  } | null
  readonly policy: {
    readonly id: string
    readonly status: string
    readonly created: string
    readonly collection: string | null
  } | null
}

/** Decimal text as pence. */
export const penceOf = (text: string): bigint => {
  const [whole = "0", decimals = ""] = text.split(".")
  const all = BigInt(`${whole}${decimals.padEnd(2, "0").slice(0, 2)}`)
  return all
}

/** All pages of a list. */
export const all = async <A>(desk: Desk, path: string): Promise<ReadonlyArray<A>> => {
  const found: Array<A> = []
  for (let next: string | null = path; next !== null; ) {
    const page: { readonly next: string | null; readonly results: ReadonlyArray<A> } = await desk.asked("GET", next)
    found.push(...page.results)
    next = page.next
  }
  return found
}

/** What the service holds, by the invoice's number. */
export const held = async (desk: Desk): Promise<ReadonlyMap<string, Held>> =>
  new Map((await all<Held>(desk, "/v1/transactions?limit=100&expand=policy,quote")).map((one) => [one.number, one]))

/** What is open of it on the service. */
export const openOn = ({ gross_amount, payments, status }: Held): bigint => {
  if (status === "paid") return 0n
  const left = payments.reduce((open, { amount }) => open - penceOf(amount), penceOf(gross_amount))
  return left < 0n ? 0n : left
}

export const isSelected = ({ currency, net_amount }: Held, { buyer }: Bill): boolean =>
  currency === "GBP" && buyer !== LEFT_OUT && penceOf(net_amount) >= PRICE.least

const BEFORE_HANDOVER = ["active", "late", "late_can_handover"]
const ENDED = ["paid", "recovery_complete", "not_collectable", "claim_rejected", "recovery_rejected"]

/** The part of the statement that it is in. */
export const partOf = (one: Held | undefined, bill: Bill): string => {
  if (one === undefined) return "unselected"
  const { policy, quote, status } = one
  if (policy !== null) {
    if (policy.status === "lapsed") return "lapsed"
    if (ENDED.includes(policy.status)) return "closed"
    return BEFORE_HANDOVER.includes(policy.status) ? "insured" : "collection"
  }
  if (status !== "pending" || openOn(one) === 0n) return "closed"
  if (quote?.status === "offered" || quote?.status === "declined") return quote.status
  return isSelected(one, bill) ? "waiting" : "unselected"
}

/** By currency and part, without those of which nothing is open. */
export const statement = (
  bills: ReadonlyArray<Bill>,
  holds: ReadonlyMap<string, Held>,
  open: (bill: Bill) => bigint
): Readonly<Record<string, bigint>> => {
  const sums: Record<string, bigint> = {}
  for (const bill of bills) {
    const amount = open(bill)
    const name = `${bill.currency} ${partOf(holds.get(bill.id), bill)}`
    if (amount !== 0n) sums[name] = (sums[name] ?? 0n) + amount
  }
  return sums
}

/** The same as Daybook says it: the totals of `cover --json`. */
export const said = (
  totals: ReadonlyArray<Readonly<Record<string, unknown>>>,
  where: "inBooks" | "onService"
): Readonly<Record<string, bigint>> => {
  const sums: Record<string, bigint> = {}
  for (const total of totals)
    for (const [part, amount] of Object.entries(total[where] as Readonly<Record<string, string>>))
      if (penceOf(amount) !== 0n) sums[`${total["currency"]} ${part}`] = penceOf(amount)
  return sums
}

/** Where two accounts differ, in words. */
export const differences = (
  ours: Readonly<Record<string, bigint>>,
  theirs: Readonly<Record<string, bigint>>
): ReadonlyArray<string> =>
  [...new Set([...Object.keys(ours), ...Object.keys(theirs)])].toSorted().flatMap((name) => {
    const [a, b] = [ours[name] ?? 0n, theirs[name] ?? 0n]
    return a === b ? [] : [`${name}: ${a}, and Daybook says ${b}`]
  })

/** Policies that have another status than Daybook says; it need not read again what was paid and asks for nothing more. */
export const statuses = (
  holds: ReadonlyMap<string, Held>,
  invoices: ReadonlyArray<Readonly<Record<string, unknown>>>
): ReadonlyArray<string> =>
  invoices.flatMap(({ document, status }) => {
    const number = String(document).split("/").at(-1)!
    const one = holds.get(number)
    const ours = one?.policy?.status ?? null
    return ours === status || one?.status === "paid"
      ? []
      : [`${number}: its policy is ${ours}, and Daybook says ${status}`]
  })
