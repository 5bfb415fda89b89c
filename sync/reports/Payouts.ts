/**
 * Reports payouts from the sale to the bank: what processors collected, less refunds, chargebacks, failures and fees, is what
 * they paid out, and each payout is a line of the bank, or it is named why not. Exact, and read-only.
 */
import * as Document from "../../connectors/Document.ts"
import * as Currency from "../../core/money/Currency.ts"
import * as Decimal from "../../core/money/Decimal.ts"
import * as Day from "../../core/wire/Day.ts"
import { arrivesAs, isExpected, potOf, type Side, sides } from "../matching/PayoutLines.ts"
import type { Tie } from "../movements/Payouts.ts"
import type { Db } from "../state/Database.ts"
import { column, columns, type Row, type Sheet } from "./sheets/Sheet.ts"
import { type PayoutAccount, type PayoutReport, type PayoutRow, STANDINGS } from "../model/reports/Payouts.ts"

export type { PayoutAccount, PayoutReport, PayoutRow }

/** How long a payout may be under way without a word, in days after it should arrive. */
const TRANSIT_DAYS = 5

/** Up to which day a side's banks were read, by currency. */
const readTo = (db: Db, { banks }: Side): ReadonlyMap<string, string> => {
  const days = new Map<string, string>()
  for (const { connection } of banks) {
    const covered = db
      .prepare("SELECT max(c.last) FROM coverage c JOIN scan p ON p.id = c.scan WHERE p.connection = ?")
      .pluck()
      .get(connection) as string | null
    const rows = db
      .prepare("SELECT currency, max(date) AS day FROM matching WHERE connection = ? GROUP BY currency")
      .all(connection) as ReadonlyArray<{ readonly currency: string; readonly day: string }>
    for (const { currency, day } of rows)
      days.set(currency, [day, covered ?? "", days.get(currency) ?? ""].toSorted().at(-1) ?? day)
  }
  return days
}

interface Around {
  readonly db: Db
  readonly ties: ReadonlyMap<string, Tie>
  readonly read: ReadonlyMap<string, string>
  readonly today: Day.Day
}

type Known = Side["payouts"][number]

/** What of it the bank has, and in words what is not as it should be. */
const standingOf = ({ key, payout }: Known, { read, ties, today }: Around): Pick<PayoutRow, "standing" | "why"> => {
  const tie = ties.get(key)
  if (payout.status === "failed") return { standing: "failed", why: "it did not arrive, and is back in the balance" }
  if (payout.amount === 0n) return { standing: "arrived", why: "nothing was left to pay out" }
  if (!isExpected(payout)) return { standing: "taken", why: "the processor takes it from the bank account" }
  const { currency } = arrivesAs(payout)
  if (tie !== undefined) {
    const { apart, lines, payouts } = tie
    const words = [
      ...(payouts.length > 1 ? [`one line with ${payouts.length - 1} more`] : []),
      ...(lines.length > 1 ? [`in ${lines.length} lines`] : []),
      ...(apart === 0n ? [] : [`${apart < 0n ? "short" : "over"} by ${Currency.say(Decimal.abs(apart), currency)}`])
    ]
    return { standing: "arrived", why: words.length === 0 ? null : words.join(", ") }
  }
  if (payout.status === "pending") return { standing: "in transit", why: "it is not sent to the bank yet" }
  const last = read.get(currency)
  if (last === undefined) return { standing: "no bank", why: `no bank's lines in ${currency} are read` }
  const due = Day.addDays(payout.date, TRANSIT_DAYS)
  if (last >= due && today > due) return { standing: "missing", why: `missing since ${payout.date}` }
  return { standing: "in transit", why: today > due ? `the bank was read up to ${last}` : `due on ${payout.date}` }
}

const notItemised = ({ amount, items }: Document.Payout): Decimal.Decimal =>
  amount - Decimal.sum(items.map((one) => one.amount))

const rowOf = (one: Known, around: Around): PayoutRow => {
  const { key, payout } = one
  const { account = null, amount, currency, date, items, settled } = payout
  const tie = around.ties.get(key)
  const its = arrivesAs(payout).currency
  return {
    payout: key,
    connection: Document.parseKey(key).connection,
    account,
    date,
    currency,
    amount: Currency.format(amount, currency),
    settled:
      settled === undefined
        ? null
        : { currency: settled.currency, amount: Currency.format(settled.amount, settled.currency) },
    ...standingOf(one, around),
    lines: (tie?.lines ?? []).map(({ amount, date, key }) => ({
      line: key,
      date,
      amount: Currency.format(amount, its)
    })),
    apart: Currency.format(tie?.payouts[0]?.key === key ? tie.apart : 0n, its),
    items: items.map((item) => ({ ...item, amount: Currency.format(item.amount, currency) })),
    notItemised: Currency.format(notItemised(payout), currency)
  }
}

const sumOf = <A>(all: ReadonlyArray<A>, of: (one: A) => Decimal.Decimal): Decimal.Decimal => Decimal.sum(all.map(of))

const accountOf = (all: ReadonlyArray<Known>, around: Around): ReadonlyArray<PayoutAccount> => {
  const [first] = all
  if (first === undefined) return []
  const { account = null, currency } = first.payout
  const say = (amount: Decimal.Decimal) => Currency.format(amount, currency)
  const items = all.flatMap(({ payout }) => payout.items)
  const part = (name: string) =>
    say(
      sumOf(
        items.filter((one) => one.part === name),
        (one) => one.amount
      )
    )
  const standings = new Map(all.map((one) => [one, standingOf(one, around).standing]))
  const standing = (name: PayoutRow["standing"]) =>
    say(
      sumOf(
        all.filter((one) => standings.get(one) === name),
        ({ payout }) => payout.amount
      )
    )
  const apart = new Map<string, Decimal.Decimal>()
  for (const { key, payout } of all) {
    const tie = around.ties.get(key)
    if (tie === undefined || tie.payouts[0]?.key !== key || tie.apart === 0n) continue
    const its = arrivesAs(payout).currency
    apart.set(its, (apart.get(its) ?? 0n) + tie.apart)
  }
  const parts = Object.fromEntries(Document.PAYOUT_PARTS.map((name) => [name, part(name)]))
  return [
    {
      connection: Document.parseKey(first.key).connection,
      account,
      currency,
      payouts: all.length,
      parts: { ...parts, notItemised: say(sumOf(all, ({ payout }) => notItemised(payout))) } as PayoutAccount["parts"],
      paidOut: say(sumOf(all, ({ payout }) => payout.amount)),
      standings: Object.fromEntries(STANDINGS.map((name) => [name, standing(name)])) as PayoutAccount["standings"],
      apart: [...apart].map(([currency, amount]) => ({ currency, amount: Currency.format(amount, currency) }))
    }
  ]
}

/** Payouts of these connections. */
export const report = (db: Db, connections: ReadonlyArray<string>, today: Day.Day): PayoutReport => {
  const found = sides(db).map((side): PayoutReport => {
    const ties = new Map(side.tied.ties.flatMap((tie) => tie.payouts.map(({ key }) => [key, tie] as const)))
    const around = { db, ties, read: readTo(db, side), today }
    const own = side.payouts.filter(({ key }) => connections.includes(Document.parseKey(key).connection))
    const pots = Map.groupBy(own, ({ key, payout }) => potOf(key, payout))
    return {
      accounts: [...pots.values()].flatMap((all) => accountOf(all, around)),
      payouts: own.map((one) => rowOf(one, around)),
      lines: side.tied.strange.map(({ amount, currency, date, key }) => ({
        line: key,
        date,
        currency,
        amount: Currency.format(amount, currency)
      }))
    }
  })
  return {
    accounts: found.flatMap(({ accounts }) => accounts),
    payouts: found
      .flatMap(({ payouts }) => payouts)
      .toSorted((a, b) => (a.date > b.date ? -1 : a.date < b.date ? 1 : a.payout < b.payout ? -1 : 1)),
    lines: found.flatMap(({ lines }) => lines)
  }
}

/** Whether something about a payout is for a person to look at: it is missing, or the bank has more or less. */
export const isOdd = ({ apart, standing }: PayoutRow): boolean => standing === "missing" || /[1-9]/.test(apart)

/** Payouts with what is in them and where they are. */
export const payoutsSheet = (db: Db, connections: ReadonlyArray<string>, today: Day.Day): Sheet => ({
  name: "Payouts",
  currency: 3,
  columns: [
    ...columns("Payout text 30, Account text 16, Arrives date 11, Currency text 9"),
    ...Document.PAYOUT_PARTS.map((part) => column(part[0]?.toUpperCase() + part.slice(1), "money", 14)),
    ...columns(
      `Not itemised money 14, Paid out money 14, Where it is text 14, Because text 34, Lines of the bank text 40`
    )
  ],
  *rows(): IterableIterator<Row> {
    for (const one of report(db, connections, today).payouts) {
      const part = (name: string) =>
        sumOf(
          one.items.filter((item) => item.part === name),
          ({ amount }) => Decimal.of(amount)
        )
      yield [
        one.payout,
        one.account,
        one.date,
        one.currency,
        ...Document.PAYOUT_PARTS.map(part),
        Decimal.of(one.notItemised),
        Decimal.of(one.amount),
        one.standing,
        one.why,
        one.lines.map(({ line }) => line).join("; ")
      ]
    }
  }
})
