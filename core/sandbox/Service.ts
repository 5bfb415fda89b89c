/**
 * The service itself, as a function from request to answer: no port, no clock but its own, no chance. Routes and
 * schemas are those of the API's definition, so the sandbox cannot drift from the client; rules are in the handlers.
 *
 * A request that does not decode is answered with every offending field at once, in the shapes of DP 7. Whatever a
 * request holds, the answer is a 4xx and never a 5xx.
 */
import { Result, Schema, SchemaIssue } from "effect"
import { InsuranceApi } from "../insurance/Api.ts"
import { companies, countries, me } from "./Companies.ts"
import { company, Directory, type Listed } from "./Directory.ts"
import { type Answer, type Context, type Handler, Refusal } from "./Handler.ts"
import { policies, quotes } from "./Insurance.ts"
import { read } from "./Json.ts"
import { organisations, users } from "./People.ts"
import { Store } from "./Store.ts"
import { transactions } from "./Transactions.ts"

export interface Incoming {
  readonly method: string
  /** With the query. */
  readonly url: string
  readonly authorization: string | undefined
  readonly body: string
  /** The address that the request came to, for the links of the answer. */
  readonly base: string
}

/** Every endpoint of the API has its handler, or this does not compile. */
type Handlers = {
  readonly [Group in keyof typeof InsuranceApi.groups]: {
    readonly [Name in keyof (typeof InsuranceApi.groups)[Group]["endpoints"]]: Handler
  }
}

const handlers: Handlers = { companies, countries, me, organisations, policies, quotes, transactions, users }

interface Route {
  readonly method: string
  readonly segments: ReadonlyArray<string>
  readonly open: boolean
  readonly payload: ((body: unknown) => Result.Result<Readonly<Record<string, unknown>>, Answer>) | undefined
  readonly query: ((query: unknown) => Answer | undefined) | undefined
  readonly handle: Handler
}

const format = SchemaIssue.makeFormatterStandardSchemaV1()

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

const paramsOf = ({ segments }: Route, path: ReadonlyArray<string>): Record<string, string> => {
  const params: Record<string, string> = {}
  for (const [i, segment] of segments.entries()) if (segment.startsWith(":")) params[segment.slice(1)] = path[i]!
  return params
}

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

const put = (into: Record<PropertyKey, unknown>, [key, ...rest]: ReadonlyArray<PropertyKey>, message: string): void => {
  const name = key as string
  if (rest.length === 0) {
    const before = into[name]
    into[name] = Array.isArray(before) ? (before.includes(message) ? before : [...before, message]) : [message]
  } else {
    const next = into[name]
    const nested = next !== null && typeof next === "object" && !Array.isArray(next) ? next : (into[name] = {})
    put(nested as Record<PropertyKey, unknown>, rest, message)
  }
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

const UNAUTHORIZED = { "www-authenticate": "Token" }

export class Service {
  readonly store: Store
  readonly directory = new Directory()
  readonly #keys: ReadonlySet<string>
  readonly #now: () => number
  /** Told of every transaction that a request changed. */
  onChange: ((key: string, transaction: string) => void) | undefined

  /** @param now the sandbox's own time */
  constructor(options: {
    readonly keys: ReadonlyArray<string>
    readonly now: () => number
    readonly state?: string | undefined
  }) {
    this.store = new Store(options.state)
    this.#keys = new Set(options.keys)
    this.#now = options.now
    const kept = this.store.setting("directory")
    if (kept !== undefined) this.directory.restore(JSON.parse(kept) as ReadonlyArray<Listed>)
  }

  /** Companies that were added and decisions that were made outlive the process as well. */
  keepDirectory(): void {
    this.store.keep("directory", JSON.stringify(this.directory.all()))
    this.store.commit()
  }

  /** The platform's key, or the 401 that there is none. */
  authenticate(authorization: string | undefined): { readonly key: string } | { readonly refused: Answer } {
    const [, scheme = "", credential = ""] = /^(\S+)\s+(.*)$/.exec(authorization ?? "") ?? []
    if (credential === "") {
      return {
        refused: {
          status: 401,
          body: { detail: "Authentication credentials were not provided." },
          headers: UNAUTHORIZED
        }
      }
    }
    const key =
      scheme.toLowerCase() === "token"
        ? credential.trim()
        : scheme.toLowerCase() === "basic"
          ? Buffer.from(credential, "base64").toString("utf8").split(":")[0]!
          : ""
    return this.#keys.has(key)
      ? { key }
      : { refused: { status: 401, body: { detail: "Invalid token." }, headers: UNAUTHORIZED } }
  }

  /** A transaction as a webhook states it, its policy and quote expanded; undefined when there is none (II 6). */
  view(key: string, transaction: string, base: string): unknown {
    const mine = this.store.platform(key)
    const query = { expand: "policy,quote" }
    const context = {
      key,
      base,
      query,
      mine,
      payload: {},
      params: { transaction_id: transaction },
      store: this.store,
      directory: this.directory,
      now: this.#now()
    }
    if (mine.transaction.get(transaction) === undefined) return undefined
    const body = transactions.get(context).body as Readonly<Record<string, unknown>>
    const quote = body["quote"] as Readonly<Record<string, unknown>> | null
    // Assumption: the client of the quote arrives as a whole company.
    const client = this.directory.get(String(quote?.["client"]))
    return client === undefined ? body : { ...body, quote: { ...quote, client: company(client, base) } }
  }

  handle(request: Incoming): Answer {
    try {
      return this.#answer(request)
    } catch (cause) {
      if (cause instanceof Refusal) return cause.answer
      throw cause
    } finally {
      this.store.commit()
    }
  }

  #answer({ authorization, base, body, method, url }: Incoming): Answer {
    const at = url.indexOf("?")
    const path = split(at < 0 ? url : url.slice(0, at))
    if (path === undefined) return { status: 404, body: { detail: "Not found." } }
    const fitting = (byLength.get(path.length) ?? [])
      .filter((route) => fits(route, path))
      .toSorted((a, b) => literals(b) - literals(a))
    if (fitting.length === 0) return { status: 404, body: { detail: "Not found." } }
    const best = fitting.filter((route) => literals(route) === literals(fitting[0]!))
    const route = best.find((one) => one.method === method)
    if (route === undefined) {
      const allow = best.map((one) => one.method).join(", ")
      return { status: 405, body: { detail: `Method "${method}" not allowed.` }, headers: { allow } }
    }
    let key = ""
    if (!route.open) {
      const who = this.authenticate(authorization)
      if ("refused" in who) return who.refused
      ;({ key } = who)
    }
    const query = Object.fromEntries(new URLSearchParams(at < 0 ? "" : url.slice(at + 1)))
    const badQuery = route.query?.(query)
    if (badQuery !== undefined) return badQuery
    let payload: Readonly<Record<string, unknown>> = {}
    if (route.payload !== undefined) {
      const json = read(body)
      if ("refused" in json) return { status: 400, body: { detail: json.refused } }
      const decoded = route.payload(json.value)
      if (Result.isFailure(decoded)) return decoded.failure
      payload = decoded.success
    }
    const context: Context = {
      key,
      base,
      query,
      payload,
      mine: this.store.platform(key),
      store: this.store,
      directory: this.directory,
      now: this.#now(),
      params: paramsOf(route, path)
    }
    const answer = route.handle(context)
    const changed = method === "GET" || answer.status >= 300 ? undefined : subjectOf(context, answer)
    if (changed !== undefined) this.onChange?.(key, changed)
    return answer
  }
}

const split = (path: string): ReadonlyArray<string> | undefined => {
  try {
    return path
      .split("/")
      .filter((segment) => segment !== "")
      .map(decodeURIComponent)
  } catch {
    return undefined
  }
}

/** The transaction that a request changed, whatever its path. */
const subjectOf = ({ mine, params }: Context, { body }: Answer): string | undefined => {
  const answer = body as Readonly<Record<string, unknown>> | undefined
  const quote = mine.quote.get(String(answer?.["quote"] ?? answer?.["id"]))
  const candidates = [params["transaction_id"], answer?.["id"], answer?.["transaction"], quote?.["transaction"]]
  return candidates.map(String).find((id) => mine.transaction.get(id) !== undefined)
}
