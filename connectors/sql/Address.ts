/**
 * Finds the database's address in the settings and the environment, and opens it. A driver is loaded only when a database
 * of its kind is opened.
 */
import { Duration } from "effect"
import { existsSync } from "node:fs"
import { resolve } from "node:path"
import { lookupOutside } from "../../core/Reach.ts"
import { LARGEST_BYTES, LARGEST_ENTERED_BYTES } from "../Bounds.ts"
import { isOutside, OUTSIDE } from "../Confined.ts"
import type { ConnectorContext } from "../Connector.ts"
import { notSet } from "../Secrets.ts"
import type { Driver } from "./Driver.ts"
import { misconfigured, type Place } from "./Failures.ts"
import { PATIENCE, type Settings } from "./Settings.ts"
import { nameOf, type Target, targetOf, Unusable } from "./Target.ts"

export interface Address {
  readonly place: Place
  /** @param signal ends the connection, whatever it waits for */
  readonly open: (signal: AbortSignal) => Promise<Driver>
}

const EXAMPLE = "postgresql://user:password@host:5432/books, mysql://user:password@host:3306/books or sqlite:books.db"

const sqlite = (
  file: string,
  setting: string,
  patience: number,
  { folder, folders }: Pick<ConnectorContext, "folder" | "folders">
): Address => {
  const path = resolve(folder, file)
  const place: Place = { name: file, setting, secrets: [], isFile: true }
  return {
    place,
    open: async (signal) => {
      if (isOutside(path, folders)) throw misconfigured(`${setting}: the file ${OUTSIDE.what}`, OUTSIDE.hint)
      if (!existsSync(path)) {
        throw misconfigured(
          `there is no file ${path}`,
          `correct ${setting}; it is relative to the configuration's folder`
        )
      }
      return (await import("./Sqlite.ts")).open(path, { patience, signal })
    }
  }
}

/** Throws a `SourceError`. */
export const of = ({ file, timeout, url: named }: Settings, context: ConnectorContext): Address => {
  const patience = Duration.toMillis(Duration.fromInputUnsafe((timeout ?? PATIENCE) as Duration.Input))
  if (named === undefined) return sqlite(file ?? "", "source.file", patience, context)
  const { entered, environment, folder, folders } = context
  const setting = `the variable ${named.env}`
  const text = environment?.[named.env]?.trim() ?? ""
  if (text === "") {
    throw misconfigured(notSet(named.env), `set it to the database's address, like ${EXAMPLE}`)
  }
  const scheme = /^([a-z]+):/i.exec(text)?.[1]?.toLowerCase() ?? ""
  if (scheme === "sqlite" || scheme === "file") {
    return sqlite(text.slice(scheme.length + 1).replace(/^\/\/(?=\/|[^/])/, ""), setting, patience, context)
  }
  const wrong = misconfigured(`${setting} is not the address of a database`, `set it to one, like ${EXAMPLE}`)
  if (!["postgres", "postgresql", "mysql", "mariadb"].includes(scheme) || !URL.canParse(text)) throw wrong
  const url = new URL(text)
  // Whoever may not read every file reaches nothing of this machine either, and connects to the host that was checked.
  const bare = /^(host|hostaddr|port|socket|options|(ssl|tls).*(ca|cert|key))$/i
  const isPlain = /^([\w.-]+|\[[\da-f:.]+\])$/i.test(url.hostname)
  if (folders !== undefined && (!isPlain || [...url.searchParams.keys()].some((name) => bare.test(name))))
    throw misconfigured(
      `the address in ${setting} names a socket, a file or settings of its own`,
      "write only user, password, host, port, database and sslmode"
    )
  const found = targetIn(url, setting, folder)
  const target = entered === "internet" ? { ...found, lookup: lookupOutside } : found
  const place: Place = {
    name: nameOf(target),
    setting,
    // Longer texts first, because they contain the shorter ones.
    secrets: [text, url.password, target.password]
  }
  const module = () => (scheme.startsWith("postgres") ? import("./Postgres.ts") : import("./MySql.ts"))
  const most = entered === undefined ? LARGEST_BYTES : LARGEST_ENTERED_BYTES
  return { place, open: async (signal) => (await module()).open(target, { patience, most, signal }) }
}

const targetIn = (url: URL, setting: string, folder: string): Target => {
  try {
    return targetOf(url, folder)
  } catch (cause) {
    if (cause instanceof Unusable) throw misconfigured(`the address in ${setting} ${cause.message}`, cause.hint)
    throw cause
  }
}
