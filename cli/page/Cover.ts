/**
 * Shows cover: each buyer's insured amount against its limit, the month's costs, deadlines, offers to approve with their
 * price, and collections.
 */
import * as Currency from "../../core/money/Currency.ts"
import * as Decimal from "../../core/money/Decimal.ts"
import { grouped, plural } from "../../core/Plural.ts"
import type { CoverBudget, CoverDeadline, WaitingOffer } from "../../sync/reports/Cover.ts"
import type { BuyerCover, CoverTotal } from "../../sync/reports/CoverExposure.ts"
import type { CollectionRow } from "../../sync/reports/CollectionList.ts"
import { windowText } from "../render/CollectionView.ts"
import { monthName, PARTS } from "../render/CoverReportView.ts"
import { storyOf } from "./DocumentTitle.ts"
import * as Downloads from "./Downloads.ts"
import { calendar } from "./Calendar.ts"
import { statusMark } from "./Collections.ts"
import { choices, html, mark, type Node, htmlTable, type Visitor } from "./Html.ts"

export interface CoverData {
  readonly today: string
  readonly buyers: ReadonlyArray<BuyerCover>
  readonly totals: ReadonlyArray<CoverTotal>
  readonly budgets: ReadonlyArray<CoverBudget>
  readonly offers: ReadonlyArray<WaitingOffer>
  readonly deadlines: ReadonlyArray<CoverDeadline>
  readonly collections: ReadonlyArray<CollectionRow>
}

/** How many rows of a list are shown; the command and the workbook have all. */
const MOST = 50

const say = (amount: string, currency: string): string => `${Currency.group(amount)} ${currency}`

export const collectionOf = (key: string): string => `/cover/${encodeURIComponent(key)}`

/** A share of a whole, in thousandths. */
const share = (part: bigint, whole: bigint): number =>
  whole <= 0n ? 0 : Math.min(1000, Number((part * 1000n) / whole) + (part > 0n ? 4 : 0))

/** A bar with two parts of a whole: the first in full colour. */
const bar = (words: string, first: bigint, second: bigint, whole: bigint): Node => {
  const end = share(first, whole)
  const rest = Math.min(1000 - end, share(second, whole))
  return html`<svg class="bar" viewBox="0 0 1000 24" preserveAspectRatio="none" role="img" aria-label=${words}>
    <rect class="track" width="1000" height="24" rx="4" />
    <rect class="c1" width=${end} height="24" rx="4" />
    ${rest === 0 ? null : html`<rect class="c2" x=${end} width=${rest} height="24" />`}
  </svg>`
}

const month = (one: CoverBudget, offers: ReadonlyArray<WaitingOffer>): Node => {
  const { blocked, connection, currency, left, limit, month, spent } = one
  const own = offers.filter((offer) => offer.connection === connection && offer.price.currency === currency)
  const open = own.filter(({ standing }) => standing !== "rejected" && standing !== "unknown")
  const waiting = Decimal.sum(open.map(({ price }) => Decimal.of(price.total)))
  const words = `${say(spent, currency)} of ${say(limit, currency)} spent${waiting > 0n ? `; offers for ${Currency.say(waiting, currency)} wait` : ""}`
  return html`<section class="card">
    <h3>${connection}, ${monthName(month)}</h3>
    <p class="big">${say(left, currency)} left</p>
    ${bar(words, Decimal.of(spent), waiting, Decimal.of(limit))}
    <p>${words}</p>
    ${blocked === null ? null : html`<p class="note bad">Nothing is bought: ${blocked}. <a href="/attention">What to do</a></p>`}
  </section>`
}

const STANDING: Readonly<Record<WaitingOffer["standing"], readonly ["warn" | "good" | "plain", string]>> = {
  asks: ["warn", "waits for you"],
  next: ["good", "the next run buys it"],
  waits: ["plain", "waits"],
  rejected: ["plain", "rejected"],
  unknown: ["warn", "not known yet"]
}

const offer = (one: WaitingOffer, visitor: Visitor): Node => {
  const { beyondMonth, currency, decided, digest, due, name, net, number, price, standing, subject, validUntil, why } =
    one
  const [look, words] = STANDING[standing]
  const total = say(price.total, price.currency)
  const rows: ReadonlyArray<readonly [string, string | undefined]> = [
    ["Price", total],
    ["Premium", price.premium === undefined ? undefined : say(price.premium, price.currency)],
    ["Tax", price.tax === undefined ? undefined : say(price.tax, price.currency)],
    ["Insures", price.insured === undefined ? undefined : say(price.insured, currency)],
    ["Of net", say(net, currency)],
    ["Due", due],
    ["Offered until", validUntil?.slice(0, 16).replace("T", " ")],
    ["Decided by", decided ?? undefined]
  ]
  return html`<section class="card" aria-label=${`Offer for ${number}`}>
    <h3><a href=${storyOf(subject)}>${number}</a> · ${name}</h3>
    <p>${mark(look, words)}</p>
    <dl>${rows.flatMap(([title, value]) => (value === undefined ? [] : [html`<dt>${title}</dt><dd>${value}</dd>`]))}</dl>
    ${why === null ? null : html`<p class="dim">${why}</p>`}
    ${beyondMonth ? html`<p class="note">${mark("warn", "Beyond the month")} With it this month's limit is exceeded; it would be bought all the same.</p>` : null}
    ${
      standing === "asks" || standing === "waits"
        ? choices(
            visitor,
            { document: subject, digest },
            {
              named: "required",
              all: [
                { action: "/cover/offers/buy", label: `Buy for ${total}`, look: "primary" },
                { action: "/cover/offers/reject", label: "Reject", look: "danger" }
              ]
            }
          )
        : null
    }
  </section>`
}

const limitOf = ({ currency, insured, limit, waiting }: BuyerCover): Node => {
  if (limit === null) return html`<span class="dim">not read yet</span>`
  if (limit.status === "declined")
    return mark("bad", `declined${limit.rejection === undefined ? "" : `, ${limit.rejection.code}`}`)
  const used = limit.used ?? insured
  const left = limit.available ?? "0"
  const whole = Decimal.of(used) + Decimal.of(left)
  const words = `${say(used, currency)} in use, ${say(left, currency)} left; ${say(waiting, currency)} waits`
  return html`${bar(words, Decimal.of(used), Decimal.of(waiting), whole)}${say(left, currency)} left`
}

const buyers = (all: ReadonlyArray<BuyerCover>): Node => {
  const used = PARTS.filter(([state], at) => at < 2 || all.some(({ byState }) => byState[state] !== undefined))
  return htmlTable(
    all.length > MOST
      ? `The ${MOST} buyers with most open, of ${grouped(all.length)}`
      : "Open amounts by cover; exposure against the buyer's limit",
    [
      { title: "Buyer" },
      { title: "Open", right: true },
      ...used.map(([, title]) => ({ title, right: true })),
      { title: "Limit" }
    ],
    all.slice(0, MOST).map((one) => [
      one.name,
      say(one.open, one.currency),
      ...used.map(([state]) => {
        const amount = one.byState[state]
        const codes = state === "declined" ? Object.keys(one.declined).join(", ") : ""
        return amount === undefined
          ? null
          : html`${Currency.group(amount)}${codes === "" ? null : html`<br /><span class="dim">${codes}</span>`}`
      }),
      limitOf(one)
    ])
  )
}

const totals = (all: ReadonlyArray<CoverTotal>): Node => {
  const rows = all.flatMap((one) => [
    { currency: one.currency, where: "books", open: one.books, parts: one.inBooks },
    { currency: one.currency, where: "service", open: one.service, parts: one.onService }
  ])
  const used = PARTS.filter(([state], at) => at < 2 || rows.some(({ parts }) => parts[state] !== undefined))
  return htmlTable(
    "Each open invoice is counted in exactly one column",
    [{ title: "In" }, { title: "Open", right: true }, ...used.map(([, title]) => ({ title, right: true }))],
    rows.map(({ currency, open, parts, where }) => [
      where,
      say(open, currency),
      ...used.map(([state]) => (parts[state] === undefined ? null : Currency.group(parts[state])))
    ])
  )
}

const collections = (all: ReadonlyArray<CollectionRow>): Node =>
  all.length === 0
    ? html`<p>No insured invoice is late enough to be handed over.</p>`
    : htmlTable(
        "Late invoices, and what became of them",
        [
          { title: "Invoice" },
          { title: "Buyer" },
          { title: "Open", right: true },
          { title: "Policy" },
          { title: "Window" },
          { title: "Confirmed by" },
          { title: "Sent" }
        ],
        all
          .slice(0, MOST)
          .map((one) => [
            html`<a href=${collectionOf(one.document)}>${one.number}</a>`,
            one.name,
            say(one.open, one.currency),
            statusMark(one),
            one.windowEnds !== null && one.daysLeft !== null
              ? windowText({ windowEnds: one.windowEnds, daysLeft: one.daysLeft })
              : "",
            one.confirmed ?? "",
            one.sent?.slice(0, 10) ?? ""
          ])
      )

export const room = (data: CoverData, visitor: Visitor): Node => {
  if (data.budgets.length === 0)
    return html`<p>
      No connection has cover. With <code>"cover": { "select": [{}], "price": { "currency": "GBP", "per_month": "2000.00" } }</code>${" "}
      in a connection, Daybook requests quotes for its invoices, buys within these limits, and shows here what waits for you.
    </p>`
  const { budgets, deadlines, offers, today } = data
  const asks = offers.filter(({ standing }) => standing === "asks")
  const rest = offers.filter(({ standing }) => standing !== "asks")
  return html`
    ${asks.length === 0 ? null : html`<h2>${plural(asks.length, "offer")} for you to approve</h2><div class="cards narrow">${asks.slice(0, MOST).map((one) => offer(one, visitor))}</div>`}
    <h2>Collections</h2>
    ${collections(data.collections)}
    <h2>Deadlines</h2>
    ${calendar(today, deadlines)}
    <h2>Spent this month</h2>
    <div class="cards narrow">${budgets.map((one) => month(one, offers))}</div>
    <h2>Buyers</h2>
    ${data.buyers.length === 0 ? html`<p>Nothing is open.</p>` : buyers(data.buyers)}
    <p class="legend"><span><i class="c1"></i>in use</span><span><i class="c2"></i>offered or waiting</span></p>
    ${data.totals.length === 0 ? null : html`<h2>Books and service</h2>${totals(data.totals)}`}
    ${rest.length === 0 ? null : html`<h2>Other offers</h2><div class="cards narrow">${rest.slice(0, MOST).map((one) => offer(one, visitor))}</div>`}
    <p class="row">${Downloads.links((path) => path, "/cover")}</p>
  `
}
