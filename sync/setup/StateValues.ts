/** Detects the meaning of invoices' states from their words, and from the balance if a state is unknown. */
import * as Numerals from "../../connectors/tabular/Numerals.ts"
import type { Finding, SetupSurroundings, StreamRows } from "./Steps.ts"
import type { SetupQuestion } from "./Tables.ts"
import { type InvoiceState, invoiceStateOf } from "./Vocabulary.ts"

const OURS: ReadonlyArray<InvoiceState> = ["draft", "open", "paid", "void"]

interface Seen {
  rows: number
  /** How many rows have a balance above zero; and how many have a balance of zero. */
  open: number
  zero: number
}

/** How many rows have each state, and whether they have an open balance. */
const seen = ({ at, rows }: StreamRows): ReadonlyMap<string, Seen> => {
  const [status, balance] = [at("status"), at("balance")]
  const found = new Map<string, Seen>()
  for (const { cells, numbers } of rows) {
    const text = (cells[status] ?? "").trim()
    if (text === "") continue
    const one = found.get(text) ?? { rows: 0, open: 0, zero: 0 }
    one.rows++
    const written = (cells[balance] ?? "").trim()
    const points = Numerals.parse(written, numbers?.[balance] === true ? "." : Numerals.markOf([written]), undefined)
    if (balance >= 0 && typeof points !== "string") {
      if (points > 0n) one.open++
      else one.zero++
    }
    found.set(text, one)
  }
  return found
}

const meaning = (
  text: string,
  { open, rows, zero }: Seen
): { readonly state: InvoiceState; readonly why?: string } | undefined => {
  const state = invoiceStateOf(text)
  // An invoice that is called paid but has a balance is not paid.
  if (state === "paid" && open > 0) return { state: "open", why: `${open} of its rows have a balance` }
  if (state !== undefined) return { state }
  if (open > 0) return { state: "open", why: `${open} of its rows have a balance` }
  return zero === rows && zero > 0 ? { state: "paid", why: "nothing is open of its rows" } : undefined
}

export const statesOf = (of: StreamRows, { answers }: SetupSurroundings): Finding => {
  if (of.proposal.stream !== "invoices" || of.at("status") < 0) return {}
  const statuses: Record<string, InvoiceState> = {}
  const questions: Array<SetupQuestion> = []
  const decisions: Array<{ readonly what: string; readonly because?: string }> = []
  for (const [text, counts] of seen(of)) {
    // An answer about an order's state does not apply here.
    const said = OURS.find((one) => one === answers.statuses?.[text])
    const found = said === undefined ? meaning(text, counts) : { state: said }
    if (found === undefined)
      questions.push({
        answer: `status.${text}`,
        flag: `--status ${JSON.stringify(`${text}=open`)}`,
        what: `state ${JSON.stringify(text)}`,
        ask: `What does the state ${JSON.stringify(text)} of ${counts.rows} rows of ${of.table.name} mean?`,
        choices: OURS
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
