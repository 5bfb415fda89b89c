/**
 * Finds quarantined records that may be about the money of an invoice: its number, its id, its customer or one of its payments is
 * in the text that could not be read, or the text is a whole file of which nobody knows what it holds. Pure.
 */
import type { Allocated, Invoice } from "../../connectors/Document.ts"
import * as Document from "../../connectors/Document.ts"
import type { Fact } from "../model/InvoiceFacts.ts"
import { normal } from "../model/MatchText.ts"
import type { QuarantinedMoney } from "./Surroundings.ts"

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
  { id, number, party }: Invoice,
  facts: ReadonlyArray<Fact<Allocated>>
): ReadonlyArray<{ readonly origin: string }> => {
  if (records.length === 0) return []
  const names = [id, number, party.name, ...facts.map(({ key }) => Document.parseKey(key).id)]
    .map(normal)
    .filter((name) => name.length > 1)
  return records
    .filter((record) => isWhole(record) || names.some((name) => formOf(record).includes(name)))
    .map(({ origin }) => ({ origin }))
}
