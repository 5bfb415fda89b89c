/**
 * Sends one call until its outcome is known: waits when the service asks for it, retries requests that certainly changed
 * nothing, and reads the service before repeating one that may have.
 */
import { Clock, Duration, Effect, Result, Schedule, Stream } from "effect"
import type { Payment } from "../../core/insurance/Transactions.ts"
import { Client, pages } from "../../core/Client.ts"
import { type Reason, type ServiceError, Unknown } from "../../core/ServiceError.ts"
import type { TransactionId } from "../../core/wire/Ids.ts"
import type { Answer } from "../model/Answer.ts"
import {
  bodyOf,
  type Call,
  idempotencyKey,
  isReading,
  type ReadingCall,
  resolve,
  type SentCall
} from "../model/Call.ts"
import type { Remote } from "../model/Remote.ts"
import type { RemoteInvoice } from "../model/RemoteInvoice.ts"
import * as Claims from "./Claims.ts"
import { confirmed, endedBy, foundDone, notProven, type SendResult } from "./SendResult.ts"
import { heard } from "./HeardLate.ts"
import { payload } from "./CollectionForm.ts"
import { accountIn, withCollection } from "./CollectionReading.ts"
import { withCompany } from "./InsuredCompany.ts"
import * as CoverAnswers from "./CoverAnswers.ts"
import type { StateError, Db } from "../state/Database.ts"
import { DeferredPaymentReader } from "./DeferredPaymentReader.ts"
import * as LedgerTrust from "../state/LedgerTrust.ts"
import * as PaymentHolders from "../plan/PaymentHolders.ts"
import * as ServiceTime from "../plan/ServiceTime.ts"
import { withPayment } from "../model/RemoteOrder.ts"
import * as Owners from "../plan/Owners.ts"
import { isRepeatable, readBack } from "./ReadBack.ts"
import { type ReadBack, wire } from "./ReadBackValues.ts"
import { concealed, hidden, type Secrets } from "./NamedSecrets.ts"
import { monotonic, SETTLE_AFTER_MS, waitUntil } from "./SettleTime.ts"
import * as Facts from "../plan/Facts.ts"

/** The longest pause that a run waits for; a longer one stops it. Seconds. */
const LONGEST_PAUSE_SECONDS = 600
/** How many pauses in a row one call may be asked for before the run stops. */
const MOST_PAUSES = 20
/** How often a call is sent before its outcome is left to the next run. */
const MOST_SENDS = 4
/** How often a reading is tried before the outcome is left to the next run. */
const MOST_READS = 4

/** How long an ended order is still read if no offer states until when a buyer may accept it. Milliseconds. */
const LONGEST_CHECKOUT_MS = 60 * 86_400_000

/** Operations whose subject has no identifier on the service until they are done. */
const CREATES: ReadonlyArray<Call["operation"]> = ["transactions.create", "orders.create", "organisations.create"]

/** Operations whose result is looked up first if the ledger may have lost it. */
const LOOKED_FOR: ReadonlyArray<Call["operation"]> = ["orders.create", "offers.create"]

/** How many seconds a reading waits until it is tried again; undefined: its error stays. */
const pauseAfter = ({ reason }: ServiceError, tries: number): number | undefined => {
  if (reason._tag !== "Unknown" && reason._tag !== "RateLimited") return undefined
  const wait = reason.retryAfter ?? (reason._tag === "RateLimited" ? 2 ** tries : 0.125 * 2 ** tries)
  return wait > LONGEST_PAUSE_SECONDS ? undefined : wait
}

const PATIENTLY = Schedule.recurs(MOST_READS - 1).pipe(
  Schedule.setInputType<ServiceError>(),
  Schedule.modifyDelay(({ attempt, input }) => Effect.succeed(Duration.seconds(pauseAfter(input, attempt) ?? 0)))
)

const NOT_SENT = new Unknown({ why: "not sent" })

export interface SenderOptions {
  readonly settleAfter?: number | undefined
  readonly trace?: boolean | undefined
  readonly secrets?: Secrets | undefined
}

export class Sender {
  readonly #db: Db
  readonly #client: Client["Service"]
  readonly #settleAfter: number
  readonly #trace: boolean
  readonly #restored: boolean
  readonly #secrets: Secrets | undefined
  readonly #reader: DeferredPaymentReader
  /** Until when an operation must not be sent, by the monotonic clock. */
  readonly #pauses = new Map<string, number>()
  /** Identifiers of owners, which do not change during a run. */
  readonly #owners = new Map<string, string>()

  /** What the service holds as the account of a collection that was written in this run. */
  readonly #accounts = new Map<string, string>()

  /**
   * @property settleAfter how long after a request its absence on the service is believed, in milliseconds
   * @property trace creates a span for each call
   */
  constructor(
    db: Db,
    client: Client["Service"],
    { secrets, settleAfter = SETTLE_AFTER_MS, trace = false }: SenderOptions
  ) {
    this.#trace = trace
    this.#secrets = secrets
    this.#restored = LedgerTrust.isRestored(db)
    this.#db = db
    this.#client = client
    this.#settleAfter = settleAfter
    this.#reader = new DeferredPaymentReader(client, (subject, seen) => PaymentHolders.isHeld(db, subject, seen))
  }

  readonly find = (key: string): string | undefined => {
    if (Facts.isSubject(key)) return Facts.remoteId(this.#db, key)
    const known = this.#owners.get(key) ?? Owners.find(this.#db, key)
    if (known !== undefined) this.#owners.set(key, known)
    return known
  }

  /**
   * Sends a claimed call until its outcome is known, or leaves the outcome to the next run. It can be interrupted while it
   * waits, but not between an answer and the end.
   */
  send(id: number, call: Call): Effect.Effect<SendResult, StateError> {
    const sent: Effect.Effect<SendResult, StateError> = isReading(call) ? this.#read(call) : this.#send(id, call)
    if (!this.#trace) return sent
    const { operation, rule, subject: document } = call
    return sent.pipe(
      Effect.tap(({ outcome }) => Effect.annotateCurrentSpan({ outcome })),
      Effect.withSpan(
        operation,
        { kind: "client", attributes: { call: id, document, rule } },
        { captureStackTrace: false }
      )
    )
  }

  /** Reads an order's deferred payment. "Not found" is a valid answer, too. */
  #read(call: ReadingCall): Effect.Effect<SendResult> {
    // Takes the time first: the reading shows everything that was accepted until then.
    return Effect.zip(
      Clock.currentTimeMillis,
      Effect.result(Effect.interruptible(this.#patiently(this.#reader.look(call))))
    ).pipe(
      Effect.map(([here, result]): SendResult => {
        if (result._tag === "Success") {
          // An offer ends by the service's clock: what this machine's took for ended would never be read again.
          const now = here - (this.#client.clock.ahead ?? 0)
          const { payment, until: read } = result.success
          const { ends = false, until = ends ? now + LONGEST_CHECKOUT_MS : undefined } = call.lookup
          const last = read ?? until ?? Number.POSITIVE_INFINITY
          const answer: Answer =
            payment === undefined
              ? { kind: "no payment", lapsed: now > last, ...(ends ? { until: last } : {}) }
              : { kind: "payment", payment }
          return { outcome: "done", answer, status: 200, body: payment ?? null }
        }
        const { reason } = result.failure
        if (reason._tag === "Refused" || reason._tag === "Ambiguous") return { outcome: "refused", reason }
        return { outcome: reason._tag === "Unknown" ? "unknown" : "stop", reason }
      })
    )
  }

  #send(id: number, call: SentCall): Effect.Effect<SendResult, StateError> {
    const sender = this
    const { find } = this
    return Effect.gen(function* () {
      const params = resolve(call.params, find)
      const written = payload(sender.#db, call, resolve(bodyOf(call), find), sender.#secrets)
      if (Result.isFailure(written)) return { outcome: "refused", reason: written.failure } as const
      const { body, hide } = written.success
      const key = idempotencyKey(call)
      const found = yield* sender.#lookFirst(call)
      if (found !== undefined) return found
      let last: Reason = NOT_SENT
      let pauses = 0
      for (let sends = 1; sends <= MOST_SENDS; ) {
        const waited = yield* Effect.interruptible(sender.#waitForPause(call.operation))
        const again = sends + pauses > 1
        if (again || waited) {
          const now = yield* Clock.currentTimeMillis
          yield* sender.#db.commit(() => Claims.leaves(sender.#db, id, again, now))
        }
        const result = yield* Effect.result(
          Effect.interruptible(heard(sender.#db, id, call, sender.#client.send(call.operation, params, body, key)))
        )
        if (result._tag === "Success") {
          if (call.operation === "collections.update")
            sender.#accounts.set(resolve(call.params, find).collection_id, accountIn(result.success.body))
          const done = confirmed(call, concealed(result.success, hide))
          if (done !== undefined) return done
          last = new Unknown({ why: notProven(call) })
        } else last = hidden(result.failure.reason, hide)
        const ended = endedBy(call, last)
        if (ended !== undefined) return ended
        if (last._tag === "RateLimited") {
          const stop = yield* sender.#pause(call.operation, last.retryAfter, ++pauses)
          if (stop) return { outcome: "stop", reason: last } as const
          continue
        }
        sends++
        if (last._tag === "Unreachable") {
          if (sends > MOST_SENDS) return { outcome: "stop", reason: last } as const
          yield* Effect.interruptible(Effect.sleep(125 * 2 ** sends))
          continue
        }
        // If the service asked to wait, the next request respects that.
        if (last._tag === "Unknown" && last.retryAfter !== undefined)
          yield* sender.#pause(call.operation, last.retryAfter, 1)
        const outcome = yield* Effect.result(Effect.interruptible(sender.readBack(call, yield* monotonic)))
        if (outcome._tag === "Failure") return { outcome: "unknown", reason: outcome.failure.reason } as const
        if ("done" in outcome.success) return foundDone(outcome.success.done)
      }
      return { outcome: "unknown", reason: last } as const
    })
  }

  /** Looks up what a call creates, if the ledger may have lost it. Undefined: it must be sent. */
  #lookFirst(call: SentCall): Effect.Effect<SendResult | undefined> {
    if (!this.#restored || !LOOKED_FOR.includes(call.operation)) return Effect.succeed(undefined)
    return Effect.map(Effect.result(Effect.interruptible(this.#look(call))), (there): SendResult | undefined => {
      if (there._tag === "Failure") return { outcome: "unknown", reason: there.failure.reason }
      return "done" in there.success ? foundDone(there.success.done) : undefined
    })
  }

  /**
   * Finds out what became of a call. Absence is believed only if it is read twice, the second time so long after the request
   * that it cannot still be on its way.
   *
   * @param since by the monotonic clock: when the request was sent, or for an earlier run's request, when this program began
   *   to look. Wall clocks are not trusted, neither another process's nor our own: they may have been set meanwhile
   */
  readBack(call: Call, since: number): Effect.Effect<ReadBack, ServiceError> {
    return Effect.gen({ self: this }, function* () {
      const first = yield* this.#look(call)
      if ("done" in first || isRepeatable(call)) return first
      yield* waitUntil(since, this.#settleAfter)
      return yield* this.#look(call)
    })
  }

  #look(call: Call): Effect.Effect<ReadBack, ServiceError> {
    const remote = CREATES.includes(call.operation) ? undefined : this.find(call.subject)
    return this.#patiently(readBack(call, remote, this.find).pipe(Effect.provideService(Client, this.#client)))
  }

  /** Retries a reading, which changes nothing, while the answer is uncertain or asks to wait. */
  #patiently<A>(read: Effect.Effect<A, ServiceError>): Effect.Effect<A, ServiceError> {
    return Effect.retry(read, { schedule: PATIENTLY, while: (error) => pauseAfter(error, 1) !== undefined })
  }

  /** The service's clock, as its last answer stated it. */
  get clock(): Client["Service"]["clock"] {
    return this.#client.clock
  }

  /** Reads it again after 409: it became insured, paid or confirmed. Undefined: it is gone. `cover`: with quote and policy. */
  reread(
    remote: Remote | undefined,
    now: number,
    cover = false,
    lastRead?: number
  ): Effect.Effect<Remote | undefined, ServiceError> {
    if (remote === undefined || remote.kind === "buyer") return Effect.succeed(undefined)
    if (remote.kind === "order") {
      return Effect.map(this.#patiently(this.#reader.again(remote)), ({ payment }) =>
        payment === undefined ? undefined : withPayment(remote, payment, remote.number)
      )
    }
    const query = cover ? { expand: "policy,quote" } : {}
    const read = this.#client.transactions.get({ params: { transaction_id: remote.id as TransactionId }, query })
    return this.#patiently(read).pipe(
      Effect.flatMap((said) => {
        const known = { ...remote, status: said.status, insured: (said.policy ?? undefined) !== undefined }
        if (!cover) return Effect.succeed(known)
        const reading = CoverAnswers.reading(known, wire(said), ServiceTime.by(this.#db, this.clock, now), lastRead)
        return withCollection(this.#client, reading, (id) => this.#accounts.get(id)).pipe(
          Effect.flatMap((whole) => withCompany(this.#client, whole))
        )
      }),
      Effect.catch((error) => (error.reason._tag === "NotFound" ? Effect.succeed(undefined) : Effect.fail(error)))
    )
  }

  /** A page of the service's list of transactions. */
  transactions(query: Parameters<Client["Service"]["transactions"]["list"]>[0]["query"]) {
    return this.#patiently(this.#client.transactions.list({ query }))
  }

  /** The payments on a transaction, with their details if there are others than the known ones; none if it is gone. */
  payments({ id }: RemoteInvoice, known: ReadonlySet<string>): Effect.Effect<ReadonlyArray<Payment>, ServiceError> {
    const { transactions } = this.#client
    const params = { transaction_id: id as TransactionId }
    const read = Effect.gen(function* () {
      const { payments } = yield* transactions.get({ params, query: {} })
      if (payments?.every((one) => known.has(one.id)) === true) return payments
      return yield* Stream.runCollect(pages((query) => transactions.listPayments({ params, query })))
    })
    return Effect.catch(this.#patiently(read), (error) =>
      error.reason._tag === "NotFound" ? Effect.succeed([]) : Effect.fail(error)
    )
  }

  /** Returns whether there was something to wait for. */
  #waitForPause(operation: string): Effect.Effect<boolean> {
    const pauses = this.#pauses
    if (pauses.size === 0) return Effect.succeed(false)
    return Effect.gen(function* () {
      const until = pauses.get(operation)
      const now = yield* monotonic
      if (until === undefined || until <= now) return false
      yield* Effect.sleep(Math.min(until - now, LONGEST_PAUSE_SECONDS * 1000))
      return true
    })
  }

  /** Holds an operation back. Returns whether the pause is too long to wait for. */
  #pause(operation: string, seconds: number | undefined, times: number): Effect.Effect<boolean> {
    const pauses = this.#pauses
    const wait = seconds ?? Math.min(60, 2 ** times)
    if (wait > LONGEST_PAUSE_SECONDS || times > MOST_PAUSES) return Effect.succeed(true)
    return Effect.map(monotonic, (now) => {
      pauses.set(operation, Math.max(pauses.get(operation) ?? 0, now + wait * 1000))
      return false
    })
  }
}
