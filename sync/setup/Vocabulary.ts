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
import * as Meaning from "./words/Meaning.ts"
import { OTHER_HEADINGS, OTHER_STATES, OTHER_TYPES } from "./words/Others.ts"
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
    .replace(/^#(?=\S)/, "")
    .replace(/#/g, "no")
    .replace(/[^\p{L}\p{N}]+/gu, "")

/** A heading without a currency in it: `Amount (GBP)`, `Betrag in EUR`, `Total £`. */
const bare = (heading: string): string => {
  const plain = heading.replaceAll("_", " ")
  const words = (unitIn(plain) === undefined ? plain : plain.replace(HUNDREDTHS, " ").replace(THOUSANDS, " "))
    .replace(/(?<![\s_])[\s_]+$/, "")
    .replace(/\([^()]*\)|\[[^[\]]*\]|[£€$¥]/g, " ")
    .trim()
    .split(/\s+/)
  const last = words.at(-1) ?? ""
  if (words.length > 1 && /^[A-Z]{3}$/.test(last) && Currency.isCurrency(last)) words.pop()
  if (words.length > 1 && /^(in|en)$/i.test(words.at(-1) ?? "")) words.pop()
  return words.join(" ")
}

const HUNDREDTHS =
  /(?<![\p{L}\p{N}])(?:in[\s_]*)?(?:pence|pennies|cents?|centimes?|centavos?|c[ée]ntimos?|centesimi|[øö]re|grosz[ey]?|minor[\s_]?units?|subunits?)(?![\p{L}\p{N}])/iu
const THOUSANDS =
  /(?<![\p{L}\p{N}])(?:(?:in|en)[\s_]+(?:thousands|tausend|tsd\.?|milliers|duizenden|miles|migliaia)|T(?:EUR|GBP|USD|CHF|€)|k[\s_]?(?:EUR|GBP|USD|CHF|[€£$])|[€£$](?:k|000s?))(?![\p{L}\p{N}])|'000/iu

/** The unit that a heading names beside the currency's own: "Total (pence)", "Betrag TEUR". */
export const unitIn = (heading: string): "hundredths" | "thousands" | undefined =>
  /per\s?cent/i.test(heading)
    ? undefined
    : HUNDREDTHS.test(heading)
      ? "hundredths"
      : THOUSANDS.test(heading)
        ? "thousands"
        : undefined

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

for (const words of [Meaning.MEANING, OTHER_HEADINGS])
  for (const role of ROLES)
    for (const [rank, word] of listed(words[role] ?? "").entries())
      if (word !== "" && !(known.get(word) ?? []).some((one) => one.role === role))
        known.set(word, [...(known.get(word) ?? []), { role, rank, language: "" }])

/** Some programs write the table's name before each heading: "Invoice Balance". */
const OF_INVOICE = /^(?:invoice|document|transaction)[\s_/.-]+/i

const TAX = "vat|tax|taxes|gst|hst|mwst|ust|btw|moms|mva|iva|tva|taxe"
const WITH = "inc|incl|including|inclusive|inkl|inklusive|inclusief|einschl|con|avec|inclusa|incluido"
const WITHOUT = "exc|excl|excluding|exclusive|exkl|exklusive|exclusief|ohne|zzgl|sin|hors|esclusa|excluido|before"
const GAP = "[^\\p{L}]+(?:\\p{L}+[^\\p{L}]+){0,2}"
const words = (one: string, other: string) =>
  new RegExp(`(?<!\\p{L})(?:(?:${one})${GAP}(?:${other})|(?:${other})${GAP}(?:${one}))(?!\\p{L})`, "iu")
const TAXED: ReadonlyArray<readonly [RegExp, Role]> = [
  [words(WITH, TAX), "gross"],
  [words(WITHOUT, TAX), "net"]
]

/** An amount may say in any words whether the tax is in it: "Amount Including VAT", "Inc-Tax Amount". */
const taxedRole = (heading: string): ReadonlyArray<Known> =>
  TAXED.flatMap(([pattern, role]) => (pattern.test(heading) ? [{ role, rank: 10, language: "" }] : []))

const TAX_WORDS: ReadonlySet<string> = new Set([TAX, WITH].flatMap((words) => words.split("|")))

/** Whether another heading of a table is this one with tax in it: "Inc-Tax Total" beside "Total". */
export const isBesideTaxed = (heading: string, header: ReadonlyArray<string>): boolean =>
  header.some(
    (other) =>
      other !== heading &&
      TAXED[0]?.[0].test(other) === true &&
      squash(
        other
          .split(/[^\p{L}]+/u)
          .filter((word) => !TAX_WORDS.has(word.toLowerCase()))
          .join("")
      ) === squash(heading)
  )

/** Words that one program writes and another leaves out: "Numéro de facture", "numero_facture". */
const SMALL: ReadonlySet<string> = new Set(
  "de du des d la le les l of the der die das den des vom di del della dell do da van het el los".split(" ")
)

const withoutSmall = (heading: string): string =>
  squash(
    heading
      .split(/[^\p{L}\p{N}#°.]+/u)
      .filter((word) => !SMALL.has(word.toLowerCase()))
      .join(" ")
  )

/** The known headings without their small words. */
const shortened = new Map<string, ReadonlyArray<Known>>()
for (const { code, headings } of LANGUAGES)
  for (const role of ROLES)
    for (const [rank, word] of (headings[role] ?? "").split("|").entries()) {
      const short = withoutSmall(word)
      if (short !== "" && short !== squash(word))
        shortened.set(short, [...(shortened.get(short) ?? []), { role, rank, language: code }])
    }

/** In most languages of Europe these say which of two amounts it is, whatever stands beside them: "Razem brutto", "Umsatz_Netto_EUR". */
const SIDED: ReadonlyArray<readonly [RegExp, Role]> = [
  [/(?<!\p{L})(?:brutto|bruto|brut|lordo|ttc)(?!\p{L})/iu, "gross"],
  [/(?<!\p{L})(?:netto|neto|ht)(?!\p{L})/iu, "net"]
]

const sidedRole = (heading: string): ReadonlyArray<Known> => {
  const found = SIDED.filter(([pattern]) => pattern.test(heading.replaceAll("_", " ")))
  return found.length === 1 ? found.map(([, role]) => ({ role, rank: 12, language: "" })) : []
}

/** The possible roles of a heading, with a likelihood of at most 100. */
export const rolesOf = (
  heading: string
): ReadonlyArray<{ readonly role: Role; readonly score: number; readonly language: string }> => {
  // "Débito (R$)" is no "Debitor".
  const exact = known.get(squash(heading.replace(/\([^()]*\)/g, (part) => (/[£€$¥]/.test(part) ? "" : part))))
  const found =
    exact ??
    known.get(squash(bare(heading))) ??
    known.get(squash(bare(heading).replace(OF_INVOICE, ""))) ??
    known.get(squash(heading.replace(/(?<![\s_])[\s_]+(at|on)$/i, ""))) ??
    // A member of a record, that names it again: "Customer.CustomerName".
    known.get(squash(/^(\p{L}+)\.(\1\p{L}+)$/iu.exec(heading)?.[2] ?? "")) ??
    // A text that a bank divides: "Omschrijving-2", "VWZ14".
    known.get(squash(heading.replace(/(?<![\s_-])[\s_-]*\d{1,2}$/, "")))?.filter(({ role }) => role === "text") ??
    [
      known.get(withoutSmall(heading)),
      shortened.get(withoutSmall(heading)),
      taxedRole(heading),
      sidedRole(heading)
    ].find((one) => one !== undefined && one.length > 0) ??
    []
  return found.map(({ language, rank, role }) => ({ role, language, score: (exact === undefined ? 95 : 100) - rank }))
}

/** States that say what became of a debt, and not whether it is open or paid: these are always asked about. */
const UNSURE: ReadonlySet<string> = new Set(
  listed(
    "complete|completed|failed|uncollectible|written off|write off|charged off|bad debt|refunded|uneinbringlich|abgeschrieben|ausgebucht|erstattet|irrécouvrable|passée en perte|remboursé|remboursée|oninbaar|afgeboekt|terugbetaald|incobrable|reembolsado|reembolsada|inesigibile|rimborsato|rimborsata"
  )
)

export const isUnsure = (text: string): boolean => UNSURE.has(squash(text))

/** What words mean, in one language, in English, and in any: "Storno" cancels an invoice in German, and a debit in Dutch. */
class Meanings<A extends string> {
  readonly #own: ReadonlyMap<string, ReadonlyMap<string, A>>

  constructor(of: (language: Vocabulary) => Readonly<Record<A, string>>) {
    this.#own = new Map(
      LANGUAGES.map((language) => [
        language.code,
        new Map(
          Object.entries<string>(of(language))
            .flatMap(([meaning, words]) => listed(words).map((word) => [word, meaning as A] as const))
            .filter(([word]) => word !== "")
        )
      ])
    )
  }

  get(text: string, language = "en"): A | undefined {
    const word = squash(text)
    const known = this.#own.get(language)?.get(word) ?? this.#own.get("en")?.get(word)
    if (known !== undefined) return known
    const [meaning, ...others] = new Set([...this.#own.values()].flatMap((words) => words.get(word) ?? []))
    return others.length === 0 ? meaning : undefined
  }

  /** The words of a language and of English with their meanings. */
  words(language: string): ReadonlyArray<readonly [string, A]> {
    return [...(this.#own.get(language) ?? []), ...(this.#own.get("en") ?? [])]
  }
}

const states = new Meanings<InvoiceState>((language) => language.states)
const types = new Meanings<RowType>((language) => language.types)

/** The meaning of a text in a column of states; `Partially paid (3)` is partially paid. */
export const invoiceStateOf = (text: string, language?: string): InvoiceState | undefined =>
  states.get(text, language) ?? states.get(text.replace(/[\d(].*$/, ""), language) ?? bySquashed(otherStates, text)

/** The shortest word that may end a longer type: "Abschlagsrechnung", "Recurring invoice". */
const SHORTEST_ENDING = 6

export const rowTypeOf = (text: string, language = "en"): RowType | undefined => {
  const known =
    types.get(text, language) ??
    types.get(text.replace(/(?<!\s)\s*[(#\d].*$/s, ""), language) ??
    bySquashed(otherTypes, text)
  if (known !== undefined) return known
  const word = squash(text)
  const endings = types
    .words(language)
    .filter(([one]) => one.length >= SHORTEST_ENDING && word.endsWith(one))
    .toSorted(([a], [b]) => b.length - a.length)
  return endings[0]?.[1]
}

const meaningsOf = <A extends string>(words: Readonly<Record<A, string>>): ReadonlyMap<string, A> =>
  new Map(
    Object.entries<string>(words).flatMap(([meaning, all]) =>
      all.split("|").map((word) => [squash(word) || word.trim(), meaning as A] as const)
    )
  )

const otherStates = meaningsOf(OTHER_STATES)
const otherTypes = meaningsOf(OTHER_TYPES)
const partlyPaid = meaningsOf({ yes: Meaning.PARTLY_PAID })
const unsent = new Set(listed(Meaning.UNSENT))
const directions = meaningsOf(Meaning.DIRECTIONS)
const wayWords = meaningsOf(Meaning.WAY_WORDS)
const payments = meaningsOf(Meaning.PAYMENT_WORDS)
const answers = meaningsOf({ yes: Meaning.YES, no: Meaning.NO })
const nothing = new Set(Meaning.EMPTY_WORDS.split("|").map((word) => word.toLowerCase()))
const ownAccount = new Set(listed(Meaning.OWN_ACCOUNT))

const bySquashed = <A>(known: ReadonlyMap<string, A>, text: string): A | undefined =>
  known.get(squash(text) || text.trim())

/** Whether a state says that a part was paid: `Partially paid (3)`. */
export const isPartlyPaid = (text: string): boolean =>
  [text, text.replace(/[\d(].*$/, "")].some((one) => partlyPaid.get(squash(one)) !== undefined)

/** Whether a state says only that an invoice was not sent: it may be owed all the same. */
export const isUnsent = (text: string): boolean => unsent.has(squash(text))

/** Which way money went, as the value of a column says it: "Faster Payment In" by its last word. */
export const directionOf = (text: string): "in" | "out" | undefined => {
  const known = bySquashed(directions, text)
  if (known !== undefined) return known
  const words = text.toLowerCase().split(/[^\p{L}]+/u)
  const found = new Set([words[0], words.at(-1)].flatMap((word = "") => wayWords.get(squash(word)) ?? []))
  return found.size === 1 ? [...found][0] : undefined
}

/** Whether the value of a column says that no money moved. */
export const isNoMovement = (text: string): boolean => noMovement.has(squash(text))

/** What became of a payment. */
export const paymentStateOf = (text: string): keyof typeof Meaning.PAYMENT_WORDS | undefined =>
  bySquashed(payments, text)

/** What a column of yes and no says. */
export const yesOrNo = (text: string): "yes" | "no" | undefined => bySquashed(answers, text)

/** Whether a cell that is not empty means nothing, like "-" or "n/a". */
export const isNothing = (text: string): boolean => nothing.has(text.trim().toLowerCase())

const noMovement = new Set(listed(Meaning.NO_MOVEMENT))
const voided = new Set(listed(Meaning.VOIDED))

/** What a column of yes and no says of an invoice where its heading is a state: "Storniert", "Opłacona", "Paid?". */
export const flagIn = (heading: string): "paid" | "void" | undefined => {
  if (voided.has(squash(heading))) return "void"
  const plain = heading.replace(/^is[\s_]+/i, "")
  return !isUnsure(plain) && invoiceStateOf(plain) === "paid" ? "paid" : undefined
}

/** Whether a heading is that of the account that a statement is of. */
export const isOwnAccount = (heading: string): boolean => ownAccount.has(squash(heading))

const suppliers = listed(Meaning.SUPPLIERS)

/** Whether a heading is that of those whom the seller owes: "Supplier Name", "Leverandørnr", but not "Crédit euros". */
export const isSupplierHeading = (heading: string): boolean => {
  const first = squash(heading.trim().split(/[\s_]/)[0] ?? "")
  return suppliers.some((one) => first.startsWith(one))
}

/** What processors call money that went back to a buyer. */
export const REFUNDS = ["refund", "dispute", "chargeback", "erstatt", "rembours", "terugbet", "rimbors", "reembols"]

/** Texts that mark returned money, as `contains` of a condition. */
export const returnedWords = (language: string): ReadonlyArray<string> =>
  LANGUAGES.filter(({ code }) => code === "en" || code === language).flatMap(({ returned }) => returned.split("|"))

const titles: ReadonlyMap<string, "invoices" | "payments" | "credit_notes" | "orders"> = new Map(
  LANGUAGES.flatMap(({ titles }) =>
    Object.entries(titles).flatMap(([kind, words]) =>
      listed(words).map((word) => [word, kind as "invoices" | "payments" | "credit_notes" | "orders"] as const)
    )
  )
)

/** The kind of documents that a file's name or title suggests. */
export const titleOf = (text: string): "invoices" | "payments" | "credit_notes" | "orders" | undefined => {
  const whole = squash(text)
  // "credit notes" before "notes": the longest matching word counts.
  const found = [...titles].filter(([word]) => whole.includes(word)).toSorted(([a], [b]) => b.length - a.length)
  return found[0]?.[1]
}
