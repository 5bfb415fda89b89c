/**
 * Finds out whether another Daybook keeps the records of the same seller: a second server with a state file of its own would send
 * everything once more. Looked for where it would cost money: before the first invoice of a run is created, and before a
 * payment is reported on an invoice of an earlier run.
 */
import { Effect } from "effect"
import type { Transaction } from "../../core/insurance/Transactions.ts"
import * as Decimal from "../../core/money/Decimal.ts"
import { Conflict, type Reason } from "../../core/ServiceError.ts"
import type { Call } from "../model/Call.ts"
import type { Connection } from "../model/Connection.ts"
import * as Owners from "../plan/Owners.ts"
import * as PastCalls from "../state/calls/PastCalls.ts"
import type { StateError, Db } from "../state/Database.ts"
import * as LedgerTrust from "../state/LedgerTrust.ts"
import { type Job, write } from "./Job.ts"
import type { Sender } from "./Sender.ts"

/** Of the invoices that a run creates, the service is asked for so many: another Daybook with the same books has them all. */
export const MOST_ASKED = 5

/** Transactions with their owners: another seller of the same account may use the same keys. */
const WHOLE = { expand: "owner", limit: 100 }

/** What the `details` of a payment begin with that a Daybook reported, whatever its connection is called. */
const REPORTED = /^[^\s/;]+\/(?:invoice|payment|reversal|credit_note)\/[^;]+/

/** Remembers a transaction under a key of ours that the ledger does not hold: an audit named it, and it is not news. */
export const remember = (db: Db, key: string, id: string): void =>
  void db.prepare("INSERT INTO other_transaction VALUES (?, ?) ON CONFLICT DO NOTHING").run(key, id)

/** In words, what the service has under a key of these connections that this file has not sent; undefined if nothing. */
const unknown = (
  db: Db,
  connections: ReadonlyArray<Connection>,
  { id, owner, unique_id: key }: Transaction
): string | undefined => {
  const connection = connections.find((one) => key?.startsWith(`${one.id}/invoice/`))
  if (connection === undefined) return undefined
  const isOurs = typeof owner === "string" ? owner === Owners.find(db, Owners.key(connection.id)) : undefined
  if (!(isOurs ?? Owners.isExactly(owner, connection.planning))) return undefined
  const isKnown = db.prepare(
    `SELECT 1 FROM ledger WHERE subject = :key AND remote = :id
     UNION ALL SELECT 1 FROM other_transaction WHERE subject = :key AND id = :id`
  )
  if (isKnown.get({ key, id }) !== undefined) return undefined
  const isSent = PastCalls.of(db, `${key}`).some(({ outcome, remote }) => remote === id || outcome === null)
  return isSent ? undefined : `the service has ${key}, which this file did not send`
}

/** Doubts the ledger: nothing is sent from this file until a person has looked. */
const doubt = (db: Db, found: string): Effect.Effect<string, StateError> => {
  const why = `${found}: another Daybook may be keeping the records of this seller; if so, stop one of the two first`
  return Effect.as(
    db.transaction(() => LedgerTrust.doubt(db.raw, why)),
    why
  )
}

/**
 * Asks the service for some of the invoices that are about to be created. If it has one of them, the ledger is doubted. If it
 * cannot be asked, the answers to what is sent decide.
 *
 * @param created keys of invoices
 * @returns why nothing is sent in this run, if the key is not accepted
 */
export const look = (
  db: Db,
  sender: Sender,
  connections: ReadonlyArray<Connection>,
  created: ReadonlyArray<string>
): Effect.Effect<Reason | undefined, StateError> =>
  Effect.gen(function* () {
    for (const unique_id of created) {
      const { count, results } = yield* sender.transactions({ ...WHOLE, unique_id, offset: 0 })
      // Some versions of the service do not filter: then the ends of the list are looked at, wherever the newest are.
      const isFiltered = results.every((one) => one.unique_id === unique_id)
      const last = isFiltered || count <= 100 ? undefined : sender.transactions({ ...WHOLE, offset: count - 100 })
      const listed = [...results, ...(last === undefined ? [] : (yield* last).results)]
      const found = yield* db.read(() =>
        listed.map((one) => unknown(db, connections, one)).find((why) => why !== undefined)
      )
      if (found !== undefined) yield* doubt(db, found)
      if (found !== undefined || !isFiltered) return undefined
    }
    return undefined
  }).pipe(
    Effect.catchTag("ServiceError", ({ reason }) => Effect.succeed(reason._tag === "Unauthorized" ? reason : undefined))
  )

/** Whether a call is the first report of a payment in this run, on an invoice of an earlier one. */
export const isFirstReport = ({ alone, plan }: Job, call: Call): boolean =>
  call.operation === "transactions.createPayment" && plan.remote !== undefined && alone !== true

/**
 * Reads the payments of a transaction before one is reported on it. What others reported since is noted, and the document is
 * planned again with it; what another Daybook reported makes the ledger doubted. If it cannot be read, the payment leaves, and
 * the answer to it decides.
 *
 * @returns whether the payment may leave
 */
export const isAlone = (db: Db, sender: Sender, job: Job): Effect.Effect<boolean, StateError> =>
  Effect.gen(function* () {
    const { plan, remote } = job
    if (remote?.kind !== "invoice") return true
    const { others = [], postings } = remote
    const known = new Set([...postings, ...others].map(({ id }) => id))
    const read = yield* Effect.result(Effect.interruptible(sender.payments(remote, known)))
    const news = read._tag === "Failure" ? [] : read.success.filter(({ id }) => !known.has(id))
    job.alone = news.length === 0
    if (job.alone) return true
    const theirs = news.map(({ details }) => REPORTED.exec(details ?? "")?.[0]).find((key) => key !== undefined)
    if (theirs === undefined) {
      const noted = news.map(({ amount, date, id }) => ({ id, date: date ?? null, amount: Decimal.format(amount) }))
      job.remote = { ...remote, others: [...others, ...noted] }
      job.again = "moved"
      yield* db.commit(() => void write(db, job, job.remote))
    } else {
      const found = `the service has ${theirs} on ${plan.subject}, which this file did not send`
      job.stopped = new Conflict({ detail: yield* doubt(db, found) })
    }
    return false
  })
