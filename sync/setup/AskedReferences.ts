/** Finds the column of an invoice list with what buyers are asked to write on the transfer instead of the number. */
import type { AssignedColumns } from "./Columns.ts"
import { filledOf, type FoundTable, headingAt } from "./Tables.ts"
import { squash } from "./Vocabulary.ts"

/**
 * Headings of exports, by country: Odoo's and Moneybird's English and Dutch lists, OGM in Belgium, KID in Norway, OCR in Sweden, FIK
 * in Denmark, viite in Finland, QR-bill in Switzerland, the variable symbol in Czechia and Slovakia.
 */
const ASKED: ReadonlySet<string> = new Set(
  "payment reference|payment ref|structured reference|structured communication|creditor reference|gestructureerde mededeling|betalingskenmerk|betalingsreferentie|communication structurée|référence de paiement|OGM|VCS|OGM/VCS|Zahlungsreferenz|QR-Referenz|ESR-Referenz|KID|KID-nummer|KID nummer|KID number|OCR|OCR-nummer|OCR-referens|OCR number|FIK|Betalingsreference|Viite|Viitenumero|Variabilní symbol|Variabilný symbol|VS"
    .split("|")
    .map(squash)
)

const isAskedHeading = (heading: string): boolean => ASKED.has(squash(heading))

/** @param named the columns that are the invoice's id or number */
export const askedColumn = (
  table: FoundTable,
  { at }: AssignedColumns,
  named: ReadonlyArray<number | undefined>
): string | undefined => {
  const found = table.header.findIndex((heading, n) => {
    const values = isAskedHeading(heading) && !named.includes(n) && n !== at.party_id ? filledOf(table.rows, n) : []
    return values.length > 0 && values.every((text) => /\d/.test(text))
  })
  return found < 0 ? undefined : headingAt(table.header, found)
}
