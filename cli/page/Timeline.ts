/** Says how a document stands, and what happened to it, the latest first. The evidence is below it on its page. */
import * as Decimal from "../../core/money/Decimal.ts"
import type { Day } from "../../core/wire/Day.ts"
import type { Story } from "../../sync/library/Explain.ts"
import type { CallStory, Version } from "../../sync/reports/History.ts"
import * as InvoiceFields from "../../sync/rules/InvoiceFields.ts"
import { storedEffectWords } from "../../sync/model/Effect.ts"
import { says } from "../render/StoryView.ts"
import { called } from "./DocumentTitle.ts"
import { html, mark, type Node, sentence, when } from "./Html.ts"
import { amountText, figure, plural } from "./language/Figures.ts"
import { t, term } from "./language/Texts.ts"

/** How many events are shown at once; the earlier ones are folded. */
const SHOWN = 12

/** How an invoice stands in the books: paid, open or late, and with how much. */
const ofInvoice = (facts: Story["facts"], today: Day): Node => {
  if (!("invoice" in facts) || facts.invoice === undefined) return null
  if (facts.deleted) return mark("plain", t`Deleted in the source`)
  const { currency, due, status } = facts.invoice
  const sum = (all: ReadonlyArray<{ readonly amount: Decimal.Decimal }>) => Decimal.sum(all.map(({ amount }) => amount))
  const open = InvoiceFields.due(facts, facts.invoice).total - sum(facts.payments) + sum(facts.reversals)
  const words = amountText(Decimal.abs(open), currency)
  if (status === "void" || status === "draft") return mark("plain", status === "void" ? t`Cancelled` : t`A draft`)
  if (open === 0n) return mark("good", t`Paid`)
  if (open < 0n) return mark("warn", t`Overpaid by ${words}`)
  return due < today
    ? mark("bad", t`${words} open, due since ${figure(due)}`)
    : mark("warn", t`${words} open, due ${figure(due)}`)
}

/** How it stands, in one line: in the books, on the service, and whether somebody has to do something. */
export const howItStands = ({ attention, facts, reason, remote }: Story, today: Day): Node => {
  const open = attention.filter(({ closed }) => closed === null)
  const parts: ReadonlyArray<Node> = [
    ofInvoice(facts, today),
    remote === undefined
      ? html`Not on the service${reason === null ? "" : html`: ${sentence(reason)}`}`
      : remote.kind === "buyer"
        ? null
        : t`On the service: ${term(remote.status)}${remote.kind === "invoice" && remote.insured ? t`, insured` : ""}`,
    open[0] === undefined
      ? null
      : html`<a href=${`/attention/${open[0].id}`}>${mark("warn", t`${plural(open.length, "item")} for somebody to decide`)}</a>`
  ].filter((one) => one !== null)
  return html`<p class="sum">${parts.map((one, n) => html`${n === 0 ? "" : " · "}${one}`)}</p>`
}

interface Event {
  readonly at: number
  readonly look: "good" | "warn" | "bad" | "plain"
  readonly what: Node
  readonly more: Node
}

const ofVersion = ({ deleted, document, key, n, read }: Version): Event => ({
  at: read,
  look: deleted ? "warn" : "plain",
  what: `${called(key, document)}: ${deleted ? t`deleted in the source` : n === 1 ? t`read in the source` : t`changed in the source`}`,
  more: deleted ? "" : sentence(says(document))
})

/** What a call that was kept did. */
export const effectOfStored = ({ body, operation, subject }: CallStory): string => {
  const { amount, status } = (body ?? {}) as Readonly<Record<string, unknown>>
  const text = (value: unknown) => (typeof value === "string" ? value : null)
  return storedEffectWords({ subject, operation, status: text(status), amount: text(amount) })
}

export const outcomeOf = ({ outcome, status }: CallStory): Node =>
  outcome === "done"
    ? mark("good", t`done ${status ?? ""}`)
    : outcome === null
      ? mark("warn", t`no result yet`)
      : mark("bad", `${term(outcome)} ${status ?? ""}`)

/** Oldest first, as far as the order of one instant is known. */
const eventsOf = ({ attention, calls, cover, related, versions }: Story): ReadonlyArray<Event> => [
  ...[...versions, ...related].map(ofVersion),
  ...calls.map(
    (one): Event => ({
      at: one.claimed,
      look: one.outcome === "done" ? "good" : one.outcome === null ? "warn" : "bad",
      what: html`${sentence(effectOfStored(one))}: ${outcomeOf(one)}`,
      more: sentence(one.reason)
    })
  ),
  ...attention.flatMap(
    ({ closed, how, id, since, why }): ReadonlyArray<Event> => [
      {
        at: since,
        look: closed === null ? "warn" : "plain",
        what: html`For somebody to decide${closed === null ? html` (<a href=${`/attention/${id}`}>item ${id}</a>)` : ""}`,
        more: sentence(why)
      },
      ...(closed === null
        ? []
        : [{ at: closed, look: "plain" as const, what: t`Decided, or no longer so`, more: sentence(how ?? "") }])
    ]
  ),
  ...(cover?.decisions ?? []).map(
    ({ decided, decision, who }): Event => ({
      at: decided,
      look: "plain",
      what: t`Cover ${term(decision)}`,
      more: t`by ${who}`
    })
  )
]

const list = (events: ReadonlyArray<Event>): Node =>
  html`<ol class="story">${events.map(({ at, look, more, what }) => html`<li class=${look}><strong>${what}</strong> <span class="dim">${when(at)}</span><br />${more}</li>`)}</ol>`

export const timeline = (story: Story): Node => {
  // At one instant what was done later comes first, too.
  const events = eventsOf(story)
    .toSorted((a, b) => a.at - b.at)
    .toReversed()
  if (events.length === 0) return null
  const earlier = events.slice(SHOWN)
  return html`
    <h2>What happened</h2>
    <p class="dim">The latest first.</p>
    ${list(events.slice(0, SHOWN))}
    ${earlier.length === 0 ? null : html`<details><summary>${plural(earlier.length, "earlier event")}</summary>${list(earlier)}</details>`}
  `
}
