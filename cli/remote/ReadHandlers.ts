/** Handles the operations that only read the state file. */
import { Clock, Effect, Stream } from "effect"
import { HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import * as Currency from "../../core/money/Currency.ts"
import * as Day from "../../core/wire/Day.ts"
import type { Configuration } from "../../sync/library/config/Configuration.ts"
import { dated } from "../../sync/library/Plain.ts"
import { ReaderThread } from "../../sync/pull/ReaderThread.ts"
import { views } from "../../sync/library/Views.ts"
import * as Customers from "../../sync/reports/Customers.ts"
import type { MonthReport } from "../../sync/reports/CloseReport.ts"
import * as Debtors from "../../sync/reports/Debtors.ts"
import type { PayoutReport } from "../../sync/reports/Payouts.ts"
import { breathe } from "../../sync/state/Breathe.ts"
import { Database, type Db } from "../../sync/state/Database.ts"
import type { DaemonServices } from "../daemon/Main.ts"
import { apart } from "../page/ThreadOfPages.ts"
import * as Answers from "./Answers.ts"
import { HttpInterface } from "./HttpInterface.ts"
import { onePage, type Page, quarantined, ROWS } from "./OnePage.ts"
import { chosenBy, library, missing } from "./Serving.ts"

interface Quarantine extends Page {
  readonly connection?: string
  readonly text?: string
}

const quarantine = (db: Db, now: Configuration, { connection, text = "", ...page }: Quarantine) =>
  Effect.gen(function* () {
    const of = [(yield* chosenBy(now, connection)).map(({ id }) => id), text, page] as const
    const here = db.read(() => quarantined(db, ...of))
    const { rows, ...rest } = yield* apart(db, { type: "quarantine", of }, here)
    return { records: rows.map((one) => dated(one, "since")), ...rest }
  })

interface Wanted {
  readonly text?: string
  readonly currency?: string
  readonly sort?: (typeof Customers.CUSTOMER_SORTS)[number]
  readonly limit?: number
  readonly after?: number
}

const customers = (
  db: Db,
  { connections }: Configuration,
  { after = 0, currency, limit = ROWS, sort = "open", text }: Wanted
) =>
  Effect.gen(function* () {
    const filter = { connections: connections.map(({ id }) => id), currency, text }
    const page = { sort, most: limit + 1, skip: after }
    const today = Day.fromEpochMillis(yield* Clock.currentTimeMillis)
    const here = db.read(() => Customers.customers(db, filter, page, today))
    const rows = yield* apart(db, { type: "customers", of: [filter, page, today] }, here)
    const amount = (value: bigint, currency: string | null) =>
      currency === null ? null : Currency.format(value, currency)
    return {
      customers: rows.slice(0, limit).map((row) => ({
        ...row,
        open: amount(row.open, row.currency),
        overdue: amount(row.overdue, row.currency)
      })),
      ...(rows.length > limit ? { next: after + limit } : {})
    }
  })

const payoutPage =
  (page: Page) =>
  ({ accounts, lines, payouts: all }: PayoutReport) => {
    const { rows: payouts, ...rest } = onePage(all, ({ date, payout }) => `${date} ${payout}`, page)
    return { accounts, lines, payouts, ...rest }
  }

/** How many customers of a month are written in one piece. */
const PART = 200

function* jsonOf({ customers, ...rest }: MonthReport): Generator<string> {
  yield `${JSON.stringify(rest).slice(0, -1)},"customers":[`
  for (let at = 0; at < customers.length; at += PART)
    yield `${at === 0 ? "" : ","}${JSON.stringify(customers.slice(at, at + PART)).slice(1, -1)}`
  yield "]}"
}

/** A month as it is, piece by piece: there may be thousands of customers in it. */
export const monthAnswer = (report: MonthReport) =>
  HttpServerResponse.stream(
    Stream.fromIterable(jsonOf(report), { chunkSize: 1 }).pipe(
      Stream.mapEffect((text) => Effect.as(breathe, new TextEncoder().encode(text)))
    ),
    { contentType: "application/json" }
  )

const some = (connection: string | undefined) => (connection === undefined ? {} : { connections: [connection] })

const undoable = (using: ReturnType<typeof library>) =>
  Effect.map(Effect.orDie(using((library) => library.undoable())), (decisions) => ({ decisions }))

export const readingHandlers = (services: DaemonServices) =>
  HttpApiBuilder.group(HttpInterface, "read", (handlers) =>
    Effect.gen(function* () {
      const db = yield* Database
      const reader = yield* ReaderThread
      const { configuration, events } = services
      const using = library(services, db)
      const looking = <A, E>(work: (now: Configuration) => Effect.Effect<A, E, Database>) =>
        missing(
          Effect.flatMap(configuration, work).pipe(
            Effect.provideService(Database, db),
            Effect.provideService(ReaderThread, reader)
          )
        )
      const seeing = <A, E>(work: (see: ReturnType<typeof views>) => Effect.Effect<A, E>) =>
        looking((now) => work(views({ configuration: now, db })))
      return handlers.handleAll({
        status: () => Effect.orDie(seeing((see) => see.status())),
        statement: ({ query }) => seeing((see) => see.completeness(some(query.connection))),
        cover: ({ query }) => seeing((see) => see.cover(some(query.connection))),
        attention: ({ query }) => Effect.orDie(looking(() => Answers.attention(query.limit, query.after))),
        documents: ({ query }) => looking((now) => Answers.search(now, query)),
        explain: ({ query }) => looking((now) => Answers.explain(now, query.document)),
        approvals: () => Effect.orDie(looking(() => Answers.approvals)),
        alerts: () => Effect.orDie(using((library) => library.alerts())),
        quarantine: ({ query }) => looking((now) => quarantine(db, now, query)),
        customers: ({ query }) => Effect.orDie(looking((now) => customers(db, now, query))),
        debtors: ({ query: { connection, ...page } }) =>
          missing(
            looking((now) =>
              Effect.flatMap(chosenBy(now, connection), (chosen) => {
                const connections = chosen.map(({ id }) => id)
                const here = db.read(() => connections.flatMap((id) => Debtors.list(db, id)))
                return Effect.map(apart(db, { type: "debtors", connections }, here), (rows) => {
                  const { rows: debtors, ...rest } = onePage(rows, (one) => `${one.connection} ${one.party}`, page)
                  return { debtors, ...rest }
                })
              })
            )
          ),
        payouts: ({ query: { connection, ...page } }) =>
          seeing((see) => Effect.map(see.payouts(some(connection)), payoutPage(page))),
        close: ({ query: { connection, month } }) =>
          seeing((see) => Effect.map(see.month(month, some(connection)), monthAnswer)),
        matches: ({ query }) =>
          Effect.orDie(
            Effect.map(
              using((library) => library.choices()),
              (rows) => {
                const { rows: matches, ...rest } = onePage(rows, ({ payment }) => payment, query)
                return { matches, ...rest }
              }
            )
          ),
        undoable: () => undoable(using),
        events: () => Effect.succeed(events)
      })
    })
  )
