/** Says which invoices a payment is for: their boxes, how much of it each takes, and what remains of it. */
import type { OpenAttention } from "../../sync/apply/AttentionStore.ts"
import { kindOf } from "../../connectors/Document.ts"
import * as Decimal from "../../core/money/Decimal.ts"
import type { Candidate } from "../../sync/matching/Candidates.ts"
import type { Stake } from "../../sync/reports/AttentionGroups.ts"
import { candidateLines } from "../render/PaymentView.ts"
import { storyOf } from "./DocumentTitle.ts"
import { button, html, htmlTable, type Node, sentence } from "./Html.ts"
import { amountText, fieldText, figure, groupText, plural } from "./language/Figures.ts"
import { t } from "./language/Texts.ts"
import { plainAmount, typedBefore } from "./language/TypedAmount.ts"

/** What the fields of the form say. */
export interface BenchFields {
  /** The chosen invoices, with how much each takes, as it was written. */
  readonly taken: ReadonlyMap<string, string>
  /** Others, as they were written. */
  readonly others: string
}

const TAKE = "take:"

export const benchFields = (fields: URLSearchParams): BenchFields => ({
  taken: new Map(fields.getAll("pick").map((invoice) => [invoice, (fields.get(`${TAKE}${invoice}`) ?? "").trim()])),
  others: fields.get("invoices") ?? ""
})

/** The choice as the command takes it: one invoice on each line. */
export const chosenLines = ({ others, taken }: BenchFields): ReadonlyArray<string> => [
  ...[...taken].map(([invoice, amount]) => (amount === "" ? invoice : `${invoice}=${plainAmount(amount) ?? amount}`)),
  ...others.split("\n").flatMap((line) => (line.trim() === "" ? [] : [line.trim()]))
]

/** An amount that was typed and cannot be read, or in two ways. */
export const unclear = ({ taken }: BenchFields): string | undefined =>
  [...taken.values()].find((text) => text !== "" && plainAmount(text) === undefined)

/** What remains of the payment; undefined if an amount cannot be read. */
export const remainder = (received: Decimal.Decimal, { taken }: BenchFields): Decimal.Decimal | undefined => {
  let left = received
  for (const text of taken.values()) {
    const amount = Decimal.parse(plainAmount(text) ?? "")
    if (typeof amount === "string") return undefined
    left -= amount
  }
  return left
}

const running = ({ amount, currency }: Stake, fields: BenchFields): Node => {
  const left = remainder(amount, fields)
  const words =
    left === undefined
      ? t`not known: an amount cannot be read`
      : `${amountText(left, currency)}${left < 0n ? t`: more than was received` : ""}`
  return html`<p class="sum" role="status">
    ${amountText(amount, currency)} received, ${plural(fields.taken.size, "invoice")} chosen; remains
    ${" "}<output form="bench" name="left" class=${left === 0n ? "even" : undefined}>${words}</output>
  </p>`
}

/** @param form absent where the invoice alone does not explain the payment */
const row = (id: number, one: Candidate, { taken }: BenchFields, form: string | undefined): ReadonlyArray<Node> => {
  const { accept = [one.invoice], amount, due, invoice, number, open, party, why } = one
  return [
    html`<input type="checkbox" form="bench" name="pick" value=${invoice} checked=${taken.has(invoice)} aria-label=${t`Choose ${number}`} />`,
    html`<a href=${storyOf(invoice)}>${number}</a>`,
    party,
    figure(due),
    groupText(open),
    html`<input form="bench" name=${`${TAKE}${invoice}`} value=${taken.get(invoice) ?? fieldText(typedBefore(amount ?? open))} size="10" inputmode="decimal" aria-label=${t`How much ${number} takes`} />`,
    form === undefined
      ? t`owed by this payer as well`
      : why === undefined
        ? ""
        : html`${amount === undefined ? "" : `${figure(amount)}: `}${sentence(why)}`,
    form === undefined
      ? ""
      : button(
          `/attention/${id}/match`,
          accept.length > 1 ? t`These together` : t`This one`,
          form,
          { invoices: accept.join("\n") },
          "primary"
        )
  ]
}

export interface Bench {
  readonly candidates: ReadonlyArray<Candidate>
  /** What else the payer owes: chosen with others, not at once. */
  readonly owed: ReadonlyArray<Candidate>
  /** The payment's amount, where it is known in its currency. */
  readonly received: Stake | undefined
  /** As the payment names them; undefined if it does not. */
  readonly payer: string | undefined
  /** The text of the payment itself, as the bank has it. */
  readonly line: string | undefined
  readonly fields: BenchFields
}

export const workbench = (
  { id, subject }: Pick<OpenAttention, "id" | "subject">,
  { candidates, fields, line, owed, payer, received }: Bench,
  form: string
): Node => html`
  ${line === undefined ? null : html`<p class="line">${line}</p>`}
  <h2>Which invoice it is for</h2>
  ${received === undefined ? null : running(received, fields)}
  ${
    candidates.length + owed.length === 0
      ? html`<p>${candidateLines(subject, [])}</p>`
      : htmlTable(
          kindOf(subject) === "reversal"
            ? t`Invoices that had a payment of that amount before, the likeliest first`
            : t`Invoices that it may be for, the likeliest first`,
          [
            { title: t`Choose` },
            { title: t`Invoice` },
            { title: t`Customer` },
            { title: t`Due` },
            { title: t`Open`, right: true },
            { title: t`Takes` },
            { title: t`Why` },
            { title: t`At once` }
          ],
          [
            ...candidates.map((one) => row(id, one, fields, form)),
            ...owed.map((one) => row(id, one, fields, undefined))
          ]
        )
  }
  <form id="bench" class="row" method="post" action=${`/attention/${id}/match`} data-received=${received === undefined ? undefined : Decimal.format(received.amount)} data-currency=${received?.currency}>
    <input type="hidden" name="form" value=${form} />
    <label
      >Others, not counted above: one on each line by number, id or key; INV-7=10.00 for a part
      <textarea name="invoices" rows="2">${fields.others}</textarea>
    </label>
    <button class="primary">It is for these</button>
    ${received === undefined ? null : html`<button formmethod="get" formaction=${`/attention/${id}`} class="plain">Recalculate</button>`}
  </form>
  <div class="row">${button(`/attention/${id}/match`, t`Not for any invoice`, form, { none: "yes" })}</div>
  ${always(id, [...candidates, ...owed], payer, form)}
`

/** What is said for good: it stands in the list of what is known of payers, where it can be forgotten. */
const always = (id: number, all: ReadonlyArray<Candidate>, payer: string | undefined, form: string): Node => {
  const customers = [...new Set(all.map(({ party }) => party))].filter((one) => one !== "" && one !== payer)
  return payer === undefined || customers.length === 0
    ? null
    : html`<h2>For good</h2>
        <p>What you choose above is remembered of ${payer}. It can also be said without a choice, and forgotten <a href="/attention">under the work queue</a>.</p>
        <div class="row">${customers
          .slice(0, MOST_ALWAYS)
          .map((customer) =>
            button(`/attention/${id}/always`, t`${payer} always pays for ${customer}`, form, { customer })
          )}</div>`
}

/** How many customers are offered. */
const MOST_ALWAYS = 5
