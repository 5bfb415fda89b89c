/**
 * Defines the cover of an invoice as the service last stated it: its quote (II 2.8), its policy (II 2.9) and its collection
 * (II 2.10). It is part of the invoice's ledger entry. Amounts are exact decimals as text; instants are kept as received.
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

/** A company of the service, as far as it is known. */
export const InsuredCompany = Schema.Struct({
  id: text,
  name: maybe(text),
  country: maybe(text),
  /** Its numbers in registers. */
  numbers: maybe(Schema.Array(text)),
  /** It was asked for, and could not be read. */
  unread: maybe(Schema.Literal(true))
})
export type InsuredCompany = typeof InsuredCompany.Type

export const CoverQuote = Schema.Struct({
  id: text,
  /** `declined`, `offered`, `expired`, `accepted`, or an unknown status. */
  status: text,
  created: maybe(text),
  validUntil: maybe(text),
  price: maybe(CoverPrice),
  /** The company that is insured, as the service matched it; null: it matched nobody (II 4). */
  company: maybe(Schema.NullOr(InsuredCompany)),
  /** The insured amount, if the quote has no price. */
  insured: maybe(text),
  rejection: maybe(CoverRejection)
})
export type CoverQuote = typeof CoverQuote.Type

export const CoverPolicy = Schema.Struct({
  id: text,
  number: maybe(text),
  /** See II 3.3, or an unknown status. */
  status: text,
  /** The day on which this status was first seen. */
  since: maybe(Day),
  /** The day on which it was first seen late. */
  lateSince: maybe(Day),
  /** The first day on which it may have been ready to be handed over: that of the reading before it was seen so. */
  handoverSince: maybe(Day),
  /** The day on which it was first seen as ready to be handed over. */
  handoverSeen: maybe(Day),
  /** The last day of the window, if the service states it. */
  windowEnds: maybe(Day),
  documents: maybe(Schema.Array(Schema.Struct({ category: text, url: text }))),
  /** The recovered amount, if the service states it. */
  recovered: maybe(text),
  /** The collection that the policy refers to. */
  collection: maybe(text)
})
export type CoverPolicy = typeof CoverPolicy.Type

/** A file that goes with a collection. */
export const CoverDocument = Schema.Struct({
  /** II 2.11: `invoice`, `statement`, `prood_order`, `proof_delivery`, and so on. */
  type: text,
  /** The digest of its bytes, by which it is stored and found. */
  digest: text,
  name: text,
  mime: text
})
export type CoverDocument = typeof CoverDocument.Type

/** A document of a collection that was not attached from here. */
export const ForeignDocument = Schema.Struct({ id: text, type: text, description: text })
export type ForeignDocument = typeof ForeignDocument.Type

/** A person's confirmation of a collection: who, when (milliseconds), and the digest of what was shown. */
export const Declaration = Schema.Struct({
  /** The decision's id in the state file. */
  decision: Schema.Int,
  who: text,
  at: Schema.Int,
  shown: text
})
export type Declaration = typeof Declaration.Type

export interface CoverCollection {
  readonly id: string
  /** Its fields as sent on the wire; secrets are named, not included. */
  readonly fields: Readonly<Record<string, Schema.Json>>
  readonly documents: ReadonlyArray<CoverDocument & { readonly id: string }>
  /** What the service holds beside `fields`: values that it filled in by itself, and those that others wrote. */
  readonly prefilled?: Readonly<Record<string, Schema.Json>>
  /** Documents that others attached on the service. */
  readonly others?: ReadonlyArray<ForeignDocument>
  readonly confirmed?: Declaration
  /** When the service sent it to the collections partner. */
  readonly sent?: string
  /** The service may hold more than is known here: it must be read before anything is changed. */
  readonly isDoubted?: true
}

export interface Cover {
  readonly quote?: CoverQuote
  /** How many quotes in a row were requested for the unchanged invoice because the one before expired. */
  readonly asked?: number
  /** The invoice's fields that the quote was requested with, see `askedWith`. */
  readonly askedWith?: string
  /** The buyer's company, as the service matched it. */
  readonly company?: string
  readonly policy?: CoverPolicy
  readonly collection?: CoverCollection
}

/** The fields of an invoice that a decision about its cover depends on: when they change, another quote may end differently. */
export const askedWith = (fields: Readonly<Record<string, Schema.Json>>): string =>
  ["net_amount", "currency", "issue_date", "due_date", "debtor", "debtor_name", "debtor_country"]
    .map((name) => String(fields[name] ?? ""))
    .join("|")

/** The collection of a policy, also if somebody else created it. */
export const collectionOn = (cover: Cover | undefined): CoverCollection | undefined => {
  if (cover?.collection !== undefined) return cover.collection
  const id = cover?.policy?.collection
  return id === undefined ? undefined : { id, fields: {}, documents: [], isDoubted: true }
}

/** Final statuses of a policy. An unknown status is not final. */
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

/** Statuses in which the invoice is no longer covered and will not be again. */
const ENDED: ReadonlySet<string> = new Set(["elapsed", "lapsed", "cancelled"])

export const hasLapsed = ({ status }: CoverPolicy): boolean => ENDED.has(status)

/** Statuses before a handover. */
const BEFORE_HANDOVER: ReadonlySet<string> = new Set(["active", "late", "late_can_handover"])

export const isBeforeHandover = ({ status }: CoverPolicy): boolean => BEFORE_HANDOVER.has(status)

/**
 * A policy whose status was seen on a day: keeps the days on which it became late and could be handed over.
 *
 * @param lastRead the day of the reading before: the window may have begun right after it, and never ends later than we say
 */
export const seen = (
  before: CoverPolicy | undefined,
  now: CoverPolicy,
  day: Day | undefined,
  lastRead: Day | undefined = day
): CoverPolicy => {
  const same = before?.id === now.id ? before : undefined
  const since = same?.status === now.status ? (same.since ?? day) : day
  const lateSince = same?.lateSince ?? (now.status === "late" || now.status === "late_can_handover" ? day : undefined)
  const handoverSince = same?.handoverSince ?? (now.status === "late_can_handover" ? lastRead : undefined)
  const handoverSeen = same?.handoverSeen ?? (now.status === "late_can_handover" ? day : undefined)
  const windowEnds = now.windowEnds ?? same?.windowEnds
  return {
    ...now,
    ...(since === undefined ? {} : { since }),
    ...(lateSince === undefined ? {} : { lateSince }),
    ...(handoverSince === undefined ? {} : { handoverSince }),
    ...(handoverSeen === undefined ? {} : { handoverSeen }),
    ...(windowEnds === undefined ? {} : { windowEnds })
  }
}
