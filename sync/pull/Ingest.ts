/**
 * Checks and stores what a connector reads, page after page. Pulls, webhooks and sweeps all use this, so that one place
 * decides what enters the books.
 *
 * A connector may come from a third party. Any defect in it (an exception, a rejected promise, an inconsistent page) becomes
 * a `SourceError` that names the connection. The books stay as they were after the last complete page, and other connections
 * are not affected.
 */
import { type Cause, Effect, Stream } from "effect"
import {
  type Page,
  type Requirements,
  SourceError,
  type ConnectorContext,
  Unreadable
} from "../../connectors/Connector.ts"
import { failure, thrownBy } from "../../connectors/Failure.ts"
import * as Pages from "../../connectors/Pages.ts"
import * as Quarantine from "../../connectors/Quarantine.ts"
import * as Secrets from "../../connectors/Secrets.ts"
import { Intake } from "../books/DocumentStore.ts"
import type { IngestCounts } from "../model/reports/Matching.ts"
import { type Brought, readyPage, type ReadyPage } from "../books/Ready.ts"
import type { Connection } from "../model/Connection.ts"
import { Database, type StateError } from "../state/Database.ts"
import { roleOf } from "../matching/Run.ts"
import * as SharedCredits from "./SharedCredits.ts"
import { reachOf } from "./ConnectorContext.ts"

interface Options extends ConnectorContext {
  /** Encodes a page's bookmark as text. */
  readonly bookmark?: (page: Brought) => Effect.Effect<string, unknown>
  /** Called after every transaction. */
  readonly onProgress?: (taken: IngestCounts) => Effect.Effect<void>
}

export interface Ingest {
  readonly taken: () => IngestCounts
  /** What was stored, if the connector skipped what it may not have: the source is to be read again. */
  readonly inDoubt: () => IngestCounts | undefined
  /** Reads pages until the end and stores each. */
  readonly run: (
    pages: () => Stream.Stream<Brought, SourceError, Requirements>
  ) => Effect.Effect<void, StateError | SourceError, Requirements>
  /** Stores pages that another thread read: those that came together, in one transaction. */
  readonly store: (
    pages: Stream.Stream<ReadonlyArray<Stored>, SourceError, Requirements>
  ) => Effect.Effect<void, StateError | SourceError, Requirements>
  /** Records that the source was read to its end. */
  readonly end: Effect.Effect<void, StateError>
}

/** What a connector finds wrong with its settings and its source, in sentences. */
export const checked = (
  connection: Connection,
  surroundings: ConnectorContext
): Effect.Effect<ReadonlyArray<string>, SourceError, Requirements> =>
  Effect.suspend(() => connection.connector.check?.(connection.settings, surroundings) ?? Effect.succeed([])).pipe(
    Effect.provide(reachOf(surroundings)),
    Effect.map((problems) => problems.map(Secrets.hiding(connection.settings, surroundings.environment))),
    Effect.catchCause((cause) => Effect.fail(failure(connection, surroundings, cause)))
  )

/** The part of a connection that reading needs. */
type Read = Pick<Connection, "connector" | "id" | "settings">

/** A connector's pages, each read completely here, because reading a page's contents may throw as well. */
export const pages = (
  connection: Read,
  surroundings: ConnectorContext,
  brought: () => Stream.Stream<Brought, SourceError, Requirements>
) => {
  const fails = (cause: Cause.Cause<unknown>) => failure(connection, surroundings, cause)
  return Stream.suspend(brought).pipe(
    Stream.catchCause((cause) => Stream.fail(fails(cause))),
    Stream.provide(reachOf(surroundings)),
    Stream.mapEffect((page) =>
      Effect.suspend(() => {
        const problem = Pages.problem(page as Page<unknown>)
        if (problem !== undefined)
          return Effect.fail(new SourceError({ connector: connection.connector.name, reason: new Unreadable(problem) }))
        const looked = Quarantine.sorted({ ...page, bookmark: page.bookmark })
        return Effect.succeed(readyPage(connection.id, looked))
      }).pipe(Effect.catchCause((cause) => Effect.fail(fails(cause))))
    )
  )
}

/** A page that can be stored, and the text of its bookmark; without one, the one that is stored stays. */
export interface Stored {
  readonly page: ReadyPage
  readonly bookmark: string | undefined
}

/** The pages of a connector as they can be stored. */
export const stored = (
  connection: Read,
  options: Options,
  brought: () => Stream.Stream<Brought, SourceError, Requirements>
): Stream.Stream<Stored, SourceError, Requirements> => {
  const { bookmark } = options
  const fails = (cause: Cause.Cause<unknown>) =>
    new SourceError({
      connector: connection.connector.name,
      connection: connection.id,
      reason: new Unreadable({ where: "its own bookmark", why: thrownBy(cause) })
    })
  return pages(connection, options, brought).pipe(
    Stream.mapEffect(
      (page): Effect.Effect<Stored, SourceError> =>
        bookmark === undefined
          ? Effect.succeed({ page, bookmark })
          : Effect.suspend(() => bookmark(page)).pipe(
              Effect.map((text) => ({ page, bookmark: text })),
              Effect.catchCause((cause) => Effect.fail(fails(cause)))
            )
    )
  )
}

export const make = (connection: Connection, options: Options): Effect.Effect<Ingest, never, Database> =>
  Effect.map(Database, (db) => {
    const intake = new Intake(
      db,
      connection.id,
      roleOf(connection),
      connection.connector.capabilities.linksByNumber === true
    )
    let committed = intake.counts
    const store: Ingest["store"] = Stream.runForEach((some) =>
      Effect.gen(function* () {
        // The invoices that they credit have to be stored.
        if (!some.some(({ page }) => SharedCredits.hasSome(page))) yield* intake.keepAll(some)
        else
          for (const { bookmark, page } of some)
            yield* intake.keepAll([{ page: SharedCredits.split(db, connection.id, page), bookmark }])
        committed = intake.counts
        if (options.onProgress !== undefined) yield* options.onProgress(intake.counts)
      })
    )
    return {
      taken: () => intake.counts,
      inDoubt: () => (intake.isInDoubt ? committed : undefined),
      end: intake.end,
      store,
      run: (brought) => store(Stream.map(stored(connection, options, brought), (one) => [one]))
    }
  })
