/**
 * Shows connections: what each read and sent, the result of its last run, its next run, what could not be read, and recent
 * runs.
 */
import type { Capabilities } from "../../connectors/Capabilities.ts"
import type { Approval } from "../../sync/plan/Approvals.ts"
import type { Day } from "../../sync/reports/Dashboard.ts"
import type { ConnectionRow, RunRow } from "../../sync/reports/Status.ts"
import type { Pause } from "../../sync/schedule/Pauses.ts"
import type { RunState } from "../../sync/schedule/RunState.ts"
import * as Charts from "./Charts.ts"
import { button, href, html, mark, type Node, sentence, htmlTable, when } from "./Html.ts"
import { type Problems, problems } from "./Problems.ts"
import { grouped, plural } from "./language/Figures.ts"
import { t, term } from "./language/Texts.ts"
import { sentenceText } from "./language/Sentences.ts"

export interface Connections extends Problems {
  readonly connections: ReadonlyArray<
    ConnectionRow &
      Pick<Capabilities, "blindSpots" | "deletions"> & {
        readonly source: string
        readonly turn: RunState | undefined
        readonly next: number | undefined
        /** What a person has to do: how many open items there are, and whether a plan waits. */
        readonly attention: number
        readonly approval: Approval["decision"] | undefined
        /** Its schedule, in words. */
        readonly schedule: string
        readonly quota: string
        readonly pause: Pause | undefined
      }
  >
  readonly calls: ReadonlyArray<Day>
  /** Alive: a run of this process that has not ended. */
  readonly runs: ReadonlyArray<RunRow & { readonly alive: boolean }>
}

const KINDS = [
  "invoices",
  "payments",
  "reversals",
  "credit_notes",
  "payouts",
  "orders",
  "fulfilments",
  "cancellations",
  "returns"
] as const satisfies ReadonlyArray<keyof ConnectionRow>

const n = (value: number): string => grouped(value)

/** What the last run left to people, as far as it is still so. */
const left = ({ approval, attention, connection }: Connections["connections"][number]): Node =>
  approval === null
    ? html`<a href=${`/plans#${connection}`}>${mark("warn", t`waits for approval`)}</a>`
    : attention > 0
      ? html`<a href="/attention">${mark("warn", plural(attention, "item"))}</a>`
      : mark(
          "good",
          approval === "approved"
            ? t`approved, sent with the next run`
            : approval === undefined
              ? t`done`
              : term(approval)
        )

const how = (one: Connections["connections"][number]): Node => lastRun(one.turn, left(one))

const lastRun = (turn: RunState | undefined, left: Node): Node =>
  turn === undefined || turn.began === null
    ? mark("plain", t`not yet`)
    : turn.ended === null
      ? mark("plain", t`running`)
      : turn.failures > 0
        ? html`${mark("bad", turn.failures === 1 ? t`failed once` : t`failed ${turn.failures} times`)}<br />${sentence(turn.message ?? "")}`
        : html`${left}${" "}${when(turn.ended)}`

const outcome = ({ alive, ended, outcome }: Connections["runs"][number]): Node =>
  ended === null
    ? mark("plain", alive ? t`running` : t`interrupted`)
    : outcome === "done"
      ? mark("good", t`done`)
      : mark("bad", outcome === null ? t`not known` : sentenceText(outcome))

const figure = (text: string | null, name: string): string => {
  const value = text === null ? undefined : (JSON.parse(text) as Readonly<Record<string, unknown>>)[name]
  return typeof value === "number" ? n(value) : ""
}

export const connectionsPage = (data: Connections, form: string): Node => html`
  ${connections(data, form)}
  <p class="row"><a class="button" href="/connections/new">Connect a source</a> <a class="button" href="/alerts#channels">Who is alerted when something goes wrong</a></p>
  ${unseen(data)}
  <h2>Over time</h2>
  <div class="cards wide">${Charts.calls(data.calls)}</div>
  ${runs(data)}
  ${problems(data)}
`

const DELETIONS: Readonly<Record<Capabilities["deletions"], string>> = {
  status: "deleted documents have a state of their own",
  tombstones: "the source lists what was deleted",
  "complete scan": "what is gone from a complete reading was deleted",
  "not at all": "the source does not say what was deleted"
}

/** What a source cannot tell, or only a sweep finds. */
const unseen = ({ connections: all }: Connections): Node =>
  all.length === 0
    ? null
    : html`<h2 id="unseen">What each source cannot see</h2>
        ${htmlTable(
          t`As its connector declares it`,
          [{ title: t`Connection` }, { title: t`Deletions` }, { title: t`What only a complete reading finds` }],
          all.map(({ blindSpots, connection, deletions, name, source }) => [
            html`<a href=${`/connections/${encodeURIComponent(connection)}/setup`}>${name ?? connection}</a> <span class="dim">${source}</span>`,
            term(DELETIONS[deletions]),
            blindSpots.length === 0
              ? t`nothing: every change is seen`
              : blindSpots.map((one) => html`<div>${sentence(one, "begins")}</div>`)
          ])
        )}`

const connections = (data: Connections, form: string): Node => {
  const isCapped = data.connections.some(({ quota }) => quota !== "")
  return data.connections.length === 0
    ? html`<p>No connection yet. Connect the first one here, or with <code>daybook init</code>.</p>`
    : htmlTable(
        t`What was read and sent, the last run and the next`,
        [
          { title: t`Connection` },
          { title: t`Documents`, right: true },
          { title: t`Sent`, right: true },
          { title: t`To plan`, right: true },
          { title: t`Read` },
          { title: t`Last run` },
          { title: t`Next run` },
          ...(isCapped ? [{ title: t`Requests today`, right: true }] : []),
          { title: t`Actions` }
        ],
        data.connections.map((one) => [
          html`<a href=${href("/documents", { connection: one.connection })}>${one.name ?? one.connection}</a><br /><span class="dim">${one.source}</span>`,
          n(KINDS.reduce((sum, kind) => sum + one[kind], 0)),
          n(one.sent),
          n(one.waiting),
          when(one.read),
          how(one),
          html`<span class="short">${sentence(one.schedule)}</span><br />${
            one.pause !== undefined
              ? html`${mark("warn", t`paused`)} since ${when(one.pause.since)} by ${one.pause.who}`
              : one.next === undefined
                ? null
                : when(one.next)
          }`,
          ...(isCapped ? [one.quota] : []),
          html`<div class="actions">${button(`/connections/${encodeURIComponent(one.connection)}/sync`, t`Sync now`, form)}
            ${
              one.pause === undefined
                ? button(`/connections/${encodeURIComponent(one.connection)}/pause`, t`Pause`, form)
                : button(`/connections/${encodeURIComponent(one.connection)}/resume`, t`Go on`, form)
            }
            <a class="button" href=${`/preview/${encodeURIComponent(one.connection)}`}>Test</a>
            <a class="button" href=${`/connections/${encodeURIComponent(one.connection)}/setup`}>Set up</a></div>`
        ])
      )
}

const runs = (data: Connections): Node => html`
    <h2>Last runs</h2>
    ${htmlTable(
      t`The last runs, newest first`,
      [
        { title: "#", right: true },
        { title: t`What` },
        { title: t`Began` },
        { title: t`Calls`, right: true },
        { title: t`Failed`, right: true },
        { title: t`Outcome` }
      ],
      data.runs.map((run) => [
        html`<a href=${href("/activity", { since: new Date(run.started).toISOString().slice(0, 16) })}>${run.id}</a>`,
        run.command,
        when(run.started),
        figure(run.figures, "done"),
        figure(run.figures, "failed"),
        outcome(run)
      ])
    )}
`
