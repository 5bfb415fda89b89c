/**
 * Describes what the service answered to a call, as far as the ledger needs it: a union with one shape per kind of answer.
 * It is derived from the service's answer and never stored; a receipt keeps the original answer.
 */
import type { CoverPolicy, CoverQuote } from "./Cover.ts"
import type { DeferredPayment, Offer } from "./DeferredPayment.ts"
import type { Fields } from "./RemoteInvoice.ts"

export type Answer =
  /** No answer yet: the call is planned, and what it creates is referred to by its key. */
  | { readonly kind: "foreseen" }
  /** It is done. `id` is what was created or changed, if the service states it. */
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
  /** A collection, with the fields that the service filled in by itself. */
  | { readonly kind: "collection"; readonly id?: string; readonly prefilled: Fields }
  | { readonly kind: "offer"; readonly offer: Offer }
  /** The deferred payment was read and found. */
  | { readonly kind: "payment"; readonly payment: DeferredPayment }
  /** The deferred payment was not found. Lapsed: there will be none, because the offer has ended. */
  | {
      readonly kind: "no payment"
      readonly lapsed: boolean
      /** Until when an order that has ended is still read, in milliseconds since the epoch. */
      readonly until?: number
    }

export const FORESEEN: Answer = { kind: "foreseen" }

/** The identifier of what the call created or changed; undefined if the answer does not state it. */
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
