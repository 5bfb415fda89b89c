/**
 * Changes configurations of which each is different: what an overlay says replaces what is written, and the rest stays. Pure.
 *
 * Members are merged as in RFC 7396 (JSON Merge Patch): null removes one, a list replaces a list. Only `connections` are found
 * by what they are: an entry is for the connections of its `id` and its `source.connector`, and for all if it names neither.
 */
import { isDeepStrictEqual } from "node:util"

type Members = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is Members =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const merged = (value: unknown, over: unknown): unknown => {
  if (!isObject(over)) return over
  const kept = new Map(Object.entries(isObject(value) ? value : {}))
  for (const [name, one] of Object.entries(over))
    if (one === null) kept.delete(name)
    else kept.set(name, merged(kept.get(name), one))
  return Object.fromEntries(kept)
}

const connectorOf = (connection: unknown): unknown => {
  const source = isObject(connection) ? connection["source"] : undefined
  return isObject(source) ? source["connector"] : undefined
}

const isFor = (over: unknown, connection: unknown): boolean => {
  if (!isObject(over) || !isObject(connection)) return false
  const connector = connectorOf(over)
  return (
    (over["id"] === undefined || over["id"] === connection["id"]) &&
    (connector === undefined || connector === connectorOf(connection))
  )
}

/** What is wrong with an overlay; undefined: nothing that can be said without a configuration. */
export const overlayProblem = (over: unknown): string | undefined => {
  if (!isObject(over)) return "write the settings that are to be changed in braces, as in a configuration"
  const { connections = [] } = over
  return Array.isArray(connections) && connections.every(isObject)
    ? undefined
    : "connections: write a list, each entry in braces with the settings to be changed"
}

/** @param over an overlay without a problem */
export const overlaid = (written: unknown, over: unknown): unknown => {
  if (!isObject(written) || !isObject(over)) return written
  const { connections: changes, ...rest } = over
  const { connections, ...others } = written
  const all = Array.isArray(connections) ? (connections as ReadonlyArray<unknown>) : []
  const each = Array.isArray(changes) ? (changes as ReadonlyArray<unknown>) : []
  return {
    ...(merged(others, rest) as Members),
    connections: all.map((one) => each.filter((change) => isFor(change, one)).reduce(merged, one))
  }
}

/** The settings in which one value differs from another, by path; undefined where one is removed. */
export const settingsChanged = (
  before: unknown,
  after: unknown,
  path: ReadonlyArray<string | number> = []
): ReadonlyArray<{ readonly path: ReadonlyArray<string | number>; readonly value: unknown }> => {
  if (isDeepStrictEqual(before, after)) return []
  if (Array.isArray(before) && Array.isArray(after) && before.length === after.length)
    return after.flatMap((one, index) => settingsChanged(before[index], one, [...path, index]))
  if (!isObject(before) || !isObject(after)) return [{ path, value: after }]
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((name) =>
    settingsChanged(before[name], after[name], [...path, name])
  )
}

/** Whether it changes one of these connections. */
export const touches = (over: unknown, connections: ReadonlyArray<unknown>): boolean =>
  !isDeepStrictEqual((overlaid({ connections }, over) as Members)["connections"], connections)
