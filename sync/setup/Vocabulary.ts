/**
 * Looks up what programs call the columns of their exports, the states of an invoice and the types of documents, with the
 * same data structure for each language. Words are compared without spaces, punctuation, accents and case: "Invoice No." is
 * "invoiceno".
 */
import * as Currency from "../../core/money/Currency.ts"
import { dutch } from "./words/Dutch.ts"
import { english } from "./words/English.ts"
import { french } from "./words/French.ts"
import { german } from "./words/German.ts"
import { italian } from "./words/Italian.ts"
import { spanish } from "./words/Spanish.ts"
import { type InvoiceState, ROLES, type Role, type RowType, type Vocabulary } from "./words/Words.ts"

export type { InvoiceState, Role, RowType }

const LANGUAGES: ReadonlyArray<Vocabulary> = [english, german, french, dutch, spanish, italian]

/** A word in the form for comparison. */
export const squash = (text: string): string =>
  text
    .normalize("NFD")
    .replace(/\p{M}/gu, "")
    .replaceAll("ß", "ss")
    .toLowerCase()
    .replace(/#/g, "no")
    .replace(/[^\p{L}\p{N}]+/gu, "")

/** A heading without a currency in it: `Amount (GBP)`, `Betrag in EUR`, `Total £`. */
const bare = (heading: string): string => {
  const words = heading
    .replace(/\([^)]*\)|\[[^\]]*\]|[£€$¥]/g, " ")
    .trim()
    .split(/\s+/)
  const last = words.at(-1) ?? ""
  if (words.length > 1 && /^[A-Z]{3}$/.test(last) && Currency.isCurrency(last)) words.pop()
  if (words.length > 1 && /^(in|en)$/i.test(words.at(-1) ?? "")) words.pop()
  return words.join(" ")
}

/** The currency that a heading names, as a code. */
export const currencyIn = (heading: string): string | undefined =>
  (heading.match(/\b[A-Z]{3}\b/g) ?? []).find((word) => Currency.isCurrency(word))

interface Known {
  readonly role: Role
  /** 0 for the most likely word of its role. */
  readonly rank: number
  readonly language: string
}

const listed = (words: string): ReadonlyArray<string> => words.split("|").map(squash)

const known = new Map<string, ReadonlyArray<Known>>()
for (const { code, headings } of LANGUAGES)
  for (const role of ROLES)
    for (const [rank, word] of listed(headings[role] ?? "").entries())
      if (word !== "") known.set(word, [...(known.get(word) ?? []), { role, rank, language: code }])

/** The possible roles of a heading, with a likelihood of at most 100. */
export const rolesOf = (
  heading: string
): ReadonlyArray<{ readonly role: Role; readonly score: number; readonly language: string }> => {
  const exact = known.get(squash(heading))
  const found = exact ?? known.get(squash(bare(heading))) ?? []
  return found.map(({ language, rank, role }) => ({ role, language, score: (exact === undefined ? 95 : 100) - rank }))
}

const table = <A extends string>(of: (language: Vocabulary) => Readonly<Record<A, string>>): ReadonlyMap<string, A> =>
  new Map(
    LANGUAGES.flatMap((language) =>
      Object.entries<string>(of(language)).flatMap(([meaning, words]) =>
        listed(words).map((word) => [word, meaning as A] as const)
      )
    ).filter(([word]) => word !== "")
  )

const states = table((language) => language.states)
const types = table((language) => language.types)
const titles = table((language) => language.titles)

/** The meaning of a text in a column of states; `Partially paid (3)` is partially paid. */
export const invoiceStateOf = (text: string): InvoiceState | undefined =>
  states.get(squash(text)) ?? states.get(squash(text.replace(/[\d(].*$/, "")))

export const rowTypeOf = (text: string): RowType | undefined => types.get(squash(text))

/** Texts that mark returned money, as `contains` of a condition. */
export const returnedWords = (language: string): ReadonlyArray<string> =>
  LANGUAGES.filter(({ code }) => code === "en" || code === language).flatMap(({ returned }) => returned.split("|"))

/** The kind of documents that a file's name or title suggests. */
export const titleOf = (text: string): "invoices" | "payments" | "credit_notes" | "orders" | undefined => {
  const whole = squash(text)
  // "credit notes" before "notes": the longest matching word counts.
  const found = [...titles].filter(([word]) => whole.includes(word)).toSorted(([a], [b]) => b.length - a.length)
  return found[0]?.[1]
}
