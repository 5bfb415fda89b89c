/**
 * Decodes what the service says about an invoice's cover into what the ledger keeps: from answers to calls, from
 * transactions read with `expand=policy,quote`, and from webhooks. Fields that do not match the specification are left out.
 */
import * as Decimal from "../../core/money/Decimal.ts"
import * as Day from "../../core/wire/Day.ts"
import {
  type Cover,
  type CoverPolicy,
  type CoverPrice,
  type CoverQuote,
  type CoverRejection,
  type InsuredCompany,
  seen
} from "../model/Cover.ts"
import { ACCOUNT, COLLECTION_FIELDS } from "../model/CollectionContext.ts"
import type { Fields, Json, RemoteInvoice } from "../model/RemoteInvoice.ts"

type Said = Readonly<Record<string, unknown>>

const record = (value: unknown): Said | undefined =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Said) : undefined

/** Picks text fields under the given names. */
const texts = <K extends string>(said: Said, names: Readonly<Record<K, string>>): { readonly [N in K]?: string } =>
  Object.fromEntries(
    Object.entries<string>(names).flatMap(([name, member]) =>
      typeof said[member] === "string" && said[member] !== "" ? [[name, said[member]]] : []
    )
  ) as { readonly [N in K]?: string }

/** An exact decimal as text. */
const amount = (value: unknown): string | undefined =>
  (typeof value === "string" && /^-?\d+(\.\d{1,8})?$/.test(value)) ||
  (typeof value === "number" && Number.isSafeInteger(value))
    ? String(value)
    : undefined

const amounts = <K extends string>(said: Said, names: Readonly<Record<K, string>>): { readonly [N in K]?: string } =>
  Object.fromEntries(
    Object.entries<string>(names).flatMap(([name, member]) => {
      const text = amount(said[member])
      return text === undefined ? [] : [[name, text]]
    })
  ) as { readonly [N in K]?: string }

const rejectionOf = (value: unknown): CoverRejection | undefined => {
  const said = record(value)
  if (said === undefined || typeof said["code"] !== "string") return undefined
  const params = record(said["params"]) as CoverRejection["params"]
  return { code: said["code"], ...texts(said, { detail: "detail" }), ...(params === undefined ? {} : { params }) }
}

/** The price is stated at the root and in `price` (II 2.8): the root takes precedence, `price` fills in what is missing. */
const priceOf = (said: Said, insured: string | undefined): CoverPrice | undefined => {
  const inner = record(said["price"]) ?? {}
  const both: Said = Object.fromEntries(
    ["currency", "total_price", "premium", "ipt"].map((name) => [name, said[name] ?? inner[name]])
  )
  const { currency } = both
  const { premium, tax, total } = amounts(both, { total: "total_price", premium: "premium", tax: "ipt" })
  if (typeof currency !== "string" || total === undefined) return undefined
  return {
    currency,
    total,
    ...(premium === undefined ? {} : { premium }),
    ...(tax === undefined ? {} : { tax }),
    ...(insured === undefined ? {} : { insured })
  }
}

/** The insured company of a quote: its identifier, or the whole of it; null: the service matched nobody (II 2.8). */
export const company = (value: unknown): InsuredCompany | null | undefined => {
  if (value === null) return null
  if (typeof value === "string" && value !== "") return { id: value }
  const whole = record(value)
  if (whole === undefined || typeof whole["id"] !== "string") return undefined
  const identifiers = Array.isArray(whole["identifiers"]) ? whole["identifiers"] : []
  const numbers = identifiers.flatMap((identifier) => {
    const { value: number } = record(identifier) ?? {}
    return typeof number === "string" && number !== "" ? [number] : []
  })
  return {
    id: whole["id"],
    ...texts(whole, { name: "name", country: "country" }),
    ...(numbers.length === 0 ? {} : { numbers })
  }
}

/** Decodes a quote (II 2.8); undefined if it is not one. */
export const quote = (value: unknown): CoverQuote | undefined => {
  const said = record(value)
  if (said === undefined || typeof said["id"] !== "string" || typeof said["status"] !== "string") return undefined
  const insured = amount(record(said["insured"])?.["insured_amount"])
  const rejection = rejectionOf(said["rejection_reason"])
  const price = priceOf(said, insured)
  const matched = company(said["client"])
  return {
    id: said["id"],
    status: said["status"],
    ...texts(said, { created: "created", validUntil: "valid_until" }),
    ...(matched === undefined ? {} : { company: matched }),
    ...(insured === undefined ? {} : { insured }),
    ...(price === undefined ? {} : { price }),
    ...(rejection === undefined ? {} : { rejection })
  }
}

/** Decodes a policy (II 2.9); undefined if it is not one. */
export const policy = (value: unknown): CoverPolicy | undefined => {
  const said = record(value)
  if (said === undefined || typeof said["id"] !== "string" || typeof said["status"] !== "string") return undefined
  const documents = (Array.isArray(said["documents"]) ? said["documents"] : []).flatMap((one) => {
    const { category, url } = record(one) ?? {}
    return typeof category === "string" && typeof url === "string" ? [{ category, url }] : []
  })
  const collection = record(said["collection"])?.["id"] ?? said["collection"]
  return {
    id: said["id"],
    status: said["status"],
    // Assumption: II shows no field for the recovered amount.
    ...texts(said, { number: "number", recovered: "recovered_amount" }),
    ...(documents.length === 0 ? {} : { documents }),
    ...(typeof collection === "string" ? { collection } : {})
  }
}

/** When a policy was bought, an instant. */
export const created = (value: unknown): string | undefined =>
  texts(record(value) ?? {}, { created: "created" }).created

/** A field of a collection has its default value (II 2.10): nothing, false, or an amount of 0. */
const isDefault = (value: unknown): boolean =>
  value === undefined || value === null || value === "" || value === false || /^0+(\.0+)?$/.test(String(value))

const NUMBER = /^\d+(\.\d+)?$/

/** One amount, however many zeros end it; digits without a point are no amount. */
const isSameAmount = (one: unknown, other: unknown): boolean =>
  [one, other].every((text) => typeof text === "string" && NUMBER.test(text)) &&
  `${String(one)}${String(other)}`.includes(".") &&
  Decimal.of(String(one)) === Decimal.of(String(other))

/** Whether the service holds the value that was written. Surrounding spaces make no difference. */
const isHeld = (written: Json, holds: unknown): boolean =>
  (isDefault(written) && isDefault(holds)) ||
  isSameAmount(written, holds) ||
  (typeof written === "string" && typeof holds === "string"
    ? written.trim() === holds.trim()
    : String(written) === String(holds))

/** Of the fields that were written from here, those that the service still holds. Secrets are never shown: they stand. */
export const heldFields = (written: Fields, says: Said): Fields =>
  Object.fromEntries(
    Object.entries(written).filter(
      ([name, value]) => (typeof value === "object" && value !== null) || isHeld(value, says[name])
    )
  )

/** What the service holds of a collection beside the fields that were written from here, and beside the account. */
export const prefilled = (says: Said, written: Fields = {}): Fields =>
  Object.fromEntries(
    COLLECTION_FIELDS.flatMap((name) =>
      isDefault(says[name]) || name in written || ACCOUNT.includes(name) ? [] : [[name, says[name] as Json] as const]
    )
  )

/** The first day on which an invoice can have been ready to be handed over, as far as it shows by itself: once it was due (II 3.3). */
const dueOn = ({ due_date }: Said, today: Day.Day): Day.Day =>
  typeof due_date === "string" && Day.isDay(due_date) && due_date < today ? Day.of(due_date) : today

/**
 * The ledger of an invoice with the quote and policy of its transaction, as read at a time.
 *
 * @param now by the service's clock
 * @param lastRead when it was read before by the same clock, if that is known; what lies ahead is not
 */
export const reading = (remote: RemoteInvoice, said: Said, now: number, lastRead?: number): RemoteInvoice => {
  const before = remote.cover ?? {}
  const read = { quote: quote(said["quote"]), policy: policy(said["policy"]) }
  const { debtor } = said
  const today = Day.fromEpochMillis(now)
  const lastDay = lastRead === undefined || lastRead > now ? dueOn(said, today) : Day.fromEpochMillis(lastRead)
  const after: Cover = {
    ...before,
    ...(read.quote === undefined ? {} : { quote: sameQuote(before.quote, read.quote) }),
    ...(read.policy === undefined ? {} : { policy: seen(before.policy, read.policy, today, lastDay) }),
    ...(typeof debtor === "string" ? { company: debtor } : {})
  }
  return Object.keys(after).length === 0 ? remote : { ...remote, cover: after }
}

/** Keeps fields that only the quote's own answer has: inside a transaction some may be missing. */
const sameQuote = (before: CoverQuote | undefined, now: CoverQuote): CoverQuote =>
  before?.id !== now.id
    ? now
    : {
        ...before,
        ...now,
        // A quote names its company; what is known of that company stays.
        ...(before.company?.id !== undefined && before.company.id === now.company?.id
          ? { company: { ...before.company, ...now.company } }
          : {})
      }
