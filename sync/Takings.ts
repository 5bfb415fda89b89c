/**
 * Which facts of an order are still to be told, as what, and which cannot be: O1 to O3 and O6, fact by fact.
 *
 * What was told stands as the ledger has it. What is new is taken from what is left, in the order of the days, returns
 * last. The first fact that cannot be taken stops those behind it: none of them may take what is its own.
 */
import { hash } from "node:crypto"
import type { Order, OrderFact } from "../connectors/Document.ts"
import * as Currency from "../core/money/Currency.ts"
import * as Decimal from "../core/money/Decimal.ts"
import type { Attention, Rule } from "./Call.ts"
import type { Planning } from "./Connection.ts"
import { type OrderTold, type Part, type Posting, type Take, type Taking, told as toldOf } from "./OrderLedger.ts"
import { Lines } from "./OrderLines.ts"
import type { OrderSubject } from "./OrderSubject.ts"

export const TAKING: Readonly<Record<OrderFact["kind"], Taking>> = {
  fulfilment: "capture",
  cancellation: "void",
  return: "refund"
}

export const RULE: Readonly<Record<Taking, Rule>> = { capture: "O1", void: "O2", refund: "O3" }

/** UUID v5 (RFC 9562) in a namespace of our own. */
export const uuid = (name: string): string => {
  const bytes = Buffer.from(hash("sha1", `daybook\n${name}`, "hex").slice(0, 32), "hex")
  bytes[6] = (bytes[6]! & 0x0f) | 0x50
  bytes[8] = (bytes[8]! & 0x3f) | 0x80
  return bytes.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5")
}

export const say = (minor: bigint, { currency }: { readonly currency: string }): string =>
  Currency.say(minor * 10n ** BigInt(8 - Currency.decimals(currency)), currency)

export interface Openings {
  readonly takes: ReadonlyArray<Take & { readonly because: string }>
  readonly attention: ReadonlyArray<Attention>
  /** What is left is to be voided, but perhaps there are parcels of it that were not read yet. */
  readonly held: boolean
}

/** What is still to be told, in order, and what cannot be. */
export const openings = (subject: OrderSubject, order: Order, told: OrderTold, { orders = {} }: Planning): Openings => {
  const lines = new Lines(order, orders)
  for (const posting of told.postings) lines.book(posting)
  const problems: Array<Attention> = []
  const takes: Array<Take & { readonly because: string }> = []
  let passed: Array<Posting> = []
  let left = BigInt(told.open)
  const known = new Map(told.postings.map((posting) => [posting.fact, posting]))
  const stop = (fact: string, rule: Rule, why: string, todo: string) =>
    problems.push({ subject: subject.key, fact, rule, why, todo })

  const take = (fact: string, taking: Taking, parts: ReadonlyArray<Part>, because: string) => {
    const amount = parts.reduce((sum, one) => sum + BigInt(one.amount), 0n)
    const posting = { fact, taking, lines: parts, amount: `${amount}` }
    lines.book(posting)
    if (amount === 0n) return void passed.push({ ...posting, key: "" })
    const times = told.postings.filter((one) => one.fact === fact).length
    const again = times === 0 ? "" : `#${times + 1}`
    const key = uuid([subject.connection, subject.key, fact + again, taking, amount].join("\n"))
    takes.push({ ...posting, key, passed, because: `${because}: ${arithmetic(parts, told)}` })
    passed = []
    if (taking !== "refund") left -= amount
  }

  const broken = lines.broken
  if (broken !== undefined)
    stop(subject.key, "O6", broken, "correct the order in the source, or settle the rest with the service's operator")
  for (const { document, key } of sorted(subject.facts)) {
    const posting = known.get(key)
    if (posting !== undefined && !says(document, posting, lines)) {
      stop(
        key,
        RULE[posting.taking],
        `${say(BigInt(posting.amount), told)} was told for it, and the source now says something else`,
        "what was told cannot be changed: correct it in the source, or settle the difference with the service's operator"
      )
    }
  }
  const there = new Set(subject.facts.map(({ key }) => key))
  for (const { amount, fact, taking } of told.postings) {
    if (fact === subject.key || there.has(fact)) continue
    stop(
      fact,
      RULE[taking],
      `${say(BigInt(amount), told)} was told for it, and the source no longer has it`,
      "what was told cannot be taken back here: restore it in the source, or settle it with the service's operator"
    )
  }

  // Somebody else has captured or refunded: it may be for the same goods.
  const strange = (taking: Taking) => !told.stale && differs(told, taking)
  let stopped = broken !== undefined || strange("capture")
  let refundsStopped = broken !== undefined || strange("refund")
  for (const { document, key } of sorted(subject.facts)) {
    if (known.has(key)) continue
    const taking = TAKING[document.kind]
    if (taking === "refund" ? refundsStopped : stopped) {
      stop(key, RULE[taking], "it waits for what is wrong with this order", "see the order's other open matters")
      continue
    }
    const parts = lines.parts(document.lines, taking)
    const amount = typeof parts === "string" ? 0n : parts.reduce((sum, one) => sum + BigInt(one.amount), 0n)
    // The rest of a closed order was voided as a whole, this with it.
    if (typeof parts === "string" && taking === "void" && known.has(subject.key)) continue
    if (typeof parts === "string") {
      stop(
        key,
        taking === "refund" ? "O3" : "O6",
        `its ${document.kind} of ${document.date} says ${parts}`,
        taking === "refund"
          ? "check the quantities in the source; it is told as soon as that much was captured"
          : "check the quantities in the source"
      )
    } else if (taking !== "refund" && amount > left) {
      stop(
        key,
        "O6",
        `${say(amount, told)} is to be ${taking === "capture" ? "captured" : "voided"}, but ${say(left, told)} of the authorised amount is left`,
        "compare the order with what was authorised at checkout; ask the service's operator for the difference"
      )
    } else {
      take(key, taking, parts, `${document.kind} of ${document.date}`)
      continue
    }
    if (taking === "refund") refundsStopped = true
    else stopped = true
  }
  const over = order.status !== "open" && orders.void_remainder !== false && !stopped && left > 0n
  if (over && subject.unread !== true) {
    const rest = lines.rest()
    const sum = rest.reduce((sum, one) => sum + BigInt(one.amount), 0n)
    // What was authorised beyond the order's total goes with it.
    take(
      subject.key,
      "void",
      sum === left ? rest : [...rest, { line: "beyond the order", quantity: "0", amount: `${left - sum}` }],
      `the order is ${order.status}, and this is left of it`
    )
  }
  // Refunds come last whatever their days: a plan that was cut short then goes on where it was.
  return { takes, attention: problems, held: over && subject.unread === true }
}

const sorted = (facts: OrderSubject["facts"]): OrderSubject["facts"] => {
  const rank = ({ document: { date, kind }, key }: OrderSubject["facts"][number]) =>
    `${kind === "return" ? 1 : 0} ${date} ${key}`
  return facts.toSorted((a, b) => (rank(a) < rank(b) ? -1 : 1))
}

/** Whether a fact says what was told for it. Without lines it means whatever was there then. */
const says = ({ kind, lines: stated }: OrderFact, posting: Posting, lines: Lines): boolean => {
  if (TAKING[kind] !== posting.taking) return false
  if (stated.length === 0) return true
  const asked = new Map<string, bigint>()
  for (const { line, quantity } of stated) asked.set(line, (asked.get(line) ?? 0n) + quantity)
  for (const { line, quantity } of posting.lines) {
    if (line !== "" && asked.get(line) !== Decimal.of(quantity)) return false
    asked.delete(line)
  }
  return [...asked.keys()].every((line) => lines.isShared(line))
}

const arithmetic = (parts: ReadonlyArray<Part>, told: OrderTold): string =>
  parts
    .map(({ amount, line, quantity }) =>
      line === ""
        ? `${say(BigInt(amount), told)} that goes with the first parcel`
        : `${quantity} of ${line} ${say(BigInt(amount), told)}`
    )
    .join(" + ")

/** The service holds other sums than were told: somebody else captured, voided or refunded. */
export const disagreements = (subject: OrderSubject, told: OrderTold): ReadonlyArray<Attention> => {
  if (told.stale) return []
  return (["capture", "void", "refund"] as const)
    .filter((taking) => differs(told, taking))
    .map((taking) =>
      attention(
        subject,
        "O6",
        `the service says ${say(stated(told, taking), told)} for ${taking} in all, and ${say(toldOf(told.postings, taking), told)} was told by this connection`,
        "find out who told the service the rest; nothing more of it is told meanwhile"
      )
    )
}

const stated = ({ captured, refunded, voided }: OrderTold, taking: Taking): bigint =>
  BigInt({ capture: captured, void: voided, refund: refunded }[taking])

const differs = (told: OrderTold, taking: Taking): boolean => stated(told, taking) !== toldOf(told.postings, taking)

export const attention = (subject: OrderSubject, rule: Rule, why: string, todo: string): Attention => ({
  subject: subject.key,
  fact: subject.key,
  rule,
  why,
  todo
})
