/** Mistakes in what is charged for orders: each is caught by the laws of random histories, or by a day of a real shop. */
import type { UnitMutant } from "./unitMutants.ts"

const LAWS = "test/orders/laws/Laws.test.ts"
const ODD = "test/orders/laws/OddDays.test.ts"
const RULES = "test/sync/rules/Orders.test.ts"
const SCOPE = "test/sync/rules/OrderScope.test.ts"
const STORY = "test/cli/OrderStatement.test.ts"
const DAYS = "test/connectors/shops/woocommerceDays.test.ts"
const BIG = "test/connectors/bigcommerce/bigcommerce.test.ts"
const SHOPIFY = "test/connectors/shops/shopify.test.ts"
const ADOBE = "test/connectors/adobecommerce/adobecommerce.test.ts"

const mutant = (
  name: string,
  caughtBy: UnitMutant["caughtBy"],
  file: string,
  from: string,
  to: string
): UnitMutant => ({
  name,
  caughtBy,
  changes: [{ file, from, to }]
})

const DECISION = "sync/rules/OrderDecision.ts"
const ACCOUNT = "sync/rules/OrderAccount.ts"
const OWED = "sync/rules/OrderOwed.ts"
const STANDING = "sync/rules/OrderStanding.ts"

export const ORDERS: ReadonlyArray<UnitMutant> = [
  mutant(
    "goods that are still here are captured too",
    [LAWS, "hold in"],
    ACCOUNT,
    "min(this.#open, this.#due - this.#net - waits)",
    "min(this.#open, this.#owed.owe - this.#net - waits)"
  ),
  mutant(
    "more is captured than is open",
    [ODD, "a cent less is authorised"],
    ACCOUNT,
    "min(this.#open, this.#due - this.#net - waits)",
    "this.#due - this.#net - waits"
  ),
  mutant(
    "whatever came back is refunded",
    [LAWS, "hold in"],
    ACCOUNT,
    "min(this.#net - (owe - least), most, atLeastZero(this.#net + this.#open - owe))",
    "min(this.#net - (owe - least), atLeastZero(this.#net + this.#open - owe))"
  ),
  mutant(
    "what an exchange needs is refunded",
    [LAWS, "hold in"],
    ACCOUNT,
    "most, atLeastZero(this.#net + this.#open - owe))",
    "most)"
  ),
  mutant(
    "a refund takes the reading with most still to leave",
    [LAWS, "hold in"],
    ACCOUNT,
    "min(this.#net - (owe - least), most",
    "min(this.#net - this.#due, ground"
  ),
  mutant(
    "what was refunded is forgotten",
    [LAWS, "hold in"],
    ACCOUNT,
    "statedBack(this.#its) - this.#refunded - voided",
    "statedBack(this.#its) - voided"
  ),
  mutant("what was voided is forgotten", [LAWS, "hold in"], ACCOUNT, "- this.#refunded - voided)", "- this.#refunded)"),
  mutant(
    "a voided rest counts as stated",
    ["test/orders/laws/Endings.test.ts", "its voided rest gave nothing back"],
    ACCOUNT,
    "return this.#voided - (this.#memory.rest ?? 0n)",
    "return this.#voided"
  ),
  mutant(
    "a lower total is voided at once",
    [LAWS, "hold in"],
    ACCOUNT,
    "stated >= excess ? excess : max(stated, this.#atEnd(excess))",
    "excess"
  ),
  mutant(
    "what is still to leave is voided",
    [LAWS, "hold in"],
    ACCOUNT,
    "return atLeastZero(this.#open - atLeastZero(this.#owed.owe - this.#net))",
    "return this.#open"
  ),
  mutant("a rest is never voided", [LAWS, "hold in"], ACCOUNT, "max(stated, this.#atEnd(excess))", "stated"),
  mutant(
    "nothing that was stated is voided",
    [LAWS, "hold in"],
    ACCOUNT,
    "stated >= excess ? excess : max(stated, this.#atEnd(excess))",
    "this.#atEnd(excess)"
  ),
  mutant(
    "other methods are left out",
    [LAWS, "hold in"],
    OWED,
    "const others = its.others.received - its.others.given",
    "const others = 0n * its.others.received"
  ),
  mutant(
    "store credit is left out",
    [LAWS, "hold in"],
    OWED,
    "const others = its.others.received - its.others.given",
    "const others = its.others.received"
  ),
  mutant(
    "a shop's total is taken as it is",
    [LAWS, "hold in"],
    OWED,
    "its.outstanding === undefined ? totalWithout(its) :",
    "its.outstanding === undefined ? its.total :"
  ),
  mutant(
    "what the shop's money says is ignored",
    [LAWS, "hold in"],
    OWED,
    "const owe = min(all, paid ? atLeastZero((received ?? 0n) - given) : all)",
    "const owe = min(all, paid ? all : all)"
  ),
  mutant(
    "any lower total is a refund",
    [LAWS, "hold in"],
    ACCOUNT,
    "statedBack(this.#its) > 0n ? 0n : min(beyond, atLeastZero(worthBack(this.#its) - this.#refunded))",
    "beyond"
  ),
  mutant(
    "goods are shared by units and not by price",
    [LAWS, "hold in"],
    OWED,
    "here += finePrice(gross, still, ordered)",
    "here += FINE * still + 0n * gross"
  ),
  mutant(
    "what is cancelled is charged",
    [LAWS, "hold in"],
    ACCOUNT,
    "owe: owe - min(owe, rest), still: 0n",
    "owe, still: 0n"
  ),
  mutant(
    "what was given back for no goods is kept back from goods that never leave",
    ["test/orders/laws/Endings.test.ts", "an order that ends early"],
    OWED,
    "return max(still, round(all * atLeastZero(now - others), now))",
    "return still"
  ),
  mutant(
    "a contradiction stops nothing",
    [LAWS, "hold in"],
    DECISION,
    "if (held.length > 0) return { steps: [], asks: [], answered: [], held, figures: NONE }",
    ""
  ),
  mutant(
    "money is given up while others posted",
    [LAWS, "hold in"],
    ACCOUNT,
    "if (amount <= 0n || this.#isStrange()) return excess",
    "if (amount <= 0n) return excess"
  ),
  mutant(
    "all captures have one key",
    [LAWS, "hold in"],
    ACCOUNT,
    "this.#steps.push({ taking, amount, from, to: from + amount",
    "this.#steps.push({ taking, amount, from: 0n, to: 0n"
  ),
  mutant(
    "more is charged than what left costs",
    [ODD, "not charged before the order ends"],
    OWED,
    "still: max(one, other, owe - most)",
    "still: max(one, other, 0n * most)"
  ),
  mutant(
    "kept money is for goods that are still here",
    [LAWS, "hold in"],
    OWED,
    "return min(shared, max(0n, priceHere(its, { amount: shared, first, gone, here }))) +",
    "return shared +"
  ),
  mutant(
    "the first parcel is trusted before anything left",
    [LAWS, "hold in"],
    OWED,
    '  if (out === 0n && its.end !== "complete") return amount\n',
    ""
  ),
  mutant(
    "an archived order's goods are voided without a question",
    [ODD, "archived with goods that never left"],
    ACCOUNT,
    'if (!here || its.end === undefined || its.end === "cancelled") return',
    'this.#over = this.#over || its.end === "archived"\n    if (this.#over || !here || its.end === undefined) return'
  ),
  mutant(
    "what persons answered is forgotten",
    [ODD, "they will not leave"],
    "sync/rules/OrderQuestions.ts",
    "return Object.hasOwn(this.#answers, about) ? this.#answers[about] : undefined",
    "return about in {} ? this.#answers[about] : undefined"
  ),
  mutant(
    "a status that takes a delivery away is taken for one that never was",
    [ODD, "no longer says what left"],
    DECISION,
    "return line.left === undefined && most !== undefined ? { ...line, left: most } : line",
    "return line.left === undefined && most === 0n ? { ...line, left: most } : line"
  ),
  mutant(
    "another currency is no contradiction",
    [ODD, "the payment is in another currency"],
    OWED,
    'if (seen.currency !== "" && seen.currency !== its.currency)',
    'if (seen.currency === "none")'
  ),
  mutant(
    "a method that nobody named is this one",
    [ODD, "a gateway that nobody named"],
    OWED,
    "if (its.unclear !== undefined && its.unclear.length > 0)",
    "if (its.unclear !== undefined && its.unclear.length < 0)"
  ),
  mutant(
    "a stated 0.00 is no amount",
    [RULES, "the amount is the source's, 0.00 too"],
    STANDING,
    "const amount = stated === undefined ? worth :",
    "const amount = stated === undefined || stated === 0n ? worth :"
  ),
  mutant(
    "what was given back by another method is refunded",
    [RULES, "the amount is the source's, 0.00 too"],
    STANDING,
    'this.given[fact.method === "other" ? "others" : "own"] += amount',
    'this.given[fact.method === undefined ? "own" : "own"] += amount'
  ),
  mutant(
    "delivery by quantity goes by value",
    [RULES, "goes by quantity"],
    STANDING,
    "gross: minor(gross) + (shares[n] ?? 0n)",
    "gross: minor(gross) + 0n * (shares[n] ?? 0n)"
  ),
  mutant(
    "what was cancelled leaves its share of a discount to what left",
    [RULES, "an order whose goods have all left"],
    OWED,
    "max(max(0n, charges), first + shared)",
    "max(0n, charges)"
  ),
  mutant(
    "a parcel without lines takes what a later cancellation is for",
    [RULES, "an order whose goods have all left"],
    STANDING,
    "lines.length === 0 ? 1 : 0} ",
    "lines.length < 0 ? 1 : 0} "
  ),
  mutant(
    "a refund before its parcel came back",
    [DAYS, "of a refund and a parcel the same"],
    "connectors/Sides.ts",
    "this.#off += rest\n        return",
    "this.#back += rest\n        return"
  ),
  mutant(
    "refunds of a payment that was declined count",
    [BIG, "by the method of each of its payments"],
    "connectors/bigcommerce/Mapping.ts",
    'payment.get("is_declined") === true\n        ? []',
    'payment.get("is_declined") === "never"\n        ? []'
  ),
  mutant(
    "a gift card counts as the deferred payment",
    [SHOPIFY, "whose money moved"],
    "connectors/shopify/Mapping.ts",
    '["gift_card", "shopify_store_credit", "exchange-credit"]',
    '["shopify_store_credit", "exchange-credit"]'
  ),
  mutant(
    "two unnamed methods are no question",
    [SHOPIFY, "whose money moved"],
    "connectors/PaymentMethods.ts",
    "others.length > 1",
    "others.length > 9"
  ),
  mutant(
    "an invoice triggers no capture",
    [ADOBE, "captures by invoice"],
    "connectors/adobecommerce/Mapping.ts",
    'capture === "invoice" || isVirtual(item)',
    "isVirtual(item)"
  ),
  mutant(
    "parts of a bundle are not counted",
    [ADOBE, "counts a bundle"],
    "connectors/adobecommerce/Mapping.ts",
    "own > 0n || whole.length === 0 ? own :",
    "own > 0n || whole.length > 0 ? own :"
  ),
  mutant(
    "what left and cannot be captured any more is told to nobody",
    [STORY, "cannot be captured any more"],
    ACCOUNT,
    "const short = max(this.#owed.short, lost)",
    "const short = max(this.#owed.short, 0n * lost)"
  ),
  mutant(
    "somebody else's identifier is looked up",
    [SCOPE, "carries another's identifier"],
    "sync/rules/OrderScope.ts",
    "return deferredPayment === undefined || OURS.test(deferredPayment)",
    "return deferredPayment === undefined || !OURS.test('')"
  ),
  mutant(
    "an order that is paid by another method is created",
    [SCOPE, "is paid by another method"],
    "sync/rules/OrderScope.ts",
    "if (otherwise === true) return",
    "if (otherwise === undefined && methods.length < 0) return"
  ),
  mutant(
    "a failed order is created",
    [SCOPE, "failed"],
    "sync/rules/OrderScope.ts",
    '  order.payment !== "failed" &&\n',
    ""
  ),
  mutant(
    "an offer ends by this machine's clock",
    ["test/sync/apply/OfferClock.test.ts", "that ended by this machine's clock alone"],
    "sync/apply/Sender.ts",
    "here - (this.#client.clock.ahead ?? 0)",
    "here"
  )
]
