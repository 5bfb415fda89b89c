/** Shows the activity: every call, run and decision, with who, when and why; with search and download. */
import { Clock, Effect } from "effect"
import * as Day from "../../core/wire/Day.ts"
import type { Document } from "../../connectors/Document.ts"
import * as History from "../../sync/reports/History.ts"
import * as Reports from "../../sync/reports/Activity.ts"
import * as Undo from "../../sync/decisions/Undo.ts"
import { Database } from "../../sync/state/Database.ts"
import { documentLink } from "./DocumentTitle.ts"
import * as Downloads from "./Downloads.ts"
import { href, html, htmlTable, mark, type Node, when, sentence } from "./Html.ts"
import * as Looked from "./Looked.ts"
import { undoButton } from "./UndoRoutes.ts"
import type { ReadContext, ReadingHandler } from "./Response.ts"
import { t, term } from "./language/Texts.ts"

const MOST = 100
/** The most rows in a file. */
const MOST_ROWS = 10_000

const WORDS: Readonly<Record<(typeof Reports.ONLY)[number] | "", string>> = {
  "": "All",
  calls: "Calls",
  failed: "What failed",
  runs: "Runs",
  decisions: "Decisions of people"
}

const wanted = (query: URLSearchParams, { connections }: ReadContext, now: number) => {
  const text = query.get("q")?.trim() ?? ""
  return {
    connections: connections.map(({ id }) => id),
    only: Reports.ONLY.find((one) => one === query.get("only")),
    since: Looked.asked(query.get("since"), now),
    text: text === "" ? undefined : text
  }
}

const at =
  ({ only, since, text }: ReturnType<typeof wanted>) =>
  (path: string): string =>
    href(path, { q: text, only, since: since === undefined ? undefined : new Date(since).toISOString().slice(0, 16) })

const outcome = (text: string): Node =>
  text === "done" || text === "approved"
    ? mark("good", term(text))
    : text === "refused" || text === "rejected"
      ? mark("bad", term(text))
      : sentence(text)

const row = (
  { at, outcome: how, subject, what, who, why }: Reports.ActivityEntry,
  document: Document | undefined
): ReadonlyArray<Node> => [
  when(at),
  who,
  html`<span class="short">${sentence(what)}</span>`,
  subject.includes("/") ? documentLink(subject, document) : subject,
  sentence(why),
  outcome(how)
]

/** How many of the latest decisions are looked at. */
const MOST_UNDONE = 20

const takenBack = (offers: ReadonlyArray<Undo.Offered>, form: string): Node =>
  offers.length === 0
    ? null
    : htmlTable(
        t`Decisions that can be taken back: nothing was sent on them yet`,
        [{ title: t`When` }, { title: t`What was decided` }, { title: t`Undo` }],
        offers.map((one) => [when(one.at), one.words, undoButton(one, form)])
      )

export const show: ReadingHandler = ({ form, query }, around) =>
  Effect.gen(function* () {
    const db = yield* Database
    const now = yield* Clock.currentTimeMillis
    const filter = wanted(query, around, now)
    const { entries, offers, rows } = yield* db.read(() => {
      const entries = Reports.activity(db, filter, MOST + 1)
      const offers = Undo.offers(db, MOST_UNDONE)
      return { entries, offers, rows: entries.slice(0, MOST).map((one) => row(one, History.document(db, one.subject))) }
    })
    const body = html`
      <form class="row" method="get" action="/activity" role="search">
        <label>Document, name or reason <input type="search" name="q" value=${filter.text ?? ""} /></label>
        <label>Which <select name="only">
          ${Object.entries(WORDS).map(([value, words]) => html`<option value=${value} selected=${value === (filter.only ?? "")}>${term(words)}</option>`)}
        </select></label>
        <label>Since (UTC) <input type="date" name="since" value=${filter.since === undefined ? "" : Day.fromEpochMillis(filter.since)} /></label>
        <button class="primary">Show</button>
      </form>
      ${takenBack(offers, form)}
      <div id="results">
      ${
        entries.length === 0
          ? html`<p>Nothing that fits.</p>`
          : htmlTable(
              entries.length > MOST ? t`The latest ${MOST}, newest first` : t`Newest first`,
              [
                { title: t`When` },
                { title: t`Who` },
                { title: t`What` },
                { title: t`About` },
                { title: t`Why` },
                { title: t`Outcome` }
              ],
              rows
            )
      }
      ${entries.length === 0 ? null : html`<p class="row">${Downloads.links(at(filter), "/activity")}</p>`}
      </div>
    `
    return { title: t`Activity`, at: "/activity", body }
  })

export const download =
  (ending: Downloads.Ending): ReadingHandler =>
  ({ query }, around) =>
    Effect.gen(function* () {
      const now = yield* Clock.currentTimeMillis
      const filter = wanted(query, around, now)
      return yield* Downloads.asFile(`activity-${Day.fromEpochMillis(now)}`, ending, (books) =>
        Reports.activitySheet(Reports.activity(books, filter, MOST_ROWS))
      )
    })
