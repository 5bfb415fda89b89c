/** Maps that have an entry for each key that is asked for: one that lacks it is a mistake of ours, and says so. */
export const entryOf = <K, V>(map: ReadonlyMap<K, V>, key: K): V => {
  const found = map.get(key)
  if (found === undefined) throw new Error(`no entry for ${String(key)}`)
  return found
}

/** A value that is there by now, because of what happened before: where it is not, that is a mistake of ours, too. */
export const given = <A>(value: A, what: string): NonNullable<A> => {
  if (value === undefined || value === null) throw new Error(`${what} should be there by now`)
  return value
}
