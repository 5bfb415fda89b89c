/**
 * Fills in the collection of an invoice with what is known (H3), lists what is missing (H5), and computes the digest of what a
 * person is shown: only what they confirmed is sent.
 */
import * as Currency from "../../core/money/Currency.ts"
import * as Decimal from "../../core/money/Decimal.ts"
import type { Invoice } from "../../connectors/Document.ts"
import type { Gathered } from "../model/CollectionContext.ts"
import { collectionOn, type CoverCollection, type CoverDocument, type ForeignDocument } from "../model/Cover.ts"
import type { CoverSettings } from "../model/CoverSettings.ts"
import type { InvoiceFacts } from "../model/InvoiceFacts.ts"
import type { Fields, RemoteInvoice } from "../model/RemoteInvoice.ts"
import { shownDigest } from "../model/ShownDigest.ts"
import * as InvoiceFields from "./InvoiceFields.ts"

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
  { party }: Invoice,
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
    // As the service writes money, whatever the currency (II 1).
    partial_payment: Decimal.format(received(facts), 2),
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

/** The amounts of an invoice as the books have them, in its currency, as text. */
export interface CollectionAmounts {
  readonly net: string | null
  readonly gross: string | null
  readonly credited: string
  readonly received: string
  readonly open: string
}

export const amountsOf = (facts: InvoiceFacts, invoice: Invoice): CollectionAmounts => {
  const say = (amount: Decimal.Decimal): string => Currency.format(amount, invoice.currency)
  const open = InvoiceFields.due(facts, invoice).total - received(facts)
  return {
    net: invoice.net === undefined ? null : say(invoice.net),
    gross: invoice.gross === undefined ? null : say(invoice.gross),
    credited: say(Decimal.sum(facts.creditNotes.map(({ amount }) => amount))),
    received: say(received(facts)),
    open: say(open < 0n ? 0n : open)
  }
}

/** Everything that a person is shown of a collection, which is everything that the partner will have of it. */
export interface CollectionRecord {
  /** The policy, whose invoice it is, the invoice's terms, and what stands for the account of recovered money. */
  readonly about: Fields
  readonly amounts: CollectionAmounts
  /** What Daybook fills in. */
  readonly fields: Fields
  /** What the service holds beside it, whoever wrote that. */
  readonly prefilled: Fields
  readonly documents: ReadonlyArray<CoverDocument>
  /** Documents that others attached on the service. */
  readonly others: ReadonlyArray<ForeignDocument>
}

export const recordOf = (
  facts: InvoiceFacts,
  invoice: Invoice,
  remote: RemoteInvoice,
  settings: CoverSettings,
  gathered: Gathered
): CollectionRecord => {
  const collection = collectionOn(remote.cover)
  const fields = known(facts, invoice, settings, gathered)
  // What a person said of it before is emptied, or said anew, by the next declaration: it is in `fields` of the ledger.
  const prefilled = Object.entries(collection?.prefilled ?? {}).filter(([name]) => !(name in fields))
  const { currency, due: dueOn, issued, number, party } = invoice
  const { address, company, country, id, name, regnum, vat } = party
  return {
    about: stated({
      policy: remote.cover?.policy?.id,
      collection: collection?.id,
      insured: remote.cover?.quote?.price?.insured ?? remote.cover?.quote?.insured,
      number,
      currency,
      issued,
      due: dueOn,
      buyer: name,
      buyer_id: id,
      country,
      regnum,
      vat,
      address,
      company,
      account: gathered.account
    }),
    amounts: amountsOf(facts, invoice),
    fields,
    prefilled: Object.fromEntries(prefilled),
    documents: gathered.documents,
    others: collection?.others ?? []
  }
}

const sorted = (fields: Fields): ReadonlyArray<readonly [string, Fields[string]]> =>
  Object.entries(fields).toSorted(([a], [b]) => (a < b ? -1 : 1))

/**
 * A digest of a record.
 *
 * @param except fields that a person fills in with the confirmation: what the service holds of them goes
 */
export const collectionDigest = (
  { about, amounts, documents, fields, others, prefilled }: CollectionRecord,
  except: ReadonlyArray<string> = []
): string =>
  shownDigest(
    "sha256",
    JSON.stringify([
      sorted(about),
      sorted({ ...amounts }),
      sorted(fields),
      sorted(prefilled).filter(([name]) => !except.includes(name)),
      documents.map(({ digest, name, type }) => [type, name, digest]).toSorted((a, b) => (`${a}` < `${b}` ? -1 : 1)),
      others.map(({ description, id, type }) => [type, description, id]).toSorted((a, b) => (`${a}` < `${b}` ? -1 : 1))
    ])
  )

/** The digest that a confirmation is bound to: of the record, with what the person filled in instead of what was there. */
export const bindingDigest = (record: CollectionRecord, filled: Fields): string =>
  collectionDigest(record, Object.keys(filled))
