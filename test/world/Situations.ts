/** stub */
export const SITUATIONS: ReadonlyArray<string> = []
