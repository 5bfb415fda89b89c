/** Renders cover for people and programs: exposure of buyers, the month's costs, offers, deadlines. */
import * as Currency from "../../core/money/Currency.ts"
import * as Decimal from "../../core/money/Decimal.ts"
import { grouped, plural } from "../../core/Plural.ts"
import type { CoverState } from "../../sync/model/CoverStanding.ts"
import type { CoverBudget, CoverDeadline, CoverReport, WaitingOffer } from "../../sync/reports/Cover.ts"
import type { BuyerCover, CoverTotal } from "../../sync/reports/CoverExposure.ts"
import { sayCompany } from "../../sync/rules/CoverParts.ts"
import { iso } from "../../sync/library/Plain.ts"
import { oneLine, type Output } from "./Output.ts"
import { headings, table } from "./Table.ts"

type Looks = Pick<Output, "style" | "width">

const money = (amount: string | undefined): string => (amount === undefined ? "" : Currency.group(amount))

/** The parts of open amounts, in the order of their columns. */
export const PARTS: ReadonlyArray<readonly [CoverState, string]> = [
  ["insured", "Insured"],
  ["offered", "Offered"],
  ["waiting", "Waiting"],
  ["declined", "Declined"],
  ["unselected", "Out of scope"],
  ["collection", "In collection"],
  ["lapsed", "Lapsed"],
  ["closed", "Ended"]
]

/** Hides empty columns, except the first two. */
const used = (all: ReadonlyArray<{ readonly parts: Readonly<Partial<Record<CoverState, string>>> }>) =>
  PARTS.filter(([state], at) => at < 2 || all.some(({ parts }) => parts[state] !== undefined))

const limitText = ({ limit }: BuyerCover): string => {
  if (limit === null) return "not read"
  if (limit.status === "declined") return "declined"
  return limit.available === undefined ? limit.status : `${money(limit.available)} left`
}

const buyers = (all: ReadonlyArray<BuyerCover>, { style, width }: Looks, isPast: boolean): string => {
  const columns = used(all.map(({ byState: parts }) => ({ parts })))
  return table(
    [
      ...headings("~Buyer, Currency, >Open"),
      ...columns.map(([, title]) => ({ title, right: true })),
      ...(isPast ? [] : [{ title: "Limit", right: true }])
    ],
    all.map((one) => [
      one.name,
      one.currency,
      money(one.open),
      ...columns.map(([state]) => money(one.byState[state])),
      ...(isPast ? [] : [limitText(one)])
    ]),
    { style, width }
  )
}

/** The totals by currency, in books and on the service, and whether the parts add up. */
const totals = (all: ReadonlyArray<CoverTotal>, { style, width }: Looks): string => {
  const rows = all.flatMap((one) => [
    { one, of: "books", open: one.books, parts: one.inBooks },
    { one, of: "service", open: one.service, parts: one.onService }
  ])
  const columns = used(rows)
  return table(
    [...headings("Connection, Currency, In, >Open"), ...columns.map(([, title]) => ({ title, right: true }))],
    rows.map(({ of, one, open, parts }) => [
      one.connection,
      one.currency,
      of,
      money(open),
      ...columns.map(([state]) => money(parts[state]))
    ]),
    { style, width }
  )
}

const declined = (all: ReadonlyArray<BuyerCover>): ReadonlyArray<string> => {
  const found = new Map<string, Decimal.Decimal>()
  for (const { currency, declined } of all)
    for (const [code, amount] of Object.entries(declined)) {
      const key = `${code}\n${currency}`
      found.set(key, (found.get(key) ?? 0n) + Decimal.of(amount))
    }
  return [...found]
    .toSorted(([, a], [, b]) => (a > b ? -1 : 1))
    .map(([key, amount]) => {
      const [code, currency] = key.split("\n") as [string, string]
      return `  ${Currency.say(amount, currency)}  ${code}`
    })
}

const MONTHS = "January February March April May June July August September October November December".split(" ")

export const monthName = (month: string): string => `${MONTHS[Number(month.slice(5)) - 1]} ${month.slice(0, 4)}`

const budgetLines = (
  { blocked, connection, currency, left, limit, month, spent }: CoverBudget,
  offers: ReadonlyArray<WaitingOffer>,
  { style }: Looks
): ReadonlyArray<string> => {
  const own = offers.filter((one) => one.connection === connection && one.price.currency === currency)
  const waiting = Decimal.sum(
    own
      .filter(({ standing }) => standing !== "rejected" && standing !== "unknown")
      .map(({ price }) => Decimal.of(price.total))
  )
  return [
    `  ${connection}: ${money(spent)} of ${money(limit)} ${currency} spent in ${monthName(month)}, ${money(left)} left${waiting > 0n ? `; offers for ${Currency.say(waiting, currency)} wait` : ""}`,
    ...(blocked === null
      ? []
      : [style.yellow(`  ${connection}: nothing is bought: ${blocked}`), "    → daybook attention shows what to do"])
  ]
}

const STANDING = {
  asks: "waits for you",
  next: "next sync buys it",
  waits: "waits",
  rejected: "rejected",
  unknown: "not known yet"
} as const

const until = ({ validUntil }: WaitingOffer): string => (validUntil ?? "").slice(0, 16).replace("T", " ")

const insured = ({ currency, price }: WaitingOffer): string =>
  price.insured === undefined ? "" : Currency.say(Decimal.of(price.insured), currency)

const offerTable = (all: ReadonlyArray<WaitingOffer>, { style, width }: Looks): string =>
  table(
    headings("Invoice, ~Buyer, Due, >Price, >Premium, >Tax, >Insures, Until, State"),
    all.map((one) => [
      one.number,
      one.name,
      one.due,
      Currency.say(Decimal.of(one.price.total), one.price.currency),
      money(one.price.premium),
      money(one.price.tax),
      insured(one),
      until(one),
      STANDING[one.standing]
    ]),
    { style, width }
  )

const deadlineTable = (all: ReadonlyArray<CoverDeadline>, { style, width }: Looks): string =>
  table(
    headings("Day, >Left, What, Invoice, ~Buyer, Policy"),
    all.map(({ day, daysLeft, name, number, status, what }) => [
      day,
      daysLeft === 0 ? "today" : plural(daysLeft, "day"),
      what === "window closes" ? { text: what, look: style.yellow } : what,
      number,
      name,
      status ?? ""
    ]),
    { style, width }
  )

/** How many rows of each table are printed; the rest is counted. */
const MOST = 25

const some = <A>(all: ReadonlyArray<A>, draw: (rows: ReadonlyArray<A>) => string): ReadonlyArray<string> => [
  draw(all.slice(0, MOST)),
  ...(all.length > MOST ? [`  … and ${grouped(all.length - MOST)} more: daybook cover --json has all`] : [])
]

const section = (title: string, lines: ReadonlyArray<string>, { style }: Looks): ReadonlyArray<string> =>
  lines.length === 0 ? [] : [style.bold(title), ...lines, ""]

/** @param isPast shows an earlier day: nothing can be decided about it, and limits are not known */
export const overview = (report: CoverReport, out: Looks, { isPast = false } = {}): string => {
  const { budgets, deadlines, exposure, offers, totals: sums } = report
  const asks = offers.filter(({ standing }) => standing === "asks")
  const lines = [
    ...section(
      "Open amounts of buyers",
      exposure.length === 0 ? ["  Nothing is open."] : some(exposure, (rows) => buyers(rows, out, isPast)),
      out
    ),
    ...section("Declined, by code", declined(exposure), out),
    ...section("In books and service", sums.length === 0 ? [] : [totals(sums, out)], out),
    ...section(
      "Spent on cover",
      budgets.flatMap((one) => budgetLines(one, offers, out)),
      out
    ),
    ...section(
      `Offers (${offers.length})`,
      offers.length === 0 ? [] : some(offers, (rows) => offerTable(rows, out)),
      out
    ),
    ...section("Deadlines", deadlines.length === 0 ? [] : some(deadlines, (rows) => deadlineTable(rows, out)), out)
  ]
  if (asks.length > 0)
    lines.push(
      `${plural(asks.length, "offer")} ${asks.length === 1 ? "waits" : "wait"} for you: daybook cover buy INVOICE, or daybook cover reject INVOICE`
    )
  if (!isPast && deadlines.some(({ what }) => what === "window closes"))
    lines.push("Late invoices can be handed over to collections: daybook collect")
  return lines.join("\n").trimEnd()
}

/** The offers to decide on, and their totals. */
export const toDecide = (all: ReadonlyArray<WaitingOffer>, budgets: ReadonlyArray<CoverBudget>, out: Looks): string => {
  const sums = Map.groupBy(all, ({ price }) => price.currency)
  const total = (rows: ReadonlyArray<WaitingOffer>, name: "total" | "premium" | "tax") =>
    Decimal.sum(rows.map(({ price }) => Decimal.of(price[name] ?? "0")))
  const lines = [...sums].map(([currency, rows]) => {
    const say = (name: "total" | "premium" | "tax") => Currency.say(total(rows, name), currency)
    return `Together ${say("total")}: premium ${say("premium")}, tax ${say("tax")}; insures ${insuredText(rows)}`
  })
  const month = budgets.flatMap(({ connection, currency, left, limit, month }) => {
    const own = all.filter((one) => one.connection === connection && one.price.currency === currency)
    const rest = `${money(left)} of ${money(limit)} ${currency} are left in ${monthName(month)}`
    const beyond = own.filter(({ beyondMonth }) => beyondMonth)
    if (beyond.length > 0)
      return [
        out.style.yellow(
          `${rest}: bought all the same, though beyond the month's limit: ${beyond.map(({ number }) => number).join(", ")}`
        )
      ]
    const over = total(own, "total") > Decimal.of(left)
    return [over ? out.style.yellow(`${rest}: what does not fit waits for the next month`) : rest]
  })
  const exceeding = all.flatMap(({ exceeds, number }) => (exceeds === undefined ? [] : [`${number}: ${exceeds}`]))
  const rejected = all.flatMap(({ number, rejected: no }) =>
    no === undefined ? [] : [out.style.yellow(`${number}: ${no.who} rejected it on ${no.on}`)]
  )
  // II 4: whom the service matched is reviewed before it is paid for.
  const matched = all.map((offer) => `${offer.number}: ${sayCompany(offer)}`)
  return [offerTable(all, out), "", ...lines, ...month, ...[...matched, ...exceeding, ...rejected].map(oneLine)].join(
    "\n"
  )
}

const insuredText = (all: ReadonlyArray<Pick<WaitingOffer, "price" | "currency">>): string => {
  const priced = all.filter(({ price }) => price.insured !== undefined)
  const sums = [...Map.groupBy(priced, ({ currency }) => currency)].map(([currency, rows]) =>
    Currency.say(Decimal.sum(rows.map(({ price }) => Decimal.of(price.insured ?? "0"))), currency)
  )
  return sums.length === 0 ? "an amount that the service does not state" : sums.join(", ")
}

/** For programs. */
export const offerRecord = ({ connection, subject, ...rest }: WaitingOffer) => ({
  type: "offer",
  connection,
  document: subject,
  ...rest
})

export const sumRecord = (all: ReadonlyArray<WaitingOffer>) => ({
  prices: [...Map.groupBy(all, ({ price }) => price.currency)].map(([currency, rows]) => ({
    currency,
    total: Currency.format(Decimal.sum(rows.map(({ price }) => Decimal.of(price.total))), currency)
  }))
})

export function* records({ budgets, deadlines, exposure, invoices, offers, totals }: CoverReport) {
  for (const { limit, ...one } of exposure)
    yield { type: "exposure", ...one, limit: limit === null ? null : { ...limit, read: iso(limit.read) } }
  for (const one of totals) yield { type: "total", ...one }
  for (const one of budgets) yield { type: "budget", ...one }
  for (const one of offers) yield offerRecord(one)
  for (const { subject, ...one } of deadlines) yield { type: "deadline", document: subject, ...one }
  for (const { subject, ...one } of invoices) yield { type: "invoice", document: subject, ...one }
  yield {
    type: "summary",
    invoices: invoices.length,
    offers: offers.length,
    asks: offers.filter(({ standing }) => standing === "asks").length,
    deadlines: deadlines.length
  }
}
