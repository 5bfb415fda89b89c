/**
 * Defines the elements' options and events (DP 6.2, 6.3), as far as the specification shows them. Everything else is `unknown`
 * or optional: a page must not break if reality differs.
 */

/** Options of the company search. */
export interface CompanySearchOptions {
  /** The preselected company. */
  readonly companyId?: string
  readonly country?: string
  /** ISO 3166-1 alpha-2 codes. */
  readonly countryOptions?: ReadonlyArray<string>
}

/** For an offer: the whole object that the service returned. Without UI, a plan must be preselected. */
type OfferOptions = { readonly paymentOffer: object; readonly intent?: never } & (
  | {
      readonly paymentPlanId: string
      /** No UI; `confirmOrder` pays by invoice. */
      readonly headless?: boolean
      /** Allowed only if the page itself shows the plan's name, fees and discounts. */
      readonly hidePaymentPlanName?: boolean
    }
  | { readonly paymentPlanId?: never; readonly headless?: never; readonly hidePaymentPlanName?: never }
)

/** For an intent: the whole object that the service returned. */
interface IntentOptions {
  readonly intent: object
  readonly paymentOffer?: never
  readonly paymentPlanId?: never
  readonly headless?: never
  readonly hidePaymentPlanName?: never
}

/** Options of the checkout: an offer or an intent, never both. */
export type CheckoutOptions = (OfferOptions | IntentOptions) & {
  /** No button in the element; `confirmOrder` submits. */
  readonly buttonlessSubmission?: boolean
}

export type CompanyType = "registered-company" | "sole-trader"

/** A company from the service, or a sole trader's own description. A server reads it with `Checkout.buyer`. */
export type Selection =
  | { readonly type: "registered-company"; readonly id: string; readonly [member: string]: unknown }
  | { readonly type: "sole-trader"; readonly [member: string]: unknown }

/** Assumption: not shown. */
export interface Failure {
  readonly code?: string
  /** For the developer. */
  readonly message?: string
}

export interface CompanySearchEvents {
  readonly ready: undefined
  readonly failure: Failure
  readonly countryInputChange: string
  readonly companyTypeInputChange: CompanyType
  readonly companySelection: Selection | null
}

export interface CheckoutEvents {
  readonly ready: undefined
  /** The buyer has submitted. A server must still ask the service whether goods may be shipped. */
  readonly success: unknown
  readonly failure: Failure
  /** No plan is offered, or the submission was rejected: the buyer must pay another way. */
  readonly rejected: unknown
  readonly formState: { readonly isReadyToSubmit: boolean }
}

export interface OptionsOf {
  readonly companySearch: CompanySearchOptions
  readonly checkout: CheckoutOptions
}

export interface EventsOf {
  readonly companySearch: CompanySearchEvents
  readonly checkout: CheckoutEvents
}

export type Name = keyof OptionsOf

export const EVENTS: { readonly [N in Name]: ReadonlyArray<keyof EventsOf[N] & string> } = {
  companySearch: ["ready", "failure", "countryInputChange", "companyTypeInputChange", "companySelection"],
  checkout: ["ready", "success", "failure", "rejected", "formState"]
}

export interface Element<N extends Name> {
  /** Binds a handler, which also receives earlier events that had no handler. */
  readonly on: <E extends keyof EventsOf[N]>(event: E, handler: (payload: EventsOf[N][E]) => void) => void
  /** @param selector must match exactly one node */
  readonly mount: (selector: string) => void
  readonly unmount: () => void
  readonly destroy: () => void
  readonly update: (options: Partial<OptionsOf[N]>) => void
  /** For a checkout without UI or without a button. */
  readonly confirmOrder: N extends "checkout" ? () => void : undefined
}

export interface Elements {
  readonly create: <N extends Name>(name: N, options: OptionsOf[N]) => Element<N>
  readonly getElement: <N extends Name>(name: N) => Element<N> | null
}
