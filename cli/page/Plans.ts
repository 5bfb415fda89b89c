/**
 * Shows plans that wait for approval: what would be sent and why, with approve and reject.
 */
import { route } from "../../core/Operations.ts"
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
import {
  amountOfRow,
  type ChangeKind,
  changeOf,
  CHANGES,
  concerned,
  ORDERS,
  type PlannedRow,
  rowsOf,
  type RowsWanted,
  whatOf
} from "./PlanRows.ts"
import {
  choices,
  href,
  html,
  keys,
  mark,
  nameField,
  type Node,
  sentence,
  htmlTable,
  type Visitor,
  when
} from "./Html.ts"
import { ruleLink } from "./Rules.ts"
import { amountText, grouped, plural } from "./language/Figures.ts"
import { t, term, terms } from "./language/Texts.ts"
import { sentenceText } from "./language/Sentences.ts"

export interface Waiting {
  readonly approval: Approval
  /** The summary of the current plan. */
  readonly summary: Summary
  /** The guards that would stop it unless a person lets it pass. */
  readonly stops: ReadonlyArray<Stop>
  /** Its documents with calls, up to a limit. */
  readonly rows: ReadonlyArray<PlannedRow>
  /** Which of them are shown. */
  readonly wanted: RowsWanted
  /** Those that the person has chosen so far. */
  readonly chosen: ReadonlyArray<string>
  /** Who approved it, where it needs a second person. */
  readonly voices: ReadonlyArray<string>
}

const state = ({ decided, decision, who }: Approval): Node =>
  decision === null
    ? mark("warn", t`waits for approval`)
    : html`${mark(decision === "approved" ? "good" : "bad", term(decision))} ${when(decided)}${who === null ? "" : t` by ${who}`}`

const request = (call: Call): string => {
  const { method, path } = route(call.operation, call.params)
  const body = bodyOf(call)
  return [`${method} ${path}`, ...(body === undefined ? [] : [JSON.stringify(body, null, 2)])].join("\n")
}

const n = (value: number): string => grouped(value)

/** How many documents of a plan a page shows. */
const ROWS_SHOWN = 50
/** How many documents an address can name: servers take 16 kB of it. */
export const MOST_CHOSEN = 200

/** The id of the form in which documents of a plan are chosen. */
const partOf = (connection: string): string => `part-${connection}`

const options = (words: Readonly<Record<string, string>>, now: string | undefined): Node =>
  Object.entries(words).map(
    ([value, text]) => html`<option value=${value} selected=${value === (now ?? "")}>${text}</option>`
  )

/** The form that says which documents are shown, and which are chosen: all of it is in the address. */
const asking = (waiting: Waiting, shown: ReadonlyArray<PlannedRow>, all: number, isChosen: boolean): Node => {
  const { approval, chosen, rows, wanted } = waiting
  const { connection } = approval
  const { from, kind, order, text } = wanted
  const isHere = new Set(shown.map(({ subject }) => subject))
  const counts = Map.groupBy(rows, changeOf)
  const kinds = Object.entries(CHANGES).flatMap(([name, words]) => {
    const count = counts.get(name as ChangeKind)?.length ?? 0
    return count === 0 ? [] : [[name, `${term(words)} (${n(count)})`] as const]
  })
  return html`<form id=${partOf(connection)} method="get" action="/plans" class="row">
    <input type="hidden" name="connection" value=${connection} />
    ${chosen.filter((one) => !isHere.has(one)).map((one) => html`<input type="hidden" name="document" value=${one} />`)}
    <label>Number, customer or amount <input type="search" name="q" value=${text} /></label>
    <label>Which <select name="kind">${options({ "": t`All (${n(rows.length)})`, ...Object.fromEntries(kinds) }, kind)}</select></label>
    <label>Sort by <select name="order">${options(terms(ORDERS), order)}</select></label>
    <button>Show</button>
    ${from === 0 ? null : html`<button name="from" value=${Math.max(0, from - ROWS_SHOWN)}>The ${ROWS_SHOWN} before</button>`}
    ${from + ROWS_SHOWN >= all ? null : html`<button name="from" value=${from + ROWS_SHOWN}>The next ${ROWS_SHOWN}</button>`}
    ${isChosen ? ways(chosen.length, text !== "" || kind !== undefined ? all : 0) : null}
  </form>`
}

/** What is done with the documents that are chosen, or with all that the filter leaves. */
const ways = (chosen: number, filtered: number): Node => html`<div class="ways">
  <button name="way" value="only" formaction="/plans/part">Approve only the chosen …</button>
  <button name="way" value="but" formaction="/plans/part">Approve all but the chosen …</button>
  ${filtered === 0 ? null : html`<button name="way" value="shown" formaction="/plans/part">${t`Approve these ${n(filtered)} …`}</button>`}
  <span class="dim">${chosen === 0 ? "" : t`${plural(chosen, "document")} chosen. `}The rest stays pending approval. Shows first what is sent.</span>
</div>`

const deciding = ({ connection, digest }: Approval, summary: Summary, visitor: Visitor): Node => {
  const label = t`Approve ${plural(summary.calls, "call")}`
  const all = [
    { action: "/plans/approve", label, look: "primary" },
    { action: "/plans/reject", label: t`Reject`, look: "danger" }
  ] as const
  return choices(visitor, { connection, digest }, { named: "asked", all })
}

/** One document of a plan, in columns. */
const rowOf = (row: PlannedRow, connection: string, chosen: ReadonlyArray<string> | undefined): ReadonlyArray<Node> => {
  const { calls, currency, document, subject } = row
  const amount = amountOfRow(row)
  return [
    ...(chosen === undefined
      ? []
      : [
          html`<input type="checkbox" form=${partOf(connection)} name="document" value=${subject} checked=${chosen.includes(subject)} aria-label=${t`Choose ${subject}`} />`
        ]),
    documentLink(subject, document),
    nameIn(document) ?? "",
    sentence(whatOf(row)),
    amount === undefined
      ? ""
      : html`<span class=${amount < 0n ? "bad" : undefined}>${amountText(amount, currency)}</span>`,
    html`<details>
        <summary>${[...new Set(calls.map(({ reason }) => reason))].map((one) => sentenceText(one)).join("; ")}${calls.length === 1 ? "" : ` (${plural(calls.length, "call")})`}</summary>
        ${calls.map((call) => html`<p>${sentence(effectWords(call))} <span class="dim">(rule ${call.rule})</span></p><pre>${request(call)}</pre>`)}
      </details>`
  ]
}

/** The documents of a plan that are asked for. */
const documents = (waiting: Waiting, isChosen: boolean): Node => {
  const { approval, chosen, rows, wanted } = waiting
  const { connection } = approval
  const found = rowsOf(rows, wanted)
  const shown = found.slice(wanted.from, wanted.from + ROWS_SHOWN)
  const caption =
    shown.length === 0
      ? t`No document of this plan fits`
      : t`${shown.length < found.length ? t`${n(wanted.from + 1)} to ${n(wanted.from + shown.length)} of ` : ""}${plural(found.length, "document")} of ${connection}`
  return html`
    ${asking(waiting, shown, found.length, isChosen)}
    ${htmlTable(
      caption,
      [
        ...(isChosen ? [{ title: t`Choose`, phone: "bare" as const }] : []),
        { title: t`Document`, phone: "bare" },
        { title: t`Customer`, phone: "bare" },
        { title: t`What`, phone: "bare" },
        { title: t`Amount`, right: true, phone: "bare" },
        { title: t`Why`, phone: "bare" }
      ],
      shown.map((row) => rowOf(row, connection, isChosen ? chosen : undefined))
    )}
    <p class="row">${Downloads.links((path) => href(path, { connection }), "/plans")}</p>
  `
}

const one = (waiting: Waiting, visitor: Visitor): Node => {
  const { approval, rows, stops, summary, voices } = waiting
  const { connection, digest, documents: part, made, reductions, decision, why } = approval
  const moved = summary.digest !== digest
  const figures = Figures.sentence(total(summary))
  const rules = [...summary.rules].toSorted(([a], [b]) => (a < b ? -1 : 1))
  return html`
    <section class="card" id=${connection} aria-label=${t`Plan of ${connection}`}>
      <h2>${connection}</h2>
      <p>
        ${plural(summary.calls, "call")} for ${n(summary.documents)} documents, made ${when(made)}.${" "}
        ${state(approval)}${voices.length === 0 || decision !== null ? null : t` · approved by ${voices.join(", ")}, needs a second person`}${part === null ? null : t` (only ${n(part.length)} of its documents)`}${why === null ? null : html` · ${mark("warn", sentenceText(why))}`}${reductions > 0 ? html` · ${mark("warn", t`${n(reductions)} reduce what the service holds`)}` : null}
        ${summary.attention > 0 ? html` · <a href="/attention">${plural(summary.attention, "item needs attention", "items need attention")}</a>` : null}
      </p>
      ${figures === "" ? null : html`<p><strong>${sentence(figures)}</strong></p>`}
      ${stops.map(({ guard, why }) => html`<p class="note"><span class="mark warn">${ruleLink(guard)}</span> ${sentence(why)}</p>`)}
      <p class="dim">By rule: ${rules.map(([rule, count], at) => html`${at === 0 ? "" : " · "}${ruleLink(rule)} ${n(count)}`)}</p>
      ${
        moved
          ? html`<p class="note">The books changed since this plan was made. The next run makes a new one.</p>`
          : decision === null
            ? deciding(approval, summary, visitor)
            : null
      }
      ${documents(waiting, isOpen(waiting) && rows.length > 1)}
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
          <strong>${connection}</strong>: ${sentenceText(Figures.sentence(total(summary))) || plural(summary.calls, "call")}
          ${reductions > 0 ? html` ${mark("warn", t`${n(reductions)} reduce what the service holds`)}` : null}
          ${stops.map(({ guard }) => html` ${mark("warn", guard)}`)}
        </label>`
      )}
    </fieldset>
    <p>All of them together: ${sentence(Figures.sentence(all.figures()))}</p>
    <div class="row">
      ${nameField(visitor, false)}
      <button class="primary several">Approve the chosen</button>
      <button class="danger several" formaction="/plans/several/reject">Reject the chosen</button>
    </div>
  </form>`
}

/** The calls as a sheet, for download. */
export const sheet = (rows: ReadonlyArray<PlannedRow>): Sheet => ({
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
    for (const row of rows)
      for (const call of row.calls) {
        const amount = row.currency === "" ? undefined : concerned(call, row)
        yield [effectWords(call), nameIn(row.document), call.subject, row.currency, amount, call.rule, call.reason]
      }
  }
})

/** A part of a plan as it would be sent, beside what is left out: together they are the plan. */
export interface PartShown {
  readonly approval: Approval
  /** The form's fields: the choice itself. */
  readonly fields: ReadonlyArray<readonly [name: string, value: string]>
  readonly send: Summary
  readonly left: Summary
  readonly whole: Summary
  /** What was not chosen and is sent as well, or was left out and is sent all the same: what is chosen needs it. */
  readonly needed: ReadonlyArray<string>
}

const sums = (name: string, summary: Summary, documents: number): ReadonlyArray<Node> => [
  name,
  n(documents),
  n(summary.calls),
  sentenceText(Figures.sentence(total(summary))) || t`nothing`
]

export const part = (shown: PartShown & Readonly<Record<"sent" | "rest", number>>, visitor: Visitor): Node => {
  const { approval, fields, left, needed, rest, send, sent, whole } = shown
  return html`
    ${htmlTable(
      t`The plan of ${approval.connection}, in two parts`,
      [{ title: t`Part` }, { title: t`Documents`, right: true }, { title: t`Calls`, right: true }, { title: t`What` }],
      [
        sums(t`To send`, send, sent),
        sums(t`Left out, waits again`, left, rest),
        sums(t`The whole plan`, whole, sent + rest)
      ]
    )}
    ${
      needed.length === 0
        ? null
        : html`<p class="note">Sent as well, because what is chosen needs it: ${needed.slice(0, 20).join(", ")}${needed.length > 20 ? t` and ${n(needed.length - 20)} more` : ""}.</p>`
    }
    <form method="post" action="/plans/part" class="row">
      <input type="hidden" name="form" value=${visitor.form} />
      ${fields.map(([name, value]) => html`<input type="hidden" name=${name} value=${value} />`)}
      ${nameField(visitor, false)}
      <button class="primary">${t`Approve ${plural(send.calls, "call")}`}</button>
      <a class="button" href=${`${href("/plans", { connection: approval.connection })}#${approval.connection}`}>Back to the plan</a>
    </form>
  `
}

/** @param isOne one plan alone was asked for */
export const list = (waiting: ReadonlyArray<Waiting>, visitor: Visitor, isOne: boolean): Node =>
  waiting.length === 0
    ? html`<p>
        No plan waits for approval. The first sync of a connection waits here, and so does a plan that a guard stopped.
        With <code>"approve": true</code> in the configuration, every plan of a connection waits here.
      </p>
      ${keys()}`
    : html`${isOne ? html`<p><a href="/plans">All approvals</a></p>` : null}
        ${keys()}
        ${together(waiting, visitor)} ${waiting.map((plan) => one(plan, visitor))}`
