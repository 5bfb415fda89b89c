/**
 * Rejection reasons for a company or an invoice: the codes of II 2.8 in order, the params of each with the values of the
 * built-in directory, and the sentence that contains them.
 *
 * Assumption: the sentences are not shown; each has a placeholder for each of its params.
 */
export interface Decision {
  readonly code: string
  readonly params: Readonly<Record<string, unknown>>
}

interface Row {
  readonly params: Readonly<Record<string, unknown>>
  readonly detail: string
}

const row = (detail: string, params: Row["params"] = {}): Row => ({ params, detail })

/** By code. */
export const REJECTIONS: Readonly<Record<string, Row>> = {
  "seller-country": row("Sellers in {creditor_country} are not covered.", { creditor_country: "BR" }),
  "seller-profile": row("The seller's profile is not covered."),
  "seller-status": row("The seller's status is {creditor_status}.", { creditor_status: "Dissolved" }),
  "seller-accounts": row("The seller files {creditor_accounts_type} accounts.", { creditor_accounts_type: "dormant" }),
  "seller-country-subdivision": row("Sellers in {public_subdivision} are not covered.", { public_subdivision: "Sark" }),
  "seller-too-young": row("The seller is younger than {MIN_CREATION_YEARS} years.", { MIN_CREATION_YEARS: 2 }),
  "seller-accounts-overdue": row(
    "The seller's accounts are overdue by more than {MAX_ACCOUNTS_OVERDUE_MONTHS} months.",
    {
      MAX_ACCOUNTS_OVERDUE_MONTHS: 3
    }
  ),
  "seller-accounts-too-old": row("The seller's latest accounts are older than {MAX_AGE_LATEST_FINANCIALS} months.", {
    MAX_AGE_LATEST_FINANCIALS: 24
  }),
  "seller-invoices-overdue": row("The seller has overdue invoices that are insured."),
  "seller-too-young-on-platform": row(
    "The seller has been on {platform_name} for less than {customer_min_registration_days} days.",
    { platform_name: "Sandbox", customer_min_registration_days: 30 }
  ),
  "seller-sector": row("The seller's sector is not covered."),
  "seller-company-type": row("Sellers of the legal form {legal_form} are not covered.", { legal_form: "Charity" }),
  "seller-limit": row("The seller has reached its limit."),
  "buyer-too-young": row("The buyer is younger than {MIN_CREATION_YEARS} years.", { MIN_CREATION_YEARS: 2 }),
  "buyer-country": row("Buyers in {debtor_country} are not covered.", { debtor_country: "BR" }),
  "buyer-profile": row("The buyer's profile is not covered."),
  "buyer-status": row("The buyer's status is {debtor_status}.", { debtor_status: "Dissolved" }),
  "buyer-company-type": row("Buyers of the legal form {legal_form} are not covered.", { legal_form: "Charity" }),
  "buyer-overdue-with-seller": row("The buyer is overdue with this seller by more than {OVERDUE_DAYS} days.", {
    OVERDUE_DAYS: 30
  }),
  "buyer-accounts": row("The buyer files {accounts_type} accounts.", { accounts_type: "dormant" }),
  "buyer-accounts-overdue": row("The buyer's accounts are overdue by more than {MAX_ACCOUNTS_OVERDUE_MONTHS} months.", {
    MAX_ACCOUNTS_OVERDUE_MONTHS: 3
  }),
  "buyer-accounts-too-old": row("The buyer's latest accounts are older than {MAX_AGE_LATEST_FINANCIALS} months.", {
    MAX_AGE_LATEST_FINANCIALS: 24
  }),
  "buyer-country-subdivision": row("Buyers in {public_subdivision} are not covered.", { public_subdivision: "Sark" }),
  "buyer-size": row("Buyers of the size {company_size} are not covered.", { company_size: "micro" }),
  "buyer-pre-approved": row("The buyer is not among those that {platform_name} has approved.", {
    platform_name: "Sandbox"
  }),
  "buyer-limit": row("The buyer has reached its limit."),
  "buyer-no-financials": row("The buyer has published no financials."),
  "buyer-uncreditworthy": row("The buyer is not creditworthy."),
  "buyer-high-risk": row("The buyer's risk is high."),
  "buyer-high-risk-long-term": row("The buyer's risk is high for terms beyond {max_term} days.", { max_term: 30 }),
  "buyer-sector": row("The buyer's sector is not covered."),
  "buyer-risk-appetite": row("The cover for this buyer is up to {debtor_risk_appetite} {tx_currency}.", {
    tx_currency: "GBP",
    debtor_risk_appetite: "0"
  }),
  "common-parent": row("Buyer and seller have the same parent."),
  "connected-companies": row("Buyer and seller are connected."),
  "invoice-currency": row("Invoices in {tx_currency} are not covered.", { tx_currency: "XAF" }),
  "invoice-too-early": row("The invoice is dated more than {future_dated_limit_days} days ahead.", {
    future_dated_limit_days: 14
  }),
  "invoice-too-late": row("The invoice was due on {tx_due_date}, and today is {today}.", {
    today: "2024-01-01",
    tx_due_date: "2023-01-01"
  }),
  "invoice-too-large": row("The invoice is larger than what is covered; write to {website_email}.", {
    website_email: "help@sandbox.example"
  }),
  "invoice-profile": row("The invoice's profile is not covered."),
  "invoice-remaining-terms": row("Only {credit_terms_days} days of credit remain.", { credit_terms_days: 3 }),
  "invoice-credit-terms": row(
    "Credit of {credit_terms_days} days is longer than the {MAX_CREDIT_TERMS_DAYS} days that are covered.",
    { credit_terms_days: 200, MAX_CREDIT_TERMS_DAYS: 120 }
  ),
  "sector-accum-limit": row("The limit of the sector has been reached.")
}

/** A decision as the service writes it. A custom code names its own params. */
export const rejection = ({ code, params }: Decision) => {
  const placeholders = Object.keys(params).map((name) => `{${name}}`)
  const detail = REJECTIONS[code]?.detail ?? ["Not covered", ...placeholders].join(" ") + "."
  return { code, detail, params }
}
