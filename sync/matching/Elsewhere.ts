/**
 * "Rg. 1002" names INV-1002. If that is paid or void, asks for another amount, or cannot be read, the payment is not for another
 * invoice that the same customer happens to owe in this amount. Read-only.
 */
import type { Invoice } from "../../connectors/Document.ts"
import * as Currency from "../../core/money/Currency.ts"
import type { Day } from "../../core/wire/Day.ts"
import * as Body from "../state/Body.ts"
import type { Db } from "../state/Database.ts"
import type { Aliases } from "./Aliases.ts"
import type { Fitting } from "./Amounts.ts"
import * as MatchRules from "./Rules.ts"
import { isDate, isEndOf } from "./Texts.ts"
import { unreadableLike } from "./Unreadable.ts"

const ENDING = `SELECT d.key, d.body, p.payable = 1 AND p.open > 0 AS isOpen FROM json_each(:names) n
  CROSS JOIN payable p ON p.connection = :pays AND p.party = n.value AND substr(p.number, -length(:end)) = :end
  JOIN document d ON d.id = p.invoice WHERE n.value <> '' ORDER BY d.key LIMIT 20`

interface Ending {
  readonly key: string
  readonly body: string
  readonly isOpen: number
}

interface Sought {
  readonly pays: string
  readonly currency: string
  /** In minor units. */
  readonly amount: string
}

const isOfAmount = (body: string, { amount, currency: its }: Sought): boolean => {
  const { currency, gross } = Body.read(body) as Invoice
  return currency === its && gross !== undefined && `${Currency.toMinorOutward(gross, currency)}` === amount
}

/**
 * Why a payment is for none of the payer's open invoices of its amount.
 *
 * @param sought the amount of the payment
 * @param said numbers in its text, as `normal` writes them
 */
export const meantElsewhere = (
  db: Db,
  sought: Sought,
  { date, party, said }: { readonly date: Day; readonly party: string; readonly said: ReadonlyArray<string> },
  aliases: Aliases
): string | undefined => {
  const ends = said.filter((one) => isEndOf(one, one) && !isDate(one, date))
  if (ends.length === 0) return undefined
  const names = JSON.stringify([party, ...(aliases.by.get(party) ?? []).map((one) => one.party)])
  const find = db.prepare(ENDING)
  const [meant] = ends
    .flatMap((end) => find.all({ pays: sought.pays, names, end }) as ReadonlyArray<Ending>)
    .filter(({ body, isOpen }) => isOpen === 1 || isOfAmount(body, sought))
  if (meant !== undefined) return `it names ${MatchRules.names([meant.key])}, which does not fit`
  const [unread] = ends.flatMap((one) => unreadableLike(db, sought.pays, one) ?? [])
  return unread === undefined ? undefined : `it names ${unread}, whose record cannot be read`
}

/**
 * The invoices that another payment of these payers may be for which waits for a person: those that it names and is enough for, and for
 * each that is of the same amount, whatever its text names, the oldest.
 */
export const claimedOf = (
  db: Db,
  { amount, currency, pays }: Sought,
  invoices: ReadonlyArray<Pick<Fitting, "due" | "key" | "number">>,
  payments: ReadonlyArray<{ readonly party: string }>
): ReadonlySet<string> => {
  const isClaimed = db.prepare(
    `SELECT 1 FROM mention n JOIN matching m ON m.document = n.document WHERE n.pays = ? AND n.name = ? AND m.how = '' AND m.back = 0
      AND m.rule = 'M2' AND m.amount >= ? AND m.party <> '' AND m.party IN (SELECT value FROM json_each(?)) LIMIT 1`
  )
  const parties = JSON.stringify(payments.map(({ party }) => party))
  const named = invoices.flatMap(({ key, number }) =>
    isClaimed.get(pays, number, BigInt(amount), parties) === undefined ? [] : [key]
  )
  const equal = db
    .prepare(
      `SELECT count(*) FROM json_each(?) n CROSS JOIN matching m ON m.pays = ? AND m.party = n.value AND n.value <> '' AND m.why IS NOT NULL
        AND m.currency = ? AND m.amount = ? AND m.how = '' AND m.back = 0 AND m.of IS NULL AND m.free = 0 AND m.rule = 'M2'`
    )
    .pluck()
    .get(JSON.stringify([...new Set(payments.map(({ party }) => party))]), pays, currency, BigInt(amount)) as number
  const oldest = invoices.filter(({ key }) => !named.includes(key)).toSorted((a, b) => (a.due < b.due ? -1 : 1))
  return new Set([...named, ...oldest.slice(0, Math.max(0, equal - named.length)).map(({ key }) => key)])
}
