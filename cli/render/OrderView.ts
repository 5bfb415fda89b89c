/**
 * Renders orders for people: how much of the authorised amounts is captured, voided and open, and the arithmetic of one order.
 */
import * as ListTotals from "../../sync/reconciliation/ListTotals.ts"
import * as Currency from "../../core/money/Currency.ts"
import * as Instant from "../../core/wire/Instant.ts"
import {
  type OrderDifference,
  type OrderStatement,
  ownTotals,
  orderResult
} from "../../sync/reconciliation/OrderStatement.ts"
import { authorised, isPaid, type RemoteOrder } from "../../sync/model/RemoteOrder.ts"
import type { Output } from "./Output.ts"
import { grouped, plural } from "../../core/Plural.ts"
import { type Items, reasonOf } from "./ReportView.ts"
import { headings, table } from "./Table.ts"

const FIGURES = ["authorised", "captured", "voided", "expired", "open", "refunded"] as const

/** One difference, with both amounts. */
const apart = (one: OrderDifference, currency: string, items?: Items) => {
  const { amount, document, service, source, totals, what } = one
  const say = (amount: string) => (what === "currency" ? amount : Currency.group(amount))
  const own = totals === true ? "'s own totals" : ""
  const ours = `${say(source ?? "")} in the source${own}`
  const by = what === "currency" ? "" : `, a difference of ${say(amount)} ${currency}`
  return `  ${document}: ${what} ${ours}, ${say(service)} on the service${by}: ${reasonOf(one, items)}`
}

export const orderCompleteness = (
  statements: ReadonlyArray<OrderStatement>,
  { style, width }: Output,
  items?: Items
): string => {
  const rows = statements.flatMap((one) => {
    const { source } = one
    const { kind, text } = orderResult(one)
    const result = { text, look: kind === "agree" ? style.green : style.yellow }
    const of = (name: (typeof FIGURES)[number]) =>
      name === "expired" ? "" : Currency.group(name === "authorised" ? source.total : source[name])
    const figures = FIGURES.map((name) => Currency.group(one[name]))
    return [
      [one.connection, one.currency, grouped(one.orders), "service", ...figures, result],
      ["", "", "", "source", ...FIGURES.map(of), `own totals: ${ownTotals(one)}`]
    ]
  })
  const lines = [
    style.bold("Orders: authorised = captured + voided + expired + open"),
    table(
      [
        ...headings("Connection, Currency, >Orders, Says"),
        ...FIGURES.map((name) => ({ title: name.replace(/^./, (first) => first.toUpperCase()), right: true })),
        { title: "" }
      ],
      rows,
      { style, width }
    )
  ]
  for (const { connection, currency, differences, lists = [], more, unfound } of statements) {
    lines.push(...lists.slice(0, 10).map((one) => `  ${connection}: ${ListTotals.words(one)} (${currency})`))
    lines.push(...differences.slice(0, 10).map((one) => apart(one, currency, items)))
    const rest = differences.length - Math.min(10, differences.length) + more
    if (rest > 0) lines.push(`  and ${plural(rest, "difference")} more; --json has them`)
    if (unfound > 0)
      lines.push(
        `  ${connection}: the service has no deferred payment for ${plural(unfound, "order")}; \`orders.only\` leaves out those that are paid otherwise`
      )
  }
  return lines.join("\n")
}

/** The checkout of an order that was created on the service: the plans that its buyer was offered. */
export const checkout = ({ created, plan }: RemoteOrder): ReadonlyArray<string> => {
  const { lapsed = false, offer } = created ?? {}
  if (offer === undefined) return []
  const until = offer.until === undefined ? "" : `, until ${Instant.fromEpochMillis(offer.until).slice(0, 10)}`
  return [
    `  ${offer.id}${lapsed ? ", ended" : until}`,
    ...offer.plans.map(({ id, name, status, why }) => {
      const outcome = id === plan ? "accepted" : status
      return `    ${name}: ${outcome}${why === undefined ? "" : `: ${why}`}`
    })
  ]
}

/** What the service holds of one order, as last read. */
export const orderArithmetic = (remote: RemoteOrder | undefined): ReadonlyArray<string> => {
  if (remote === undefined || !isPaid(remote)) return ["  No deferred payment yet."]
  const say = (minor: bigint) =>
    Currency.group(Currency.format(Currency.ofMinor(minor, remote.currency), remote.currency))
  const of = (name: "captured" | "voided" | "expired" | "open" | "refunded") => say(BigInt(remote[name]))
  return [
    `  ${say(authorised(remote))} authorised = ${of("captured")} captured + ${of("voided")} voided + ${of("expired")} expired + ${of("open")} open (${remote.currency})`,
    `  ${of("refunded")} refunded`
  ]
}
