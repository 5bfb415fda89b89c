/** Detects how the amounts of a stream are written: the decimal sign, the currency, and which of them are negative. */
import * as Layout from "../../connectors/tabular/Layout.ts"
import * as Currency from "../../core/money/Currency.ts"
import * as Currencies from "../../connectors/tabular/Currencies.ts"
import type * as Expressions from "../../connectors/tabular/Expressions.ts"
import { find } from "../../connectors/tabular/Cells.ts"
import * as Numerals from "../../connectors/tabular/Numerals.ts"
import type { Row } from "../../connectors/tabular/Row.ts"
import type { Finding, StreamRows, SetupSurroundings } from "./Steps.ts"
import { cellsOf, headingAt, type SetupDecision } from "./Tables.ts"
import { currencyIn } from "./Vocabulary.ts"

const amountColumns = ({ proposal, table }: StreamRows): ReadonlyArray<number> =>
  Layout.amountsOf(proposal.columns as Readonly<Record<string, Expressions.Expression>>).map((one) =>
    find(table.header, one)
  )

/** Amounts that are text: number cells of a workbook always have a decimal point. */
const texts = (of: StreamRows): ReadonlyArray<string> => {
  const at = amountColumns(of)
  return of.rows.flatMap(({ cells, numbers }) =>
    at.flatMap((index) => {
      const text = index < 0 ? "" : (cells[index] ?? "").trim()
      return index < 0 || (numbers?.[index] === true && /^[-\d.]+$/.test(text)) ? [] : [text]
    })
  )
}

/** The sign in a text that has one. */
const signIn = (text: string): string => text.match(Currencies.SIGN)?.[0] ?? text

/** The currencies that a column states. */
const currencyDecision = ({ rows, table }: StreamRows, column: number): ReadonlyArray<SetupDecision> => {
  const read = Currencies.read()
  const codes = [
    ...new Set(
      cellsOf(rows, column)
        .filter((text) => text !== "")
        .map((text) => read(text) ?? signIn(text).toUpperCase())
    )
  ]
  return [{ what: `amounts in ${codes.join(", ")}`, because: `column ${JSON.stringify(table.header[column])}` }]
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

/** Matches lines like "All amounts in EUR", "Currency: GBP". */
const SAYS = /\b(EUR|GBP|USD|CHF|SEK|NOK|DKK|PLN|CZK|HUF|CAD|AUD|NZD|JPY)\b/

/** The currency that the amounts' own signs show; undefined if they show none, several, or one that may be several. */
const fromSigns = (values: ReadonlyArray<string>): string | undefined => {
  const codes = new Set(
    values
      .map((text) => Currencies.within(text))
      .filter((meant) => meant.length > 0)
      .map((meant) => meant.join(" "))
  )
  const [code = ""] = codes
  // Three capitals are a tax more often than a currency: "Incl. BTW".
  const isOne = codes.size === 1 && (code.length === 3 || code.startsWith("GBP"))
  return isOne && Currency.isCurrency(code.slice(0, 3)) ? code.slice(0, 3) : undefined
}

/** The column whose amounts have signs of several currencies, each its own: "$5.00", "€7.00". */
const signedColumn = ({ at, rows }: StreamRows): number => {
  const column = at("gross") >= 0 ? at("gross") : at("amount")
  const signs = cellsOf(rows, column)
    .filter((text) => text !== "")
    .map((text) => Currencies.within(text).join(" "))
  return signs.includes("") || new Set(signs).size < 2 ? -1 : column
}

/** Signs and names in a column of currencies that may be several: each is asked about. */
export const currencySigns = (of: StreamRows, { answers }: SetupSurroundings): Finding => {
  const column = of.at("currency") >= 0 ? of.at("currency") : signedColumn(of)
  if (column < 0) return {}
  const texts = [...new Set(cellsOf(of.rows, column))].filter((text) => text !== "")
  const unclear = texts.filter((text) => {
    const read = Currencies.read(answers.currencies)
    return read(text) === undefined && Currencies.within(text).length > 1
  })
  const said = Object.fromEntries(
    Object.entries(answers.currencies ?? {}).map(([text, code]) => [text, code.toUpperCase()])
  )
  const signs = [...new Set(unclear.map(signIn))]
  return {
    ...(Object.keys(said).length === 0 ? {} : { settings: { currencies: said } }),
    questions: signs.map((sign) => ({
      answer: `currency_of.${sign}`,
      flag: `--currency-of ${JSON.stringify(`${sign}=USD`)}`,
      what: `currency ${JSON.stringify(sign)}`,
      ask: `Which currency is ${JSON.stringify(sign)} in ${JSON.stringify(of.table.header[column] ?? "")} of ${of.table.name}? Write its code.`
    }))
  }
}

/** How many documents' rows have no currency: later lines of one may leave the column empty, and rows of items have no id. */
const withoutCurrency = ({ at, rows }: StreamRows, column: number): number => {
  const [id, cell] = [at("id"), (row: Row, index: number) => (row.cells[index] ?? "").trim()]
  const known = new Set(rows.filter((row) => cell(row, column) !== "").map((row) => cell(row, id)))
  return rows.filter(
    (row) => cell(row, column) === "" && (id < 0 || (cell(row, id) !== "" && !known.has(cell(row, id))))
  ).length
}

export const currency = (of: StreamRows, { answers, currency: shared }: SetupSurroundings): Finding => {
  const { at, proposal, rows, table } = of
  if (proposal["currency"] !== undefined)
    return { decisions: [{ what: `amounts in ${proposal["currency"]}`, because: "as its first line says" }] }
  const column = at("currency")
  if (column >= 0 && rows.every(({ cells }) => (cells[column] ?? "").trim() !== "")) {
    return {
      decisions: currencyDecision(of, column)
    }
  }
  const decided = (code: string, because: string): Finding => ({
    settings: { currency: code },
    decisions: [{ what: `amounts in ${code}`, because }] satisfies ReadonlyArray<SetupDecision>
  })
  if (column >= 0 && answers.currency === undefined) {
    const none = withoutCurrency(of, column)
    return {
      decisions: currencyDecision(of, column),
      ...(none === 0 || none === rows.length
        ? {}
        : {
            questions: [
              {
                answer: "currency",
                flag: "--currency CODE",
                what: "currency of rows that have none",
                ask: `In which currency ${none === 1 ? "is the row" : `are the ${none} rows`} of ${table.name} whose ${JSON.stringify(headingAt(table.header, column))} is empty?`
              }
            ]
          })
    }
  }
  if (answers.currency !== undefined) return decided(answers.currency.toUpperCase(), "as was said")
  const written = texts(of).slice(0, 5000)
  const signs = fromSigns(written)
  if (signs !== undefined) return decided(signs, "the amounts say so")
  const signed = signedColumn(of)
  if (signed >= 0)
    return { columns: { currency: headingAt(table.header, signed) }, decisions: currencyDecision(of, signed) }
  const headed = amountColumns(of).map(
    (index) => currencyIn(table.header[index] ?? "") ?? fromSigns([table.header[index] ?? ""])
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
