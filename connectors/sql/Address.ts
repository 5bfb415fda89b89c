/**
 * Finds the database's address in the settings and the environment, and opens it. A driver is loaded only when a database
 * of its kind is opened.
 */
import { existsSync } from "node:fs"
import { resolve } from "node:path"
import { isOutside, OUTSIDE } from "../Confined.ts"
import type { ConnectorContext } from "../Connector.ts"
import { notSet } from "../Secrets.ts"
import type { Driver } from "./Driver.ts"
import { misconfigured, type Place } from "./Failures.ts"
import type { Settings } from "./Settings.ts"

export interface Address {
  readonly place: Place
  readonly open: () => Promise<Driver>
}

const EXAMPLE = "postgresql://user:password@host:5432/books, mysql://user:password@host:3306/books or sqlite:books.db"

const sqlite = (
  file: string,
  setting: string,
  { folder, folders }: Pick<ConnectorContext, "folder" | "folders">
): Address => {
  const path = resolve(folder, file)
  const place: Place = { name: file, setting, secrets: [] }
  return {
    place,
    open: async () => {
      if (isOutside(path, folders)) throw misconfigured(`${setting}: the file ${OUTSIDE.what}`, OUTSIDE.hint)
      if (!existsSync(path)) {
        throw misconfigured(
          `there is no file ${path}`,
          `correct ${setting}; it is relative to the configuration's folder`
        )
      }
      return (await import("./Sqlite.ts")).open(path)
    }
  }
}

/** Throws a `SourceError`. */
export const of = ({ file, url }: Settings, context: ConnectorContext): Address => {
  if (url === undefined) return sqlite(file ?? "", "source.file", context)
  const setting = `the variable ${url.env}`
  const text = context.environment?.[url.env]?.trim() ?? ""
  if (text === "") {
    throw misconfigured(notSet(url.env), `set it to the database's address, like ${EXAMPLE}`)
  }
  const scheme = /^([a-z]+):/i.exec(text)?.[1]?.toLowerCase() ?? ""
  if (scheme === "sqlite" || scheme === "file") {
    return sqlite(text.slice(scheme.length + 1).replace(/^\/\/(?=\/|[^/])/, ""), setting, context)
  }
  const wrong = misconfigured(`${setting} is not the address of a database`, `set it to one, like ${EXAMPLE}`)
  if (!["postgres", "postgresql", "mysql", "mariadb"].includes(scheme) || !URL.canParse(text)) throw wrong
  const { host, password, pathname, searchParams } = new URL(text)
  const database = decoded(pathname.slice(1))
  const place: Place = {
    name: `${database === "" ? "the database" : database} on ${host === "" ? (searchParams.get("host") ?? "this machine") : host}`,
    setting,
    // Longer texts first, because they contain the shorter ones.
    secrets: [text, password, decoded(password)]
  }
  const postgres = scheme.startsWith("postgres")
  return {
    place,
    open: async () => (postgres ? (await import("./Postgres.ts")).open(text) : (await import("./MySql.ts")).open(text))
  }
}

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
