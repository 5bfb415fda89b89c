/**
 * Carries out one document's calls, one after the other, and records the result of each. See `Apply.ts` for the guarantees.
 */
import { Clock, Effect, Ref, Semaphore } from "effect"
import type { Client } from "../../core/Client.ts"
import type { Reason, ServiceError } from "../../core/ServiceError.ts"
import { concurrencyOf, type SendingOptions } from "./Report.ts"
import * as AttentionStore from "./AttentionStore.ts"
import { bodyOf, type Call, isReading, resolve, unresolved } from "../model/Call.ts"
import { advance } from "../model/Advance.ts"
import { idOf } from "../model/Answer.ts"
import * as Claims from "./Claims.ts"
import * as CoverStore from "./CoverStore.ts"
import type { Connection } from "../model/Connection.ts"
import type { Fields } from "../model/RemoteInvoice.ts"
import type { StateError, Db } from "../state/Database.ts"
import * as ServiceTime from "../plan/ServiceTime.ts"
import * as Owners from "../plan/Owners.ts"
import * as Plan from "../plan/Plan.ts"
import { recover } from "./Recovery.ts"
import {
  type Again,
  type Answered,
  finish,
  isCurrent,
  isSame,
  isWrittenAtEnd,
  type Job,
  receive,
  write
} from "./Job.ts"
import { InFlight } from "./InFlight.ts"
import { objection } from "./LastCheck.ts"
import * as OtherWriter from "./OtherWriter.ts"
import { mayClaim } from "./PurchaseCheck.ts"
import { boughtBy, isAsPlanned, isIrreversible, isUncertain, notBought } from "./Irreversible.ts"
import { refusal } from "./Refusal.ts"
import type { SendResult } from "./SendResult.ts"
import { SentCalls } from "./SentCalls.ts"
import { Sender } from "./Sender.ts"

/** How often a document is planned again because the service had changed. */
const MOST_REPLANS = 3

export class Worker {
  readonly #db: Db
  readonly sender: Sender
  readonly #clock: Client["Service"]["clock"]
  readonly #run: number
  readonly #stopped: Ref.Ref<Reason | undefined>
  readonly #options: SendingOptions
  /** Documents with a call whose outcome could not be looked up: nothing is sent for them in this run. */
  readonly #held = new Set<string>()
  /** Documents with open attention items. */
  readonly #needing: Set<string>
  /** Documents with claimed calls: twice as many as calls in flight, so that a request leaves as soon as an answer arrives. */
  readonly #slots: Semaphore.Semaphore
  /** Limits the calls in flight. */
  readonly #inFlight: InFlight
  /** Allows one purchase at a time: after a failed payment there must be no other. */
  readonly #purchases = Semaphore.makeUnsafe(1)
  readonly sent: SentCalls

  constructor(
    db: Db,
    client: Client["Service"],
    run: number,
    stopped: Ref.Ref<Reason | undefined>,
    options: SendingOptions
  ) {
    this.#db = db
    this.#clock = client.clock
    this.sender = new Sender(db, client, {
      settleAfter: options.settleAfter,
      trace: options.trace,
      secrets: options.secrets
    })
    this.#run = run
    this.#stopped = stopped
    this.#options = options
    this.sent = new SentCalls(db, run, options)
    const atOnce = concurrencyOf(options)
    this.#slots = Semaphore.makeUnsafe(InFlight.claimed(atOnce))
    this.#inFlight = new InFlight(db, stopped, atOnce)
    this.#needing = new Set(AttentionStore.list(db).map(({ subject }) => subject))
  }

  figures() {
    const { done, failed, unknown } = this.sent
    return { done, failed, unknown }
  }

  /** Creates or updates an owner. If that fails, the run stops: nothing can be created without its owner. */
  owner(planned: Plan.OwnerPlan, connection: Connection): Effect.Effect<void, StateError> {
    const worker = this
    return Effect.gen(function* () {
      for (const [index, call] of planned.calls.entries()) {
        if ((yield* Ref.get(worker.#stopped)) !== undefined) return
        const now = yield* Clock.currentTimeMillis
        const id = yield* worker.#db.commit(() => Claims.claim(worker.#db, worker.#run, call, now))
        const ended = yield* worker.sender.send(id, call)
        const last = index === planned.calls.length - 1
        yield* worker.#db.commit(() => {
          receive(worker.#db, id, ended, now)
          if (ended.outcome === "done") {
            Owners.remember(worker.#db, call, idOf(ended.answer), last ? Owners.digest(connection.planning) : undefined)
          }
        })
        yield* worker.sent.ended({ call, ended })
        if (ended.outcome !== "done") return yield* Ref.set(worker.#stopped, ended.reason)
      }
    }).pipe(Effect.uninterruptible)
  }

  /** Carries out the calls of one document. */
  run(planned: Plan.DocumentPlan, connection: Connection): Effect.Effect<void, StateError> {
    const worker = this
    return Effect.gen(function* () {
      if ((yield* Ref.get(worker.#stopped)) !== undefined || worker.#held.has(planned.subject)) return
      let plan = Plan.beforeOthers(planned)
      for (let replans = 0; ; replans++) {
        const again = yield* worker.#calls(plan, connection)
        if (again === "no" || replans === MOST_REPLANS) return
        const now = yield* Clock.currentTimeMillis
        const options = { looked: again === "looked", now, again: true }
        plan = Plan.beforeOthers(
          yield* worker.#db.read(() => Plan.planOne(worker.#db, connection, planned.subject, options))
        )
        // Later changes were in no plan that was reviewed, guarded or approved: the next run sends them.
        if (plan.changes !== planned.changes) return
        if (worker.#options.collection !== undefined && !Plan.isCollection(plan)) return
      }
    })
  }

  /**
   * Returns whether the document must be planned again.
   *
   * It can be interrupted only while a call waits or is in progress: an answer that has arrived is written to disk. Its slot
   * is free once the last answer is there, so that the next document's claim goes to disk together with the last receipt, and
   * does not wait for it.
   */
  #calls(plan: Plan.DocumentPlan, connection: Connection): Effect.Effect<Again, StateError> {
    const worker = this
    const db = this.#db
    const job: Job = { plan, connection, run: this.#run, remote: plan.remote, complete: true, again: "no" }
    const sends = plan.calls.length > 0
    return Effect.gen(function* () {
      if (sends) yield* Effect.interruptible(worker.#slots.take(1))
      for (const call of plan.calls) {
        yield* checkpoint
        const one = worker.#one(job, call)
        const goesOn = yield* call.operation === "policies.create" ? worker.#purchases.withPermit(one) : one
        if (!goesOn) break
      }
      if (sends) yield* worker.#slots.release(1)
      if (sends) yield* worker.#inFlight.gather
      const now = yield* Clock.currentTimeMillis
      const last = job.owed
      yield* db.commit(() => {
        const atEnd = last !== undefined && job.again === "no" && isWrittenAtEnd(db, job)
        last?.write(atEnd)
        if (job.again === "no") finish(db, worker.#needing, job, now, atEnd)
      })
      job.owed = undefined
      if (last !== undefined) yield* worker.sent.ended(last)
      yield* worker.sent.pack
      return job.again
    }).pipe(
      Effect.onInterrupt(() => Effect.ignore(db.commit(() => job.owed?.write(false)))),
      Effect.uninterruptible
    )
  }

  /** Carries out one call. Returns whether to continue with the next one. */
  #one(job: Job, call: Call): Effect.Effect<boolean, StateError> {
    const worker = this
    return Effect.gen(function* () {
      const mayLeave = isIrreversible(call)
        ? isAsPlanned
        : OtherWriter.isFirstReport(job, call)
          ? OtherWriter.isAlone
          : undefined
      if (mayLeave !== undefined) {
        yield* worker.#settle(job)
        if (!(yield* mayLeave(worker.#db, worker.sender, job))) {
          job.complete = false
          if (job.stopped !== undefined) yield* Ref.set(worker.#stopped, job.stopped)
          return false
        }
      }
      const id = yield* worker.#claim(job, call)
      const ended = id === undefined ? undefined : yield* worker.#inFlight.send(job, id, worker.#answer(job, id, call))
      if (ended === undefined) {
        job.complete = false
        return false
      }
      // The next purchase depends on the outcome of this one.
      if (call.operation === "policies.create") yield* worker.#settle(job)
      return ended.outcome === "done" && job.again === "no"
    })
  }

  /** Sends a claimed call, and takes in how it ended. */
  #answer(job: Job, id: number, call: Call): Effect.Effect<SendResult, StateError> {
    const worker = this
    return Effect.gen(function* () {
      const ended = yield* worker.sender.send(id, call)
      const now = yield* Clock.currentTimeMillis
      if (ended.outcome === "done") worker.#onDone(job, { id, call, ended, now })
      else yield* worker.#onNotDone(job, { id, call, ended, now })
      return ended
    })
  }

  /** Writes the last answer before anything else is claimed. */
  #settle(job: Job): Effect.Effect<void, StateError> {
    const worker = this
    return Effect.gen(function* () {
      const last = job.owed
      if (last === undefined) return
      yield* worker.#db.commit(() => last.write(false))
      job.owed = undefined
      yield* worker.sent.ended(last)
    })
  }

  /** Claims the next call, and writes the last answer in the same commit. Undefined: the call must not be sent. */
  #claim(job: Job, call: Call): Effect.Effect<number | undefined, StateError> {
    const worker = this
    const db = this.#db
    return Effect.gen(function* () {
      // Its buyer was rejected in this run: the reference to it cannot be resolved.
      const cannot = unresolved(resolve(bodyOf(call)?.["customer"] as Fields | undefined, worker.sender.find))
      const broken = objection(call, job.remote)
      if (broken !== undefined) job.refused = broken
      if (cannot || broken !== undefined || (yield* Ref.get(worker.#stopped)) !== undefined) return undefined
      yield* worker.#inFlight.gather
      const now = yield* Clock.currentTimeMillis
      const before = job.owed
      const id = yield* db.commit(() => {
        before?.write(false)
        if (!isCurrent(db, job)) return undefined
        const { id: connection, planning } = job.connection
        if (call.operation === "policies.create") ServiceTime.remember(db, worker.#clock.ahead)
        if (call.operation === "policies.create" && !mayClaim(db, connection, planning.cover, call, now))
          return undefined
        return Claims.claim(db, worker.#run, call, now)
      })
      job.owed = undefined
      if (before !== undefined) yield* worker.sent.ended(before)
      return id
    })
  }

  #onDone(job: Job, { call, ended, id, now }: Answered<"done">): void {
    const { answer } = ended
    const before = job.remote
    const remote = advance(before, call, answer, now)
    job.remote = remote
    job.owed = {
      call,
      ended,
      write: (atEnd) => {
        receive(this.#db, id, ended, now)
        if (!atEnd) write(this.#db, job, remote, (held) => advance(held, call, answer, now))
        CoverStore.record(this.#db, call.subject, before, remote, now)
      }
    }
    // The following calls were planned before the service had answered.
    if (isReading(call) || call.operation === "offers.create") job.again = "looked"
  }

  #onNotDone(
    job: Job,
    { call, ended, id, now }: Answered<Exclude<SendResult["outcome"], "done">>
  ): Effect.Effect<void> {
    const worker = this
    const received = () => receive(this.#db, id, ended, now)
    job.owed = { call, ended, write: received }
    job.complete = false
    if (ended.outcome === "stop") return Ref.set(this.#stopped, ended.reason)
    if (ended.outcome === "unknown") return Effect.sync(() => void this.#held.add(job.plan.subject))
    const isPurchase = call.operation === "policies.create"
    if (ended.outcome === "refused" && !isPurchase) {
      job.refused = refusal(call, ended.reason)
      return Effect.void
    }
    return Effect.gen(function* () {
      const read = yield* Effect.result(
        Effect.interruptible(worker.sender.reread(job.remote, now, job.connection.planning.cover !== undefined))
      )
      // A refusal may follow a purchase whose answer was lost: what the service has decides.
      const bought = read._tag === "Success" ? boughtBy(call, read.success) : undefined
      if (bought !== undefined) {
        job.complete = true
        return worker.#onDone(job, {
          id,
          call,
          ended: { outcome: "done", answer: bought, status: 200, body: null },
          now
        })
      }
      if (read._tag === "Failure" && isUncertain(job, call, ended.reason)) return
      if (isPurchase && ended.outcome === "refused") return notBought(worker.#db, job, { id, call, ended, now })
      if (read._tag === "Failure") return
      const corrected = read.success
      if (corrected === undefined || isSame(corrected, job.remote)) {
        job.refused = refusal(call, ended.reason)
        return
      }
      const before = job.remote
      job.remote = corrected
      job.again = "moved"
      job.owed = {
        call,
        ended,
        write: () => {
          received()
          write(worker.#db, job, corrected)
          CoverStore.record(worker.#db, call.subject, before, corrected, now)
        }
      }
    })
  }

  /** Recovers claims of earlier runs that have no receipt, and returns how many; those of live runs are left alone. */
  recover(connections: ReadonlyArray<Connection>): Effect.Effect<number, StateError | ServiceError> {
    return Effect.map(recover(this.#db, this.sender, connections), ({ held, recovered }) => {
      for (const subject of held) this.#held.add(subject)
      this.sent.unknown += held.length
      return recovered
    })
  }
}

/** A point where a pending interruption takes effect. */
const checkpoint = Effect.interruptible(Effect.void)
