/**
 * Shows plans that wait for approval: what would be sent and why, with approve and reject.
 */
import { route } from "../../core/Operations.ts"
import type * as Decimal from "../../core/money/Decimal.ts"
import { attentionCount, grouped } from "../../core/Plural.ts"
import { amountOf, money } from "../render/PlanView.ts"
import type { Document } from "../../connectors/Document.ts"
import { effectWords } from "../../sync/model/Effect.ts"
import type { Approval } from "../../sync/plan/Approvals.ts"
import { bodyOf, type Call } from "../../sync/model/Call.ts"
import * as Figures from "../../sync/plan/Figures.ts"
import { FigureCounter } from "../../sync/plan/Figures.ts"
import { column, type Row, type Sheet } from "../../sync/reports/sheets/Sheet.ts"
import * as Downloads from "./Downloads.ts"
import type { Stop } from "../../sync/plan/Guards.ts"
import { type Summary, total } from "../../sync/plan/Tally.ts"
import { documentLink, nameIn } from "./DocumentTitle.ts"
import { choices, href, html, mark, nameField, type Node, htmlTable, type Visitor, when } from "./Html.ts"

/** A call with the details that a person needs. */
export interface PlannedCall {
  readonly call: Call
  /** What it is about; undefined for an owner or a buyer. */
  readonly document: Document | undefined
  readonly currency: string
}

export interface Waiting {
  readonly approval: Approval
  /** The summary of the current plan. */
  readonly summary: Summary
  /** The guards that would stop it unless a person lets it pass. */
  readonly stops: ReadonlyArray<Stop>
  readonly calls: ReadonlyArray<PlannedCall>
  /** Who approved it, where it needs a second person. */
  readonly voices: ReadonlyArray<string>
}

const state = ({ decided, decision, who }: Approval): Node =>
  decision === null
    ? mark("warn", "waits for approval")
    : html`${mark(decision === "approved" ? "good" : "bad", decision)} ${when(decided)}${who === null ? "" : ` by ${who}`}`

const request = (call: Call): string => {
  const { method, path } = route(call.operation, call.params)
  const body = bodyOf(call)
  return [`${method} ${path}`, ...(body === undefined ? [] : [JSON.stringify(body, null, 2)])].join("\n")
}

/** What a call is about in money: its own amount, or what an invoice becomes or ceases to be. */
const concerned = ({ call, currency, document }: PlannedCall): Decimal.Decimal | undefined => {
  const gross = document?.kind === "invoice" ? document.gross : undefined
  if (gross === undefined) return amountOf(call, currency)
  if (call.operation === "transactions.remove") return -gross
  return amountOf(call, currency) ?? (call.operation === "transactions.update" ? gross : undefined)
}

const n = (value: number): string => grouped(value)

/** The id of the form in which documents of a plan are chosen. */
const partOf = (connection: string): string => `part-${connection}`

/** A form to approve some documents of a plan, which are chosen in its table; none is chosen beforehand. */
const choosing = ({ connection, digest }: Approval, visitor: Visitor): Node => html`
  <form id=${partOf(connection)} method="post" action="/plans/part" class="row">
    <input type="hidden" name="form" value=${visitor.form} />
    <input type="hidden" name="connection" value=${connection} />
    <input type="hidden" name="digest" value=${digest} />
    ${nameField(visitor, false)}
    <button>Approve only the documents chosen below</button>
    <button name="all_but" value="yes">Approve all but the documents chosen below</button>
    <span class="dim">They are sent with what they need, such as the owner; the rest waits again.</span>
  </form>
`

/** The box that chooses a document, beside its first call. */
const chooses = (connection: string, { call }: PlannedCall, before: PlannedCall | undefined): Node =>
  before?.call.subject === call.subject
    ? ""
    : html`<input type="checkbox" form=${partOf(connection)} name="document" value=${call.subject} aria-label=${`Choose ${call.subject}`} />`

const deciding = ({ connection, digest }: Approval, summary: Summary, visitor: Visitor): Node => {
  const label = `Approve ${n(summary.calls)} ${summary.calls === 1 ? "call" : "calls"}`
  const all = [
    { action: "/plans/approve", label, look: "primary" },
    { action: "/plans/reject", label: "Reject", look: "danger" }
  ] as const
  return choices(visitor, { connection, digest }, { named: "asked", all })
}

const one = ({ approval, calls, stops, summary, voices }: Waiting, visitor: Visitor): Node => {
  const { connection, digest, documents, made, reductions, decision, why } = approval
  const isChosen = isOpen({ approval, summary }) && new Set(calls.map(({ call }) => call.subject)).size > 1
  const moved = summary.digest !== digest
  const sentence = Figures.sentence(total(summary))
  const rules = [...summary.rules].toSorted(([a], [b]) => (a < b ? -1 : 1))
  return html`
    <section class="card" id=${connection} aria-label=${`Plan of ${connection}`}>
      <h2>${connection}</h2>
      <p>
        ${n(summary.calls)} ${summary.calls === 1 ? "call" : "calls"} for ${n(summary.documents)} documents, made ${when(made)}.${" "}
        ${state(approval)}${voices.length === 0 || decision !== null ? null : ` · approved by ${voices.join(", ")}, needs a second person`}${documents === null ? null : ` (only ${documents.join(", ")})`}${why === null ? null : html` · ${mark("warn", why)}`}${reductions > 0 ? html` · ${mark("warn", `${n(reductions)} reduce what the service holds`)}` : null}
        ${summary.attention > 0 ? html` · <a href="/attention">${attentionCount(summary.attention)}</a>` : null}
      </p>
      ${sentence === "" ? null : html`<p><strong>${sentence}</strong></p>`}
      ${stops.map(({ guard, why }) => html`<p class="note">${mark("warn", guard)} ${why}</p>`)}
      <p class="dim">By rule: ${rules.map(([rule, count]) => `${rule} ${n(count)}`).join(" · ")}</p>
      ${
        moved
          ? html`<p class="note">The books changed since this plan was made. The next run makes a new one.</p>`
          : decision === null
            ? [deciding(approval, summary, visitor), isChosen ? choosing(approval, visitor) : null]
            : null
      }
      ${htmlTable(
        calls.length < summary.calls
          ? `The first ${n(calls.length)} of ${n(summary.calls)} calls of ${connection}`
          : `The calls of ${connection}`,
        [
          ...(isChosen ? [{ title: "Choose" }] : []),
          { title: "What" },
          { title: "Customer" },
          { title: "Amount", right: true },
          { title: "Document" },
          { title: "Why" }
        ],
        calls.map((planned, at) => {
          const { call, currency, document } = planned
          const amount = concerned(planned)
          return [
            ...(isChosen ? [chooses(connection, planned, calls[at - 1])] : []),
            effectWords(call),
            nameIn(document) ?? "",
            amount === undefined
              ? ""
              : html`<span class=${amount < 0n ? "bad" : undefined}>${money(amount, currency)}</span>`,
            documentLink(call.subject, document),
            html`${call.reason} <span class="dim">(${call.rule})</span>
              <details><summary>Request</summary><pre>${request(call)}</pre></details>`
          ]
        })
      )}
      <p class="row">
        ${calls.length < summary.calls ? html`<a href=${`${href("/plans", { all: connection })}#${connection}`}>Show all ${n(summary.calls)} calls</a>` : null}
        ${Downloads.links((path) => href(path, { connection }), "/plans")}
      </p>
    </section>
  `
}

/** Whether a plan can be decided about as it is shown. */
const isOpen = ({ approval: { decision, digest }, summary }: Pick<Waiting, "approval" | "summary">): boolean =>
  decision === null && summary.digest === digest

/** A form for several plans: each is listed with its amounts, and none is selected beforehand. */
const together = (waiting: ReadonlyArray<Waiting>, visitor: Visitor): Node => {
  const open = waiting.filter(isOpen)
  if (open.length < 2) return null
  const all = new FigureCounter()
  for (const { summary } of open) all.merge(total(summary))
  return html`<form method="post" action="/plans/several/approve" class="card">
    <h2>Decide about several</h2>
    <input type="hidden" name="form" value=${visitor.form} />
    <fieldset>
      <legend>Plans to approve or reject</legend>
      ${open.map(
        ({ approval: { connection, digest, reductions }, stops, summary }) => html`<label>
          <input type="checkbox" name="plan" value=${`${digest} ${connection}`} />
          <strong>${connection}</strong>: ${Figures.sentence(total(summary)) || `${n(summary.calls)} calls`}
          ${reductions > 0 ? html` ${mark("warn", `${n(reductions)} reduce what the service holds`)}` : null}
          ${stops.map(({ guard }) => html` ${mark("warn", guard)}`)}
        </label>`
      )}
    </fieldset>
    <p>All of them together: ${Figures.sentence(all.figures())}</p>
    <div class="row">
      ${nameField(visitor, false)}
      <button class="primary several">Approve the chosen</button>
      <button class="danger several" formaction="/plans/several/reject">Reject the chosen</button>
    </div>
  </form>`
}

/** The calls as a sheet, for download. */
export const sheet = (calls: ReadonlyArray<PlannedCall>): Sheet => ({
  name: "Plan",
  currency: 3,
  columns: [
    column("What", "text", 20),
    column("Customer", "text", 30),
    column("Document", "text", 30),
    column("Currency", "text", 9),
    column("Amount", "money", 14),
    column("Rule", "text", 8),
    column("Why", "text", 60)
  ],
  *rows(): IterableIterator<Row> {
    for (const { call, currency, document } of calls) {
      const amount = currency === "" ? undefined : concerned({ call, currency, document })
      yield [effectWords(call), nameIn(document), call.subject, currency, amount, call.rule, call.reason]
    }
  }
})

export const list = (waiting: ReadonlyArray<Waiting>, visitor: Visitor): Node =>
  waiting.length === 0
    ? html`<p>
        No plan waits for approval. The first sync of a connection waits here, and so does a plan that a guard stopped.
        With <code>"approve": true</code> in the configuration, every plan of a connection waits here.
      </p>`
    : html`${together(waiting, visitor)} ${waiting.map((plan) => one(plan, visitor))}`
