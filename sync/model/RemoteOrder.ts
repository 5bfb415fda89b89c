/**
 * What the service has been told about one order and has confirmed: its deferred payment as it was last read, and every
 * capture, void and refund since the first, with the lines and quantities that each is made of.
 *
 * Amounts are whole minor units and quantities exact decimals, both as text, so that a ledger is JSON as it stands.
 * What a fact took is never worked out again: it is what was sent.
 */
import type { Answer, Call } from "./Call.ts"
import type { Json } from "./RemoteInvoice.ts"

export type Taking = "capture" | "void" | "refund"

/** What was taken of one line. The empty line is what goes along with the first parcel. */
export interface Part {
  readonly line: string
  readonly quantity: string
  readonly amount: string
}

/** What one fact took. Of nothing where its goods cost nothing: the service is told nothing then. */
export interface Posting {
  readonly fact: string
  readonly taking: Taking
  readonly amount: string
  readonly lines: ReadonlyArray<Part>
  /** The `Idempotency-Key` that it was sent with; empty when it was not sent. */
  readonly key: string
  /** Its amount is the source's, not what its goods come to. */
  readonly stated?: true
}

/** What a capture, void or refund adds to the ledger. */
export interface Take extends Posting {
  /** Facts before it that took nothing. */
  readonly passed: ReadonlyArray<Posting>
}

/** A deferred payment as the service states it. */
export interface Seen {
  /** Its identifier. */
  readonly remote: string
  readonly order?: string
  readonly reference?: string
  /** The plan that its buyer took. */
  readonly plan?: string
  readonly status: string
  readonly currency: string
  readonly open: string
  readonly captured: string
  readonly refunded: string
  readonly voided: string
  readonly expired: string
}

/** What the service offers for an order that was created here (DP 2.7): its plans as they were answered. */
export interface Offer {
  /** Its identifier. */
  readonly remote: string
  readonly plans: ReadonlyArray<{
    readonly id: string
    readonly name: string
    readonly status: string
    /** Why it is declined, in the service's words. */
    readonly why?: string
  }>
  /** When the last of its plans ends, in milliseconds since the epoch; nobody takes it afterwards. */
  readonly until?: number
}

/** What was created on the service for an order. */
export interface Created {
  /** Of its lines as they were then. */
  readonly print: string
  readonly offer?: Offer
  /** The offer ended, and the buyer took none of its plans. */
  readonly lapsed?: boolean
  /** The offer before, when a person asked for another one. */
  readonly before?: string
}

export interface OrderTold extends Seen {
  readonly kind: "order"
  /** The order's number when it was first found, or as it was told since. */
  readonly number: string
  readonly postings: ReadonlyArray<Posting>
  /** Something was sent after the service was last read. */
  readonly stale: boolean
  /** Absent when the order was on the service already. */
  readonly created?: Created
}

/** Whether there is a deferred payment. Before, `remote` is the order's own identifier, and nothing is authorised. */
export const isPaid = ({ order, remote }: OrderTold): boolean => remote !== order

export const isOrder = (told: object): told is OrderTold => "kind" in told && told.kind === "order"

/** What of the authorised amount there is, all in all. */
export const authorised = ({ captured, expired, open, voided }: Seen): bigint =>
  BigInt(open) + BigInt(captured) + BigInt(voided) + BigInt(expired)

/** What this connection told, by operation. */
export const told = (postings: ReadonlyArray<Posting>, taking: Taking): bigint =>
  postings.reduce((sum, one) => (one.taking === taking ? sum + BigInt(one.amount) : sum), 0n)

/** The service was read. */
export const see = (before: OrderTold | undefined, seen: Seen, number: string): OrderTold => ({
  ...seen,
  kind: "order",
  number: before?.number ?? number,
  postings: before?.postings ?? [],
  stale: false,
  ...(before?.created === undefined ? {} : { created: before.created })
})

const COUNTER = { capture: "captured", void: "voided", refund: "refunded" } as const

/** A capture, void or refund was done. */
export const post = (before: OrderTold, { passed, ...posting }: Take): OrderTold => {
  const counter = COUNTER[posting.taking]
  const open = posting.taking === "refund" ? before.open : `${BigInt(before.open) - BigInt(posting.amount)}`
  return {
    ...before,
    open,
    [counter]: `${BigInt(before[counter]) + BigInt(posting.amount)}`,
    postings: [...before.postings, ...passed, posting],
    stale: true
  }
}

/** Reads what the service answers: numbers of minor units, with fractions that are too fine to be taken left out. */
export const whole = (value: Json | undefined): string => {
  const [units = "0"] = String(value ?? 0).split(".")
  return /^-?\d+$/.test(units) ? `${BigInt(units)}` : "0"
}

/** What a look is for, and what it is taken to find until the service has answered. */
export interface Looks {
  readonly number: string
  readonly currency: string
  readonly total: string
  /** When the offer that is waited for ends, in milliseconds since the epoch. */
  readonly until?: number
}

const NOTHING = { open: "0", captured: "0", refunded: "0", voided: "0", expired: "0" }

/** The order was created: it waits for its buyer. */
const create = ({ body, subject, print }: Call, { remote = `<${subject}>` }: Answer): OrderTold => ({
  kind: "order",
  remote,
  order: remote,
  reference: String(body!["unique_id"]),
  number: String(body!["unique_id"]),
  status: "created",
  currency: String(body!["currency"]),
  ...NOTHING,
  postings: [],
  stale: false,
  created: { print: print! }
})

/** A person asks for another offer. */
export const askAgain = (told: OrderTold): OrderTold => {
  const { offer, print } = told.created!
  return { ...told, status: "created", created: { print, ...(offer === undefined ? {} : { before: offer.remote }) } }
}

/** Every plan that the service offers may be declined (DP 3). */
const offered = (told: OrderTold, offer: Offer | undefined): OrderTold => {
  const declined = offer?.plans.every(({ status }) => status === "declined")
  return {
    ...told,
    status: declined ? "declined" : "offered",
    created: { ...told.created!, offer: offer ?? { remote: "", plans: [] } }
  }
}

const predicted = ({ looks, params, subject }: Call): Seen => ({
  remote: params["deferred_payment_id"] ?? `<${subject}>`,
  status: "accepted",
  currency: looks!.currency,
  ...NOTHING,
  open: looks!.total
})

/** The ledger of an order after `call` was done. A look that found nothing leaves it as it was. */
export const advance = (before: OrderTold | undefined, call: Call, answer: Answer): OrderTold | undefined => {
  if (call.operation === "orders.create") return create(call, answer)
  if (call.looks !== undefined) {
    const seen = "seen" in answer ? answer.seen : (before ?? predicted(call))
    if (seen !== undefined) return see(before, seen, call.looks.number)
    return answer.lapsed === true ? { ...before!, created: { ...before!.created!, lapsed: true } } : before
  }
  if (before === undefined) return undefined
  if (call.operation === "offers.create") return offered(before, answer.offer)
  if (call.take !== undefined) return post(before, call.take)
  const number = call.body?.["unique_id"]
  return typeof number === "string" ? { ...before, number, reference: number } : before
}

/** What is open on the service, in minor units. */
export const openOf = (told: OrderTold): bigint => BigInt(told.open)

/** What is open as far as this connection told: whatever others took of it is missing on the service. */
export const openInBooks = (order: OrderTold): bigint =>
  authorised(order) - BigInt(order.expired) - told(order.postings, "capture") - told(order.postings, "void")
