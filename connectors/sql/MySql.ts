/**
 * Reads MySQL and MariaDB through the `mysql2` driver, which is loaded only when needed. Rows are streamed, each value as
 * the text that the server sends.
 */
import type { Connection, ConnectionOptions, FieldPacket, QueryOptions } from "mysql2"
import type { Readable } from "node:stream"
import { type Dialect, type Driver, fits, isNumber, NUMBER, type Record, type Type } from "./Driver.ts"

/** Types by their number in the protocol. */
const TYPES: Readonly<{ [type: number]: Type }> = {
  0: "number",
  1: "whole",
  2: "whole",
  3: "whole",
  4: "number",
  5: "number",
  7: "time",
  8: "whole",
  9: "whole",
  10: "day",
  12: "time",
  13: "whole",
  15: "text",
  246: "number",
  253: "text",
  254: "text"
}

export const dialect: Dialect = {
  name: "MySQL",
  quote: (name) => `\`${name.replaceAll("`", "``")}\``,
  // Hexadecimal, because how a text literal is escaped depends on the server's settings.
  literal: ({ text }, { type }) => {
    if ((type === "whole" || type === "number") && NUMBER.test(text)) return text
    const plain = `CONVERT(X'${Buffer.from(text, "utf8").toString("hex")}' USING utf8mb4)`
    return type === "time" ? `CAST(${plain} AS DATETIME(6))` : type === "day" ? `CAST(${plain} AS DATE)` : plain
  },
  // A text in another character set would be compared by a different collation than it was sorted by.
  ordered: (column, type) =>
    type === "text" || type === "unknown" ? `CONVERT(${column} USING utf8mb4) COLLATE utf8mb4_bin` : column,
  trimmed: (column) => `TRIM(CAST(${column} AS CHAR))`,
  fits
}

const SESSION = [
  "SET SESSION time_zone = '+00:00'",
  // The server must wait while pages are written to the books.
  "SET SESSION net_write_timeout = 1800",
  "SET SESSION TRANSACTION ISOLATION LEVEL REPEATABLE READ",
  "START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY"
]

/** Parses `mysql://user:password@host:3306/database?sslmode=require`. */
const optionsOf = (address: string): ConnectionOptions => {
  const url = new URL(address)
  const mode = url.searchParams.get("sslmode") ?? url.searchParams.get("ssl-mode")?.toLowerCase() ?? "disable"
  const ssl = ["disable", "disabled", "preferred"].includes(mode)
    ? {}
    : { ssl: { rejectUnauthorized: mode !== "no-verify" } }
  const socket = url.searchParams.get("socket")
  return {
    host: url.hostname === "" ? "localhost" : url.hostname.replace(/^\[|\]$/g, ""),
    port: url.port === "" ? 3306 : Number(url.port),
    user: decodeURIComponent(url.username),
    password: decodeURIComponent(url.password),
    database: decodeURIComponent(url.pathname.slice(1)),
    ...(socket === null ? {} : { socketPath: socket }),
    ...ssl
  }
}

export const open = async (url: string): Promise<Driver> => {
  const { createConnection } = (await import("mysql2")).default
  const connection: Connection = createConnection({
    ...optionsOf(url),
    connectTimeout: 15_000,
    charset: "utf8mb4",
    multipleStatements: false,
    typeCast: (field) => field.string("utf8")
  })
  connection.on("error", () => {})
  const ask = (options: QueryOptions): Promise<ReadonlyArray<FieldPacket>> =>
    new Promise((resolve, reject) =>
      connection.query(options, (error, _, fields) => (error === null ? resolve(fields ?? []) : reject(error)))
    )
  try {
    await new Promise<void>((resolve, reject) =>
      connection.connect((error) => (error === null || error === undefined ? resolve() : reject(error)))
    )
    for (const sql of SESSION) await ask({ sql })
  } catch (cause) {
    connection.destroy()
    throw cause
  }
  return {
    dialect,
    columns: async (statement) =>
      (await ask({ sql: statement })).map(({ name, type }) => ({ name, type: TYPES[type ?? -1] ?? "unknown" })),
    read: async function* (statement, size, columns) {
      const numbers = columns.map(isNumber)
      const rows = connection.query({ sql: statement, rowsAsArray: true }).stream({ highWaterMark: size }) as Readable
      let records: Array<Record> = []
      for await (const cells of rows as AsyncIterable<ReadonlyArray<string | null>>) {
        records.push({ cells, numbers })
        if (records.length < size) continue
        yield records
        records = []
      }
      if (records.length > 0) yield records
    },
    // Does not wait for running queries.
    close: async () => connection.destroy()
  }
}
