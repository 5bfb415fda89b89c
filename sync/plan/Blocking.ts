/**
 * Finds what may be about the money of an invoice and is not known to be: quarantined records in whose text its number, its id, its
 * customer or one of its payments is, or that are a whole file of which nobody knows what it holds; and money that went back,
 * nobody knows of which payment, if it names the invoice or a payment of it was of that amount. Pure.
 */
import type { Allocated, Invoice, Payment } from "../../connectors/Document.ts"
import * as Document from "../../connectors/Document.ts"
import type { Fact } from "../model/InvoiceFacts.ts"
import { normal, referencesOf } from "../model/MatchText.ts"
import * as Currency from "../../core/money/Currency.ts"
import type { QuarantinedMoney, Returned } from "./Surroundings.ts"

/** A text of fewer letters and digits says nothing about itself. */
const SHORTEST = 3

/** More than one record's text: a file. */
const RECORD = 4000

/** The forms in which a text is searched, by record: the same records are asked about for each invoice. */
const forms = new WeakMap<QuarantinedMoney, string>()

const formOf = (record: QuarantinedMoney): string => {
  const known = forms.get(record)
  if (known !== undefined) return known
  const form = normal(record.raw)
  forms.set(record, form)
  return form
}

const isWhole = (record: QuarantinedMoney): boolean =>
  record.raw.length > RECORD || formOf(record).length < SHORTEST || /^\s*(<|:20:|\{1:)/.test(record.raw)

export const about = (
  records: ReadonlyArray<QuarantinedMoney>,
  { id, number, party, reference = "" }: Invoice,
  facts: ReadonlyArray<Fact<Allocated>>
): ReadonlyArray<{ readonly origin: string }> => {
  if (records.length === 0) return []
  const names = [id, number, ...reference.split("\n"), party.name, ...facts.map(({ key }) => Document.parseKey(key).id)]
    .map(normal)
    .filter((name) => name.length > 1)
  return records
    .filter((record) => isWhole(record) || names.some((name) => formOf(record).includes(name)))
    .map(({ origin }) => ({ origin }))
}

/** The keys of what may have gone back of its payments. What waits for it names its key; a payment of the amount in the same list is as good as any other of them. */
export const mayBeBack = (
  returned: ReadonlyMap<string, ReadonlyArray<Returned>>,
  { key, number, reference }: Pick<Invoice, "number" | "reference"> & { readonly key: string },
  payments: ReadonlyArray<Fact<Payment>>
): ReadonlyArray<string> => {
  if (returned.size === 0) return []
  const names = [key, normal(number), ...referencesOf(reference, [])]
  const found = new Set(names.flatMap((name) => returned.get(name)?.map(({ key }) => key) ?? []))
  for (const { document, key } of payments) {
    const { currency = "", date, shares, unallocated = 0n } = document
    const all = shares.reduce((sum, { amount }) => sum + amount, unallocated)
    for (const one of returned.get(`${Currency.toMinorOutward(all, currency)} ${currency}`) ?? [])
      if (key.startsWith(`${one.connection}/`) && date <= one.date) found.add(one.key)
  }
  return [...found]
}
