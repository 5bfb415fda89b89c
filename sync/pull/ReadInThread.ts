/**
 * The thread's side of `ReadingThread.ts`: reads one source to its end, and says each page once there is room for it.
 */
import { Deferred, Effect, type Layer, Schema, Stream } from "effect"
import { type MessagePort, parentPort, workerData } from "node:worker_threads"
import * as Bounds from "../../connectors/Bounds.ts"
import { type Connector, type ConnectorContext, type Requirements, SourceError } from "../../connectors/Connector.ts"
import { packPage } from "../books/PackedPage.ts"
import * as BookmarkText from "./BookmarkText.ts"
import * as Ingest from "./Ingest.ts"
import type { SourceToRead, FromThread } from "./ReadingThread.ts"

/** Pages that may wait while others are being stored, so that neither thread waits for the other's pages. */
const ROOM = 3

/** Lets so many through as there is room. */
const room = (port: MessagePort) => {
  let [free, waits]: [number, Deferred.Deferred<void> | undefined] = [ROOM, undefined]
  port.on("message", () => {
    free++
    if (waits !== undefined) Deferred.doneUnsafe(waits, Effect.void)
  })
  return Effect.gen(function* () {
    while (free === 0) {
      waits = Deferred.makeUnsafe<void>()
      yield* Deferred.await(waits)
    }
    free--
  })
}

const reading = (
  connector: Connector,
  { after, chunks, connection, entered, environment, folder, folders, settings }: SourceToRead,
  port: MessagePort
) =>
  Effect.gen(function* () {
    const say = (said: FromThread) => port.postMessage(said)
    const text = BookmarkText.of(connector)
    const from = yield* text.read(after)
    const free = room(port)
    const context: ConnectorContext = {
      folder,
      ...(folders === undefined ? {} : { folders }),
      ...(chunks === undefined ? {} : { chunks }),
      ...(environment === undefined ? {} : { environment }),
      ...(entered === undefined ? {} : { entered })
    }
    const options = { ...context, bookmark: (page: { readonly bookmark?: unknown }) => text.write(page.bookmark) }
    const pages = Ingest.stored({ id: connection, connector, settings }, options, () =>
      connector.pull(settings, from, context)
    ).pipe(
      Stream.provideService(
        Bounds.Shared,
        entered === undefined ? undefined : { largest: Bounds.LARGEST_ENTERED_BYTES, exceeded: false }
      )
    )
    yield* Stream.runForEach(pages, ({ bookmark, page }) => {
      const packed = packPage(page)
      return Effect.map(free, () => say({ type: "page", page: packed, bookmark }))
    }).pipe(
      Effect.matchEffect({
        onSuccess: () => Effect.sync(() => say({ type: "end" })),
        onFailure: (error) =>
          Effect.map(Schema.encodeEffect(SourceError)(error), (encoded) => say({ type: "failed", error: encoded }))
      })
    )
    port.close()
  })

/**
 * Reads what this thread was started for.
 *
 * @param load loads a connector by its name, or says why it cannot
 */
export const readInThread = async (
  load: (name: string, folder: string) => Promise<Connector | string>,
  outside: Layer.Layer<Requirements>
): Promise<void> => {
  const job = workerData as SourceToRead
  const connector = await load(job.connector, job.folder)
  if (typeof connector === "string" || parentPort === null) throw new Error(`no thread reads it: ${String(connector)}`)
  await Effect.runPromise(reading(connector, job, parentPort).pipe(Effect.provide(outside)))
}
