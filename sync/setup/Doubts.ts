/** Lists that look like invoices or payments, and may be neither: what the seller owes, journals with both sides, amounts below zero. */
import type { AssignedColumns } from "./Columns.ts"
import { amountsIn } from "./Figures.ts"
import { cellsOf, filledOf, type FoundTable, headingAt } from "./Tables.ts"
import { formatOf } from "./DateFormats.ts"
import { isSupplierHeading } from "./Vocabulary.ts"

/** A name of anybody. */
const NAME = /^(?:name|navn|namn|naam|nom|nombre|nome|nazwa|název)$/iu

/** The column with whose texts money in and out is the same, in each of several groups of rows. */
const postingsIn = (table: FoundTable, { at }: AssignedColumns): number | undefined => {
  // A processor's own movements may cancel each other out.
  if (at.fee !== undefined) return undefined
  const [ins, outs] = [at.paid_in ?? at.amount ?? at.net ?? at.gross, at.paid_out].map((n) => amountsIn(table.rows, n))
  const money = table.rows.map((_, n) => (ins?.[n] ?? 0n) - (outs?.[n] ?? 0n))
  const found = table.header.findIndex((_, n) => {
    const groups = new Map<string, { rows: number; sum: bigint }>()
    for (const [row, text] of cellsOf(table.rows, n).entries()) {
      const { rows, sum } = groups.get(text) ?? { rows: 0, sum: 0n }
      groups.set(text, { rows: rows + 1, sum: sum + (money[row] ?? 0n) })
    }
    const all = [...groups.values()]
    return (
      all.length > 1 &&
      all.every(({ rows, sum }) => rows > 1 && sum === 0n) &&
      formatOf([...groups.keys()]) === undefined
    )
  })
  return found < 0 || money.every((one) => one === 0n) ? undefined : found
}

const CONTRA =
  /gegenkonto|contra[\s_-]*account|offset[\s_-]*account|counter[\s_-]*account|balancing account|tegenrekening|compte de contrepartie|contrepartie|contrapartida|contropartita|mod(?:konto|post)|mot(?:konto|post)|vastatili|konto przeciwstawne|protiúčet/iu
const ACCOUNT = /konto|account|\ba\/c\b|rekening|compte|cuenta|conto|účet|tili/iu

/** A number of a chart of accounts; those of banks are longer. */
const CHARTED = /^\d{3,9}$/

/** The account and the contra account of postings, in a table that is not of one account. */
const accountsIn = (table: FoundTable): readonly [number, number] | undefined => {
  const { header } = table
  const isCharted = (n: number, least: number): boolean => {
    const texts = new Set(filledOf(table.rows, n))
    return texts.size >= least && [...texts].every((text) => CHARTED.test(text))
  }
  const contra = header.findIndex((heading, n) => CONTRA.test(heading) && isCharted(n, 1))
  const own = header.findIndex((heading, n) => n !== contra && ACCOUNT.test(heading) && isCharted(n, 2))
  return contra < 0 || own < 0 ? undefined : [own, contra]
}

/** So many amounts below zero are no few credit notes among invoices. */
const SEVERAL = 3

/** In a list of what customers owe, Dr is owed by them and Cr is theirs, the other way round than in their own account. */
export const areDebits = (rows: FoundTable["rows"], at: number): boolean =>
  filledOf(rows, at).some((text) => /\d\s*dr\.?$/iu.test(text))

/** Most amounts are below zero: of credit notes, or of invoices whose signs are the other way round. */
export const areBelowZero = (rows: FoundTable["rows"], at: number): boolean => {
  const amounts = amountsIn(rows, at).filter((one) => one !== undefined && one !== 0n)
  const below = amounts.filter((one) => one !== undefined && one < 0n).length
  return below >= SEVERAL && below * 2 > amounts.length && !areDebits(rows, at)
}

/** What may be invoices or credit notes: nothing but the signs tells them apart. */
export const isBelowZero = ({ rows }: FoundTable, { at }: AssignedColumns): boolean =>
  (at.due ?? at.terms ?? at.issued) !== undefined &&
  (at.type ?? at.direction ?? at.credit ?? at.original ?? at.paid_in) === undefined &&
  areBelowZero(rows, at.gross ?? at.amount ?? at.net ?? -1)

/** Why a table may be neither invoices nor payments, to be asked about; undefined where nothing says so. */
export const doubtOf = (table: FoundTable, columns: AssignedColumns): string | undefined => {
  const { at } = columns
  const postings = postingsIn(table, columns)
  if (postings !== undefined)
    return `In ${table.name}, debit and credit are equal for each ${JSON.stringify(headingAt(table.header, postings))}, as in a journal: it has both sides of each posting, and would be counted twice. Export the invoices or the payments instead (nothing), or say what its rows are.`
  const accounts = accountsIn(table)?.map((n) => JSON.stringify(headingAt(table.header, n)))
  if (accounts !== undefined)
    return `${accounts.join(" and ")} of ${table.name} are the two sides of each posting in a ledger, and no column says which of them are customers. Export the invoices or the payments instead (nothing), or a batch in DATEV's own format (EXTF), which is read as a ledger; or say what its rows are.`
  if (isBelowZero(table, columns))
    return `Most amounts of ${table.name} are below zero. Are its rows invoices whose signs are the other way round (invoices), or credit notes? What are its rows?`
  const supplier = table.header.findIndex(
    (heading, n) => isSupplierHeading(heading) && filledOf(table.rows, n).length > 0
  )
  // A customer beside the number that the seller has with them.
  const isCustomers = (at.party ?? at.party_id) !== undefined && !NAME.test(table.header[at.party ?? -1] ?? "")
  if (supplier < 0 || isCustomers || at.paid_in !== undefined) return undefined
  return `${table.name} names suppliers, in ${JSON.stringify(headingAt(table.header, supplier))}, and no customers: these may be bills that you owe. What are its rows?`
}
