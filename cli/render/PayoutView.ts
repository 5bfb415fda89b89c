/** Renders payouts: for each balance at a processor what it collected down to what the bank has, and each payout that is not simply there. */
import * as Currency from "../../core/money/Currency.ts"
import { grouped, plural } from "../../core/Plural.ts"
import { isOdd, type PayoutAccount, type PayoutReport, type PayoutRow } from "../../sync/reports/Payouts.ts"
import type { Output } from "./Output.ts"
import { headings, table } from "./Table.ts"

type Look = Pick<Output, "style" | "width">

const PARTS = {
  collected: "Collected",
  refunds: "Refunds",
  chargebacks: "Chargebacks",
  failures: "Failures",
  fees: "Fees",
  adjustments: "Adjustments",
  notItemised: "Not itemised"
} as const satisfies Readonly<Record<keyof PayoutAccount["parts"], string>>

const STANDINGS = {
  arrived: "At the bank",
  "in transit": "In transit",
  missing: "Missing",
  taken: "Taken from the bank account",
  failed: "Failed, back in the balance",
  "no bank": "Not looked for: no bank is read"
} as const satisfies Readonly<Record<keyof PayoutAccount["standings"], string>>

const isNone = (amount: string): boolean => !/[1-9]/.test(amount)

/** The lines of an account, from the sale to the bank; those of nothing are left out. */
export const waterfall = ({
  apart,
  paidOut,
  parts,
  standings
}: PayoutAccount): ReadonlyArray<readonly [words: string, amount: string]> => {
  const given = (of: Readonly<Record<string, string>>, words: Readonly<Record<string, string>>) =>
    Object.entries(words).flatMap(([name, text]): ReadonlyArray<readonly [string, string]> => {
      const amount = of[name] ?? "0"
      return isNone(amount) ? [] : [[text, Currency.group(amount)]]
    })
  return [
    ...given(parts, PARTS),
    ["= Paid out", Currency.group(paidOut)],
    ...given(standings, STANDINGS),
    ...apart.map(({ amount, currency }): readonly [string, string] => [
      `The bank has ${amount.startsWith("-") ? "less" : "more"} (${currency})`,
      Currency.group(amount)
    ])
  ]
}

export const balanceName = ({
  account,
  connection,
  currency
}: Pick<PayoutAccount, "account" | "connection" | "currency">) =>
  `${connection}${account === null ? "" : ` ${account}`} ${currency}`

const account = (one: PayoutAccount, { style, width }: Look): string =>
  [
    style.bold(`${balanceName(one)}: ${plural(one.payouts, "payout")}`),
    table([{ title: "" }, { title: one.currency, right: true }], waterfall(one), { style, width })
  ].join("\n")

const rows = (all: ReadonlyArray<PayoutRow>, { style, width }: Look): string =>
  table(
    headings("Payout, Arrives, >Amount, ~Where it is, ~Lines of the bank"),
    all.map((one) => {
      const text = [one.standing, ...(one.why === null ? [] : [one.why])].join(": ")
      return [
        one.payout,
        one.date,
        `${Currency.group(one.amount)} ${one.currency}`,
        isOdd(one) ? { text, look: style.yellow } : text,
        one.lines.map(({ amount, date, line }) => `${line} ${Currency.group(amount)} on ${date}`).join(", ")
      ]
    }),
    { style, width }
  )

const MOST = 20

const strange = (lines: PayoutReport["lines"]): string =>
  [
    `${plural(lines.length, "line")} of the bank that a processor paid, and no payout explains:`,
    ...lines.slice(0, MOST).map((one) => `  ${one.line}  ${one.date}  ${Currency.group(one.amount)} ${one.currency}`),
    ...(lines.length > MOST ? [`  and ${grouped(lines.length - MOST)} more`] : [])
  ].join("\n")

/** @param all whether payouts that are simply there are listed as well */
export const payoutReport = ({ accounts, lines, payouts }: PayoutReport, all: boolean, look: Look): string => {
  if (payouts.length === 0) return "No payout of a processor was read."
  const shown = all ? payouts : payouts.filter(({ standing, why }) => standing !== "arrived" || why !== null)
  return [
    ...accounts.map((one) => account(one, look)),
    ...(shown.length === 0 ? ["Every payout is at the bank, to the cent."] : [rows(shown, look)]),
    ...(lines.length === 0 ? [] : [strange(lines)])
  ].join("\n\n")
}
