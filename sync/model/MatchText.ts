/** The form of numbers and names in which matching compares them. */

/** Few texts have other characters; for these, plain regular expressions do, which are several times as fast. */
const PLAIN = /^[ -~\n]*$/

/** Letters and digits only, in capitals: `inv-0012` and `INV 0012` are the same number. */
export const normal = (text: string): string =>
  PLAIN.test(text)
    ? text.toUpperCase().replace(/[^A-Z0-9]+/g, "")
    : text
        .normalize("NFKD")
        .toUpperCase()
        .replace(/[^\p{L}\p{N}]+/gu, "")

/** From this length on, digits are a reference of fixed width: banks fill it with zeros in front, or leave them out. */
const FIXED_WIDTH = 16

/** A number or reference as references are compared: one of fixed width without the zeros in front (`normal` before). */
export const withoutZeros = (text: string): string =>
  text.length >= FIXED_WIDTH && /^0\d+$/.test(text) ? text.replace(/^0+/, "") : text

/**
 * What a buyer is asked to write instead of the number, one in each line, as it is compared; without the names it has anyway,
 * and what is no name at all ("Invoice", "12").
 */
export const referencesOf = (stated: string | undefined, others: ReadonlyArray<string>): ReadonlyArray<string> =>
  stated === undefined
    ? []
    : [...new Set(stated.split("\n").map((line) => withoutZeros(normal(line))))].filter(
        (one) => one.length >= 4 && one.length <= 40 && /\p{N}/u.test(one) && !others.includes(one)
      )
