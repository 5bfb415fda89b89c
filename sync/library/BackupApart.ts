/** Copies the state file in a thread (`KillableThread.ts`), where there is one: a large one takes seconds. */
import { Clock, Effect } from "effect"
import { ReaderThread } from "../pull/ReaderThread.ts"
import { backup, type Backup } from "../state/Backup.ts"
import { Database, StateError } from "../state/Database.ts"

/** What the thread answers. */
export type CopyAnswer = { readonly done: Backup } | { readonly failed: Pick<StateError, "file" | "kind" | "why"> }

export const backupApart = (to: string): Effect.Effect<Backup, StateError, Database> =>
  Effect.gen(function* () {
    const { file: from } = yield* Database
    const reader = yield* ReaderThread
    if (reader === undefined || from === ":memory:") return yield* backup(to)
    const now = yield* Clock.currentTimeMillis
    // Loaded only here, because it loads Node's threads as well.
    const KillableThread = yield* Effect.promise(() => import("./KillableThread.ts"))
    const asked = Effect.flatMap(KillableThread.thread(reader.module, KillableThread.COPIES), (ask) =>
      ask({ type: "copy", of: { from, to, now } })
    )
    const answer = (yield* Effect.scoped(asked)) as CopyAnswer
    return "failed" in answer ? yield* new StateError(answer.failed) : answer.done
  }).pipe(Effect.catchTag("UsageError", ({ why }) => Effect.fail(new StateError({ kind: "failed", file: to, why }))))
