/**
 * Reads PostgreSQL through the `pg` driver, which is loaded only when needed. Rows come through a server-side cursor, so
 * that memory use does not grow with their number.
 */
import { type Dialect, type Driver, fits, isNumber, quoted, quotedName, type Record, type Type } from "./Driver.ts"

const TYPES: Readonly<{ [oid: number]: Type }> = {
  20: "whole",
  21: "whole",
  23: "whole",
  26: "whole",
  700: "number",
  701: "number",
  1700: "number",
  1082: "day",
  1114: "time",
  1184: "time",
  2950: "uuid",
  19: "text",
  25: "text",
  1042: "text",
  1043: "text"
}

export const dialect: Dialect = {
  name: "PostgreSQL",
  quote: quotedName,
  // An untyped literal takes the column's type, to the microsecond and to the last digit.
  literal: ({ text }, { type }) => (type === "whole" && /^-?\d+$/.test(text) ? text : quoted(text)),
  ordered: (column) => column,
  trimmed: (column) => `btrim(CAST(${column} AS text))`,
  fits
}

/** Settings that make the text of values the same on every server. */
const SESSION = [
  "SET LOCAL TIME ZONE 'UTC'",
  "SET LOCAL datestyle = 'ISO, YMD'",
  "SET LOCAL standard_conforming_strings = on",
  "SET LOCAL statement_timeout = '30min'"
].join("; ")

const CURSOR = "daybook_pages"

export const open = async (url: string): Promise<Driver> => {
  const { Client } = (await import("pg")).default
  const text = { getTypeParser: () => (value: unknown) => value }
  const client = new Client({
    connectionString: url,
    application_name: "daybook",
    connectionTimeoutMillis: 15_000,
    keepAlive: true,
    types: text as never
  })
  // If the connection is lost while idle, the next query reports it.
  client.on("error", () => {})
  const close = async () => {
    await client.end().catch(() => {})
  }
  try {
    await client.connect()
    await client.query("BEGIN TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
    await client.query(SESSION)
  } catch (cause) {
    await close()
    throw cause
  }
  /** Uses the extended protocol, which rejects a second statement. */
  const ask = (text: string) =>
    client.query({ text, rowMode: "array", queryMode: "extended" } as { text: string; rowMode: "array" })
  return {
    dialect,
    columns: async (statement) =>
      (await ask(statement)).fields.map(({ dataTypeID, name }) => ({ name, type: TYPES[dataTypeID] ?? "unknown" })),
    read: async function* (statement, size, columns) {
      const numbers = columns.map(isNumber)
      await ask(`DECLARE ${CURSOR} NO SCROLL CURSOR FOR ${statement}`)
      for (;;) {
        const { rows } = await ask(`FETCH ${size} FROM ${CURSOR}`)
        const records = (rows as ReadonlyArray<ReadonlyArray<string | null>>).map(
          (cells): Record => ({ cells, numbers })
        )
        if (records.length > 0) yield records
        if (records.length < size) break
      }
      await ask(`CLOSE ${CURSOR}`)
    },
    close
  }
}
