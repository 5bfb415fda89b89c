/**
 * Defines what was sent about one order and confirmed by the service: its deferred payment as last read, and every capture,
 * void and refund, with the lines and quantities of each.
 *
 * Amounts are whole minor units and quantities exact decimals, both as text, so that the ledger is plain JSON.
 * The amount of a posting is never recalculated: it is what was sent.
 */
import type {
  AttachedPaper,
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

/** The terms that an order began with: a changed setting applies only to orders that begin later. */
export const termsOf = (remote: Pick<RemoteOrder, "terms">, settings: OrderSettings): SharingTerms => {
  if (remote.terms !== undefined) return remote.terms
  const { discounts = "value", fees = "value", shipping = "value" } = settings
  return { shipping, fees, discounts }
}

/** What was created on the service for an order. */
export interface CreatedOrder {
  /** A digest of its lines at that time. */
  readonly print: string
  readonly offer?: Offer
  /** The offer ended, and the buyer accepted none of its plans. */
  readonly lapsed?: boolean
  /** The previous offer, when a person requested another one. */
  readonly before?: string
  /** Until when the buyer can accept the shop's own offer although the order has ended, in milliseconds since the epoch. */
  readonly until?: number
}

export interface RemoteOrder extends DeferredPayment {
  readonly kind: "order"
  /** The order's number when it was first found, or as sent since. */
  readonly number: string
  readonly postings: ReadonlyArray<OrderPosting>
  /** Set with the first posting. */
  readonly terms?: SharingTerms
  /** What the order came to by this payment's method when the payment was found. Minor units. */
  readonly began?: string
  /** By line, the most units that ever left: a status that no longer says so does not say otherwise. */
  readonly left?: Readonly<Record<string, string>>
  /** What persons answered, each for one picture of the order (`OrderQuestions.ts`). */
  readonly answers?: Readonly<Record<string, string>>
  /** The invoices and credit notes that were attached to its order. */
  readonly documents?: ReadonlyArray<AttachedPaper>
  /** Something was sent since the service was last read. */
  readonly stale: boolean
  /** Absent if the order was already on the service. */
  readonly created?: CreatedOrder
}

/** Whether there is a deferred payment. Until then, `id` is the order's own identifier, and nothing is authorised. */
export const isPaid = ({ order, id }: RemoteOrder): boolean => id !== order

/** Statuses in which something can be done (assumption: DP 3 shows none). Daybook waits while there is any other. */
const READY = ["accepted", "part_fulfilled", "captured", "fulfilled", "voided"]

export const isReady = ({ status }: DeferredPayment): boolean => READY.includes(status)

/** Final statuses (assumption: DP 3 shows none). */
const OVER = ["rejected", "cancelled", "expired"]

export const isOver = ({ status }: DeferredPayment): boolean => OVER.includes(status)

/** Nothing can be captured, and nothing was. */
export const isSpent = (seen: DeferredPayment): boolean =>
  isOver(seen) || (seen.status === "voided" && seen.captured === "0")

/** The authorised amount in total. */
export const authorised = ({ captured, expired, open, voided }: DeferredPayment): bigint =>
  BigInt(open) + BigInt(captured) + BigInt(voided) + BigInt(expired)

const SUMS = ["open", "captured", "refunded", "voided", "expired"] as const

/** Several deferred payments of one order as one. What is not accepted yet does not count; another currency stands for all. */
export const together = (each: readonly [DeferredPayment, ...ReadonlyArray<DeferredPayment>]): DeferredPayment => {
  const [first, ...more] = each
  if (more.length === 0) return first
  const counted = each.filter((one) => isReady(one) || isOver(one))
  const sums = SUMS.map((name) => [name, `${counted.reduce((sum, one) => sum + BigInt(one[name]), 0n)}`] as const)
  const { status } = each.find(isReady) ?? first
  const { currency } = more.find((one) => one.currency !== first.currency) ?? first
  return {
    ...first,
    ...(Object.fromEntries(sums) as Pick<DeferredPayment, (typeof SUMS)[number]>),
    status,
    currency,
    each
  }
}

/** The sum that this connection sent, by operation. */
export const sumSent = (postings: ReadonlyArray<OrderPosting>, taking: OrderPostingKind): bigint =>
  postings.reduce((sum, one) => (one.taking === taking ? sum + BigInt(one.amount) : sum), 0n)

/** The remote after the service was read. */
export const withPayment = (before: RemoteOrder | undefined, seen: DeferredPayment, number: string): RemoteOrder => ({
  ...seen,
  kind: "order",
  number: before?.number ?? number,
  postings: before?.postings ?? [],
  stale: false,
  ...(before?.terms === undefined ? {} : { terms: before.terms }),
  ...(before?.began === undefined ? {} : { began: before.began }),
  ...(before?.left === undefined ? {} : { left: before.left }),
  ...(before?.answers === undefined ? {} : { answers: before.answers }),
  ...(before?.documents === undefined ? {} : { documents: before.documents }),
  ...(before?.created === undefined ? {} : { created: before.created })
})

const COUNTER = { capture: "captured", void: "voided", refund: "refunded" } as const

/** The sums of a deferred payment after a capture, void or refund was done. */
const after = (before: DeferredPayment, { amount, taking }: Pick<OrderPosting, "amount" | "taking">) => {
  const counter = COUNTER[taking]
  const open = taking === "refund" ? before.open : `${BigInt(before.open) - BigInt(amount)}`
  return { open, [counter]: `${BigInt(before[counter]) + BigInt(amount)}` }
}

/** The remote after a capture, void or refund of one of its payments was done. */
const withPosting = (before: RemoteOrder, { terms, ...posting }: PlannedPosting, payment: string): RemoteOrder => {
  const begun = before.terms ?? terms
  const each = before.each?.map((one) => (one.id === payment ? { ...one, ...after(one, posting) } : one))
  return {
    ...before,
    ...after(before, posting),
    ...(each === undefined ? {} : { each }),
    postings: [...before.postings, posting],
    ...(begun === undefined ? {} : { terms: begun }),
    stale: true
  }
}

/** Reads a number of minor units from an answer; drops fractions that are too small to matter. */
export const wholeUnits = (value: Json | undefined): string => {
  const [units = "0"] = String(value ?? 0).split(".")
  return /^-?\d+$/.test(units) ? `${BigInt(units)}` : "0"
}

const NOTHING = { open: "0", captured: "0", refunded: "0", voided: "0", expired: "0" }

/** An order on the service that waits for its buyer. */
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

/** What was created for an order that Daybook creates; not called for other orders. */
export const createdFor = ({ created }: RemoteOrder): CreatedOrder => given(created, "what was created")

/** Every plan was declined, or none was accepted in time: another offer may be requested. */
export const isOfferOver = (remote: RemoteOrder): boolean =>
  !isPaid(remote) && (remote.status === "declined" || remote.created?.lapsed === true)

/** Records that a person requested another offer. */
export const askAgain = (remote: RemoteOrder): RemoteOrder => {
  const { offer, print } = createdFor(remote)
  return { ...remote, status: "created", created: { print, ...(offer === undefined ? {} : { before: offer.id }) } }
}

/** Records the offer. The service may decline every plan (DP 3). */
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

/** The predicted ledger after a reading: it assumes that the payment exists and is accepted. */
export const asPredicted = (call: ReadingCall): RemoteOrder =>
  withPayment(undefined, predicted(call), call.lookup.number)

/** When a deferred payment replaces another one, nothing was posted on it yet, and its order may have another number. */
const replaced = (
  before: RemoteOrder | undefined,
  { id }: DeferredPayment,
  { number }: PaymentLookup
): RemoteOrder | undefined => {
  if (before === undefined || !isPaid(before) || before.id === id) return before
  const { answers: _, began: __, documents: ___, terms: ____, ...rest } = before
  return { ...rest, number, postings: [] }
}

/** The ledger of an order after its deferred payment was read. If nothing was found, it stays as it was. */
const afterReading = (before: RemoteOrder | undefined, call: ReadingCall, answer: Answer): RemoteOrder | undefined => {
  if (answer.kind !== "no payment") {
    const payment = answer.kind === "payment" ? answer.payment : (before ?? predicted(call))
    const found = withPayment(replaced(before, payment, call.lookup), payment, call.lookup.number)
    const { began, currency } = call.lookup
    // In another currency of the shop, it is not known.
    const isKnown = began !== undefined && (payment.currency === "" || payment.currency === currency)
    return found.began === undefined && isKnown ? { ...found, began } : found
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
      return withPosting(before, call.orderPosting, call.params.deferred_payment_id)
    case "orders.putDocument": {
      const { document, fact } = call
      const added = { fact, type: document.type, digest: document.digest, amount: String(call.body["amount"]) }
      return { ...before, documents: [...(before.documents ?? []), added] }
    }
    case "orders.update": {
      const number = call.body.unique_id
      return { ...before, number, reference: number }
    }
  }
}

/** The open amount on the service, in minor units. */
export const openOf = (remote: RemoteOrder): bigint => BigInt(remote.open)

/** The open amount according to what this connection sent; captures by others are not subtracted. */
export const openInBooks = (order: RemoteOrder): bigint =>
  authorised(order) - BigInt(order.expired) - sumSent(order.postings, "capture") - sumSent(order.postings, "void")
