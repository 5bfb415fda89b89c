/**
 * Folders of several files about the same things: payments in a list and at the bank, two exports of one list under names that say
 * nothing. Of each invoice it is known what was asked and what was paid.
 */
import { type Pick, picker, type Style, written } from "./DisturbedTexts.ts"
import type { SetupAnswers } from "../../../sync/setup/Answers.ts"
import type { Known } from "./Planned.ts"

export interface Folder {
  readonly names: ReadonlyArray<string>
  readonly files: Readonly<Record<string, string>>
  /** What no file says. */
  readonly answers?: SetupAnswers
  readonly known: ReadonlyMap<string, Known>
}

interface Invoice {
  readonly no: string
  readonly payer: string
  cents: number
  /** Days of September. */
  readonly day: number
}

interface Paid {
  readonly id: string
  readonly no: string
  readonly payer: string
  readonly cents: number
  readonly day: number
}

const HEADS =
  "no customer issued due gross currency payment paidOn paid date text money balance fee thanks rent account".split(" ")

const LANGUAGES = [
  "Invoice Number|Customer|Invoice Date|Due Date|Total|Currency|Payment ID|Payment Date|Amount|Date|Description|Amount|Balance|Fee|thank you|Rent|Account Number",
  "Rechnungsnummer|Kunde|Rechnungsdatum|Fällig am|Bruttobetrag|Währung|Zahlungsnummer|Zahlungsdatum|Betrag|Buchungstag|Verwendungszweck|Betrag|Saldo|Gebühr|Danke|Miete|Kontonummer",
  "Factuurnummer|Klant|Factuurdatum|Vervaldatum|Totaal incl. btw|Valuta|Betalingsnummer|Betaaldatum|Bedrag|Datum|Omschrijving|Bedrag|Saldo|Kosten|dank|Huur|Rekeningnummer",
  "Numéro de facture|Client|Date de facture|Date d'échéance|Montant TTC|Devise|Numéro de paiement|Date de paiement|Montant|Date|Libellé|Montant|Solde|Frais|merci|Loyer|Numéro de compte"
].map((line) => {
  const words = line.split("|")
  return Object.fromEntries(HEADS.map((name, n) => [name, words[n] as string])) as Readonly<Record<string, string>>
})

interface Made {
  readonly pick: Pick
  readonly style: Style
  readonly words: Readonly<Record<string, string>>
  readonly invoices: ReadonlyArray<Invoice>
  readonly paid: ReadonlyArray<Paid>
}

const PAYERS = ["Alder Ltd", "Beech Ltd", "Cherry Ltd", "Damson Ltd", "Elm Ltd"]

const made = (seed: number): Made => {
  const pick = picker(seed)
  const words = LANGUAGES[pick(LANGUAGES.length)] as Made["words"]
  const style = written(pick)
  const invoices = Array.from(
    { length: 5 + pick(5) },
    (_, n): Invoice => ({
      no: `R-${1000 + n}`,
      payer: PAYERS[n % PAYERS.length] as string,
      cents: 1000 + pick(900_000),
      day: 1 + pick(20)
    })
  )
  const paid = invoices.flatMap(({ cents, day, no, payer }, n): ReadonlyArray<Paid> => {
    if (pick(2) === 0) return []
    const part = pick(4) === 0 ? Math.floor(cents / 2) : cents
    return [{ id: `PAY-${n + 1}`, no, payer, cents: part, day: day + 1 + pick(6) }]
  })
  return { pick, style, words, invoices, paid }
}

const invoiceList = (
  { style, words: w }: Omit<Made, "invoices" | "paid" | "pick">,
  invoices: ReadonlyArray<Invoice>
): string =>
  style.file(
    ["no", "customer", "issued", "due", "gross", "currency"].map((one) => w[one] as string),
    invoices.map(({ cents, day, no, payer }) => [
      no,
      payer,
      style.day(9, day),
      style.day(10, day),
      style.money(cents),
      "EUR"
    ])
  )

const knownOf = (invoices: ReadonlyArray<Invoice>, paid: ReadonlyArray<Paid>): Folder["known"] =>
  new Map(
    invoices.map(({ cents, no }) => [
      no,
      { cents, paid: paid.filter((one) => one.no === no).reduce((sum, one) => sum + one.cents, 0) }
    ])
  )

/** What the bank's text says of a payment. */
const TEXTS = [
  "the bank names the invoices",
  "the bank names the payers alone",
  "the bank names the payments",
  "the bank names nothing"
] as const

/** Further things that may be so. */
const MORE = [
  "the bank is days later",
  "the bank has a payment that the list has not",
  "payments without numbers of their own",
  "a running balance",
  "two equal payments on one day",
  "the list of payments in another order"
] as const

export const FOLDER_DISTURBANCES: ReadonlyArray<string> = [...TEXTS, ...MORE]

/** Invoices, a list of the payments for them, and the bank's statement with the same money. */
export const sameMoney = (seed: number): Folder => {
  const of = made(seed)
  const { invoices, pick, style, words: w } = of
  const says = TEXTS[pick(TEXTS.length)] as (typeof TEXTS)[number]
  const more = new Set(Array.from({ length: 1 + pick(3) }, () => MORE[pick(MORE.length)] as (typeof MORE)[number]))
  const [one] = of.invoices as [Invoice]
  // A list without payments is refused.
  const paid =
    of.paid.length > 0 ? [...of.paid] : [{ id: "PAY-1", no: one.no, payer: one.payer, cents: one.cents, day: 22 }]
  const [first] = paid
  if (more.has("two equal payments on one day") && first !== undefined) {
    const half = Math.floor(first.cents / 2)
    paid.splice(0, 1, { ...first, cents: half }, { ...first, id: "PAY-99", cents: half })
  }
  const unpaid = invoices.find(({ no }) => paid.every((one) => one.no !== no))
  const extra: ReadonlyArray<Paid> =
    more.has("the bank has a payment that the list has not") && unpaid !== undefined
      ? [{ id: "PAY-100", no: unpaid.no, payer: unpaid.payer, cents: unpaid.cents, day: 25 }]
      : []
  const listed = more.has("the list of payments in another order") ? paid.toReversed() : paid
  const hasIds = !more.has("payments without numbers of their own")
  const list = style.file(
    [...(hasIds ? ["payment"] : []), "paidOn", "no", "customer", "paid", "currency"].map((one) => w[one] as string),
    listed.map(({ cents, day, id, no, payer }) => [
      ...(hasIds ? [id] : []),
      style.day(9, day),
      no,
      payer,
      style.money(cents),
      "EUR"
    ])
  )
  const later = more.has("the bank is days later") ? 1 + pick(2) : 0
  const textOf = ({ id, no, payer }: Paid): string =>
    says === TEXTS[0]
      ? `${payer} ${no}`
      : says === TEXTS[1]
        ? `${payer} ${w["thanks"]}`
        : says === TEXTS[2]
          ? `${payer} ${id}`
          : "SEPA"
  const moves = [...paid, ...extra]
    .toSorted((a, b) => a.day - b.day)
    .map((one) => ({ day: one.day + later, text: textOf(one), cents: one.cents }))
  const all = [...moves, { day: 28, text: w["rent"] as string, cents: -50_000 }]
  const hasBalance = more.has("a running balance")
  let sum = 100_000
  const bank = style.file(
    ["date", "text", "money", "currency", ...(hasBalance ? ["balance"] : [])].map((one) => w[one] as string),
    all.map(({ cents, day, text }) => [
      style.day(9, day),
      text,
      style.money(cents),
      "EUR",
      ...(hasBalance ? [style.money((sum += cents))] : [])
    ])
  )
  return {
    names: [says, ...more],
    files: { "invoices.csv": invoiceList(of, invoices), "payments.csv": list, "bank.csv": bank },
    known: knownOf(invoices, [...paid, ...extra])
  }
}

const CHANGES = [
  "an amount was corrected",
  "invoices were added",
  "an invoice is gone",
  "the rows are in another order"
] as const

export const COPY_DISTURBANCES: ReadonlyArray<string> = [...CHANGES, "the newer one has the plain name"]

/** Two exports of one list, whose names do not say which is newer. */
export const twoExports = (seed: number): Folder => {
  const of = made(seed)
  const { pick } = of
  const changes = new Set(
    Array.from({ length: 1 + pick(3) }, () => CHANGES[pick(CHANGES.length)] as (typeof CHANGES)[number])
  )
  let newer = of.invoices.map((one) => ({ ...one }))
  const [first] = newer
  if (changes.has("an amount was corrected") && first !== undefined) first.cents += 1000
  // Not the latest one: without it, what is newer would look older.
  const end = Math.max(...newer.map((one) => one.day))
  const gone = changes.has("an invoice is gone") ? newer.findLast(({ day }) => day < end) : undefined
  newer = newer.filter((one) => one !== gone)
  if (changes.has("invoices were added"))
    newer.push(...[1, 2].map((n) => ({ no: `R-${2000 + n}`, payer: "Elm Ltd", cents: 5000 * n, day: 24 + n })))
  if (changes.has("the rows are in another order")) newer.reverse()
  const isPlain = pick(2) === 0
  const names = ["invoices.csv", ["invoices (1).csv", "a.csv", "z.csv"][pick(3)] as string]
  const [recent, old] = (isPlain ? names : names.toReversed()) as [string, string]
  return {
    names: [...changes, ...(isPlain ? ["the newer one has the plain name"] : [])],
    files: { [old]: invoiceList(of, of.invoices), [recent]: invoiceList(of, newer) },
    // Of an invoice that only the older export has, nobody knows; it may stay.
    known: new Map([
      ...(gone === undefined ? [] : [[gone.no, { cents: gone.cents, paid: 0, mayBe: true }] as const]),
      ...knownOf(newer, [])
    ])
  }
}
