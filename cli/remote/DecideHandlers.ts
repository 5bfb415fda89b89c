/** Handles the decisions about plans, runs, attention items, matches, connections and alerts. */
import { Effect, Schema } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { CompanyId } from "../../core/wire/Ids.ts"
import { plural } from "../../core/Plural.ts"
import { partOf } from "../../sync/library/PartOfPlan.ts"
import type { Connection } from "../../sync/model/Connection.ts"
import * as Approvals from "../../sync/plan/Approvals.ts"
import { Database, type Db } from "../../sync/state/Database.ts"
import type { DaemonServices } from "../daemon/Main.ts"
import { Caller, Conflict, NotFound } from "./Access.ts"
import { HttpInterface } from "./HttpInterface.ts"
import { ranged } from "./PlanHandlers.ts"
import { connectionOf, library, missing, outside, refused, signed } from "./Serving.ts"

interface Word {
  readonly digest: string
  readonly decision: "approved" | "rejected"
  readonly by?: string
  readonly documents?: ReadonlyArray<string>
}

/** Decides about the plan that waits; a decision that was already made is returned as it was made. */
const decide = (services: DaemonServices, db: Db, name: string, { by, decision, digest, documents }: Word) =>
  Effect.gen(function* () {
    const connection = yield* connectionOf(services, name)
    const { id } = connection
    const caller = yield* Caller
    const who = by === undefined ? caller.name : yield* signed(by)
    if (decision === "rejected" && documents !== undefined)
      return yield* new Conflict({
        message: "Nothing was decided. A plan is rejected as a whole: leave out documents."
      })
    const decided = yield* refused(
      library(
        services,
        db,
        caller
      )(({ approve, reject }) =>
        decision === "approved" ? approve(id, digest, who, documents) : reject(id, digest, who)
      )
    )
    const found = yield* Effect.orDie(db.read(() => Approvals.of(db, id)))
    // The same decision, about the same documents: an answer that was lost is given again.
    const isSame =
      found?.digest === digest && found.decision === decision && (yield* covers(db, connection, documents, found))
    if (decided || isSame)
      return { connection: id, digest, decision, by: found?.who ?? who, documents: found?.documents ?? null }
    const why =
      found === undefined
        ? `No plan of ${id} waits.`
        : found.digest === digest
          ? `This plan was already ${found.decision} by ${found.who}${found.documents === null ? "" : `, with ${plural(found.documents.length, "document")} of it`}.`
          : `A newer plan of ${id} is waiting, ${found.digest}; look at it first.`
    return yield* new Conflict({ message: `Nothing was decided. ${why}` })
  })

/** Whether a decision that was made is about the documents that somebody names now; no names: about the whole plan. */
const covers = (
  db: Db,
  connection: Connection,
  names: ReadonlyArray<string> | undefined,
  { documents }: Approvals.Approval
): Effect.Effect<boolean> =>
  names === undefined
    ? Effect.succeed(documents === null)
    : partOf(connection, names).pipe(
        Effect.provideService(Database, db),
        Effect.map((part) => !("why" in part) && JSON.stringify(part.documents) === JSON.stringify(documents)),
        Effect.orDie
      )

const isCompany = Schema.is(CompanyId)

const closed = (id: number) => new NotFound({ message: `No attention item ${id} is open.` })

export const decidingHandlers = (services: DaemonServices) =>
  HttpApiBuilder.group(HttpInterface, "approve", (handlers) =>
    Effect.map(Database, (db) => {
      const using = library(services, db)
      return handlers.handleAll({
        decide: ({ params, payload }) => decide(services, db, params.connection, payload),
        sync: ({ params }) =>
          Effect.gen(function* () {
            const { id } = yield* connectionOf(services, params.connection)
            yield* services.daemon.ask(id)
            return { connection: id, asked: true }
          }),
        accept: ({ params }) =>
          Effect.gen(function* () {
            const { id } = yield* connectionOf(services, params.connection)
            yield* missing(using((library) => library.acceptConnection(id)))
            return { connection: id, accepted: true }
          }),
        fix: ({ payload }) => outside(using((library) => library.reconcile({ ...ranged(payload), fix: true }))),
        resolve: ({ params: { id }, payload: { note } }) =>
          Effect.gen(function* () {
            const { name } = yield* Caller
            if (!(yield* Effect.orDie(using((library) => library.resolve(id, `${note} (${name})`)))))
              return yield* closed(id)
            return { id, resolved: true }
          }),
        retry: ({ params: { id } }) =>
          Effect.flatMap(Effect.orDie(using(({ retry }) => retry(id))), (retried) =>
            retried ? Effect.succeed({ id, retried }) : closed(id)
          ),
        assign: ({ params: { id }, payload: { invoices, sure } }) =>
          Effect.map(refused(using(({ assign }) => assign(id, invoices, sure))), (shares) => ({ id, shares })),
        sameMoney: ({ params: { id }, payload: { same_as } }) =>
          Effect.map(refused(using(({ sameMoney }) => sameMoney(id, same_as ?? undefined))), (compared) => ({
            id,
            compared
          })),
        ask: ({ payload: { payment, sure } }) =>
          Effect.map(refused(using((library) => library.ask(payment, sure))), (invoices) => ({ payment, invoices })),
        unassign: ({ payload: { payment, same, sure } }) =>
          Effect.gen(function* () {
            if (!(yield* refused(using((library) => library.unassign(payment, { same, sure })))))
              return yield* new NotFound({ message: `Nobody assigned the payment ${JSON.stringify(payment)}.` })
            return { payment, undone: true }
          }),
        undo: ({ params: { id }, payload: { digest } }) =>
          Effect.flatMap(Caller, (person) =>
            Effect.as(refused(library(services, db, person)(({ undo }) => undo(id, digest))), { id, undone: true })
          ),
        match: ({ payload: { company, connection, party } }) =>
          Effect.gen(function* () {
            const { id } = yield* connectionOf(services, connection)
            if (company !== null && !isCompany(company))
              return yield* new NotFound({ message: `${JSON.stringify(company)} is not a company's id.` })
            const updates = yield* missing(using((library) => library.match({ connection: id, party }, company)))
            return { connection: id, party, company, updates }
          }),
        testAlerts: ({ payload: { channel } }) =>
          Effect.map(missing(using((library) => library.testAlerts(channel))), (channels) => ({ channels })),
        retryAlerts: ({ payload: { ids } }) =>
          Effect.map(Effect.orDie(using((library) => library.retryAlerts(ids))), (sent) => ({ ids: sent }))
      })
    })
  )
