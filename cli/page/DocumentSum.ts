/**
 * Shows how an invoice's open amount comes about: each line leads to its document, and two lines stand below what is the same in books,
 * source and service.
 */
import * as Decimal from "../../core/money/Decimal.ts"
import type { Story } from "../../sync/library/Explain.ts"
import { openOn } from "../../sync/model/RemoteInvoice.ts"
import * as InvoiceFields from "../../sync/rules/InvoiceFields.ts"
import * as SourceFigures from "../../sync/rules/SourceFigures.ts"
import { arithmetic } from "../render/StoryView.ts"
import { documentLink } from "./DocumentTitle.ts"
import { button, html, htmlTable, type Node, sentence } from "./Html.ts"
import { amountText, figure } from "./language/Figures.ts"
import { t } from "./language/Texts.ts"

type Row = ReadonlyArray<Node>

/** The documents of its money, the oldest first, each with what it adds to what is open. */
const movements = ({ facts }: Story, currency: string, form: string): ReadonlyArray<Row> => {
  if (!("invoice" in facts)) return []
  const all = [
    ...facts.creditNotes.map((one) => ({ ...one, sign: -1n })),
    ...facts.payments.map((one) => ({ ...one, sign: -1n })),
    ...facts.reversals.map((one) => ({ ...one, sign: 1n }))
  ]
  return all
    .toSorted((a, b) => (a.document.date < b.document.date ? -1 : 1))
    .map((one) => [
      documentLink(one.key, one.document),
      figure(one.document.date),
      amountText(one.sign * one.amount, currency),
      // What its own books allocate is corrected there.
      "how" in one && one.how !== undefined && one.document.kind === "payment"
        ? button("/payments/ask", t`It is for another invoice`, form, { payment: one.key }, "plain", one.document.id)
        : ""
    ])
}

const table = (story: Story, form: string): Node => {
  const { facts, key, remote } = story
  if (!("invoice" in facts) || facts.invoice === undefined) return null
  const { invoice } = facts
  const { currency, issued } = invoice
  const sum = (all: ReadonlyArray<{ readonly amount: Decimal.Decimal }>) => Decimal.sum(all.map(({ amount }) => amount))
  const open = InvoiceFields.due(facts, invoice).total - sum(facts.payments) + sum(facts.reversals)
  const { says } = SourceFigures.of(facts, invoice, {})
  const held = remote?.kind === "invoice" && remote.fields["currency"] === currency ? openOn(remote) : undefined
  const result = (words: string, amount: Decimal.Decimal | undefined): ReadonlyArray<Row> =>
    amount === undefined
      ? []
      : [
          [
            words,
            "",
            html`<span class=${amount === open ? "proved" : "bad"}>${amountText(amount, currency)}</span>`,
            ""
          ]
        ]
  const columns = [
    { title: t`What` },
    { title: t`Day` },
    { title: t`Amount`, right: true },
    { title: t`What can be done` }
  ]
  const rows = [
    [documentLink(key, invoice), figure(issued), amountText(invoice.gross ?? invoice.net ?? 0n, currency), ""],
    ...movements(story, currency, form),
    ...result(t`Open in the books`, open),
    ...result(t`The source says`, says),
    ...result(t`The service holds`, held)
  ]
  const shown = rows.some((row) => row[3] !== "") ? 4 : 3
  return htmlTable(
    t`What is asked, and what was received of it`,
    columns.slice(0, shown),
    rows.map((row) => row.slice(0, shown))
  )
}

export const documentSum = (story: Story, form: string): Node => html`
  <h2>The sum</h2>
  ${table(story, form)}
  <ul class="dim plainly">${arithmetic(story).map((line) => html`<li>${sentence(line.trim())}</li>`)}</ul>
`
