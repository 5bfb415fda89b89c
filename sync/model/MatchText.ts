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
