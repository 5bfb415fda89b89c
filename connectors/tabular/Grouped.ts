/**
 * Joins adjacent rows with one id, which are lines of one document: their amounts are added up, and all other cells must be
 * equal, or filled in only one of the rows.
 */
import * as Decimal from "../../core/money/Decimal.ts"
import type { Row } from "./Row.ts"
import { Unreadable } from "./Unreadable.ts"

export interface Of {
  /** The columns that are added up; every other column must be repeated or empty. */
  readonly sum: ReadonlyArray<number>
  /** The common key of the rows of one document; empty for a row on its own. */
  readonly keyOf: (row: Row) => string
  readonly contentOf: (row: Row) => number
  readonly header: ReadonlyArray<string>
  /** The columns that are read. */
  readonly asked: ReadonlyArray<number>
  readonly amount: (row: Row, index: number) => Decimal.Decimal | undefined
}

/** The rows of one document, combined; or why they cannot be. */
export interface Group {
  readonly rows: ReadonlyArray<Row>
  readonly row: Row
  readonly content: number
  readonly fault?: Unreadable
}

interface Open {
  readonly key: string
  readonly rows: Array<Row>
  content: number
  fault: Unreadable | undefined
}

/** @param emit receives each group after its last row */
export const make = (of: Of, emit: (group: Group) => void) => {
  let open: Open | undefined
  /** Set after an unreadable row, which may be a line of the document before or after it. */
  let broken = false

  const finish = () => {
    if (open === undefined) return
    const { content, fault, rows } = open
    open = undefined
    emit(joined(rows, content, fault, of))
  }

  const join = (row: Row, into: Open) => {
    into.rows.push(row)
    try {
      if (row.problem !== undefined) throw new Unreadable(row.problem)
      into.content = Math.imul(into.content, 31) ^ of.contentOf(row)
    } catch (cause) {
      if (!(cause instanceof Unreadable)) throw cause
      into.fault ??= cause
    }
  }

  return {
    add: (row: Row) => {
      const key = row.problem === undefined ? of.keyOf(row) : ""
      if (open === undefined || key === "" || key !== open.key) {
        if (row.problem !== undefined && open !== undefined && open.key !== "") open.fault ??= lost("behind")
        finish()
        open = { key, rows: [], content: 7, fault: broken && row.problem === undefined ? lost("before") : undefined }
        broken = row.problem !== undefined
      }
      join(row, open)
    },
    finish
  }
}

const lost = (where: string) =>
  new Unreadable(`the row ${where} its lines cannot be read, and may be one of them; correct that one`)

const joined = (rows: ReadonlyArray<Row>, content: number, fault: Unreadable | undefined, of: Of): Group => {
  const [first] = rows as readonly [Row]
  if (fault !== undefined) return { rows, row: first, content, fault }
  if (rows.length === 1) return { rows, row: first, content }
  try {
    return { rows, row: merged(rows, of), content }
  } catch (cause) {
    if (!(cause instanceof Unreadable)) throw cause
    return { rows, row: first, content, fault: cause }
  }
}

interface Cell {
  readonly text: string
  readonly number: boolean
}

/** Combines several lines into one row. */
const merged = (rows: ReadonlyArray<Row>, { amount, asked, header, sum }: Of): Row => {
  const [first] = rows as readonly [Row]
  const cells = [...first.cells]
  const numbers = header.map((_, index) => first.numbers?.[index] ?? false)
  const faults = new Map(first.faults)
  for (const index of asked) {
    const one = sum.includes(index) ? added(rows, index, amount) : agreed(rows, index, header[index])
    if (sum.includes(index)) faults.delete(index)
    cells[index] = one.text
    numbers[index] = one.number
  }
  const raw = rows.map((row) => row.raw).join("\n")
  return { line: first.line, cells, numbers, raw, ...(faults.size === 0 ? {} : { faults }) }
}

const added = (rows: ReadonlyArray<Row>, index: number, amount: Of["amount"]): Cell => {
  const amounts = rows.flatMap((row) => amount(row, index) ?? [])
  return { text: amounts.length === 0 ? "" : Decimal.format(Decimal.sum(amounts)), number: true }
}

const agreed = (rows: ReadonlyArray<Row>, index: number, heading: string | undefined): Cell => {
  let held: Cell = { text: "", number: false }
  for (const row of rows) {
    const fault = row.faults?.get(index)
    if (fault !== undefined) throw fault
    const text = (row.cells[index] ?? "").trim()
    if (text === "" || text === held.text) continue
    if (held.text !== "") {
      throw new Unreadable(
        `says ${JSON.stringify(text)} in line ${row.line}, and ${JSON.stringify(held.text)} in a line before it; rows of one id must agree on it (or name it under lines.sum)`,
        heading
      )
    }
    held = { text, number: row.numbers?.[index] ?? false }
  }
  return held
}
