/**
 * Reads again what hints point to: documents from their source, by id, and what the service holds of a document. Hints
 * are dropped once what they point to was read, so that nothing is lost when this is cut off.
 */
import { Effect, Stream } from "effect"
import { type Requirements, SourceError, type Surroundings, Unreadable } from "../../connectors/Connector.ts"
import * as Pages from "../../connectors/Pages.ts"
import { Client } from "../../core/Client.ts"
import type { ServiceError } from "../../core/ServiceError.ts"
import { Intake, type Taken } from "../books/DocumentStore.ts"
import type { State } from "../model/Call.ts"
import type { Connection } from "../model/Connection.ts"
import { Database, type StateError } from "../state/Database.ts"
import * as Hints from "./WebhookQueue.ts"
import * as Ledger from "../model/RemoteInvoice.ts"
import { Sender } from "../apply/Sender.ts"
import * as Match from "../matching/Run.ts"
import * as Standing from "../apply/LedgerStore.ts"
import * as Subjects from "../plan/Facts.ts"

export interface Reread extends Taken {
  /** Things that were asked for by id: at the source, and at the service. */
  readonly asked: number
  /** Documents of which the service said something new. */
  readonly heard: number
  /** A hint can only be followed by a pull. */
  readonly pull: boolean
}

/** Hints in work at once. */
const BATCH = 200
const AT_ONCE = 8

const textOf = (told: State): string => ("kind" in told ? JSON.stringify(told) : Ledger.encode(told))

/** Reads one document's standing on the service. Answers whether that is not what the ledger says. */
const hear = (connection: Connection, sender: Sender, key: string) =>
  Effect.gen(function* () {
    const db = yield* Database
    const before = yield* db.read(() =>
      Subjects.isOrderKey(key) ? Subjects.toldOrder(db, key) : Subjects.told(db, key)
    )
    const now = yield* sender.reread(before)
    if (before === undefined || now === undefined || textOf(before) === textOf(now)) return false
    yield* db.commit(() => Standing.restate(db, connection, key, now))
    return true
  })

/** Follows every hint of a connection that is there when this begins, and those that come while it goes on. */
export const reread = Effect.fn("Reread.reread")(function* (
  connection: Connection,
  surroundings: Surroundings
): Effect.fn.Return<Reread, StateError | SourceError | ServiceError, Database | Client | Requirements> {
  const db = yield* Database
  const client = yield* Client
  const { connector, id } = connection
  const intake = new Intake(db, id, Match.roleOf(connection))
  const sender = new Sender(db, client, 0)
  const fail = (reason: SourceError["reason"]) => new SourceError({ connector: connector.name, connection: id, reason })
  let asked = 0
  let heard = 0
  let pull = false
  for (;;) {
    const hints = yield* db.read(() => Hints.waiting(db, id, BATCH))
    if (hints.length === 0) break
    const of = (scheme: string) =>
      hints.flatMap(({ about }) => (about.startsWith(scheme) ? [about.slice(scheme.length)] : []))
    const sources = of("source:").filter((about) => about !== "*")
    if (hints.some(({ about }) => about === Hints.PULL)) pull = true
    const { webhook } = connector
    if (webhook === undefined && sources.length > 0) pull = true
    if (webhook !== undefined && sources.length > 0) {
      yield* Stream.suspend(() => webhook.reread(connection.settings, sources, surroundings)).pipe(
        Stream.catchDefect((defect) =>
          Stream.fail(fail(new Unreadable({ where: "the source", why: `the connector failed: ${String(defect)}` })))
        ),
        Stream.runForEach((page) =>
          Effect.gen(function* () {
            const whole = { ...page, bookmark: undefined }
            const problem = Pages.problem(whole)
            if (problem !== undefined) return yield* fail(new Unreadable(problem))
            yield* intake.keep(whole, undefined)
          })
        ),
        Effect.mapError((error) => (error._tag === "SourceError" ? fail(error.reason) : error))
      )
    }
    const keys = of("service:").filter((key) => key.startsWith(`${id}/`))
    const changed = yield* Effect.forEach(keys, (key) => hear(connection, sender, key), { concurrency: AT_ONCE })
    asked += sources.length + keys.length
    heard += changed.filter((one) => one).length
    yield* db.transaction(() => Hints.done(db, id, hints))
  }
  if (asked > 0) yield* Match.run
  return { ...intake.taken, asked, heard, pull }
})
