/**
 * What the checkout element and its payment frame send each other, through a channel that only the two of them have.
 */
import type { Locale } from "./Format.ts"

/** What the frame is shown with. The page's own objects do not enter it: it reads them from the service. */
export interface Start extends Locale {
  readonly publicKey: string
  /** As the page around it. */
  readonly scheme: "light" | "dark"
  readonly reference: Reference
  readonly plan: string | undefined
  readonly buttonless: boolean
  readonly hideName: boolean
}

/** An offer or an intent, and the key that opens it. */
export type Reference = { readonly key: string } & ({ readonly offer: string } | { readonly intent: string })

export type FromFrame =
  | { readonly type: "event"; readonly name: string; readonly payload?: unknown }
  | { readonly type: "height"; readonly height: number }
  | { readonly type: "title"; readonly title: string }
  | { readonly type: "failure"; readonly code: string; readonly message: string }

export type ToFrame = { readonly type: "confirm" }

export interface Reason {
  readonly code: string
  readonly detail: string
  readonly params: Readonly<Record<string, unknown>>
}

export interface Plan {
  readonly id: string
  readonly name: string
  readonly status: string
  readonly rejection_reason: Reason | null
  readonly scheduled_payments: ReadonlyArray<{ readonly date: string; readonly amount: number }>
  readonly customer_fee: { readonly currency: string; readonly amount: number }
  readonly payment_methods: ReadonlyArray<string>
}

/** What can be chosen of an offer; of an intent without a company yet, no plans. */
export interface Choice {
  readonly offer?: string
  readonly order: { readonly currency: string; readonly total_amount: number }
  readonly plans?: ReadonlyArray<Plan>
  readonly terms_url?: string
  readonly countries?: ReadonlyArray<string>
}

/** The plans that are left: all that are offered, or the one that the platform has chosen. */
export const offered = (plans: ReadonlyArray<Plan>, only: string | undefined): ReadonlyArray<Plan> =>
  plans.filter(({ id, status }) => status === "offered" && (only === undefined || id === only))

/** What `rejected` carries. Assumption: not shown. */
export const rejection = (plans: ReadonlyArray<Plan>) => ({
  reasons: [...new Map(plans.flatMap(({ rejection_reason: why }) => (why === null ? [] : [[why.code, why]]))).values()]
})

export interface Submission {
  readonly plan: string
  readonly payment_method: string
}

export interface Outcome {
  readonly deferred_payment: { readonly id: string; readonly status: string }
  readonly order: string
  readonly payment_plan: string
}
