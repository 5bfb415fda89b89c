/** Finds who a row is about: the buyer of an invoice rather than its contact person, and never the seller's own account. */
import type { AssignedColumns } from "./Columns.ts"
import { filledOf, type FoundTable, headingAt } from "./Tables.ts"
import { isOwnAccount, squash } from "./Vocabulary.ts"

const squashed = (words: string): ReadonlySet<string> => new Set(words.split("|").map(squash))

const COMPANIES = squashed(
  "company|company name|billing company|business name|organisation|organization|organisation name|Firma|Firmenname|Unternehmen|société|raison sociale|entreprise|bedrijf|bedrijfsnaam|empresa|razón social|azienda|ragione sociale"
)
const CONTACTS = squashed(
  "contact|contact name|billing name|name|full name|customer full name|Kontakt|Ansprechpartner|nom|naam|contact person|contactpersoon|nombre|nome"
)

/** Headings of the one who paid: only lists of payments have them. */
const PAYERS = squashed(
  "payer|payer name|payee|counterparty|counter party|counterparty name|counter party name|sender|sender name|remitter|ordering party|beneficiary|beneficiary name|Zahler|Auftraggeber|Auftraggeber/Empfänger|Auftraggeber/Zahlungsempfänger|Begünstigter/Zahlungspflichtiger|Beguenstigter/Zahlungspflichtiger|Begünstigter / Auftraggeber|Empfänger 1|Empfaenger 1|Name Zahlungsbeteiligter|Zahlungsbeteiligter|Zahlungspflichtiger|Payeur|donneur d'ordre|contrepartie|Nom contrepartie|Naam tegenpartij|Naam van de tegenpartij|Tegenrekeninghouder|Partner Name|Tegenpartij|Naam / Omschrijving|Tegenrekening|ordenante|beneficiario|ordinante"
)

/** The columns of a table whose headings are among these. */
const among = ({ header }: FoundTable, words: ReadonlySet<string>): ReadonlyArray<number> =>
  header.flatMap((heading, n) => (words.has(squash(heading)) ? [n] : []))

/** Whether a heading says that its money was received from somebody. */
export const isPaidBy = (heading: string): boolean => SENDERS.has(squash(heading))

const SENDERS = squashed(
  "payer|payer name|paid by|received from|sender|sender name|remitter|Zahler|Einzahler|payeur|reçu de|betaler|ontvangen van|ordenante|pagador|ordinante|pagatore"
)

export const hasPayer = (table: FoundTable): boolean => among(table, PAYERS).length > 0

export const billedTo = (table: FoundTable, { at, heading }: AssignedColumns): unknown => {
  const own = heading("party") ?? heading("party_id")
  if (at.party === undefined || !CONTACTS.has(squash(table.header[at.party] ?? ""))) return own
  const company = among(table, COMPANIES).find((n) => n !== at.party && filledOf(table.rows, n).length > 0)
  return company === undefined ? own : { first: [headingAt(table.header, company), own] }
}

/** Whether a column says the same in all of several rows. */
const isConstant = ({ rows }: FoundTable, at: number | undefined): boolean =>
  at !== undefined && rows.length > 1 && new Set(filledOf(rows, at)).size <= 1

/** The payer's name and id in a statement: a column with one value is the holder's own, and so is one of their account. */
export const payerColumns = (table: FoundTable, { at, heading }: AssignedColumns) => {
  const isOwn = (n: number | undefined) =>
    n === undefined ||
    isConstant(table, n) ||
    (isOwnAccount(table.header[n] ?? "") && !among(table, PAYERS).includes(n))
  const [named] = among(table, PAYERS).filter((n) => filledOf(table.rows, n).some((text) => /\p{L}{2}/u.test(text)))
  const party = isOwn(at.party) ? named : at.party
  return {
    customer: party === undefined ? undefined : headingAt(table.header, party),
    customer_id: isOwn(at.party_id) ? undefined : heading("party_id")
  }
}

/** The account that a row of a statement is of. */
export const statementAccountOf = (table: FoundTable): string | undefined => {
  const found = table.header.findIndex(
    (heading, n) =>
      isOwnAccount(heading) &&
      filledOf(table.rows, n).length === table.rows.length &&
      new Set(filledOf(table.rows, n)).size > 1
  )
  return found < 0 ? undefined : headingAt(table.header, found)
}
