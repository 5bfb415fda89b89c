/**
 * The messages between the checkout element and its payment frame, sent over a private channel.
 */
import type { Locale } from "./Format.ts"

/** The frame's initial data. The page's own objects are not part of it: the frame reads them from the service. */
export interface Start extends Locale {
  readonly publicKey: string
  /** The colour scheme of the surrounding page. */
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

/** The choices of an offer; for an intent without a company, there are no plans yet. */
export interface Choice {
  readonly offer?: string
  readonly order: { readonly currency: string; readonly total_amount: number }
  readonly plans?: ReadonlyArray<Plan>
  readonly terms_url?: string
  readonly countries?: ReadonlyArray<string>
}

/** The plans to choose from: all that are offered, or the one that the platform has chosen. */
export const offered = (plans: ReadonlyArray<Plan>, only: string | undefined): ReadonlyArray<Plan> =>
  plans.filter(({ id, status }) => status === "offered" && (only === undefined || id === only))

/** The payload of `rejected`. Assumption: not shown. */
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
