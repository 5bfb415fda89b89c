/**
 * Orders as people read them: what of the authorised amounts is captured, voided and open, and the arithmetic of one.
 */
import * as Currency from "../../core/money/Currency.ts"
import * as Instant from "../../core/wire/Instant.ts"
import type { OrderStatement } from "../../sync/OrderCompleteness.ts"
import { authorised, isPaid, type OrderTold } from "../../sync/model/RemoteOrder.ts"
import type { Output } from "./Output.ts"
import { plural, table } from "./Table.ts"

const FIGURES = ["authorised", "captured", "voided", "expired", "open", "refunded"] as const

export const orderCompleteness = (statements: ReadonlyArray<OrderStatement>, { style, width }: Output): string => {
  const rows = statements.map((one) => [
    one.connection,
    one.currency,
    one.orders.toLocaleString("en"),
    ...FIGURES.map((name) => Currency.group(one[name])),
    one.differences.length === 0
      ? one.pending === 0
        ? { text: "agree", look: style.green }
        : { text: `${plural(one.pending, "order")} waiting`, look: style.yellow }
      : { text: plural(one.differences.length + one.more, "difference"), look: style.yellow }
  ])
  const lines = [
    style.bold("Orders: authorised = captured + voided + expired + open"),
    table(
      [
        { title: "Connection" },
        { title: "Currency" },
        { title: "Orders", right: true },
        ...FIGURES.map((name) => ({ title: name.replace(/^./, (first) => first.toUpperCase()), right: true })),
        { title: "" }
      ],
      rows,
      style,
      width
    )
  ]
  for (const { currency, differences } of statements) {
    for (const { amount, document, why } of differences.slice(0, 10))
      lines.push(`  ${document}: ${Currency.group(amount)} ${currency}: ${why}`)
  }
  return lines.join("\n")
}

/** What became of an order that was created on the service: the plans that its buyer was offered. */
export const checkout = ({ created, plan }: OrderTold): ReadonlyArray<string> => {
  const { lapsed = false, offer } = created ?? {}
  if (offer === undefined) return []
  const until = offer.until === undefined ? "" : `, until ${Instant.fromEpochMillis(offer.until).slice(0, 10)}`
  return [
    `  ${offer.remote}${lapsed ? ", ended" : until}`,
    ...offer.plans.map(({ id, name, status, why }) => {
      const outcome = id === plan ? "accepted" : status
      return `    ${name}: ${outcome}${why === undefined ? "" : `: ${why}`}`
    })
  ]
}

/** What the service holds of one order, as it was last read. */
export const orderArithmetic = (told: OrderTold | undefined): ReadonlyArray<string> => {
  if (told === undefined || !isPaid(told)) return ["  There is no deferred payment for it yet."]
  const say = (minor: bigint) =>
    Currency.group(Currency.format(minor * 10n ** BigInt(8 - Currency.decimals(told.currency)), told.currency))
  const of = (name: "captured" | "voided" | "expired" | "open" | "refunded") => say(BigInt(told[name]))
  return [
    `  ${say(authorised(told))} authorised = ${of("captured")} captured + ${of("voided")} voided + ${of("expired")} expired + ${of("open")} open (${told.currency})`,
    `  ${of("refunded")} refunded`
  ]
}
