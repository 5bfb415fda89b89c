/** Shows payouts: each balance at a processor as a waterfall from what it collected to the bank, and the payouts. */
import * as Currency from "../../core/money/Currency.ts"
import { isOdd, type PayoutReport } from "../../sync/reports/Payouts.ts"
import { balanceName, waterfall } from "../render/PayoutView.ts"
import { storyOf } from "./DocumentTitle.ts"
import * as Downloads from "./Downloads.ts"
import { html, htmlTable, mark, type Node, sentence } from "./Html.ts"
import { figure, plural } from "./language/Figures.ts"
import { t, term } from "./language/Texts.ts"
import { sentenceText } from "./language/Sentences.ts"

/** The most payouts that are listed; the download has all. */
const MOST = 200

const link = (key: string): Node => html`<a href=${storyOf(key)}>${key}</a>`

export const payoutsPage = ({ accounts, lines, payouts }: PayoutReport): Node =>
  payouts.length === 0
    ? html`<p>No payout of a processor was read.</p>`
    : html`
        ${accounts.map((one) =>
          htmlTable(
            `${balanceName(one)}: ${plural(one.payouts, "payout")}`,
            [{ title: t`From the sale to the bank` }, { title: one.currency, right: true }],
            waterfall(one).map(([words = "", amount = ""]) => [sentence(words), figure(amount)])
          )
        )}
        ${htmlTable(
          payouts.length > MOST ? t`The latest ${MOST} of ${plural(payouts.length, "payout")}` : t`Payouts`,
          [
            { title: t`Arrives` },
            { title: t`Payout` },
            { title: t`Amount`, right: true },
            { title: t`Where it is` },
            { title: t`Lines of the bank` }
          ],
          payouts
            .slice(0, MOST)
            .map((one) => [
              figure(one.date),
              link(one.payout),
              figure(`${Currency.group(one.amount)} ${one.currency}`),
              mark(
                isOdd(one) ? "bad" : one.standing === "arrived" ? "good" : "plain",
                [term(one.standing), ...(one.why === null ? [] : [sentenceText(one.why)])].join(": ")
              ),
              one.lines.map(({ line }, n) => html`${n === 0 ? "" : ", "}${link(line)}`)
            ])
        )}
        ${
          lines.length === 0
            ? null
            : htmlTable(
                t`Lines of the bank that a processor paid, and no payout explains`,
                [{ title: t`Day` }, { title: t`Line` }, { title: t`Amount`, right: true }],
                lines
                  .slice(0, MOST)
                  .map((one) => [
                    figure(one.date),
                    link(one.line),
                    figure(`${Currency.group(one.amount)} ${one.currency}`)
                  ])
              )
        }
        <p class="row">${Downloads.links((path) => path, "/payouts")}</p>
      `
