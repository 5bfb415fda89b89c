/**
 * The name of a payer or customer as matching compares it: banks write names in capitals, without accents, umlauts as two
 * letters (SWIFT's character set has neither), with the legal form long, short or left out, and cut at 27 characters
 * (field :86: of MT940, subfield ?32).
 */

/** Both are empty if there is no name. */
export interface PayerName {
  /** Letters and digits, without the legal form. */
  readonly party: string
  /** The legal form, short. */
  readonly form: string
}

const NOBODY: PayerName = { party: "", form: "" }

/** How banks write what their character set lacks; other accents are left out. */
const LETTERS: Readonly<Record<string, string>> = {
  Ä: "AE",
  Ö: "OE",
  Ü: "UE",
  ẞ: "SS",
  ß: "SS",
  Ø: "OE",
  Æ: "AE",
  Œ: "OE",
  Å: "AA",
  Ł: "L",
  Đ: "D",
  Ð: "D",
  Þ: "TH"
}
const SPECIAL = /[ÄÖÜẞßØÆŒÅŁĐÐÞ]/g

/** Legal forms written in one word, and short. The registers' own abbreviations: ISO 20275 (Entity Legal Forms). */
const FORMS: ReadonlyMap<string, string> = new Map(
  (
    "GMBH AG KG OHG UG EK EKFM EV GBR SE MBH EG PLC LTD LLP LLC LP INC CORP CO SARL SAS SASU EURL SA SL SLU SRL SPA " +
    "SNC SCS BV NV VOF CV AB HB AS ASA APS IS OY OYJ KFT ZRT SRO DOO OOD EOOD PTY PTE SPZOO"
  )
    .split(" ")
    .map((form): readonly [string, string] => [form, form])
    .concat([
      ["LIMITED", "LTD"],
      ["INCORPORATED", "INC"],
      ["CORPORATION", "CORP"],
      ["COMPANY", "CO"],
      ["AKTIENGESELLSCHAFT", "AG"],
      ["KOMMANDITGESELLSCHAFT", "KG"],
      ["AKTIEBOLAG", "AB"],
      ["AKSJESELSKAP", "AS"],
      ["AKTIESELSKAB", "AS"],
      ["ANPARTSSELSKAB", "APS"],
      ["OSAKEYHTIO", "OY"],
      ["OSAKEYHTIOE", "OY"]
    ])
)

/** Legal forms of several words. */
const PHRASES: ReadonlyArray<readonly [RegExp, string]> = [
  [/ GESELLSCHAFT MIT BESCHRAENKTER HAFTUNG(?= |$)/, " GMBH"],
  [/ OFFENE HANDELSGESELLSCHAFT(?= |$)/, " OHG"],
  [/ PUBLIC LTD CO(?= |$)| PUBLIC LIMITED COMPANY(?= |$)/, " PLC"],
  [/ LIMITED LIABILITY PARTNERSHIP(?= |$)/, " LLP"],
  [/ LIMITED LIABILITY COMPANY(?= |$)/, " LLC"],
  [/ PRIVATE LIMITED(?= |$)/, " LTD"],
  [/ SOCIETE A RESPONSABILITE LIMITEE(?= |$)| S A R L(?= |$)/, " SARL"],
  [/ SOCIETE ANONYME(?= |$)| SOCIEDAD ANONIMA(?= |$)| S A(?= |$)/, " SA"],
  [/ SOCIEDAD LIMITADA(?= |$)| S L(?= |$)/, " SL"],
  [/ SOCIETA PER AZIONI(?= |$)| S P A(?= |$)/, " SPA"],
  [/ SOCIETA A RESPONSABILITA LIMITATA(?= |$)| S R L(?= |$)/, " SRL"],
  [/ BESLOTEN VENNOOTSCHAP(?= |$)| B V(?= |$)/, " BV"],
  [/ NAAMLOZE VENNOOTSCHAP(?= |$)| N V(?= |$)/, " NV"],
  [/ SP Z O O(?= |$)/, " SPZOO"],
  [/ E K(?= |$)/, " EK"],
  [/ E V(?= |$)/, " EV"]
]

/** Words between others that are written in several ways, or left out. */
const BETWEEN = new Set(["AND", "UND", "U", "ET", "Y"])

const fold = (name: string): string => {
  const upper = name
    .normalize("NFC")
    .toUpperCase()
    .replace(SPECIAL, (letter) => LETTERS[letter] ?? "")
  return upper
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .replace(/(?<=\p{L})[.'’](?=\p{L})/gu, "")
}

const PLAIN = /^[\p{ASCII}]*$/u

const read = (name: string): PayerName => {
  const plain = PLAIN.test(name) && !/[.'+&]/.test(name) ? name.toUpperCase() : fold(name)
  let text = ` ${plain.replace(/[^\p{L}\p{N}]+/gu, " ").trim()}`
  // An owner's name after the shop's own: `CAFE KURZ INH. M. KURZ`.
  const owner = text.search(/ (INH|INHABER|INHABERIN) /)
  if (owner > 0) text = text.slice(0, owner)
  for (const [phrase, short] of PHRASES) text = text.replace(phrase, short)
  const words = text.split(" ").filter((word) => word !== "" && !BETWEEN.has(word))
  const forms: Array<string> = []
  for (let last = words.at(-1); words.length > 1 && last !== undefined; last = words.at(-1)) {
    const form = FORMS.get(last)
    if (form === undefined) break
    forms.unshift(form)
    words.pop()
  }
  return { party: words.join(""), form: forms.join("") }
}

/** Names repeat: a customer has many invoices. */
const KEPT = 20_000
const known = new Map<string, PayerName>()

export const payerName = (name: string | undefined): PayerName => {
  if (name === undefined || name === "") return NOBODY
  const before = known.get(name)
  if (before !== undefined) return before
  if (known.size >= KEPT) known.clear()
  const folded = read(name)
  known.set(name, folded)
  return folded
}

/** Banks cut names here; a shorter name is complete. */
const CUT = 27

/** No name ends so: `GMBH & CO.`, cut before the space that follows. */
const GOES_ON = /(?:[&+]|\b(?:u|und|and|et|co)\.?)$/i

/** Whether a bank may have cut the name: then it is only the beginning of one. */
export const isCut = (name: string | undefined): boolean => {
  const left = name?.trim() ?? ""
  return left.length === CUT || (left.length === CUT - 1 && GOES_ON.test(left))
}

/** All letters of a name, its legal form as well: what a cut name is the beginning of. */
export const letters = ({ form, party }: PayerName): string => party + form

/** Whether forms of one name can be those of one company: the same one, or one of them is not written. */
export const fitsForm = (a: string, b: string): boolean => a === b || a === "" || b === ""

/** Shorter beginnings are shared by many names. */
const ALIKE = 6

/** Whether two names are alike enough to propose one for the other, and no more. */
export const isAlike = (a: PayerName, b: PayerName): boolean => {
  const [short, long] = a.party.length < b.party.length ? [a.party, b.party] : [b.party, a.party]
  return short.length >= ALIKE && loose(long).startsWith(loose(short))
}

/** Umlauts that a bank wrote as one letter. */
const loose = (party: string): string => party.replace(/([AOU])E/g, "$1")

/** The beginnings that a bank may have left of a name. */
export const beginnings = (all: string): ReadonlyArray<string> =>
  Array.from({ length: Math.max(0, all.length - ALIKE + 1) }, (_, n) => all.slice(0, ALIKE + n)).slice(0, CUT)
