/**
 * What the mappings of shops have in common: amounts, quantities, times, addresses and buyers, parcels, and the documents of
 * a whole order. Pure.
 */
import * as Currency from "../core/money/Currency.ts"
import * as Decimal from "../core/money/Decimal.ts"
import * as Day from "../core/wire/Day.ts"
import * as Instant from "../core/wire/Instant.ts"
import type { Sum } from "./Contradictions.ts"
import type { Address, Buyer, Fulfilment, Kind, LineType, Order, OrderFact, OrderLine } from "./Document.ts"
import * as Json from "./Json.ts"
import { type Goods, moment } from "./Sides.ts"

/** What the declarations of shops have in common that run on a server of the seller's. */
export const declared = {
  kinds: ["order", "fulfilment"],
  deletions: "status",
  limits: { atOnce: 2, by: "server" },
  overlapSeconds: 300,
  base: ({ url }: { readonly url: string }) => url
} as const

const shown = (text: string): string => JSON.stringify(text.slice(0, 40))

/** Fraction digits that are used: some shops compute taxes with more digits than any currency has. */
const PLACES = 8

/** The page of an order at a shop, for its staff. */
export const page = (url: string, kind: Kind, path: string): string | undefined =>
  kind === "order" ? `${url.replace(/(?<!\/)\/+$/, "")}/${path}` : undefined

/** An amount in major units, rounded to the currency's decimals, because shops compute finer; 0 if absent. */
export const money = (fields: Json.Fields, path: string, currency: string): bigint => {
  const text = fields.maybe(path) ?? "0"
  const [whole = "", fraction = ""] = /^[^.]*\.\d+$/.test(text) ? text.split(".") : [text]
  const exact = Decimal.parse(fraction === "" ? whole : `${whole}.${fraction.slice(0, PLACES)}`)
  if (typeof exact === "string") throw new Json.Unfit(path, `${shown(text)} ${exact}`)
  return Decimal.divide(exact, Decimal.one, Currency.decimals(currency))
}

/** The same, of a member that must be there. */
export const stated = (fields: Json.Fields, path: string, currency: string): bigint => {
  fields.text(path)
  return money(fields, path, currency)
}

/** A quantity; zero or more by default. */
export const quantity = (fields: Json.Fields, path = "quantity", least = 0n): bigint => {
  const text = fields.text(path)
  const value = Decimal.parse(text, 3)
  if (typeof value === "string" || value < least) throw new Json.Unfit(path, `${shown(text)} is not a quantity`)
  return value
}

export interface When {
  readonly date: Day.Day
  readonly millis: number
}

/** An instant with its UTC day; `2026-01-29 21:40:11`, without a zone, is UTC. */
export const when = (fields: Json.Fields, path: string, parse = Instant.toEpochMillis): When => {
  const text = fields.text(path)
  const millis = parse(text.replace(/^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)$/, "$1T$2Z"))
  if (Number.isNaN(millis)) throw new Json.Unfit(path, `${shown(text)} is not a time like 2026-01-29T21:40:11Z`)
  return { date: Day.fromEpochMillis(millis), millis }
}

/** A person's name from its parts; undefined if there are none. */
export const nameOf = (fields: Json.Fields, path: string, parts = ["first_name", "last_name"]): string | undefined =>
  parts.flatMap((part) => fields.maybe(`${path}.${part}`) ?? []).join(" ") || undefined

/** An address from the record's own names of its members, except the person's or company's name. */
export const address = (
  fields: Json.Fields,
  path: string,
  name: string | undefined,
  members: { readonly [Member in "line1" | "line2" | "city" | "postcode" | "country"]: string }
): Address | undefined => {
  const parts = Object.entries(members).map(([member, its]) => [member, fields.maybe(`${path}.${its}`)] as const)
  const { country, ...rest }: Address = Json.present({ name, ...Object.fromEntries(parts) })
  const found = Json.present({ ...rest, country: country?.toUpperCase() })
  return Object.keys(found).length === 0 ? undefined : found
}

/** The buyer; undefined without an email address, because the service requires one. */
export const buyer = (
  email: string | undefined,
  company: string | undefined,
  its: { readonly [Member in "id" | "contact" | "phone" | "country" | "company"]?: string | undefined }
): Buyer | undefined =>
  email === undefined
    ? undefined
    : {
        name: company ?? its.contact ?? email,
        email,
        ...Json.present({ ...its, country: its.country?.toUpperCase() })
      }

/** A list of lines to which an amount other than a product is added, unless it is zero. */
export const lines = (products: ReadonlyArray<OrderLine>) => {
  const all = [...products]
  const add = (id: string, type: LineType, gross: bigint, description: string): void => {
    if (gross !== 0n) all.push({ id, type, quantity: Decimal.one, gross, description })
  }
  /** What the order comes to in this member. A line is added for what rounding makes of it. */
  const comeTo = (fields: Json.Fields, field: string, currency: string): Sum => {
    const [total, parts] = [stated(fields, field, currency), all.map(({ gross }) => gross)]
    const rest = total - Decimal.sum(parts)
    add("rounding", rest < 0n ? "discount" : "fee", rest, "Rounding")
    return { currency, field, total, of: "its lines", parts }
  }
  return { all, add, comeTo, sum: () => Decimal.sum(all.map(({ gross }) => gross)) }
}

export const productsOf = (all: ReadonlyArray<OrderLine>): ReadonlyArray<OrderLine> =>
  all.filter(({ type }) => type === "product")

/** A parcel, with the moment at which it left. */
export interface Parcel {
  readonly at: string
  readonly fulfilment: Fulfilment
}

/** Makes the parcels of one order. */
export const parcelOf =
  (order: string, currency: string) =>
  (
    id: string,
    { date, millis }: When,
    parts: Fulfilment["lines"],
    more: Pick<Fulfilment, "tracking"> = {}
  ): Parcel => ({
    at: moment(date, millis),
    fulfilment: { kind: "fulfilment", id, order, date, currency, lines: parts, ...more }
  })

export const leftOf = (parcels: ReadonlyArray<Parcel>): ReadonlyArray<Goods> =>
  parcels.map(({ at, fulfilment }) => ({ at, lines: fulfilment.lines }))

/** The documents of a whole order: with its parcels, and the returns of a source that does not state how it stands. */
export const decoded = (
  order: Order,
  parcels: ReadonlyArray<Parcel>,
  returns: ReadonlyArray<OrderFact> = []
): Json.Decoded => ({
  documents: [order, ...parcels.map(({ fulfilment }) => fulfilment), ...returns],
  complete: order.id
})

/** The deferred payments among what an order's payments carry: a dearer exchange may have one of its own. */
export const carriedIn = (all: ReadonlyArray<string>): string | undefined => {
  const ours = all.filter((one) => one.startsWith("defpay-"))
  return ours.length > 0 ? [...new Set(ours)].join(", ") : all[0]
}

/** The method by which an order is paid, with the setting that names the deferred payment's methods. */
export const paidBy = (
  method: string | undefined,
  named: ReadonlyArray<string> | undefined
): Pick<Order, "methods" | "otherwise"> => ({
  ...(method === undefined ? {} : { methods: [method] }),
  ...(method === undefined || named === undefined || named.includes(method) ? {} : { otherwise: true as const })
})
