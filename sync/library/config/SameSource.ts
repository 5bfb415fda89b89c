/** Finds connections that read the same source: everything in it would be sent twice, under two keys. */
import type { Connection } from "../../model/Connection.ts"

type Loose = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is Loose => typeof value === "object" && value !== null

const listOf = (value: unknown): ReadonlyArray<unknown> => (Array.isArray(value) ? value : [value])

interface Reading {
  /** Equal in two connections that read the same. */
  readonly key: string
  /** What a person is told. */
  readonly what: string
}

/** What a connection reads: an account, or each file and query, with the rows that it takes of it. */
const readingsOf = ({ connector, pays, settings }: Connection): ReadonlyArray<Reading> => {
  const identity = connector.identity?.(settings)
  if (identity !== undefined)
    return [{ key: JSON.stringify([connector.name, identity, pays?.connection]), what: identity }]
  const streams: Array<Reading> = []
  const all = Object.entries(settings as Loose)
  const isStream = (value: unknown): boolean =>
    listOf(value).some((one) => isObject(one) && ("path" in one || "query" in one))
  const place = all.filter(([, value]) => !isStream(value))
  for (const [stream, value] of all.filter(([, value]) => isStream(value)))
    for (const one of listOf(value)) {
      const { path, query, sheet, where } = one as Loose
      const key = JSON.stringify([connector.name, place, stream, path, query, sheet, where])
      streams.push({ key, what: `${stream} of ${String(path ?? query)}` })
    }
  return streams
}

export const sameSourceProblems = (connections: ReadonlyArray<Connection>): ReadonlyArray<string> => {
  const first = new Map<string, string>()
  return connections.flatMap((connection, index) => {
    const twin = readingsOf(connection).find(({ key }) => first.has(key))
    for (const { key } of readingsOf(connection)) if (!first.has(key)) first.set(key, connection.id)
    const other = twin === undefined ? undefined : first.get(twin.key)
    return twin === undefined || other === connection.id
      ? []
      : [
          `connections[${index}].source: reads the same as ${other} (${twin.what}), so that everything in it would be sent twice; remove one of the two connections`
        ]
  })
}
