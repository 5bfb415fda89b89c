/**
 * Compares the names of companies and people as a reader would: letters however they are composed, capitals, spaces of every
 * kind and characters that nobody sees make no difference, and a legal form is the same written out or short.
 */
import type { Party } from "../../connectors/Document.ts"

/** Legal forms written out, and short. The registers' own abbreviations: ISO 20275 (Entity Legal Forms) lists both. */
const LEGAL_FORMS: ReadonlyArray<readonly [long: string, short: string]> = [
  ["public limited company", "plc"],
  ["limited liability partnership", "llp"],
  ["limited liability company", "llc"],
  ["private limited", "ltd"],
  ["limited", "ltd"],
  ["incorporated", "inc"],
  ["corporation", "corp"],
  ["company", "co"],
  ["gesellschaft mit beschränkter haftung", "gmbh"],
  ["aktiengesellschaft", "ag"],
  ["kommanditgesellschaft", "kg"],
  ["offene handelsgesellschaft", "ohg"],
  ["société à responsabilité limitée", "sarl"],
  ["société par actions simplifiée", "sas"],
  ["société anonyme", "sa"],
  ["sociedad anónima", "sa"],
  ["sociedad limitada", "sl"],
  ["società a responsabilità limitata", "srl"],
  ["società per azioni", "spa"],
  ["besloten vennootschap", "bv"],
  ["naamloze vennootschap", "nv"],
  ["aktiebolag", "ab"],
  ["aksjeselskap", "as"],
  ["aktieselskab", "as"],
  ["anpartsselskab", "aps"],
  ["osakeyhtiö", "oy"]
]
const SHORT_FORMS = new Set(LEGAL_FORMS.map(([, short]) => short))

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

/** The folded name without punctuation, its legal form in short. */
const nameKey = (name: string): string => {
  let key = ` ${foldName(name)
    .replace(/(?<=\p{L})\.(?=\p{L}(\.|\s|$))/gu, "")
    .replace(/[.,;:'’"“”()[\]-]+/gu, " ")
    .replace(/ (?:and|und|et) /gu, " & ")
    .replace(/ +/g, " ")
    .trim()} `
  for (const [long, short] of LEGAL_FORMS)
    if (key.endsWith(` ${long} `)) key = `${key.slice(0, -long.length - 1)}${short} `
  return key.trim()
}

const withoutForm = (key: string): string | undefined => {
  const words = key.split(" ")
  while (words.length > 1 && SHORT_FORMS.has(words.at(-1) ?? "")) words.pop()
  const bare = words.join(" ")
  return bare === key ? undefined : bare
}

/** The folded name without punctuation and legal form: as far as a bank's line goes that leaves it out. */
export const nameWithoutForm = (name: string): string => withoutForm(nameKey(name)) ?? nameKey(name)

/** Whether two names are the same name. A name without a legal form is no name of a company that has one. */
const isSameName = (a: string, b: string): boolean => nameKey(a) === nameKey(b)

/** Whether a text of the configuration names a buyer: by the source's id, the service's, a number of a register, or by name. */
export const namesBuyer = (text: string, { company, id, name, regnum, vat }: Party): boolean => {
  const wanted = foldName(text)
  const numbers = [id, company, regnum, vat].flatMap((number) => (number === undefined ? [] : [foldName(number)]))
  return numbers.includes(wanted) || isSameName(text, name)
}

/** The same, and a text without a legal form names each company of that name: for lists that keep buyers out. */
export const mayNameBuyer = (text: string, party: Party): boolean =>
  namesBuyer(text, party) || withoutForm(nameKey(party.name)) === nameKey(text)

/** Whether two parties are certainly one: by their numbers where both state one, otherwise by their names and countries. */
export const isSameParty = (a: Party, b: Party): boolean => {
  if (a.regnum !== undefined && b.regnum !== undefined) return foldName(a.regnum) === foldName(b.regnum)
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
    words.every((word) => word === own || word.length === 1 || SHORT_FORMS.has(word) || BESIDE_A_BRAND.has(word))
  )
}

/** Whether a text has a brand as a word of its own, or the beginning of one: `STRIPEPAYMENTS`, but no `PINSTRIPE`. */
export const hasBrand = (text: string, brand: string): boolean =>
  foldName(text)
    .split(/[^\p{L}\p{N}]+/u)
    .some((word) => word.startsWith(nameKey(brand)))
