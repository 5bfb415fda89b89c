/**
 * What the service answered to a call that was done, as far as the ledger needs it: a union with one shape per kind of
 * answer. It is made of the service's answer and never stored; a receipt keeps the answer as it came.
 */
import type { CoverPolicy, CoverQuote } from "./Cover.ts"
import type { DeferredPayment, Offer } from "./DeferredPayment.ts"
import type { Fields } from "./RemoteInvoice.ts"

export type Answer =
  /** No answer yet: the call is planned, and what it creates is referred to by its key. */
  | { readonly kind: "foreseen" }
  /** It is done. The id is that of what was created or changed, where the service states it. */
  | { readonly kind: "done"; readonly id?: string }
  | {
      readonly kind: "transaction"
      readonly id?: string
      readonly status?: string
      readonly insured?: boolean
      /** Amounts as the service states them. */
      readonly stated: Fields
    }
  /** An organisation with its preferences, by payment method. */
  | { readonly kind: "organisation"; readonly id?: string; readonly methods: Readonly<Record<string, string>> }
  | { readonly kind: "quote"; readonly quote: CoverQuote }
  | { readonly kind: "policy"; readonly policy: CoverPolicy }
  /** A collection, with what the service filled into it by itself. */
  | { readonly kind: "collection"; readonly id?: string; readonly prefilled: Fields }
  | { readonly kind: "offer"; readonly offer: Offer }
  /** A reading found the deferred payment. */
  | { readonly kind: "payment"; readonly payment: DeferredPayment }
  /** A reading found none. Lapsed: there will be none, as the offer has ended. */
  | {
      readonly kind: "no payment"
      readonly lapsed: boolean
      /** Until when an order that has ended is looked at, in milliseconds since the epoch. */
      readonly until?: number
    }

export const FORESEEN: Answer = { kind: "foreseen" }

/** The identifier of what the call created or changed; undefined where the answer does not state it. */
export const idOf = (answer: Answer): string | undefined => {
  switch (answer.kind) {
    case "done":
    case "transaction":
    case "organisation":
    case "collection":
      return answer.id
    case "quote":
      return answer.quote.id
    case "policy":
      return answer.policy.id
    case "foreseen":
    case "offer":
    case "payment":
    case "no payment":
      return undefined
  }
}
