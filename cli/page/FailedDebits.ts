/** Lists payments that came back. */
import type { FailedDebit } from "../../sync/reports/FailedDebits.ts"
import { invoiceOf } from "../../sync/reports/News.ts"
import { storyOf } from "./DocumentTitle.ts"
import * as Downloads from "./Downloads.ts"
import { href, html, htmlTable, mark, type Node } from "./Html.ts"
import { amountText, figure, plural } from "./language/Figures.ts"
import { t, term } from "./language/Texts.ts"

/** How many payments came back: their cause is known only where the source states it. */
export const cameBack = (count: number): string => plural(count, "payment that came back", "payments that came back")

export interface FailedShown {
  readonly shown: ReadonlyArray<FailedDebit & { readonly name: string; readonly number: string }>
  readonly all: number
  readonly month: string | undefined
  readonly currency: string | undefined
}

export const failedPage = ({ all, currency, month, shown }: FailedShown): Node => html`
  <p>${month === undefined ? t`Of the last twelve months` : t`Of ${month}`}${currency === undefined ? "" : t`, in ${currency}`}.${" "}
    <a href="/failed">All of them</a></p>
  ${
    shown.length === 0
      ? html`<p>No payment came back. <a href="/receivables">Back to receivables</a></p>`
      : htmlTable(
          shown.length < all ? t`The latest ${shown.length} of ${cameBack(all)}` : cameBack(all),
          [
            { title: t`Date` },
            { title: t`Customer` },
            { title: t`Invoice` },
            { title: t`Reason` },
            { title: t`Amount`, right: true }
          ],
          shown.map(({ amount, currency, date, key, name, number, reversal }) => [
            figure(date),
            name,
            html`<a href=${storyOf(invoiceOf(key, reversal) ?? key)}>${number}</a>`,
            `${term(reversal.type)}${reversal.providerCode === undefined ? "" : ` (${reversal.providerCode})`}`,
            mark("bad", amountText(-amount, currency))
          ])
        )
  }
  ${shown.length === 0 ? null : html`<p class="row">${Downloads.links((path) => href(path, { month, currency }), "/failed")}</p>`}
`
