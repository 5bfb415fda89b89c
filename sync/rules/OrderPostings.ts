/**
 * Which facts of an order are still to be told, as what, and which cannot be: O1 to O3 and O6, fact by fact.
 *
 * What was told stands as the ledger has it. What is new is taken from what is left, in the order of the days, returns
 * last. The first fact that cannot be taken stops those behind it: none of them may take what is its own.
 */
import { hash } from "node:crypto"
import type { Order, OrderFact } from "../../connectors/Document.ts"
import * as Currency from "../../core/money/Currency.ts"
import * as Decimal from "../../core/money/Decimal.ts"
import type { Attention, Rule } from "../model/Call.ts"
import type { Planning } from "../model/Connection.ts"
import {
  type OrderTold,
  type Part,
  type Posting,
  type Take,
  type Taking,
  told as toldOf
} from "../model/RemoteOrder.ts"
import { BEYOND, FIRST, Lines, statedAmount } from "./OrderAllocation.ts"
import type { OrderSubject } from "../model/OrderFacts.ts"

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

/** The fact under which an amount stands that somebody told the service by hand and a person accepted. */
export const byHand = (order: string): string => `${order}#by-hand`

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

  const take = (posting: Omit<Posting, "key">, because: string) => {
    const { amount, fact, taking } = posting
    lines.book(posting)
    if (amount === "0") return void passed.push({ ...posting, key: "" })
    const times = told.postings.filter((one) => one.fact === fact).length
    const again = times === 0 ? "" : `#${times + 1}`
    const key = uuid([subject.connection, subject.key, fact + again, taking, amount].join("\n"))
    takes.push({ ...posting, key, passed, because: `${because}: ${arithmetic(posting.lines, told)}` })
    passed = []
    if (taking !== "refund") left -= BigInt(amount)
  }

  const broken = lines.broken
  if (broken !== undefined)
    stop(subject.key, "O6", broken, "correct the order in the source, or settle the rest with the service's operator")
  problems.push(...contradictions(subject, order, told, lines))

  // Somebody else has captured, voided or refunded: it may be for the same goods.
  const strange = (taking: Taking) => !told.stale && apart(told, taking) !== 0n
  let stopped = broken !== undefined || strange("capture") || strange("void")
  let refundsStopped = broken !== undefined || strange("refund")
  for (const { document, key } of sorted(subject.facts)) {
    if (known.has(key)) continue
    const taking = TAKING[document.kind]
    if (taking === "refund" ? refundsStopped : stopped) {
      stop(key, RULE[taking], "it waits for what is wrong with this order", "see the order's other open matters")
      continue
    }
    const parts = lines.parts(document, taking)
    const amount = typeof parts === "string" ? 0n : total(parts)
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
      take(postingOf(key, document, parts), `${document.kind} of ${document.date}`)
      continue
    }
    if (taking === "refund") refundsStopped = true
    else stopped = true
  }
  const over = order.status !== "open" && orders.void_remainder !== false && !stopped && left > 0n
  if (over && subject.unread !== true) {
    const made = { fact: subject.key, taking: "void" as const, lines: remainder(lines, left), amount: `${left}` }
    take(made, `the order is ${order.status}, and this is left of it`)
  }
  return { takes, attention: problems, held: over && subject.unread === true }
}

/** What was told and is now something else in the source, or nothing. */
const contradictions = (
  { facts, key: own }: OrderSubject,
  order: Order,
  told: OrderTold,
  lines: Lines
): ReadonlyArray<Attention> => {
  const there = new Map(facts.map(({ document, key }) => [key, document]))
  const ours = [own, byHand(own)]
  return told.postings
    .filter(({ fact }) => !ours.includes(fact))
    .flatMap((posting) => {
      const { amount, fact, taking } = posting
      const document = there.get(fact)
      if (document !== undefined && says(document, posting, lines, order)) return []
      const was = `${say(BigInt(amount), told)} was told for it, and the source`
      const [why, todo] =
        document === undefined
          ? ["no longer has it", "what was told cannot be taken back here: restore it in the source, or settle it"]
          : [
              "now says something else",
              "what was told cannot be changed: correct it in the source, or settle the difference"
            ]
      const matter = { subject: own, fact, rule: RULE[taking] }
      return [{ ...matter, why: `${was} ${why}`, todo: `${todo} with the service's operator` }]
    })
}

/** What is left of the lines; with what was authorised beyond them, or as one amount where others took of it. */
const remainder = (lines: Lines, left: bigint): ReadonlyArray<Part> => {
  const rest = lines.rest()
  const beyond = left - total(rest)
  if (beyond === 0n) return rest
  const part = { line: BEYOND, quantity: "0", amount: `${beyond > 0n ? beyond : left}` }
  return beyond > 0n ? [...rest, part] : [part]
}

const total = (parts: ReadonlyArray<Part>): bigint => parts.reduce((sum, one) => sum + BigInt(one.amount), 0n)

/** What a fact takes, when it takes these parts. */
export const postingOf = (key: string, document: OrderFact, lines: ReadonlyArray<Part>): Omit<Posting, "key"> => ({
  fact: key,
  taking: TAKING[document.kind],
  lines,
  amount: `${total(lines)}`,
  ...(statedAmount(document) === undefined ? {} : { stated: true })
})

/** Captures by their days, then returns: a plan that was cut short goes on where it was. */
export const sorted = (facts: OrderSubject["facts"]): OrderSubject["facts"] => {
  const rank = ({ document: { date, kind }, key }: OrderSubject["facts"][number]) =>
    `${kind === "return" ? 1 : 0} ${date} ${key}`
  return facts.toSorted((a, b) => (rank(a) < rank(b) ? -1 : 1))
}

/** Whether a fact says what was told for it. Without lines it means whatever was there then. */
const says = (document: OrderFact, posting: Posting, lines: Lines, { currency }: Order): boolean => {
  if (TAKING[document.kind] !== posting.taking) return false
  const amount = statedAmount(document)
  if ((amount !== undefined) !== (posting.stated === true)) return false
  if (amount !== undefined && amount !== BigInt(posting.amount) * 10n ** BigInt(8 - Currency.decimals(currency)))
    return false
  if (document.lines.length === 0)
    return amount === undefined || posting.lines.every(({ quantity }) => quantity === "0")
  const asked = new Map<string, bigint>()
  for (const { line, quantity } of document.lines) asked.set(line, (asked.get(line) ?? 0n) + quantity)
  for (const { line, quantity } of posting.lines) {
    if (line !== FIRST && quantity !== "0" && asked.get(line) !== Decimal.of(quantity)) return false
    if (quantity !== "0") asked.delete(line)
  }
  return [...asked.keys()].every((line) => lines.isShared(line))
}

const arithmetic = (parts: ReadonlyArray<Part>, told: OrderTold): string =>
  parts
    .map(({ amount, line, quantity }) => {
      const money = say(BigInt(amount), told)
      if (line === FIRST) return `${money} that goes with the first parcel`
      if (line === BEYOND) return `${money} beyond its lines`
      return quantity === "0" ? `${money} off ${line}` : `${quantity} of ${line} ${money}`
    })
    .join(" + ")

/** The service holds other sums than were told: somebody else captured, voided or refunded. */
export const disagreements = (
  subject: OrderSubject,
  told: OrderTold
): ReadonlyArray<{ readonly taking: Taking; readonly attention: Attention }> => {
  if (told.stale) return []
  return (["capture", "void", "refund"] as const)
    .filter((taking) => apart(told, taking) !== 0n)
    .map((taking) => ({
      taking,
      attention: attention(
        subject,
        "O6",
        `the service says ${say(stated(told, taking), told)} for ${taking} in all, and ${say(toldOf(told.postings, taking), told)} was told by this connection`,
        "find out who told the service the rest; nothing more of it is told meanwhile. If the service is right, " +
          "`daybook attention resolve` takes its sums over"
      )
    }))
}

const stated = ({ captured, refunded, voided }: OrderTold, taking: Taking): bigint =>
  BigInt({ capture: captured, void: voided, refund: refunded }[taking])

/** What the service holds beyond what was told. */
export const apart = (told: OrderTold, taking: Taking): bigint => stated(told, taking) - toldOf(told.postings, taking)

export const attention = (subject: OrderSubject, rule: Rule, why: string, todo: string): Attention => ({
  subject: subject.key,
  fact: subject.key,
  rule,
  why,
  todo
})
