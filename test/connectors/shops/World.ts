/**
 * A shop over its wire, the sync, and the sandbox as the service, in one world: what a shop writes down is pulled by its
 * connector, stored, planned and sent.
 */
import { Effect, Redacted, Schema } from "effect"
import type { Page } from "../../../connectors/Connector.ts"
import type { Document, Order } from "../../../connectors/Document.ts"
import { type Bend, simulate, type Source } from "../../../connectors/testing/Simulator.ts"
import { run, type RunOptions, type Subject } from "../../../connectors/testing/Subject.ts"
import * as Account from "../../../sync/apply/Account.ts"
import { apply } from "../../../sync/apply/Apply.ts"
import type { Connection, Planning } from "../../../sync/model/Connection.ts"
import { GUARDS } from "../../../sync/model/Guard.ts"
import { pull } from "../../../sync/pull/Pull.ts"
import { sweep } from "../../../sync/pull/Sweep.ts"
import { planning as plain } from "../../support/Documents.ts"
import { report } from "../../sync/InWorld.ts"
import { KEY, URL, type World } from "../../sync/World.ts"

export type Settings = Readonly<Record<string, unknown>>

export const subjectOf = (
  { connector, environment, settings }: Subject,
  source: Source,
  more: Settings = {}
): Subject => ({
  connector,
  environment: environment ?? {},
  settings: { ...(settings as Settings), ...more },
  open: () => ({ source }),
  golden: []
})

/** One pull, or a reading by id. */
export const read = async (subject: Subject, options: RunOptions = {}) => {
  const ran = await run(subject, subject.open(), options)
  const all = <A>(of: (page: Page<unknown>) => ReadonlyArray<A> | undefined) =>
    ran.pages.flatMap((page) => of(page) ?? [])
  return {
    ...ran,
    documents: all((page) => page.read.map(({ document }): Document => document)),
    quarantined: all((page) => page.quarantined),
    notices: all((page) => page.notices).map(({ what }) => what),
    deleted: all((page) => page.deleted).map(({ id, kind }) => `${kind}/${id}`),
    complete: all((page) => page.complete)
  }
}

/** The shop's only order, as its connector reads it. */
export const orderOf = async (subject: Subject): Promise<Order> => {
  const { documents } = await read(subject)
  const order = documents.find((one) => one.kind === "order")
  if (order === undefined) throw new Error("the shop has no order")
  return order
}

/** One `daybook sync` of this shop. */
export const sync = async (
  world: World,
  subject: Subject,
  { bend = {}, planning = plain, sweeping = false }: { bend?: Bend; planning?: Planning; sweeping?: boolean } = {}
) => {
  const connection: Connection = {
    id: "shop",
    connector: subject.connector,
    settings: Schema.decodeUnknownSync(subject.connector.settings as Schema.Codec<unknown>)(subject.settings),
    planning,
    firstSync: "send"
  }
  const options = { folder: ".", environment: subject.environment ?? {} }
  const { layer } = simulate(subject.open().source!, bend)
  const exit = await world.life(
    Effect.gen(function* () {
      yield* Account.bind(URL, Redacted.make(KEY))
      yield* Effect.provide(pull(connection, options), layer)
      if (sweeping) yield* Effect.provide(sweep(connection, { ...options, limit: 100 }), layer)
      return yield* apply([connection], { allow: GUARDS })
    })
  )
  return report(exit)
}
