/** Asks about the columns that a stream needs and that nothing in its table seems to be. */
import { type Expression, label } from "../../connectors/tabular/Expressions.ts"
import { type FoundTable, headingAt, type Proposal, type SetupQuestion } from "./Tables.ts"

const NEEDED: Readonly<Record<string, ReadonlyArray<readonly [string, string]>>> = {
  invoices: [
    ["id", "the invoice's number"],
    ["customer", "the customer's name"],
    ["issued", "the day of issue"],
    ["gross", "the amount with tax"]
  ],
  payments: [
    ["date", "the day of the payment"],
    ["amount", "the amount"]
  ],
  orders: [
    ["id", "the order's number"],
    ["placed", "the day on which it was placed"],
    ["gross", "the amount of the line with tax, all pieces together"]
  ],
  credit_notes: [
    ["id", "the credit note's number"],
    ["invoice", "the invoice that it lowers"],
    ["date", "its date"],
    ["gross", "the amount"]
  ]
}

/** Said beside the question of it: what a list lacks altogether, no answer can name. */
const LACKING: Readonly<Record<string, string>> = {
  customer: " If none is, export the list again with its customers: an invoice is sent with the name of its buyer."
}

/** A payment names an invoice, or is found by its text or its payer. */
const FINDS = ["invoice", "reference", "customer"]

const findsNothing = ({ columns, stream }: Proposal): boolean =>
  stream === "payments" && FINDS.every((field) => columns[field] === undefined)

/** Questions for required fields without a column. */
export const missingColumns = (table: FoundTable, proposal: Proposal): ReadonlyArray<SetupQuestion> => {
  const { columns, stream } = proposal
  const needed = NEEDED[stream] ?? []
  const known = columns["net"] ?? columns["balance"]
  return [
    ...needed,
    ...(findsNothing(proposal) ? [["reference", "the payer's text, or else the payer's name"] as const] : [])
  ]
    .filter(
      ([field]) =>
        columns[field] === undefined && !(field === "gross" && stream !== "invoices" && columns["net"] !== undefined)
    )
    .map(([field, what]) => ({
      answer: `column.${stream}.${field}`,
      flag: `--column ${stream}.${field}=HEADING`,
      what: `${field} of ${table.name}`,
      ask: `Which column of ${table.name} is ${what}?${field === "gross" && known !== undefined ? ` Only ${JSON.stringify(label(known as Expression))} is known; name it again if that is all that is owed.` : ""}${LACKING[field] ?? ""}`,
      choices: table.header.map((_, n) => headingAt(table.header, n))
    }))
}
