/**
 * Shows debtors that the service could not match, and the companies that they may be.
 */
import type { Company } from "../../core/insurance/Companies.ts"
import type { Debtor } from "../../sync/reports/Debtors.ts"
import { candidate } from "../render/DebtorView.ts"
import * as Downloads from "./Downloads.ts"
import { button, href, html, type Node, htmlTable } from "./Html.ts"
import { figure, grouped } from "./language/Figures.ts"
import { t } from "./language/Texts.ts"

/** The most rows of a table; the downloads have all. */
const MOST = 100

const more = (all: ReadonlyArray<Debtor>): Node =>
  all.length > MOST ? html`<p class="dim">${t`and ${grouped(all.length - MOST)} more`}</p>` : null

const who = ({ connection, party }: Debtor): string => href("/debtors/one", { connection, party })

export const list = (unknown: ReadonlyArray<Debtor>, chosen: ReadonlyArray<Debtor>): Node => html`
  ${
    unknown.length === 0
      ? html`<p>The service recognised every debtor.</p>`
      : htmlTable(
          t`Debtors in the books that the service could not identify`,
          [
            { title: t`Debtor` },
            { title: t`Country` },
            { title: t`Connection` },
            { title: t`Invoices`, right: true },
            { title: t`Open`, right: true },
            { title: t`Company` }
          ],
          unknown
            .slice(0, MOST)
            .map((debtor) => [
              debtor.name,
              debtor.country ?? "",
              debtor.connection,
              grouped(debtor.invoices),
              debtor.open.join(", "),
              html`<a href=${who(debtor)} aria-label=${`${t`Choose a company`}: ${debtor.name}`}>${t`Choose a company`}</a>`
            ])
        )
  }
  ${more(unknown)}
  ${
    chosen.length === 0
      ? null
      : html`<h2>Chosen by hand</h2>
          ${htmlTable(
            t`Applied to every later invoice`,
            [
              { title: t`Debtor` },
              { title: t`Connection` },
              { title: t`Company` },
              { title: t`Invoices`, right: true },
              { title: t`Choice` }
            ],
            chosen
              .slice(0, MOST)
              .map((debtor) => [
                debtor.name,
                debtor.connection,
                debtor.chosen,
                grouped(debtor.invoices),
                html`<a href=${who(debtor)}>Change</a>`
              ])
          )}
          ${more(chosen)}`
  }
  ${unknown.length + chosen.length === 0 ? null : html`<p class="row">${Downloads.links((path) => path, "/debtors")}</p>`}
`

export const one = (debtor: Debtor, companies: ReadonlyArray<Company>, form: string): Node => {
  const { address, chosen, connection, country, invoices, open, party, regnum } = debtor
  return html`
    <dl>
      <dt>Connection</dt>
      <dd>${connection}</dd>
      <dt>Country</dt>
      <dd>${country ?? t`not known in the books; the service's search needs one, so add it in the source`}</dd>
      ${regnum === null ? null : html`<dt>Number</dt><dd>${regnum}</dd>`} ${address === null ? null : html`<dt>Address</dt><dd>${address}</dd>`}
      <dt>Invoices</dt>
      <dd>${grouped(invoices)}${open.length === 0 ? "" : t`, ${open.map(figure).join(", ")} open`}</dd>
      ${chosen === null ? null : html`<dt>Chosen</dt><dd>${chosen} ${button("/debtors/forget", t`Undo`, form, { connection, party })}</dd>`}
    </dl>
    <h2>Might be</h2>
    ${
      companies.length === 0
        ? html`<p>The service's search finds no company of that name or number.</p>`
        : htmlTable(
            t`Companies that the service's search finds, the likeliest first`,
            [
              { title: t`Company` },
              { title: t`Where` },
              { title: t`Numbers` },
              { title: t`Confidence`, right: true },
              { title: t`Choice` }
            ],
            companies
              .map(candidate)
              .map(({ company, confidence, identifiers, name, place }) => [
                html`${name}<br /><span class="dim">${company}</span>`,
                place,
                identifiers.join(", "),
                confidence === null ? "" : String(confidence),
                button("/debtors/choose", t`This one`, form, { connection, party, company }, "primary")
              ])
          )
    }
  `
}
