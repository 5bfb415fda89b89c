/**
 * Decides fact by fact what of an order is still to be sent, as which operation, and what cannot be sent: O1 to O3 and O6.
 *
 * What was sent stays as it is in the ledger. New facts use up what is left, in the order of their days, returns last. The first
 * fact that cannot be sent stops the later ones: none of them may use up what belongs to it. A contradiction of what was sent
 * stops everything.
 */
import { RULE, say, POSTING_KIND } from "./PostingKinds.ts"
import { hash } from "node:crypto"
import type { Order, OrderFact } from "../../connectors/Document.ts"
import * as Document from "../../connectors/Document.ts"
import type { Attention } from "../model/Call.ts"
import type { Rule } from "../model/Rule.ts"
import type { OrderSettings, Planning } from "../model/Connection.ts"
import { byHand as byHandOf, ManualAmounts, UNCLEAR, unexplained } from "./ByHand.ts"
import { contradictions, foreign, meant, outdated, unfit } from "./OrderContradictions.ts"
import { type RemoteOrder, termsOf, sumSent } from "../model/RemoteOrder.ts"
import type {
  OrderPosting,
  OrderPostingKind,
  PlannedPosting,
  PostingLine,
  SharingTerms
} from "../model/DeferredPayment.ts"
import { BEYOND, FIRST_PARCEL, Lines, statedAmount } from "./OrderAllocation.ts"
import { isForTheRest, sorted } from "./OrderMeaning.ts"
import type { OrderFacts } from "../model/OrderFacts.ts"
import { totalWorth, weigh } from "./FactWorth.ts"
import { entryOf } from "../../core/Entry.ts"

/** UUID v5 (RFC 9562) in a namespace of our own. */
export const uuid = (name: string): string => {
  const bytes = Buffer.from(hash("sha1", `daybook\n${name}`, "hex").slice(0, 32), "hex")
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x50, 6)
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8)
  return bytes.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5")
}

export interface PendingPostings {
  readonly postings: ReadonlyArray<PlannedPosting & { readonly reason: string }>
  readonly attention: ReadonlyArray<Attention>
  /** Everything that is left is to be captured, refunded or voided, but perhaps not everything about it was read yet. */
  readonly held: boolean
  /** A fact's amount exceeds what is left of the authorised amount, as last read. */
  readonly short: boolean
  /** Facts that were done by hand, and their part of the amount that a person accepted. */
  readonly done: ReadonlyArray<OrderPosting>
}

/** O1, O2, O3, O6: what is still to be sent, in order, and what cannot be. */
export const pendingPostings = (
  facts: OrderFacts,
  order: Order,
  remote: RemoteOrder,
  { orders = {} }: Planning
): PendingPostings => {
  const mismatch = foreign(order, remote)
  if (mismatch !== undefined) {
    const todo = "nothing of this order is sent: correct its currency in the source, or its deferred payment"
    return {
      postings: [],
      attention: [orderAttention(facts, "O6", mismatch, todo)],
      held: false,
      short: false,
      done: []
    }
  }
  const sheet = new Sheet(facts, order, remote, termsOf(remote, orders))
  for (const one of sheet.waiting()) sheet.open(one)
  sheet.close(orders)
  const { attention: problems, done, held, postings, short } = sheet
  return { postings, attention: problems, held, short, done }
}

/** The kinds of facts that decide what is left for a fact of this kind without lines. */
const LEAVING: Readonly<Record<OrderFact["kind"], ReadonlyArray<OrderFact["kind"]>>> = {
  fulfilment: ["fulfilment", "cancellation"],
  cancellation: ["fulfilment", "cancellation"],
  return: ["fulfilment", "return"]
}

/** The state of one order while it is worked out: what was sent, then each fact that was not. */
class Sheet {
  readonly postings: Array<PendingPostings["postings"][number]> = []
  readonly attention: Array<Attention> = []
  readonly done: Array<OrderPosting> = []
  short = false
  held = false
  readonly #facts: OrderFacts
  readonly #order: Order
  readonly #remote: RemoteOrder
  readonly #terms: SharingTerms
  readonly #lines: Lines
  readonly #goods: ReturnType<typeof meant>
  readonly #manual: ManualAmounts
  readonly #known: ReadonlySet<string>
  #passed: Array<OrderPosting> = []
  /** What is left of the authorised amount. */
  #left: bigint
  #stopped = false
  #refundsStopped = false

  constructor(facts: OrderFacts, order: Order, remote: RemoteOrder, terms: SharingTerms) {
    this.#facts = facts
    this.#order = order
    this.#remote = remote
    this.#terms = terms
    this.#lines = new Lines(order, terms)
    for (const posting of remote.postings) this.#lines.book(posting)
    this.#goods = meant(facts, order, remote)
    this.#manual = new ManualAmounts(facts.key, remote)
    this.#known = new Set(remote.postings.map(({ fact }) => fact))
    this.#left = BigInt(remote.open)
  }

  #stop(fact: string, rule: Rule, why: string, todo: string): void {
    this.attention.push({ subject: this.#facts.key, fact, rule, why, todo })
  }

  /** The facts that can be sent and have not been, in order. A problem with the order itself stops all of them. */
  waiting(): ReadonlyArray<OrderFacts["movements"][number]> {
    const [facts, order, remote] = [this.#facts, this.#order, this.#remote]
    const { broken } = this.#lines
    const todo = "correct the order in the source, or ask the service's operator to correct the rest"
    if (broken !== undefined) this.#stop(facts.key, "O6", broken, todo)
    const contradicted = contradictions(facts, order, remote, { goods: this.#goods, lines: this.#lines })
    this.attention.push(...contradicted.map(({ attention }) => attention))
    const old = outdated(facts)
    const waiting = sorted(facts.movements).filter(({ key }) => !this.#known.has(key))
    const unfitting = new Map(
      waiting.flatMap((one) => {
        const why = old.get(one.key) ?? unfit(facts, order, remote, one)
        return why === undefined ? [] : [[one.key, { ...why, rule: RULE[POSTING_KIND[one.document.kind]] }] as const]
      })
    )
    if (waiting.length > 0)
      for (const [key, its] of old) if (!unfitting.has(key)) this.#stop(key, "O6", its.why, its.todo)
    for (const [key, { rule, todo, why }] of unfitting) this.#stop(key, rule, why, todo)
    // Somebody else has captured, voided or refunded, perhaps for the same goods.
    const strange = (taking: OrderPostingKind) => apart(remote, taking) !== 0n
    const wrong = broken !== undefined || contradicted.length > 0 || unfitting.size > 0 || old.size > 0
    this.#stopped = wrong || strange("capture") || strange("void")
    this.#refundsStopped = wrong || strange("refund")
    return waiting.filter(({ key }) => !unfitting.has(key))
  }

  /** Handles one fact: it is to be sent, was done by hand, or cannot be sent. */
  open({ document, key }: OrderFacts["movements"][number]): void {
    const taking = POSTING_KIND[document.kind]
    const refund = taking === "refund"
    if (refund ? this.#refundsStopped : this.#stopped)
      return this.#stop(
        key,
        RULE[taking],
        "blocked by another problem on this order",
        "see the order's other attention items"
      )
    if (this.#isHeld(key, document)) return
    const byHand = this.#manual.left(taking)
    const [goods, left, lines] = [entryOf(this.#goods, key), this.#left, this.#lines]
    const found = weigh(this.#facts, this.#remote, { document, goods, byHand, left, lines })
    if (found.parts !== undefined) {
      const posting = postingOf(key, document, found.parts)
      const isByHand = byHand > 0n && posting.amount !== "0"
      return isByHand ? this.#takeByHand(posting) : this.#take(posting, `${document.kind} of ${document.date}`)
    }
    this.short ||= found.short === true
    // The rest of a closed order was voided as a whole, including this.
    if (found.given === true && this.#known.has(this.#facts.key)) return
    this.#stop(key, refund ? "O3" : "O6", found.why, found.todo)
    if (refund) this.#refundsStopped = true
    else this.#stopped = true
  }

  /** Whether a fact for the rest of the order waits, with the facts after it: unread facts may be about the same goods. */
  #isHeld(key: string, document: OrderFact): boolean {
    this.held ||= this.#facts.unread === true && this.#mayReplace(key)
    if (this.held || !isForTheRest(document)) return this.held
    const { unread, unreadable = [] } = this.#facts
    const lacking = LEAVING[document.kind].filter((kind) => unreadable.includes(kind))
    this.held = unread === true || lacking.length > 0
    // While the source is being read, there is nothing for a person to do.
    if (lacking.length > 0)
      this.#stop(
        key,
        RULE[POSTING_KIND[document.kind]],
        `its ${document.kind} of ${document.date} is for the rest of the order, and a ${lacking.join(" and a ")} of the source cannot be read: it may be for some of that`,
        "correct that record in the source (`daybook status` names it); the rest is sent as soon as it can be read"
      )
    return this.held
  }

  /** Whether it may be another fact of its kind, entered again: whether the source still has that one was not read yet. */
  #mayReplace(key: string): boolean {
    const kindOf = (one: string) => Document.parseKey(one).kind
    const named = new Set(entryOf(this.#goods, key).map(({ line }) => line))
    return [...this.#goods].some(
      ([other, parts]) =>
        other !== key &&
        kindOf(other) === kindOf(key) &&
        (named.size === 0 || parts.length === 0
          ? named.size === parts.length
          : parts.some(({ line }) => named.has(line)))
    )
  }

  /** Voids the rest of an order that has ended. */
  close({ void_remainder }: OrderSettings): void {
    const { deleted, key, unread, unreadable = [] } = this.#facts
    const { status } = this.#order
    const over = status !== "open" && void_remainder !== false && !this.#stopped && this.#left > 0n && !deleted
    this.held ||= over && (unread === true || unreadable.includes("fulfilment"))
    if (!over || this.held) return
    // The goods that it was captured for are still to come, and could not be captured once the rest is voided.
    const unclear = unexplained(key, [...this.#remote.postings, ...this.done], "capture")
    if (unclear > 0n) {
      this.#stop(
        key,
        "O6",
        `the rest is not voided: of what was captured, ${say(unclear, this.#remote)} ${UNCLEAR}`,
        "add the shipment to the source; if there is none, resolve this item with `daybook attention resolve`, and the rest is voided"
      )
      return
    }
    const lines = remainder(this.#lines, this.#left)
    const made = { fact: key, taking: "void" as const, lines, amount: `${this.#left}` }
    this.#take(made, `the order is ${status}, and this amount is left`)
  }

  #takeByHand(posting: Omit<OrderPosting, "key">): void {
    this.#lines.book(posting)
    this.done.push(...this.#manual.take(posting))
  }

  #take(posting: Omit<OrderPosting, "key">, reason: string): void {
    const { amount, fact, taking } = posting
    this.#lines.book(posting)
    if (amount === "0") return void this.#passed.push({ ...posting, key: "" })
    const times = this.#remote.postings.filter((one) => one.fact === fact).length
    const again = times === 0 ? "" : `#${times + 1}`
    const key = uuid([this.#facts.connection, this.#facts.key, fact + again, taking, amount].join("\n"))
    const why = `${reason}: ${arithmetic(posting.lines, this.#remote)}`
    this.postings.push({ ...posting, key, passed: this.#passed, terms: this.#terms, reason: why })
    this.#passed = []
    if (taking !== "refund") this.#left -= BigInt(amount)
  }
}

/** The ledger after amounts by hand were allocated to the facts that they were for. */
export const absorbed = (facts: OrderFacts, remote: RemoteOrder, planning: Planning): RemoteOrder => {
  if (facts.order === undefined || !remote.postings.some(({ fact }) => fact === byHandOf(facts.key))) return remote
  const { done } = pendingPostings(facts, facts.order, remote, planning)
  if (done.length === 0) return remote
  return { ...remote, terms: termsOf(remote, planning.orders ?? {}), postings: [...remote.postings, ...done] }
}

/** The rest of the lines; with what was authorised beyond them, or as one amount if others captured a part. */
const remainder = (lines: Lines, left: bigint): ReadonlyArray<PostingLine> => {
  const rest = lines.rest()
  const beyond = left - totalWorth(rest)
  if (beyond === 0n) return rest
  const part = { line: BEYOND, quantity: "0", amount: `${beyond > 0n ? beyond : left}` }
  return beyond > 0n ? [...rest, part] : [part]
}

/** The posting for a fact with these parts. */
export const postingOf = (
  key: string,
  document: OrderFact,
  lines: ReadonlyArray<PostingLine>
): Omit<OrderPosting, "key"> => ({
  fact: key,
  taking: POSTING_KIND[document.kind],
  lines,
  amount: `${totalWorth(lines)}`,
  ...(statedAmount(document) === undefined ? {} : { stated: true })
})

const arithmetic = (parts: ReadonlyArray<PostingLine>, remote: RemoteOrder): string =>
  parts
    .map(({ amount, line, quantity }) => {
      const money = say(BigInt(amount), remote)
      if (line === FIRST_PARCEL) return `${money} that goes with the first parcel`
      if (line === BEYOND) return `${money} beyond its lines`
      return quantity === "0" ? `${money} off ${line}` : `${quantity} of ${line} ${money}`
    })
    .join(" + ")

/** The service's sums differ from what was sent: somebody else captured, voided or refunded. */
export const disagreements = (
  facts: OrderFacts,
  remote: RemoteOrder
): ReadonlyArray<{ readonly taking: OrderPostingKind; readonly attention: Attention }> => {
  return (["capture", "void", "refund"] as const)
    .filter((taking) => apart(remote, taking) !== 0n)
    .map((taking) => ({
      taking,
      attention: orderAttention(
        facts,
        "O6",
        `the service says ${say(stated(remote, taking), remote)} for ${taking} in all, and ${say(sumSent(remote.postings, taking), remote)} was sent by this connection`,
        "find out who sent the rest to the service; nothing more of it is sent meanwhile. If the service is right, " +
          "`daybook attention resolve` takes its sums over"
      )
    }))
}

const stated = ({ captured, refunded, voided }: RemoteOrder, taking: OrderPostingKind): bigint =>
  BigInt({ capture: captured, void: voided, refund: refunded }[taking])

/** What the service holds beyond what was sent. */
export const apart = (remote: RemoteOrder, taking: OrderPostingKind): bigint =>
  stated(remote, taking) - sumSent(remote.postings, taking)

export const orderAttention = (facts: OrderFacts, rule: Rule, why: string, todo: string): Attention => ({
  subject: facts.key,
  fact: facts.key,
  rule,
  why,
  todo
})
