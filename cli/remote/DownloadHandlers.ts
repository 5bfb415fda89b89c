/**
 * Handles the downloads. Each file is written completely before the first byte is sent, so that an error is an answer, not a
 * torn file. It is removed as soon as it is open: nothing is left behind, however the download ends.
 */
import { Clock, Effect, Stream, Semaphore } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { open, rm } from "node:fs/promises"
import { basename, join } from "node:path"
import { isCurrency } from "../../core/money/Currency.ts"
import * as Day from "../../core/wire/Day.ts"
import { exportSheets } from "../../sync/export/index.ts"
import { sheets } from "../../sync/reports/Sheets.ts"
import { ReaderThread } from "../../sync/pull/ReaderThread.ts"
import * as Customers from "../../sync/reports/Customers.ts"
import * as CustomerStatement from "../../sync/reports/CustomerStatement.ts"
import { Database, type Db } from "../../sync/state/Database.ts"
import { temporaryFolder } from "../../core/TemporaryFolder.ts"
import type { DaemonServices } from "../daemon/Main.ts"
import { apart } from "../page/ThreadOfPages.ts"
import { Conflict, NotFound } from "./Access.ts"
import { HttpInterface } from "./HttpInterface.ts"
import { chosenBy, library, missing } from "./Serving.ts"

type Bytes = Stream.Stream<Uint8Array>

/** How many are written at a time: each needs the processor for as long as it takes. */
const writing = Semaphore.makeUnsafe(2)

/** Writes a file in a folder of its own, and streams it. */
const streamed = <E>(write: (folder: string) => Effect.Effect<string, E>): Effect.Effect<Bytes, E> =>
  Effect.acquireUseRelease(
    Effect.sync(() => temporaryFolder("download")),
    (folder) =>
      Effect.flatMap(write(folder), (file) =>
        Effect.promise(async () => {
          const opened = await open(file)
          return Stream.orDie(Stream.fromAsyncIterable<Uint8Array, unknown>(opened.createReadStream(), String))
        })
      ),
    (folder) => Effect.promise(() => rm(folder, { recursive: true, force: true }))
  ).pipe(writing.withPermits(1))

const slug = (sheet: string): string => sheet.toLowerCase().replaceAll(" ", "-")

/** One sheet. The summary adds up the others while they are read, so it needs all of them. */
const csv = (db: Db, connections: ReadonlyArray<string>, name: string) =>
  streamed((folder) =>
    Effect.gen(function* () {
      const { files } = yield* exportSheets(db, join(folder, "books.csv"), (books, now) => {
        const { reading, shown } = sheets(books, { connections, now })
        const wanted = shown.filter((sheet) => `${slug(sheet.name)}.csv` === name)
        return { shown: wanted, reading: wanted[0] === shown[0] ? reading : wanted }
      })
      const file = files.find((one) => basename(one) === `books.${name}`)
      return file ?? (yield* new NotFound({ message: `The export has no sheet named ${JSON.stringify(name)}.` }))
    })
  )

/** The customer with this id. */
const customerOf = (services: DaemonServices, db: Db, id: number) =>
  Effect.gen(function* () {
    const { connections } = yield* services.configuration
    const ids = connections.map((one) => one.id)
    const customer = yield* Effect.orDie(db.read(() => Customers.find(db, ids, id)))
    const connection = connections.find((one) => one.id === customer?.connection)
    if (customer === undefined || connection === undefined)
      return yield* new NotFound({ message: `No customer has the id ${id}.` })
    return { customer, connection }
  })

/** The statement of what a customer owes in one currency. */
const statementPdf = (services: DaemonServices, db: Db, id: number, currency: string) =>
  Effect.gen(function* () {
    const { connection, customer } = yield* customerOf(services, db, id)
    if (!isCurrency(currency))
      return yield* new NotFound({ message: `${JSON.stringify(currency)} is not an ISO 4217 code.` })
    const day = Day.fromEpochMillis(yield* Clock.currentTimeMillis)
    const of = [connection.planning, customer, currency, day] as const
    const here = Effect.provideService(CustomerStatement.statementPdf(...of), Database, db)
    const made = yield* Effect.orDie(apart(db, { type: "statement", of: [...of] }, here, "file"))
    if ("why" in made)
      return yield* new Conflict({ message: `The statement of account could not be created: ${made.why}.` })
    return Stream.make<[Uint8Array]>(made.bytes)
  })

/** The export's own errors are about a path that only this file knows. */
const written = <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, NotFound, R> =>
  Effect.catch(work, (error) => (error instanceof NotFound ? Effect.fail(error) : missing(Effect.fail(error))))

export const downloadingHandlers = (services: DaemonServices) =>
  HttpApiBuilder.group(HttpInterface, "downloads", (handlers) =>
    Effect.map(Effect.all([Database, ReaderThread]), ([db, reader]) => {
      const using = library(services, db)
      const idsOf = (connection: string | undefined) =>
        Effect.flatMap(services.configuration, (now) =>
          Effect.map(missing(chosenBy(now, connection)), (chosen) => chosen.map(({ id }) => id))
        )
      const whole = (name: string, connection: string | undefined, how: "export" | "views") =>
        Effect.flatMap(idsOf(connection), (connections) =>
          written(
            streamed((folder) =>
              Effect.map(
                using((library) => library[how](join(folder, name), connection === undefined ? {} : { connections })),
                ({ files }) => files[0] ?? join(folder, name)
              )
            )
          )
        )
      return handlers.handleAll({
        workbook: ({ query }) => whole("books.xlsx", query.connection, "export"),
        views: ({ query }) => whole("books.sqlite", query.connection, "views"),
        csv: ({ params, query }) =>
          Effect.flatMap(idsOf(query.connection), (ids) => written(csv(db, ids, params.sheet))),
        account: ({ params }) =>
          Effect.flatMap(customerOf(services, db, params.customer), ({ customer }) =>
            written(
              streamed((folder) =>
                Effect.map(
                  exportSheets(db, join(folder, "account.xlsx"), (books) => {
                    const sheet = Customers.accountSheet(books, customer.id)
                    return { shown: [sheet], reading: [sheet] }
                  }),
                  ({ files }) => files[0] ?? join(folder, "account.xlsx")
                )
              )
            )
          ),
        accountPdf: ({ params, query }) =>
          Effect.provideService(statementPdf(services, db, params.customer, query.currency), ReaderThread, reader)
      })
    })
  )

export const savingHandlers = (services: DaemonServices) =>
  HttpApiBuilder.group(HttpInterface, "backup", (handlers) =>
    Effect.map(Effect.all([Database, ReaderThread]), ([db, reader]) => {
      const using = library(services, db)
      return handlers.handleAll({
        backup: () =>
          Effect.orDie(
            streamed((folder) =>
              Effect.map(
                using((library) => library.backup(join(folder, "daybook.db"))),
                ({ file }) => file
              )
            ).pipe(Effect.provideService(ReaderThread, reader))
          )
      })
    })
  )
