/**
 * Maps requests to handlers, and decodes their bodies and queries. Routes and schemas are those of the API definition, so the
 * sandbox cannot drift from the client. `ValidationErrors.ts` reports what does not decode.
 */
import type { PathInput } from "effect/http/FindMyWay"
import { Result, Schema, Struct } from "effect"
import { ServiceApi } from "../../Api.ts"
import { DeferredPaymentApi } from "../../deferred-payment/Api.ts"
import { InsuranceApi } from "../../insurance/Api.ts"
import { UserCreate } from "../../insurance/Users.ts"
import { collections } from "../resources/Collections.ts"
import { companies, countries, me } from "../resources/Companies.ts"
import { invalid } from "./ValidationErrors.ts"
import { deferredPayments } from "../resources/DeferredPayments.ts"
import { collectionDocuments, file } from "../resources/Documents.ts"
import { type Dialect, type Interface, LENIENT } from "./ApiProfile.ts"
import { type Answer, type Exists, existsOf, type Handler } from "../store/Handler.ts"
import { intents } from "../resources/Intents.ts"
import { offers } from "../resources/Offers.ts"
import { orders } from "../resources/Orders.ts"
import type { PlatformShelves } from "../store/Store.ts"
import { paymentCreditLimits } from "../resources/PaymentCreditLimits.ts"
import { organisations, users } from "../resources/OrganisationsAndUsers.ts"
import { payments } from "../resources/Payments.ts"
import { policies } from "../resources/Policies.ts"
import { preferences } from "../resources/Preferences.ts"
import { quick } from "./FastDecode.ts"
import { quotes } from "../resources/Quotes.ts"
import { readable } from "./PartialValidation.ts"
import { referral } from "../resources/Referral.ts"
import { creditLimits, scores } from "../resources/Risk.ts"
import { soletraders } from "../resources/SoleTraders.ts"
import { Table } from "./Table.ts"
import { transactions } from "../resources/Transactions.ts"

/** Every endpoint of the API must have a handler, or this does not compile. */
type Handlers = {
  readonly [Group in keyof typeof ServiceApi.groups]: {
    readonly [Name in keyof (typeof ServiceApi.groups)[Group]["endpoints"]]: Handler
  }
}

const handlers: Handlers = {
  collectionDocuments,
  collections,
  companies,
  countries,
  creditLimits,
  deferredPayments,
  intents,
  me,
  offers,
  orders,
  organisations,
  paymentCreditLimits,
  policies,
  preferences,
  quotes,
  scores,
  soletraders,
  transactions: { ...transactions, ...payments },
  users
}

type Groups = Readonly<Record<string, { readonly endpoints: Readonly<Record<string, unknown>> }>>

const GROUPS: Readonly<Record<Interface, Groups>> = {
  both: ServiceApi.groups,
  "deferred-payment": DeferredPaymentApi.groups,
  insurance: InsuranceApi.groups
}

export interface Route {
  readonly method: string
  /** `/v1/companies/:company_id`. */
  readonly path: PathInput
  readonly open: boolean
  /** Whether it accepts an idempotency key (DP 8). */
  readonly idempotent: boolean
  /** Whether every object named in its path exists; otherwise the request is not read any further. */
  readonly exists: Exists
  readonly payload: Payload | undefined
  readonly query: ((query: unknown) => Answer | undefined) | undefined
  readonly handle: Handler
}

interface EndpointValue {
  readonly method: string
  readonly path: string
  readonly headers: unknown
  readonly query: Schema.Codec<unknown, unknown> | undefined
  readonly payload: ReadonlyMap<string, { readonly schemas: ReadonlyArray<Schema.Codec<unknown, unknown>> }>
}

const OPEN = ["countries"]

/** Operations that take an idempotency key beside those that declare it. Assumption (DP 8: a selection of endpoints). */
const KEYED = ["orders.putDocument"]

/** II 7, create policy: missing or invalid payment information is reported under `non_field_errors`. */
const UNNAMED: Readonly<Record<string, string>> = { policies: "stripe_id" }

/** Create operations that partially update an existing object (II 4): how it is found, and the schema of such a body. */
const PARTIAL: Readonly<Record<string, { readonly exists: Known; readonly schema: Schema.Top }>> = {
  "users.create": {
    exists: (mine, body) => mine.user.by((body as { readonly email?: unknown } | null)?.email).length > 0,
    schema: UserCreate.mapFields(Struct.map(Schema.optionalKey))
  }
}

type Known = (mine: PlatformShelves, body: unknown) => boolean
type Members = Readonly<Record<string, unknown>>
type Payload = (body: unknown, mine: PlatformShelves) => Result.Result<Members, Unread>

/** A body that does not decode: the error, and the readable part of the body. */
interface Unread {
  readonly refusal: Answer
  readonly rest: () => Members
}

const payloadOf = (schema: Schema.Top, unnamed: string | undefined): Payload => {
  const codec = schema as Schema.Codec<unknown, unknown>
  const decode = Schema.decodeUnknownResult(codec, { errors: "all" })
  const encode = Schema.encodeUnknownSync(codec)
  const shortcut = quick(schema)
  return (body) => {
    const members = shortcut?.(body)
    if (members !== undefined) return Result.succeed(members)
    const decoded = decode(body)
    return Result.isFailure(decoded)
      ? Result.fail({
          refusal: invalid(decoded.failure, body, unnamed),
          rest: () => (readable(schema, body) ?? {}) as Members
        })
      : Result.succeed(encode(decoded.success) as Members)
  }
}

/** Most requests have no query, so whether that is valid is decided in advance. */
const queryOf = (decode: (query: unknown) => Result.Result<unknown, Schema.SchemaError>): Route["query"] => {
  const mayBeNone = Result.isSuccess(decode({}))
  return (query) => {
    if (mayBeNone && Object.keys(query as object).length === 0) return undefined
    const decoded = decode(query)
    return Result.isFailure(decoded) ? invalid(decoded.failure, query) : undefined
  }
}

const makeRoute = (
  operation: string,
  path: string,
  endpoint: EndpointValue,
  handle: Handler,
  instead: Schema.Top | undefined,
  partial: (typeof PARTIAL)[string] | undefined
): Route => {
  const { method } = endpoint
  const group = operation.slice(0, operation.indexOf("."))
  const schema = instead ?? [...endpoint.payload.values()][0]?.schemas[0]
  const whole = schema === undefined || method === "GET" ? undefined : payloadOf(schema, UNNAMED[group])
  const inPart =
    partial === undefined || whole === undefined
      ? undefined
      : { exists: partial.exists, part: payloadOf(partial.schema, UNNAMED[group]), whole }
  const decodeQuery =
    endpoint.query === undefined ? undefined : Schema.decodeUnknownResult(endpoint.query, { errors: "all" })
  return {
    method,
    path: path as PathInput,
    open: OPEN.includes(group),
    exists: existsOf(path),
    idempotent: endpoint.headers !== undefined || KEYED.includes(operation),
    handle,
    payload:
      inPart === undefined
        ? whole
        : (body, mine) => (inPart.exists(mine, body) ? inPart.part : inPart.whole)(body, mine),
    query: decodeQuery === undefined ? undefined : queryOf(decodeQuery)
  }
}

const makeRoutes = (dialect: Dialect): ReadonlyArray<Route> => [
  ...Object.entries(GROUPS[dialect.interface]).flatMap(([group, { endpoints }]) =>
    Object.entries(endpoints as unknown as Record<string, EndpointValue>).flatMap(([name, endpoint]) => {
      const handle = (handlers as Readonly<Record<string, Readonly<Record<string, Handler>>>>)[group]?.[name]
      if (handle === undefined) throw new Error(`nothing handles ${group}.${name}`)
      const paths = [
        endpoint.path,
        ...(name === "matchDebtor" ? [endpoint.path.replace("match_debtor", "match-debtor")] : [])
      ]
      const operation = `${group}.${name}`
      const instead = dialect.lenient ? LENIENT[operation] : undefined
      return paths.map((path) => makeRoute(operation, path, endpoint, handle, instead, PARTIAL[operation]))
    })
  ),
  ...(dialect.interface === "deferred-payment" ? [] : LINKED)
]

const linked = (method: string, path: PathInput, open: boolean, handle: Handler): Route => ({
  method,
  path,
  open,
  exists: existsOf(path),
  idempotent: false,
  payload: undefined,
  query: undefined,
  handle
})

/** Paths outside the interface, to which the addresses of documents and referrals lead. */
const LINKED: ReadonlyArray<Route> = [
  linked("GET", "/documents/:id/:name", false, file),
  linked("GET", "/referral/:secret", true, referral.show),
  linked("POST", "/referral/:secret", true, referral.act)
]

const tables = new Map<string, Table<Route>>()

/** The routes of a dialect, built on first use. */
export const tableOf = (dialect: Dialect): Table<Route> => {
  const name = `${dialect.interface} ${dialect.lenient}`
  let table = tables.get(name)
  if (table === undefined) tables.set(name, (table = new Table(makeRoutes(dialect))))
  return table
}
