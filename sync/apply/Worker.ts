/**
 * One invoice's calls, one after the other, and what becomes of each. See `Apply.ts` for the promises.
 */
import { Clock, Effect, Ref } from "effect"
import type { Client } from "../../core/Client.ts"
import type { Reason, ServiceError } from "../../core/ServiceError.ts"
import { describe } from "../../core/ServiceError.ts"
import type { ApplyOptions } from "./Apply.ts"
import * as Attentions from "./AttentionStore.ts"
import { advance, type Answer, type Attention, type Call, resolve, type State, unresolved } from "../model/Call.ts"
import * as Claims from "./Claims.ts"
import type { Connection } from "../model/Connection.ts"
import type { Fields } from "../model/RemoteInvoice.ts"
import type { Database, StateError } from "../state/Database.ts"
import { isOrder } from "../model/RemoteOrder.ts"
import * as Owners from "../plan/Owners.ts"
import * as Plan from "../plan/Plan.ts"
import { type Ended, Sender, statusOf } from "./Sender.ts"
import * as Standing from "./LedgerStore.ts"

type Db = Database["Service"]

/** How often an invoice is planned again because the service had moved on. */
const MOST_REPLANS = 3

export class Lane {
  readonly #db: Db
  readonly #sender: Sender
  readonly #run: number
  readonly #stopped: Ref.Ref<Reason | undefined>
  readonly #options: ApplyOptions
  /** Invoices with a call whose outcome could not be looked up: not touched in this run. */
  readonly #held = new Set<string>()
  /** Invoices with open attention. */
  readonly #needing: Set<string>
  #n = 0
  #done = 0
  #failed = 0
  #unknown = 0

  constructor(
    db: Db,
    client: Client["Service"],
    run: number,
    stopped: Ref.Ref<Reason | undefined>,
    options: ApplyOptions
  ) {
    this.#db = db
    this.#sender = new Sender(db, client, options.settleAfter ?? 5000, options.trace)
    this.#run = run
    this.#stopped = stopped
    this.#options = options
    this.#needing = new Set(Attentions.list(db).map(({ subject }) => subject))
  }

  figures() {
    return { done: this.#done, failed: this.#failed, unknown: this.#unknown }
  }

  /** Creates or updates an owner. Answers undefined when the run must stop. */
  owner(planned: Plan.Planned, connection: Connection): Effect.Effect<undefined, StateError> {
    const lane = this
    return Effect.gen(function* () {
      for (const [index, call] of planned.calls.entries()) {
        if ((yield* Ref.get(lane.#stopped)) !== undefined) return undefined
        const now = yield* Clock.currentTimeMillis
        const id = yield* lane.#db.commit(() => Claims.claim(lane.#db, lane.#run, call, now))
        const ended = yield* lane.#sender.send(id, call)
        const last = index === planned.calls.length - 1
        yield* lane.#db.commit(() => {
          lane.#receive(id, ended, now)
          if (ended.outcome === "done") {
            Owners.remember(lane.#db, call, ended.answer.remote, last ? Owners.digest(connection.planning) : undefined)
          }
        })
        yield* lane.#tell({ call, ended })
        // Nothing can be created without its owner.
        if (ended.outcome !== "done") {
          yield* Ref.set(lane.#stopped, ended.reason)
          return undefined
        }
      }
      return undefined
    }).pipe(Effect.uninterruptible)
  }

  /** Carries out the calls of one invoice. */
  run(planned: Plan.Planned, connection: Connection): Effect.Effect<void, StateError> {
    const lane = this
    return Effect.gen(function* () {
      if ((yield* Ref.get(lane.#stopped)) !== undefined || lane.#held.has(planned.subject)) return
      let plan = planned
      for (let replans = 0; ; replans++) {
        const again = yield* lane.#calls(plan, connection)
        if (again === "no" || replans === MOST_REPLANS) return
        plan = yield* lane.#db.read(() => Plan.planOne(lane.#db, connection, planned.subject, again === "looked"))
      }
    })
  }

  /**
   * Answers whether it is to be planned again: because the service had moved on, or was read and now says more.
   *
   * Interrupted only while a call waits or is under way: an answer that has come in reaches the disk, and no claim is
   * made for a call that is not sent.
   */
  #calls(plan: Plan.Planned, connection: Connection): Effect.Effect<"no" | "moved" | "looked", StateError> {
    const lane = this
    const db = this.#db
    /** What came in and goes to disk with the next claim. */
    let owed: Owed | undefined
    return Effect.gen(function* () {
      let { told } = plan
      let refused: Attention | undefined
      let complete = true
      let again: "no" | "moved" | "looked" = "no"
      for (const call of plan.calls) {
        yield* checkpoint
        // Its buyer was refused in this run: what cannot be said yet is not sent.
        const cannot = unresolved(resolve(call.body?.["customer"] as Fields | undefined, lane.#sender.find))
        if (cannot || (yield* Ref.get(lane.#stopped)) !== undefined) {
          complete = false
          break
        }
        const now = yield* Clock.currentTimeMillis
        const before = owed
        const id = yield* db.commit(() => {
          before?.write()
          return Claims.claim(db, lane.#run, call, now)
        })
        owed = undefined
        if (before !== undefined) yield* lane.#tell(before)
        const ended = yield* lane.#sender.send(id, call)
        const then = yield* Clock.currentTimeMillis
        if (ended.outcome === "done") {
          told = advance(told, call, ended.answer)
          const state = told
          owed = {
            call,
            ended,
            write: () => {
              lane.#receive(id, ended, then)
              lane.#write(plan, state)
            }
          }
          if (call.looks === undefined && call.operation !== "offers.create") continue
          // What follows was planned before the service had answered.
          again = "looked"
          break
        }
        const receive = () => lane.#receive(id, ended, then)
        owed = { call, ended, write: receive }
        complete = false
        if (ended.outcome === "refused") refused = refusal(call, describe(ended.reason))
        else if (ended.outcome === "conflict") {
          const read = yield* Effect.result(Effect.interruptible(lane.#sender.reread(told)))
          // Where it cannot be read, nothing is certain: the invoice is planned again in the next run.
          const corrected = read._tag === "Success" ? read.success : undefined
          if (corrected !== undefined && !same(corrected, told)) {
            told = corrected
            again = "moved"
            owed = {
              call,
              ended,
              write: () => {
                receive()
                lane.#write(plan, corrected)
              }
            }
          } else if (read._tag === "Success") refused = refusal(call, describe(ended.reason))
        } else if (ended.outcome === "stop") yield* Ref.set(lane.#stopped, ended.reason)
        break
      }
      const now = yield* Clock.currentTimeMillis
      const last = owed
      yield* db.commit(() => {
        last?.write()
        if (again === "no") lane.#finish(plan, connection, told, { complete, refused, now })
      })
      owed = undefined
      if (last !== undefined) yield* lane.#tell(last)
      return again
    }).pipe(
      Effect.onInterrupt(() => Effect.ignore(db.commit(() => owed?.write()))),
      Effect.uninterruptible
    )
  }

  /** Records where an invoice stands once its calls are made, or as far as they got. */
  #finish(
    plan: Plan.Planned,
    connection: Connection,
    told: State | undefined,
    {
      complete,
      now,
      refused
    }: { readonly complete: boolean; readonly refused: Attention | undefined; readonly now: number }
  ): void {
    const db = this.#db
    this.#write(plan, told)
    if (!complete && refused === undefined) return
    // The state that the refusal is about: what the next plan would look at.
    const after = refused === undefined ? plan : Plan.planOne(db, connection, plan.subject)
    if (after.attention.length > 0 || refused !== undefined || this.#needing.has(plan.subject)) {
      this.#needing.add(plan.subject)
      Attentions.settle(
        db,
        plan.subject,
        after.attention,
        refused === undefined ? undefined : { attention: refused, fingerprint: after.fingerprint },
        now
      )
    }
    if (plan.waits !== true) db.prepare("DELETE FROM changed WHERE subject = ?").run(plan.subject)
  }

  #write(plan: Plan.Planned, told: State | undefined): void {
    if (plan.currency === "" && told === undefined) return
    Standing.write(this.#db, plan, told)
  }

  #receive(id: number, ended: Ended, now: number): void {
    // An unknown outcome stays a claim: the next run settles it before it touches this invoice.
    if (ended.outcome === "unknown") return
    const receipt: Claims.Receipt =
      ended.outcome === "done"
        ? { outcome: "done", status: ended.status, answer: ended.body, remote: ended.answer.remote }
        : {
            outcome: ended.outcome === "stop" ? "absent" : "refused",
            status: statusOf(ended.reason),
            answer: describe(ended.reason)
          }
    Claims.receipt(this.#db, id, receipt, now)
  }

  #tell({ call, ended }: Omit<Owed, "write">): Effect.Effect<void> {
    const n = ++this.#n
    if (ended.outcome === "done") this.#done++
    else if (ended.outcome === "unknown") this.#unknown++
    else this.#failed++
    const { onReceipt } = this.#options
    if (onReceipt === undefined || ended.outcome === "unknown") return Effect.void
    return onReceipt({
      n,
      call,
      outcome: ended.outcome === "done" ? "done" : ended.outcome === "stop" ? "absent" : "refused",
      status: ended.outcome === "done" ? ended.status : statusOf(ended.reason),
      remote: ended.outcome === "done" ? ended.answer.remote : undefined,
      ...(ended.outcome === "done" ? {} : { why: describe(ended.reason) })
    })
  }

  /**
   * Settles what earlier runs left without a receipt, and answers how many. A call that cannot be looked up stays a
   * claim, and its invoice is left alone; so do those of a connection that is not configured, until it is again.
   */
  recover(connections: ReadonlyArray<Connection>): Effect.Effect<number, StateError | ServiceError> {
    const lane = this
    const db = this.#db
    return Effect.gen(function* () {
      const claims = yield* db.read(() => Claims.unsettled(db))
      const settle = ({ call, claimed, id }: Claims.Claim, connection: Connection) =>
        Effect.gen(function* () {
          const settled = yield* lane.#sender.settle(call, claimed)
          const now = yield* Clock.currentTimeMillis
          yield* db.commit(() => lane.#settled(id, call, connection, "done" in settled ? settled.done : undefined, now))
          return true
        }).pipe(
          Effect.catchTag("ServiceError", (error) => {
            if (error.reason._tag !== "Unknown" && error.reason._tag !== "Refused") return Effect.fail(error)
            lane.#held.add(call.subject)
            lane.#unknown++
            return Effect.succeed(false)
          })
        )
      const found = yield* Effect.forEach(
        claims.flatMap((claim) => {
          const connection = connections.find((one) => claim.call.subject.startsWith(`${one.id}/`))
          return connection === undefined ? [] : [settle(claim, connection)]
        }),
        (one) => one,
        { concurrency: 8 }
      )
      return found.filter((one) => one).length
    })
  }

  /** @param answer what the service now says, or undefined when the call is known to have changed nothing */
  #settled(id: number, call: Call, connection: Connection, answer: Answer | undefined, now: number): void {
    const db = this.#db
    const outcome = answer === undefined ? "absent" : "done"
    Claims.receipt(db, id, { outcome, status: undefined, answer: undefined, remote: answer?.remote }, now)
    if (call.rule === "owner") return
    if (answer !== undefined) {
      const plan = Plan.planOne(db, connection, call.subject)
      this.#write(plan, advance(plan.told, call, answer))
    }
    db.prepare("INSERT INTO changed VALUES (?) ON CONFLICT DO NOTHING").run(call.subject)
  }
}

/** An answer that has come in and is not on disk yet. */
interface Owed {
  readonly call: Call
  readonly ended: Ended
  readonly write: () => void
}

/** Where an interruption that came meanwhile takes hold. */
const checkpoint = Effect.interruptible(Effect.void)

const same = (a: State, b: State | undefined): boolean =>
  b !== undefined &&
  "status" in a &&
  "status" in b &&
  a.status === b.status &&
  (isOrder(a) ? isOrder(b) && a.open === b.open : "insured" in a && "insured" in b && a.insured === b.insured)

/** What a refusal becomes: the service's own message, about the fact that caused the call. */
const refusal = (call: Call, why: string): Attention => ({
  subject: call.subject,
  fact: call.fact,
  rule: call.rule,
  why: `the service refused ${call.operation}: ${why}`,
  todo: "correct it in the source, or tell the service's operator; then `daybook attention retry` sends it again"
})
