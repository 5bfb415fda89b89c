/**
 * JSON Lines: one object a line. Members name the columns, a point goes into nested objects. Numbers keep the digits
 * that they were written with, so that no amount and no long id passes through a double.
 */
import { createInterface } from "node:readline"
import { Readable } from "node:stream"
import { type Encoding, utf8 } from "./Bytes.ts"
import { BATCH, type Row, type Table } from "./Table.ts"

/** @param columns the names that the settings ask for; they are the header, because every line has its own members */
export const open = (
  source: { readonly path: string; readonly encoding: Encoding; readonly mark: number },
  columns: ReadonlyArray<string>
): Table => ({ header: columns, typed: false, rows: batches(source, columns) })

async function* batches(
  { encoding, mark, path }: { readonly path: string; readonly encoding: Encoding; readonly mark: number },
  columns: ReadonlyArray<string>
): AsyncGenerator<ReadonlyArray<Row>> {
  const lines = createInterface({
    input: Readable.from(utf8(path, encoding, mark)),
    crlfDelay: Number.POSITIVE_INFINITY
  })
  let batch: Array<Row> = []
  let line = 0
  for await (const raw of lines) {
    line++
    if (raw.trim() === "") continue
    batch.push(read(raw, line, columns))
    if (batch.length === BATCH) {
      yield batch
      batch = []
    }
  }
  if (batch.length > 0) yield batch
}

const read = (raw: string, line: number, columns: ReadonlyArray<string>): Row => {
  try {
    const value: unknown = JSON.parse(raw, exact as (this: unknown, key: string, value: unknown) => unknown)
    if (value === null || typeof value !== "object" || Array.isArray(value)) {
      return { cells: [], line, raw, problem: "it is not a JSON object" }
    }
    return { cells: columns.map((column) => cell(value, column)), line, raw }
  } catch (cause) {
    return { cells: [], line, raw, problem: `it is not JSON: ${cause instanceof Error ? cause.message : cause}` }
  }
}

const exact = (_: string, value: unknown, context?: { readonly source?: string }): unknown =>
  typeof value === "number" ? (context?.source ?? String(value)) : value

const cell = (object: object, path: string): string => {
  let at: unknown = object
  if (path in object) at = (object as Record<string, unknown>)[path]
  else {
    for (const part of path.split(".")) {
      at =
        at !== null && typeof at === "object" && Object.hasOwn(at, part)
          ? (at as Record<string, unknown>)[part]
          : undefined
    }
  }
  return at === undefined || at === null ? "" : typeof at === "object" ? JSON.stringify(at) : String(at)
}
