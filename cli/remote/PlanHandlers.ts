/** Handles the operations that plan, read the sources and compare. */
import { Effect, Schema } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import * as Day from "../../core/wire/Day.ts"
import { ReaderThread } from "../../sync/pull/ReaderThread.ts"
import * as Debtors from "../../sync/reports/Debtors.ts"
import { Database } from "../../sync/state/Database.ts"
import type { DaemonServices } from "../daemon/Main.ts"
import { apart } from "../page/ThreadOfPages.ts"
import { NotFound } from "./Access.ts"
import * as Answers from "./Answers.ts"
import { Previewed } from "../../sync/model/reports/Books.ts"
import { Companies } from "../../sync/model/reports/Matching.ts"
import { PlanAnswer } from "../../sync/model/reports/Plan.ts"
import { HttpInterface } from "./HttpInterface.ts"
import { connectionOf, library, missing, outside } from "./Serving.ts"

interface Asked {
  readonly connections?: ReadonlyArray<string>
  readonly from?: string
  readonly to?: string
}

/** The same for the library. */
export const ranged = ({ connections, from, to }: Asked) => ({
  ...(connections === undefined ? {} : { connections }),
  ...(from === undefined ? {} : { from: Day.of(from) }),
  ...(to === undefined ? {} : { to: Day.of(to) })
})

/** The library types these results loosely; what is not as described here is a defect. */
const planned = Schema.decodeUnknownSync(PlanAnswer)
const previewed = Schema.decodeUnknownSync(Previewed)
const companies = Schema.decodeUnknownSync(Companies)

export const planningHandlers = (services: DaemonServices) =>
  HttpApiBuilder.group(HttpInterface, "plan", (handlers) =>
    Effect.map(Effect.all([Database, ReaderThread]), ([db, reader]) => {
      const using = library(services, db)
      return handlers.handleAll({
        plan: ({ query }) =>
          Effect.flatMap(services.configuration, (now) => Answers.plan(now, query.connection, query.limit)).pipe(
            missing,
            Effect.map(planned),
            Effect.provideService(Database, db)
          ),
        check: ({ params: { connection } }) =>
          Effect.flatMap(connectionOf(services, connection), ({ id }) =>
            Effect.map(outside(using((library) => library.check(id))), (problems) => ({ connection: id, problems }))
          ),
        preview: ({ params: { connection }, query }) =>
          Effect.flatMap(connectionOf(services, connection), ({ id }) =>
            Effect.map(outside(using((library) => library.preview(id, query))), previewed)
          ),
        pull: ({ params: { connection } }) =>
          Effect.flatMap(connectionOf(services, connection), ({ id }) =>
            Effect.map(outside(using((library) => library.pull({ connections: [id] }))), (taken) => ({
              connection: id,
              taken: taken[id] ?? { read: 0, added: 0, changed: 0, deleted: 0, quarantined: 0 }
            }))
          ),
        reconcile: ({ payload }) => outside(using((library) => library.reconcile(ranged(payload)))),
        independent: ({ payload }) => outside(using((library) => library.independent(payload))),
        candidates: ({ query: { connection, party } }) =>
          Effect.gen(function* () {
            const { id } = yield* connectionOf(services, connection)
            const find = db.read(() => Debtors.find(db, id, party))
            const debtor = yield* outside(
              Effect.provideService(apart(db, { type: "debtor", connection: id, party }, find), ReaderThread, reader)
            )
            if (debtor === undefined || debtor.chosen !== null)
              return yield* new NotFound({
                message: `No debtor ${JSON.stringify(party)} of ${id} waits to be matched.`
              })
            return companies({ companies: yield* outside(using((library) => library.candidates(debtor))) })
          })
      })
    })
  )
