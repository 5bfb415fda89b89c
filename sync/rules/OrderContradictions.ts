/**
 * Finds contradictions between what the source says now and what was sent before: a fact that was edited, deleted, entered
 * again under another id, split, or moved to another order; an order or a fact in another currency than the payment. What was
 * sent cannot be taken back here, so nothing more is sent for such an order until a person has looked at it.
 */
import type { LinePart, Order, OrderFact } from "../../connectors/Document.ts"
import * as Currency from "../../core/money/Currency.ts"
import * as Decimal from "../../core/money/Decimal.ts"
import type { Attention } from "../model/Call.ts"
import { isByHand } from "./ByHand.ts"
import type { Planning } from "../model/Connection.ts"
import { type RemoteOrder, termsOf } from "../model/RemoteOrder.ts"
import type { OrderPosting } from "../model/DeferredPayment.ts"
import { FIRST_PARCEL, Lines, statedAmount } from "./OrderAllocation.ts"
import { meanings, type Movement } from "./OrderMeaning.ts"
import type { OrderFacts } from "../model/OrderFacts.ts"
import { RULE, say, POSTING_KIND } from "./PostingKinds.ts"

/** What a person accepts about a fact that no longer exists. */
const DELETED = "deleted"

const KINDS = { capture: "fulfilment", void: "cancellation", refund: "return" } as const

const quantities = (posting: OrderPosting): ReadonlyArray<LinePart> =>
  posting.lines.flatMap(({ line, quantity }) =>
    quantity === "0" || line === FIRST_PARCEL ? [] : [{ line, quantity: Decimal.of(quantity) }]
  )

/** Facts that were sent, without voids of a closed order's rest and without what others sent. */
const sent = ({ key }: Pick<OrderFacts, "key">, remote: RemoteOrder): ReadonlyArray<OrderPosting> =>
  remote.postings.filter((posting) => posting.fact !== key && !isByHand(key, posting))

/** The goods of each fact. A fact that was sent and then deleted in the source still stands for the goods that were sent. */
export const meant = (
  subject: Pick<OrderFacts, "movements" | "key">,
  order: Order,
  remote: RemoteOrder
): ReadonlyMap<string, ReadonlyArray<LinePart>> => {
  const there = new Set(subject.movements.map(({ key }) => key))
  const deleted = sent(subject, remote).flatMap((posting): ReadonlyArray<Movement> => {
    const lines = quantities(posting)
    // Without lines, no goods were sent, and an amount alone stands for none.
    return there.has(posting.fact) || lines.length === 0
      ? []
      : [{ key: posting.fact, document: { kind: KINDS[posting.taking], date: order.placed, lines } }]
  })
  return meanings(order, [...subject.movements, ...deleted])
}

/** The currency of a fact, if it is not its order's. */
const otherCurrency = ({ currency }: Order, document: OrderFact): string | undefined =>
  document.currency === currency ? undefined : document.currency

/** A text of everything in a fact that affects money. */
const printOf = (order: Order, document: OrderFact | undefined, goods: ReadonlyArray<LinePart>): string => {
  if (document === undefined) return DELETED
  const other = otherCurrency(order, document)
  const lines = goods.map(({ line, quantity }) => `${line} ${quantity}`).join("\n")
  return `${lines} ${statedAmount(document) ?? ""}${other === undefined ? "" : ` ${other}`}`
}

/** The difference between a fact and what was sent for it, in words; undefined if there is none. */
const differs = (
  document: OrderFact,
  goods: ReadonlyArray<LinePart>,
  posting: OrderPosting,
  { lines, order }: { readonly lines: Lines; readonly order: Order }
): string | undefined => {
  const other = otherCurrency(order, document)
  if (other !== undefined) return `it is in ${other}, and the order in ${order.currency}`
  const amount = statedAmount(document)
  const was = Currency.ofMinor(BigInt(posting.amount), order.currency)
  if ((amount !== undefined) !== (posting.stated === true) || (amount !== undefined && amount !== was)) {
    return amount === undefined ? "no amount" : `${Currency.say(amount, order.currency)}`
  }
  const asked = new Map<string, bigint>()
  for (const { line, quantity } of goods) {
    if (!lines.isShared(line)) asked.set(line, (asked.get(line) ?? 0n) + quantity)
  }
  const before = new Map(quantities(posting).map(({ line, quantity }) => [line, quantity]))
  const same = asked.size === before.size && [...asked].every(([line, quantity]) => before.get(line) === quantity)
  if (same) return undefined
  const parts = [...asked].map(([line, quantity]) => ({ line, quantity }))
  return `${lines.say(parts)} instead of ${lines.say(quantities(posting))}`
}

interface Contradiction {
  readonly posting: OrderPosting
  readonly attention: Attention
  /** What a person who closes the attention item accepts. */
  readonly accepts: string
}

/** Facts that were sent and have since changed or disappeared in the source. */
export const contradictions = (
  facts: OrderFacts,
  order: Order,
  remote: RemoteOrder,
  { goods, lines }: { readonly goods: ReturnType<typeof meant>; readonly lines: Lines }
): ReadonlyArray<Contradiction> => {
  const there = new Map(facts.movements.map(({ document, key }) => [key, document]))
  const known = new Set(remote.postings.map(({ fact }) => fact))
  const returning = facts.movements.some(({ document, key }) => document.kind === "return" && !known.has(key))
  return sent(facts, remote).flatMap((posting) => {
    const { amount, fact, taking } = posting
    const document = there.get(fact)
    const print = printOf(order, document, goods.get(fact) ?? [])
    if (posting.accepted === print) return []
    // When an order is no longer exported, its facts disappear with it, except those that were missing before. And a return
    // that replaces another may be the same.
    const left = facts.deleted && posting.contradicted !== true && !(taking === "refund" && returning)
    if (document === undefined && left) return []
    const now = document === undefined ? undefined : differs(document, goods.get(fact) ?? [], posting, { lines, order })
    if (document !== undefined && now === undefined) return []
    const was = `${say(BigInt(amount), remote)} was sent for it, and the source`
    const [why, todo] =
      now === undefined
        ? ["no longer has it", "restore it in the source, or settle it with the service's operator"]
        : [
            `now says something else: ${now}`,
            "correct it in the source, or settle the difference with the service's operator"
          ]
    const attention: Attention = {
      subject: facts.key,
      fact,
      rule: RULE[taking],
      why: `${was} ${why}`,
      todo: `what was sent cannot be changed, and nothing more of this order is sent: ${todo}; then \`daybook attention resolve\` keeps what was sent`
    }
    return [{ posting, attention, accepts: print }]
  })
}

/** The ledger with contradicted postings marked, so that this is still known when the order is no longer exported. */
export const marked = (facts: OrderFacts, remote: RemoteOrder, { orders = {} }: Planning): RemoteOrder => {
  const { order } = facts
  if (order === undefined || facts.deleted || remote.postings.length === 0) return remote
  const lines = new Lines(order, termsOf(remote, orders))
  for (const posting of remote.postings) lines.book(posting)
  const goods = meant(facts, order, remote)
  const found = new Set(contradictions(facts, order, remote, { goods, lines }).map(({ posting }) => posting))
  const postings = remote.postings.map((posting): OrderPosting => {
    if (found.has(posting) === (posting.contradicted === true)) return posting
    const { contradicted: _, ...rest } = posting
    return found.has(posting) ? { ...rest, contradicted: true } : rest
  })
  return { ...remote, postings }
}

/** Why nothing can be worked out for the whole order. Absent if the service does not state the payment's currency. */
export const foreign = ({ currency }: Order, remote: RemoteOrder): string | undefined =>
  remote.currency === "" || remote.currency === currency
    ? undefined
    : `the order is in ${currency}, and its deferred payment in ${remote.currency}`

/** Records of the order and its facts that could not be read: they may be about the goods of any fact. */
export const outdated = ({
  key: own,
  movements,
  outdated = []
}: OrderFacts): ReadonlyMap<string, { readonly why: string; readonly todo: string }> =>
  new Map(
    outdated.map((key) => {
      const document = movements.find((one) => one.key === key)?.document
      const its = key === own || document === undefined ? "this order" : `its ${document.kind} of ${document.date}`
      const why = `the source's latest record of ${its} could not be read, and the books have an older one`
      return [
        key,
        { why, todo: "correct the record in the source; nothing of this order is sent before it can be read" }
      ]
    })
  )

/** Why a fact cannot be sent, whatever its amount, and what can be done about it. */
export const unfit = (
  { elsewhere = [] }: OrderFacts,
  order: Order,
  remote: RemoteOrder,
  { document, key }: OrderFacts["movements"][number]
): { readonly why: string; readonly todo: string } | undefined => {
  const other = otherCurrency(order, document)
  if (other !== undefined)
    return {
      why: `its ${document.kind} of ${document.date} is in ${other}, and the order in ${order.currency}`,
      todo: "correct the currency in the source"
    }
  const home = elsewhere.find(({ fact }) => fact === key)
  if (home === undefined || remote.again?.includes(key) === true) return undefined
  return {
    why: `a ${POSTING_KIND[document.kind]} was sent for it before, as part of ${home.subject}`,
    todo:
      "move it back in the source, or settle what was sent with the service's operator; " +
      "then `daybook attention resolve` sends it for this order as well"
  }
}
