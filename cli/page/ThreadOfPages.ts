/**
 * Makes pages, downloads and lists of large books in a thread of its own, so that the daemon answers others meanwhile: a statement
 * of SQL over many invoices cannot be left before it ends. A thread waits two minutes for the next request; one that nobody
 * waits for any more is ended. `AnswerPages.ts` is the other end.
 */
import { Effect, Semaphore } from "effect"
import { setTimeout as pause } from "node:timers/promises"
import { Worker } from "node:worker_threads"
import { ReaderThread } from "../../sync/pull/ReaderThread.ts"
import type * as CustomerStatement from "../../sync/reports/CustomerStatement.ts"
import type * as Dashboard from "../../sync/reports/Dashboard.ts"
import type { quarantined } from "../remote/OnePage.ts"
import type * as Customers from "../../sync/reports/Customers.ts"
import type { Db } from "../../sync/state/Database.ts"
import { StateError } from "../../sync/state/StateError.ts"
import type { PageLook } from "./Rendered.ts"
import type { ReadContext } from "./Response.ts"

/** What a function takes behind the state file. */
type Rest<F extends (...of: never) => unknown> = Parameters<F> extends [unknown, ...infer A] ? Readonly<A> : never

export type PagesQuestion =
  | { readonly type: "page"; readonly look: PageLook; readonly around: ReadContext }
  | { readonly type: "customers"; readonly of: Rest<typeof Customers.customers> }
  | { readonly type: "documents"; readonly of: Rest<typeof Dashboard.documentsOf> }
  | { readonly type: "quarantine"; readonly of: Rest<typeof quarantined> }
  | { readonly type: "debtor"; readonly connection: string; readonly party: string }
  | { readonly type: "statement"; readonly of: Parameters<typeof CustomerStatement.statementPdf> }
  | { readonly type: "debtors"; readonly connections: ReadonlyArray<string> }

export interface PagesWork {
  readonly file: string
  readonly only: ReadonlyArray<string> | undefined
  readonly question: PagesQuestion
}

export type PagesAnswer = { readonly value: unknown } | { readonly why: string }

/** Up to how many documents the books are read directly: that takes a few milliseconds. */
const FEW = 1000
/** Whoever works on the page asks again within minutes, and a thread that has begun answers in half the time. */
const RESTS_MS = 120_000
const ENDING_MS = 2000
const MEMORY_MB = 256

const isLong = (db: Db): boolean =>
  db.file !== ":memory:" && Number(db.prepare("SELECT max(id) FROM main.document").pluck().get() ?? 0) > FEW

/** A thread, and who has their turn. */
class OneThread {
  readonly turn = Semaphore.makeUnsafe(1)
  #worker: Worker | undefined
  #module: string | undefined
  #resting: NodeJS.Timeout | undefined
  #hear: (answer: PagesAnswer) => void = () => {}

  #started(module: URL): Worker {
    const worker = new Worker(module, {
      workerData: { pages: true },
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB }
    })
    const dies = (why: string) => {
      if (this.#worker !== worker) return
      this.#worker = undefined
      this.#hear({ why })
    }
    worker.on("message", (answer: PagesAnswer) => this.#hear(answer))
    worker.on("error", ({ message }) => dies(message))
    worker.on("exit", () => dies("the thread that reads it ended"))
    return worker
  }

  #end(): Promise<unknown> {
    const worker = this.#worker
    this.#worker = undefined
    return Promise.race([worker?.terminate(), pause(ENDING_MS, 0, { ref: false })])
  }

  readonly ask = (module: URL, work: PagesWork): Effect.Effect<PagesAnswer> =>
    Effect.callback((resume) => {
      clearTimeout(this.#resting)
      if (this.#module !== module.href) void this.#end()
      this.#module = module.href
      const worker = (this.#worker ??= this.#started(module))
      worker.ref()
      this.#hear = (answer) => {
        worker.unref()
        this.#resting = setTimeout(() => void this.#end(), RESTS_MS).unref()
        resume(Effect.succeed(answer))
      }
      worker.postMessage(work)
      return Effect.promise(() => this.#end())
    })
}

const PAGES = new OneThread()
/** A file may take long, and pages do not wait for it. */
const FILES = new OneThread()

/** Answers from the thread. Small books are read here, and so are all where no thread can be started. */
export const apart = <A, E>(
  db: Db,
  question: PagesQuestion,
  here: Effect.Effect<A, E>,
  place: "page" | "file" = "page"
): Effect.Effect<A, E | StateError> =>
  Effect.gen(function* () {
    const reader = yield* ReaderThread
    if (reader === undefined || !(yield* db.read(() => isLong(db)))) return yield* here
    const { turn, ask } = place === "page" ? PAGES : FILES
    const answer = yield* turn.withPermits(1)(ask(reader.module, { file: db.file, only: db.only, question }))
    if ("why" in answer) return yield* new StateError({ kind: "failed", file: db.file, why: answer.why })
    return answer.value as A
  })
