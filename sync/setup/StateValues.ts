/**
 * Detects what the states of invoices and payments mean: from their words, and from balances if a word is unknown. Every other
 * word is asked about, with a row that has it.
 */
import { PAYMENT_STATES, type PaymentState } from "../../connectors/tabular/PaymentStates.ts"
import { find } from "../../connectors/tabular/Cells.ts"
import * as Expressions from "../../connectors/tabular/Expressions.ts"
import { plural } from "../../core/Plural.ts"
import { amountsIn, shown } from "./Figures.ts"
import type { Finding, SetupSurroundings, StreamRows } from "./Steps.ts"
import type { SetupQuestion } from "./Tables.ts"
import {
  type InvoiceState,
  invoiceStateOf,
  isNothing,
  isPartlyPaid,
  isUnsent,
  isUnsure,
  flagIn,
  paymentStateOf,
  rolesOf,
  rowTypeOf,
  squash,
  yesOrNo
} from "./Vocabulary.ts"

const INVOICE_STATES: ReadonlyArray<InvoiceState> = ["draft", "open", "paid", "void"]

interface Seen {
  rows: number
  /** How many rows have a balance above zero; and how many have a balance of zero. */
  open: number
  zero: number
  /** The texts of the columns that state it. */
  readonly parts: ReadonlyArray<string>
  /** The first row, in a few words. */
  readonly example: string
}

/** The columns that together state it. */
const columnsOf = ({ proposal, table }: StreamRows): ReadonlyArray<number> => {
  const expression = proposal.columns["status"]
  return expression === undefined
    ? []
    : Expressions.columnsOf(expression as Expressions.Expression).map((heading) => find(table.header, heading))
}

/** How many rows have each state, and whether they have an open balance. */
const seen = (of: StreamRows): ReadonlyMap<string, Seen> => {
  const { at, rows } = of
  const columns = columnsOf(of)
  const balances = amountsIn(rows, at("balance"))
  const totals = amountsIn(rows, at("gross") >= 0 ? at("gross") : at("amount"))
  const found = new Map<string, Seen>()
  for (const [n, { cells, line }] of rows.entries()) {
    const parts = columns.map((n) => (cells[n] ?? "").trim()).map((text) => (isNothing(text) ? "" : text))
    const text = parts.filter((part) => part !== "").join(" ")
    if (text === "") continue
    const words = [cells[at("id")], cells[at("customer")], totals[n] === undefined ? undefined : shown(totals[n])]
    const about = words.filter((word) => word !== undefined && word.trim() !== "").join(", ")
    const one = found.get(text) ?? { rows: 0, open: 0, zero: 0, example: about === "" ? `line ${line}` : about, parts }
    one.rows++
    const balance = balances[n]
    if (balance !== undefined && balance > 0n) one.open++
    else if (balance === 0n && (totals[n] ?? 0n) >= 0n) one.zero++
    found.set(text, one)
  }
  return found
}

interface Found<State> {
  readonly state: State
  readonly why?: string
}

/** What several columns say together: a document that is void or a draft is not paid. */
const together = (states: ReadonlyArray<InvoiceState | undefined>): InvoiceState | undefined => {
  const known = states.filter((state) => state !== undefined)
  const decisive = (["void", "draft", "paid"] as const).filter((state) => known.includes(state))
  if (decisive.includes("draft") && decisive.includes("paid")) return undefined
  return decisive[0] ?? (known.length === states.length ? known[0] : undefined)
}

const invoiceMeaning = (
  { open, parts, rows }: Seen,
  flags: ReadonlyArray<"paid" | "void" | undefined>,
  language: string
): Found<InvoiceState> | undefined => {
  if (parts.some(isUnsure)) return undefined
  const isCredit = parts.some((part) => rowTypeOf(part, language) === "credit_note")
  if (isCredit && open === 0) return { state: "open", why: "it says that its rows are credit notes" }
  const states = parts.flatMap((part, n) => {
    const flag = flags[n]
    if (flag !== undefined && yesOrNo(part) !== undefined)
      return yesOrNo(part) === "yes" ? [flag] : flag === "void" && parts.length > 1 ? [] : ["open" as const]
    return part === "" ? [] : [invoiceStateOf(part, language)]
  })
  const state = together(states)
  // A row that is called paid and has a balance is held back; if all are like that, who knows what the word means?
  if (state === "paid" && open === rows) return undefined
  if (state !== undefined) return { state }
  return open > 0 ? { state: "open", why: `${open} of its rows have a balance` } : undefined
}

/** Whether a column answers yes or no, so that "x" and "1" are no states. */
const areFlags = (texts: ReadonlyArray<string>): boolean =>
  texts.length > 0 && texts.every((text) => yesOrNo(text) !== undefined)

/** Whether a column that asks whether an invoice is paid has both answers, so that they mean that beside a third word. */
const haveBoth = (heading: string, texts: ReadonlyArray<string>): boolean =>
  (flagIn(heading) !== undefined || rolesOf(heading).some(({ role }) => role === "paid")) &&
  ["yes", "no"].every((answer) => texts.some((text) => /\p{L}/u.test(text) && yesOrNo(text) === answer))

interface Asked<State extends string> {
  readonly choices: ReadonlyArray<State>
  readonly answer: (text: string) => State | undefined
  readonly meaning: (text: string, counts: Seen) => Found<State> | undefined
  /** Why a known state is asked about. */
  readonly because?: (counts: Seen) => string | undefined
}

const decided = <State extends string>(
  of: StreamRows,
  { answer, because, choices, meaning }: Asked<State>
): Finding => {
  const statuses: Record<string, State> = {}
  const questions: Array<SetupQuestion> = []
  const decisions: Array<{ readonly what: string; readonly because?: string }> = []
  for (const [text, counts] of seen(of)) {
    const said = answer(text)
    const why = because?.(counts)
    const found = said !== undefined ? { state: said } : why === undefined ? meaning(text, counts) : undefined
    if (found === undefined)
      questions.push({
        answer: `status.${text}`,
        flag: `--status ${JSON.stringify(`${text}=${choices[1]}`)}`,
        what: `state ${JSON.stringify(text)}`,
        ask: `What does the state ${JSON.stringify(text)} of ${plural(counts.rows, "row")} of ${of.table.name} mean (like ${counts.example})?${why === undefined ? "" : ` ${why}`}`,
        choices
      })
    else {
      if (text.toLowerCase() !== found.state) statuses[text] = found.state
      if (found.why !== undefined)
        decisions.push({ what: `state ${JSON.stringify(text)} is ${found.state}`, because: found.why })
    }
  }
  const said = Object.entries(statuses).map(([text, state]) => `${text} = ${state}`)
  return {
    settings: said.length === 0 ? {} : { statuses },
    decisions: [...(said.length === 0 ? [] : [{ what: "states", because: said.join(", ") }]), ...decisions],
    questions
  }
}

export const statesOf = (of: StreamRows, { answers, hasPayments, language }: SetupSurroundings): Finding => {
  const { at, proposal } = of
  if (columnsOf(of).length === 0) return {}
  /** What a program's own words mean, whatever they mean elsewhere. */
  const own = new Map(
    Object.entries((proposal["states"] ?? {}) as Readonly<Record<string, string>>).map(([text, state]) => [
      squash(text),
      state
    ])
  )
  const answer =
    <State extends string>(choices: ReadonlyArray<State>) =>
    (text: string) =>
      choices.find((one) => one === answers.statuses?.[text]) ?? choices.find((one) => one === own.get(squash(text)))
  if (proposal.stream === "payments")
    return decided<PaymentState>(of, {
      choices: PAYMENT_STATES,
      answer: answer(PAYMENT_STATES),
      meaning: (text) => {
        const state = paymentStateOf(text)
        return state === undefined ? undefined : { state }
      }
    })
  if (proposal.stream !== "invoices") return {}
  const all = [...seen(of).values()]
  const flags = columnsOf(of).map((column, n) => {
    const heading = of.table.header[column] ?? ""
    const texts = all.map(({ parts }) => parts[n] ?? "").filter((part) => part !== "")
    return areFlags(texts) || haveBoth(heading, texts) ? (flagIn(heading) ?? "paid") : undefined
  })
  const saysHowMuch = ["balance", "paid"].some((field) =>
    amountsIn(of.rows, at(field)).some((one) => one !== undefined)
  )
  const isSilent = !hasPayments && !saysHowMuch
  return decided<InvoiceState>(of, {
    choices: INVOICE_STATES,
    answer: answer(INVOICE_STATES),
    meaning: (_, counts) => invoiceMeaning(counts, flags, language),
    because: ({ parts }) =>
      parts.some(isUnsent)
        ? "It may be issued and owed all the same (open), or be no more than a draft."
        : isSilent && parts.some(isPartlyPaid)
          ? "No column and no other file says how much of it was paid: as open, all of it counts as open. If a column has what is left of it, --column invoices.balance=HEADING names it."
          : undefined
  })
}

/** Cells that mean nothing in the stream's columns of dates and amounts: "-", "n/a". */
export const nothingOf = (of: StreamRows): Finding => {
  const { at, proposal, rows, table } = of
  const states = columnsOf(of)
  const columns = [...["settled", "paid", "balance", "due", "credits", "refunded", "net"].map(at), ...states].filter(
    (n) => n >= 0
  )
  /** That an invoice is not cancelled says nothing of whether it is paid. */
  const [only, ...others] = states
  const isVoid = only !== undefined && others.length === 0 && flagIn(table.header[only] ?? "") === "void"
  const found = new Set(
    rows.flatMap(({ cells }) =>
      columns.flatMap((n) => {
        const text = (cells[n] ?? "").trim()
        return text !== "" && (isNothing(text) || (isVoid && n === only && yesOrNo(text) === "no")) ? [text] : []
      })
    )
  )
  if (found.size === 0 || proposal["null_values"] !== undefined) return {}
  const texts = [...found]
  return {
    settings: { null_values: texts },
    decisions: [
      {
        what: `${texts.map((text) => JSON.stringify(text)).join(", ")} is an empty cell`,
        because: "it is no date and no amount"
      }
    ]
  }
}
