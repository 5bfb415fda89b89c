/** Handles the operations on cover and collections. */
import { Clock, Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import type { Configuration } from "../../sync/library/config/Configuration.ts"
import * as CollectionList from "../../sync/reports/CollectionList.ts"
import * as Cover from "../../sync/reports/Cover.ts"
import { Database, type Db } from "../../sync/state/Database.ts"
import type { CollectionStep, CoverShown } from "../../sync/library/Api.ts"
import type { DaemonServices } from "../daemon/Main.ts"
import { HttpInterface } from "./HttpInterface.ts"
import { onePage, type Page } from "./OnePage.ts"
import { chosenBy, invoiceOf, library, missing, refused, signed } from "./Serving.ts"

interface Listing extends Page {
  readonly connection?: string
}

const collections = (db: Db, now: Configuration, { connection, ...page }: Listing) =>
  Effect.gen(function* () {
    const chosen = yield* chosenBy(now, connection)
    const at = yield* Clock.currentTimeMillis
    const rows = yield* db.snapshot(() =>
      Cover.watched(db, chosen).flatMap(({ id }) => CollectionList.collections(db, id, at))
    )
    const { rows: collections, ...rest } = onePage(rows, ({ document }) => document, page)
    return { collections, ...rest }
  })

export const coverHandlers = (services: DaemonServices) =>
  HttpApiBuilder.group(HttpInterface, "cover", (handlers) =>
    Effect.map(Database, (db) => {
      const using = library(services, db)
      const report = <A>({ connection, ...page }: Listing, of: (report: CoverShown, page: Page) => A) =>
        missing(
          Effect.map(
            using((library) => library.cover(connection === undefined ? {} : { connections: [connection] })),
            (report) => of(report, page)
          )
        )
      return handlers.handleAll({
        offers: ({ query: { standing, ...query } }) =>
          report(query, ({ budgets, offers }, page) => {
            const wanted = offers.filter((one) => standing === undefined || one.standing === standing)
            const { rows, ...rest } = onePage(wanted, ({ due, subject }) => `${due} ${subject}`, page)
            return { offers: rows, budgets, ...rest }
          }),
        exposure: ({ query }) =>
          report(query, ({ exposure, totals }, page) => {
            const cursor = (one: (typeof exposure)[number]) => `${one.connection} ${one.buyer} ${one.currency}`
            const { rows, ...rest } = onePage(exposure, cursor, page)
            return { exposure: rows, totals, ...rest }
          }),
        limits: ({ query }) =>
          report(query, ({ exposure }, page) => {
            const known = exposure.flatMap(({ buyer, connection, insured, limit, name, waiting }) =>
              limit === null ? [] : [{ connection, buyer, name, insured, waiting, limit }]
            )
            const cursor = (one: (typeof known)[number]) => `${one.connection} ${one.buyer} ${one.limit.currency}`
            const { rows, ...rest } = onePage(known, cursor, page)
            return { limits: rows, ...rest }
          }),
        deadlines: ({ query }) =>
          report(query, ({ deadlines }, page) => {
            const { rows, ...rest } = onePage(deadlines, ({ day, subject, what }) => `${day} ${subject} ${what}`, page)
            return { deadlines: rows, ...rest }
          }),
        quotes: ({ query: { state, ...query } }) =>
          report(query, ({ invoices }, page) => {
            const wanted = invoices.filter((one) => state === undefined || one.state === state)
            const { rows, ...rest } = onePage(wanted, ({ subject }) => subject, page)
            return { invoices: rows, ...rest }
          }),
        collections: ({ query }) =>
          missing(Effect.flatMap(services.configuration, (now) => collections(db, now, query))),
        collection: ({ params }) =>
          Effect.flatMap(invoiceOf(services, db, params.invoice), ({ subject }) =>
            missing(using((library) => library.collection(subject)))
          )
      })
    })
  )

export const spendingHandlers = (services: DaemonServices) =>
  HttpApiBuilder.group(HttpInterface, "coverDecisions", (handlers) =>
    Effect.map(Database, (db) => {
      const using = library(services, db)
      /** Carries out a step of a collection; what a person confirmed is handed over by the run that follows. */
      const step = (name: string, of: CollectionStep) =>
        Effect.gen(function* () {
          const { subject } = yield* invoiceOf(services, db, name)
          const view = yield* refused(using((library) => library.collect(subject, of)))
          return view
        })
      return handlers.handleAll({
        decideCover: ({ params, payload: { by, decision, digest } }) =>
          Effect.gen(function* () {
            const { connection, subject } = yield* invoiceOf(services, db, params.invoice)
            const who = yield* signed(by)
            const choice = { decision, who, ...(digest === undefined ? {} : { digest }) }
            yield* refused(using((library) => library.decideCover(subject, choice)))
            const now = yield* Clock.currentTimeMillis
            const offer = yield* Effect.orDie(db.snapshot(() => Cover.waiting(db, connection, subject, now)))
            return { document: subject, decision, by: who, offer: offer ?? null }
          }),
        prepare: ({ params }) => step(params.invoice, { step: "prepare" }),
        attach: ({ params, payload: bytes, query: { by, name, type } }) =>
          Effect.flatMap(signed(by), (who) => step(params.invoice, { step: "attach", name, type, bytes, who })),
        detach: ({ params, payload: { by, name } }) =>
          Effect.flatMap(signed(by), (who) => step(params.invoice, { step: "detach", name, who })),
        confirm: ({ params, payload: { by, ...said } }) =>
          Effect.flatMap(signed(by), (who) => step(params.invoice, { step: "confirm", ...said, who })),
        withdraw: ({ params, payload: { by } }) =>
          Effect.flatMap(signed(by), (who) => step(params.invoice, { step: "withdraw", who }))
      })
    })
  )
