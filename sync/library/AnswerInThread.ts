/**
 * The thread's side of `KillableThread.ts`: answers one question after the other, from when it is loaded. A thread of the library
 * begins with it.
 */
import { Effect, Result, Schema } from "effect"
import { parentPort } from "node:worker_threads"
import * as Bounds from "../../connectors/Bounds.ts"
import { failing } from "../../connectors/Connector.ts"
import { RequestQuota } from "../../connectors/Http.ts"
import * as Preview from "../pull/Preview.ts"
import { type BackupWork, copyFile } from "../state/Backup.ts"
import type { CopyAnswer } from "./BackupApart.ts"
import * as ConnectorRegistry from "./ConnectorRegistry.ts"
import type { PreviewWork, ThreadQuestion, ThreadAnswer } from "./KillableThread.ts"
import { messageOf, UsageError } from "./Exit.ts"
import * as FirstConfiguration from "./FirstConfiguration.ts"
import { outside } from "./ServiceClient.ts"

/** A page shows this much: of the records that would be quarantined, of a list, and of a text. */
const SHOWN_RECORDS = 50
const SHOWN_MEMBERS = 100
const SHOWN_CHARACTERS = 600
const MOST_NOTICES = 1000

/** Requests for the first records; a source may want one for each of them. */
const MOST_REQUESTS = 3000

/** What a page shows of a document: one record may become any number of them, each of any size. */
const cut = (value: unknown): unknown => {
  if (typeof value === "string") return value.slice(0, SHOWN_CHARACTERS)
  if (Array.isArray(value)) return value.slice(0, SHOWN_MEMBERS).map(cut)
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, its]) => [name, cut(its)]))
}

const shown = ({ notices, quarantined, rows, ...found }: Preview.Preview) => ({
  ...found,
  rows: cut(rows),
  notices: notices.slice(0, MOST_NOTICES).map(cut),
  quarantined: quarantined.map((one, n) =>
    n < SHOWN_RECORDS ? cut(one) : { kind: one.kind, origin: "", raw: "", why: "" }
  )
})

const requestsOf = (connector: string) => {
  let made = 0
  const spend = Effect.suspend(() =>
    ++made > MOST_REQUESTS
      ? Effect.fail(failing(connector).unavailable(`its first records need more than ${MOST_REQUESTS} requests`))
      : Effect.succeed(undefined)
  )
  return { spend }
}

const preview = ({ bounds, connector: name, context, id, settings, show }: PreviewWork) =>
  Effect.gen(function* () {
    const loaded = yield* Effect.promise(() =>
      ConnectorRegistry.load({ connections: [{ source: { connector: name } }] }, context.folder, bounds)
    )
    const connector = loaded.get(name) ?? ConnectorRegistry.unknown(name)
    if (typeof connector === "string") return yield* new UsageError({ why: connector })
    const decoded = yield* Schema.decodeUnknownEffect(connector.settings)(settings)
    return shown(
      yield* Preview.within({ id, connector, settings: decoded }, context, { show, characters: SHOWN_CHARACTERS }).pipe(
        Effect.provideService(RequestQuota, requestsOf(name)),
        Effect.provideService(Bounds.Shared, { largest: Bounds.LARGEST_ENTERED_BYTES, exceeded: false })
      )
    )
  })

const copied = (work: BackupWork): Effect.Effect<CopyAnswer> =>
  Effect.match(copyFile(work), {
    onSuccess: (done) => ({ done }),
    onFailure: ({ file, kind, why }) => ({ failed: { file, kind, why } })
  })

/** What was looked at last. */
let found = FirstConfiguration.NO_FILES

const answered = (work: ThreadQuestion) =>
  Effect.gen(function* () {
    switch (work.type) {
      case "copy":
        return yield* copied(work.of)
      case "look":
        found = yield* FirstConfiguration.look(work.paths, work.folder)
        return FirstConfiguration.headingsOf(found)
      case "initial":
        return yield* FirstConfiguration.initial(found, work.options)
      case "preview":
        return yield* preview(work.of)
    }
  })

parentPort?.on("message", async (work: ThreadQuestion) => {
  const result = await Effect.runPromise(answered(work).pipe(Effect.provide(outside), Effect.result))
  const answer: ThreadAnswer = Result.isSuccess(result)
    ? { value: result.success }
    : { why: result.failure instanceof UsageError ? result.failure.why : messageOf(result.failure) }
  parentPort?.postMessage(answer)
})
