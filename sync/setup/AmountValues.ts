/** Detects how the amounts of a stream are written: the decimal sign, the currency, and which of them are negative. */
import * as Layout from "../../connectors/tabular/Layout.ts"
import type * as Expressions from "../../connectors/tabular/Expressions.ts"
import { find } from "../../connectors/tabular/Cells.ts"
import * as Numerals from "../../connectors/tabular/Numerals.ts"
import type { Row } from "../../connectors/tabular/Row.ts"
import type { Finding, StreamRows, SetupSurroundings } from "./Steps.ts"
import { cellsOf, type SetupDecision } from "./Tables.ts"
import { currencyIn } from "./Vocabulary.ts"

const amountColumns = ({ proposal, table }: StreamRows): ReadonlyArray<number> =>
  Layout.amountsOf(proposal.columns as Readonly<Record<string, Expressions.Expression>>).map((one) =>
    find(table.header, one)
  )

/** Amounts that are text: number cells of a workbook always have a decimal point. */
const texts = (of: StreamRows): ReadonlyArray<string> => {
  const at = amountColumns(of)
  return of.rows.flatMap(({ cells, numbers }) =>
    at.flatMap((index) => (numbers?.[index] === true || index < 0 ? [] : [(cells[index] ?? "").trim()]))
  )
}

export const decimal = (of: StreamRows, { answers }: SetupSurroundings): Finding => {
  if (of.proposal["decimal"] !== undefined) return {}
  const values = texts(of).filter((text) => text !== "")
  const mark = answers.decimal ?? Numerals.markOf(values)
  if (mark !== undefined) {
    const shown = values.find((text) => text.includes(mark)) ?? ""
    return {
      settings: mark === "." ? {} : { decimal: mark },
      decisions: [{ what: `decimal ${mark === "." ? "point" : "comma"}`, because: `like ${JSON.stringify(shown)}` }]
    }
  }
  const unclear = values.find((text) => /\d[.,]\d{3}(?!\d)/.test(text))
  if (unclear === undefined) return {}
  return {
    questions: [
      {
        answer: "decimal",
        flag: '--decimal "."|","',
        what: "decimal sign",
        ask: `Which sign is the decimal sign of ${JSON.stringify(unclear)} in ${of.table.name}?`,
        choices: [".", ","]
      }
    ]
  }
}

const SIGNS: Readonly<Record<string, string>> = { "€": "EUR", "£": "GBP", "₹": "INR" }

/** Matches lines like "All amounts in EUR", "Currency: GBP". */
const SAYS = /\b(EUR|GBP|USD|CHF|SEK|NOK|DKK|PLN|CZK|HUF|CAD|AUD|NZD|JPY)\b/

const fromSigns = (values: ReadonlyArray<string>): string | undefined => {
  const found = new Set(values.flatMap((text) => [...text.matchAll(/[€£₹]|\b[A-Z]{3}\b/g)].map(([sign]) => sign)))
  const codes = new Set([...found].map((sign) => SIGNS[sign] ?? currencyIn(sign)))
  const [code] = codes
  return codes.size === 1 ? code : undefined
}

export const currency = (of: StreamRows, { answers, currency: shared }: SetupSurroundings): Finding => {
  const { at, proposal, rows, table } = of
  if (proposal["currency"] !== undefined)
    return { decisions: [{ what: `amounts in ${proposal["currency"]}`, because: "as its first line says" }] }
  const column = at("currency")
  if (column >= 0 && rows.every(({ cells }) => (cells[column] ?? "").trim() !== "")) {
    const codes = [...new Set(cellsOf(rows, column).map((text) => text.toUpperCase()))]
    return {
      decisions: [{ what: `amounts in ${codes.join(", ")}`, because: `column ${JSON.stringify(table.header[column])}` }]
    }
  }
  const decided = (code: string, because: string): Finding => ({
    settings: { currency: code },
    decisions: [{ what: `amounts in ${code}`, because }] satisfies ReadonlyArray<SetupDecision>
  })
  // If later lines of an invoice leave the column empty, the first line counts for them.
  if (column >= 0 && answers.currency === undefined) {
    const codes = [...new Set(cellsOf(rows, column).filter((text) => text !== ""))]
    return {
      decisions: [{ what: `amounts in ${codes.join(", ")}`, because: `column ${JSON.stringify(table.header[column])}` }]
    }
  }
  if (answers.currency !== undefined) return decided(answers.currency.toUpperCase(), "as was said")
  const signs = fromSigns(texts(of).slice(0, 5000))
  if (signs !== undefined) return decided(signs, "the amounts say so")
  const headed = amountColumns(of).map(
    (index) => currencyIn(table.header[index] ?? "") ?? SIGNS[/[€£₹]/.exec(table.header[index] ?? "")?.[0] ?? ""]
  )
  if (headed[0] !== undefined) return decided(headed[0], "the headings say so")
  const above = table.above.flatMap(({ cells }) => cells).map((cell) => SAYS.exec(cell)?.[0])
  const titled = above.find((code) => code !== undefined)
  if (titled !== undefined) return decided(titled, "a line above the headings says so")
  // Payments without a currency are in that of their invoice.
  if (proposal.stream !== "invoices" && shared === undefined && proposal.columns["invoice"] !== undefined) return {}
  if (shared !== undefined) return decided(shared, "as in the other files")
  return {
    questions: [
      {
        answer: "currency",
        flag: "--currency CODE",
        what: "currency",
        ask: `Which currency are the amounts of ${table.name} in?`
      }
    ]
  }
}

/** Rows with a negative amount, in any notation. */
export const negativeRows = (rows: ReadonlyArray<Row>, at: number): ReadonlyArray<Row> => {
  if (at < 0) return []
  const mark = Numerals.markOf(cellsOf(rows, at))
  return rows.filter(({ cells, numbers }) => {
    const text = (cells[at] ?? "").trim()
    const amount = text === "" ? 0n : Numerals.parse(text, numbers?.[at] === true ? "." : mark, undefined)
    return typeof amount !== "string" && amount < 0n
  })
}
