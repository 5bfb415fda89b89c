/** Implements the methods that only read the state file: nothing here writes or asks the service. */
import { Clock, Effect } from "effect"
import * as Day from "../../core/wire/Day.ts"
import * as AttentionStore from "../apply/AttentionStore.ts"
import { type Connection, isCalled } from "../model/Connection.ts"
import * as Approvals from "../plan/Approvals.ts"
import * as SourceBindings from "../plan/SourceBindings.ts"
import { proveInParts } from "../reconciliation/Proof.ts"
import * as Months from "../decisions/Months.ts"
import * as Close from "../reports/Close.ts"
import * as Cover from "../reports/Cover.ts"
import * as Payouts from "../reports/Payouts.ts"
import * as Status from "../reports/Status.ts"
import * as WhatIf from "../reports/WhatIf.ts"
import * as RunState from "../schedule/RunState.ts"
import type { BuyerCover } from "../reports/CoverExposure.ts"
import * as Verify from "../state/chain/Verify.ts"
import { Database, type Db } from "../state/Database.ts"
import type { ExposureShown } from "../model/reports/Cover.ts"
import type { Api } from "./Api.ts"
import { candidatesOf } from "./AttentionRecords.ts"
import { decode } from "./config/Configuration.ts"
import { renamedBy } from "./config/Renames.ts"
import { readsSource } from "./ReadTrial.ts"
import { UsageError } from "./Exit.ts"
import * as Explain from "./Explain.ts"
import { chosen, type HandleContext } from "./Handle.ts"
import { dated } from "./Plain.ts"

/** A buyer's exposure as JSON. */
const withLimit = ({ limit, ...buyer }: BuyerCover): ExposureShown => ({
  ...buyer,
  limit: limit === null ? null : dated(limit, "read")
})

/** An open item, with the invoices that it may be about. */
export const attentionRecord = (db: Db, one: AttentionStore.OpenAttention) => ({
  ...dated(one, "since"),
  ...candidatesOf(db, one)
})

/** A day that a person wrote. */
export const writtenDay = (text: string | undefined): Effect.Effect<Day.Day | undefined, UsageError> =>
  text === undefined || Day.isDay(text)
    ? Effect.succeed(text === undefined ? undefined : Day.of(text))
    : Effect.fail(new UsageError({ why: `${JSON.stringify(text)} is not a day; write one like 2026-12-31` }))

type Read = Pick<HandleContext, "configuration" | "db">

/** What would be sent with other settings, or on another day. */
const whatIf =
  ({ configuration, db }: Read): Api["whatIf"] =>
  ({ asOf, connections: ids, read, with: other }) =>
    Effect.gen(function* () {
      const choice = ids === undefined ? {} : { connections: ids }
      const connections = yield* chosen(configuration, choice)
      const day = yield* writtenDay(asOf)
      const { bounds, environment, folder } = configuration
      const context = { file: "the other configuration", folder, environment, bounds }
      const written = other === undefined ? undefined : yield* decode(other, context)
      const renamed = written === undefined ? undefined : yield* renamedBy(written, SourceBindings.namesIn(db))
      const isChosen = (one: Connection) => ids === undefined || ids.some((id) => isCalled(id, one))
      const others = renamed?.connections.filter(isChosen)
      return yield* WhatIf.report(db, connections, {
        ...(renamed === undefined || others === undefined ? {} : { connections: others, url: renamed.service.url }),
        ...(renamed === undefined || read !== true
          ? {}
          : { read: readsSource({ today: configuration, other: renamed }, db.file) }),
        ...(day === undefined ? {} : { asOf: day })
      })
    })

/** A month's balances; with `by`, closed by that person. */
const month =
  ({ configuration, db }: Read): Api["month"] =>
  (month, { by, ...choice } = {}) =>
    Effect.gen(function* () {
      const days = Close.daysOf(month)
      if (days === undefined) return yield* new UsageError({ why: `"${month}" is not a month; write it as 2026-10` })
      const connections = yield* chosen(configuration, choice)
      if (by === undefined)
        return yield* Close.inParts(db, { connections: connections.map(({ id }) => id), month, days })
      const close = Months.close(connections, { month, days, who: by })
      const closed = yield* Effect.provideService(close, Database, db)
      return "why" in closed ? yield* new UsageError(closed) : closed
    })

export const views = ({
  configuration,
  db
}: Read): Pick<
  Api,
  "status" | "attention" | "explain" | "completeness" | "payouts" | "cover" | "whatIf" | "verify" | "month"
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
  whatIf: whatIf({ configuration, db }),
  month: month({ configuration, db }),
  verify: (known) => Verify.verifyInParts(db, known),
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
