/** Returns an entry that must exist; a missing one is a bug, and the error says so. */
export const entryOf = <K, V>(map: ReadonlyMap<K, V>, key: K): V => {
  const found = map.get(key)
  if (found === undefined) throw new Error(`no entry for ${String(key)}`)
  return found
}

/** Returns a value that must be present by now; a missing one is a bug, and the error says so. */
export const given = <A>(value: A, what: string): NonNullable<A> => {
  if (value === undefined || value === null) throw new Error(`internal error: ${what} is missing`)
  return value
}
