/**
 * M2: the invoices that the text of a payment names, and whether they count. Who pays comes before what the text says: a
 * number of another known customer's invoice never receives money by itself.
 */
import { type Decimal, sum } from "../../core/money/Decimal.ts"
import * as Currency from "../../core/money/Currency.ts"
import type { Day } from "../../core/wire/Day.ts"
import type { Db } from "../state/Database.ts"
import { type LookupMemory, invoicesNumbered, invoicesReferred, isHeldByAmount } from "./Lookups.ts"
import * as MatchRules from "./Rules.ts"
import type { MatchLimits } from "../model/Connection.ts"
import type { Payable } from "./Tables.ts"
import { hundredths, isEarly } from "./Sums.ts"
import { isDate, isOtherNumber, namesCreditNote, shortForms } from "./Texts.ts"
import { isUnreadable } from "./Unreadable.ts"
import { type Theirs, known, namesake, relationTo } from "./Whose.ts"

interface Said {
  readonly amount: Decimal
  readonly currency: string
  readonly date: Day
  readonly text: string
  readonly theirs: Theirs
  readonly limits: MatchLimits | undefined
  /** Why its source's own link leads nowhere. */
  readonly problem: string | undefined
}

interface ByText {
  readonly how: "reference" | "amount" | ""
  readonly rule: "M1" | "M2" | "M3"
  readonly naming: MatchRules.Names
  readonly says: string
  readonly doubt: boolean
  readonly why?: string
}

const asks = (why: string): ByText => ({ how: "", rule: "M2", naming: MatchRules.NO_NAMES, says: "", doubt: true, why })

interface Named extends MatchRules.Name {
  readonly invoice: Payable
  readonly isDate: boolean
}

/** The invoices with this name; of those that share a reference, which is a customer's then, the one that asks for exactly this. */
const invoicesFor = (
  db: Db,
  memory: LookupMemory,
  name: string,
  { amount, currency, theirs }: Said
): ReadonlyArray<Payable> => {
  const found = invoicesNumbered(db, memory, theirs.pays, name)
  if (found.length > 0) return found
  const minor = `${Currency.toMinorOutward(amount, currency)}`
  const exact = invoicesReferred(db, memory, theirs.pays, name).filter(
    (one) => one.base === minor && one.currency === currency
  )
  return exact.length === 1 ? exact : []
}

/** The invoices that a text names, the longest numbers first; or why a person is needed. */
const namedIn = (
  db: Db,
  memory: LookupMemory,
  inText: ReadonlyArray<MatchRules.Name>,
  said: Said
): ReadonlyArray<Named> | { readonly why: string } => {
  const { currency, date, text, theirs } = said
  const used: Array<Named> = []
  for (const name of inText) {
    if (used.some(({ from, to }) => name.from <= to && name.to >= from)) continue
    const found = invoicesFor(db, memory, name.name, said)
    const [invoice, more] = found.length > 1 ? found.filter((one) => relationTo(db, theirs, one) === "own") : found
    if (invoice === undefined || more !== undefined) {
      if (found.length === 0 && !name.weak && isUnreadable(db, theirs.pays, name.name))
        return { why: `it names ${name.name}, whose record cannot be read` }
      if (found.length > 1) return { why: `it names ${name.name}, and ${found.length} invoices have that number` }
      continue
    }
    const isOther = isDate(name.name, date) || isOtherNumber(text, name)
    // A date or a customer's number is no name, unless it is the payer's own invoice.
    if (isOther && !["own", "unknown"].includes(relationTo(db, theirs, invoice))) continue
    if (invoice.currency !== currency) {
      const what =
        currency === "" ? "but the source does not state the payment's currency" : `which is in ${invoice.currency}`
      return { why: `it names ${MatchRules.names([invoice.key])}, ${what}` }
    }
    used.push({ ...name, weak: name.weak || isOther, isDate: isOther, invoice })
  }
  return used
}

/**
 * M1: the payer's invoices that a text names and that ask together for exactly what the payer sent in their currency, where the bank exchanged
 * it: its amount in the account's currency says nothing of them.
 */
export const byInstructed = (
  db: Db,
  memory: LookupMemory,
  inText: ReadonlyArray<MatchRules.Name>,
  {
    instructed,
    theirs
  }: { readonly instructed: { readonly currency: string; readonly amount: Decimal }; readonly theirs: Theirs }
): ReadonlyArray<MatchRules.Share> => {
  const found = new Map(
    inText.flatMap(({ name }) => {
      const [one, another] = invoicesNumbered(db, memory, theirs.pays, name)
      const isOwn = one !== undefined && another === undefined && relationTo(db, theirs, one) === "own"
      return isOwn && one.currency === instructed.currency ? [[one.key, one] as const] : []
    })
  )
  const shares = [...found.values()].map(({ base, currency, key }) => ({
    invoice: key,
    amount: Currency.ofMinor(BigInt(base), currency)
  }))
  return shares.every(({ amount }) => amount > 0n) && sum(shares.map(({ amount }) => amount)) === instructed.amount
    ? shares
    : []
}

/**
 * Why a person is to look at a payment that the service has on invoices: its text names others of the same customer, and none of
 * these. When it was reported, those were not known; or another invoice has the number now. Not where another payment of the payer has the
 * named one by as much: to the service it is the same which has which.
 */
export const namesOthers = (
  db: Db,
  memory: LookupMemory,
  inText: ReadonlyArray<MatchRules.Name>,
  {
    amount,
    currency,
    date,
    stands,
    text,
    theirs
  }: Omit<Said, "limits" | "problem"> & {
    readonly stands: ReadonlyArray<string>
  }
): string | undefined => {
  const others = new Set<string>()
  const of = { ...theirs, amount: Currency.toMinorOutward(amount, currency) }
  for (const name of inText) {
    const found = invoicesNumbered(db, memory, theirs.pays, name.name)
    if (found.some(({ key }) => stands.includes(key))) return undefined
    const [one, another] = found
    if (name.weak || isDate(name.name, date) || isOtherNumber(text, name) || isHeldByAmount(db, of, name.name)) continue
    if (one !== undefined && another === undefined && relationTo(db, theirs, one) === "own") others.add(one.key)
  }
  if (others.size === 0) return undefined
  return `it is reported on ${MatchRules.names(stands)}, and its text names ${MatchRules.names([...others])}`
}

/** By the numbers in its reference; if there are none that count, it waits for an amount. */
export const byText = (db: Db, memory: LookupMemory, inText: ReadonlyArray<MatchRules.Name>, said: Said): ByText => {
  const { amount, currency, problem, text, theirs } = said
  const named = namedIn(db, memory, inText, said)
  if ("why" in named) return asks(named.why)
  const isForeign = ({ invoice }: Named) => relationTo(db, theirs, invoice) === "foreign"
  const foreign = named.filter(isForeign)
  const own = named.filter((one) => !isForeign(one))
  const says =
    foreign.length === 0
      ? ""
      : `it names ${MatchRules.names(foreign.map(({ invoice }) => invoice.key))} of another customer`
  const minor = `${Currency.toMinorOutward(amount, currency)}`
  if (own.length > 0) {
    const wants = [...new Set(own.map(({ invoice }) => invoice.key))]
    const isStranger = own.some(({ invoice }) => relationTo(db, theirs, invoice) === "stranger")
    const like = isStranger ? namesake(db, theirs, { base: minor, currency, wants }) : undefined
    if (like !== undefined)
      return asks(
        `it names ${MatchRules.names(wants)} of another customer, and ${MatchRules.names([like])}, of a customer with a name like the payer's, asks for exactly this amount`
      )
    const noPart = isStranger
      ? "its payer is not the customer, and it is only a part"
      : namesCreditNote(text)
        ? "the text says that a credit note was deducted"
        : undefined
    const whole = own.length === 1 && own[0]?.invoice.base === minor
    // Nobody writes the number of an invoice that they do not have yet, unless they pay in advance.
    const isAhead = own.every(({ invoice }) => invoice.issued > said.date)
    const inShort = whole
      ? []
      : [...new Set(own.flatMap((one) => short(db, memory, one, said)))].filter((key) => !wants.includes(key))
    const naming: MatchRules.Names = {
      wants,
      inShort,
      weak: foreign.length > 0 || own.some(({ weak }) => weak),
      noPart,
      discount: discountFor(
        said,
        own.map(({ invoice }) => invoice)
      ),
      isAhead,
      beside: isAhead || !whole ? beside(db, said, { minor, wants }, isAhead) : []
    }
    return { how: "reference", rule: "M2", naming, says, doubt: isStranger || !whole }
  }
  // The digits of another customer's invoice, and its amount as well: a person knows who paid for whom.
  if (foreign.some(({ invoice }) => invoice.open === minor || invoice.base === minor))
    return asks(`${says}, in its exact amount`)
  // If a named invoice does not exist (yet), another one of the same amount is no substitute.
  if (problem !== undefined)
    return { how: "", rule: "M1", naming: MatchRules.NO_NAMES, says, doubt: false, why: problem }
  const none = { rule: "M3", naming: MatchRules.NO_NAMES, says, doubt: false } as const
  return currency === "" ? { ...none, how: "", why: "no reference, and no currency" } : { ...none, how: "amount" }
}

/** The discount that may be taken of these invoices on the payment's day. */
const discountFor = ({ date, limits }: Said, invoices: ReadonlyArray<Payable>): bigint | undefined => {
  const discount = limits?.discount
  return discount !== undefined && invoices.every(({ issued }) => isEarly(issued, date, discount.days))
    ? hundredths(discount.percent)
    : undefined
}

/** The payer's own invoices that a number is followed by in short. */
const short = (db: Db, memory: LookupMemory, named: Named, { currency, text, theirs }: Said): ReadonlyArray<string> =>
  shortForms(text, named).flatMap((number) => {
    const [one, another] = invoicesNumbered(db, memory, theirs.pays, number)
    return one === undefined ||
      another !== undefined ||
      one.currency !== currency ||
      relationTo(db, theirs, one) !== "own"
      ? []
      : [one.key]
  })

/** The payer's other invoices that ask for exactly this amount; or those of them that there were when it came. */
const beside = (
  db: Db,
  { currency, date, theirs }: Said,
  { minor, wants }: { readonly minor: string; readonly wants: ReadonlyArray<string> },
  wereThere: boolean
): ReadonlyArray<string> =>
  known(db, theirs, { currency, base: minor }).flatMap((invoice) =>
    wants.includes(invoice.key) || relationTo(db, theirs, invoice) !== "own" || (wereThere && invoice.issued > date)
      ? []
      : [invoice.key]
  )
