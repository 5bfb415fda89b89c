/** Serves the section on plans: what each would send, and a person's decision about it. */
import { Clock, Effect, Stream } from "effect"
import * as Day from "../../core/wire/Day.ts"
import * as Plans from "../../sync/decisions/Plans.ts"
import { partOf } from "../../sync/library/PartOfPlan.ts"
import { shownAs } from "../../sync/model/Person.ts"
import * as Approvals from "../../sync/plan/Approvals.ts"
import * as Guards from "../../sync/plan/Guards.ts"
import * as Plan from "../../sync/plan/Plan.ts"
import { Tally } from "../../sync/plan/Tally.ts"
import * as History from "../../sync/reports/History.ts"
import { Database, type Db } from "../../sync/state/Database.ts"
import { html, type Node, sentence } from "./Html.ts"
import { sentenceText } from "./language/Sentences.ts"
import { type PlannedRow, rowsOf, rowsWanted } from "./PlanRows.ts"
import { prepared } from "./Prepared.ts"
import { rememberedSteps } from "./Remembered.ts"
import * as PlanPage from "./Plans.ts"
import { nothing, type PageHandler, type ShownPage } from "./Response.ts"
import * as Downloads from "./Downloads.ts"
import type { Connection } from "../../sync/model/Connection.ts"
import { t } from "./language/Texts.ts"

/** The most documents of a plan that are shown or written to a file. */
const MOST_ROWS = 20_000

/** The most documents of a plan that is kept until the books change. */
const MOST_KEPT = 5_000

/** The current plan of a connection, with its first documents. */
const planned = rememberedSteps(
  (db: Db, connection: Connection) => planAll(db, connection),
  ({ rows }) => rows.length <= MOST_KEPT
)

const planAll = (db: Db, connection: Connection) =>
  Effect.gen(function* () {
    const tally = new Tally()
    const rows: Array<PlannedRow> = []
    yield* Stream.runForEach(Plan.stream([connection]), (planned) =>
      Effect.sync(() => {
        tally.add(planned)
        if (planned.calls.length === 0 || rows.length >= MOST_ROWS) return
        const { calls, subject } = planned
        const currency = planned.kind === "owner" ? "" : planned.currency
        rows.push({ subject, calls, document: History.document(db, subject), currency })
      })
    )
    return { rows, summary: tally.summary() }
  })

export const show: PageHandler = (asked, { connections }) =>
  Effect.gen(function* () {
    const db = yield* Database
    const only = asked.query.get("connection")
    const approvals = yield* db.read(() => Approvals.list(db))
    const today = Day.fromEpochMillis(yield* Clock.currentTimeMillis)
    const waiting: Array<PlanPage.Waiting> = []
    const notes: Array<Node> = []
    for (const approval of approvals) {
      const connection = connections.find(({ id }) => id === approval.connection)
      if (connection === undefined || (only !== null && only !== connection.id)) continue
      const isAsked = only === connection.id
      const { rows, summary } = yield* planned(db, connection)
      const stops = yield* db.read(() => Guards.stops(db, [connection], summary, today))
      const voices = yield* db.read(() => Plans.firstVoices(db, approval))
      const wanted = rowsWanted(isAsked ? asked.query : new URLSearchParams())
      const draft = prepared(isAsked ? asked.query : new URLSearchParams(), approval.digest)
      if (isAsked) notes.push(draft.note)
      const isChosen = isAsked && !draft.isMoved
      const chosen = isChosen ? [...new Set(asked.query.getAll("document"))].slice(0, PlanPage.MOST_CHOSEN) : []
      waiting.push({ approval, rows, stops, summary, voices, wanted, chosen })
    }
    return { title: t`Approvals`, at: "/plans", body: html`${notes}${PlanPage.list(waiting, asked, only !== null)}` }
  })

/** The documents that the fields of a form choose: those named, or all but these, or all that a filter leaves. */
const chosenBy = (db: Db, connection: Connection, fields: URLSearchParams) =>
  Effect.gen(function* () {
    const way = fields.get("way")
    const named = fields.getAll("document")
    const wanted = rowsWanted(fields)
    const names =
      way === "shown" ? rowsOf((yield* planned(db, connection)).rows, wanted).map((one) => one.subject) : named
    return { names, allBut: way === "but" || fields.has("all_but"), way, wanted }
  })

/** What a part of a plan would send, beside what is left out: nothing is decided by looking. */
export const showPart: PageHandler = (asked, { connections }) =>
  Effect.gen(function* () {
    const db = yield* Database
    const connection = connections.find(({ id }) => id === asked.query.get("connection"))
    const approval = connection === undefined ? undefined : yield* db.read(() => Approvals.of(db, connection.id))
    if (connection === undefined || approval === undefined) return nothing
    const { allBut, names, wanted, way } = yield* chosenBy(db, connection, asked.query)
    if (names.length === 0) return { to: "/plans", said: "noDocument" }
    const found = yield* partOf(connection, names, allBut)
    if ("why" in found || found.digest !== approval.digest) return { to: "/plans", said: "moved" }
    const sends = found.documents === null ? undefined : new Set(found.documents)
    const [send, left, whole] = [new Tally(), new Tally(), new Tally()]
    const counts = { sent: 0, rest: 0 }
    const needed: Array<string> = []
    const isNamed = new Set(names)
    yield* Stream.runForEach(Plan.stream([connection]), (planned) =>
      Effect.sync(() => {
        whole.add(planned)
        if (planned.calls.length === 0) return
        const isSent = sends?.has(planned.subject) ?? true
        ;(isSent ? send : left).add(planned)
        counts[isSent ? "sent" : "rest"]++
        if (isSent && isNamed.has(planned.subject) === allBut) needed.push(planned.subject)
      })
    )
    const filter = [
      ["kind", wanted.kind ?? ""],
      ["q", wanted.text]
    ] as const
    const fields = [
      ["connection", connection.id],
      ["digest", found.digest],
      ["way", way ?? "only"],
      ...(way === "shown" ? filter : names.map((name) => ["document", name] as const))
    ] as const
    if (counts.sent === 0) return { to: "/plans", said: "noDocument" }
    const summaries = { send: send.summary(), left: left.summary(), whole: whole.summary() }
    const body = PlanPage.part({ approval, fields, ...summaries, ...counts, needed }, asked)
    return { title: t`Approve a part`, at: "/plans", body }
  })

/** Downloads every call of one plan. */
export const download =
  (ending: Downloads.Ending): PageHandler =>
  ({ query }, { connections }) =>
    Effect.gen(function* () {
      const db = yield* Database
      const connection = connections.find(({ id }) => id === query.get("connection"))
      if (connection === undefined) return nothing
      const { rows } = yield* planned(db, connection)
      return yield* Downloads.asFile(`plan-${connection.id}`, ending, () => PlanPage.sheet(rows))
    })

/** Why a plan is not approved, or not yet. */
const notApproved = (reasons: ReadonlyArray<string>): ShownPage => ({
  title: t`Not approved yet`,
  at: "/plans",
  status: 409,
  body: html`${reasons.map((why) => html`<p class="note">${sentence(why, "begins")}.</p>`)}
    <p><a href="/plans">Back to the approvals</a></p>`
})

/** Decides about several plans, each by the digest that was shown with it; plans that changed since stay undecided. */
export const several =
  (decision: "approved" | "rejected"): PageHandler =>
  ({ name, person, posted }, { connections, wake }) =>
    Effect.gen(function* () {
      const db = yield* Database
      const now = yield* Clock.currentTimeMillis
      const who = shownAs(person, name)
      const chosen = posted.getAll("plan").map((text) => {
        const at = text.indexOf(" ")
        return { connection: text.slice(at + 1), digest: text.slice(0, at) }
      })
      if (chosen.length === 0) return { to: "/plans", said: "noneChosen" }
      const answers = yield* db.hold(
        db.transaction(() =>
          chosen.map((one) => ({
            connection: one.connection,
            done: Plans.decide(
              db,
              connections.find(({ id }) => id === one.connection),
              { ...one, decision, who },
              person,
              now
            )
          }))
        )
      )
      const decided = answers.filter(({ done }) => done === true)
      for (const { connection } of decided) yield* wake(connection)
      const refused = answers.flatMap(({ connection, done }) =>
        typeof done === "object" ? [`${connection}: ${sentenceText(done.why)}`] : []
      )
      if (refused.length > 0) return notApproved(refused)
      const said =
        decided.length < chosen.length ? "someMoved" : decision === "approved" ? "approvedAll" : "rejectedAll"
      return { to: "/plans", said }
    })

/** Approves the chosen documents of a plan, or all but these, by the digest that was shown with it; the rest waits again. */
export const part: PageHandler = ({ name, person, posted }, { connections, wake }) =>
  Effect.gen(function* () {
    const db = yield* Database
    const now = yield* Clock.currentTimeMillis
    const who = shownAs(person, name)
    const connection = connections.find(({ id }) => id === posted.get("connection"))
    if (connection === undefined) return nothing
    const { allBut, names } = yield* chosenBy(db, connection, posted)
    if (names.length === 0) return { to: "/plans", said: "noDocument" }
    const found = yield* partOf(connection, names, allBut)
    if ("why" in found || found.digest !== posted.get("digest")) return { to: "/plans", said: "moved" }
    if (found.documents?.length === 0) return { to: "/plans", said: "noDocument" }
    const word = { connection: connection.id, ...found, decision: "approved", who } as const
    const decided = yield* db.hold(db.transaction(() => Plans.decide(db, connection, word, person, now)))
    if (typeof decided === "object") return notApproved([decided.why])
    if (decided) yield* wake(connection.id)
    return { to: "/plans", said: decided ? "partApproved" : "moved" }
  })

export const decide =
  (decision: "approved" | "rejected"): PageHandler =>
  ({ name, person, posted }, { connections, wake }) =>
    Effect.gen(function* () {
      const db = yield* Database
      const now = yield* Clock.currentTimeMillis
      const who = shownAs(person, name)
      const [connection, digest] = [posted.get("connection") ?? "", posted.get("digest") ?? ""]
      const decided = yield* db.hold(
        db.transaction(() =>
          Plans.decide(
            db,
            connections.find(({ id }) => id === connection),
            { connection, digest, decision, who },
            person,
            now
          )
        )
      )
      if (typeof decided === "object") return notApproved([decided.why])
      if (decided) yield* wake(connection)
      return { to: "/plans", said: decided ? decision : "moved" }
    })
