/**
 * Maps the facts of an order to capture, void or refund, with the rule for each and the wording of their amounts.
 */
import type { OrderFact } from "../../connectors/Document.ts"
import * as Currency from "../../core/money/Currency.ts"
import type { Rule } from "../model/Rule.ts"
import type { OrderPostingKind } from "../model/DeferredPayment.ts"

export const POSTING_KIND: Readonly<Record<OrderFact["kind"], OrderPostingKind>> = {
  fulfilment: "capture",
  cancellation: "void",
  return: "refund"
}

export const RULE: Readonly<Record<OrderPostingKind, Rule>> = { capture: "O1", void: "O2", refund: "O3" }

export const say = (minor: bigint, { currency }: { readonly currency: string }): string =>
  Currency.say(Currency.ofMinor(minor, currency), currency)
