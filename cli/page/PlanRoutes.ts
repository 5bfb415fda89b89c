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
import { Database } from "../../sync/state/Database.ts"
import { html } from "./Html.ts"
import * as PlanPage from "./Plans.ts"
import { nothing, type PageHandler, type ShownPage } from "./Response.ts"
import * as Downloads from "./Downloads.ts"
import type { Connection } from "../../sync/model/Connection.ts"

const MOST_CALLS = 200
/** The most rows of a file, and of a plan that is shown completely. */
const MOST_ROWS = 20_000

type Db = Database["Service"]

/** The current plan of a connection, with its first calls. */
const planned = (db: Db, connection: Connection, most: number) =>
  Effect.gen(function* () {
    const tally = new Tally()
    const calls: Array<PlanPage.PlannedCall> = []
    yield* Stream.runForEach(Plan.stream([connection]), (planned) =>
      Effect.sync(() => {
        tally.add(planned)
        if (calls.length >= most) return
        const document = History.document(db, planned.subject)
        const currency = planned.kind === "owner" ? "" : planned.currency
        for (const call of planned.calls.slice(0, most - calls.length)) calls.push({ call, currency, document })
      })
    )
    return { calls, summary: tally.summary() }
  })

export const show: PageHandler = (asked, { connections }) =>
  Effect.gen(function* () {
    const db = yield* Database
    const approvals = yield* db.read(() => Approvals.list(db))
    const today = Day.fromEpochMillis(yield* Clock.currentTimeMillis)
    const waiting: Array<PlanPage.Waiting> = []
    for (const approval of approvals) {
      const connection = connections.find(({ id }) => id === approval.connection)
      if (connection === undefined) continue
      const most = asked.query.get("all") === connection.id ? MOST_ROWS : MOST_CALLS
      const { calls, summary } = yield* planned(db, connection, most)
      const stops = yield* db.read(() => Guards.stops(db, [connection], summary, today))
      const voices = yield* db.read(() => Plans.firstVoices(db, approval))
      waiting.push({ approval, calls, stops, summary, voices })
    }
    return { title: "Approvals", at: "/plans", body: PlanPage.list(waiting, asked) }
  })

/** Downloads every call of one plan. */
export const download =
  (ending: Downloads.Ending): PageHandler =>
  ({ query }, { connections }) =>
    Effect.gen(function* () {
      const db = yield* Database
      const connection = connections.find(({ id }) => id === query.get("connection"))
      if (connection === undefined) return nothing
      const { calls } = yield* planned(db, connection, MOST_ROWS)
      return yield* Downloads.asFile(`plan-${connection.id}`, ending, () => PlanPage.sheet(calls))
    })

/** Why a plan is not approved, or not yet. */
const notApproved = (reasons: ReadonlyArray<string>): ShownPage => ({
  title: "Not approved yet",
  at: "/plans",
  status: 409,
  body: html`${reasons.map((why) => html`<p class="note">${why.replace(/^./, (letter) => letter.toUpperCase())}.</p>`)}
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
        typeof done === "object" ? [`${connection}: ${done.why}`] : []
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
    const chosen = posted.getAll("document")
    if (connection === undefined) return nothing
    if (chosen.length === 0) return { to: "/plans", said: "noDocument" }
    const found = yield* partOf(connection, chosen, posted.has("all_but"))
    if ("why" in found || found.digest !== posted.get("digest")) return { to: "/plans", said: "moved" }
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
