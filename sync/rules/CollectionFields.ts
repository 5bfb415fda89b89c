/**
 * Fills in the collection of an invoice with what is known (H3), lists what is missing (H5), and computes the digest of what a
 * person is shown: only what they confirmed is sent.
 */
import * as Currency from "../../core/money/Currency.ts"
import * as Decimal from "../../core/money/Decimal.ts"
import type { Invoice } from "../../connectors/Document.ts"
import type { Gathered } from "../model/CollectionContext.ts"
import type { CoverCollection, CoverDocument } from "../model/Cover.ts"
import type { CoverSettings } from "../model/CoverSettings.ts"
import type { InvoiceFacts } from "../model/InvoiceFacts.ts"
import type { Fields } from "../model/RemoteInvoice.ts"
import { shownDigest } from "../model/ShownDigest.ts"

/** The amount received for the invoice, less what went back. */
export const received = ({ payments, reversals }: InvoiceFacts): Decimal.Decimal => {
  const came = Decimal.sum(payments.map(({ amount }) => amount))
  const left = Decimal.sum(reversals.map(({ amount }) => amount))
  return came > left ? came - left : 0n
}

const stated = (members: Readonly<Record<string, Fields[string] | undefined>>): Fields =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as Fields

/** The fields that are known without asking a person. Secrets are named, and filled in just before the request is sent. */
export const known = (
  facts: InvoiceFacts,
  { currency, party }: Invoice,
  { handover = {} }: CoverSettings,
  gathered: Gathered
): Fields => {
  const { bank, collect_fees_from_debtor, contact } = handover
  return stated({
    creditor_contact_name: contact?.name,
    creditor_contact_email: contact?.email,
    creditor_contact_phone: contact?.phone,
    debtor_address: party.address,
    debtor_country: party.country,
    bank_account_name: bank?.name,
    bank_account_sortcode: bank?.sortcode,
    bank_account_number: bank?.number,
    bank_account_email: bank?.email,
    collect_fees_from_debtor,
    partial_payment: Currency.format(received(facts), currency),
    other_invoices: gathered.overdue > 0
  })
}

const has = (value: unknown): boolean => value !== undefined && value !== null && value !== ""

/** What must be there before a person can confirm, each with what to do. */
export const lacking = (
  collection: CoverCollection | undefined,
  wanted: Fields,
  { handover }: CoverSettings,
  { documents, problems }: Gathered
): ReadonlyArray<string> => {
  const prefilled = collection?.prefilled ?? {}
  const is = (name: string): boolean => has(wanted[name] ?? prefilled[name])
  const found = [...problems]
  if (!is("creditor_contact_name") || !is("creditor_contact_email"))
    found.push("no contact of the seller: write cover.handover.contact")
  if (handover?.bank === undefined) found.push("no account for the money that is recovered: write cover.handover.bank")
  if (!is("debtor_address")) found.push("no address of the buyer: write it in the source")
  const named = problems.some((one) => one.startsWith("the copy of the invoice"))
  if (!named && !documents.some(({ type }) => type === "invoice"))
    found.push("no copy of the invoice: write cover.handover.documents, or attach one with `daybook collect`")
  return found
}

/** A digest of everything that would be handed over. */
export const collectionDigest = (wanted: Fields, documents: ReadonlyArray<CoverDocument>): string =>
  shownDigest(
    "sha256",
    JSON.stringify([
      Object.entries(wanted).toSorted(([a], [b]) => (a < b ? -1 : 1)),
      documents.map(({ digest, name, type }) => [type, name, digest]).toSorted((a, b) => (`${a}` < `${b}` ? -1 : 1))
    ])
  )
