/**
 * Examines files that are not connected yet in a thread of its own, for a daemon that has others to answer meanwhile: one
 * examination at a time, with limits of time and memory, and its results kept, so that the pages that show them do not read
 * the files again. Without a thread to begin with (`ReaderThread.ts`) files are examined here. `ExamineInThread.ts` is the
 * other end.
 */
import { Clock, Effect, Exit, Scope, Semaphore } from "effect"
import { stat } from "node:fs/promises"
import { setTimeout } from "node:timers/promises"
import { Worker } from "node:worker_threads"
import type { Requirements, SourceError } from "../../connectors/Connector.ts"
import type { Connection } from "../model/Connection.ts"
import * as Preview from "../pull/Preview.ts"
import { ReaderThread } from "../pull/ReaderThread.ts"
import { UsageError } from "./Exit.ts"
import * as FirstConfiguration from "./FirstConfiguration.ts"

/** The first documents of one connection. */
export interface PreviewWork {
  readonly id: string
  /** Decoded. */
  readonly settings: unknown
  readonly folder: string
}

/** How many records a preview shows. */
export const PREVIEW_ROWS = 5

/** What the thread is asked, one question after the other. */
export type FileQuestion =
  | { readonly type: "look"; readonly paths: ReadonlyArray<string>; readonly folder: string }
  | { readonly type: "initial"; readonly options: FirstConfiguration.InitOptions }
  | { readonly type: "preview"; readonly of: PreviewWork }

/** What the thread answers; or why it cannot. */
export type FileAnswer = { readonly value: unknown } | { readonly why: string }

const DEADLINE_SECONDS = 60
const MEMORY_MB = 384
const ENDING_MS = 2000

const TOO_LONG = `The files took longer than ${DEADLINE_SECONDS} seconds to read. Upload smaller ones: split them, or leave older documents out.`
const TOO_LARGE =
  "The files take more memory to read than one upload may have. Upload smaller ones: split them, or leave older documents out."

/** One examination at a time, whoever asks. */
const turn = Semaphore.makeUnsafe(1)

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

/** A thread that answers one question at a time. */
const thread = (
  module: URL
): Effect.Effect<(work: FileQuestion) => Effect.Effect<unknown, UsageError>, never, Scope.Scope> =>
  Effect.gen(function* () {
    // Whoever goes away while it waits gives up its place.
    yield* Effect.acquireRelease(turn.take(1), () => turn.release(1), { interruptible: true })
    const worker = yield* Effect.acquireRelease(
      Effect.sync(
        () =>
          new Worker(module, {
            workerData: { examines: true },
            // Options of the process are about its own program.
            execArgv: [],
            resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB, maxYoungGenerationSizeMb: 16 }
          })
      ),
      // A thread that collects garbage may not end at once, and nobody waits for it.
      (worker) => Effect.promise(() => Promise.race([worker.terminate(), setTimeout(ENDING_MS, 0, { ref: false })]))
    )
    const until = (yield* Clock.currentTimeMillis) + DEADLINE_SECONDS * 1000
    let died: UsageError | undefined
    let answer: (said: FileAnswer | UsageError) => void = () => {}
    const dies = (cause: UsageError) => {
      died ??= cause
      answer(died)
    }
    worker.on("message", (said: FileAnswer) => answer(said))
    worker.on("error", (cause: NodeJS.ErrnoException) =>
      dies(
        new UsageError({
          why: cause.code === "ERR_WORKER_OUT_OF_MEMORY" ? TOO_LARGE : `The files could not be read (${cause.message}).`
        })
      )
    )
    worker.on("exit", () => dies(new UsageError({ why: "The files could not be read; try again." })))
    return (work) =>
      Effect.flatMap(Clock.currentTimeMillis, (now) =>
        Effect.callback<unknown, UsageError>((resume) => {
          answer = (said) =>
            resume(
              "value" in said
                ? Effect.succeed(said.value)
                : Effect.fail(said instanceof UsageError ? said : new UsageError({ why: said.why }))
            )
          if (died !== undefined) answer(died)
          else worker.postMessage(work)
        }).pipe(
          Effect.timeoutOrElse({
            duration: Math.max(0, until - now),
            orElse: () => Effect.fail(new UsageError({ why: TOO_LONG }))
          })
        )
      )
  })

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
      const ask = yield* thread(reader.module)
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

/** The first documents of connections that read files. */
export const previews = (
  connections: ReadonlyArray<Connection>,
  folder: string,
  paths: ReadonlyArray<string>
): Effect.Effect<ReadonlyArray<Preview.Preview>, UsageError | SourceError, Requirements> =>
  Effect.gen(function* () {
    const reader = yield* ReaderThread
    if (reader === undefined)
      return yield* Effect.forEach(connections, (one) =>
        Preview.preview({ folder, environment: {} }, one, ":memory:", { show: PREVIEW_ROWS })
      )
    const all = connections.map(({ id, settings }): PreviewWork => ({ id, settings, folder }))
    const read = Effect.flatMap(thread(reader.module), (ask) =>
      Effect.forEach(all, (of) => ask({ type: "preview", of }))
    )
    const found = yield* remembered(JSON.stringify(["previews", all, yield* asThey(paths)]), Effect.scoped(read))
    return found as ReadonlyArray<Preview.Preview>
  })
