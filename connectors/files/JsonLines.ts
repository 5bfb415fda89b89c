/**
 * Reads JSON Lines: one object per line. Columns are member names; a dot separates the names of nested members. Numbers
 * keep their digits, so that amounts and long ids never pass through a double.
 */
import { type Line, lines, type Source } from "../Lines.ts"
import { told } from "../Refused.ts"
import { BATCH, rejoined, type Row, type Table } from "./Table.ts"

/** @param columns the names in the settings; they are the header, because lines may have different members */
export const open = async (source: Source, columns: ReadonlyArray<string>): Promise<Table> => {
  const there = new Set<string>()
  const rows = batches(source, columns, there)
  const { done, value: first } = await rows.next()
  const absent =
    done === true || there.size === 0
      ? []
      : columns.filter((_, n) => first.every(({ cells }) => (cells[n] ?? "") === ""))
  return {
    header: columns,
    typed: false,
    close: () => rows.return(undefined),
    ...(absent.length === 0 ? {} : { absent: { columns: absent, there: [...there] } }),
    rows: rejoined(done === true ? [] : first, rows)
  }
}

async function* batches(
  source: Source,
  columns: ReadonlyArray<string>,
  there: Set<string>
): AsyncGenerator<ReadonlyArray<Row>> {
  let batch: Array<Row> = []
  let noted = false
  for await (const some of lines(source)) {
    for (const line of some) {
      if (line.text.trim() === "") continue
      batch.push(read(line, columns, noted ? undefined : there))
      if (batch.length < BATCH) continue
      yield batch
      batch = []
      noted = true
    }
  }
  if (batch.length > 0) yield batch
}

const read = (
  { end, number: line, overlong, text: raw }: Line,
  columns: ReadonlyArray<string>,
  there: Set<string> | undefined
): Row => {
  if (overlong) return { cells: [], line, raw, problem: "it is far too long for a record; split it" }
  try {
    const value: unknown = JSON.parse(raw, exact as (this: unknown, key: string, value: unknown) => unknown)
    if (value === null || typeof value !== "object" || Array.isArray(value) || value instanceof Digits) {
      return { cells: [], line, raw, problem: "it is not a JSON object; write one in each line" }
    }
    if (there !== undefined) for (const name of Object.keys(value)) there.add(name)
    const found = columns.map((column) => member(value, column))
    return { cells: found.map(text), line, raw, numbers: found.map((one) => one instanceof Digits) }
  } catch (cause) {
    const why = `it is not JSON: ${cause instanceof Error ? cause.message : cause}`
    const advice = end === "" ? "the file ends with it: export the whole file again" : "correct it"
    return { cells: [], line, raw, problem: told(why, advice) }
  }
}

/** A number with its digits as written. */
class Digits {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
  toJSON(): string {
    return this.text
  }
}

const exact = (_: string, value: unknown, context?: { readonly source?: string }): unknown =>
  typeof value === "number" ? new Digits(context?.source ?? String(value)) : value

const member = (object: object, path: string): unknown => {
  if (Object.hasOwn(object, path)) return (object as Record<string, unknown>)[path]
  let at: unknown = object
  for (const part of path.split(".")) {
    at =
      at !== null && typeof at === "object" && !(at instanceof Digits) && Object.hasOwn(at, part)
        ? (at as Record<string, unknown>)[part]
        : undefined
  }
  return at
}

const text = (value: unknown): string =>
  value === undefined || value === null
    ? ""
    : value instanceof Digits
      ? value.text
      : typeof value === "object"
        ? JSON.stringify(value)
        : String(value)
