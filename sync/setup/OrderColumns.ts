/**
 * Recognises lists of orders with a row for each line: how they differ from lists of invoices, which column is which field,
 * and what their states mean.
 */
import type { AssignedColumns } from "./Columns.ts"
import type { Finding, StreamRows, SetupSurroundings } from "./Steps.ts"
import { cellsOf, type FoundTable, headingAt, type SetupQuestion } from "./Tables.ts"
import { rolesOf, squash } from "./Vocabulary.ts"

/** Columns that only orders have. */
const ARTICLE = new Set(
  ["sku", "article", "article no", "article number", "item no", "item number", "product code", "item code"]
    .concat([
      "Artikelnummer",
      "Artikelnr",
      "Artikel",
      "référence article",
      "artikelnummer",
      "codice articolo",
      "SKU-Nr"
    ])
    .map(squash)
)

/** Rows with an order and a quantity, but neither an invoice nor a due date. */
export const areOrders = ({ at }: AssignedColumns): boolean =>
  at.order !== undefined &&
  at.quantity !== undefined &&
  (at.date ?? at.issued) !== undefined &&
  (at.gross ?? at.amount ?? at.net) !== undefined &&
  at.invoice === undefined &&
  at.due === undefined &&
  at.terms === undefined

/** If an amount is the same in all rows of each order, it is the order's amount, not a line's. */
const repeats = (table: FoundTable, order: number, amount: number): boolean => {
  const orders = new Map<string, Array<string>>()
  const amounts = cellsOf(table.rows, amount)
  for (const [n, id] of cellsOf(table.rows, order).entries())
    orders.set(id, [...(orders.get(id) ?? []), amounts[n] ?? ""])
  const several = [...orders.values()].filter(({ length }) => length > 1)
  return several.length > 0 && several.every((all) => new Set(all).size === 1)
}

/** The first of these columns with an amount for each line. */
const lineAmount = (table: FoundTable, { at }: AssignedColumns): number | undefined =>
  [at.gross, at.amount].find((one) => one !== undefined && !repeats(table, at.order ?? -1, one))

export const orderFields = (table: FoundTable, columns: AssignedColumns): Readonly<Record<string, unknown>> => {
  const { at, heading } = columns
  const amount = lineAmount(table, columns)
  const taken = new Set(Object.values(at))
  const article = table.header.findIndex((one, n) => !taken.has(n) && ARTICLE.has(squash(one)))
  // Recognised by its heading alone, because orders have other states than invoices.
  const status = table.header.findIndex((one) => rolesOf(one).some(({ role }) => role === "status"))
  const fields = {
    id: heading("order"),
    placed: heading("date") ?? heading("issued"),
    status: status < 0 ? undefined : headingAt(table.header, status),
    currency: heading("currency"),
    line: article < 0 ? undefined : headingAt(table.header, article),
    description: heading("text"),
    quantity: heading("quantity"),
    gross: amount === undefined ? undefined : headingAt(table.header, amount)
  }
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
}

const STATES: Readonly<Record<OrderState, string>> = {
  open: "open|new|pending|processing|in progress|confirmed|on hold|paid|unfulfilled|partially shipped|offen|neu|in Bearbeitung|bestätigt|en cours|nouveau|open staand|in behandeling|abierto|pendiente|aperto|in lavorazione",
  closed:
    "closed|completed|complete|shipped|delivered|fulfilled|done|sent|abgeschlossen|versandt|geliefert|erledigt|terminé|livré|expédié|afgerond|verzonden|geleverd|cerrado|entregado|enviado|chiuso|spedito|consegnato|completato",
  cancelled:
    "cancelled|canceled|void|voided|refused|storniert|abgebrochen|annulé|geannuleerd|cancelado|anulado|annullato"
}

type OrderState = "open" | "closed" | "cancelled"

const meanings = new Map(
  Object.entries(STATES).flatMap(([state, words]) =>
    words.split("|").map((word) => [squash(word), state as OrderState])
  )
)

const OURS: ReadonlyArray<OrderState> = ["open", "closed", "cancelled"]

/** What the states of orders mean. */
export const orderStatesOf = ({ at, proposal, rows, table }: StreamRows, { answers }: SetupSurroundings): Finding => {
  if (proposal.stream !== "orders" || at("status") < 0) return {}
  const statuses: Record<string, string> = {}
  const questions: Array<SetupQuestion> = []
  for (const text of new Set(cellsOf(rows, at("status")))) {
    if (text === "") continue
    const state = OURS.find((one) => one === answers.statuses?.[text]) ?? meanings.get(squash(text))
    if (state === undefined)
      questions.push({
        answer: `status.${text}`,
        flag: `--status ${JSON.stringify(`${text}=open`)}`,
        what: `state ${JSON.stringify(text)}`,
        ask: `What does the state ${JSON.stringify(text)} of orders of ${table.name} mean?`,
        choices: OURS
      })
    else if (text.toLowerCase() !== state) statuses[text] = state
  }
  const said = Object.entries(statuses).map(([text, state]) => `${text} = ${state}`)
  return said.length === 0
    ? { questions }
    : { settings: { statuses }, decisions: [{ what: "states", because: said.join(", ") }], questions }
}
