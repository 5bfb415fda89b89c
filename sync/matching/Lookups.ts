/**
 * Looks up invoices by the names that payments have for them; those of many payments at once, because running a statement
 * takes longer than finding a row.
 */
import * as Document from "../../connectors/Document.ts"
import type { Db } from "../state/Database.ts"
import { normal, withoutZeros } from "../model/MatchText.ts"
import { type Dirty, PAYABLE, type Payable } from "./Tables.ts"

/** An invoice found by a name; null if only its id is known. */
export type NamedInvoice = Payable | { readonly key: string; readonly currency: null; readonly number: null }

/** Caches invoices that were looked up before. */
export type LookupMemory = Pick<Dirty, "found" | "numbers" | "references">

export const noLookups = (): LookupMemory => ({ found: new Map(), numbers: new Map(), references: new Map() })

/**
 * Invoices with this name, by id and by number: where one's id is another's number, as where both are small whole numbers, both
 * are found. Payable ones take precedence.
 */
export const named = (db: Db, memory: LookupMemory, pays: string, name: string): ReadonlyArray<NamedInvoice> => {
  const key = Document.key(pays, "invoice", name)
  const { found } = memory
  const known = found.get(key)
  if (known !== undefined) return [known, ...otherwise(db, memory, pays, { name, row: known })]
  // Deleted invoices are found in an index of their own, so that the invoice's row need not be read.
  const row = db
    .prepare(
      `SELECT ${PAYABLE} FROM document d LEFT JOIN payable p ON p.invoice = d.id WHERE d.key = :key
        AND NOT EXISTS (SELECT 1 FROM document INDEXED BY document_deleted WHERE key = :key AND deleted = 1)`
    )
    .get({ key }) as NamedInvoice | undefined
  if (row === undefined) return invoicesNumbered(db, memory, pays, normal(name))
  if (row.number === null) return [row]
  found.set(key, row)
  return [row, ...otherwise(db, memory, pays, { name, row })]
}

/** Invoices that have an invoice's id as their number. */
const otherwise = (
  db: Db,
  memory: LookupMemory,
  pays: string,
  { name, row }: { readonly name: string; readonly row: Payable }
): ReadonlyArray<Payable> => {
  const number = normal(name)
  return row.number === number ? [] : invoicesNumbered(db, memory, pays, number).filter(({ key }) => key !== row.key)
}

/** The currency of an existing invoice. */
export const currencyOfInvoice = (db: Db, key: string): string | undefined => {
  const sql = "SELECT p.currency FROM document d JOIN payable p ON p.invoice = d.id WHERE d.key = ?"
  const found = db.prepare(sql).pluck().get(key)
  return typeof found === "string" ? found : undefined
}

/** Those of these numbers that no invoice of a connection has. */
export const unknownOf = (db: Db, pays: string, numbers: ReadonlyArray<string>): ReadonlyArray<string> => {
  const known = db.prepare("SELECT 1 FROM payable WHERE connection = ? AND number = ?")
  const found = numbers.filter((one) => known.get(pays, one) !== undefined)
  return numbers.filter((one) => !found.some((whole) => whole.startsWith(one)))
}

/** Invoices with this number, and the one whose buyer is asked to write this instead. */
export const invoicesNumbered = (
  db: Db,
  memory: LookupMemory,
  pays: string,
  number: string
): ReadonlyArray<Payable> => {
  if (number === "") return []
  const { found, numbers } = memory
  const all =
    numbers.get(numberKey(pays, number)) ??
    (db.prepare(`${FROM} WHERE p.connection = ? AND p.number = ?`).all(pays, number) as ReadonlyArray<Payable>)
  for (const one of all) found.set(one.key, one)
  const referred = invoicesReferred(db, memory, pays, number)
  return payableOf(referred.length === 1 ? [...all, ...referred] : all)
}

/** Invoices whose buyers are asked to write this. One that several invoices have is a customer's, and names none of them. */
export const invoicesReferred = (
  db: Db,
  { found, references }: LookupMemory,
  pays: string,
  name: string
): ReadonlyArray<Payable> => {
  const reference = withoutZeros(name)
  const all =
    references.get(numberKey(pays, reference)) ??
    (db
      .prepare(`${FROM} JOIN asked a ON a.invoice = p.invoice WHERE a.connection = ? AND a.reference = ?`)
      .all(pays, reference) as ReadonlyArray<Payable>)
  for (const one of all) found.set(one.key, one)
  return payableOf(all)
}

const FROM = `SELECT ${PAYABLE} FROM payable p JOIN document d ON d.id = p.invoice`

/** Those that can be paid, unless none of them can. */
const payableOf = (all: ReadonlyArray<Payable>): ReadonlyArray<Payable> => {
  if (all.length < 2) return all
  const payable = all.filter((one) => one.payable === 1)
  return payable.length === 0 ? all : payable
}

const numberKey = (pays: string, number: string): string => `${pays}/${number}`

/** Looks up what payments that were just read name first. */
export const lookUp = (
  db: Db,
  { found, known, numbers, references }: Dirty,
  documents: ReadonlyArray<number>
): void => {
  const keys: Array<string> = []
  const named = new Map<string, Array<string>>()
  for (const id of documents) {
    const payment = known.get(id)
    if (payment === undefined) continue
    const { document, inText, written } = payment
    for (const { invoice } of document.shares) keys.push(Document.key(written.pays, "invoice", invoice))
    const [first] = inText
    if (document.shares.length > 0 || first === undefined) continue
    const names = named.get(written.pays)
    if (names === undefined) named.set(written.pays, [first.name])
    else names.push(first.name)
  }
  for (const row of keys.length === 0 ? [] : payables(db, keys)) found.set(row.key, row)
  for (const [pays, names] of named) {
    inGroups(numbers, pays, names, ofAll(db, pays, NUMBERED, names))
    const forms = names.map(withoutZeros)
    inGroups(references, pays, forms, ofAll(db, pays, REFERRED, forms))
  }
}

const NUMBERED = "payable p ON p.connection = ? AND p.number = k.value AND p.number <> ''"
const REFERRED = "asked a ON a.connection = ? AND a.reference = k.value CROSS JOIN payable p ON p.invoice = a.invoice"

/** The invoices with these names. */
const ofAll = (
  db: Db,
  pays: string,
  from: string,
  names: ReadonlyArray<string>
): ReadonlyArray<Payable & { readonly name: string }> =>
  db
    .prepare(
      `SELECT ${PAYABLE}, k.value AS name FROM json_each(?) k CROSS JOIN ${from} CROSS JOIN document d ON d.id = p.invoice`
    )
    .all(JSON.stringify([...new Set(names)]), pays) as ReadonlyArray<Payable & { readonly name: string }>

const inGroups = (
  into: Map<string, Array<Payable>>,
  pays: string,
  names: ReadonlyArray<string>,
  rows: ReadonlyArray<Payable & { readonly name: string }>
): void => {
  for (const name of names) into.set(numberKey(pays, name), [])
  for (const { name, ...row } of rows) into.get(numberKey(pays, name))?.push(row)
}

/** The invoices with these keys that can be paid. */
const payables = (db: Db, keys: ReadonlyArray<string>): ReadonlyArray<Payable> =>
  db
    .prepare(
      `SELECT ${PAYABLE} FROM json_each(?) k CROSS JOIN document d ON d.key = k.value CROSS JOIN payable p ON p.invoice = d.id
        WHERE NOT EXISTS (SELECT 1 FROM document INDEXED BY document_deleted WHERE key = d.key AND deleted = 1)`
    )
    .all(JSON.stringify(keys)) as ReadonlyArray<Payable>

/** A paid invoice that another payment of its payer has by its amount alone. */
const HELD_BY_AMOUNT = `SELECT 1 FROM payable p JOIN document d ON d.id = p.invoice JOIN allocation a ON a.invoice = d.key
    JOIN matching m ON m.document = a.document AND m.how = 'amount' AND m.note = '' AND m.back = 0
  WHERE p.connection = ? AND p.number = ? AND p.base = ? AND p.party = ? AND m.party = p.party AND m.amount = p.base AND p.open <= 0`

/** Whether another payment of this payer, which names nothing, has the invoice of this number, of exactly this amount in minor units. */
export const isHeldByAmount = (
  db: Db,
  {
    amount,
    payer,
    pays
  }: { readonly pays: string; readonly payer: { readonly party: string }; readonly amount: bigint },
  number: string
): boolean => payer.party !== "" && db.prepare(HELD_BY_AMOUNT).get(pays, number, amount, payer.party) !== undefined
