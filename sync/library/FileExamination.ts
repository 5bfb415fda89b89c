/**
 * Examines files that are not connected yet in a thread of its own (`KillableThread.ts`): one examination at a time, and its
 * results kept, so that the pages that show them do not read the files again. Without a thread to begin with
 * (`ReaderThread.ts`) files are examined here.
 */
import { Clock, Effect, Exit, Scope } from "effect"
import { stat } from "node:fs/promises"
import type { Requirements, SourceError } from "../../connectors/Connector.ts"
import type { Connection } from "../model/Connection.ts"
import * as ConnectorContext from "../pull/ConnectorContext.ts"
import * as Preview from "../pull/Preview.ts"
import { ReaderThread } from "../pull/ReaderThread.ts"
import * as KillableThread from "./KillableThread.ts"
import type { UsageError } from "./Exit.ts"
import * as FirstConfiguration from "./FirstConfiguration.ts"
import { workOf } from "./PreviewApart.ts"

type Place = ConnectorContext.Place

/** How many records a preview shows. */
export const PREVIEW_ROWS = 5

/** What was found, by what was asked. */
const kept = new Map<string, { readonly exit: Exit.Exit<unknown, UsageError>; readonly at: number }>()
const MOST_KEPT = 100
/** Why files could not be examined may have been the machine's fault. */
const FAILED_MS = 600_000

const remembered = <A>(key: string, work: Effect.Effect<A, UsageError>): Effect.Effect<A, UsageError> =>
  Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    const found = kept.get(key)
    if (found !== undefined && (Exit.isSuccess(found.exit) || Math.abs(now - found.at) < FAILED_MS)) {
      kept.delete(key)
      kept.set(key, found)
      return yield* found.exit as Exit.Exit<A, UsageError>
    }
    return yield* Effect.onExit(work, (exit) =>
      Effect.sync(() => {
        // An examination that was given up says nothing about the files.
        if (Exit.isFailure(exit) && Exit.hasInterrupts(exit)) return
        kept.delete(key)
        kept.set(key, { exit, at: now })
        const [oldest] = kept.keys()
        if (oldest !== undefined && kept.size > MOST_KEPT) kept.delete(oldest)
      })
    )
  })

/** Files with what shows that they are still the same. */
const asThey = (paths: ReadonlyArray<string>): Effect.Effect<ReadonlyArray<unknown>> =>
  Effect.promise(() =>
    Promise.all(
      paths.map((path) =>
        stat(path).then(
          ({ ctimeMs, ino, mtimeMs, size }) => [path, size, mtimeMs, ctimeMs, ino],
          () => [path]
        )
      )
    )
  )

export interface Examination {
  readonly headings: ReadonlyArray<FirstConfiguration.FileHeadings>
  /** The configuration for these files, given the answers so far. */
  readonly initial: (options: FirstConfiguration.InitOptions) => Effect.Effect<FirstConfiguration.Initial, UsageError>
}

/** Examines files. The thread, if one was needed, ends with the scope. */
export const examine = (
  paths: ReadonlyArray<string>,
  folder: string
): Effect.Effect<Examination, UsageError, Scope.Scope> =>
  Effect.gen(function* () {
    const reader = yield* ReaderThread
    if (reader === undefined) {
      const found = yield* FirstConfiguration.look(paths, folder)
      return {
        headings: FirstConfiguration.headingsOf(found),
        initial: (options) => FirstConfiguration.initial(found, options)
      }
    }
    const scope = yield* Effect.scope
    const files = yield* asThey(paths)
    const looked = yield* Effect.gen(function* () {
      const ask = yield* KillableThread.thread(reader.module, KillableThread.FILES)
      return { ask, headings: yield* ask({ type: "look", paths, folder }) }
    }).pipe(Scope.provide(scope), Effect.cached)
    const headings = yield* remembered(
      JSON.stringify(["look", folder, files]),
      Effect.map(looked, ({ headings }) => headings as Examination["headings"])
    )
    return {
      headings,
      initial: (options) =>
        remembered(
          JSON.stringify(["initial", folder, files, options]),
          Effect.flatMap(looked, ({ ask }) => ask({ type: "initial", options }))
        ) as Effect.Effect<FirstConfiguration.Initial, UsageError>
    }
  })

/** The first documents of connections that read files: settings of files name no secrets. */
export const previews = (
  connections: ReadonlyArray<Connection>,
  { bounds, folder }: Pick<Place, "bounds" | "folder">,
  paths: ReadonlyArray<string>
): Effect.Effect<ReadonlyArray<Preview.Preview>, UsageError | SourceError, Requirements> =>
  Effect.gen(function* () {
    const reader = yield* ReaderThread
    const place: Place = { folder, environment: {}, ...(bounds === undefined ? {} : { bounds }) }
    if (reader === undefined)
      return yield* Effect.forEach(connections, (one) =>
        Preview.preview(place, one, ":memory:", { show: PREVIEW_ROWS })
      )
    const works = yield* Effect.forEach(connections, (one) =>
      Effect.map(ConnectorContext.of(place, one, ":memory:"), (context) => workOf(place, one, context, PREVIEW_ROWS))
    )
    const all = works.filter((of) => of !== undefined)
    const read = Effect.flatMap(KillableThread.thread(reader.module, KillableThread.FILES), (ask) =>
      Effect.forEach(all, (of) => ask({ type: "preview", of }))
    )
    const found = yield* remembered(JSON.stringify(["previews", all, yield* asThey(paths)]), Effect.scoped(read))
    return found as ReadonlyArray<Preview.Preview>
  })
