/**
 * What was sent to the service about one order and confirmed by it: its deferred payment as it was last read, and every
 * capture, void and refund since the first, with the lines and quantities that each is made of.
 *
 * Amounts are whole minor units and quantities exact decimals, both as text, so that a ledger is JSON as it stands.
 * What a fact took is never worked out again: it is what was sent.
 */
import type {
  PaymentLookup,
  Offer,
  OrderPosting,
  DeferredPayment,
  PlannedPosting,
  OrderPostingKind,
  SharingTerms
} from "./DeferredPayment.ts"
import { type Answer, FORESEEN, idOf } from "./Answer.ts"
import { type CallOf, isReading, type OrderCall, type ReadingCall, reference } from "./Call.ts"
import type { OrderSettings } from "./Connection.ts"
import type { Json } from "./RemoteInvoice.ts"
import { given } from "../../core/Entry.ts"

/** The terms that an order began with: a setting that changes later is for orders that begin later. */
export const termsOf = (remote: Pick<RemoteOrder, "terms">, settings: OrderSettings): SharingTerms => {
  if (remote.terms !== undefined) return remote.terms
  const { discounts = "value", fees = "value", shipping = "value" } = settings
  return { shipping, fees, discounts }
}

/** What was created on the service for an order. */
export interface CreatedOrder {
  /** Of its lines as they were then. */
  readonly print: string
  readonly offer?: Offer
  /** The offer ended, and the buyer took none of its plans. */
  readonly lapsed?: boolean
  /** The offer before, when a person asked for another one. */
  readonly before?: string
  /** Until when the buyer may take an offer of the shop's own though the order has ended, in milliseconds since the epoch. */
  readonly until?: number
}

export interface RemoteOrder extends DeferredPayment {
  readonly kind: "order"
  /** The order's number when it was first found, or as it was sent since. */
  readonly number: string
  readonly postings: ReadonlyArray<OrderPosting>
  /** Since the first posting. */
  readonly terms?: SharingTerms
  /** Facts that were sent as another order's, and that a person wants to be sent as this one's as well. */
  readonly again?: ReadonlyArray<string>
  /** Something was sent after the service was last read. */
  readonly stale: boolean
  /** Absent when the order was on the service already. */
  readonly created?: CreatedOrder
  /** Another order held this deferred payment already when an older program wrote this down. */
  readonly doubled?: true
}

/** Whether there is a deferred payment. Before, `id` is the order's own identifier, and nothing is authorised. */
export const isPaid = ({ order, id }: RemoteOrder): boolean => id !== order

/** Statuses in which something can be done (assumption: DP 3 shows none); other ones are waited for. */
const READY = ["accepted", "part_fulfilled", "captured", "fulfilled", "voided"]

export const isReady = ({ status }: DeferredPayment): boolean => READY.includes(status)

/** Statuses out of which nothing comes any more (assumption: DP 3 shows none). */
const OVER = ["rejected", "cancelled", "expired"]

export const isOver = ({ status }: DeferredPayment): boolean => OVER.includes(status)

/** Nothing can be captured of it, and nothing was. */
export const isSpent = (seen: DeferredPayment): boolean =>
  isOver(seen) || (seen.status === "voided" && seen.captured === "0")

/** What of the authorised amount there is, all in all. */
export const authorised = ({ captured, expired, open, voided }: DeferredPayment): bigint =>
  BigInt(open) + BigInt(captured) + BigInt(voided) + BigInt(expired)

/** What this connection sent, by operation. */
export const sumSent = (postings: ReadonlyArray<OrderPosting>, taking: OrderPostingKind): bigint =>
  postings.reduce((sum, one) => (one.taking === taking ? sum + BigInt(one.amount) : sum), 0n)

/** The service was read. */
export const withPayment = (before: RemoteOrder | undefined, seen: DeferredPayment, number: string): RemoteOrder => ({
  ...seen,
  kind: "order",
  number: before?.number ?? number,
  postings: before?.postings ?? [],
  stale: false,
  ...(before?.terms === undefined ? {} : { terms: before.terms }),
  ...(before?.again === undefined ? {} : { again: before.again }),
  ...(before?.created === undefined ? {} : { created: before.created }),
  ...(before?.doubled === undefined || before.id !== seen.id ? {} : { doubled: true })
})

const COUNTER = { capture: "captured", void: "voided", refund: "refunded" } as const

/** A capture, void or refund was done. */
const withPosting = (before: RemoteOrder, { passed, terms, ...posting }: PlannedPosting): RemoteOrder => {
  const counter = COUNTER[posting.taking]
  const begun = before.terms ?? terms
  const open = posting.taking === "refund" ? before.open : `${BigInt(before.open) - BigInt(posting.amount)}`
  return {
    ...before,
    open,
    [counter]: `${BigInt(before[counter]) + BigInt(posting.amount)}`,
    postings: [...before.postings, ...passed, posting],
    ...(begun === undefined ? {} : { terms: begun }),
    stale: true
  }
}

/** Reads what the service answers: numbers of minor units, with fractions that are too fine to be taken left out. */
export const wholeUnits = (value: Json | undefined): string => {
  const [units = "0"] = String(value ?? 0).split(".")
  return /^-?\d+$/.test(units) ? `${BigInt(units)}` : "0"
}

const NOTHING = { open: "0", captured: "0", refunded: "0", voided: "0", expired: "0" }

/** An order that is on the service, and waits for its buyer. */
export const createdAs = (id: string, number: string, currency: string, print: string): RemoteOrder => ({
  kind: "order",
  id,
  order: id,
  reference: number,
  number,
  status: "created",
  currency,
  ...NOTHING,
  postings: [],
  stale: false,
  created: { print }
})

/** The ledger of an order that was created. */
export const orderCreated = (
  { body, subject, print }: CallOf<"orders.create">,
  answer: Answer = FORESEEN
): RemoteOrder =>
  createdAs(idOf(answer) ?? reference(subject), String(body["unique_id"]), String(body["currency"]), print)

/** What was created for an order that Daybook creates; others do not come to where this is asked. */
export const createdFor = ({ created }: RemoteOrder): CreatedOrder => given(created, "what was created")

/** Every plan was declined, or none was accepted in time: another offer may be asked for. */
export const isOfferOver = (remote: RemoteOrder): boolean =>
  !isPaid(remote) && (remote.status === "declined" || remote.created?.lapsed === true)

/** A person asks for another offer. */
export const askAgain = (remote: RemoteOrder): RemoteOrder => {
  const { offer, print } = createdFor(remote)
  return { ...remote, status: "created", created: { print, ...(offer === undefined ? {} : { before: offer.id }) } }
}

/** Every plan that the service offers may be declined (DP 3). */
export const offered = (remote: RemoteOrder, offer: Offer | undefined): RemoteOrder => {
  const declined = offer?.plans.every(({ status }) => status === "declined")
  return {
    ...remote,
    status: declined ? "declined" : "offered",
    created: { ...createdFor(remote), offer: offer ?? { id: "", plans: [] } }
  }
}

const predicted = (call: ReadingCall): DeferredPayment => ({
  id: call.operation === "deferredPayments.get" ? call.params.deferred_payment_id : reference(call.subject),
  status: "accepted",
  currency: call.lookup.currency,
  ...NOTHING,
  open: call.lookup.total
})

/** The ledger of an order whose payment is there and accepted, which is what a reading is taken to find. */
export const asPredicted = (call: ReadingCall): RemoteOrder =>
  withPayment(undefined, predicted(call), call.lookup.number)

/** Of a deferred payment that takes another one's place nothing was taken yet, and its order may be called otherwise. */
const replaced = (
  before: RemoteOrder | undefined,
  { id }: DeferredPayment,
  { number }: PaymentLookup
): RemoteOrder | undefined => {
  if (before === undefined || !isPaid(before) || before.id === id) return before
  const { again: _, terms: __, ...rest } = before
  return { ...rest, number, postings: [] }
}

/** The ledger of an order after its deferred payment was read. What was not found leaves it as it was. */
const afterReading = (before: RemoteOrder | undefined, call: ReadingCall, answer: Answer): RemoteOrder | undefined => {
  if (answer.kind !== "no payment") {
    const payment = answer.kind === "payment" ? answer.payment : (before ?? predicted(call))
    return withPayment(replaced(before, payment, call.lookup), payment, call.lookup.number)
  }
  const { lapsed, until } = answer
  if (before?.created === undefined || (!lapsed && until === undefined)) return before
  const created = { ...before.created, ...(until === undefined ? {} : { until }), ...(lapsed ? { lapsed } : {}) }
  return { ...before, created }
}

/** The ledger of an order after `call` was done. */
export const advanceOrder = (
  before: RemoteOrder | undefined,
  call: OrderCall,
  answer: Answer = FORESEEN
): RemoteOrder | undefined => {
  if (call.operation === "orders.create") return orderCreated(call, answer)
  if (isReading(call)) return afterReading(before, call, answer)
  if (before === undefined) return undefined
  switch (call.operation) {
    case "offers.create":
      return offered(before, answer.kind === "offer" ? answer.offer : undefined)
    case "deferredPayments.capture":
    case "deferredPayments.void":
    case "deferredPayments.refund":
      return withPosting(before, call.orderPosting)
    case "orders.update": {
      const number = call.body.unique_id
      return { ...before, number, reference: number }
    }
  }
}

/** What is open on the service, in minor units. */
export const openOf = (remote: RemoteOrder): bigint => BigInt(remote.open)

/** What is open by what this connection sent: what others took of it is missing on the service. */
export const openInBooks = (order: RemoteOrder): bigint =>
  authorised(order) - BigInt(order.expired) - sumSent(order.postings, "capture") - sumSent(order.postings, "void")
