/**
 * Which handler answers a request, and what its body and query must be. Routes and schemas are those of the API's
 * definition, so the sandbox cannot drift from the client. A body that does not decode is refused with every offending
 * member at once, in the shapes of DP 7.
 */
import { Result, Schema, SchemaIssue } from "effect"
import { InsuranceApi } from "../insurance/Api.ts"
import { companies, countries, me } from "./Companies.ts"
import { type Answer, type Handler, put } from "./Handler.ts"
import { policies, quotes } from "./Insurance.ts"
import { organisations, users } from "./People.ts"
import { transactions } from "./Transactions.ts"

/** Every endpoint of the API has its handler, or this does not compile. */
type Handlers = {
  readonly [Group in keyof typeof InsuranceApi.groups]: {
    readonly [Name in keyof (typeof InsuranceApi.groups)[Group]["endpoints"]]: Handler
  }
}

const handlers: Handlers = { companies, countries, me, organisations, policies, quotes, transactions, users }

export interface Route {
  readonly method: string
  readonly segments: ReadonlyArray<string>
  readonly open: boolean
  readonly payload: ((body: unknown) => Result.Result<Readonly<Record<string, unknown>>, Answer>) | undefined
  readonly query: ((query: unknown) => Answer | undefined) | undefined
  readonly handle: Handler
}

interface EndpointValue {
  readonly method: string
  readonly path: string
  readonly query: Schema.Codec<unknown, unknown> | undefined
  readonly payload: ReadonlyMap<string, { readonly schemas: ReadonlyArray<Schema.Codec<unknown, unknown>> }>
}

const OPEN = ["countries"]

/** II 7, create policy: missing or invalid payment information is told under `non_field_errors`. */
const UNNAMED: Readonly<Record<string, string>> = { policies: "stripe_id" }

const makeRoute = (group: string, method: string, path: string, endpoint: EndpointValue, handle: Handler): Route => {
  const schema = [...endpoint.payload.values()][0]?.schemas[0]
  const decode =
    schema === undefined || method === "GET" ? undefined : Schema.decodeUnknownResult(schema, { errors: "all" })
  const encode = schema === undefined ? undefined : Schema.encodeUnknownSync(schema)
  const decodeQuery =
    endpoint.query === undefined ? undefined : Schema.decodeUnknownResult(endpoint.query, { errors: "all" })
  return {
    method,
    segments: path.split("/").filter((segment) => segment !== ""),
    open: OPEN.includes(group),
    handle,
    payload:
      decode === undefined
        ? undefined
        : (body) => {
            const decoded = decode(body)
            return Result.isFailure(decoded)
              ? Result.fail(invalid(decoded.failure, UNNAMED[group]))
              : Result.succeed(encode!(decoded.success) as Readonly<Record<string, unknown>>)
          },
    query:
      decodeQuery === undefined
        ? undefined
        : (query) => {
            const decoded = decodeQuery(query)
            return Result.isFailure(decoded) ? invalid(decoded.failure) : undefined
          }
  }
}

const routes: ReadonlyArray<Route> = [
  ...Object.entries(InsuranceApi.groups).flatMap(([group, { endpoints }]) =>
    Object.entries(endpoints as unknown as Record<string, EndpointValue>).flatMap(([name, endpoint]) => {
      const handle = (handlers as Readonly<Record<string, Readonly<Record<string, Handler>>>>)[group]![name]!
      const paths = [
        endpoint.path,
        ...(name === "matchDebtor" ? [endpoint.path.replace("match_debtor", "match-debtor")] : [])
      ]
      return paths.map((path) => makeRoute(group, endpoint.method, path, endpoint, handle))
    })
  ),
  {
    method: "GET",
    segments: "v1/transactions/:transaction_id/payments/:payment_id".split("/"),
    open: false,
    payload: undefined,
    query: undefined,
    handle: transactions.getPayment
  }
]

/** Routes by number of segments, so that a look-up meets few. */
const byLength = new Map<number, Array<Route>>()
for (const route of routes) byLength.set(route.segments.length, [...(byLength.get(route.segments.length) ?? []), route])

const fits = ({ segments }: Route, path: ReadonlyArray<string>): boolean =>
  segments.every((segment, i) => segment === path[i] || (segment.startsWith(":") && path[i] !== undefined))

/** A literal segment wins over a named one: `/companies/search` is no company's id. */
const literals = ({ segments }: Route): number => segments.filter((segment) => !segment.startsWith(":")).length

/** The routes of a path, one per method; none when there is no such path. */
export const lookup = (path: ReadonlyArray<string>): ReadonlyArray<Route> => {
  const fitting = (byLength.get(path.length) ?? []).filter((route) => fits(route, path))
  const most = Math.max(...fitting.map(literals))
  return fitting.filter((route) => literals(route) === most)
}

export const paramsOf = ({ segments }: Route, path: ReadonlyArray<string>): Record<string, string> => {
  const params: Record<string, string> = {}
  for (const [i, segment] of segments.entries()) if (segment.startsWith(":")) params[segment.slice(1)] = path[i]!
  return params
}

const format = SchemaIssue.makeFormatterStandardSchemaV1()

/** 400 with every offending member, nested as the request was (DP 7); problems of `unnamed` are no member's. */
const invalid = (error: Schema.SchemaError, unnamed?: string): Answer => {
  const body: Record<string, unknown> = {}
  for (const { message, path = [] } of format(error.issue).issues) {
    const keys = path.map((part) => (typeof part === "object" ? part.key : part))
    if (unnamed !== undefined && keys[0] === unnamed) {
      put(body, ["non_field_errors"], `Missing or invalid payment information in ${unnamed}: ${wording(message)}`)
    } else put(body, keys.length === 0 ? ["non_field_errors"] : keys, wording(message))
  }
  return { status: 400, body }
}

/** What the schema says, in the words of the documents. */
const wording = (message: string): string => {
  if (message === "Missing key") return "This field is required."
  const places = /has more than (\d+) decimal places/.exec(message)
  if (places !== null) return `Ensure that there are no more than ${places[1]} decimal places.`
  if (/is not a decimal number|is too large|is longer than/.test(message)) return "A valid number is required."
  const expected = /^Expected (.*?), got (.*)$/s.exec(message)
  if (expected === null) return message
  const [, wanted, got] = expected as unknown as [string, string, string]
  if (got === "undefined") return "This field is required."
  if (/^"/.test(wanted)) return `${got} is not a valid choice.`
  if (/string/.test(wanted)) return /length|empty/.test(wanted) ? "This field may not be blank." : "Not a valid string."
  if (/identifier/.test(wanted)) return `Invalid id ${got} - ${wanted} is expected.`
  return `Expected ${wanted}.`
}
