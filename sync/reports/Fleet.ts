/**
 * Adds up what other settings or another day would change for many tenants: how many stay the same, and in which ways the others
 * differ. Only ways are kept, of which there are as many as rules and fields, however many tenants and documents there are.
 */
import { Schema } from "effect"
import * as Currency from "../../core/money/Currency.ts"
import * as Decimal from "../../core/money/Decimal.ts"
import { amountTexts, type AmountsByCurrency } from "../plan/Figures.ts"
import { DocumentDifference } from "./PlanDifference.ts"
import type { WhatIf } from "./WhatIf.ts"

export const Way = Schema.Struct({
  change: Schema.Literals(["only today", "only other", "different"]),
  what: Schema.Literals(["calls", "attention", "guard"]),
  /** The rule responsible; for a guard its number, or `first sync`. */
  rule: Schema.String,
  /** Of calls that both plans make: what they send otherwise. */
  fields: Schema.Array(Schema.String),
  tenants: Schema.Finite,
  documents: Schema.Finite,
  /** What the calls for these documents state in money, in each plan. */
  amounts: DocumentDifference.fields.amounts,
  example: Schema.Struct({ tenant: Schema.String, document: Schema.String, why: Schema.String })
})
export type Way = typeof Way.Type

interface Counted extends Omit<Way, "amounts"> {
  readonly today: AmountsByCurrency
  readonly other: AmountsByCurrency
}

const countedOf = ({ amounts: { other, today }, ...way }: Way): Counted => ({
  ...way,
  today: read(today),
  other: read(other)
})

const sum = (one: AmountsByCurrency, two: AmountsByCurrency): AmountsByCurrency => {
  const sums = new Map(one)
  for (const [currency, amount] of two) sums.set(currency, (sums.get(currency) ?? 0n) + amount)
  return sums
}

const read = (written: Readonly<Record<string, string>>): AmountsByCurrency =>
  new Map(Object.entries(written).map(([currency, amount]) => [currency, Decimal.of(amount)]))

/** `lines.0.price` and `lines.1.price` are one way to differ. */
const kindOfField = (field: string): string => field.replaceAll(/\b\d+\b/g, "*")

type Seen = Pick<Way, "change" | "fields" | "rule" | "what"> & { readonly why: string }

/** In which ways a document differs, each once. */
const waysOf = ({ attention, calls }: Pick<DocumentDifference, "attention" | "calls">): Iterable<Seen> => {
  const ways = new Map<string, Seen>()
  const put = (one: Seen) => {
    const key = keyOf(one)
    if (!ways.has(key)) ways.set(key, one)
  }
  for (const { because, change, fields, rule } of calls)
    put({
      change,
      what: "calls",
      rule,
      fields: [...new Set(fields.map(({ field }) => kindOfField(field)))].toSorted(),
      why: because[change === "only today" ? "today" : "other"] ?? ""
    })
  for (const { change, rule, why } of attention) put({ change, what: "attention", rule, fields: [], why })
  return ways.values()
}

const keyOf = ({ change, fields, rule, what }: Omit<Seen, "why">): string =>
  JSON.stringify([what, rule, change, ...fields])

/** How one tenant differs, or many. */
export class Ways {
  readonly #ways = new Map<string, Counted>()
  /** Whether they are one tenant's, which counts once. */
  readonly #isOne: boolean

  constructor(of: "one tenant" | "tenants") {
    this.#isOne = of === "one tenant"
  }

  get size(): number {
    return this.#ways.size
  }

  #add(one: Counted): void {
    const key = keyOf(one)
    const before = this.#ways.get(key)
    this.#ways.set(
      key,
      before === undefined
        ? one
        : {
            ...before,
            tenants: this.#isOne ? 1 : before.tenants + one.tenants,
            documents: before.documents + one.documents,
            today: sum(before.today, one.today),
            other: sum(before.other, one.other)
          }
    )
  }

  /** A document of a tenant, whose name is given. */
  document(tenant: string, { amounts, document, ...one }: DocumentDifference): void {
    for (const { why, ...way } of waysOf(one))
      this.#add(countedOf({ ...way, tenants: 1, documents: 1, amounts, example: { tenant, document, why } }))
  }

  stop(tenant: string, { change, connection, guard, why }: WhatIf["stops"][number]): void {
    const way = { change, what: "guard", rule: guard, fields: [], tenants: 1, documents: 0 } as const
    this.#add(countedOf({ ...way, amounts: { today: {}, other: {} }, example: { tenant, document: connection, why } }))
  }

  /** Adds those of one tenant. */
  merge(tenant: ReadonlyArray<Way>): void {
    for (const one of tenant) this.#add({ ...countedOf(one), tenants: 1 })
  }

  /** Those of most tenants first. */
  value(): ReadonlyArray<Way> {
    return [...this.#ways.values()]
      .map(({ other, today, ...one }) => ({
        ...one,
        amounts: { today: amountTexts(today), other: amountTexts(other) }
      }))
      .toSorted((a, b) => b.tenants - a.tenants || b.documents - a.documents || (keyOf(a) < keyOf(b) ? -1 : 1))
  }
}

/** `1,204.00 GBP, 5.00 EUR`; empty if there is none. */
export const inWords = (sums: Readonly<Record<string, string>>): string =>
  Object.entries(sums)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([currency, amount]) => Currency.say(Decimal.of(amount), currency))
    .join(", ")
