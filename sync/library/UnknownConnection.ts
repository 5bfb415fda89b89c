/** Writes the message for a connection that is not configured. */
import { nearest } from "../../core/Nearest.ts"

/** @param where where it was looked for, as in ` in daybook.config.json` */
export const unknownConnection = (name: string, known: ReadonlyArray<string>, where = ""): string => {
  const meant = nearest(name, known)
  const hint = meant === undefined ? `available: ${known.join(", ")}` : `did you mean ${JSON.stringify(meant)}?`
  return `connection ${JSON.stringify(name)} not found${where}; ${hint}`
}
