/**
 * A thread for long work, for a program that has others to answer meanwhile, a daemon's or one with the library: it examines
 * files (`FileExamination.ts`, `InitialApart.ts`), reads the first records of a source (`PreviewApart.ts`) and copies the state
 * file (`BackupApart.ts`). What a stranger chose has a minute and little memory. It ends with the scope that asked for it.
 * `AnswerInThread.ts` is the other end.
 */
import { Clock, Effect, type Scope, Semaphore } from "effect"
import { existsSync } from "node:fs"
import { setTimeout } from "node:timers/promises"
import { Worker } from "node:worker_threads"
import type { ConnectorContext } from "../../connectors/Connector.ts"
import type { Bounds } from "../model/Bounds.ts"
import type { BackupWork } from "../state/Backup.ts"
import { UsageError } from "./Exit.ts"
import type * as FirstConfiguration from "./FirstConfiguration.ts"

/**
 * The file that a thread of the library starts with. Undefined if there is none: when Daybook runs from its source, in the command
 * (which starts its threads with another file), and in a program that bundled Daybook into its own file.
 */
export const ofLibrary: URL | undefined = [new URL("./AnswerInThread.js", import.meta.url)].find((url) =>
  existsSync(url)
)

/** The first documents of one connection. */
export interface PreviewWork {
  readonly connector: string
  readonly id: string
  /** Encoded. */
  readonly settings: unknown
  readonly context: Omit<ConnectorContext, "vault">
  readonly bounds: Bounds | undefined
  /** How many documents to show. */
  readonly show: number
}

/** What the thread is asked, one question after the other. */
export type ThreadQuestion =
  | { readonly type: "copy"; readonly of: BackupWork }
  | { readonly type: "look"; readonly paths: ReadonlyArray<string>; readonly folder: string }
  | { readonly type: "initial"; readonly options: FirstConfiguration.InitOptions }
  | { readonly type: "preview"; readonly of: PreviewWork }

/** What the thread answers; or why it cannot. */
export type ThreadAnswer = { readonly value: unknown } | { readonly why: string }

const DEADLINE_SECONDS = 60
const ENDING_MS = 2000

/** What is read, and how much of it at once. */
export interface ThreadKind {
  /** How many threads there may be. */
  readonly turns: Semaphore.Semaphore
  readonly memoryMb: number
  /** Whether it has as long as it takes. */
  readonly isPatient?: true
  /** How many threads there may be in all, where one that takes long lends its turn to others. */
  readonly inAll?: Semaphore.Semaphore
  readonly tooLong: string
  readonly tooLarge: string
  readonly died: string
}

const SMALLER = "Upload smaller ones: split them, or leave older documents out."

/** Files: one examination at a time, whoever asks. */
export const FILES: ThreadKind = {
  turns: Semaphore.makeUnsafe(1),
  memoryMb: 384,
  tooLong: `The files took longer than ${DEADLINE_SECONDS} seconds to read. ${SMALLER}`,
  tooLarge: `The files take more memory to read than one upload may have. ${SMALLER}`,
  died: "The files could not be read"
}

/** Files of the program that the library is part of, as large as they are. */
export const OWN_FILES: ThreadKind = {
  turns: Semaphore.makeUnsafe(2),
  memoryMb: 2048,
  isPatient: true,
  tooLong: "",
  tooLarge: "The files take more memory to read than there is. Split them, or leave older documents out.",
  died: "The files could not be read"
}

/** Sources that answer slowly lend their turn. */
export const FIRST_RECORDS: ThreadKind = {
  turns: Semaphore.makeUnsafe(3),
  inAll: Semaphore.makeUnsafe(12),
  memoryMb: 128,
  tooLong: `Its first records took longer than ${DEADLINE_SECONDS} seconds to read. Try again, or ask whoever runs the source why it is slow.`,
  tooLarge:
    "Its first records take more memory to read than a look at them may have. Ask whoever runs the source why one of its answers is that large.",
  died: "Its first records could not be read"
}

/** Copies of state files, which are not in the thread's own memory. */
export const COPIES: ThreadKind = {
  turns: Semaphore.makeUnsafe(2),
  memoryMb: 64,
  isPatient: true,
  tooLong: "",
  tooLarge: "The state file could not be copied: there is not enough memory.",
  died: "The state file could not be copied"
}

/** How long a thread keeps its turn, where it lends it. */
const LENDS_MS = 3000

/** Waits for a turn. Whoever goes away while it waits gives up its place. */
const inTurn = ({ inAll, turns }: ThreadKind): Effect.Effect<void, never, Scope.Scope> =>
  Effect.gen(function* () {
    const one = (of: Semaphore.Semaphore, release: Effect.Effect<unknown>) =>
      Effect.acquireRelease(of.take(1), () => release, { interruptible: true })
    if (inAll !== undefined) yield* one(inAll, inAll.release(1))
    let isHeld = true
    const giveBack = Effect.suspend(() => {
      if (!isHeld) return Effect.void
      isHeld = false
      return turns.release(1)
    })
    yield* one(turns, giveBack)
    if (inAll !== undefined) yield* Effect.forkScoped(Effect.delay(giveBack, LENDS_MS))
  })

/** A thread that answers one question at a time. */
export const thread = (
  module: URL,
  kind: ThreadKind
): Effect.Effect<(work: ThreadQuestion) => Effect.Effect<unknown, UsageError>, never, Scope.Scope> =>
  Effect.gen(function* () {
    yield* inTurn(kind)
    const worker = yield* Effect.acquireRelease(
      Effect.sync(
        () =>
          new Worker(module, {
            workerData: { examines: true },
            // Options of the process are about its own program.
            execArgv: [],
            resourceLimits: { maxOldGenerationSizeMb: kind.memoryMb, maxYoungGenerationSizeMb: 16 }
          })
      ),
      // A thread that collects garbage may not end at once, and nobody waits for it.
      (worker) => Effect.promise(() => Promise.race([worker.terminate(), setTimeout(ENDING_MS, 0, { ref: false })]))
    )
    const until =
      kind.isPatient === true ? Number.POSITIVE_INFINITY : (yield* Clock.currentTimeMillis) + DEADLINE_SECONDS * 1000
    let died: UsageError | undefined
    let answer: (said: ThreadAnswer | UsageError) => void = () => {}
    const dies = (cause: UsageError) => {
      died ??= cause
      answer(died)
    }
    worker.on("message", (said: ThreadAnswer) => answer(said))
    worker.on("error", (cause: NodeJS.ErrnoException) =>
      dies(
        new UsageError({
          why: cause.code === "ERR_WORKER_OUT_OF_MEMORY" ? kind.tooLarge : `${kind.died} (${cause.message}).`
        })
      )
    )
    worker.on("exit", () => dies(new UsageError({ why: `${kind.died}; try again.` })))
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
            orElse: () => Effect.fail(new UsageError({ why: kind.tooLong }))
          })
        )
      )
  })
