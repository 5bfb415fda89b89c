/**
 * The witness for payments of one connection to another's invoices. It takes the invoice of a payment from the service,
 * unless the payment names one beyond doubt. It checks that the service shows no more of a payment than was received, in the
 * right currency, and nothing that the source does not state.
 */
import type { Notes } from "./Notes.ts"
import {
  type Difference,
  askedTexts,
  keyOf,
  type PlainDocument,
  plainText,
  sayUnits,
  sum,
  type Units
} from "./Plain.ts"

export interface Paying {
  readonly connection: string
  /** The connection whose invoices it pays. */
  readonly pays: string
}

/** Whether a document already has an attention item, so that it is not reported here. */
export type IsKnown = (key: string) => boolean

const NOTHING = "nothing"

const wholeOf = ({ shares = [], unallocated = 0n }: PlainDocument): Units =>
  sum(shares.map(({ amount }) => amount)) + unallocated

/** Invoice numbers do not have more words than this. */
const WORDS = 8

/** Every sequence of words in a text. */
function* rowsOfWords(text: string): Generator<string> {
  const words = plainText(text).split(" ")
  for (let from = 0; from < words.length; from++)
    for (let to = from + 1; to <= Math.min(words.length, from + WORDS); to++) yield words.slice(from, to).join(" ")
}

/** The one invoice that a payment names beyond doubt: by id, by number, or in its text. */
const namedBy = (notes: Notes, pays: string, payment: PlainDocument): string | undefined => {
  const { reference = "", shares = [], unallocated = 0n } = payment
  if (shares.length > 1 || (shares.length === 1 && unallocated !== 0n)) return undefined
  const [share] = shares
  const found = new Set<string>()
  if (share === undefined)
    for (const words of rowsOfWords(reference)) for (const key of notes.numbered(pays, words)) found.add(key)
  else {
    const key = keyOf(pays, "invoice", share.invoice)
    if (notes.find(key) !== undefined) found.add(key)
    for (const one of notes.numbered(pays, plainText(share.invoice))) found.add(one)
  }
  const [key] = found
  if (key === undefined || found.size !== 1) return undefined
  const status = notes.find(key)?.status
  return status === "void" || status === "draft" ? undefined : key
}

/** The first letters of a name, however a bank writes umlauts. */
const beginning = (name: string): string =>
  plainText(name.normalize("NFKD").replace(/\p{M}/gu, ""))
    .replaceAll(" ", "")
    .replace(/([aou])e/g, "$1")
    .slice(0, 6)

/** Whether all of a payment that names another customer's invoice is on invoices of its own payer: the number was mistyped. */
const isOnOwn = (notes: Notes, fact: string, { party, shares = [] }: PlainDocument, named: string): boolean => {
  if (party?.name === undefined || shares.length > 0) return false
  const payer = beginning(party.name)
  const isOwn = (invoice: string) => beginning(notes.find(invoice)?.party?.name ?? "") === payer
  const there = [...notes.standing(fact)].filter(([, amount]) => amount !== 0n)
  return payer !== "" && !isOwn(named) && there.length > 0 && there.every(([invoice]) => isOwn(invoice))
}

/** Days within which another list's posting of the same amount on the same invoice is the same payment. */
const SAME_DAYS = 15

const isNear = (one: string | undefined, other: string | undefined): boolean =>
  one !== undefined && other !== undefined && Math.abs(Date.parse(one) - Date.parse(other)) <= SAME_DAYS * 86_400_000

/** Whether this stands for a payment that the invoice's own books state and the service does not show: it is the same money. */
const isInPlace = (notes: Notes, fact: string, invoice: string, amount: Units): boolean =>
  [...notes.factsOf(invoice)].some(
    ([own, { date, kind, shares = [] }]) =>
      kind === "payment" &&
      sum(shares.flatMap((one) => (invoice.endsWith(keyOf("", "invoice", one.invoice)) ? [one.amount] : []))) ===
        amount &&
      (notes.standing(own).get(invoice) ?? 0n) === 0n &&
      isNear(notes.dayOn(fact, invoice), date)
  )

/** What the service shows of a payment and should not. */
function* standing(
  notes: Notes,
  fact: string,
  document: PlainDocument | undefined,
  isKnown: IsKnown
): Generator<Difference> {
  let whole = 0n
  let inPlace = 0n
  for (const [invoice, amount] of notes.standing(fact)) {
    // What cannot be reversed on an invoice with an attention item may have been reported on another since.
    if (!isKnown(invoice)) whole += amount
    const isItsOwn = document !== undefined && wholeOf(document) === amount
    if (amount > 0n && !isItsOwn && isInPlace(notes, fact, invoice, amount)) {
      inPlace += amount
      continue
    }
    if (amount === 0n || isKnown(fact) || isKnown(invoice)) continue
    const currency = notes.find(invoice)?.currency ?? ""
    const service = `${sayUnits(amount, currency)} on ${invoice}`
    if (document === undefined) yield { document: invoice, fact, what: fact, source: NOTHING, service }
    else if (document.currency !== undefined && document.currency !== currency)
      yield { document: invoice, fact, what: "the currency", source: document.currency, service }
    else {
      const day = notes.dayOn(fact, invoice)
      if (day !== undefined && document.date !== undefined && day !== document.date)
        yield { document: invoice, fact, what: `${fact}, its day`, source: document.date, service: day }
    }
  }
  if (document === undefined) return
  const { currency = "", kind } = document
  const most = wholeOf(document)
  const there = kind === "payment" ? whole : -whole
  if (there > most + inPlace)
    yield {
      document: fact,
      fact,
      what: "on the service",
      source: sayUnits(most, currency),
      service: sayUnits(there, currency)
    }
}

const isSeen = (notes: Notes, invoice: string, fact: string, whole: Units, date: string | undefined): boolean => {
  const list = fact.slice(0, fact.indexOf("/") + 1)
  return notes
    .postedOn(invoice)
    .some((one) => !one.fact.startsWith(list) && one.amount === whole && isNear(one.day, date))
}

/** All differences in what one connection paid for another. */
export function* judgePayments(
  notes: Notes,
  { connection, pays }: Paying,
  isKnown: IsKnown = () => false,
  /** Whether a person chose the payment's invoice: then it need not be the one that it names. */
  isDecided: IsKnown = () => false
): Generator<Difference> {
  for (const fact of notes.posted(connection)) yield* standing(notes, fact, notes.find(fact), isKnown)
  for (const [fact, document] of notes.documents(connection, "payment")) {
    const invoice = namedBy(notes, pays, document)
    if (invoice === undefined || isKnown(fact) || isKnown(invoice) || isDecided(fact)) continue
    const { currency = "" } = document
    const [whole, there] = [wholeOf(document), notes.standing(fact).get(invoice) ?? 0n]
    if (there === whole || isOnOwn(notes, fact, document, invoice)) continue
    if (there === 0n && isSeen(notes, invoice, fact, whole, document.date)) continue
    const service = there === 0n ? NOTHING : sayUnits(there, currency)
    yield { document: invoice, fact, what: `${fact}, which names it`, source: sayUnits(whole, currency), service }
  }
}

/**
 * Whether money of an invoice may have gone back: another list has money that went back and that the service does not show, of the
 * amount of a payment on it, whichever list it stands for there, or with its number in the text. Marking as paid cannot be undone,
 * so that it may wait.
 */
export const mayBeBack = (notes: Notes, paying: ReadonlyArray<string>): MayBeBack => {
  const unseen = paying.flatMap((connection) =>
    [...notes.documents(connection, "reversal")].flatMap(([fact, document]) =>
      [...notes.standing(fact).values()].some((amount) => amount !== 0n) ? [] : [{ connection, document }]
    )
  )
  return ({ currency: its, number = "", reference: asked = "" }, postings) => {
    const own = [...postings.keys()].flatMap((fact) => {
      const document = notes.find(fact)
      return document?.kind === "payment" ? [{ fact, document }] : []
    })
    return unseen.some(({ connection, document: { currency, details = "", reference = "", ...back } }) => {
      const text = plainText(`${reference} ${details}`)
      const isNamed =
        (number !== "" && ` ${text} `.includes(` ${plainText(number)} `)) ||
        [...askedTexts(asked)].some((one) => text.replaceAll(" ", "").includes(one))
      const isAlike = own.some(
        ({ document, fact }) =>
          fact.startsWith(`${connection}/`) && document.currency === currency && wholeOf(document) === wholeOf(back)
      )
      const isOnIt = currency === its && [...postings.values()].includes(wholeOf(back))
      return isNamed || isAlike || isOnIt
    })
  }
}

/** @param postings what the service shows on the invoice, by fact */
export type MayBeBack = (invoice: PlainDocument, postings: ReadonlyMap<string, Units>) => boolean
