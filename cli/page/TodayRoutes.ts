/** Serves Today, and the documents behind its figures. */
import { Clock, Effect } from "effect"
import * as Day from "../../core/wire/Day.ts"
import * as AttentionStore from "../../sync/apply/AttentionStore.ts"
import * as Approvals from "../../sync/plan/Approvals.ts"
import * as InvoiceStatement from "../../sync/reconciliation/InvoiceStatement.ts"
import * as OrderStatement from "../../sync/reconciliation/OrderStatement.ts"
import * as PaymentStatement from "../../sync/reconciliation/PaymentStatement.ts"
import * as Cover from "../../sync/reports/Cover.ts"
import * as News from "../../sync/reports/News.ts"
import * as Receivables from "../../sync/reports/Receivables.ts"
import * as Status from "../../sync/reports/Status.ts"
import * as RunState from "../../sync/schedule/RunState.ts"
import { Database, type Db } from "../../sync/state/Database.ts"
import { openCauses } from "./AttentionList.ts"
import { storyOf } from "./DocumentTitle.ts"
import * as Downloads from "./Downloads.ts"
import { html, htmlTable, mark, type Node, when } from "./Html.ts"
import * as Looked from "./Looked.ts"
import { remembered } from "./Remembered.ts"
import type { Looking, PageHandler, ReadContext, ReadingHandler } from "./Response.ts"
import { changesAt, todayPage, WORDS } from "./Today.ts"
import { amountText, plural } from "./language/Figures.ts"
import { t, term } from "./language/Texts.ts"

/** Up to how many changed invoices are recalculated to show the page, which takes about a tenth of a second. */
const MOST_CHANGED = 2000
const DEADLINE_DAYS = 14
const MOST_DEADLINES = 20
const MOST_SHOWN = 200

const sums = remembered((db, key) => {
  const [day, ...connections] = key.split(" ")
  return {
    statements: InvoiceStatement.statements(db, connections, MOST_CHANGED),
    orders: OrderStatement.statements(db, connections),
    payments: PaymentStatement.statements(db, connections),
    open: Receivables.totals(db, { connections }, day as Day.Day),
    waiting: connections.reduce((sum, id) => sum + Status.waiting(db, id), 0)
  }
})

const newsOf = remembered((db, key) => {
  const [since, ...connections] = key.split(" ")
  const { items, more } = News.news(db, connections, Number(since))
  return { items, more, figures: News.figures(db, items) }
})

const deadlinesOf = (db: Db, { connections }: ReadContext, now: number) =>
  connections
    .flatMap((connection) => Cover.deadlinesOf(db, connection, now))
    .filter(({ daysLeft }) => daysLeft <= DEADLINE_DAYS)
    .toSorted((a, b) => a.daysLeft - b.daysLeft)
    .slice(0, MOST_DEADLINES)

export const show: ReadingHandler = ({ cookie, form, query }, around) =>
  Effect.gen(function* () {
    const db = yield* Database
    const now = yield* Clock.currentTimeMillis
    const ids = around.connections.map(({ id }) => id)
    const look = Looked.visit(Looked.read(cookie(Looked.NAME), now), now)
    const since = Looked.asked(query.get("since"), now) ?? look.since
    const data = yield* db.read(() => {
      const { figures, more } = newsOf(db, [since, ...ids].join(" "))
      const turns = RunState.all(db)
      return {
        ...sums(db, [Day.fromEpochMillis(now), ...ids].join(" ")),
        ...{ since, now, news: figures, moreNews: more },
        refused: AttentionStore.countRefused(db, ids),
        failing: ids.flatMap((connection) => {
          const turn = turns.get(connection)
          return turn === undefined || turn.failures === 0 ? [] : [{ connection, turn }]
        }),
        groups: openCauses(db, ""),
        attention: AttentionStore.count(db),
        approvals: Approvals.list(db).filter(({ connection }) => ids.includes(connection)),
        deadlines: deadlinesOf(db, around, now),
        notReadable: Status.quarantinedCount(db)
      }
    })
    // What is new since then stays in sight, however long the page is open.
    const follows = new URLSearchParams({ since: new Date(since).toISOString().slice(0, 16) }).toString()
    return { title: t`Today`, at: "/", follows, remembers: Looked.remember(look), body: todayPage(data, form) }
  })

/** Marks what is shown as seen: the next visit starts here. */
export const seen: PageHandler = () =>
  Effect.map(Clock.currentTimeMillis, (now) => ({
    to: "/",
    said: "seen",
    remembers: Looked.remember({ since: now, last: now })
  }))

const wanted = ({ cookie, query }: Looking, now: number) => ({
  since: Looked.asked(query.get("since"), now) ?? Looked.visit(Looked.read(cookie(Looked.NAME), now), now).since,
  what: News.WHATS.find((one) => one === query.get("what"))
})

const only = (items: ReadonlyArray<News.NewsItem>, what: News.What | undefined) =>
  what === undefined ? items : items.filter((one) => one.what === what)

const row = (db: Db, item: News.NewsItem): ReadonlyArray<Node> => {
  const { name, number } = News.invoiceNamed(db, item)
  const currency = News.currencyOf(db, item)
  const amount = News.amountOf(item.document)
  return [
    News.isFailedDebit(item.document) ? mark("bad", t`Came back`) : term(WORDS[item.what]),
    html`<a href=${storyOf(News.invoiceOf(item.key, item.document) ?? item.key)}>${number}</a>`,
    name,
    amount === undefined ? "" : amountText(item.what === "back" ? -amount : amount, currency),
    when(item.read)
  ]
}

/** The documents behind the figures. */
export const changes: ReadingHandler = (asked, { connections }) =>
  Effect.gen(function* () {
    const db = yield* Database
    const now = yield* Clock.currentTimeMillis
    const { since, what } = wanted(asked, now)
    const { items, more, rows } = yield* db.read(() => {
      const { items, more } = newsOf(db, [since, ...connections.map(({ id }) => id)].join(" "))
      const own = only(items, what)
      return { items: own, more, rows: own.slice(0, MOST_SHOWN).map((item) => row(db, item)) }
    })
    const body = html`
      <p class="row">
        Since ${when(since)}:
        <a href=${changesAt(since)} aria-current=${what === undefined ? "true" : undefined}>All</a>
        ${News.WHATS.map((one) => html`<a href=${changesAt(since, one)} aria-current=${what === one ? "true" : undefined}>${term(WORDS[one])}</a>`)}
      </p>
      ${
        rows.length === 0
          ? html`<p>Nothing new. <a href="/connections">When the sources were last read</a></p>`
          : htmlTable(
              rows.length < items.length || more
                ? t`The first ${plural(rows.length, "document")} of ${items.length}${more ? t` or more` : ""}, newest first`
                : plural(items.length, "document"),
              [
                { title: t`What` },
                { title: t`Invoice or order` },
                { title: t`Customer` },
                { title: t`Amount`, right: true },
                { title: t`Read` }
              ],
              rows
            )
      }
      ${items.length === 0 ? null : html`<p class="row">${Downloads.links((path) => changesAt(since, what, path), "/changes")}</p>`}
    `
    return { title: what === undefined ? t`What is new` : term(WORDS[what]), at: "/", body }
  })

export const download =
  (ending: Downloads.Ending): ReadingHandler =>
  (asked, { connections }) =>
    Effect.gen(function* () {
      const now = yield* Clock.currentTimeMillis
      const { since, what } = wanted(asked, now)
      const ids = connections.map(({ id }) => id)
      return yield* Downloads.asFile(`changes-${Day.fromEpochMillis(now)}`, ending, (books) =>
        News.newsSheet(books, only(News.news(books, ids, since).items, what))
      )
    })
