/**
 * Reads MySQL and MariaDB through the `mysql2` driver, which is loaded only when needed. Rows are streamed, each value as
 * the text that the server sends.
 */
import type { authPlugins, Connection, ConnectionOptions, FieldPacket, QueryOptions } from "mysql2"
import { connect, isIP, type Socket } from "node:net"
import type { Readable } from "node:stream"
import {
  connectMs,
  type Dialect,
  type Driver,
  fits,
  isNumber,
  NUMBER,
  type OpenOptions,
  type Record,
  type Type
} from "./Driver.ts"
import { Silence } from "./Silence.ts"
import type { Target } from "./Target.ts"

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

const sslOf = ({ tls }: Target): Pick<ConnectionOptions, "ssl"> =>
  tls === undefined
    ? {}
    : { ssl: { ...tls.files, rejectUnauthorized: tls.proves !== "nothing", verifyIdentity: tls.proves === "host" } }

/**
 * Without TLS, these ways of signing in encrypt the password with a key that whoever answers says is the server's. They are
 * used only as far as they prove that one knows it.
 */
const guardedPlugins = ({
  caching_sha2_password
}: typeof authPlugins): NonNullable<ConnectionOptions["authPlugins"]> => {
  const refused = () => {
    throw Object.assign(new Error("it asks for the password itself"), { code: "DAYBOOK_CLEARTEXT" })
  }
  return {
    sha256_password: () => refused,
    caching_sha2_password: (metadata) => {
      const answer = caching_sha2_password({})(metadata)
      return (data) => (data.length === 1 && data[0] === FULL_AUTHENTICATION ? refused() : answer(data))
    }
  }
}
const FULL_AUTHENTICATION = 4

/** A connection whose certificate is compared with this host, also if that is a number, which the driver leaves out. */
const streamTo = ({ host, lookup }: Target, port: number): Socket => {
  const socket = connect({ host, port, keepAlive: true, noDelay: true, ...(lookup === undefined ? {} : { lookup }) })
  return isIP(host) === 0 ? socket : Object.assign(socket, { _host: host })
}

/** Connects; what is asked waits for it. */
const connectionTo = async (target: Target, how: OpenOptions): Promise<Connection> => {
  const { authPlugins, createConnection } = (await import("mysql2")).default
  const { database, guarded, host, password, port = 3306, socket, user } = target
  if (how.signal.aborted) throw new Error("the connection is closed")
  return createConnection({
    host,
    port,
    user,
    password,
    database,
    ...(socket === undefined ? { stream: () => streamTo(target, port) } : { socketPath: socket }),
    ...sslOf(target),
    ...(guarded ? { authPlugins: guardedPlugins(authPlugins) } : {}),
    connectTimeout: connectMs(how),
    charset: "utf8mb4",
    multipleStatements: false,
    typeCast: (field) => field.string("utf8")
  })
}

export const open = async (target: Target, how: OpenOptions): Promise<Driver> => {
  const { signal } = how
  const connection = await connectionTo(target, how)
  const silence = new Silence(() => (connection as unknown as { readonly stream: Socket }).stream, how)
  let rows: Readable | undefined
  // The driver tells a stream of rows nothing about the end of its connection.
  connection.on("error", (error) => void rows?.destroy(error))
  const cut = () => {
    rows?.destroy(new Error("the connection is closed"))
    connection.destroy()
  }
  signal.addEventListener("abort", cut, { once: true })
  const ask = (options: QueryOptions): Promise<ReadonlyArray<FieldPacket>> =>
    silence.within(
      new Promise((resolve, reject) =>
        connection.query(options, (error, _, fields) => (error === null ? resolve(fields ?? []) : reject(error)))
      )
    )
  // Does not wait for running queries.
  const close = async () => {
    signal.removeEventListener("abort", cut)
    silence.stop()
    connection.destroy()
  }
  try {
    await new Promise<void>((resolve, reject) =>
      connection.connect((error) => (error === null || error === undefined ? resolve() : reject(error)))
    )
    for (const sql of SESSION) await ask({ sql })
  } catch (cause) {
    await close()
    throw cause
  }
  return {
    dialect,
    columns: async (statement) =>
      (await ask({ sql: statement })).map(({ name, type }) => ({ name, type: TYPES[type ?? -1] ?? "unknown" })),
    read: async function* (statement, size, columns) {
      const numbers = columns.map(isNumber)
      silence.begin()
      rows = connection.query({ sql: statement, rowsAsArray: true }).stream({ highWaterMark: size }) as Readable
      const each = rows[Symbol.asyncIterator]() as AsyncIterator<ReadonlyArray<string | null>>
      let records: Array<Record> = []
      try {
        for (;;) {
          const { done, value: cells } = await silence.within(each.next())
          if (done === true) break
          records.push({ cells, numbers })
          if (records.length < size) continue
          yield records
          records = []
          silence.begin()
        }
        if (records.length > 0) yield records
      } finally {
        // The rest of the rows would keep the next statement waiting.
        rows.destroy()
      }
    },
    close
  }
}
