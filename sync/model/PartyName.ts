/**
 * Compares the names of companies and people as a reader would: letters however they are composed, capitals, spaces of every
 * kind and characters that nobody sees make no difference, and a legal form is the same written out or short.
 */
import type { Party } from "../../connectors/Document.ts"
import { partsOfName, isLegalForm, type NameParts } from "./LegalForms.ts"

/**
 * Unicode's compatibility form, without characters that are not seen, in small letters, with single spaces. By way of capitals,
 * as `Straße` and `STRASSE` differ in small letters only.
 */
export const foldName = (name: string): string =>
  name
    .normalize("NFKC")
    .replace(/[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Default_Ignorable_Code_Point}]/gu, (character) =>
      /\s/u.test(character) ? " " : ""
    )
    .toUpperCase()
    .toLowerCase()
    .replace(/[\s\p{Z}]+/gu, " ")
    .trim()

/** The folded name without punctuation, apart from its legal form. */
const partsOf = (name: string): NameParts =>
  partsOfName(
    foldName(name)
      .replace(/(?<=\p{L})\.(?=\p{L}(\.|\s|$))/gu, "")
      .replace(/(?<=(?:^|\s)\p{L})\/(?=\p{L}(?:\s|$))/gu, "")
      .replace(/[\p{Pi}\p{Pf}\p{Ps}\p{Pe}\p{Pd}.,;:'"]+/gu, " ")
      .replace(/ (?:and|und|et|\+) /gu, " & ")
      .replace(/ +/g, " ")
      .trim()
  )

const nameKey = (name: string): string => {
  const { bare, forms } = partsOf(name)
  return forms === "" ? bare : `${bare} ${forms}`
}

/** The folded name without punctuation and legal form: as far as a bank's line goes that leaves it out. */
export const nameWithoutForm = (name: string): string => partsOf(name).bare

/** Whether two names are the same name. A name without a legal form is no name of a company that has one. */
const isSameName = (a: string, b: string): boolean => nameKey(a) === nameKey(b)

/**
 * A number of a register: `HRB 12-34` and `HRB1234` are one, and so are those that differ in zeros before the first digit, which
 * a spreadsheet takes away. Empty without a digit.
 */
const numberKey = (number: string): string => {
  const key = foldName(number).replace(/[^\p{L}\p{N}]+/gu, "")
  return /\d/.test(key) ? key.replace(/^0+(?=.)/, "") : ""
}

/** Whether two texts are the same number of a register. */
export const isSameNumber = (a: string, b: string): boolean =>
  foldName(a) === foldName(b) || (numberKey(a) !== "" && numberKey(a) === numberKey(b))

/** Whether a text of the configuration names a buyer: by the source's id, the service's, a number of a register, or by name. */
export const namesBuyer = (text: string, { company, id, name, regnum, vat }: Party): boolean =>
  [id, company].some((one) => one !== undefined && foldName(one) === foldName(text)) ||
  [regnum, vat].some((one) => one !== undefined && isSameNumber(one, text)) ||
  isSameName(text, name)

/** The same, and a text without a legal form names each company of that name: for lists that keep buyers out. */
export const mayNameBuyer = (text: string, party: Party): boolean =>
  namesBuyer(text, party) || (partsOf(text).forms === "" && partsOf(text).bare === partsOf(party.name).bare)

/** Whether two parties are certainly one: by their numbers where both state one, otherwise by their names and countries. */
export const isSameParty = (a: Party, b: Party): boolean => {
  if (a.regnum !== undefined && b.regnum !== undefined) return isSameNumber(a.regnum, b.regnum)
  if (a.country !== undefined && b.country !== undefined && a.country !== b.country) return false
  return (a.id !== undefined && a.id === b.id) || isSameName(a.name, b.name)
}

/**
 * What stands beside a payment company's brand in the names of its companies, as their terms and imprints have them: `Stripe
 * Technology Europe, Limited`, `PayPal (Europe) S.à r.l. et Cie, S.C.A.`, `Stichting Mollie Payments`, `GoCardless SAS`.
 */
const BESIDE_A_BRAND = new Set(
  "payment payments money client clients service services technology technologies international europe eu uk ireland france deutschland germany nederland netherlands stichting holding holdings et cie sca sà rl".split(
    " "
  )
)

/** Whether a name is a brand's own: nothing but the brand and what its companies are called besides. No `Mollie Smith`. */
export const isOfBrand = (name: string, brand: string): boolean => {
  const [own, words] = [nameKey(brand), nameKey(name).split(" ")]
  return (
    words.includes(own) &&
    words.every((word) => word === own || word.length === 1 || isLegalForm(word) || BESIDE_A_BRAND.has(word))
  )
}

/** Whether a text has a brand as a word of its own, or the beginning of one: `STRIPEPAYMENTS`, but no `PINSTRIPE`. */
export const hasBrand = (text: string, brand: string): boolean =>
  foldName(text)
    .split(/[^\p{L}\p{N}]+/u)
    .some((word) => word.startsWith(nameKey(brand)))
