/**
 * Improves the schemas of the OpenAPI document: describes the wire format, and uses core's names for components.
 *
 * The definition knows more than a document can express, and some of its generated output is misleading: objects that reject
 * unknown members, alternatives that are equal. Only the document is changed here; the schemas still decide what is accepted
 * and answered.
 */
import { Schema } from "effect"
import { DeferredPayment, LedgerEvent } from "../../deferred-payment/DeferredPayments.ts"
import { Intent } from "../../deferred-payment/Intents.ts"
import { Offer, OfferCreate, PaymentPlan } from "../../deferred-payment/Offers.ts"
import { Address, IntentCreate, ItemCreate, OrderCreate, Urls } from "../../deferred-payment/OrderRequests.ts"
import { Item, Order } from "../../deferred-payment/Orders.ts"
import { PaymentMethods, PaymentMethodWishes } from "../../deferred-payment/PaymentMethods.ts"
import { StrictSoleTraderCreate } from "../../deferred-payment/SoleTraders.ts"
import { CollectionDocument } from "../../insurance/CollectionDocuments.ts"
import { Collection, CollectionCreate, CollectionUpdate } from "../../insurance/Collections.ts"
import { Company, CompanyIdentifier } from "../../insurance/Companies.ts"
import { CreditLimit } from "../../insurance/CreditLimits.ts"
import { Membership, Organisation, OrganisationCreate, OrganisationUpdate } from "../../insurance/Organisations.ts"
import { ExpandedPolicy, Policy } from "../../insurance/Policies.ts"
import { ExpandedQuote, Quote, QuoteCreate } from "../../insurance/Quotes.ts"
import { Rejection } from "../../insurance/Rejections.ts"
import { Score, ScoreRequest } from "../../insurance/Scores.ts"
import { SoleTrader, SoleTraderCreate, SoleTraderUpdate } from "../../insurance/SoleTraders.ts"
import * as Transactions from "../../insurance/Transactions.ts"
import { User, UserCreate, UserMembership, UserUpdate } from "../../insurance/Users.ts"
import { Webhook } from "../../insurance/Webhook.ts"
import { Major } from "../../money/Codecs.ts"

export type Json = { readonly [member: string]: unknown }

/** Component schemas by name, as far as they are referenced. */
export type Components = Record<string, unknown>

/** Schemas that become components; larger ones come before others of the same shape. */
const NAMED: Readonly<Record<string, Schema.Top>> = {
  Address,
  Collection,
  CollectionCreate,
  CollectionDocument,
  CollectionUpdate,
  Company,
  CompanyIdentifier,
  CreditLimit,
  Decimal: Major,
  DeferredPayment,
  ExpandedPolicy,
  ExpandedQuote,
  Intent,
  IntentCreate,
  Item,
  ItemCreate,
  LedgerEvent,
  Membership,
  Offer,
  OfferCreate,
  Order,
  OrderCreate,
  Organisation,
  OrganisationCreate,
  OrganisationUpdate,
  Payment: Transactions.Payment,
  PaymentCreate: Transactions.PaymentCreate,
  PaymentMethods,
  PaymentMethodWishes,
  PaymentPlan,
  Policy,
  Quote,
  QuoteCreate,
  Rejection,
  Score,
  ScoreRequest,
  SoleTrader,
  SoleTraderCreate,
  SoleTraderUpdate,
  StrictSoleTraderCreate,
  Transaction: Transactions.Transaction,
  TransactionAmend: Transactions.TransactionAmend,
  TransactionCreate: Transactions.TransactionCreate,
  TransactionPaid: Transactions.TransactionPaid,
  TransactionUpdate: Transactions.TransactionUpdate,
  Urls,
  User,
  UserCreate,
  UserMembership,
  UserUpdate,
  Webhook
}

const SAID: Readonly<Record<string, Json>> = {
  Decimal: {
    description: `A decimal number as a string: 2 places for money in major units, 3 for quantities, 6 for other \
amounts. Requests may send numbers.`,
    example: "1250.00"
  }
}

export const isObject = (value: unknown): value is Json =>
  value !== null && typeof value === "object" && !Array.isArray(value)

const without = (schema: Json, ...names: ReadonlyArray<string>): Json =>
  Object.fromEntries(Object.entries(schema).filter(([name]) => !names.includes(name)))

const alternatives = (all: ReadonlyArray<unknown>): ReadonlyArray<unknown> => [
  ...new Map(all.map((one) => [JSON.stringify(one), one])).values()
]

/** The decoder accepts an empty list as an object without members, but nobody should write that. */
const NO_MEMBERS = JSON.stringify({ type: "array", maxItems: 0 })

/** A schema of the wire format: open to unknown members (DP 9), without equal alternatives. */
export const mend = (schema: unknown): unknown => {
  if (Array.isArray(schema)) return schema.map(mend)
  if (!isObject(schema)) return schema
  const shut = typeof schema["additionalProperties"] === "boolean" ? ["additionalProperties"] : []
  const rest = without(schema, "propertyNames", ...shut)
  const mended: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(rest)) {
    mended[name] =
      name === "properties" && isObject(value)
        ? Object.fromEntries(Object.entries(value).map(([member, one]) => [member, mend(one)]))
        : mend(value)
  }
  const example = /^\^\(([^|)]+)/.exec(String(mended["pattern"]))?.[1]
  if (example !== undefined) mended["example"] = `${example}0123456789abcdef`
  const { anyOf, ...others } = mended
  if (!Array.isArray(anyOf)) return mended
  const few = alternatives(anyOf).filter((one) => JSON.stringify(one) !== NO_MEMBERS)
  // A schema that allows anything allows null as well.
  if (few.some((one) => isObject(one) && Object.keys(one).length === 0)) return others
  return few.length === 1 ? { ...(few[0] as Json), ...others } : { ...others, anyOf: few }
}

export const jsonOf = (schema: Schema.Top): unknown => mend(Schema.toJsonSchemaDocument(schema).schema)

let named: ReadonlyMap<string, string> | undefined

/** Component names by schema. Computed when a document is first requested, so that starting a sandbox stays fast. */
const names = (): ReadonlyMap<string, string> => {
  named ??= new Map(Object.entries(NAMED).map(([name, schema]) => [JSON.stringify(jsonOf(schema)), name]))
  return named
}

const NULL = JSON.stringify({ type: "null" })

/** If all alternatives except null together form one component, replaces them by that component or null. */
const grouped = (schema: Json): Json => {
  const all = schema["anyOf"]
  if (!Array.isArray(all)) return schema
  const anyOf = all.filter((one) => JSON.stringify(one) !== NULL)
  return anyOf.length > 1 && anyOf.length < all.length && names().has(JSON.stringify({ anyOf }))
    ? { ...schema, anyOf: [{ anyOf }, { type: "null" }] }
    : schema
}

/** Replaces named schemas by references, and adds the referenced schemas to `components`. */
export const refer = (schema: unknown, components: Components, whole = false): unknown => {
  if (Array.isArray(schema)) return schema.map((one) => refer(one, components))
  if (!isObject(schema)) return schema
  const name = whole ? undefined : names().get(JSON.stringify(schema))
  if (name === undefined) {
    const entries = Object.entries(grouped(schema))
    return Object.fromEntries(entries.map(([key, value]) => [key, refer(value, components)]))
  }
  if (!(name in components)) {
    components[name] = {}
    components[name] = { ...SAID[name], ...(refer(schema, components, true) as Json) }
  }
  return { $ref: `#/components/schemas/${name}` }
}
