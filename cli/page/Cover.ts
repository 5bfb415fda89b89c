/**
 * Shows cover: each buyer's insured amount against its limit, the month's costs, deadlines, offers to approve with their
 * price, and collections.
 */
import * as Currency from "../../core/money/Currency.ts"
import * as Decimal from "../../core/money/Decimal.ts"
import type { CoverBudget, CoverDeadline, WaitingOffer } from "../../sync/reports/Cover.ts"
import type { BuyerCover, CoverTotal } from "../../sync/reports/CoverExposure.ts"
import type { CollectionRow } from "../../sync/reports/CollectionList.ts"
import { windowText } from "../render/CollectionView.ts"
import { PARTS } from "../render/CoverReportView.ts"
import { storyOf } from "./DocumentTitle.ts"
import * as Downloads from "./Downloads.ts"
import { calendar } from "./Calendar.ts"
import { statusMark } from "./Collections.ts"
import { html, mark, nameField, type Node, sentence, htmlTable, type Visitor } from "./Html.ts"
import { amountText, figure, groupText, grouped, monthText, plural } from "./language/Figures.ts"
import { t, term } from "./language/Texts.ts"

export interface CoverData {
  readonly today: string
  /** Connections whose quotes name no seller. */
  readonly sellerless: ReadonlyArray<string>
  readonly buyers: ReadonlyArray<BuyerCover>
  readonly totals: ReadonlyArray<CoverTotal>
  readonly budgets: ReadonlyArray<CoverBudget>
  readonly offers: ReadonlyArray<WaitingOffer>
  readonly deadlines: ReadonlyArray<CoverDeadline>
  readonly collections: ReadonlyArray<CollectionRow>
}

/** How many rows of a list are shown; the command and the workbook have all. */
const MOST = 50

const say = (amount: string, currency: string): string => figure(`${Currency.group(amount)} ${currency}`)

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
  const words = t`${say(spent, currency)} of ${say(limit, currency)} spent${waiting > 0n ? t`; offers for ${amountText(waiting, currency)} wait` : ""}`
  return html`<section class="card">
    <h3>${connection}, ${monthText(month)}</h3>
    <p class="big">${say(left, currency)} left</p>
    ${bar(words, Decimal.of(spent), waiting, Decimal.of(limit))}
    <p>${words}</p>
    ${blocked === null ? null : html`<p class="note bad">Nothing is bought: ${sentence(blocked)}. <a href="/attention">What to do</a></p>`}
  </section>`
}

const STANDING: Readonly<Record<WaitingOffer["standing"], readonly ["warn" | "good" | "plain", string]>> = {
  asks: ["warn", "waits for you"],
  next: ["good", "the next run buys it"],
  waits: ["plain", "waits"],
  rejected: ["plain", "rejected"],
  unknown: ["warn", "not known yet"]
}

const price = ({ price: { currency, premium, tax, total } }: WaitingOffer): Node => {
  const parts = [
    premium === undefined ? [] : [t`premium ${say(premium, currency)}`],
    tax === undefined ? [] : [t`tax ${say(tax, currency)}`]
  ]
  return html`${say(total, currency)}${parts.flat().map((one) => html`<br /><span class="dim">${one}</span>`)}`
}

const standingOf = ({ beyondMonth, decided, standing, why }: WaitingOffer): Node => {
  const [look, words] = STANDING[standing]
  return html`${mark(look, term(words))}${decided === null ? null : t` by ${decided}`}
    ${why === null ? null : html`<br /><span class="dim">${sentence(why, "begins")}</span>`}
    ${beyondMonth ? html`<br />${mark("warn", t`Beyond the month`)} With it this month's limit is exceeded; it would be bought all the same.` : null}`
}

/** The id of the form in which offers are chosen. */
const CHOOSING = "offers"

const isOpen = ({ standing }: WaitingOffer): boolean => standing === "asks" || standing === "waits"

const offerRow = (one: WaitingOffer, isChosen: boolean): ReadonlyArray<Node> => [
  isOpen(one)
    ? html`<input type="checkbox" form=${CHOOSING} name="offer" value=${`${one.digest} ${one.subject}`} checked=${isChosen} aria-label=${t`Choose the offer for ${one.number}`} />`
    : null,
  html`<a class="short" href=${storyOf(one.subject)}>${one.number}</a><br />${one.name}`,
  html`<span class="short">${figure(one.due)}</span>`,
  say(one.net, one.currency),
  one.price.insured === undefined ? "" : say(one.price.insured, one.currency),
  price(one),
  one.validUntil === undefined
    ? ""
    : html`<span class="short">${figure(one.validUntil.slice(0, 10))}</span><br /><span class="dim">${one.validUntil.slice(11, 16)}</span>`,
  standingOf(one)
]

/** Offers in one table, with one decision about those that are chosen: each at exactly the price beside it, or none. */
const offers = (
  asks: ReadonlyArray<WaitingOffer>,
  rest: ReadonlyArray<WaitingOffer>,
  visitor: Visitor,
  chosen: ReadonlyArray<WaitingOffer>
): Node => {
  // What was chosen is shown, however many there are.
  const all = [...asks, ...rest].toSorted((a, b) => Number(chosen.includes(b)) - Number(chosen.includes(a)))
  const shown = all.slice(0, MOST)
  if (shown.length === 0) return null
  return html`<h2 id="waiting">${asks.length === 0 ? t`Offers` : t`${plural(asks.length, "offer")} for you to approve`}</h2>
    ${htmlTable(
      t`${shown.length < all.length ? t`The first ${MOST} of ${grouped(all.length)}: those` : t`Those`} that wait for you first, by due date`,
      [
        { title: t`Choose` },
        { title: t`Invoice and buyer` },
        { title: t`Due` },
        { title: t`Net`, right: true },
        { title: t`Insures`, right: true },
        { title: t`Price`, right: true },
        { title: t`Offered until` },
        { title: t`State` }
      ],
      shown.map((one) => offerRow(one, chosen.includes(one)))
    )}
    ${
      shown.some(isOpen)
        ? html`<form id=${CHOOSING} method="post" action="/cover/offers/buy" class="row">
            <input type="hidden" name="form" value=${visitor.form} />
            ${nameField(visitor, true)}
            <button class="primary">Buy the chosen</button>
            <button class="danger" formaction="/cover/offers/reject">Reject the chosen</button>
            <span class="dim">Each is bought at exactly the price beside it, or none of them.</span>
          </form>`
        : null
    }`
}

const limitOf = ({ currency, insured, limit, waiting }: BuyerCover): Node => {
  if (limit === null) return html`<span class="dim">not read yet</span>`
  if (limit.status === "declined")
    return mark("bad", t`declined${limit.rejection === undefined ? "" : `, ${limit.rejection.code}`}`)
  const used = limit.used ?? insured
  const left = limit.available ?? "0"
  const whole = Decimal.of(used) + Decimal.of(left)
  const words = t`${say(used, currency)} in use, ${say(left, currency)} left; ${say(waiting, currency)} waits`
  return html`${bar(words, Decimal.of(used), Decimal.of(waiting), whole)}${say(left, currency)} left`
}

const buyers = (all: ReadonlyArray<BuyerCover>): Node => {
  const used = PARTS.filter(([state], at) => at < 2 || all.some(({ byState }) => byState[state] !== undefined))
  return htmlTable(
    all.length > MOST
      ? t`The ${MOST} buyers with most open, of ${grouped(all.length)}`
      : t`Open amounts by cover; exposure against the buyer's limit`,
    [
      { title: t`Buyer` },
      { title: t`Open`, right: true },
      ...used.map(([, title]) => ({ title: term(title), right: true })),
      { title: t`Limit` }
    ],
    all.slice(0, MOST).map((one) => [
      one.name,
      say(one.open, one.currency),
      ...used.map(([state]) => {
        const amount = one.byState[state]
        const codes = state === "declined" ? Object.keys(one.declined).join(", ") : ""
        return amount === undefined
          ? null
          : html`${groupText(amount)}${codes === "" ? null : html`<br /><span class="dim">${codes}</span>`}`
      }),
      limitOf(one)
    ])
  )
}

const totals = (all: ReadonlyArray<CoverTotal>): Node => {
  const rows = all.flatMap((one) => [
    { currency: one.currency, where: t`books`, open: one.books, parts: one.inBooks },
    { currency: one.currency, where: t`service`, open: one.service, parts: one.onService }
  ])
  const used = PARTS.filter(([state], at) => at < 2 || rows.some(({ parts }) => parts[state] !== undefined))
  return htmlTable(
    t`Each open invoice is counted in exactly one column`,
    [
      { title: t`In` },
      { title: t`Open`, right: true },
      ...used.map(([, title]) => ({ title: term(title), right: true }))
    ],
    rows.map(({ currency, open, parts, where }) => [
      where,
      say(open, currency),
      ...used.map(([state]) => (parts[state] === undefined ? null : groupText(parts[state])))
    ])
  )
}

const collections = (all: ReadonlyArray<CollectionRow>): Node =>
  all.length === 0
    ? html`<p>No insured invoice is late enough to be handed over.</p>`
    : htmlTable(
        t`Late invoices, and what became of them`,
        [
          { title: t`Invoice` },
          { title: t`Buyer` },
          { title: t`Open`, right: true },
          { title: t`Policy` },
          { title: t`Window` },
          { title: t`Confirmed by` },
          { title: t`Sent` }
        ],
        all
          .slice(0, MOST)
          .map((one) => [
            html`<a href=${collectionOf(one.document)}>${one.number}</a>`,
            one.name,
            say(one.open, one.currency),
            statusMark(one),
            one.windowEnds !== null && one.daysLeft !== null
              ? sentence(windowText({ windowEnds: one.windowEnds, daysLeft: one.daysLeft }))
              : "",
            one.confirmed ?? "",
            figure(one.sent?.slice(0, 10) ?? "")
          ])
      )

const aboutSeller = (): Node =>
  html`<p>A quote is also about the seller: write their company as “creditor” in the connection, unless its owner is that company. Quotes without a seller that the insurer knows are refused.</p>`

/** @param chosen offers that are chosen already */
export const room = (data: CoverData, visitor: Visitor, chosen: ReadonlyArray<WaitingOffer> = []): Node => {
  if (data.budgets.length === 0)
    return html`<p>
      No connection has cover. With <code>"cover": { "select": [{}], "price": { "currency": "GBP", "per_month": "2000.00" } }</code>${" "}
      in a connection, Daybook requests quotes for its invoices, buys within these limits, and shows here what waits for you.
    </p>
    ${aboutSeller()}`
  const { budgets, deadlines, today } = data
  const asks = data.offers.filter(({ standing }) => standing === "asks")
  const rest = data.offers.filter(({ standing }) => standing !== "asks")
  return html`
    ${data.sellerless.length === 0 ? null : html`<div class="note"><p><strong>${data.sellerless.join(", ")}</strong></p>${aboutSeller()}<p><a href="/settings">Settings</a></p></div>`}
    ${offers(asks, rest, visitor, chosen)}
    <h2>Collections</h2>
    ${collections(data.collections)}
    <h2>Deadlines</h2>
    ${calendar(today, deadlines)}
    <h2>Spent this month</h2>
    <div class="cards narrow">${budgets.map((one) => month(one, data.offers))}</div>
    <h2>Buyers</h2>
    ${data.buyers.length === 0 ? html`<p>Nothing is open.</p>` : buyers(data.buyers)}
    <p class="legend"><span><i class="c1"></i>in use</span><span><i class="c2"></i>offered or waiting</span></p>
    ${data.totals.length === 0 ? null : html`<h2>Books and service</h2>${totals(data.totals)}`}
    <p class="row">${Downloads.links((path) => path, "/cover")}</p>
  `
}
