/**
 * Selects the invoices to insure: those that the configuration selects and that the service can insure.
 */
import type { Invoice } from "../../connectors/Document.ts"
import * as Decimal from "../../core/money/Decimal.ts"
import * as Day from "../../core/wire/Day.ts"
import type { CoverSettings, Selection } from "../model/CoverSettings.ts"
import { mayNameBuyer, namesBuyer } from "../model/PartyName.ts"
import { openOn, type RemoteInvoice } from "../model/RemoteInvoice.ts"

/** The net amount that the service has; gross if no net amount was sent. */
export const netOf = ({ fields, stated }: RemoteInvoice): Decimal.Decimal => {
  const text = stated?.["net_amount"] ?? fields["net_amount"] ?? fields["gross_amount"]
  return typeof text === "string" ? Decimal.of(text) : 0n
}

/** Why an entry does not select an invoice; undefined if it does. */
const misses = (
  { buyers, countries, except, max, min, terms_days }: Selection,
  invoice: Invoice,
  net: Decimal.Decimal
): string | undefined => {
  const country = invoice.party.country
  if (countries !== undefined && (country === undefined || !countries.includes(country)))
    return country === undefined ? "its buyer's country is not known" : `its buyer is in ${country}`
  if (min !== undefined && net < Decimal.of(min)) return `its net amount is below ${min}`
  if (max !== undefined && net > Decimal.of(max)) return `its net amount is above ${max}`
  const terms = Day.between(invoice.issued, invoice.due)
  if (terms_days !== undefined && terms > terms_days) return `its terms are ${terms} days, above ${terms_days}`
  if (buyers?.some((text) => namesBuyer(text, invoice.party)) === false) return "its buyer is not listed in buyers"
  if (except?.some((text) => mayNameBuyer(text, invoice.party)) === true) return "its buyer is listed in except"
  return undefined
}

/** Why an invoice is not to be insured; undefined if it is. */
export const notSelected = (
  invoice: Invoice,
  remote: RemoteInvoice,
  { price, select }: CoverSettings
): string | undefined => {
  if (invoice.currency !== price.currency)
    return `its currency is ${invoice.currency}, and cover.price is in ${price.currency}`
  const net = netOf(remote)
  const missed = select.map((one) => misses(one, invoice, net))
  return missed.some((one) => one === undefined) ? undefined : missed.join("; ")
}

/** Whether the only reason that it is not selected is that its currency has no budget. */
export const lacksBudget = (invoice: Invoice, remote: RemoteInvoice, settings: CoverSettings): boolean =>
  invoice.currency !== settings.price.currency &&
  notSelected(invoice, remote, { ...settings, price: { ...settings.price, currency: invoice.currency } }) === undefined

/** Why an invoice cannot be insured now, selected or not; undefined if it can. */
export const notInsurable = (remote: RemoteInvoice): string | undefined => {
  if (remote.status === "draft") return "it is a draft"
  if (remote.status !== "pending") return `it is ${remote.status}`
  if (openOn(remote) <= 0n) return "nothing is open of it"
  return undefined
}
