/** Copies the state file; in a thread (`KillableThread.ts`), where there is one, if it is large: that takes seconds. */
import { Clock, Effect } from "effect"
import { ReaderThread } from "../pull/ReaderThread.ts"
import { backup, type Backup } from "../state/Backup.ts"
import { Database, StateError } from "../state/Database.ts"

/** What the thread answers. */
export type CopyAnswer = { readonly done: Backup } | { readonly failed: Pick<StateError, "file" | "kind" | "why"> }

/** So many pages of 4096 bytes are copied in some thirty milliseconds, and a thread begins in three hundred. */
const FEW_PAGES = 500

export const backupApart = (to: string): Effect.Effect<Backup, StateError, Database> =>
  Effect.gen(function* () {
    const { file: from, raw } = yield* Database
    if (from === ":memory:" || Number(raw.pragma("page_count", { simple: true })) < FEW_PAGES) return yield* backup(to)
    // Loaded only here, because it loads Node's threads as well.
    const KillableThread = yield* Effect.promise(() => import("./KillableThread.ts"))
    const module = (yield* ReaderThread)?.module ?? KillableThread.ofLibrary
    if (module === undefined) return yield* backup(to)
    const now = yield* Clock.currentTimeMillis
    const asked = Effect.flatMap(KillableThread.thread(module, KillableThread.COPIES), (ask) =>
      ask({ type: "copy", of: { from, to, now } })
    )
    const answer = (yield* Effect.scoped(asked)) as CopyAnswer
    return "failed" in answer ? yield* new StateError(answer.failed) : answer.done
  }).pipe(Effect.catchTag("UsageError", ({ why }) => Effect.fail(new StateError({ kind: "failed", file: to, why }))))
