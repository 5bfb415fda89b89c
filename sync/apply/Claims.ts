/**
 * Claims and receipts: the durable record of every call.
 *
 * A claim is on disk before its request leaves; its receipt is committed together with what the ledger then says.
 * A claim without a receipt is a call whose outcome nobody knows: it is recovered before its invoice is touched again.
 */
import { Result } from "effect"
import type { Answer } from "../model/Answer.ts"
import type { Call } from "../model/Call.ts"
import * as CoverAnswers from "./CoverAnswers.ts"
import { encodeRemote, type Remote } from "../model/Remote.ts"
import { explain, type Rejection } from "../../core/insurance/Rejections.ts"
import * as Instant from "../../core/wire/Instant.ts"
import type { Database } from "../state/Database.ts"
import type { MinorFigures } from "../model/InvoiceFacts.ts"
import type { Offer } from "../model/DeferredPayment.ts"
import { damaged, StateError } from "../state/StateError.ts"
import * as StoredCall from "./StoredCall.ts"

type Db = Database["Service"]

/** How a call ended. `absent`: it is certain that it changed nothing. */
export type Outcome = "done" | "refused" | "absent"

export interface Claim {
  readonly id: number
  readonly call: Call
  /** The run that made it. */
  readonly run: number
}

export const claim = (db: Db, run: number, call: Call, now: number): number => {
  // In the transaction of the claim: whoever got in before reads what is claimed, whoever comes later keeps this one out.
  db.verify()
  const { subject, fact, rule, operation, reason } = call
  const request = StoredCall.encode(call)
  const { lastInsertRowid } = db
    .prepare(
      "INSERT INTO claim (run, subject, fact, rule, operation, request, reason, claimed) VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
    )
    .run(run, subject, fact, rule, operation, request, reason, now)
  return Number(lastInsertRowid)
}

/**
 * The request leaves now, later than it was claimed: after a pause, or once more because it is certain that it changed
 * nothing so far.
 */
export const leaves = (db: Db, id: number, again: boolean, now: number): void => {
  db.verify()
  db.prepare("UPDATE claim SET sends = sends + ?, claimed = ? WHERE id = ?").run(again ? 1 : 0, now, id)
}

export interface StoredReceipt {
  readonly outcome: Outcome
  readonly status: number | undefined
  readonly answer: unknown
  readonly remote?: string | undefined
}

/** Members of an answer that are secret, or let whoever has them into the service; they are not kept (II 5, DP 2.7). */
const WITHHELD = [
  "transaction_key",
  "referral_url",
  "payment_url",
  // A collection is answered with the account of whoever recovered money goes to.
  "bank_account_sortcode",
  "bank_account_number"
]

const withhold = (name: string, value: unknown): unknown => (WITHHELD.includes(name) ? undefined : value)

export const receipt = (db: Db, id: number, { answer, outcome, remote, status }: StoredReceipt, now: number): void => {
  const text = answer === undefined ? null : typeof answer === "string" ? answer : JSON.stringify(answer, withhold)
  const { changes } = db.prepare("UPDATE claim SET has_receipt = 1 WHERE id = ? AND has_receipt = 0").run(id)
  if (changes === 0) {
    throw new StateError({
      kind: "replaced",
      file: db.file,
      why: `another program settled call ${id} while this one was waiting for its answer: both use this state file. Nothing more was sent; stop one of them and run again`
    })
  }
  db.prepare("INSERT INTO receipt VALUES (?, ?, ?, ?, ?, ?)").run(
    id,
    outcome,
    status ?? null,
    remote ?? null,
    text,
    now
  )
}

/** The call as it was claimed. */
const read = (db: Db, row: StoredCall.CallRow): Call =>
  Result.getOrThrowWith(StoredCall.decode(row), (why) => damaged(db.file, `call ${row.id} cannot be read: ${why}`))

/** Calls whose outcome nobody knows, oldest first. */
export const pending = (db: Db): ReadonlyArray<Claim> =>
  (db.prepare("SELECT * FROM claim WHERE has_receipt = 0 ORDER BY id").all() as ReadonlyArray<StoredCall.CallRow>).map(
    (row) => ({
      id: row.id,
      call: read(db, row),
      run: row.run
    })
  )

/** Whether another run has claimed a call of this document after that claim. */
export const isClaimedByOthers = (
  db: Db,
  subject: string,
  { after, run }: { readonly after: number; readonly run: number }
): boolean =>
  db.prepare("SELECT 1 FROM claim WHERE subject = ? AND id > ? AND run <> ?").get(subject, after, run) !== undefined

/** Writes what the ledger says of an invoice, an order or a buyer. Amounts in minor units, for sums. */
export const writeLedger = (
  db: Db,
  subject: string,
  connection: string,
  remote: Remote | undefined,
  standing: {
    readonly reason?: string | undefined
    readonly currency: string
    readonly books: bigint
    readonly service: bigint
    readonly figures?: MinorFigures
  }
): void => {
  const { balance, follows, says } = standing.figures ?? { balance: null, follows: null, says: null }
  db.prepare(
    `INSERT INTO ledger VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (subject) DO UPDATE SET remote = excluded.remote,
      held = excluded.held, reason = excluded.reason, currency = excluded.currency, books_open = excluded.books_open,
      service_open = excluded.service_open, balance = excluded.balance, source_open = excluded.source_open,
      source_follows = excluded.source_follows`
  ).run(
    subject,
    connection,
    remote?.id ?? null,
    remote === undefined ? null : encodeRemote(remote),
    standing.reason ?? null,
    standing.currency,
    standing.books,
    standing.service,
    balance,
    says,
    follows
  )
}

/** What an answer of the service says that the ledger keeps: id, status, cover, and amounts as the service states them. */
export const answerOf = (operation: string, body: unknown): Answer => {
  if (body === null || typeof body !== "object") return { kind: "done" }
  const answer = body as Readonly<Record<string, unknown>>
  const id = typeof answer["id"] === "string" ? { id: answer["id"] } : {}
  if (operation === "offers.create") return { kind: "offer", offer: offerOf(answer) }
  if (operation.startsWith("organisations.") && "payment_method_config" in answer) {
    return { kind: "organisation", ...id, methods: preferences(answer["payment_method_config"]) }
  }
  if (operation === "collections.create")
    return { kind: "collection", ...id, prefilled: CoverAnswers.prefilled(answer) }
  const quote = operation === "quotes.create" ? CoverAnswers.quote(answer) : undefined
  if (quote !== undefined) return { kind: "quote", quote }
  const policy = operation === "policies.create" ? CoverAnswers.policy(answer) : undefined
  if (policy !== undefined) return { kind: "policy", policy }
  if (!operation.startsWith("transactions.") || operation === "transactions.createPayment")
    return { kind: "done", ...id }
  const stated: Record<string, string | null> = {}
  for (const name of ["net_amount", "gross_amount"]) {
    const value = answer[name]
    if (typeof value === "string" && /^-?\d+\.\d{2}$/.test(value)) stated[name] = value
    else if (value === null) stated[name] = null
  }
  return {
    kind: "transaction",
    ...id,
    ...(typeof answer["status"] === "string" ? { status: answer["status"] } : {}),
    ...("policy" in answer ? { insured: answer["policy"] !== null && answer["policy"] !== undefined } : {}),
    stated
  }
}

type Json = Readonly<Record<string, unknown>>

const preferences = (config: unknown): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries((config ?? {}) as Readonly<Record<string, Json>>).flatMap(([type, { preference }]) =>
      typeof preference === "string" ? [[type, preference]] : []
    )
  )

/** An offer, as far as it is kept: what its plans are, and until when they can be taken. */
export const offerOf = (answer: Json): Offer => {
  const plans = Array.isArray(answer["offered_payment_plans"]) ? (answer["offered_payment_plans"] as Array<Json>) : []
  const ends = plans.map(({ valid_until }) =>
    typeof valid_until === "string" ? Instant.toEpochMillis(valid_until) : NaN
  )
  const until = Math.max(...ends)
  return {
    id: String(answer["id"]),
    plans: plans.map(({ id, name, rejection_reason: why, status }) => ({
      id: String(id),
      name: String(name ?? id),
      status: String(status),
      ...(typeof why === "object" && why !== null ? { why: explain(why as Rejection) } : {})
    })),
    ...(Number.isFinite(until) ? { until } : {})
  }
}

/** Whether an answer is what a capture, void or refund is answered with (DP 2.9). */
export const isEvent = (body: unknown): boolean =>
  typeof body === "object" && body !== null && "type" in body && "amount" in body && "changes" in body
