/**
 * The thread's side of `FileExamination.ts`: reads files and answers one question about them after the other.
 */
import { Effect, Result } from "effect"
import { parentPort } from "node:worker_threads"
import type { Connector } from "../../connectors/Connector.ts"
import type { Connection } from "../model/Connection.ts"
import * as Preview from "../pull/Preview.ts"
import { messageOf, UsageError } from "./Exit.ts"
import type { FileAnswer, PreviewWork, FileQuestion } from "./FileExamination.ts"
import { PREVIEW_ROWS } from "./FileExamination.ts"
import * as FirstConfiguration from "./FirstConfiguration.ts"
import { outside } from "./ServiceClient.ts"

/** A page shows this much of what would be quarantined. */
const SHOWN_RECORDS = 50
const SHOWN_CHARACTERS = 600

const preview = (connector: Connector, { folder, id, settings }: PreviewWork) =>
  Effect.map(
    Preview.preview({ folder, environment: {} }, { id, connector, settings } as unknown as Connection, ":memory:", {
      show: PREVIEW_ROWS
    }),
    (found) => ({
      ...found,
      quarantined: found.quarantined.map((one, n) => ({
        ...one,
        raw: n < SHOWN_RECORDS ? one.raw.slice(0, SHOWN_CHARACTERS) : ""
      }))
    })
  )

/** Answers what this thread is asked about files, which this connector reads. */
export const examineInThread = (files: Connector): void => {
  let found: FirstConfiguration.FoundFiles = { tables: [], banks: [] }
  const answered = (work: FileQuestion) =>
    Effect.gen(function* () {
      switch (work.type) {
        case "look":
          found = yield* FirstConfiguration.look(work.paths, work.folder)
          return FirstConfiguration.headingsOf(found)
        case "initial":
          return yield* FirstConfiguration.initial(found, work.options)
        case "preview":
          return yield* preview(files, work.of)
      }
    })
  parentPort?.on("message", async (work: FileQuestion) => {
    const result = await Effect.runPromise(answered(work).pipe(Effect.provide(outside), Effect.result))
    const answer: FileAnswer = Result.isSuccess(result)
      ? { value: result.success }
      : { why: result.failure instanceof UsageError ? result.failure.why : messageOf(result.failure) }
    parentPort?.postMessage(answer)
  })
}
