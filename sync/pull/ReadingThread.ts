/**
 * Reads a source in a thread of its own, beside the one that writes the state file: large files, whose rows take as long to
 * decode and to check as to store. Pages come over as `PackedPage` has them, checked, and no more of them wait than is
 * worth it. `ReadInThread.ts` is the other end.
 */
import { Cause, Effect, Schema, Stream } from "effect"
import { once } from "node:events"
import { setImmediate } from "node:timers/promises"
import { setFlagsFromString } from "node:v8"
import { Worker } from "node:worker_threads"
import { type ConnectorContext, SourceError } from "../../connectors/Connector.ts"
import { failure } from "../../connectors/Failure.ts"
import { type PackedPage, unpackPage } from "../books/PackedPage.ts"
import type { ReadyPage } from "../books/Ready.ts"
import type { Connection } from "../model/Connection.ts"
import type { Stored } from "./Ingest.ts"

/** What the thread is to read. */
export interface SourceToRead {
  /** The connector's name. */
  readonly connector: string
  readonly connection: string
  /** Decoded. */
  readonly settings: unknown
  /** The bookmark, as it is stored. */
  readonly after: string | undefined
  readonly folder: string
  readonly folders: ConnectorContext["folders"]
  readonly chunks: ConnectorContext["chunks"]
  readonly environment: ConnectorContext["environment"]
  readonly entered: ConnectorContext["entered"]
}

export type FromThread =
  | { readonly type: "page"; readonly page: PackedPage; readonly bookmark: string | undefined }
  | { readonly type: "end" }
  | { readonly type: "failed"; readonly error: typeof SourceError.Encoded }

/** A page that is unpacked when it is stored, so that few are in memory at once. */
class Heard implements Stored {
  readonly #packed: PackedPage
  readonly bookmark: string | undefined

  constructor({ bookmark, page }: Extract<FromThread, { readonly type: "page" }>) {
    this.#packed = page
    this.bookmark = bookmark
  }

  get page(): ReadyPage {
    return unpackPage(this.#packed)
  }
}

/**
 * What the thread says: all pages that wait. They are stored in one transaction, so that a disk that is slow to confirm one
 * does not hold up the thread as well. It is told when pages were taken, so that few wait.
 */
async function* heard(thread: Worker): AsyncGenerator<ReadonlyArray<Stored>> {
  const waiting: Array<FromThread> = []
  let wake = () => {}
  thread.on("message", (said: FromThread) => {
    waiting.push(said)
    wake()
  })
  // Fails where the thread could not be started, or died of something.
  const gone = once(thread, "exit").then(() => {
    throw new Error("the thread that reads it ended before it was through")
  })
  // Nobody may be waiting then.
  gone.catch(() => {})
  for (;;) {
    const said = waiting.shift()
    if (said === undefined) {
      await Promise.race([gone, new Promise<void>((resolve) => (wake = resolve))])
      // Also hears what came while the last pages were stored.
      await setImmediate()
    } else if (said.type === "end") return
    else if (said.type === "failed") throw Schema.decodeUnknownSync(SourceError)(said.error)
    else {
      const some = [new Heard(said)]
      while (waiting[0]?.type === "page") some.push(new Heard(waiting.shift() as typeof said))
      for (const _ of some) thread.postMessage("go on")
      yield some
    }
  }
}

/**
 * What a page brings lives until the page is through. With a young generation as small as that of a command, all of it is
 * copied twice, which takes the thread a quarter of its time. V8 would collect it with several threads, which wait for each
 * other where the processors are busy with this thread and the one that writes: both flags together save an eighth of all
 * processor time, for 5 MB.
 */
const YOUNG = ["--min-semi-space-size=8", "--no-parallel-scavenge"]

/** What somebody else's source may take. */
const MEMORY_MB = 192

const start = (module: URL, job: SourceToRead): Worker => {
  for (const flag of YOUNG) setFlagsFromString(flag)
  const limits = job.entered !== undefined ? { resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB } } : {}
  return new Worker(module, { workerData: job, ...limits })
}

/** How many sources may be read in threads at once: each thread takes some 60 MB. */
const MOST = 2
let started = 0

/** Whether one more source may be read in a thread; if not, it is read in the thread that writes. */
export const mayStart = (): boolean => started < MOST

/** Waits until one more may. */
export const turn: Effect.Effect<void> = Effect.suspend(() =>
  mayStart() ? Effect.void : Effect.andThen(Effect.sleep(WAITS_MS), turn)
)
const WAITS_MS = 500

/** Pages of a source, read in a thread that begins with `module`. It ends with the stream, however that ends. */
export const pages = (
  connection: Connection,
  { chunks, entered, environment, folder, folders }: ConnectorContext,
  { after, module }: { readonly after: string | undefined; readonly module: URL }
): Stream.Stream<ReadonlyArray<Stored>, SourceError> => {
  const job: SourceToRead = {
    connector: connection.connector.name,
    connection: connection.id,
    settings: connection.settings,
    after,
    folder,
    folders,
    chunks,
    // Of files nothing is secret.
    environment: entered === undefined ? undefined : environment,
    entered
  }
  const surroundings = environment === undefined ? { folder } : { environment, folder }
  const fails = (cause: unknown) => failure(connection, surroundings, Cause.fail(cause))
  const starting = Effect.try({ try: () => start(module, job), catch: fails })
  return Effect.acquireRelease(
    Effect.tap(starting, () => Effect.sync(() => started++)),
    (thread) =>
      Effect.ensuring(
        Effect.promise(() => thread.terminate()),
        Effect.sync(() => started--)
      )
  ).pipe(
    Effect.map((thread) => Stream.fromAsyncIterable(heard(thread), fails)),
    Stream.unwrap
  )
}
