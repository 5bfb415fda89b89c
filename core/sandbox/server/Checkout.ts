/**
 * The part of the control interface that plays the other parties: a buyer completes checkout, or a deferred payment or a policy
 * moves on outside of the platform's control. Also sets an organisation's billing account, for which there is no endpoint
 * (DP 1, 2.4).
 */
import { DEFERRED_PAYMENT_STATUSES } from "../../deferred-payment/DeferredPayments.ts"
import { showDeferredPayment } from "../resources/CheckoutSerializers.ts"
import { keepPayment } from "../resources/DeferredPayments.ts"
import { accept, acceptIntent, oneOf } from "../resources/Acceptance.ts"
import { type Answer, check, type Context, ok, Refusal } from "../store/Handler.ts"
import { movePolicyTo } from "../resources/Policies.ts"
import { TEMPLATES } from "../resources/Offers.ts"
import { showOrganisation } from "../resources/Serializers.ts"
import * as Minor from "../rules/MinorUnits.ts"
import type { Service } from "./Service.ts"
import type { Entity, Kind } from "../store/Store.ts"

type Body = Readonly<Record<string, unknown>>

/**
 * Final statuses that only the service sets (assumption: DP 3 shows none, DP 2.9 has the balances), and the balance to which
 * the uncaptured amount moves.
 */
const ENDS: Readonly<Record<string, string>> = { expired: "expired_authorisation", cancelled: "voided_authorisation" }

const move = (context: Context, payment: Entity, { status }: Body): Answer => {
  const known = [...DEFERRED_PAYMENT_STATUSES, ...Object.keys(ENDS)]
  check(known.includes(String(status)) ? {} : { status: oneOf(known) })
  const to = ENDS[String(status)]
  if (to === undefined) return ok(showDeferredPayment(context)(keepPayment(context, payment, { ...payment, status })))
  const gone = Minor.write(Minor.read(payment[to]) + Minor.read(payment["authorisation"]))
  const ended = { ...payment, status, authorisation: 0, [to]: gone }
  return ok(showDeferredPayment(context)(keepPayment(context, payment, ended)))
}

/** Changes the authorised amount, as the service's staff may. What was captured stays. */
const authorise = (context: Context, payment: Entity, { amount }: Body): Answer => {
  check(
    typeof amount === "number" && /^\d{1,15}$/.test(String(amount)) ? {} : { amount: ["A whole number is required."] }
  )
  return ok(showDeferredPayment(context)(keepPayment(context, payment, { ...payment, authorisation: amount })))
}

/** `{"plan": "pptemp-30-days"}`, or null for none. */
const bind = (context: Context, organisation: Entity, { plan }: Body): Answer => {
  const templates = TEMPLATES.map(({ template }) => template)
  check(plan === null || templates.includes(String(plan)) ? {} : { plan: oneOf(templates) })
  const billing_account = plan === null ? null : String(plan).replace(/^pptemp-/, "ba-")
  const bound = context.store.put(context.key, "organisation", { ...organisation, billing_account })
  return ok(showOrganisation(context)(bound))
}

/** The documents that were attached to an order: the service itself shows them to nobody. */
const attached = (context: Context, { id }: Entity): Answer =>
  ok(
    [...context.mine.order_document.values()].flatMap(
      ({ amount, content, description, doc_type, id: its, name, order }) =>
        order === id
          ? [{ id: its, doc_type, amount, description, name, bytes: Buffer.from(String(content), "base64").length }]
          : []
    )
  )

type Act = (context: Context, entity: Entity, body: Body, path: ReadonlyArray<string>) => Answer

/** By method and path, each with the kind of object that its first segment names. */
const ACTS: Readonly<Record<string, readonly [Kind, Act]>> = {
  "POST offers/ID/plans/ID/accept": [
    "offer",
    (context, offer, body, path) => accept(context, offer, path[3] ?? "", body)
  ],
  "POST intents/ID/accept": ["intent", acceptIntent],
  "PUT deferred_payments/ID/status": ["deferred_payment", move],
  "PUT deferred_payments/ID/authorisation": ["deferred_payment", authorise],
  "GET orders/ID/documents": ["order", attached],
  "PUT organisations/ID/billing_account": ["organisation", bind],
  "PUT policies/ID/status": ["policy", movePolicyTo]
}

/** The answer; undefined for other paths. `path` is what follows `/sandbox/`. */
export const checkout = (
  service: Service,
  method: string,
  path: ReadonlyArray<string>,
  body: Body,
  base: string
): Answer | undefined => {
  const act = ACTS[`${method} ${path.map((part, i) => (i % 2 === 1 ? "ID" : part)).join("/")}`]
  if (act === undefined) return undefined
  const [kind, run] = act
  const found = service.store.whose(kind, path[1] ?? "")
  if (found === undefined) return { status: 404, body: { detail: "Not found." } }
  try {
    const answer = run(service.context(found.key, base), found.entity, body, path)
    service.announce()
    return answer
  } catch (cause) {
    if (cause instanceof Refusal) return cause.answer
    throw cause
  } finally {
    service.store.commit()
  }
}
