/**
 * What a person does about the collection of an insured invoice (H5): looks at it, adds and removes files, confirms it, takes
 * the confirmation back. The command, the page, the HTTP interface and the library all call these.
 *
 * The service is read each time before the record is shown, and before a confirmation is taken: a person declares exactly what
 * the service and the books hold at that moment. Nothing is sent here; the next plan hands it over, after it read the service
 * once more.
 */
import { Clock, Effect } from "effect"
import type { Client } from "../../core/Client.ts"
import { describe, type ServiceError } from "../../core/ServiceError.ts"
import { Sender } from "../apply/Sender.ts"
import * as Collecting from "../collections/Collecting.ts"
import { alone } from "./ConnectionLocks.ts"
import type { Connection } from "../model/Connection.ts"
import { readAgain } from "../refresh/ReadAgain.ts"
import { Database, type StateError, type Db } from "../state/Database.ts"
import { Client as Service } from "../../core/Client.ts"

export type CollectionAct =
  | ({ readonly step: "confirm" } & Collecting.Confirmation)
  | { readonly step: "withdraw"; readonly who: string }
  | ({ readonly step: "attach" } & Collecting.Attachment)
  | { readonly step: "detach"; readonly name: string; readonly who: string }

export interface ShownCollection {
  readonly view: Collecting.CollectionView
  /** Why the service could not be read just now: nothing can be confirmed. */
  readonly unread?: string
}

/** Reads what the service has of the invoice and its collection. Returns why it could not, if so. */
const read = (
  connection: Connection,
  subject: string
): Effect.Effect<string | undefined, StateError, Database | Client> =>
  Effect.gen(function* () {
    const db = yield* Database
    const sender = new Sender(db, yield* Service, { settleAfter: 0 })
    const outcome = yield* readAgain(connection, sender, subject, true)
    return outcome === "unsettled" ? "the outcome of an earlier call is not known yet" : undefined
  }).pipe(Effect.catchTag("ServiceError", ({ reason }: ServiceError) => Effect.succeed(describe(reason))))

/** What would be handed over, as the service and the books have it now; why not, if the invoice has no collection. */
export const show = (
  connection: Connection,
  subject: string
): Effect.Effect<ShownCollection | Collecting.Refused, StateError, Database | Client> =>
  Effect.gen(function* () {
    const db = yield* Database
    const unread = yield* db.hold(alone(db, [connection], read(connection, subject)))
    const now = yield* Clock.currentTimeMillis
    const view = yield* db.snapshot(() => Collecting.look(db, connection, subject, now))
    return "why" in view ? view : { view, ...(unread === undefined ? {} : { unread }) }
  })

const carryOut = (
  db: Db,
  connection: Connection,
  subject: string,
  act: CollectionAct,
  now: number
): string | undefined => {
  switch (act.step) {
    case "confirm": {
      const answer = Collecting.confirm(db, connection, subject, act, now)
      return "why" in answer ? answer.why : undefined
    }
    case "withdraw":
      return Collecting.withdraw(db, connection, subject, act.who, now)?.why
    case "attach":
      return Collecting.attach(db, connection, subject, act, now)?.why
    case "detach":
      return Collecting.detach(db, connection, subject, act.name, act.who, now)?.why
  }
}

/** Carries out what a person decided. Returns why it was not, if so: then nothing was changed. */
export const decide = (
  connection: Connection,
  subject: string,
  act: CollectionAct
): Effect.Effect<string | undefined, StateError, Database | Client> =>
  Effect.gen(function* () {
    const db = yield* Database
    const work = Effect.gen(function* () {
      const unread = act.step === "confirm" ? yield* read(connection, subject) : undefined
      if (unread !== undefined) return `the service could not be read just now (${unread}), and what it has may differ`
      const now = yield* Clock.currentTimeMillis
      return yield* db.transaction(() => carryOut(db, connection, subject, act, now))
    })
    return yield* db.hold(alone(db, [connection], work))
  })
