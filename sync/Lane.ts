/**
 * One invoice's calls, one after the other, and what becomes of each. See `Apply.ts` for the promises.
 */
import { Clock, Effect, Ref } from "effect"
import type { Client } from "../core/Client.ts"
import type { Reason, ServiceError } from "../core/ServiceError.ts"
import { describe } from "../core/ServiceError.ts"
import type { ApplyOptions } from "./Apply.ts"
import * as Attentions from "./Attentions.ts"
import { advance, type Attention, type Call } from "./Call.ts"
import * as Claims from "./Claims.ts"
import type { Connection } from "./Connection.ts"
import type { Database, StateError } from "./Database.ts"
import * as Ledger from "./Ledger.ts"
import * as Owners from "./Owners.ts"
import * as Plan from "./Plan.ts"
import { type Ended, Sender, statusOf } from "./Sender.ts"

type Db = Database["Service"]

/** How often an invoice is planned again because the service had moved on. */
const MOST_REPLANS = 3

export class Lane {
  readonly #db: Db
  readonly #sender: Sender
  readonly #run: number
  readonly #stopped: Ref.Ref<Reason | undefined>
  readonly #options: ApplyOptions
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
    this.#sender = new Sender(db, client, options.settleAfter ?? 5000)
    this.#run = run
    this.#stopped = stopped
    this.#options = options
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
        yield* lane.#tell(call, ended)
        // Nothing can be created without its owner.
        if (ended.outcome !== "done") {
          yield* Ref.set(lane.#stopped, ended.reason)
          return undefined
        }
      }
      return undefined
    })
  }

  /** Carries out the calls of one invoice. */
  run(planned: Plan.Planned, connection: Connection): Effect.Effect<void, StateError> {
    const lane = this
    return Effect.gen(function* () {
      if ((yield* Ref.get(lane.#stopped)) !== undefined) return
      let plan = planned
      for (let replans = 0; ; replans++) {
        const again = yield* lane.#calls(plan, connection)
        if (!again || replans === MOST_REPLANS) return
        plan = yield* lane.#db.read(() => Plan.planOne(lane.#db, connection, planned.subject))
      }
    })
  }

  /** Answers whether the invoice is to be planned again. */
  #calls(plan: Plan.Planned, connection: Connection): Effect.Effect<boolean, StateError> {
    const lane = this
    const db = this.#db
    return Effect.gen(function* () {
      let { told } = plan
      /** Receipts that go to disk with the next claim. */
      let owed: (() => void) | undefined
      let refused: Attention | undefined
      let complete = true
      let again = false
      for (const call of plan.calls) {
        if ((yield* Ref.get(lane.#stopped)) !== undefined) {
          complete = false
          break
        }
        const now = yield* Clock.currentTimeMillis
        const before = owed
        const id = yield* db.commit(() => {
          before?.()
          return Claims.claim(db, lane.#run, call, now)
        })
        owed = undefined
        const ended = yield* lane.#sender.send(id, call)
        const then = yield* Clock.currentTimeMillis
        if (ended.outcome === "done") {
          told = advance(told, call, ended.answer)
          const state = told
          owed = () => {
            lane.#receive(id, ended, then)
            lane.#write(plan, state)
          }
        } else {
          owed = () => lane.#receive(id, ended, then)
          complete = false
          if (ended.outcome === "refused") {
            refused = refusal(call, describe(ended.reason))
          } else if (ended.outcome === "conflict") {
            const corrected = yield* lane.#sender.reread(told)
            if (corrected !== undefined && corrected !== told && !same(corrected, told)) {
              told = corrected
              again = true
              const receive = owed
              owed = () => {
                receive()
                lane.#write(plan, corrected)
              }
            } else refused = refusal(call, describe(ended.reason))
          } else if (ended.outcome === "stop") yield* Ref.set(lane.#stopped, ended.reason)
        }
        yield* lane.#tell(call, ended)
        if (!complete) break
      }
      const now = yield* Clock.currentTimeMillis
      yield* db.commit(() => {
        owed?.()
        if (again) return
        lane.#finish(plan, connection, told, { complete, refused, now })
      })
      return again
    })
  }

  /** Records where an invoice stands once its calls are made, or as far as they got. */
  #finish(
    plan: Plan.Planned,
    connection: Connection,
    told: Ledger.Told | undefined,
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
    Attentions.settle(
      db,
      plan.subject,
      after.attention,
      refused === undefined ? undefined : { attention: refused, fingerprint: after.fingerprint },
      now
    )
    db.prepare("DELETE FROM changed WHERE subject = ?").run(plan.subject)
  }

  #write(plan: Plan.Planned, told: Ledger.Told | undefined): void {
    if (plan.currency === "" && told === undefined) return
    Claims.writeLedger(this.#db, plan.subject, plan.connection, told, {
      reason: plan.reason,
      currency: plan.currency,
      books: plan.open,
      service: plan.currency === "" ? 0n : Plan.toMinor(Ledger.open(told), plan.currency)
    })
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

  #tell(call: Call, ended: Ended): Effect.Effect<void> {
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

  /** Settles what earlier runs left without a receipt. */
  recover(connections: ReadonlyArray<Connection>): Effect.Effect<number, StateError | ServiceError> {
    const lane = this
    const db = this.#db
    return Effect.gen(function* () {
      const claims = yield* db.read(() => Claims.unsettled(db))
      yield* Effect.forEach(
        claims,
        ({ call, claimed, id }) =>
          Effect.gen(function* () {
            const settled = yield* lane.#sender.settle(call, claimed)
            const now = yield* Clock.currentTimeMillis
            yield* db.commit(() => {
              if (!("done" in settled))
                return Claims.receipt(db, id, { outcome: "absent", status: undefined, answer: undefined }, now)
              Claims.receipt(
                db,
                id,
                { outcome: "done", status: undefined, answer: undefined, remote: settled.done.remote },
                now
              )
              const connection = connections.find((one) => call.subject.startsWith(`${one.id}/`))
              if (connection === undefined || !call.operation.startsWith("transactions.")) return
              const plan = Plan.planOne(db, connection, call.subject)
              lane.#write(plan, advance(plan.told, call, settled.done))
              db.prepare("INSERT INTO changed VALUES (?) ON CONFLICT DO NOTHING").run(call.subject)
            })
          }),
        { concurrency: 8, discard: true }
      )
      return claims.length
    })
  }
}

const same = (a: Ledger.Told, b: Ledger.Told | undefined): boolean =>
  b !== undefined && a.status === b.status && a.insured === b.insured

/** What a refusal becomes: the service's own message, about the fact that caused the call. */
const refusal = (call: Call, why: string): Attention => ({
  subject: call.subject,
  fact: call.fact,
  rule: call.rule,
  why: `the service refused ${call.operation}: ${why}`,
  todo: "correct it in the source, or tell the service's operator; then `daybook attention retry` sends it again"
})
