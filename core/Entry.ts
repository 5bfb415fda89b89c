/** Maps that have an entry for each key that is asked for: one that lacks it is a mistake of ours, and says so. */
export const entryOf = <K, V>(map: ReadonlyMap<K, V>, key: K): V => {
  const found = map.get(key)
  if (found === undefined) throw new Error(`no entry for ${String(key)}`)
  return found
}
