/**
 * The documents of orders: the order with its lines and its present state, its parcels, and the events that files and databases
 * state. Part of `Document.ts`.
 */
import type { Address } from "./Address.ts"
import type { Party } from "./Party.ts"
import type { Tracking } from "./Tracking.ts"
import type { Decimal } from "../core/money/Decimal.ts"
import type { Day } from "../core/wire/Day.ts"

/** The type of an order line. A setting of the connection decides how lines other than products are fulfilled. */
export type LineType = "product" | "shipping" | "fee" | "discount"

export interface OrderLine {
  /** Unique within its order. */
  readonly id: string
  readonly type: LineType
  /** Positive, up to three places. */
  readonly quantity: Decimal
  /** The amount of the whole line, tax included; negative for discounts only. */
  readonly gross: Decimal
  readonly description?: string
  readonly sku?: string
  /** The source's own names; the connection's settings map them to what is sent to the service. */
  readonly category?: string
  readonly tax?: string
  readonly supplier?: { readonly id?: string; readonly name?: string }
}

/** The ordering company, and the person acting for it. Identified by its `id`, or else by its email. */
export interface Buyer extends Party {
  readonly email: string
  /** The person's name. */
  readonly contact?: string
  readonly phone?: string
  /** The day on which the buyer registered with the source. */
  readonly registered?: Day
}

/** What became of one line's goods. Quantities are zero or more. */
export interface LineState {
  /** The id of the order's line. */
  readonly line: string
  /** Units that ever left, or met whatever else triggers a capture. Absent: the shop does not say. */
  readonly left?: Decimal
  /** If `left` is absent: nothing left since its record last said how much, and if none ever did, nothing at all. */
  readonly asBefore?: true
  /** Of those that left, units that came back. */
  readonly back: Decimal
  /** Units that are still to leave. */
  readonly still: Decimal
  /** Of `still`, units that were refunded when it is not known whether they had left: as many of `left` may have come back. */
  readonly unsure?: Decimal
}

/** Money in two directions: what was received from the buyer, and given back. */
export interface Moved {
  readonly received: Decimal
  readonly given: Decimal
}

/**
 * How an order stands in its shop's own sums, now. What the buyer owes by deferred payment follows from the sums; the goods
 * only say when it is captured. It has no events and no dates: whatever happened, the latest record states the whole.
 *
 * A shop's connector states it with every order. Files and databases state events instead (parcels, cancellations, returns),
 * and the rules add them up to the same.
 */
export interface OrderState {
  /** Of every product of the order. */
  readonly lines: ReadonlyArray<LineState>
  /** What the order comes to now, by all methods. It may or may not include what was given back: both are understood. */
  readonly total: Decimal
  /** What the shop says is still to be paid, by all methods; negative if it owes the buyer. */
  readonly outstanding?: Decimal
  /** What the order came to when it was placed, by all methods. */
  readonly placed?: Decimal
  /** Delivery and fees less discounts of the whole order, if those are not all lines of the order that are not products. */
  readonly charges?: Decimal
  /**
   * Money by the deferred payment's method. `received` is absent if the shop does not count the order as paid: its total
   * alone then says what is owed. Amounts stated as given back are what was given back, 0.00 too.
   */
  readonly own: { readonly received?: Decimal; readonly given: Decimal }
  /** Money by every other method: gift cards, store credit, cards, deposits. Store credit that was given counts here, too. */
  readonly others: Moved
  /** Methods by which money moved, and of which nobody said whether they are the deferred payment's. */
  readonly unclear?: ReadonlyArray<string>
  /** What the shop took off the order; `total` no longer includes it. */
  readonly cancelled?: Decimal
  /** The shop says that nothing more leaves: `complete`, `cancelled`; or the order was only put away: `archived`. */
  readonly end?: "complete" | "cancelled" | "archived"
}

/** What a file or database that states events says of an order's sums. */
export interface OrderTotals {
  /** Of goods that were shipped, cancelled and returned: compared with the facts that were read. */
  readonly shipped?: Decimal
  readonly cancelled?: Decimal
  readonly refunded?: Decimal
  /** What the order comes to now, and what is still to be paid of it: a lower total then means that less is owed. */
  readonly now?: Decimal
  readonly outstanding?: Decimal
  /** What was paid by other methods. */
  readonly otherwise?: Decimal
}

/** An order placed with deferred payment. Its amount is the sum of its lines. */
export interface Order {
  readonly kind: "order"
  readonly id: string
  /** The reference that buyer and seller use; the `unique_id` of the service's order. */
  readonly number: string
  /** `closed` and `cancelled`: nothing more will be shipped, so the remaining authorisation is released. */
  readonly status: "open" | "closed" | "cancelled"
  readonly currency: string
  readonly placed: Day
  readonly lines: ReadonlyArray<OrderLine>
  /** Identifiers of the service, if the shop stores them. */
  readonly deferredPayment?: string
  readonly serviceOrder?: string
  /** Needed only for orders that Daybook creates on the service. */
  readonly buyer?: Buyer
  readonly delivery?: Address
  readonly invoicing?: Address
  /** Where it was placed and how it is paid, in the source's own words: which orders are sent may depend on these. */
  readonly store?: string
  readonly channel?: string
  readonly methods?: ReadonlyArray<string>
  /** None of its methods is the deferred payment's. */
  readonly otherwise?: true
  readonly said?: string
  /** The source counts it as paid, or its payment failed or was never completed. Absent: neither. */
  readonly payment?: "paid" | "failed"
  /** How it stands now, if the source says so; otherwise its facts are added up. */
  readonly state?: OrderState
  /** A file's or database's own totals, if it has any. */
  readonly totals?: OrderTotals
  /** The same order in the other currency in which the shop keeps it: the deferred payment's currency says which one counts. */
  readonly also?: OrderMoney
  /** Free text, sent to the service as metadata. */
  readonly metadata?: Readonly<Record<string, string>>
}

/** What an order comes to in one currency. */
export type OrderMoney = Pick<Order, "currency" | "lines" | "state">

/** A quantity of one order line. */
export interface LinePart {
  readonly line: string
  readonly quantity: Decimal
}

interface OfOrder {
  readonly id: string
  /** The order's id. */
  readonly order: string
  readonly date: Day
  readonly currency?: string
  /** Empty: everything that is left (for a return: everything that was shipped). */
  readonly lines: ReadonlyArray<LinePart>
}

/** Goods that were shipped: one parcel. */
export interface Fulfilment extends OfOrder {
  readonly kind: "fulfilment"
  /** Used in the proof of delivery when an insured invoice is handed over to collections. */
  readonly tracking?: ReadonlyArray<Tracking>
}

/** Replaces the amount computed from the lines; without lines, an amount that is given up or given back for no goods. */
interface Amounting extends OfOrder {
  /** Zero if no money moved, as for goods that are replaced. Absent: the goods' price. */
  readonly amount?: Decimal
  /** It was given back by another method, such as store credit, and not by the deferred payment. */
  readonly method?: "other"
}

/** Goods that will not be shipped, or an amount that will not be charged. */
export interface Cancellation extends Amounting {
  readonly kind: "cancellation"
}

/** Goods that were returned, or an amount that is refunded, such as a discount after the sale. */
export interface Return extends Amounting {
  readonly kind: "return"
}

/** The kinds that belong to one order. */
export type OrderFact = Fulfilment | Cancellation | Return
