/**
 * Stores claims and receipts: the durable record of every call.
 *
 * A claim is on disk before its request leaves; the receipt is committed together with the new ledger. A claim without a
 * receipt is a call whose outcome is unknown: it must be recovered before anything else is sent for its document.
 */
import { Result } from "effect"
import { ACCOUNT } from "../model/CollectionContext.ts"
import type { Answer } from "../model/Answer.ts"
import type { Call } from "../model/Call.ts"
import * as CoverAnswers from "./CoverAnswers.ts"
import { encodeRemote, type Remote } from "../model/Remote.ts"
import { explain, type Rejection } from "../../core/insurance/Rejections.ts"
import * as Instant from "../../core/wire/Instant.ts"
import type { Db } from "../state/Database.ts"
import type { MinorFigures } from "../model/InvoiceFacts.ts"
import type { Offer } from "../model/DeferredPayment.ts"
import { damaged, StateError } from "../state/StateError.ts"
import * as StoredCall from "./StoredCall.ts"

/** How a call ended. `absent`: it certainly changed nothing. */
export type Outcome = "done" | "refused" | "absent"

export interface Claim {
  readonly id: number
  readonly call: Call
  /** The run that made the claim. */
  readonly run: number
}

export const claim = (db: Db, run: number, call: Call, now: number): number => {
  // In the claim's transaction: an earlier run sees this claim, and a later one is kept out until it is committed.
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
 * Records that the request leaves now, later than it was claimed: after a pause, or again because it certainly changed nothing
 * so far.
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

/** Fields of answers that are secret or give access to the service; they are not stored (II 5, DP 2.7). */
const WITHHELD = ["transaction_key", "referral_url", "payment_url", ...ACCOUNT]

const withhold = (name: string, value: unknown): unknown => (WITHHELD.includes(name) ? undefined : value)

/** JSON without those fields. Leaving them out takes several times as long as writing, and few answers have them. */
const stored = (answer: unknown): string => {
  const text = JSON.stringify(answer)
  return WITHHELD.some((name) => text.includes(`"${name}"`)) ? JSON.stringify(answer, withhold) : text
}

export const receipt = (db: Db, id: number, { answer, outcome, remote, status }: StoredReceipt, now: number): void => {
  const text = answer === undefined ? null : typeof answer === "string" ? answer : stored(answer)
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

/** Calls with an unknown outcome, oldest first. */
export const pending = (db: Db): ReadonlyArray<Claim> =>
  (db.prepare("SELECT * FROM claim WHERE has_receipt = 0 ORDER BY id").all() as ReadonlyArray<StoredCall.CallRow>).map(
    (row) => ({
      id: row.id,
      call: read(db, row),
      run: row.run
    })
  )

/** Writes the ledger entry of an invoice, an order or a buyer. Amounts in minor units, so that they can be summed. */
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
    remote === undefined ? null : encodeRemote(subject, remote),
    standing.reason ?? null,
    standing.currency,
    standing.books,
    standing.service,
    balance,
    says,
    follows
  )
  if (remote?.kind === "invoice") keepPosted(db, subject, remote.postings)
}

/** Where each fact was ever reported, so that it is not reported elsewhere before it was taken back there. */
const keepPosted = (db: Db, invoice: string, postings: ReadonlyArray<{ readonly fact: string }>): void => {
  const insert = db.prepare("INSERT INTO posted VALUES (?, ?) ON CONFLICT DO NOTHING")
  for (const { fact } of postings) insert.run(fact, invoice)
}

/** What the ledger keeps of the service's answer: id, status, cover, and amounts as stated. */
export const storedAnswer = (operation: string, body: unknown): Answer => {
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

/** The stored part of an offer: its plans, and until when they can be accepted. */
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

/** Whether this is a valid answer to a capture, void or refund (DP 2.9). */
export const isEvent = (body: unknown): boolean =>
  typeof body === "object" && body !== null && "type" in body && "amount" in body && "changes" in body
