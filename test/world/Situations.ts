/** stub */
export const neverReached = (_: ReadonlySet<string>): ReadonlyArray<string> => []
