/** The room of plans: what each would send, and a person's decision about it. */
import { Clock, Effect, Stream } from "effect"
import * as Day from "../../core/wire/Day.ts"
import * as Approvals from "../../sync/plan/Approvals.ts"
import * as Guards from "../../sync/plan/Guards.ts"
import * as Plan from "../../sync/plan/Plan.ts"
import { Tally } from "../../sync/plan/Tally.ts"
import * as History from "../../sync/reports/History.ts"
import { Database } from "../../sync/state/Database.ts"
import * as PlanPage from "./Plans.ts"
import type { PageHandler } from "./Response.ts"

const MOST_CALLS = 200

export const show: PageHandler = (asked, { connections }) =>
  Effect.gen(function* () {
    const db = yield* Database
    const approvals = yield* db.read(() => Approvals.list(db))
    const today = Day.fromEpochMillis(yield* Clock.currentTimeMillis)
    const waiting: Array<PlanPage.Waiting> = []
    for (const approval of approvals) {
      const connection = connections.find(({ id }) => id === approval.connection)
      if (connection === undefined) continue
      const tally = new Tally()
      const calls: Array<PlanPage.PlannedCall> = []
      yield* Stream.runForEach(Plan.stream([connection]), (planned) =>
        Effect.sync(() => {
          tally.add(planned)
          if (calls.length >= MOST_CALLS) return
          const customer = History.customer(db, planned.subject)
          const currency = planned.kind === "owner" ? "" : planned.currency
          for (const call of planned.calls.slice(0, MOST_CALLS - calls.length)) calls.push({ call, currency, customer })
        })
      )
      const summary = tally.summary()
      const stops = yield* db.read(() => Guards.stops(db, [connection], summary, today))
      waiting.push({ approval, calls, stops, summary })
    }
    return { title: "Plans", at: "/plans", body: PlanPage.list(waiting, asked) }
  })

export const decide =
  (decision: "approved" | "rejected"): PageHandler =>
  ({ name, posted }, { wake }) =>
    Effect.gen(function* () {
      const db = yield* Database
      const now = yield* Clock.currentTimeMillis
      const who = name === "" ? "the page" : name
      const [connection, digest] = [posted.get("connection") ?? "", posted.get("digest") ?? ""]
      const decided = yield* db.hold(
        db.transaction(() => Approvals.decide(db, { connection, digest, decision, who }, now))
      )
      if (decided) yield* wake(connection)
      return { to: "/plans", said: decided ? decision : "moved" }
    })
