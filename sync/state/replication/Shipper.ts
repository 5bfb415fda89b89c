/**
 * Ships a state file's commits before they are reported as committed. There is one shipment at a time: what is committed
 * meanwhile goes into the next one.
 *
 * If a shipment fails for good, because another process has the tenant or the store does not answer, the local file is ahead
 * of the store. From then on the handle is dead and the file is discarded: the next opening of the tenant starts with the
 * stored state. Each shipment ends within a bounded time.
 */
import type Sqlite from "better-sqlite3"
import { Cause, Clock, Duration, Effect, Schedule } from "effect"
import type { Permission } from "../../../core/wire/MayLeave.ts"
import { closeSync, openSync } from "node:fs"
import { atOnce, breathe, inTurns } from "../Breathe.ts"
import { StateError } from "../StateError.ts"
import type { Cached } from "./CachedCopy.ts"
import type { ContentHash } from "./ContentHash.ts"
import { type LateAnswer, LateAnswers } from "./LateAnswers.ts"
import type { FreshClaims } from "./FreshClaims.ts"
import type { HighWater } from "./HighWater.ts"
import type { Restored } from "./Restore.ts"
import { contentOf, inParts, packed, packing, filePages } from "./Shipment.ts"
import { Fenced, StoreAway, type StoreError, type Tenure } from "./Store.ts"
import { type Committed, Wal } from "./Wal.ts"

/** The time limit of one attempt, for each few parts. Milliseconds. */
const ATTEMPT_MS = 2000
const ATTEMPT_PARTS = 4
/** The delay between attempts. Milliseconds. */
const RETRY_MS = 100
/** How often, and after how long, late answers are told again to a store that is away. Milliseconds. */
const TOLD_AGAIN = 120
const TOLD_MS = 1000
/** How long it delays the end of a process. Milliseconds. */
const TOLD_WITHIN_MS = 10_000
/** The size of the local log from which on it is checkpointed. */
const CHECKPOINT_BYTES = 8 << 20
/** What nobody waits for is shipped at the latest when so much of it is in the log. */
const FAR_BEHIND_BYTES = 1 << 20
/** The size below which the stored log is not worth replacing. */
const LEAST_LOG_BYTES = 1 << 20

/** For how long a shipment is tried. Milliseconds. */
const PATIENCE_MS = 5000

type WhenShipped = (failed?: StateError) => void

export interface ShippingOptions {
  readonly file: string
  readonly raw: Sqlite.Database
  readonly tenure: Tenure
  readonly fresh: FreshClaims
  readonly restored: Restored
  /** Remembers what is stored, see `HighWater.ts`. */
  readonly mark?: HighWater | undefined
  /** Why what was restored lacks what was shipped; undefined: it does not. */
  readonly behind?: string | undefined
  /** What to do once the first shipment is stored. */
  readonly afterwards?: Effect.Effect<void, StateError> | undefined
  /** The size of the local log from which on it is checkpointed; default 8 MB. */
  readonly checkpointBytes?: number | undefined
  /** The compressed size of the stored log from which on it is replaced; default one megabyte. */
  readonly leastLogBytes?: number | undefined
  /** For how long a shipment is tried; default five seconds. */
  readonly patienceMs?: number | undefined
}

/** The file at the time of a shipment; its log is in it. */
interface Whole {
  readonly handle: number
  /** In pages. */
  readonly size: number
  /** Bytes. */
  readonly pageSize: number
  readonly seq: number
  readonly hash: Buffer
  readonly logBytes: number
}

const monotonic = Effect.map(Clock.monotonicTimeNanos, (nanos) => Number(nanos / 1_000_000n))

export class Shipper {
  readonly #options: ShippingOptions
  readonly #wal: Wal
  readonly late: LateAnswers
  /** For requests. */
  readonly permission: Permission
  readonly #content: ContentHash
  #seq: number
  #logBytes: number
  #baseBytes: number
  #waiting: Array<WhenShipped> = []
  #stir: (() => void) | undefined
  /** What was read from the log and not shipped yet. */
  #next: Committed | undefined
  #failed: StateError | undefined
  #rebasing = false
  readonly #telling = new Set<Promise<void>>()
  #handle: number | undefined

  constructor(options: ShippingOptions) {
    const { content, kept } = options.restored
    this.#options = options
    this.#wal = new Wal(options.file)
    this.late = new LateAnswers((answers) => {
      const told = Effect.runPromise(this.#tell(answers)).finally(() => this.#telling.delete(told))
      this.#telling.add(told)
    })
    this.permission = options.fresh.permission(
      () => this.#failed !== undefined,
      Effect.suspend(() => this.#confirm)
    )
    this.#content = content
    this.#seq = kept.seq
    this.#logBytes = kept.logBytes
    this.#baseBytes = kept.baseBytes
  }

  /** Why what was restored lacks what was shipped; undefined: it does not. */
  get behind(): string | undefined {
    return this.#options.behind
  }

  /** What to do once the first shipment is stored. */
  get afterwards(): Effect.Effect<void, StateError> {
    return this.#options.afterwards ?? Effect.void
  }

  /** Waits until nothing of an earlier opening can leave any more. */
  get othersEnded(): Effect.Effect<void> {
    return this.#options.fresh.othersEnded
  }

  /** Throws once commits are no longer stored. */
  alive(): void {
    if (this.#failed !== undefined) throw this.#failed
  }

  get isDead(): boolean {
    return this.#failed !== undefined
  }

  /** Calls back once everything that is committed now is stored, or says why it never will be. */
  whenShipped(done: WhenShipped): void {
    if (this.#failed !== undefined) return done(this.#failed)
    this.#waiting.push(done)
    const stir = this.#stir
    this.#stir = undefined
    stir?.()
  }

  isFarBehind(): boolean {
    return this.#wal.unread > FAR_BEHIND_BYTES
  }

  /** Ends in bounded time, so it need not be interruptible. */
  get shipped(): Effect.Effect<void, StateError> {
    return Effect.uninterruptible(
      Effect.callback<void, StateError>((resume) =>
        this.whenShipped((failed) => resume(failed === undefined ? Effect.void : Effect.fail(failed)))
      )
    )
  }

  /** Continues until interrupted, which must not happen before the last commit is shipped. */
  get run(): Effect.Effect<never> {
    const stirred = Effect.callback<void>((resume) => {
      if (this.#waiting.length > 0) resume(Effect.void)
      else this.#stir = () => resume(Effect.void)
    })
    return Effect.forever(
      Effect.gen({ self: this }, function* () {
        yield* stirred
        const batch = this.#waiting.splice(0)
        yield* Effect.catchCause(this.#shipAll, (cause) => Effect.sync(() => this.#die(Cause.squash(cause))))
        // Before anybody goes on, who may commit at once, and again.
        const whole = this.#wholeFile()
        for (const done of batch) done(this.#failed)
        if (this.#failed !== undefined) for (const done of this.#waiting.splice(0)) done(this.#failed)
        if (whole !== undefined) yield* Effect.forkChild(this.#rebase(whole))
      })
    )
  }

  /** What the closed file has, if nothing of it is missing in the store. */
  left: Cached | undefined

  close(): void {
    if (this.#failed === undefined && !this.#rebasing && this.#isAllShipped())
      this.left = {
        seq: this.#seq,
        logBytes: this.#logBytes,
        baseBytes: this.#baseBytes,
        content: this.#content
      }
    this.#failed ??= this.#error("unreachable", "it is closed")
    this.#wal.close()
    if (this.#handle !== undefined) closeSync(this.#handle)
    this.#handle = undefined
  }

  #error(kind: StateError["kind"], why: string): StateError {
    return new StateError({ kind, file: this.#options.file, why })
  }

  #die(cause: unknown): void {
    const why = cause instanceof Error ? cause.message : String(cause)
    this.#failed ??= cause instanceof StateError ? cause : this.#error("damaged", why)
    this.late.end()
  }

  /** Waits for a bounded time until who has the tenant now was told what was heard here. */
  get told(): Effect.Effect<void> {
    return Effect.promise(() => Promise.allSettled(this.#telling)).pipe(
      Effect.timeoutOrElse({ duration: TOLD_WITHIN_MS, orElse: () => Effect.void }),
      Effect.asVoid
    )
  }

  /** The store may be away, which may be why there is something to tell. */
  #tell(answers: ReadonlyArray<LateAnswer>): Effect.Effect<void> {
    return this.#options.tenure.late(answers).pipe(
      Effect.retry({ times: TOLD_AGAIN, schedule: Schedule.spaced(TOLD_MS) }),
      Effect.catch(({ why }) => Effect.logError(`what was sent after the tenant was lost could not be stored: ${why}`))
    )
  }

  get #shipAll(): Effect.Effect<void, StateError> {
    return Effect.gen({ self: this }, function* () {
      if (this.#failed !== undefined) return
      const held = this.#next
      this.#next = undefined
      if (held !== undefined) yield* this.#ship(held)
      const committed = yield* inTurns(this.#wal.read())
      if (committed !== undefined) yield* this.#ship(committed)
      if (this.#wal.bytes >= (this.#options.checkpointBytes ?? CHECKPOINT_BYTES)) this.#checkpoint()
    })
  }

  #ship({ pages, size }: Committed): Effect.Effect<void, StateError> {
    return Effect.gen({ self: this }, function* () {
      const parts: Array<Buffer> = []
      for (const part of inParts([...pages])) {
        if (parts.length > 0) yield* breathe
        for (const [number, page] of part) this.#content.put(number, page)
        parts.push(packed(part))
      }
      this.#content.cut(size)
      const shipment = { seq: this.#seq + 1, size, pageSize: this.#wal.pageSize, hash: this.#content.value, parts }
      yield* this.#patiently(this.#options.tenure.ship(shipment), parts.length)
      const lost = this.#options.mark?.put(shipment.seq, shipment.hash)
      if (lost !== undefined) return yield* this.#error("fenced", lost)
      this.#seq = shipment.seq
      this.#logBytes += parts.reduce((sum, part) => sum + part.length, 0)
    })
  }

  /** Repeats attempts for a bounded time. */
  #patiently(attempt: Effect.Effect<void, StoreError>, parts: number): Effect.Effect<void, StateError> {
    const { fresh, patienceMs: millis = PATIENCE_MS } = this.#options
    const limit = Math.min(ATTEMPT_MS, millis) * Math.max(1, parts / ATTEMPT_PARTS)
    const bounded = Effect.timeoutOrElse(attempt, {
      duration: limit,
      orElse: () => Effect.fail(new StoreAway(`no answer within ${Duration.format(Duration.millis(limit))}`))
    })
    return Effect.gen({ self: this }, function* () {
      const until = (yield* monotonic) + Math.max(millis, limit)
      for (;;) {
        const began = fresh.now
        const done = yield* Effect.result(bounded)
        if (done._tag === "Success") return fresh.proven(began)
        const { failure } = done
        if (failure instanceof Fenced) return yield* this.#error("fenced", failure.why)
        if ((yield* monotonic) >= until)
          return yield* this.#error("unreachable", `what was committed could not be shipped: ${failure.why}`)
        yield* Effect.sleep(RETRY_MS)
      }
    })
  }

  /** Whether the file is still this opening's; while the store is away, nobody knows. */
  get #confirm(): Effect.Effect<boolean> {
    return this.#options.tenure.check.pipe(
      Effect.timeoutOrElse({ duration: ATTEMPT_MS, orElse: () => Effect.fail(new StoreAway("no answer")) }),
      Effect.match({
        onFailure: (error) => {
          if (error instanceof Fenced) this.#die(this.#error("fenced", error.why))
          return false
        },
        onSuccess: () => true
      })
    )
  }

  /** Whether every commit was shipped; nothing else can commit during this check. */
  #isAllShipped(): boolean {
    this.#next ??= atOnce(this.#wal.read())
    return this.#next === undefined
  }

  /**
   * Checkpoints the log, and returns whether all of it is in the file. What is not shipped by then would be silently lost. While
   * the file is read, nothing changes it.
   */
  #checkpoint(): boolean {
    if (this.#rebasing || !this.#isAllShipped()) return false
    try {
      const [said] = this.#options.raw.pragma("wal_checkpoint(PASSIVE)") as ReadonlyArray<
        Readonly<Record<"busy" | "log" | "checkpointed", number>>
      >
      if (said?.busy !== 0 || said.log !== said.checkpointed) return false
      this.#wal.begunAnew()
      return true
    } catch {
      // There is a reader at the moment; the next checkpoint will succeed.
      return false
    }
  }

  /** The complete file, if the stored log has become long enough to be replaced by it. */
  #wholeFile(): Whole | undefined {
    const most = Math.max(this.#options.leastLogBytes ?? LEAST_LOG_BYTES, this.#baseBytes)
    if (this.#failed !== undefined || this.#rebasing || this.#logBytes <= most) return undefined
    if (!this.#checkpoint()) return undefined
    // Stays open: closing a file releases all of SQLite's locks on it.
    const handle = (this.#handle ??= openSync(this.#options.file, "r"))
    const said = (name: string) => Number(this.#options.raw.pragma(name, { simple: true }))
    const [size, pageSize] = [said("page_count"), said("page_size")]
    return { handle, size, pageSize, seq: this.#seq, hash: this.#content.value, logBytes: this.#logBytes }
  }

  /** Replaces the stored log by the complete file, while other shipments continue. */
  #rebase({ handle, hash, logBytes, pageSize, seq, size }: Whole): Effect.Effect<void> {
    const parts = () => filePages(handle, size, pageSize)
    this.#rebasing = true
    return Effect.gen({ self: this }, function* () {
      // SQLite's file and what was shipped must be identical to the last byte; otherwise something was lost.
      const content = yield* Effect.tryPromise({
        try: () => contentOf(parts()),
        catch: (cause) => this.#error("failed", String(cause))
      })
      if (!content.value.equals(hash))
        return this.#die(this.#error("damaged", "what was shipped is not what the file holds"))
      this.#baseBytes = yield* this.#options.tenure.rebase(seq, packing(parts()))
      this.#logBytes -= logBytes
    }).pipe(
      Effect.catch(({ why }) => Effect.logDebug(`the log that is kept was not replaced: ${why}`)),
      Effect.ensuring(Effect.sync(() => void (this.#rebasing = false)))
    )
  }
}
