/**
 * Columns whose headings nobody knows: those of amounts and of days may say what is open, what was paid, or when an invoice is due
 * or was paid, and are asked about. What says nothing yet is kept in the configuration as `unused`, so that it is not passed over
 * once it says something.
 */
import { find } from "../../connectors/tabular/Cells.ts"
import * as Expressions from "../../connectors/tabular/Expressions.ts"
import * as Decimal from "../../core/money/Decimal.ts"
import type { Unused } from "../../connectors/tabular/Streams.ts"
import { type AssignedColumns, PER_PIECE } from "./Columns.ts"
import { EXTRA } from "./Extras.ts"
import { addsUp, amountsIn, isNear } from "./Figures.ts"
import { mayStrike } from "./Struck.ts"
import { filledOf, type FoundTable, type Proposal } from "./Tables.ts"
import { currencyIn, type Role, rolesOf, squash } from "./Vocabulary.ts"

/** Headings of how old a debt is, whose columns divide what is open: "1-30", "90+", "Current". */
const AGE =
  /^\W*(?:current|not due|fällig|non échu)\W*$|^\W*(?:over |über |plus de )?\d+\s*(?:[-–+]|to|bis|à|days|tage|jours|dagen|$)/iu

/** Headings of money in other lists: among invoices, nothing says what they are. */
const ELSEWHERE: ReadonlyArray<Role> = ["paid_in", "paid_out", "applied", "unallocated"]
/** A second column of these may be what is left of the first. */
const WHOLE: ReadonlyArray<Role> = ["gross", "amount"]

/** What was paid in advance stands beside what is added to an amount. */
const ADVANCE = /deposit/iu
/** Numbers of days, pieces and levels, rates, taxes by their rate, and the keys of other tables. */
const NO_MONEY =
  /days|(?<!\p{L})(?:age|id|fk|vat|tax|btw|iva|tva|moms|mwst|ust)(?!\p{L})|pieces|tage(?!\p{L})|jours|dagen|días|giorni|anzahl|level|stage|stufe|niveau|%|\p{Ll}(?:ID|FK)$/iu

const rolesIn = (title: string): ReadonlyArray<Role> => rolesOf(title).map(({ role }) => role)

const isOther = (title: string): boolean =>
  (EXTRA.test(title) && !ADVANCE.test(title)) ||
  NO_MONEY.test(title) ||
  PER_PIECE.test(title) ||
  AGE.test(title) ||
  mayStrike(title)

export interface FreeAmounts {
  readonly n: number
  readonly amounts: ReadonlyArray<bigint | undefined>
}

/** A thousandth: some currencies have three decimals, and rates have more. */
const MILL = 100_000n
const UNIT = 100_000_000n

/** More than half: one odd cell hides no column. */
export const areMost = (some: number, all: number): boolean => some * 2 > all

/** Whether numbers are written as the table's amounts are: not as pieces, days or rates. */
const isWrittenAsMoney = (amounts: FreeAmounts["amounts"], wholes: ReadonlyArray<bigint | undefined>): boolean => {
  const said = amounts.filter((one) => one !== undefined)
  if (areMost(said.filter((one) => one % MILL !== 0n).length, said.length)) return false
  // Yes and no.
  if (said.includes(UNIT) && said.every((one) => one === 0n || one === UNIT)) return false
  const areWhole = (all: ReadonlyArray<bigint | undefined>) =>
    all.every((one) => one === undefined || one % UNIT === 0n)
  return !areWhole(said) || areWhole(wholes) || said.length < amounts.length || said.includes(0n)
}

/** Whether a heading is that of the whole amount with a currency in it, or the other way round: "Total (EUR)" beside "Total". */
const isInCurrency = (title: string, whole = ""): boolean => {
  const [own, other] = [title, whole].map((one) => squash(one.replace(currencyIn(one) ?? "", "")))
  return title !== whole && (currencyIn(title) ?? currencyIn(whole)) !== undefined && own === other
}

/** Columns of amounts that nothing is known about, whatever their signs are. */
export const freeAmounts = (table: FoundTable, { at }: AssignedColumns): ReadonlyArray<FreeAmounts> => {
  const wholes = amountsIn(table.rows, at.gross ?? at.amount ?? at.net)
  return table.header.flatMap((title, n) => {
    const used = Object.entries(at).flatMap(([role, own]) =>
      own !== n || (role === "amount" && at.gross !== undefined) ? [] : [role as Role]
    )
    const means = table.header.indexOf(title) === n ? rolesIn(title) : []
    if (used.some((role) => !ELSEWHERE.includes(role)) || isOther(title)) return []
    if (isInCurrency(title, table.header[at.gross ?? at.amount ?? -1])) return []
    if (means.some((role) => !ELSEWHERE.includes(role) && !WHOLE.includes(role))) return []
    const texts = filledOf(table.rows, n)
    const amounts = amountsIn(table.rows, n).map((one) => (one === undefined ? undefined : Decimal.abs(one)))
    const count = amounts.filter((one) => one !== undefined).length
    return areMost(count, texts.length) && isWrittenAsMoney(amounts, wholes) ? [{ n, amounts }] : []
  })
}

/** What every cell of a column says, if that is nothing yet: it is empty, zero, or the row's whole amount. */
const nothingYet = (table: FoundTable, n: number, whole: FreeAmounts["amounts"] | undefined): Unused | undefined => {
  if (filledOf(table.rows, n).length === 0) return "empty"
  if (whole === undefined) return undefined
  const amounts = amountsIn(table.rows, n)
  if (amounts.every((one) => one === 0n)) return "zero"
  const { fits, rows } = addsUp([whole, amounts], isNear)
  return rows === table.rows.length && fits === rows ? "whole" : undefined
}

/** Invoices of which no column says what is open or was paid, or when they are due, with the columns that may come to say it. */
export const withUnused = (table: FoundTable, proposals: ReadonlyArray<Proposal>): ReadonlyArray<Proposal> => {
  const used = new Set(
    proposals.flatMap(({ columns }) =>
      Object.values(columns).flatMap((one) =>
        Expressions.columnsOf(one as Expressions.Expression).map((heading) => find(table.header, heading))
      )
    )
  )
  return proposals.map((one) => {
    const { balance, due, gross, net, paid, terms } = one.columns
    const isKnown = (balance ?? paid) !== undefined
    if (one.stream !== "invoices" || (isKnown && (due ?? terms) !== undefined)) return one
    const heading = [gross, net].find((column) => typeof column === "string")
    const whole = isKnown ? undefined : amountsIn(table.rows, heading === undefined ? -1 : find(table.header, heading))
    const unused = table.header.flatMap((title, n) => {
      const isFree = title !== "" && !used.has(n) && rolesOf(title).length === 0 && !isOther(title)
      const says = isFree && table.header.indexOf(title) === n ? nothingYet(table, n, whole) : undefined
      return says === undefined ? [] : [[title, says] as const]
    })
    return unused.length === 0 ? one : { ...one, unused: Object.fromEntries(unused) }
  })
}
