/** Finds who a row is about: the buyer of an invoice rather than its contact person, and never the seller's own account. */
import type { SetupAnswers } from "./Answers.ts"
import type { AssignedColumns } from "./Columns.ts"
import { filledOf, type FoundTable, headingAt, type Proposal, type SetupQuestion } from "./Tables.ts"
import { isOwnAccount, rolesOf, squash } from "./Vocabulary.ts"

const squashed = (words: string): ReadonlySet<string> => new Set(words.split("|").map(squash))

const COMPANIES = squashed(
  "company|company name|billing company|business name|organisation|organization|organisation name|Firma|Firmenname|Unternehmen|société|raison sociale|entreprise|bedrijf|bedrijfsnaam|empresa|razón social|azienda|ragione sociale"
)
const CONTACTS = squashed(
  "contact|contact name|billing name|name|full name|customer full name|Kontakt|Ansprechpartner|nom|naam|contact person|contactpersoon|nombre|nome"
)

/** Headings of the one who paid: only lists of payments have them. */
const PAYERS = squashed(
  "payer|payer name|payee|counterparty|counter party|counterparty name|counter party name|counteraccount name|sender|sender name|remitter|ordering party|beneficiary|beneficiary name|bénéficiaire|Zahler|Auftraggeber|Auftraggeber/Empfänger|Auftraggeber/Zahlungsempfänger|Begünstigter/Zahlungspflichtiger|Beguenstigter/Zahlungspflichtiger|Begünstigter / Auftraggeber|Empfänger 1|Empfaenger 1|Name Zahlungsbeteiligter|Zahlungsbeteiligter|Zahlungspflichtiger|Payeur|donneur d'ordre|contrepartie|Nom contrepartie|Naam tegenpartij|Naam van de tegenpartij|Tegenrekeninghouder|Partner Name|Tegenpartij|Naam / Omschrijving|Tegenrekening|ordenante|beneficiario|ordinante"
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

export const billedTo = (table: FoundTable, columns: AssignedColumns): unknown => {
  const { at, heading } = columns
  const own = heading("party") ?? nameColumn(table, columns) ?? heading("party_id")
  const isContact = CONTACTS.has(squash(table.header[at.party ?? -1] ?? ""))
  const lacks = table.rows.some(({ cells }) => (cells[at.party ?? -1] ?? "").trim() === "")
  if (at.party === undefined || (!isContact && !lacks)) return own
  const companies = [...among(table, COMPANIES), ...(isContact ? otherParties(table) : [])]
  const company = companies.find((n) => n !== at.party && filledOf(table.rows, n).length > 0)
  if (company === undefined || (!isContact && isConstant(table, company))) return own
  const other = headingAt(table.header, company)
  return { first: isContact ? [other, own] : [own, other] }
}

/** Buyers under a heading of another language than most have: "Klient" beside "Contact". */
const otherParties = (table: FoundTable): ReadonlyArray<number> =>
  table.header.flatMap((heading, n) => {
    const isParty = rolesOf(heading)[0]?.role === "party" && !CONTACTS.has(squash(heading)) && !isOwnAccount(heading)
    return isParty && !isConstant(table, n) ? [n] : []
  })

/** Whether a column says the same in all of several rows. */
const isConstant = ({ rows }: FoundTable, at: number | undefined): boolean =>
  at !== undefined && rows.length > 1 && new Set(filledOf(rows, at)).size <= 1

/** One number for customers of different names is not theirs: an account of the ledger, or the seller's own. */
export const isOfAll = (table: FoundTable, columns: AssignedColumns): boolean => {
  const name = columns.at.party ?? table.header.indexOf(nameColumn(table, columns) ?? "")
  return isConstant(table, columns.at.party_id) && name >= 0 && new Set(filledOf(table.rows, name)).size > 1
}

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

const NAMED: ReadonlyArray<readonly [RegExp, number]> = [
  [
    /company|compan[iy]|business|organi[sz]ation|firm|unternehm|soci[ée]t|entreprise|bedrijf|empresa|azienda|\bco\b/iu,
    2
  ],
  [/name|nombre|naam|\bnom\b|nome/iu, 1],
  [/first|given|contact|vorname|pr[ée]nom|voornaam|user|file|e-?mail|item|product|project/iu, -3]
]

/** Whether cells are names, and neither codes nor addresses of e-mail. */
const areNames = (texts: ReadonlyArray<string>): boolean =>
  texts.length > 0 && texts.every((text) => /\p{L}{2}/u.test(text) && !text.includes("@"))

/** The column with names, of an unknown heading, where customers would be called by their number otherwise. */
const nameColumn = (table: FoundTable, { at, heading }: AssignedColumns): string | undefined => {
  if (at.party !== undefined || at.party_id === undefined) return undefined
  const [best] = table.header
    .map((title, n) => ({
      name: headingAt(table.header, n),
      likely: NAMED.reduce((sum, [pattern, worth]) => sum + (pattern.test(title) ? worth : 0), 0),
      isName: title !== "" && areNames(filledOf(table.rows, n))
    }))
    .filter(({ isName, likely, name }) => isName && likely > 0 && name !== heading("party_id"))
    .toSorted((a, b) => b.likely - a.likely)
  return best?.name
}

/** Whether that column is right is asked. */
export const nameQuestion = (
  table: FoundTable,
  { columns: used, stream }: Proposal,
  columns: AssignedColumns,
  answers: SetupAnswers
): ReadonlyArray<SetupQuestion> => {
  const name = nameColumn(table, columns)
  const isSaid = answers.columns?.["customer"] !== undefined || answers.columns?.["invoices.customer"] !== undefined
  if (stream !== "invoices" || isSaid || name === undefined || used["customer"] !== name) return []
  return [
    {
      answer: "column.invoices.customer",
      flag: "--column invoices.customer=HEADING",
      what: `customer of ${table.name}`,
      ask: `Which column of ${table.name} is the customer's name? ${JSON.stringify(columns.heading("party_id"))} has numbers.`,
      suggestion: name,
      choices: table.header.map((_, n) => headingAt(table.header, n))
    }
  ]
}
