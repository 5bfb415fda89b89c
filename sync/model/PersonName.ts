/** The name of a person who decides something, as it is stored and shown. */
import { foldName } from "./PartyName.ts"

/** Names have at most so many characters. */
const LONGEST_NAME = 200

/**
 * Why a text is no person's name; undefined if it is one. A name has a letter or a digit that is seen, and stands on one line:
 * somebody is going to be asked about it.
 *
 * @param empty what to say where nothing was written
 */
export const nameProblem = (name: string, empty = "give the name of the person who decides"): string | undefined => {
  if (name.trim() === "") return empty
  if (/[\r\n\u2028\u2029\v\f\u0085]/u.test(name.trim())) return "a name stands on one line"
  if (!/[\p{L}\p{N}]/u.test(foldName(name))) return "a name has letters: write the name of the person who decides"
  if (/[\p{Cc}\p{Bidi_Control}]/u.test(name.trim())) return "a name has no control characters"
  return name.length > LONGEST_NAME ? `a name has at most ${LONGEST_NAME} characters` : undefined
}
