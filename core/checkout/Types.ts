/**
 * What the elements take and report (DP 6.2, 6.3), as far as it is shown. What is not shown is `unknown`, or optional: a
 * page must not break when reality differs.
 */

/** Which company the buyer is. */
export interface CompanySearchOptions {
  /** A company that is chosen beforehand. */
  readonly companyId?: string
  readonly country?: string
  /** ISO 3166-1 alpha-2 codes. */
  readonly countryOptions?: ReadonlyArray<string>
}

/** Of an offer: the whole object that the service answered. Without UI a plan must be chosen beforehand. */
type OfferOptions = { readonly paymentOffer: object; readonly intent?: never } & (
  | {
      readonly paymentPlanId: string
      /** No UI; `confirmOrder` pays by invoice. */
      readonly headless?: boolean
      /** Only where name, fees and discounts of the plan are shown elsewhere. */
      readonly hidePaymentPlanName?: boolean
    }
  | { readonly paymentPlanId?: never; readonly headless?: never; readonly hidePaymentPlanName?: never }
)

/** Of an intent: the whole object that the service answered. */
interface IntentOptions {
  readonly intent: object
  readonly paymentOffer?: never
  readonly paymentPlanId?: never
  readonly headless?: never
  readonly hidePaymentPlanName?: never
}

/** When and how the buyer pays: an offer or an intent, never both. */
export type CheckoutOptions = (OfferOptions | IntentOptions) & {
  /** No button in the element; `confirmOrder` submits. */
  readonly buttonlessSubmission?: boolean
}

export type CompanyType = "registered-company" | "sole-trader"

/** A company as the service has it, or a sole trader as it describes itself. A server reads it with `Checkout.buyer`. */
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
  /** The buyer has submitted. Whether goods may leave, a server asks the service. */
  readonly success: unknown
  readonly failure: Failure
  /** No plan is offered, or what was submitted is refused: the buyer pays another way. */
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
  /** Whenever it is bound, it gets every event that has happened and had no handler. */
  readonly on: <E extends keyof EventsOf[N]>(event: E, handler: (payload: EventsOf[N][E]) => void) => void
  /** @param selector of the one place that it goes to */
  readonly mount: (selector: string) => void
  readonly unmount: () => void
  readonly destroy: () => void
  readonly update: (options: Partial<OptionsOf[N]>) => void
  /** Of a checkout without UI or without a button. */
  readonly confirmOrder: N extends "checkout" ? () => void : undefined
}

export interface Elements {
  readonly create: <N extends Name>(name: N, options: OptionsOf[N]) => Element<N>
  readonly getElement: <N extends Name>(name: N) => Element<N> | null
}
