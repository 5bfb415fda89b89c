/**
 * What a payer sent in another currency than that of the account: as the bank or a person says, or as the books have it at about the rate
 * of another payment of those days. Read-only.
 */
import type { Payment } from "../../connectors/Document.ts"
import * as Currency from "../../core/money/Currency.ts"
import * as Day from "../../core/wire/Day.ts"
import type { Sighting } from "../movements/Join.ts"
import { isByPayer } from "../movements/Join.ts"
import type { Db } from "../state/Database.ts"
import { currencyOfInvoice } from "./Lookups.ts"
import { chosenByPerson } from "./References.ts"

type Money = Pick<Sighting, "amount" | "currency">

interface Came {
  readonly family: string
  readonly payers: ReadonlyArray<string>
  readonly named: Pick<Sighting, "invoices">
  readonly stated: Money
}

interface Which {
  readonly document: number
  readonly key: string
  readonly payment: Payment
}

/** What its payer sent, where that was exchanged; undefined: as far as is known, nothing was. */
export const exchanged = (db: Db, came: Came, which: Which): Money | undefined =>
  asDecided(db, which.key) ?? instructed(db, came, which.payment) ?? asBooked(db, came, which)

/** What it pays of an invoice in another currency, as a person said. */
const asDecided = (db: Db, key: string): Money | undefined => {
  const [part, another] = chosenByPerson(db, key) ?? []
  if (part?.currency === undefined || another !== undefined) return undefined
  return { amount: Currency.toMinorOutward(part.amount, part.currency), currency: part.currency }
}

/** What its bank says that it sent, where the invoices that it may be for are in that currency. */
const instructed = (
  db: Db,
  { family, named: { invoices }, payers }: Came,
  { instructed }: Payment
): Money | undefined => {
  if (instructed === undefined) return undefined
  const { currency } = instructed
  const isMeant =
    invoices.length > 0
      ? invoices.every((one) => currencyOfInvoice(db, one) === currency)
      : currenciesOf(db, family, payers).includes(currency)
  return isMeant ? { amount: Currency.toMinorOutward(instructed.amount, currency), currency } : undefined
}

/** The currencies of a payer's invoices. */
const currenciesOf = (db: Db, pays: string, payers: ReadonlyArray<string>): ReadonlyArray<string> =>
  db
    .prepare(
      "SELECT DISTINCT p.currency FROM json_each(?) n CROSS JOIN payable p ON p.connection = ? AND p.party = n.value"
    )
    .pluck()
    .all(JSON.stringify(payers), pays) as ReadonlyArray<string>

/** Days within which a rate moves less than banks differ. */
const RATE_DAYS = 30

/** How far the rates of two banks and days are apart at most, in percent. */
const APART = 4n

/** What the books have of a payer who is billed in one other currency only, at about the rate of the payment nearest to it. */
const asBooked = (db: Db, { family, named, payers, stated }: Came, { document, payment }: Which): Money | undefined => {
  if (payment.instructed !== undefined || stated.currency === "") return undefined
  const isKnown = db.prepare("SELECT 1 FROM sighting WHERE family = ? AND got IS NOT NULL LIMIT 1").get(family)
  if (isKnown === undefined) return undefined
  const [currency, another] = currenciesOf(db, family, payers)
  if (currency === undefined || another !== undefined || currency === stated.currency) return undefined
  if (named.invoices.some((one) => currencyOfInvoice(db, one) !== currency)) return undefined
  const rate = nearestRate(db, { family, currency, into: stated.currency }, { document, date: payment.date })
  if (rate === undefined) return undefined
  const booked = db
    .prepare(
      `SELECT s.amount, s.date FROM json_each(?) n CROSS JOIN sighting s ON s.family = ? AND s.party = n.value
        AND s.date BETWEEN ? AND ? WHERE s.list = s.family AND s.currency = ?`
    )
    .safeIntegers()
    .all(JSON.stringify(payers), family, ...around(payment.date), currency) as ReadonlyArray<{
    readonly amount: bigint
    readonly date: Day.Day
  }>
  const near = new Set(
    booked.flatMap(({ amount, date }) =>
      isByPayer(date, payment.date) && isAbout(amount * rate.got, stated.amount * rate.sent) ? [amount] : []
    )
  )
  const [only, second] = near
  return only === undefined || second !== undefined ? undefined : { amount: only, currency }
}

/** The days within which a rate holds. */
const around = (date: Day.Day): readonly [first: string, last: string] => [
  Day.addDays(date, -RATE_DAYS),
  Day.addDays(date, RATE_DAYS)
]

/** What came of the payment in these currencies that is nearest to a day. */
const nearestRate = (
  db: Db,
  { currency, family, into }: { readonly family: string; readonly currency: string; readonly into: string },
  { date, document }: { readonly document: number; readonly date: Day.Day }
): { readonly sent: bigint; readonly got: bigint } | undefined =>
  db
    .prepare(
      `SELECT amount AS sent, got FROM sighting WHERE family = ? AND currency = ? AND got_in = ? AND got IS NOT NULL
        AND date BETWEEN ? AND ? AND document <> ? ORDER BY abs(julianday(date) - julianday(?)), document LIMIT 1`
    )
    .safeIntegers()
    .get(family, currency, into, ...around(date), document, date) as
    | { readonly sent: bigint; readonly got: bigint }
    | undefined

const isAbout = (one: bigint, other: bigint): boolean => {
  const apart = one > other ? one - other : other - one
  return apart * 100n <= other * APART
}

/** Payments of other lists of which it may be known now what was sent: those of the payer of what the books have, and where a rate is known. */
export const maybeExchanged = (db: Db, family: string, one: Sighting): ReadonlyArray<number> => {
  const [first, last] = around(one.date)
  if (one.got !== undefined)
    return db
      .prepare(
        `SELECT s.document FROM matching m JOIN sighting s ON s.document = m.document AND s.leader IS NULL AND s.got IS NULL
          WHERE m.pays = ? AND (m.why IS NOT NULL OR m.note <> '') AND m.how = '' AND s.currency = ? AND s.date BETWEEN ? AND ?`
      )
      .pluck()
      .all(family, one.got.currency, first, last) as ReadonlyArray<number>
  const isKnown = db.prepare("SELECT 1 FROM sighting WHERE family = ? AND currency = ? AND got IS NOT NULL LIMIT 1")
  if (!one.isOwn || isKnown.get(family, one.currency) === undefined) return []
  return db
    .prepare(
      `SELECT s.document FROM json_each(?) n CROSS JOIN sighting s ON s.family = ? AND s.party = n.value AND s.date BETWEEN ? AND ?
        JOIN matching m ON m.document = s.document AND m.how = ''
        WHERE s.list <> s.family AND s.currency <> ? AND s.leader IS NULL AND s.got IS NULL`
    )
    .pluck()
    .all(
      JSON.stringify([...one.payers, ...(one.under ?? [])]),
      family,
      first,
      last,
      one.currency
    ) as ReadonlyArray<number>
}
