/**
 * Payment credit limits (DP 1, 8): a company's limit, how much of it is in use, and what is left. A declined company has none.
 */
import { limitOf } from "./Buyers.ts"
import { unknownCurrency } from "./FieldFormats.ts"
import { check, type Handler, notFound, ok } from "../store/Handler.ts"
import * as Minor from "../rules/MinorUnits.ts"
import { rejection } from "../rules/Rejections.ts"

export const paymentCreditLimits = {
  company: (context) => {
    const company = context.params["company_id"] ?? ""
    const listed = context.directory.get(company, context.key)
    if (listed === undefined) throw notFound()
    // Assumption: as in the insurance interface, the default currency is the euro.
    const currency = String(context.payload["currency"] ?? listed.credit_limit?.currency ?? "EUR")
    check(unknownCurrency({ currency }))
    if (listed.decision !== null) {
      return ok({ company, status: "declined", rejection_reason: rejection(listed.decision), credit_limit: null })
    }
    const { amount, inUse } = limitOf(context, company, currency)
    return ok({
      company,
      status: "eligible",
      rejection_reason: null,
      credit_limit: {
        currency,
        amount: Minor.write(amount),
        amount_in_use: Minor.write(inUse),
        amount_available: Minor.write(amount > inUse ? amount - inUse : 0n)
      }
    })
  }
} satisfies Record<string, Handler>
