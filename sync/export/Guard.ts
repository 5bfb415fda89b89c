/**
 * Puts an apostrophe in front of text that a spreadsheet would run as a formula (OWASP, CSV injection).
 *
 * What counts is the first visible character, in its normalised form: spreadsheets skip spaces and zero-width characters,
 * and normalise wide, small and superscript signs. A cell may also begin inside the text: a program that uses `;` as
 * separator begins a new cell after each, and if it then no longer recognises the quotes, it begins a new row after each
 * line break.
 */

/** Spaces, control characters, zero-width characters, quotes: what may precede the first visible character. */
const UNSEEN = String.raw`(?:(?![\t\r\n])[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}"])*`

/** Normalised characters that begin a formula, with every dash and sign that counts as a minus or a plus. */
const BEGINS = /^[=+@\p{Pd}\u2212\u02d7\u2795\u2796\u207a\u207b\u207c]/u

const CELLS = new RegExp(String.raw`(^|[;\t\r\n])(${UNSEEN})(?=([^;\t\r\n]))`, "gsu")

/** A tab or a line break at the start is enough for some spreadsheets. */
const CONTROL = /^[\t\r\n]/

const isSign = (seen: string): boolean => BEGINS.test(seen) || BEGINS.test(seen.normalize("NFKC"))

/** Text without any character that could begin a formula; most texts match. */
const HARMLESS = /^[\p{L}\p{N}][\p{L}\p{N} .,:/_#&()]*$/u

/** Whether a spreadsheet would take a text for a formula, if it is the whole cell. */
export const isFormula = (text: string): boolean => {
  if (HARMLESS.test(text)) return false
  if (CONTROL.test(text)) return true
  const [first] = text.matchAll(CELLS)
  return first !== undefined && first.index === 0 && first[1] === "" && isSign(first[3] ?? "")
}

/** The text, with an apostrophe wherever a cell could begin like a formula. */
export const guarded = (text: string): string => {
  if (HARMLESS.test(text)) return text
  const inside = text.replace(CELLS, (whole, before: string, unseen: string, seen: string) =>
    isSign(seen) ? `${before}'${unseen}` : whole
  )
  return CONTROL.test(inside) ? `'${inside}` : inside
}
