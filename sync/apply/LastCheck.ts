/**
 * Checks a call once more before it is claimed: sums that hold whatever the rules decided. They are cheap and stay on. If one does not
 * hold, nothing is sent for the document, and its attention item carries the evidence. A purchase has its own check
 * (`PurchaseCheck.ts`).
 */
import * as Decimal from "../../core/money/Decimal.ts"
import type { Attention, Call, CallOf, PostingCall } from "../model/Call.ts"
import type { Remote } from "../model/Remote.ts"
import { receivedOn, type RemoteInvoice } from "../model/RemoteInvoice.ts"
import { authorised, type RemoteOrder } from "../model/RemoteOrder.ts"
import type { Rule } from "../model/Rule.ts"

/** The rules of the last check, by which their items are counted. */
export const CHECKED: ReadonlyArray<Rule> = ["I1", "I2", "I3"]

const ADVICE =
  "this is a mistake of Daybook's: nothing more is sent for it until somebody has looked; keep `daybook explain`, " +
  "then run `daybook attention retry`"

type Broken = Pick<Attention, "rule" | "why">

/** Undefined: the call may leave. */
export const objection = (call: Call, remote: Remote | undefined): Attention | undefined => {
  const broken =
    call.operation === "transactions.createPayment" && remote?.kind === "invoice"
      ? reported(call, remote)
      : "orderPosting" in call && remote?.kind === "order"
        ? posted(call, remote)
        : undefined
  return broken === undefined ? undefined : { subject: call.subject, fact: call.fact, ...broken, todo: ADVICE }
}

/** I2: what went back never exceeds what was received. I3: a movement is posted once. */
const reported = ({ posting }: CallOf<"transactions.createPayment">, remote: RemoteInvoice): Broken | undefined => {
  const before = remote.postings.find(({ key }) => key === posting.key)
  if (before !== undefined)
    return { rule: "I3", why: `${posting.key} was already sent, as payment ${before.id}, and would be sent again` }
  const received = receivedOn(remote)
  if (posting.amount >= 0n || received + posting.amount >= 0n) return undefined
  const [back, had] = [Decimal.format(-posting.amount), Decimal.format(received)]
  return { rule: "I2", why: `${back} would go back, and ${had} was received (${remote.postings.length} payments)` }
}

/** I1: captured + voided + expired + open is what was authorised, before and after, and no part of it is negative. */
const posted = (call: PostingCall, whole: RemoteOrder): Broken | undefined => {
  const remote = whole.each?.find(({ id }) => id === call.params.deferred_payment_id) ?? whole
  const amount = BigInt(call.body.amount)
  const of =
    call.operation === "deferredPayments.refund"
      ? BigInt(remote.captured) - BigInt(remote.refunded)
      : BigInt(remote.open)
  if (amount >= 0n && amount <= of) return undefined
  const { captured, expired, open, refunded, voided } = remote
  const what = call.operation.slice("deferredPayments.".length)
  const sums = `${captured} captured, ${voided} voided, ${expired} expired, ${open} open, ${refunded} refunded`
  return {
    rule: "I1",
    why: `${what} of ${amount} is more than is left: ${authorised(remote)} authorised, ${sums} (minor units)`
  }
}
