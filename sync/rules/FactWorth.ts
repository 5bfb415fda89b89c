/**
 * Calculates the amount of one fact of an order, or why it cannot be sent and what can be done about it. Pure.
 */
import type { LinePart, OrderFact } from "../../connectors/Document.ts"
import type { PostingLine } from "../model/DeferredPayment.ts"
import type { OrderFacts } from "../model/OrderFacts.ts"
import type { RemoteOrder } from "../model/RemoteOrder.ts"
import { UNCLEAR } from "./ByHand.ts"
import type { Lines } from "./OrderAllocation.ts"
import { isForTheRest } from "./OrderMeaning.ts"
import { say, POSTING_KIND } from "./PostingKinds.ts"

export const totalWorth = (parts: ReadonlyArray<PostingLine>): bigint =>
  parts.reduce((sum, one) => sum + BigInt(one.amount), 0n)

type Weighed =
  | { readonly parts: ReadonlyArray<PostingLine> }
  | {
      readonly parts?: undefined
      readonly why: string
      readonly todo: string
      /** It cancels goods that are no longer there to cancel. */
      readonly given?: boolean
      /** Its amount exceeds what is left. */
      readonly short?: boolean
    }

interface Scales {
  readonly document: OrderFact
  readonly goods: ReadonlyArray<LinePart>
  /** What was done by hand and accepted, for any goods. */
  readonly byHand: bigint
  /** What is left of the authorised amount. */
  readonly left: bigint
  readonly lines: Lines
}

export const weigh = (facts: OrderFacts, remote: RemoteOrder, scales: Scales): Weighed => {
  const { document, goods, lines } = scales
  const taking = POSTING_KIND[document.kind]
  const its = `its ${document.kind} of ${document.date}`
  if (facts.deleted && taking !== "refund")
    return {
      why: `this order was deleted in the source, which still has ${its}`,
      todo: "restore the order in the source"
    }
  const all = isForTheRest(document)
  // If everything has already come back, nothing more is expected.
  if (all && goods.length === 0 && taking === "refund" && !lines.isBack)
    return {
      why: `${its} is for everything that was shipped, but nothing had been shipped by then`,
      todo: "check its parcels and their dates in the source"
    }
  const parts = lines.parts(document, goods, taking)
  if (typeof parts !== "string") return affordable(parts, remote, scales)
  const todo =
    taking === "refund"
      ? "check the quantities in the source; it is sent as soon as that much has been captured"
      : "check the quantities in the source"
  return { given: taking === "void", why: `${its} says ${parts}`, todo }
}

/** Whether enough is authorised, or was done by hand. */
const affordable = (
  parts: ReadonlyArray<PostingLine>,
  remote: RemoteOrder,
  { byHand, document, left }: Scales
): Weighed => {
  const taking = POSTING_KIND[document.kind]
  const amount = totalWorth(parts)
  if (byHand > 0n && amount > byHand)
    return {
      why: `its ${document.kind} of ${document.date} comes to ${say(amount, remote)}, and ${say(byHand, remote)} ${UNCLEAR}`,
      todo: "settle the difference by hand, or run `daybook attention resolve` to treat the amount by hand as for none of the goods"
    }
  if (taking === "refund" || amount <= left + byHand) return { parts }
  const verb = taking === "capture" ? "captured" : "voided"
  return {
    short: true,
    why: `${say(amount, remote)} is to be ${verb}, but only ${say(left, remote)} of the authorised amount is left`,
    todo: "compare the order with the amount authorised at checkout; ask the service's operator to authorise the difference"
  }
}
