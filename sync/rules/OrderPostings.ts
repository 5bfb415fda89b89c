/**
 * Which facts of an order are still to be sent, as what, and which cannot be: O1 to O3 and O6, fact by fact.
 *
 * What was sent stands as the ledger has it. What is new is taken from what is left, in the order of the days, returns
 * last. The first fact that cannot be taken stops those behind it: none of them may take what belongs to it. Whatever
 * contradicts what was sent stops everything.
 */
import { RULE, say, TAKING } from "./PostingKinds.ts"
import { hash } from "node:crypto"
import type { LinePart, Order, OrderFact } from "../../connectors/Document.ts"
import type { Attention, Rule } from "../model/Call.ts"
import type { Planning } from "../model/Connection.ts"
import { byHand as byHandOf, ManualAmounts, UNCLEAR } from "./ByHand.ts"
import { contradictions, foreign, meant, outdated, unfit } from "./OrderContradictions.ts"
import { type RemoteOrder, termsOf, sumSent } from "../model/RemoteOrder.ts"
import type { PostingLine, OrderPosting, PlannedPosting, OrderPostingKind } from "../model/DeferredPayment.ts"
import { BEYOND, FIRST, Lines, statedAmount } from "./OrderAllocation.ts"
import { sorted } from "./OrderMeaning.ts"
import type { OrderFacts } from "../model/OrderFacts.ts"

/** UUID v5 (RFC 9562) in a namespace of our own. */
export const uuid = (name: string): string => {
  const bytes = Buffer.from(hash("sha1", `daybook\n${name}`, "hex").slice(0, 32), "hex")
  bytes[6] = (bytes[6]! & 0x0f) | 0x50
  bytes[8] = (bytes[8]! & 0x3f) | 0x80
  return bytes.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5")
}

export interface PendingPostings {
  readonly postings: ReadonlyArray<PlannedPosting & { readonly because: string }>
  readonly attention: ReadonlyArray<Attention>
  /** What is left is to be voided, but perhaps there are parcels of it that were not read yet. */
  readonly held: boolean
  /** A fact comes to more than is left of the authorised amount, as it was last read. */
  readonly short: boolean
  /** Facts that were done by hand, and what they take of the amount that a person accepted for them. */
  readonly done: ReadonlyArray<OrderPosting>
}

/** What is still to be sent, in order, and what cannot be. */
export const pendingPostings = (
  facts: OrderFacts,
  order: Order,
  remote: RemoteOrder,
  { orders = {} }: Planning
): PendingPostings => {
  const mismatch = foreign(order, remote)
  if (mismatch !== undefined) {
    const todo = "nothing of this order is sent: correct its currency in the source, or its deferred payment"
    return { postings: [], attention: [attention(facts, "O6", mismatch, todo)], held: false, short: false, done: [] }
  }
  const terms = termsOf(remote, orders)
  const lines = new Lines(order, terms)
  for (const posting of remote.postings) lines.book(posting)
  const goods = meant(facts, order, remote)
  const problems: Array<Attention> = []
  const postings: Array<PlannedPosting & { readonly because: string }> = []
  const done: Array<OrderPosting> = []
  let short = false
  let passed: Array<OrderPosting> = []
  let left = BigInt(remote.open)
  const hands = new ManualAmounts(facts.key, remote)
  const known = new Map(remote.postings.map((posting) => [posting.fact, posting]))
  const stop = (fact: string, rule: Rule, why: string, todo: string) =>
    problems.push({ subject: facts.key, fact, rule, why, todo })

  const take = (posting: Omit<OrderPosting, "key">, because: string) => {
    const { amount, fact, taking } = posting
    lines.book(posting)
    if (amount === "0") return void passed.push({ ...posting, key: "" })
    const times = remote.postings.filter((one) => one.fact === fact).length
    const again = times === 0 ? "" : `#${times + 1}`
    const key = uuid([facts.connection, facts.key, fact + again, taking, amount].join("\n"))
    postings.push({ ...posting, key, passed, terms, because: `${because}: ${arithmetic(posting.lines, remote)}` })
    passed = []
    if (taking !== "refund") left -= BigInt(amount)
  }

  const broken = lines.broken
  if (broken !== undefined)
    stop(facts.key, "O6", broken, "correct the order in the source, or settle the rest with the service's operator")
  const contradicted = contradictions(facts, order, remote, { goods, lines })
  problems.push(...contradicted.map(({ attention }) => attention))

  const old = outdated(facts)
  const waiting = sorted(facts.movements).filter(({ key }) => !known.has(key))
  const unfitting = new Map(
    waiting.flatMap((one) => {
      const why = old.get(one.key) ?? unfit(facts, order, remote, one)
      return why === undefined ? [] : [[one.key, why] as const]
    })
  )
  if (waiting.length > 0) for (const [key, { todo, why }] of old) if (!unfitting.has(key)) stop(key, "O6", why, todo)
  // Somebody else has captured, voided or refunded: it may be for the same goods.
  const strange = (taking: OrderPostingKind) => apart(remote, taking) !== 0n
  const wrong = broken !== undefined || contradicted.length > 0 || unfitting.size > 0 || old.size > 0
  let stopped = wrong || strange("capture") || strange("void")
  let refundsStopped = wrong || strange("refund")
  for (const { document, key } of waiting) {
    const taking = TAKING[document.kind]
    const its = unfitting.get(key)
    if (its !== undefined) {
      stop(key, RULE[taking], its.why, its.todo)
      continue
    }
    if (taking === "refund" ? refundsStopped : stopped) {
      stop(key, RULE[taking], "blocked by another problem on this order", "see the order's other attention items")
      continue
    }
    const byHand = hands.left(taking)
    const { todo, why, ...found } = weigh(facts, remote, { document, goods: goods.get(key)!, byHand, left, lines })
    if (found.parts !== undefined && byHand > 0n && total(found.parts) > 0n) {
      const posting = postingOf(key, document, found.parts)
      lines.book(posting)
      done.push(...hands.take(posting))
      continue
    }
    if (found.parts !== undefined) {
      take(postingOf(key, document, found.parts), `${document.kind} of ${document.date}`)
      continue
    }
    short ||= found.short === true
    // The rest of a closed order was voided as a whole, this with it.
    if (found.given === true && known.has(facts.key)) continue
    stop(key, taking === "refund" ? "O3" : "O6", why, todo)
    if (taking === "refund") refundsStopped = true
    else stopped = true
  }
  const over = order.status !== "open" && orders.void_remainder !== false && !stopped && left > 0n && !facts.gone
  if (over && facts.unread !== true) {
    const made = { fact: facts.key, taking: "void" as const, lines: remainder(lines, left), amount: `${left}` }
    take(made, `the order is ${order.status}, and this is left of it`)
  }
  return { postings, attention: problems, held: over && facts.unread === true, short, done }
}

/** The ledger, with what was done by hand given to the facts that it was done for. */
export const absorbed = (facts: OrderFacts, remote: RemoteOrder, planning: Planning): RemoteOrder => {
  if (facts.order === undefined || !remote.postings.some(({ fact }) => fact === byHandOf(facts.key))) return remote
  const { done } = pendingPostings(facts, facts.order, remote, planning)
  if (done.length === 0) return remote
  return { ...remote, terms: termsOf(remote, planning.orders ?? {}), postings: [...remote.postings, ...done] }
}

interface Weighed {
  readonly parts?: ReadonlyArray<PostingLine>
  readonly why: string
  readonly todo: string
  /** It asks for goods that are not there to cancel. */
  readonly given?: boolean
  /** It comes to more than is left. */
  readonly short?: boolean
}

/** What a fact comes to, or why it cannot be sent and what can be done about it. */
const weigh = (
  { gone }: OrderFacts,
  remote: RemoteOrder,
  {
    byHand,
    document,
    goods,
    left,
    lines
  }: {
    readonly document: OrderFact
    readonly goods: ReadonlyArray<LinePart>
    /** By hand, and accepted for whatever goods. */
    readonly byHand: bigint
    /** Of the authorised amount. */
    readonly left: bigint
    readonly lines: Lines
  }
): Weighed => {
  const taking = TAKING[document.kind]
  const its = `its ${document.kind} of ${document.date}`
  if (gone && taking !== "refund")
    return {
      why: `this order was deleted in the source, which still has ${its}`,
      todo: "restore the order in the source"
    }
  const all = document.lines.length === 0 && statedAmount(document) === undefined
  // Of what is back already there is nothing more to come.
  if (all && goods.length === 0 && taking === "refund" && !lines.isBack)
    return {
      why: `${its} says all that was shipped, but nothing was by then`,
      todo: "check its parcels and their days in the source"
    }
  const parts = lines.parts(document, goods, taking)
  if (typeof parts === "string")
    return {
      given: taking === "void",
      why: `${its} says ${parts}`,
      todo:
        taking === "refund"
          ? "check the quantities in the source; it is told as soon as that much was captured"
          : "check the quantities in the source"
    }
  const amount = total(parts)
  if (byHand > 0n && amount > byHand)
    return {
      why: `${its} comes to ${say(amount, remote)}, and ${say(byHand, remote)} ${UNCLEAR}`,
      todo: "settle the difference by hand, or `daybook attention resolve`: the amount by hand is then for none of the goods"
    }
  return taking !== "refund" && amount > left + byHand
    ? {
        short: true,
        why: `${say(amount, remote)} is to be ${taking === "capture" ? "captured" : "voided"}, but ${say(left, remote)} of the authorised amount is left`,
        todo: "compare the order with what was authorised at checkout; ask the service's operator for the difference"
      }
    : { parts, why: "", todo: "" }
}

/** What is left of the lines; with what was authorised beyond them, or as one amount where others took of it. */
const remainder = (lines: Lines, left: bigint): ReadonlyArray<PostingLine> => {
  const rest = lines.rest()
  const beyond = left - total(rest)
  if (beyond === 0n) return rest
  const part = { line: BEYOND, quantity: "0", amount: `${beyond > 0n ? beyond : left}` }
  return beyond > 0n ? [...rest, part] : [part]
}

export const total = (parts: ReadonlyArray<PostingLine>): bigint =>
  parts.reduce((sum, one) => sum + BigInt(one.amount), 0n)

/** What a fact takes, when it takes these parts. */
export const postingOf = (
  key: string,
  document: OrderFact,
  lines: ReadonlyArray<PostingLine>
): Omit<OrderPosting, "key"> => ({
  fact: key,
  taking: TAKING[document.kind],
  lines,
  amount: `${total(lines)}`,
  ...(statedAmount(document) === undefined ? {} : { stated: true })
})

const arithmetic = (parts: ReadonlyArray<PostingLine>, remote: RemoteOrder): string =>
  parts
    .map(({ amount, line, quantity }) => {
      const money = say(BigInt(amount), remote)
      if (line === FIRST) return `${money} that goes with the first parcel`
      if (line === BEYOND) return `${money} beyond its lines`
      return quantity === "0" ? `${money} off ${line}` : `${quantity} of ${line} ${money}`
    })
    .join(" + ")

/** The service holds other sums than were told: somebody else captured, voided or refunded. */
export const disagreements = (
  facts: OrderFacts,
  remote: RemoteOrder
): ReadonlyArray<{ readonly taking: OrderPostingKind; readonly attention: Attention }> => {
  return (["capture", "void", "refund"] as const)
    .filter((taking) => apart(remote, taking) !== 0n)
    .map((taking) => ({
      taking,
      attention: attention(
        facts,
        "O6",
        `the service says ${say(stated(remote, taking), remote)} for ${taking} in all, and ${say(sumSent(remote.postings, taking), remote)} was told by this connection`,
        "find out who told the service the rest; nothing more of it is told meanwhile. If the service is right, " +
          "`daybook attention resolve` takes its sums over"
      )
    }))
}

const stated = ({ captured, refunded, voided }: RemoteOrder, taking: OrderPostingKind): bigint =>
  BigInt({ capture: captured, void: voided, refund: refunded }[taking])

/** What the service holds beyond what was told. */
export const apart = (remote: RemoteOrder, taking: OrderPostingKind): bigint =>
  stated(remote, taking) - sumSent(remote.postings, taking)

export const attention = (facts: OrderFacts, rule: Rule, why: string, todo: string): Attention => ({
  subject: facts.key,
  fact: facts.key,
  rule,
  why,
  todo
})
