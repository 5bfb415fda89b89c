/** Sends the requests of a declared source: pages of lists, and records by id. */
import { Effect } from "effect"
import type { HttpClient } from "effect/http"
import { grouped } from "../../core/Plural.ts"
import { type ConnectorContext, failing, type SourceError } from "../Connector.ts"
import * as Http from "../Http.ts"
import * as Json from "../Json.ts"
import * as ClientCredentials from "../ClientCredentials.ts"
import type { Answer } from "../Judge.ts"
import * as OAuth from "../OAuth.ts"
import * as Paging from "../Paging.ts"
import type { Authorise, Declaration, List, Root } from "./Declaration.ts"
import * as Turn from "./Turn.ts"

// biome-ignore lint/suspicious/noExplicitAny: any source
type Any = Declaration<string, any>
/** The part of a declaration that says how requests are sent. */
export type Requesting = Pick<
  Any,
  | "name"
  | "identity"
  | "account"
  | "base"
  | "authorise"
  | "headers"
  | "limits"
  | "said"
  | "explain"
  | "inspect"
  | "read"
>
export type Read<A> = Effect.Effect<A, SourceError, HttpClient.HttpClient>

export interface Asked {
  readonly answer: Answer
  readonly records: ReadonlyArray<unknown>
  readonly keys: ReadonlyArray<string>
}

type Headers = Readonly<Record<string, string>>

/** A list, and how it belongs to records: lists that a record or the source may lack are answered with 404. */
type Listed = List & { readonly by?: string }

export interface Source {
  readonly http: Http.Http
  readonly page: (list: Listed, at: Turn.At, path: string, query: Http.Query, headers?: Headers) => Read<Asked>
  /** Concurrent requests. */
  readonly atOnce: number
  readonly one: (root: Root<never>, id: string) => Read<unknown>
}

const reconnect = (name: string) =>
  `authorise ${name} again with \`daybook connect\`, or set the variable of its first refresh token to a new one`

/** The value, or what it is with these settings. */
export const ofSettings = (value: string | ((settings: never) => string), settings: never): string =>
  typeof value === "function" ? value(settings) : value

const authority = (d: Requesting, settings: never, context: ConnectorContext): Http.Authority => {
  const authorise: Authorise<never> = d.authorise
  const secret = (variable: string) => Http.secret(d.name, context.environment, variable)
  if (authorise.by === "oauth2") {
    const { id, secret: held } = authorise.client(settings)
    const first = authorise.first?.(settings)
    return OAuth.make({
      connector: d.name,
      tokens: ofSettings(authorise.tokens, settings),
      scheme: authorise.scheme,
      inBody: authorise.inBody,
      marginSeconds: authorise.marginSeconds,
      client: Effect.all({ id: secret(id), secret: secret(held) }),
      first: Effect.sync(() => (first === undefined ? undefined : context.environment?.[first])),
      surroundings: context,
      reconnect: reconnect(d.name)
    })
  }
  if (authorise.by === "client") {
    const { id, secret: held } = authorise.client(settings)
    const tokens = ofSettings(authorise.tokens, settings)
    return ClientCredentials.make({
      connector: d.name,
      tokens: tokens.startsWith("/") ? `${d.base(settings).replace(/(?<!\/)\/+$/, "")}${tokens}` : tokens,
      scope: authorise.scope,
      client: Effect.all({ id: secret(id), secret: secret(held) }),
      by: authorise.certificate?.(settings) ?? (authorise.inBody === true ? "body" : "basic"),
      headers: (token) => ({ authorization: `Bearer ${token}` }),
      refused: `check ${id} and ${held}: make a new ${authorise.certificate === undefined ? "secret" : "certificate"} in the source if one was revoked`
    })
  }
  const variables = authorise.variables(settings)
  return {
    headers: Effect.map(Effect.all(variables.map(secret)), (keys) => authorise.headers(...keys)),
    refused: Http.key(Effect.succeed(""), variables.join(" or "), () => ({})).refused
  }
}

/** The app that an authorisation is of. */
const appOf = (d: Requesting, settings: never, context: ConnectorContext): Pick<Http.Options, "app"> => {
  const authorise: Authorise<never> = d.authorise
  return authorise.by === "key" ? {} : { app: Http.secret(d.name, context.environment, authorise.client(settings).id) }
}

const explaining =
  ({ explain, said = [] }: Requesting): NonNullable<Http.Options["explain"]> =>
  (status, body, text) => {
    const fields = Json.fieldsOf(body)
    const words = said.map((path) => Json.nameOf(fields.get(path))).find((one) => one !== undefined)
    return { ...(words === undefined ? {} : { said: words }), ...explain?.(status, body, text) }
  }

/** Unwraps the records of an answer, however deep they are nested, into the form that `Http.records` expects. */
const unwrapped = (list: List, { body, ...answer }: Answer, isBare: boolean): Answer => {
  const { absent, records = "records", single } = list
  const said = isBare ? body : Json.fieldsOf(body).get(records)
  const one = single === true && Json.isObject(said) ? [said] : said
  const isEmpty = absent === "[]" ? Array.isArray(body) && body.length === 0 : absent === "none" && Json.isObject(body)
  const held = one === undefined && isEmpty ? [] : one
  return { ...answer, body: body === undefined ? undefined : { [records]: held } }
}

/** A source may send somewhat more records than it was asked for; a page of far more would be long work at once. */
const BEYOND = 10
const MOST_UNASKED = 1000

const unasked = (came: number, most: number): string =>
  `the answer has ${grouped(came)} records where at most ${most} were asked for; check the address, and any proxy in between`

const EMPTY = "the answer is empty (204) where the whole list is expected; run again later"

const isWhole = (list: List): boolean => "changes" in list && list.changes === "complete scan"

/** Sends the requests of a source that is declared as far as they need it. */
export const httpOf = (d: Requesting, settings: never, context: ConnectorContext): Http.Http =>
  Http.make({
    connector: d.name,
    base: d.base(settings),
    authority: authority(d, settings, context),
    headers: typeof d.headers === "function" ? d.headers(settings) : (d.headers ?? {}),
    limits: d.limits,
    ...appOf(d, settings, context),
    explain: explaining(d),
    ...Json.present({
      account: d.account?.(settings) ?? d.identity?.(settings),
      inspect: d.inspect,
      read: d.read
    })
  })

export const open = (d: Any, settings: never, context: ConnectorContext): Source => {
  const http = httpOf(d, settings, context)
  const always = d.query?.(settings)
  const { misconfigured, unreadable } = failing(d.name)
  const page: Source["page"] = (list, at, path, query, headers) =>
    Effect.gen(function* () {
      const own = typeof list.query === "function" ? list.query(settings) : list.query
      const besides = { ...always, ...own, ...query }
      const asked = { ...besides, ...Turn.query(list, at, besides) }
      const answer = yield* list.question === undefined
        ? http.get(path, asked, headers)
        : http.post(path, list.question(asked, settings))
      if (answer.status === 404 && (list.missing === "none" || list.by === "each" || list.by === "all"))
        return { answer, records: [], keys: [] }
      const hint = answer.status === 404 ? d.explain?.(404, undefined, "").hint : undefined
      if (hint !== undefined) return yield* misconfigured(`the source has no ${path}`, hint)
      // In a list that is read completely, missing records count as deleted, so 204 must not pass for an empty list.
      if (answer.status === 204 && isWhole(list)) return yield* unreadable(path, EMPTY)
      const read = unwrapped(list, answer, list.records === undefined)
      const records = yield* Http.records(d.name, path, read, list.records ?? "records")
      if (list.size.param !== undefined && records.length > Math.max(list.size.most * BEYOND, MOST_UNASKED))
        return yield* unreadable(path, unasked(records.length, list.size.most))
      return { answer, records, keys: Paging.keysOf(records, list.id ?? "id") }
    })

  const one: Source["one"] = (root, id) => {
    const its = root.one
    if (its === undefined) return Effect.die(new Error(`${d.name}: ${root.name} has no way to read one record`))
    const path = its.path.replace("{id}", Http.segment(id))
    if ("question" in its || "asking" in its) {
      const asked =
        "question" in its
          ? http.post(path, its.question(id, settings))
          : http.get(path, { ...always, ...its.asking(id) })
      return Effect.flatMap(asked, (answer) => {
        const read = unwrapped(
          { ...root, ...Json.present({ records: its.records }) },
          answer,
          its.records === undefined
        )
        return Effect.map(Http.records(d.name, path, read, its.records ?? "records"), (found) => found[0])
      })
    }
    return Effect.flatMap(http.get(path, { ...always, ...its.query }), (answer) =>
      Http.record(d.name, path, answer, its.record)
    )
  }
  return { atOnce: d.limits.atOnce ?? 2, http, page, one }
}
