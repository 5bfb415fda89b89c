/** Captures, voids and refunds, with the rule for each and the wording of their amounts. */
import * as Currency from "../../core/money/Currency.ts"
import type { Rule } from "../model/Rule.ts"
import type { OrderPostingKind } from "../model/DeferredPayment.ts"

export const RULE: Readonly<Record<OrderPostingKind, Rule>> = { capture: "O1", void: "O2", refund: "O3" }

export const say = (minor: bigint, { currency }: { readonly currency: string }): string =>
  Currency.say(Currency.ofMinor(minor, currency), currency)
