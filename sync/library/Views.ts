/** Implements the methods that only read the state file: nothing here writes or asks the service. */
import { Clock, Effect } from "effect"
import * as Day from "../../core/wire/Day.ts"
import * as AttentionStore from "../apply/AttentionStore.ts"
import * as Approvals from "../plan/Approvals.ts"
import { proveInParts } from "../reconciliation/Proof.ts"
import * as Cover from "../reports/Cover.ts"
import * as Payouts from "../reports/Payouts.ts"
import * as Status from "../reports/Status.ts"
import * as RunState from "../schedule/RunState.ts"
import type { BuyerCover } from "../reports/CoverExposure.ts"
import type { Database } from "../state/Database.ts"
import type { Api, ExposureShown } from "./Api.ts"
import { candidatesOf } from "./AttentionRecords.ts"
import * as Explain from "./Explain.ts"
import { chosen, type HandleContext } from "./Handle.ts"
import { dated } from "./Plain.ts"

/** A buyer's exposure as JSON. */
const withLimit = ({ limit, ...buyer }: BuyerCover): ExposureShown => ({
  ...buyer,
  limit: limit === null ? null : dated(limit, "read")
})

/** An open item, with the invoices that it may be about. */
export const attentionRecord = (db: Database["Service"], one: AttentionStore.OpenAttention) => ({
  ...dated(one, "since"),
  ...candidatesOf(db, one)
})

export const views = ({
  configuration,
  db
}: Pick<HandleContext, "configuration" | "db">): Pick<
  Api,
  "status" | "attention" | "explain" | "completeness" | "payouts" | "cover"
> => ({
  status: () =>
    db.snapshot(() => ({
      service: Status.service(db),
      connections: Status.connections(db).map((id) => dated(Status.connection(db, id), "read")),
      runs: Status.runs(db, 5).map((one) => dated(one, "started", "ended")),
      turns: [...RunState.all(db).values()].map((one) =>
        dated(one, "dueFrom", "began", "ended", "succeeded", "authorisedUntil")
      ),
      approvals: Approvals.list(db).map((one) => dated(one, "made", "decided")),
      attention: AttentionStore.count(db),
      pendingCalls: Status.pendingCalls(db),
      quarantined: Status.quarantinedCount(db)
    })),
  attention: () => db.read(() => AttentionStore.list(db).map((one) => attentionRecord(db, one))),
  explain: (what) =>
    db.snapshot(() => Explain.subjects(db, what).map((key) => Explain.plainStory(Explain.story(db, key)))),
  completeness: (choice) =>
    Effect.gen(function* () {
      const connections = yield* chosen(configuration, choice)
      const now = yield* Clock.currentTimeMillis
      return yield* proveInParts(db, connections, now)
    }),
  payouts: (choice) =>
    Effect.gen(function* () {
      const connections = (yield* chosen(configuration, choice)).map(({ id }) => id)
      const today = Day.fromEpochMillis(yield* Clock.currentTimeMillis)
      return yield* db.read(() => Payouts.report(db, connections, today))
    }),
  cover: (choice) =>
    Effect.gen(function* () {
      const connections = yield* chosen(configuration, choice)
      const now = yield* Clock.currentTimeMillis
      const report = yield* db.snapshot(() => Cover.report(db, connections, now))
      return { ...report, exposure: report.exposure.map(withLimit) }
    })
})
