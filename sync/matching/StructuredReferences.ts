/**
 * References with check digits that people write in groups with spaces between them, as they are printed on invoices. Each
 * standard's own check says where one ends, so that other digits of a text are not taken into it. Pure.
 */
/** A word of a text in capitals, and where it stands. */
interface Word {
  readonly word: string
  readonly index: number
}

/** Eight groups of four hold the longest `RF` reference, six of five the longest other one. */
const MOST_GROUPS = 8

const LONGEST = 27

const modulo97 = (digits: string): bigint => BigInt(digits) % 97n

/** ISO 11649, and the European guideline on its use: `RF18 5390 0754 7034`; letters count from 10, the check stands at the end. */
const isCreditorReference = (text: string): boolean =>
  /^RF\d{2}[0-9A-Z]{1,21}$/.test(text) &&
  modulo97([...`${text.slice(4)}${text.slice(0, 4)}`].map((sign) => Number.parseInt(sign, 36)).join("")) === 1n

/** Febelfin, structured communication: `123 4567 89012`, ten digits and their remainder by 97, which is 97 for 0. */
const isBelgian = (text: string): boolean => {
  const remainder = modulo97(text.slice(0, 10))
  return text.length === 12 && (remainder === 0n ? 97n : remainder) === BigInt(text.slice(10))
}

const CARRY = [0, 9, 4, 6, 8, 2, 7, 1, 3, 5]

/** SIX, Swiss Implementation Guidelines QR-bill, annex B: `21 00000 00003 13947 14300 09017`, modulo 10 recursive. */
const isSwiss = (text: string): boolean => {
  let carry = 0
  for (const digit of text.slice(0, -1)) carry = CARRY[(carry + Number(digit)) % 10] ?? 0
  return text.length === 27 && (10 - carry) % 10 === Number(text.slice(-1))
}

const WEIGHTS = [7, 3, 1]

/** Finance Finland, reference number: `12 34561`, in fives from the right, weights 7, 3 and 1 from the right. */
const isFinnish = (text: string, groups: ReadonlyArray<string>): boolean => {
  if (text.length < 6 || text.length > 20 || groups.some((one, at) => at > 0 && one.length !== 5)) return false
  const sum = [...text.slice(0, -1)]
    .reverse()
    .reduce((total, digit, at) => total + Number(digit) * (WEIGHTS[at % 3] ?? 0), 0)
  return (10 - (sum % 10)) % 10 === Number(text.slice(-1))
}

const isReference = (groups: ReadonlyArray<string>): boolean => {
  const text = groups.join("")
  if (!/^\d+$/.test(text)) return isCreditorReference(text)
  return isBelgian(text) || isSwiss(text) || ((groups[0]?.length ?? 0) <= 5 && isFinnish(text, groups))
}

/** Whether there can be any: most texts have none, and this is quicker than looking. */
const MAY_HAVE = /(?:^|[^0-9A-Z])(?:RF\d\d|\d+) [0-9A-Z]/

/** A reference without its spaces, and the first and last of its words. */
interface Reference {
  readonly name: string
  readonly from: number
  readonly to: number
}

/** @param upper the text in capitals, `words` its words */
export const referencesIn = (upper: string, words: ReadonlyArray<Word>): ReadonlyArray<Reference> => {
  if (!MAY_HAVE.test(upper)) return []
  const found: Array<Reference> = []
  for (let from = 0; from < words.length; from++) {
    const groups: Array<string> = []
    let end: number | undefined
    let length = 0
    for (const [nth, { index, word }] of words.slice(from, from + MOST_GROUPS).entries()) {
      if (end !== undefined && (index !== end + 1 || upper[end] !== " ")) break
      length += word.length
      if (length > LONGEST) break
      groups.push(word)
      end = index + word.length
      if (nth > 0 && isReference(groups)) found.push({ name: groups.join(""), from, to: from + nth })
    }
  }
  return found
}
