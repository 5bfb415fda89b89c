/**
 * The witness for invoices: from the source's documents alone, calculates the open amount of each invoice, what the service
 * must show for each fact, and whether the source's own figure agrees. Every difference is named with both amounts.
 */
import * as Money from "./Money.ts"
import type { MayBeBack } from "./Payments.ts"
import type { InvoiceCase } from "./Notes.ts"
import {
  type Difference,
  keyOf,
  type PlainDocument,
  type PlainTransaction,
  sayUnits,
  sum,
  type Units,
  units,
  dayOf,
  postings
} from "./Plain.ts"

/** The settings of a connection that decide which invoices the service should have. */
export interface InvoiceSettings {
  readonly scope?: {
    readonly issued_after?: string
    readonly issued_before?: string
    readonly currencies?: ReadonlyArray<string>
  }
  /** Whether paid invoices are marked as paid on the service. Default true. */
  readonly report_paid?: boolean
  /** The connections that pay for its invoices. */
  readonly paying?: ReadonlyArray<string>
  /** Whether the connection has payments of its own. */
  readonly hasPayments?: boolean
  /** Why a reversal of another connection went back. */
  readonly typeOf?: (fact: string) => string | undefined
  /** Whether money of an invoice may have gone back. */
  readonly mayBeBack?: MayBeBack
}

/** What cannot be calculated, and why. */
export interface NotChecked {
  readonly document: string
  readonly fact?: string
  readonly why: string
}

export interface Amount {
  readonly currency: string
  readonly open: Units
}

export interface JudgedInvoice {
  readonly key: string
  /** Undefined if the source does not have it as issued, or it is out of scope. */
  readonly source?: Amount
  /** The source's own balance, if it states one. */
  readonly says?: Units
  readonly service: ReadonlyArray<Amount>
  readonly differences: ReadonlyArray<Difference>
  readonly notChecked: ReadonlyArray<NotChecked>
}

const NOTHING = "nothing"

/** The sums of its documents, in the invoice's own currency. */
interface Sums {
  readonly asked: Units
  readonly credited: Units
  /** What the service must show for each payment and reversal, signed. */
  readonly facts: ReadonlyMap<string, Units>
  readonly foreign: ReadonlyArray<string>
}

const sumsOf = (invoice: PlainDocument, { facts: documents }: InvoiceCase): Sums => {
  const facts = new Map<string, Units>()
  const foreign: Array<string> = []
  let credited = 0n
  for (const [key, { currency = invoice.currency, kind, shares = [] }] of documents) {
    const amount = sum(shares.flatMap((share) => (share.invoice === invoice.id ? [share.amount] : [])))
    if (currency !== invoice.currency) foreign.push(key)
    else if (kind === "credit_note") credited += amount
    else facts.set(key, kind === "payment" ? amount : -amount)
  }
  return { asked: invoice.gross ?? invoice.net ?? 0n, credited, facts, foreign }
}

/** Undefined if a side does not state it. */
type Day = string | undefined

interface Dates {
  readonly issued: string | undefined
  readonly due: string | undefined
  readonly facts: ReadonlyMap<string, string>
}

/** If credit notes lowered the instalments, the witness does not know which is the last. */
const datesOf = ({ facts, invoice }: InvoiceCase, { credited }: Sums): Dates => {
  const { due, issued, schedule = [] } = invoice ?? {}
  const last = schedule.at(-1)
  return {
    issued,
    due: last === undefined ? due : credited === 0n ? last.date : undefined,
    facts: new Map([...facts].flatMap(([key, { date }]) => (date === undefined ? [] : [[key, date] as const])))
  }
}

/** The amount still to be paid according to the service. */
const openThere = ({ due, payments, status }: PlainTransaction): Units => {
  if (status === "draft" || status === "paid") return 0n
  const left = units(due) - sum(payments.map(({ amount }) => units(amount)))
  return left < 0n ? 0n : left
}

const isInScope = ({ currency, gross, issued, net }: PlainDocument, { scope = {} }: InvoiceSettings): boolean => {
  const { currencies, issued_after: first, issued_before: last } = scope
  if (issued !== undefined && first !== undefined && issued < first) return false
  if (issued !== undefined && last !== undefined && issued > last) return false
  if (currencies !== undefined && (currency === undefined || !currencies.includes(currency))) return false
  return (gross ?? net ?? 0n) >= 0n
}

/** The payments of other connections that the service shows. */
const elsewhere = (reported: ReadonlyMap<string, Units>, { paying = [] }: InvoiceSettings) =>
  new Map([...reported].filter(([fact]) => paying.some((connection) => fact.startsWith(`${connection}/`))))

const negative = (amount: Units): Units => (amount < 0n ? amount : 0n)

/**
 * Compares the source's own figure with what was read. The source's books may or may not include what another connection
 * paid; an invoice that the source calls paid needs no payments if it has none at all.
 */
const ownWord = (
  { stated, status }: PlainDocument,
  { asked, credited, facts }: Sums,
  others: ReadonlyArray<Units>,
  { hasPayments }: InvoiceSettings
): { readonly says?: Units; readonly follows: Units } => {
  const { beforeReversals, credited: its = credited, open, paid } = stated ?? {}
  const says = open ?? (paid === undefined ? undefined : asked - paid - its)
  const counted = [...facts.values()].filter((amount) => beforeReversals !== true || amount > 0n)
  const byWord = status === "paid" && paid === undefined && hasPayments !== true
  const without = asked - credited - sum(counted)
  const all = Money.possible(without, others).map((left) => (byWord ? negative(left) : left))
  // Of all possible values, the nearest to the source's.
  const apart = (amount: Units) => (says === undefined ? 0n : amount > says ? amount - says : says - amount)
  const follows = all.reduce((nearest, one) => (apart(one) < apart(nearest) ? one : nearest), all[0] ?? without)
  return { ...(says === undefined ? {} : { says }), follows }
}

/** Marking as paid cannot be undone: an invoice may wait for it while its source contradicts it, or still has something open. */
const mayWait = (isSettled: boolean, word: ReadonlyArray<Difference>, says: Units = 0n): boolean =>
  isSettled && (word.length > 0 || says > 0n)

/** Compares days that both sides state: those of the invoice, and of each payment whose amount is right. */
const days = (
  document: string,
  { dates, facts }: { readonly dates: Dates; readonly facts: ReadonlyMap<string, Units> },
  there: PlainTransaction
): ReadonlyArray<Difference> => {
  const reported = postings(there)
  const all: ReadonlyArray<readonly [what: string, source: Day, service: Day, fact?: string]> = [
    ["the issue date", dates.issued, there.issuedOn],
    ["the due date", dates.due, there.dueOn],
    ...[...facts].map(([fact, amount]) => {
      const day = reported.get(fact) === amount ? dayOf(there, fact) : undefined
      return [`${fact}, its day`, dates.facts.get(fact), day, fact] as const
    })
  ]
  return all.flatMap(([what, source, service, fact]) =>
    source === undefined || service === undefined || source === service.slice(0, 10)
      ? []
      : [{ document, ...(fact === undefined ? {} : { fact }), what, source, service }]
  )
}

/** Compares an invoice that is on the service: its amount, its payments, whether it is paid. */
const compared = (
  key: string,
  { currency = "" }: PlainDocument,
  there: PlainTransaction,
  should: {
    readonly total: Units
    readonly facts: ReadonlyMap<string, Units>
    readonly dates: Dates
    readonly open: Units
    readonly isPaid: boolean | undefined
  }
): ReadonlyArray<Difference> => {
  const { facts, isPaid, open, total } = should
  const found: Array<Difference> = []
  const differ = (what: string, source: string, service: string, fact?: string) =>
    void found.push({ document: key, ...(fact === undefined ? {} : { fact }), what, source, service })
  if (there.currency !== currency) differ("the currency", currency, there.currency)
  const isOpen = openThere(there)
  if (open !== isOpen) differ("open", sayUnits(open, currency), sayUnits(isOpen, there.currency))
  if (units(there.due) !== total)
    differ("asked for", sayUnits(total, currency), sayUnits(units(there.due), there.currency))
  const reported = postings(there)
  for (const fact of new Set([...facts.keys(), ...reported.keys()])) {
    const [here, is] = [facts.get(fact), reported.get(fact)]
    if ((here ?? 0n) === (is ?? 0n)) continue
    const text = (amount: Units | undefined, of: string) => (amount === undefined ? NOTHING : sayUnits(amount, of))
    differ(fact === "" ? "a payment without a key" : fact, text(here, currency), text(is, there.currency), fact)
  }
  found.push(...days(key, should, there))
  if (isPaid !== undefined && isPaid !== (there.status === "paid") && open === isOpen)
    differ("the status", isPaid ? "paid" : "open", there.status)
  return found
}

/** Money for an invoice that the source does not have: it counts nowhere, unless all of it went back. */
const orphans = ({ connection, facts, key }: InvoiceCase): ReadonlyArray<NotChecked> => {
  const amountOf = ({ shares = [] }: PlainDocument) =>
    sum(shares.flatMap((one) => (keyOf(connection, "invoice", one.invoice) === key ? [one.amount] : [])))
  const signs: Readonly<Record<string, bigint>> = { payment: 1n, reversal: -1n }
  const all = [...facts]
  if (sum(all.map(([, one]) => (signs[one.kind] ?? 0n) * amountOf(one))) === 0n) return []
  return all.flatMap(([fact, one]) => {
    const why = `${fact} (${sayUnits(amountOf(one), one.currency ?? "")}) is for this invoice, which the source does not have`
    return one.kind === "payment" ? [{ document: key, fact, why }] : []
  })
}

/** What others paid and the source does not state itself: each of its own that is seen elsewhere takes one away. */
const unseen = (
  others: ReadonlyMap<string, Units>,
  own: ReadonlyMap<string, Units>,
  seen: ReadonlySet<string>
): ReadonlyArray<Units> => {
  const left = [...others.values()]
  for (const fact of seen) {
    const at = left.indexOf(own.get(fact) ?? 0n)
    if (at >= 0) left.splice(at, 1)
  }
  return left
}

const secondOf =
  (key: string) =>
  ({ currency, due, id = "" }: PlainTransaction): Difference => ({
    document: key,
    what: "a second transaction of the same invoice",
    source: NOTHING,
    service: `${id}, ${sayUnits(units(due), currency)}`
  })

/** What the service shows of other connections' payments, or in their place. */
const shownFor = (one: InvoiceCase, { facts }: Sums, there: PlainTransaction, settings: InvoiceSettings) =>
  new Map([...elsewhere(postings(there), settings), ...Money.inPlace(facts, one, there)])

/** All differences of one invoice. */
export const judgeInvoice = (one: InvoiceCase, settings: InvoiceSettings): JudgedInvoice => {
  const { held, invoice, key } = one
  const [there, ...more] = held
  const service = held.map((each) => ({ currency: each.currency, open: openThere(each) }))
  const twice = more.map(secondOf(key))
  const base = { key, service, notChecked: invoice === undefined ? orphans(one) : [], differences: twice }
  if (invoice === undefined || invoice.status === "void" || invoice.status === "draft") {
    if (there === undefined || (invoice?.status === "draft" && there.status === "draft")) return base
    const is = invoice?.status ?? NOTHING
    const unissued = {
      document: key,
      what: "the invoice",
      source: is,
      service: sayUnits(units(there.due), there.currency)
    }
    return { ...base, differences: [...twice, unissued] }
  }
  if (there === undefined && !isInScope(invoice, settings)) return base
  const { currency = "" } = invoice
  const sums = sumsOf(invoice, one)
  const others = there === undefined ? new Map<string, Units>() : shownFor(one, sums, there, settings)
  const seen =
    there === undefined ? new Set<string>() : Money.seenElsewhere(sums.facts, one.facts, there, one.connection)
  const facts = new Map([...[...sums.facts].filter(([fact]) => !seen.has(fact)), ...others])
  const asked = sums.asked - sums.credited
  const total = asked < 0n ? 0n : asked
  const received = sum(facts.values())
  const bounced = Money.isBounced(one.facts, others, settings.typeOf ?? (() => undefined))
  const byWord = invoice.status === "paid" && settings.report_paid !== false && !bounced
  const isSettled = byWord || received >= total
  const open = isSettled ? 0n : total - received
  const { follows, says } = ownWord(invoice, sums, unseen(others, sums.facts, seen), settings)
  const word: ReadonlyArray<Difference> =
    says === undefined || says === follows
      ? []
      : [{ document: key, what: "open", says: sayUnits(says, currency), source: sayUnits(follows, currency) }]
  const missing = { document: key, what: "the invoice", source: `${sayUnits(open, currency)} open`, service: NOTHING }
  const isBack = isSettled && there !== undefined && settings.mayBeBack?.(invoice, postings(there)) === true
  const isPaid = settings.report_paid === false || isBack || mayWait(isSettled, word, says) ? undefined : isSettled
  const apart =
    there === undefined
      ? [missing]
      : [
          ...compared(key, invoice, there, { total, facts, dates: datesOf(one, sums), open, isPaid }),
          ...Money.mayBeOne(key, sums.facts, there, currency),
          ...Money.beyondEveryList(key, { own: sums.facts, total }, there, currency)
        ]
  return {
    key,
    source: { currency, open },
    ...(says === undefined ? {} : { says }),
    service,
    differences: [...word, ...twice, ...apart],
    notChecked: sums.foreign.map((fact) => ({
      document: key,
      fact,
      why: `${fact} is not in ${currency}, and counts in no sum`
    }))
  }
}
