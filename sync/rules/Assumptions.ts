/**
 * What the rules assume about the service where its documents are silent: one row each, with what Daybook does where the
 * service is otherwise, and either a probe (`../reconciliation/ServiceProbes.ts`) or the reason why there is none. Data only.
 */

/** The probes, in the order in which they are made. */
export const PROBES = [
  "rejection",
  "unauthorised",
  "account",
  "unique-id",
  "one-sum",
  "settle",
  "details",
  "payment-alone",
  "paid",
  "order-members",
  "order-alone",
  "order-documents"
] as const
export type Probe = (typeof PROBES)[number]

export interface Assumption {
  /** The name of its probe, if it has one. */
  readonly id: string
  readonly says: string
  /** What Daybook does where the service is otherwise. */
  readonly otherwise: string
  /** Where it is made: `file: declaration`. */
  readonly places: ReadonlyArray<string>
  /** Why the service cannot be asked. */
  readonly unprobed?: string
}

/** An assumption that `daybook service check` probes. */
const probed = (id: Probe, says: string, otherwise: string, ...places: ReadonlyArray<string>): Assumption => ({
  id,
  says,
  otherwise,
  places
})

const unprobed = (
  id: string,
  says: string,
  otherwise: string,
  why: string,
  ...places: ReadonlyArray<string>
): Assumption => ({ id, says, otherwise, places, unprobed: why })

const BUYER = "a deferred payment exists only once a buyer has accepted an offer in a browser"
const LATE = "a collection exists only for a policy that was bought and is weeks late"
const UNUSED = "no rule relies on it"

/** Those that a probe shows. */
const PROBED: ReadonlyArray<Assumption> = [
  probed(
    "rejection",
    "A rejected request has a JSON body with `detail`, `error`, or lists of messages by field",
    "the outcome counts as unknown: the document is read back before anything is sent for it again, and waits meanwhile",
    "core/Answers.ts: isOwnRefusal"
  ),
  probed(
    "unauthorised",
    "401 and 403, whose bodies are not documented, carry `detail`",
    "a wrong key is reported as an uncertain answer, not as a wrong key; nothing is sent",
    "core/wire/Errors.ts: Unauthorized"
  ),
  probed(
    "account",
    "`GET /v1/me` answers any JSON object to a key that is accepted",
    "`daybook doctor` reports the service as unreachable; syncs do not ask it",
    "core/insurance/Reference.ts: MeApi"
  ),
  probed(
    "unique-id",
    "A list of transactions for a `unique_id` has the transaction with it, whether or not it is limited to it",
    "an invoice whose answer was lost is not found, and would be sent again: do not send to such a service",
    "core/insurance/Transactions.ts: TransactionsApi"
  ),
  probed(
    "one-sum",
    "An invoice without instalments is due in one sum, on its due date",
    "`daybook reconcile` names the instalments as a difference; nothing is sent for them",
    "sync/rules/InvoiceFields.ts: fields"
  ),
  probed(
    "settle",
    "What was sent is shown within `settle_after` (5 seconds): a request whose answer was lost has not been applied if it is not there by then. The same holds for the requests of a lost state file, `settle_after` after the new one was first used",
    "a lost answer could be sent twice: set `service.settle_after` to more than the time that was measured",
    "sync/apply/SettleTime.ts: SETTLE_AFTER_MS"
  ),
  probed(
    "details",
    "A payment's `details` are kept as sent: they carry the key by which a payment is found again",
    "a payment whose answer was lost is not found, and would be reported again; the audit shows every payment as somebody else's: do not send to such a service",
    "sync/rules/Payments.ts: isPosting"
  ),
  probed(
    "payment-alone",
    "A single payment can be read; only the list is shown",
    "nothing: Daybook reads the list; only programs that use the client are concerned",
    "core/insurance/Transactions.ts: TransactionsApi"
  ),
  probed(
    "paid",
    "`paid` follows the reported payments: the service does not set it by itself, and takes it afterwards",
    "`report_paid: false` in a connection leaves it out, for contracts that use one or the other; without that, the rejected call needs attention",
    "sync/model/Connection.ts: Planning"
  ),
  probed(
    "order-members",
    "An order is accepted with the members that the rules of the order's sums need",
    "the rejected order needs attention, with the members that the service names",
    "core/deferred-payment/OrderRequests.ts: ItemCreate",
    "core/deferred-payment/OrderRequests.ts: OrderCreate"
  ),
  probed(
    "order-alone",
    "One order can be read alone",
    "no order is captured: its deferred payment is not found (O5), and the statement names it",
    "core/deferred-payment/Orders.ts: OrdersApi"
  ),
  probed(
    "order-documents",
    "A document of an order that is put again under its idempotency key is the same document",
    "a document whose answer was lost is attached a second time: nothing shows which ones an order has. Leave `orders.documents` out",
    "core/deferred-payment/Orders.ts: OrderDocumentCreate",
    "core/sandbox/server/Routes.ts: KEYED"
  )
]

/** Those that the service cannot be asked about. */
const UNPROBED: ReadonlyArray<Assumption> = [
  unprobed(
    "statuses",
    "A deferred payment that is `accepted`, `part_fulfilled`, `captured`, `fulfilled` or `voided` takes captures, voids and refunds as far as its balances go; `rejected`, `cancelled` and `expired` are final",
    "Daybook waits for every other status (O5); a rejected call needs attention",
    BUYER,
    "core/deferred-payment/DeferredPayments.ts: DEFERRED_PAYMENT_STATUSES",
    "core/deferred-payment/Shipping.ts: GOOD",
    "sync/model/RemoteOrder.ts: READY"
  ),
  unprobed(
    "balances",
    "A deferred payment shows its authorised, captured, refunded, voided and expired amounts; it can be read alone, and refund and void answer as capture does",
    "without balances nothing is captured, voided or refunded, and the order needs attention",
    BUYER,
    "core/deferred-payment/DeferredPayments.ts: DeferredPayment",
    "core/deferred-payment/DeferredPayments.ts: DeferredPaymentsApi"
  ),
  unprobed(
    "number",
    "A deferred payment's public number, as a shop's plugin keeps it, has capitals and digits only",
    "the order is out of scope (T1), and `explain` shows what it carries",
    "it is in a shop's books: the service is not asked by it",
    "sync/rules/OrderScope.ts: NUMBER"
  ),
  unprobed(
    "offers",
    "An offer's terms may count from a capture, and an offer shows which part the service's own limit covers",
    "nothing: both are only shown",
    UNUSED,
    "core/deferred-payment/Offers.ts: RELATIVE_TO",
    "core/deferred-payment/Offers.ts: Offer"
  ),
  unprobed(
    "notification",
    "A notification of a deferred payment names its identifier",
    "it is ignored: the next run on the schedule reads the payment",
    BUYER,
    "core/deferred-payment/Shipping.ts: Notification"
  ),
  unprobed(
    "webhooks",
    "A webhook's delivery ends with a 2xx answer and is repeated otherwise; its `Authorization` is the text that was agreed",
    "it is ignored, or rejected as a stranger's: the next run on the schedule reads what changed",
    "the service decides when it sends one, and to an address of its choice",
    "core/insurance/Webhook.ts:"
  ),
  unprobed(
    "rounding",
    "An item's product with more than five fraction digits is rounded to five, half to even; items other than the three documented types may have either sign",
    "the rejected order needs attention, with the sums that the service names",
    "which sums are a border case depends on the service's own rounding; a rejected order says so",
    "core/money/Items.ts:",
    "core/money/Items.ts: signProblem"
  ),
  unprobed(
    "discounts",
    "A quote's discount has `reason` or `discount_reason`",
    "both are read",
    "only an offer with a discount shows it",
    "core/insurance/Quotes.ts: Discount"
  ),
  unprobed(
    "collections",
    "The answer to a handover need not be read; `proof_order` is accepted as a type; a file may have 8 MB; what was recovered is `recovered_amount`",
    "the collection is read after every step; a rejected file needs attention; the recovered amount is not shown",
    LATE,
    "core/insurance/Collections.ts: CollectionsApi",
    "core/insurance/CollectionDocuments.ts: Type",
    "core/insurance/DocumentTypes.ts: LARGEST_FILE_BYTES",
    "sync/apply/CoverAnswers.ts: recovered_amount"
  ),
  unprobed(
    "type-of-reversal",
    "A reversal is not reported again if only its type changes",
    "nothing: this is Daybook's own decision, so that no money moves for a word",
    "it is no property of the service",
    "sync/rules/Payments.ts: candidates"
  ),
  unprobed(
    "unused",
    "The credit limit for deferred payments, intents, preferences without an organisation, members of sole traders and an `id` in a user's update are as observed; identifiers other than the documented ones have no prefix",
    "nothing: only programs that use the client are concerned",
    UNUSED,
    "core/deferred-payment/CreditLimits.ts:",
    "core/deferred-payment/Intents.ts:",
    "core/deferred-payment/PaymentMethods.ts: PreferencesUpdate",
    "core/insurance/SoleTraders.ts: SoleTrader",
    "core/insurance/Users.ts: UserUpdate",
    "core/wire/Ids.ts: SoleTraderId"
  )
]

export const ASSUMPTIONS: ReadonlyArray<Assumption> = [...PROBED, ...UNPROBED]
