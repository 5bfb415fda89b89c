/** Finds connections that read the same files or queries: everything in them would be sent twice, under two keys. */
import type { Connection } from "../model/Connection.ts"

type Loose = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is Loose => typeof value === "object" && value !== null

const listOf = (value: unknown): ReadonlyArray<unknown> => (Array.isArray(value) ? value : [value])

const isStream = (value: unknown): boolean =>
  listOf(value).some((one) => isObject(one) && ("path" in one || "query" in one))

/** What a connection reads, in words, by what is equal in two that read the same: each file and query, with its rows. */
const readingsOf = ({ connector, planning, settings }: Connection): ReadonlyMap<string, string> => {
  const readings = new Map<string, string>()
  const all = Object.entries(settings as Loose)
  const place = all.filter(([, value]) => !isStream(value))
  for (const [stream, value] of all.filter(([, value]) => isStream(value)))
    for (const one of listOf(value)) {
      const { path, query, sheet, where } = one as Loose
      readings.set(
        JSON.stringify([connector.name, place, planning.owner, stream, path, query, sheet, where]),
        `${stream} of ${String(path ?? query)}`
      )
    }
  return readings
}

export interface Twin {
  readonly connection: Connection
  /** What both read, in words. */
  readonly what: string
}

/** The other connections of the configuration that read the same for the same owner, in its order. */
export const twinsOf = (connection: Connection, all: ReadonlyArray<Connection>): ReadonlyArray<Twin> => {
  const readings = readingsOf(connection)
  return all.flatMap((other) => {
    if (other.id === connection.id) return []
    const [what] = [...readingsOf(other)].flatMap(([key, what]) => (readings.has(key) ? [what] : []))
    return what === undefined ? [] : [{ connection: other, what }]
  })
}
