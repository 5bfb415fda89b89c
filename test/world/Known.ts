/** stub */
export const unknown = (names: ReadonlyArray<string>): ReadonlyArray<string> => names
