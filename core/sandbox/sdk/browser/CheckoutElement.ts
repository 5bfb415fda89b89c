/**
 * The element `checkout` (DP 6.2, 6.3): how and when the buyer pays. What the buyer sees and sends is in a frame on the payment
 * host's own origin; this side first finds out whether there is anything to show, and passes on what the frame reports.
 * Without UI (`headless`) there is no frame.
 *
 * Assumptions: an update with an offer replaces an intent, and the other way round; if a preselected plan is declined, that is
 * a rejection, because there is no other to choose.
 */
import { IntegrationError, type Kind, type Place } from "./Element.ts"
import { h } from "./Dom.ts"
import {
  type Choice,
  type FromFrame,
  offered,
  type Plan,
  type Reference,
  rejection,
  type Start,
  type ToFrame
} from "./Protocol.ts"
import type { Locale } from "./Format.ts"
import { Trouble } from "./Session.ts"
import { isRefused, submit } from "./Submit.ts"

interface GivenPlan {
  readonly id: string
  readonly payment_url: string
}

export interface CheckoutOptions {
  readonly paymentOffer?:
    | { readonly id: string; readonly offered_payment_plans: ReadonlyArray<GivenPlan>; readonly locale?: string }
    | undefined
  readonly intent?:
    | { readonly id: string; readonly payment_url: string; readonly request?: { readonly locale?: string } }
    | undefined
  readonly paymentPlanId?: string | undefined
  readonly headless?: boolean | undefined
  readonly buttonlessSubmission?: boolean | undefined
  readonly hidePaymentPlanName?: boolean | undefined
}

const FRAME_LIMIT_MS = 10_000

const mistake = (why: string) => new IntegrationError(`checkout: ${why}`)

const keyOf = (url: string): string => new URL(url).searchParams.get("key") ?? ""

const checkOffer = ({ paymentOffer: offer, paymentPlanId }: CheckoutOptions): void => {
  if (offer === undefined) return
  if (typeof offer?.id !== "string" || !Array.isArray(offer.offered_payment_plans)) {
    throw mistake("paymentOffer is the whole object that the request for an offer answered.")
  }
  if (paymentPlanId === undefined || offer.offered_payment_plans.some(({ id }) => id === paymentPlanId)) return
  throw mistake(`the offer ${offer.id} has no plan "${paymentPlanId}".`)
}

const check = (options: CheckoutOptions): void => {
  const { headless, hidePaymentPlanName, intent, paymentOffer, paymentPlanId } = options
  if (paymentOffer !== undefined && intent !== undefined) throw mistake("pass paymentOffer or intent, never both.")
  if (paymentOffer === undefined && intent === undefined) throw mistake("pass a paymentOffer or an intent.")
  checkOffer(options)
  if (intent !== undefined && (typeof intent?.id !== "string" || typeof intent.payment_url !== "string")) {
    throw mistake("intent is the whole object that the request for an intent answered.")
  }
  if (intent !== undefined && paymentPlanId !== undefined) throw mistake("paymentPlanId is not used with an intent.")
  if (paymentPlanId !== undefined) return
  if (headless === true) throw mistake("headless needs paymentPlanId.")
  if (hidePaymentPlanName === true) throw mistake("hidePaymentPlanName needs paymentPlanId.")
}

const merge = (before: CheckoutOptions, given: CheckoutOptions): CheckoutOptions => {
  const { intent, paymentOffer, paymentPlanId, ...rest } = before
  const fresh = given.paymentOffer !== undefined || given.intent !== undefined
  // A plan belongs to its offer, so another offer discards it.
  return fresh ? { ...rest, ...given } : { ...before, ...given }
}

const referenceOf = ({ intent, paymentOffer }: CheckoutOptions): Reference => {
  if (intent !== undefined) return { intent: intent.id, key: keyOf(intent.payment_url) }
  const plan = paymentOffer?.offered_payment_plans[0]
  if (paymentOffer === undefined || plan === undefined) throw mistake("pass a paymentOffer or an intent.")
  return { offer: paymentOffer.id, key: keyOf(plan.payment_url) }
}

/** Without UI: the plan is already chosen, and invoice is the only method. */
const showHeadless = (place: Place, plan: Plan, reference: Reference): void => {
  const { emit, fail, session, signal } = place
  if (!plan.payment_methods.includes("invoice")) {
    return fail(new Trouble("no_invoice", `The plan ${plan.id} cannot be paid by invoice, which headless needs.`))
  }
  const name = crypto.randomUUID()
  place.confirm = () => {
    delete place.confirm
    submit(session, reference, { plan: plan.id, payment_method: "invoice" }, name, signal).then(
      (outcome) => emit(isRefused(outcome) ? "rejected" : "success", outcome),
      fail
    )
  }
  emit("ready")
}

/** Whether the surrounding page is light or dark, by whatever means it declares it. */
const schemeOf = (frame: HTMLElement): Start["scheme"] =>
  getComputedStyle(frame).color === "rgb(255, 255, 255)" ? "dark" : "light"

const showFrame = (place: Place, start: Omit<Start, "scheme">): void => {
  const { emit, fail, root, session, signal } = place
  const { origin } = new URL(session.base)
  const { port1, port2 } = new MessageChannel()
  const blocked = new Trouble(
    "frame_blocked",
    `The payment frame of ${origin} does not load. If this page has a Content-Security-Policy, its frame-src must name ${origin}.`
  )
  const frame = h("iframe", { src: session.base, title: "Pay later", class: "frame" })
  const timer = setTimeout(() => fail(blocked), FRAME_LIMIT_MS)
  const refused = ({ blockedURI, effectiveDirective }: SecurityPolicyViolationEvent) => {
    if (effectiveDirective === "frame-src" && blockedURI.startsWith(origin)) fail(blocked)
  }
  document.addEventListener("securitypolicyviolation", refused, { signal })
  const begin = () => frame.contentWindow?.postMessage({ ...start, scheme: schemeOf(frame) }, origin, [port2])
  frame.addEventListener("load", begin, { once: true })
  port1.onmessage = ({ data }: MessageEvent<FromFrame>) => {
    clearTimeout(timer)
    if (data.type === "height") frame.style.height = `${data.height}px`
    else if (data.type === "title") frame.title = data.title
    else if (data.type === "failure") fail(new Trouble(data.code, data.message))
    else {
      if (data.name === "ready" && start.buttonless) {
        place.confirm = () => port1.postMessage({ type: "confirm" } satisfies ToFrame)
      }
      emit(data.name, data.payload)
    }
  }
  signal.addEventListener("abort", () => {
    clearTimeout(timer)
    port1.close()
  })
  root.append(frame)
}

/** The language used for an offer or an intent with this preferred language. */
type LocaleFor = (wish: string | undefined) => Locale

export const checkoutKind = (frame: string, localeFor: LocaleFor): Kind<CheckoutOptions> => ({
  name: "checkout",
  options: ["paymentOffer", "intent", "paymentPlanId", "headless", "buttonlessSubmission", "hidePaymentPlanName"],
  events: ["ready", "success", "failure", "rejected", "formState"],
  required: ["success", "failure"],
  check,
  merge,
  show: async (place, options) => {
    const { emit, signal } = place
    const { buttonlessSubmission, headless, hidePaymentPlanName, intent, paymentOffer, paymentPlanId } = options
    const spoken = localeFor(paymentOffer?.locale ?? intent?.request?.locale)
    const session = place.session.at(`${frame}/frame/v1`, spoken)
    const reference = referenceOf(options)
    const { plans } = await session.post<Choice>("choice", { ...reference }, signal)
    const plan = plans === undefined ? undefined : offered(plans, paymentPlanId)[0]
    // Nothing to choose: the element is not shown (DP 3).
    if (plans !== undefined && plan === undefined) return emit("rejected", rejection(plans))
    if (headless === true && plan !== undefined) return showHeadless(Object.assign(place, { session }), plan, reference)
    const start = {
      publicKey: session.publicKey,
      ...spoken,
      reference,
      plan: paymentPlanId,
      buttonless: buttonlessSubmission === true,
      hideName: hidePaymentPlanName === true
    }
    showFrame(Object.assign(place, { session }), start)
  }
})
