/**
 * The cover of an invoice as the service last stated it: its quote (II 2.8), its policy (II 2.9) and its collection
 * (II 2.10). Part of the ledger's entry of the invoice. Amounts are exact decimals as text; instants are as they came.
 */
import { Schema } from "effect"
import { Day } from "../../core/wire/Day.ts"

const maybe = Schema.optionalKey
const text = Schema.String

/** Why there is no cover: a code, a sentence with its placeholders, and their values (II 2.8). */
export const CoverRejection = Schema.Struct({
  code: text,
  detail: maybe(text),
  params: maybe(Schema.Record(text, Schema.Json))
})
export type CoverRejection = typeof CoverRejection.Type

/** What a quote costs and covers. */
export const CoverPrice = Schema.Struct({
  currency: text,
  /** With tax. */
  total: text,
  /** Without tax. */
  premium: maybe(text),
  tax: maybe(text),
  /** The amount that is insured, in the currency of the invoice. */
  insured: maybe(text)
})
export type CoverPrice = typeof CoverPrice.Type

export const CoverQuote = Schema.Struct({
  id: text,
  /** `declined`, `offered`, `expired`, `accepted`, or one that is not known yet. */
  status: text,
  created: maybe(text),
  validUntil: maybe(text),
  price: maybe(CoverPrice),
  /** The amount that it insures, where it has no price. */
  insured: maybe(text),
  rejection: maybe(CoverRejection)
})
export type CoverQuote = typeof CoverQuote.Type

export const CoverPolicy = Schema.Struct({
  id: text,
  number: maybe(text),
  /** II 3.3, or one that is not known yet. */
  status: text,
  /** The day on which this status was seen first. */
  since: maybe(Day),
  /** The day on which it was first seen late. */
  lateSince: maybe(Day),
  /** The day on which it could first be handed over: the window begins. */
  handoverSince: maybe(Day),
  /** The last day of the window, where the service states it. */
  windowEnds: maybe(Day),
  documents: maybe(Schema.Array(Schema.Struct({ category: text, url: text }))),
  /** What was recovered, where the service states it. */
  recovered: maybe(text),
  /** The collection that it names. */
  collection: maybe(text)
})
export type CoverPolicy = typeof CoverPolicy.Type

/** A file that goes with a collection. */
export const CoverDocument = Schema.Struct({
  /** II 2.11: `invoice`, `statement`, `prood_order`, `proof_delivery`, and so on. */
  type: text,
  /** Of its bytes: it is kept and found by it. */
  digest: text,
  name: text,
  mime: text
})
export type CoverDocument = typeof CoverDocument.Type

/** A person's word for a collection: who, when (milliseconds), and the digest of what was shown. */
export const Declaration = Schema.Struct({
  /** The decision in the state file. */
  decision: Schema.Int,
  who: text,
  at: Schema.Int,
  shown: text
})
export type Declaration = typeof Declaration.Type

export interface CoverCollection {
  readonly id: string
  /** Its members as they were sent, in the shape of the wire; what is secret in them is named, not written. */
  readonly fields: Readonly<Record<string, Schema.Json>>
  readonly documents: ReadonlyArray<CoverDocument & { readonly id: string }>
  /** What the service filled in by itself. */
  readonly prefilled?: Readonly<Record<string, Schema.Json>>
  readonly confirmed?: Declaration
  /** When the service had it sent. */
  readonly sent?: string
  /** It may have more on the service than is known of it here: it is read before anything of it is changed. */
  readonly isDoubted?: true
}

export interface Cover {
  readonly quote?: CoverQuote
  /** How often in a row a quote of this invoice, as it was, was asked for because the one before expired. */
  readonly asked?: number
  /** What of the invoice the quote was asked for with, see `askedWith`. */
  readonly askedWith?: string
  /** The buyer's company, as the service matched it. */
  readonly company?: string
  readonly policy?: CoverPolicy
  readonly collection?: CoverCollection
}

/** What of an invoice a decision about its cover rests on: when it differs, another quote may be another answer. */
export const askedWith = (fields: Readonly<Record<string, Schema.Json>>): string =>
  ["net_amount", "currency", "issue_date", "due_date", "debtor", "debtor_name", "debtor_country"]
    .map((name) => String(fields[name] ?? ""))
    .join("|")

/** The collection of a policy, also where somebody else began it. */
export const collectionOn = (cover: Cover | undefined): CoverCollection | undefined => {
  if (cover?.collection !== undefined) return cover.collection
  const id = cover?.policy?.collection
  return id === undefined ? undefined : { id, fields: {}, documents: [], isDoubted: true }
}

/** Statuses of a policy that nothing follows after. What is not known is not final. */
const FINAL: ReadonlySet<string> = new Set([
  "paid",
  "paid_distributor",
  "elapsed",
  "lapsed",
  "cancelled",
  "not_collectable",
  "not_collectable_dispute",
  "claim_rejected",
  "recovery_complete",
  "recovery_rejected"
])

export const isFinal = ({ status }: CoverPolicy): boolean => FINAL.has(status)

/** Statuses in which nobody covers the invoice any more, and nobody will. */
const ENDED: ReadonlySet<string> = new Set(["elapsed", "lapsed", "cancelled"])

export const hasLapsed = ({ status }: CoverPolicy): boolean => ENDED.has(status)

/** Statuses before anything was handed over. */
const BEFORE_HANDOVER: ReadonlySet<string> = new Set(["active", "late", "late_can_handover"])

export const isBeforeHandover = ({ status }: CoverPolicy): boolean => BEFORE_HANDOVER.has(status)

/** A policy with a status that was seen on a day: the days on which it became late and could be handed over are kept. */
export const seen = (before: CoverPolicy | undefined, now: CoverPolicy, day: Day | undefined): CoverPolicy => {
  const same = before?.id === now.id ? before : undefined
  const since = same?.status === now.status ? (same.since ?? day) : day
  const lateSince = same?.lateSince ?? (now.status === "late" || now.status === "late_can_handover" ? day : undefined)
  const handoverSince = same?.handoverSince ?? (now.status === "late_can_handover" ? day : undefined)
  const windowEnds = now.windowEnds ?? same?.windowEnds
  return {
    ...now,
    ...(since === undefined ? {} : { since }),
    ...(lateSince === undefined ? {} : { lateSince }),
    ...(handoverSince === undefined ? {} : { handoverSince }),
    ...(windowEnds === undefined ? {} : { windowEnds })
  }
}
