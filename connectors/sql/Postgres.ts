/**
 * Reads PostgreSQL through the `pg` driver, which is loaded only when needed. Rows come through a server-side cursor, so
 * that memory use does not grow with their number.
 */
import type { EventEmitter } from "node:events"
import { type LookupFunction, Socket } from "node:net"
import { checkServerIdentity, type ConnectionOptions } from "node:tls"
import {
  connectMs,
  type Dialect,
  type Driver,
  fits,
  isNumber,
  type OpenOptions,
  quoted,
  quotedName,
  type Record,
  type Type
} from "./Driver.ts"
import { Silence } from "./Silence.ts"
import type { Target } from "./Target.ts"

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

/** Where it is known (from version 14 on), a server notices soon that nobody waits for its statement any more. */
const NOTICES = `SELECT set_config(name, '10s', true) FROM pg_settings
  WHERE name = 'client_connection_check_interval' AND version() ~* 'linux|darwin|apple|bsd'`

/** Who answers wants the password itself, without TLS and without anybody's word that this is allowed. */
const CLEARTEXT = "DAYBOOK_CLEARTEXT"

const sslOf = ({ host, tls }: Target): ConnectionOptions | false =>
  tls !== undefined && {
    ...tls.files,
    rejectUnauthorized: tls.proves !== "nothing",
    checkServerIdentity: (_, cert) => (tls.proves === "host" ? checkServerIdentity(host, cert) : undefined)
  }

/** A connection that is not open yet, and looks its host's name up in this way; the driver opens it by port and host. */
const lookingUp = (lookup: LookupFunction) => () => {
  const socket = new Socket()
  const connect = socket.connect.bind(socket)
  return Object.assign(socket, { connect: (port: number, host: string) => connect({ port, host, lookup }) })
}

/** A client that does not connect yet. */
const clientOf = async (target: Target, how: OpenOptions) => {
  const { Client } = (await import("pg")).default
  const text = { getTypeParser: () => (value: unknown) => value }
  const { database, guarded, host, lookup, options, password, port = 5432, socket, user } = target
  const client = new Client({
    host: socket ?? host,
    port,
    ...(user === "" ? {} : { user }),
    ...(password === "" ? {} : { password }),
    ...(database === "" ? {} : { database }),
    ...(options === undefined ? {} : { options }),
    ssl: sslOf(target),
    application_name: "daybook",
    connectionTimeoutMillis: connectMs(how),
    keepAlive: true,
    types: text as never,
    ...(lookup === undefined ? {} : { stream: lookingUp(lookup) as never })
  })
  const { connection } = client as unknown as { readonly connection: EventEmitter & { readonly stream: Socket } }
  // If the connection is lost while idle, the next query reports it.
  client.on("error", () => {})
  // Comes before the driver's own listener, which cannot write any more.
  if (guarded)
    connection.on("authenticationCleartextPassword", () =>
      connection.stream.destroy(Object.assign(new Error("it asks for the password itself"), { code: CLEARTEXT }))
    )
  return { client, connection }
}

export const open = async (target: Target, how: OpenOptions): Promise<Driver> => {
  const { signal } = how
  const { client, connection } = await clientOf(target, how)
  const silence = new Silence(() => connection.stream, how)
  const cut = () => connection.stream.destroy(new Error("Connection terminated"))
  signal.addEventListener("abort", cut, { once: true })
  const close = async () => {
    signal.removeEventListener("abort", cut)
    silence.stop()
    // Says goodbye, but does not wait until it is heard.
    client.end().catch(() => {})
    connection.stream.destroySoon()
  }
  try {
    if (signal.aborted) throw new Error("Connection terminated")
    await client.connect()
    await silence.within(client.query("BEGIN TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY"))
    await silence.within(client.query(SESSION))
    await silence.within(client.query(NOTICES))
  } catch (cause) {
    await close()
    throw cause
  }
  /** Uses the extended protocol, which rejects a second statement. */
  const ask = (text: string) => {
    silence.begin()
    return silence.within(
      client.query({ text, rowMode: "array", queryMode: "extended" } as { text: string; rowMode: "array" })
    )
  }
  let reads = 0
  return {
    dialect,
    columns: async (statement) =>
      (await ask(statement)).fields.map(({ dataTypeID, name }) => ({ name, type: TYPES[dataTypeID] ?? "unknown" })),
    read: async function* (statement, size, columns) {
      const numbers = columns.map(isNumber)
      // A read that was left before its end keeps its cursor until the transaction ends.
      const cursor = `daybook_pages_${++reads}`
      await ask(`DECLARE ${cursor} NO SCROLL CURSOR FOR ${statement}`)
      for (;;) {
        const { rows } = await ask(`FETCH ${size} FROM ${cursor}`)
        const records = (rows as ReadonlyArray<ReadonlyArray<string | null>>).map(
          (cells): Record => ({ cells, numbers })
        )
        if (records.length > 0) yield records
        if (records.length < size) break
      }
      await ask(`CLOSE ${cursor}`)
    },
    close
  }
}
