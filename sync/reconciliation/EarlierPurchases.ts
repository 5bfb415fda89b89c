/**
 * Accounts for purchases made by another state file: a lost one, or a later one than this. Their claims are missing here, so
 * the month's budget would ignore what they spent. The service has the policies, each with the price of its quote. It has the
 * offers as well, about which somebody may have said no: the invoice's next offer is not bought without a word either.
 *
 * It is impossible to tell whether somebody else bought such a policy: each counts as ours, so that never too much is spent.
 */
import { Effect } from "effect"
import { Client } from "../../core/Client.ts"
import type { ServiceError } from "../../core/ServiceError.ts"
import * as CoverAnswers from "../apply/CoverAnswers.ts"
import { withCover } from "../apply/ReadBackCover.ts"
import type { CoverQuote } from "../model/Cover.ts"
import { millisOf, monthOf } from "../rules/CoverParts.ts"
import * as ServiceTime from "../plan/ServiceTime.ts"
import type { Db } from "../state/Database.ts"

type Said = Readonly<Record<string, unknown>>

interface Purchase {
  readonly subject: string
  readonly policy: string
  readonly quote: string | undefined
  readonly bought: number | undefined
  readonly price: { readonly currency: string; readonly total: string } | undefined
}

const isObject = (value: unknown): boolean => typeof value === "object" && value !== null

export class EarlierPurchases {
  readonly #client: Client["Service"]
  readonly #started: number
  readonly #found: Array<Purchase> = []
  readonly #offers: Array<{ readonly subject: string; readonly quote: CoverQuote }> = []
  /** The file knows that it may lack what was sent. A file that was restored by other means does not. */
  readonly lacks: boolean

  constructor(client: Client["Service"], lacks: boolean, now: number) {
    this.#client = client
    this.lacks = lacks
    this.#started = now
  }

  /** In the service's time, as its answers state it: a lost file does not know by how much this machine's clock is wrong. */
  #of(now: number): number {
    return now - (this.#client.clock.ahead ?? 0)
  }

  /**
   * Takes a transaction as it was read; if it only names its policy, reads it again with the policy.
   *
   * @param known the ledger has it as insured
   */
  look(subject: string, id: string, read: Said, known: boolean): Effect.Effect<void, ServiceError> {
    const { policy, quote } = read
    const offered = CoverAnswers.quote(quote)
    if (offered?.price !== undefined) this.#offers.push({ subject, quote: offered })
    if (policy === null || policy === undefined || (known && !this.lacks)) return Effect.void
    const whole =
      isObject(policy) && isObject(quote)
        ? Effect.succeed(read)
        : withCover(id).pipe(Effect.provideService(Client, this.#client))
    return Effect.map(whole, (said) => {
      const [insured, offer] = [CoverAnswers.policy(said["policy"]), CoverAnswers.quote(said["quote"])]
      if (insured === undefined) return
      const bought = millisOf(CoverAnswers.created(said["policy"]))
      // Nothing before this month counts any more.
      if (bought !== undefined && bought < monthOf(this.#of(this.#started))[0]) return
      this.#found.push({ subject, policy: insured.id, quote: offer?.id, bought, price: offer?.price })
    })
  }

  /** Stores the policies that no call of this file bought or may have bought, and the offers that it does not know. */
  keep(db: Db, now: number): void {
    ServiceTime.remember(db, this.#client.clock.ahead)
    this.#keepOffers(db, now)
    const isOwn = db.prepare(
      `SELECT 1 FROM claim c LEFT JOIN receipt r ON r.claim = c.id
        WHERE c.subject = :subject AND c.operation = 'policies.create' AND (r.outcome IS NULL OR r.outcome = 'done')
          AND coalesce(c.request ->> '$.body.quote' = :quote, 1)`
    )
    const insert = db.prepare(
      "INSERT INTO earlier_purchase VALUES (:policy, :subject, :bought, :currency, :total) ON CONFLICT DO NOTHING"
    )
    for (const { bought = this.#of(now), policy, price, quote = null, subject } of this.#found) {
      if (isOwn.get({ subject, quote }) !== undefined) continue
      insert.run({ policy, subject, bought, currency: price?.currency ?? null, total: price?.total ?? null })
    }
  }

  #keepOffers(db: Db, now: number): void {
    const insert = db.prepare(
      `INSERT INTO cover_event (subject, at, what, after, detail)
        SELECT :subject, :at, 'quote', :status, :id
          WHERE NOT EXISTS (SELECT 1 FROM cover_event WHERE subject = :subject AND what = 'quote' AND detail = :id)`
    )
    for (const { quote, subject } of this.#offers) {
      // Before the ledger is trusted again, whatever the two clocks say.
      const at = Math.min(millisOf(quote.created) ?? now, now - 1)
      insert.run({ subject, at, status: quote.status, id: quote.id })
    }
  }
}
