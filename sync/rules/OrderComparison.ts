/**
 * Compares one order with its deferred payment: the amounts that follow from its facts (`OrderSource.ts`), the source's own
 * totals, and what was sent, each with what the service states. Every difference is named with both amounts. Pure.
 */
import type { Order } from "../../connectors/Document.ts"
import * as Currency from "../../core/money/Currency.ts"
import type { OrderSettings } from "../model/Connection.ts"
import type { OrderPostingKind } from "../model/DeferredPayment.ts"
import type { OrderFacts } from "../model/OrderFacts.ts"
import { authorised, openInBooks, type RemoteOrder, sumSent, termsOf } from "../model/RemoteOrder.ts"
import { isByHand, unexplained } from "./ByHand.ts"
import { foreign } from "./OrderContradictions.ts"
import { type Measure, MEASURE, type SourceTotals, sourceTotals, statedTotals } from "./OrderSource.ts"

/** Amounts in major units with the currency's decimals. */
export interface Apart {
  readonly what: "authorised" | "currency" | Measure
  /** The difference. */
  readonly amount: string
  /** The amount that follows from the facts; with `totals`, the source's own total. */
  readonly source?: string
  readonly totals?: true
  /** What this connection sent, if the facts match the service: somebody else did the rest. */
  readonly sent?: string
  readonly service: string
  readonly why?: string
  /** A person accepted it. */
  readonly accepted?: true
}

export interface Comparison {
  /** Undefined if the order and its payment are in two currencies. */
  readonly source: SourceTotals | undefined
  /** What the facts, and what a person accepted, leave open of the authorised amount: minor units. */
  readonly open: bigint
  readonly differences: ReadonlyArray<Apart>
  /** By measure, whether the source's own total matches the service; absent if it states none. */
  readonly totals: Partial<Readonly<Record<Measure, boolean>>>
}

const ACCEPTED = "what others sent to the service was accepted by hand"
const PARTLY =
  "more was done by hand than the goods in the books come to, and was accepted; whether it was for these goods is not known"
const STANDS = "what was sent was accepted by hand, although the source says otherwise"
const AUTHORISED = "the order's total is not what was authorised at checkout"

const KINDS = { captured: "capture", voided: "void", refunded: "refund" } as const

type Sums = Readonly<Record<Measure, bigint>>

/** What others sent and a person accepted. */
const byPerson = (key: string, { postings }: RemoteOrder, kind: OrderPostingKind): bigint =>
  sumSent(
    postings.filter((posting) => isByHand(key, posting)),
    kind
  )

/**
 * What the service should state, given the facts and what a person accepted.
 *
 * @param accepted the totals of the facts, some of which were accepted as sent
 */
const expected = (key: string, remote: RemoteOrder, accepted: Sums, beyond: bigint): Sums => {
  const captured = accepted.captured + byPerson(key, remote, "capture")
  const rest = authorised(remote) - captured
  const voided = accepted.voided + beyond + byPerson(key, remote, "void")
  return {
    captured,
    // What was captured beyond the facts, and accepted, cannot be voided as well.
    voided: captured !== accepted.captured && voided > rest ? rest : voided,
    refunded: accepted.refunded + byPerson(key, remote, "refund")
  }
}

interface Sides {
  readonly key: string
  readonly remote: RemoteOrder
  readonly source: SourceTotals
  readonly should: Sums
  /** What was authorised beyond a closed order is voided with the rest of it. */
  readonly beyond: bigint
  readonly say: (minor: bigint) => string
}

/** How one measure of the facts differs from the service's, or from what was sent. */
const differs = (what: Measure, { beyond, key, remote, say, should, source }: Sides): ReadonlyArray<Apart> => {
  const held = BigInt(remote[what])
  const [its, service] = [say(source[what]), say(held)]
  const apart = { what, amount: say(source[what] - held), source: its, service }
  const unpriced = source.unpriced.find((one) => one.what === what)
  if (unpriced !== undefined) return [{ ...apart, why: unpriced.why }]
  if (should[what] !== held) return [apart]
  if (source[what] + (what === "voided" ? beyond : 0n) !== held) {
    if (unexplained(key, remote.postings, KINDS[what]) > 0n) return [{ ...apart, why: PARTLY }]
    const why = byPerson(key, remote, KINDS[what]) === 0n ? STANDS : ACCEPTED
    return [{ ...apart, why, accepted: true }]
  }
  const sent = sumSent(remote.postings, KINDS[what])
  return sent === held ? [] : [{ what, amount: say(sent - held), sent: say(sent), service }]
}

export const compare = (
  { key, movements }: Pick<OrderFacts, "key" | "movements">,
  order: Order,
  remote: RemoteOrder,
  orders: OrderSettings
): Comparison => {
  const say = (minor: bigint) => Currency.format(Currency.ofMinor(minor, order.currency), order.currency)
  if (foreign(order, remote) !== undefined) {
    const what = { what: "currency" as const, amount: say(0n), source: order.currency, service: remote.currency }
    return { source: undefined, open: openInBooks(remote), differences: [what], totals: {} }
  }
  const terms = termsOf(remote, orders)
  const source = sourceTotals(order, movements, terms, orders)
  const stands = remote.postings.filter(({ accepted }) => accepted !== undefined)
  const accepted = stands.length === 0 ? source : sourceTotals(order, movements, terms, orders, stands)
  const all = authorised(remote)
  const over = order.status !== "open" && orders.void_remainder !== false && all > source.total
  const beyond = over ? all - source.total : 0n
  const should = expected(key, remote, accepted, beyond)
  const differences: Array<Apart> = []
  if (all !== source.total) {
    const [its, service] = [say(source.total), say(all)]
    const amount = say(source.total - all)
    differences.push({ what: "authorised", amount, source: its, service, why: AUTHORISED })
  }
  const own = statedTotals(order)
  const totals: Partial<Record<Measure, boolean>> = {}
  for (const what of Object.values(MEASURE)) {
    differences.push(...differs(what, { key, remote, source, should, beyond, say }))
    const total = own[what]
    if (total === undefined) continue
    const held = BigInt(remote[what])
    totals[what] = total === held
    if (total !== held)
      differences.push({ what, amount: say(total - held), source: say(total), totals: true, service: say(held) })
  }
  return { source, open: all - BigInt(remote.expired) - should.captured - should.voided, differences, totals }
}

/** The open amount in the books, in minor units; for an order that is no longer exported, from what this connection sent. */
export const openByFacts = (facts: OrderFacts, remote: RemoteOrder, orders: OrderSettings = {}): bigint =>
  facts.order === undefined || facts.deleted ? openInBooks(remote) : compare(facts, facts.order, remote, orders).open
