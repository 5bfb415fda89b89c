/** Counts the calls of a run as they end, says each to who listens, and packs them. */
import { Effect } from "effect"
import * as CallPages from "../state/calls/CallPages.ts"
import type { StateError, Db } from "../state/Database.ts"
import type { ArrivedAnswer } from "./Job.ts"
import type { SendingOptions } from "./Report.ts"
import { receiptOf } from "./SendResult.ts"

export class SentCalls {
  readonly #db: Db
  readonly #run: number
  readonly #onReceipt: SendingOptions["onReceipt"]
  #n = 0
  #unpacked = 0
  done = 0
  failed = 0
  unknown = 0

  constructor(db: Db, run: number, { onReceipt }: SendingOptions) {
    this.#db = db
    this.#run = run
    this.#onReceipt = onReceipt
  }

  ended({ call, ended }: Omit<ArrivedAnswer, "write">): Effect.Effect<void> {
    const n = ++this.#n
    this.#unpacked++
    if (ended.outcome === "done") this.done++
    else if (ended.outcome === "unknown") this.unknown++
    else this.failed++
    if (this.#onReceipt === undefined || ended.outcome === "unknown") return Effect.void
    return this.#onReceipt(receiptOf(n, call, ended))
  }

  /** Packs those of this run, once there are enough of them. */
  get pack(): Effect.Effect<void, StateError> {
    if (this.#unpacked < CallPages.CALLS_OF_PAGE) return Effect.void
    this.#unpacked = 0
    return this.#db.transaction(() => CallPages.pack(this.#db, this.#run))
  }

  /** Packs those that earlier runs have left as well, when nothing is sent any more. In a transaction. */
  packAll(): void {
    if (this.#n > 0) CallPages.pack(this.#db)
  }
}
