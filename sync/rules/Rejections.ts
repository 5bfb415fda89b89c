/**
 * Decides when to request declined cover again (Q7): one row for each code of II 2.8. It is requested again only when what the
 * code names can have changed; for an invoice that was changed, it is requested again whatever the code.
 */
import * as Day from "../../core/wire/Day.ts"
import type { CoverRejection } from "../model/Cover.ts"

/** The input of a row. */
export interface Declined {
  readonly rejection: CoverRejection
  /** The day on which it was declined. */
  readonly on: Day.Day
  readonly issued: Day.Day
  readonly due: Day.Day
  /** When the owner was registered on the platform. */
  readonly registered: Day.Day | undefined
  /** When the buyer last paid an invoice. */
  readonly lastPaid: Day.Day | undefined
}

type Again =
  | { readonly kind: "never" }
  | { readonly kind: "days"; readonly days: number }
  | { readonly kind: "payment" }
  | { readonly kind: "date"; readonly date: (declined: Declined) => Day.Day | undefined }

interface Row {
  readonly again: Again
  readonly why: string
}

const never = (why: string): Row => ({ again: { kind: "never" }, why })
const after = (days: number, why: string): Row => ({ again: { kind: "days", days }, why })
const payment = (why: string): Row => ({ again: { kind: "payment" }, why })
const date = (why: string, of: (declined: Declined) => Day.Day | undefined): Row => ({
  again: { kind: "date", date: of },
  why
})

/** An integer number of days among the params. */
const days = ({ rejection }: Declined, name: string): number | undefined => {
  const value = Number(rejection.params?.[name])
  return Number.isSafeInteger(value) && value >= 0 && value < 10_000 ? value : undefined
}

const plus = (day: Day.Day | undefined, count: number | undefined): Day.Day | undefined =>
  day === undefined || count === undefined ? undefined : Day.addDays(day, count)

const minus = (day: Day.Day, count: number | undefined): Day.Day | undefined =>
  count === undefined ? undefined : Day.addDays(day, -count)

export const REJECTIONS: Readonly<Record<string, Row>> = {
  "seller-country": never("the seller's country stays what it is"),
  "seller-profile": never("only the service's operator can say more"),
  "seller-status": after(30, "a register may be corrected"),
  "seller-accounts": after(30, "other accounts may be filed"),
  "seller-country-subdivision": never("the seller's place stays what it is"),
  "seller-too-young": after(30, "the seller grows older"),
  "seller-accounts-overdue": after(14, "accounts may be filed"),
  "seller-accounts-too-old": after(14, "newer accounts may be filed"),
  "seller-invoices-overdue": after(7, "overdue invoices may be paid"),
  "seller-too-young-on-platform": date("the seller is on the platform for long enough by then", (declined) =>
    plus(declined.registered ?? declined.on, days(declined, "customer_min_registration_days"))
  ),
  "seller-sector": never("the seller's sector stays what it is"),
  "seller-company-type": never("the seller's legal form stays what it is"),
  "seller-limit": after(7, "the seller's limit moves with what is paid"),
  "buyer-too-young": after(30, "the buyer grows older"),
  "buyer-country": never("the buyer's country stays what it is"),
  "buyer-profile": never("only the service's operator can say more"),
  "buyer-status": after(30, "a register may be corrected"),
  "buyer-company-type": never("the buyer's legal form stays what it is"),
  "buyer-overdue-with-seller": payment("the buyer may pay what is overdue"),
  "buyer-accounts": after(30, "other accounts may be filed"),
  "buyer-accounts-overdue": after(14, "accounts may be filed"),
  "buyer-accounts-too-old": after(14, "newer accounts may be filed"),
  "buyer-country-subdivision": never("the buyer's place stays what it is"),
  "buyer-size": after(90, "the buyer's size changes slowly"),
  "buyer-pre-approved": after(30, "the platform may approve the buyer"),
  "buyer-limit": payment("the buyer's limit is free again once it paid"),
  "buyer-no-financials": after(30, "financials may be published"),
  "buyer-uncreditworthy": after(30, "the buyer's credit may be judged again"),
  "buyer-high-risk": after(30, "the buyer's risk may be judged again"),
  "buyer-high-risk-long-term": date("the term that is left is short enough by then", (declined) =>
    minus(declined.due, days(declined, "max_term"))
  ),
  "buyer-sector": never("the buyer's sector stays what it is"),
  "buyer-risk-appetite": payment("what is covered of the buyer falls once it paid"),
  "common-parent": never("buyer and seller stay in one group"),
  "connected-companies": never("buyer and seller stay connected"),
  "invoice-currency": never("the invoice's currency stays what it is"),
  "invoice-too-early": date("its date is near enough by then", (declined) =>
    minus(declined.issued, days(declined, "future_dated_limit_days"))
  ),
  "invoice-too-late": never("it will not be due later"),
  "invoice-too-large": never("its amount stays what it is"),
  "invoice-profile": never("only the service's operator can say more"),
  "invoice-remaining-terms": never("the days that are left only become fewer"),
  "invoice-credit-terms": never("its terms stay what they are"),
  "sector-accum-limit": after(14, "the sector's limit moves")
}

/** Whether, or from when on, a declined quote is requested again. */
export type AskAgain =
  | { readonly again: true }
  | { readonly again: false; readonly on?: Day.Day; readonly why: string; readonly unknown?: boolean }

/** How often to check: every day if a payment may have come. */
export const whenToAskAgain = (declined: Declined, today: Day.Day): AskAgain => {
  const row = REJECTIONS[declined.rejection.code]
  if (row === undefined) return { again: false, why: "its code is not known", unknown: true }
  const { again, why } = row
  switch (again.kind) {
    case "never":
      return { again: false, why }
    case "payment": {
      const { lastPaid } = declined
      return lastPaid !== undefined && lastPaid > declined.on
        ? { again: true }
        : { again: false, why: `${why}: asked for again after that` }
    }
    case "days":
    case "date": {
      const on = again.kind === "days" ? Day.addDays(declined.on, again.days) : again.date(declined)
      if (on === undefined || (again.kind === "date" && on <= declined.on))
        return { again: false, why: `${why}, but when is not known` }
      return on <= today ? { again: true } : { again: false, on, why }
    }
  }
}
