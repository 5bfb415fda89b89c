/**
 * Text that a spreadsheet would run as a formula, and an apostrophe in front of it, which makes it text (OWASP, CSV
 * injection).
 *
 * What counts is the first character that is seen, in its plain form: spreadsheets skip blanks and what has no width, and
 * turn wide, small and raised signs into plain ones. And what begins a cell is not only the start of a text: a program
 * that takes `;` for the separator begins a new cell behind each, and one that then no longer sees the quotes begins a
 * new row behind each line end.
 */

/** Blanks, controls, marks without width, quotes: what may stand before the first character that is seen. */
const UNSEEN = String.raw`(?:(?![\t\r\n])[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}"])*`

/** What begins a formula, in its plain form, with every dash and sign that is taken for a minus or a plus. */
const BEGINS = /^[=+@\p{Pd}\u2212\u02d7\u2795\u2796\u207a\u207b\u207c]/u

const CELLS = new RegExp(String.raw`(^|[;\t\r\n])(${UNSEEN})(?=([^;\t\r\n]))`, "gsu")

/** A tab or a line end at the start is enough for some. */
const CONTROL = /^[\t\r\n]/

const isSign = (seen: string): boolean => BEGINS.test(seen) || BEGINS.test(seen.normalize("NFKC"))

/** Nothing in it that could begin a formula anywhere; most texts are such. */
const HARMLESS = /^[\p{L}\p{N}][\p{L}\p{N} .,:/_#&()]*$/u

/** Whether a spreadsheet would take a text for a formula that stands in a cell of its own. */
export const isFormula = (text: string): boolean => {
  if (HARMLESS.test(text)) return false
  if (CONTROL.test(text)) return true
  const [first] = text.matchAll(CELLS)
  return first !== undefined && first.index === 0 && first[1] === "" && isSign(first[3] ?? "")
}

/** The text, with an apostrophe wherever a cell would begin like a formula. */
export const guarded = (text: string): string => {
  if (HARMLESS.test(text)) return text
  const inside = text.replace(CELLS, (whole, before: string, unseen: string, seen: string) =>
    isSign(seen) ? `${before}'${unseen}` : whole
  )
  return CONTROL.test(inside) ? `'${inside}` : inside
}
