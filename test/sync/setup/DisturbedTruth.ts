/** Compares what is read of a generated file with what is true of each of its rows. */
import type { Document } from "../../../connectors/Document.ts"
import * as Decimal from "../../../core/money/Decimal.ts"
import { disturbedList } from "./DisturbedLists.ts"
import { disturbedMoney } from "./DisturbedMoney.ts"
import type { Truth } from "./ListDisturbances.ts"
import { readAll } from "./Reading.ts"

const CENT = Decimal.of("0.01")
const centsOf = (amount: bigint): number => Number(amount / CENT)

type Lines = ReadonlyArray<ReadonlyArray<string>>

/** What a file comes to, if nothing is asked that has no answer of its own; and which of its rows are named as not read. */
const readOf = async (name: string, content: string | Uint8Array, lines: Lines) => {
  const { documents, found, quarantined } = await readAll({ [name]: content })
  if (found.questions.some(({ suggestion }) => suggestion === undefined)) return undefined
  const decided = found.decisions.map(({ because = "", what }) => `${what}: ${because}`)
  const texts = decided
    .filter((one) => /not read|left out/.test(one))
    .flatMap((one) => /of "([^"]*)"/.exec(one)?.[1] ?? [])
  const isNamed = (line: number): boolean =>
    quarantined.some((one) => one.startsWith(`${name}:${line}:`)) ||
    texts.some((one) => lines[line - 1]?.some((cell) => cell.includes(one)) === true)
  return { decided, documents, isNamed }
}

const linesOf = (text: string): Lines => text.split(/\r?\n/).map((line) => line.split(/[,;\t]/))

type Invoice = Extract<Document, { kind: "invoice" }>

const faultOf = (truth: Truth, invoice: Invoice, documents: ReadonlyArray<Document>): string | undefined => {
  const { cents, currency, id, left, state } = truth
  const whole = invoice.gross ?? invoice.net ?? 0n
  if (centsOf(whole) !== cents) return `${id} is ${Decimal.format(whole, 2)}, and its row says ${cents} cents`
  if (invoice.currency !== currency) return `${id} is in ${invoice.currency}, and its row says ${currency}`
  if (!invoice.party.name.endsWith(" Ltd")) return `${id} is of ${invoice.party.name}, and its row says another`
  const paid = documents
    .flatMap((one) => (one.kind === "payment" ? one.shares : []))
    .filter(({ invoice }) => invoice === id)
  const { open, paid: said } = invoice.stated ?? {}
  const isPaid =
    invoice.status === "paid" ||
    open === 0n ||
    said === whole ||
    Decimal.sum(paid.map(({ amount }) => amount)) === whole
  if (state === "paid" && !isPaid) return `${id} is paid, and read as open`
  if (state === "open" && isPaid) return `${id} is open, and read as paid`
  const rests = [open, said === undefined ? undefined : whole - said]
  return left === undefined || rests.some((rest) => rest !== undefined && centsOf(rest) === left)
    ? undefined
    : `nothing says what is left of ${id}`
}

export interface ListFile {
  readonly name: string
  readonly content: string | Uint8Array
  /** Its cells by line, of the table that is read. */
  readonly lines: Lines
  readonly truths: ReadonlyArray<{ readonly truth: Truth; readonly line: number }>
}

/** What is wrong with what `init` makes of a list of invoices; undefined if nothing is. */
export const wrongOfList = (seed: number): Promise<string | undefined> => {
  const { text, truths } = disturbedList(seed)
  return wrongOfFile({ name: "invoices.csv", content: text, lines: linesOf(text), truths })
}

export const wrongOfFile = async (file: ListFile): Promise<string | undefined> => {
  const read = await readOf(file.name, file.content, file.lines)
  if (read === undefined) return undefined
  const { decided, documents, isNamed } = read
  const cellsOf = (line: number): ReadonlyArray<string> => file.lines[line - 1] ?? []
  const invoices = new Map(documents.flatMap((one) => (one.kind === "invoice" ? [[one.id, one] as const] : [])))
  const isWarned = ({ gross = 0n, id }: Invoice, line: number): boolean =>
    (gross < 0n && decided.some((one) => /negative rows/.test(one))) ||
    file.truths.some((one) => one.truth.id === id && isNamed(one.line)) ||
    decided.some((one) => cellsOf(line).includes(/^state "(.*)" is open: /.exec(one)?.[1] ?? "no state"))
  for (const { line, truth } of file.truths) {
    const invoice = invoices.get(truth.id)
    if (truth.state === "void" && invoice !== undefined) return `${truth.id} is void, and read`
    if (truth.state === "void") continue
    if (truth.state === "unsure") {
      if (
        invoice === undefined
          ? !isNamed(line) && documents.every(({ kind }) => kind === "invoice")
          : !isWarned(invoice, line)
      )
        return `${truth.id} was ${invoice === undefined ? "left out" : "read"} as if nothing were odd`
    } else if (truth.mayWait && invoice === undefined && isNamed(line)) continue
    else if (invoice === undefined)
      return `${truth.id} is ${isNamed(line) ? "held back" : "lost"}, and nothing is odd about it`
    else {
      const fault = faultOf(truth, invoice, documents)
      if (fault !== undefined) return fault
    }
  }
  const extra = [...invoices.keys()].filter((id) => !file.truths.some(({ truth }) => truth.id === id))
  return extra.length > 0 ? `${extra.join(", ")} is not a row` : undefined
}

/** The same of a statement or list of payments. */
export const wrongOfMoney = async (seed: number): Promise<string | undefined> => {
  const file = disturbedMoney(seed)
  const read = await readOf("bank.csv", file.text, linesOf(file.text))
  if (read === undefined) return undefined
  const left: Array<number> = []
  for (const one of read.documents) {
    if (one.kind !== "payment") return `a ${one.kind} was read`
    if (!/ Ltd$/.test(one.party?.name ?? " Ltd")) return `${one.party?.name} is called the payer`
    if (!/R-\d/.test(one.reference ?? "")) return "the payer's text is passed over"
    left.push(centsOf(Decimal.sum(one.shares.map(({ amount }) => amount)) + (one.unallocated ?? 0n)))
  }
  for (const { line, truth } of file.truths) {
    const n = left.indexOf(Math.abs(truth.cents))
    if (truth.means === "in" && n < 0)
      return `line ${line} is ${read.isNamed(line) ? "held back" : "lost"}, and nothing is odd about it`
    if (truth.means === "unsure" && (n >= 0 || !read.isNamed(line)))
      return `line ${line} was taken as if nothing were odd`
    if (n >= 0 && truth.means === "in") left.splice(n, 1)
  }
  return left.length > 0 ? `${left.join(", ")} cents were not received` : undefined
}
