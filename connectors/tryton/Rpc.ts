/**
 * Sends JSON-RPC requests to a Tryton server, in a session that is opened with the user's password and closed afterwards.
 */
import { Effect } from "effect"
import type { HttpClient } from "effect/http"
import { type Limits, Misconfigured, SourceError, Unavailable, Unreadable } from "../Connector.ts"
import * as Http from "../Http.ts"
import * as Json from "../Json.ts"

type Ask<A> = Effect.Effect<A, SourceError, HttpClient.HttpClient>

export interface Rpc {
  /** Records of a model, ordered by id. */
  readonly search: (model: string, question: Question) => Ask<ReadonlyArray<unknown>>
  /** Closes the session; errors are ignored. */
  readonly end: Effect.Effect<void, never, HttpClient.HttpClient>
}

export interface Question {
  readonly domain: ReadonlyArray<unknown>
  readonly fields: ReadonlyArray<string>
  readonly limit?: number
  readonly order?: ReadonlyArray<readonly [string, string]>
}

export interface Options {
  readonly url: string
  readonly database: string
  readonly user: string
  readonly password: Effect.Effect<string, SourceError>
  /** The environment variable with the password. */
  readonly variable: string
  readonly company: string | undefined
}

const fail = (reason: SourceError["reason"]) => new SourceError({ connector: "tryton", reason })

const limits = { atOnce: 4, by: "server" } as const

/** Tryton's error message, without the Python traceback. */
const wordsOf = (error: unknown): readonly [kind: string, said: string] => {
  const [kind, details] = Array.isArray(error) ? error : [error, undefined]
  const said = Array.isArray(details) ? details.filter((one) => typeof one === "string" && one !== "").join(" ") : ""
  return [typeof kind === "string" ? kind : "", said.slice(0, 300)]
}

/** Tryton answers 200 to rejected requests. */
const inspect = (body: unknown, nowhere: SourceError["reason"]): Http.Trouble | undefined => {
  const error = Json.isObject(body) ? body["error"] : undefined
  if (error === undefined || error === null) return undefined
  const [kind, said] = wordsOf(error)
  if (/^Database .* doesn't exist/.test(kind)) return { again: false, error: nowhere }
  const refuse = (what: string, hint: string) => ({ again: false, error: new Misconfigured({ what, hint }) })
  if (kind === "LoginException")
    return refuse(
      "Tryton asks for more than a password to log in",
      "name a user for Daybook that logs in by password alone"
    )
  if (kind === "UserError" || kind === "AccessError")
    return refuse(
      `Tryton refuses to be read (it says: ${said})`,
      "give Daybook's user the group Account, or another that may read invoices and accounting moves"
    )
  if (/^'account\.|No module|KeyError/.test(kind))
    return refuse(
      `Tryton has no ${kind.slice(0, 60)}`,
      "activate the module account_invoice in that database, or check database; Tryton 6.0 or newer is needed"
    )
  const why = `it failed to answer (${kind.slice(0, 200)}); run again: nothing is lost, and Tryton's own log says more`
  return { again: true, error: new Unavailable({ why }) }
}

const baseOf = ({ url }: Options): string => url.replace(/(?<!\/)\/+$/, "")

const pathOf = ({ database }: Options): string => `/${encodeURIComponent(database)}/`

const nowhereOf = (options: Options) =>
  new Misconfigured({
    what: `there is no database ${JSON.stringify(options.database)} at ${baseOf(options)}`,
    hint: "check database and url: Tryton's names are case-sensitive"
  })

const question = (method: string, params: ReadonlyArray<unknown>) => ({ id: 1, method, params })

const resultOf = (options: Options, answer: Http.Answer): Effect.Effect<unknown, SourceError> => {
  if (answer.status === 404) return Effect.fail(fail(nowhereOf(options)))
  const result = Json.isObject(answer.body) ? answer.body["result"] : undefined
  const why = "the answer has no list result; check that url is that of a Tryton server"
  return result === undefined || result === null
    ? Effect.fail(fail(new Unreadable({ where: pathOf(options), why })))
    : Effect.succeed(result)
}

/** The HTTP client, with this kind of authentication. */
const httpOf = (options: Options, authority: Omit<Http.Authority, "refused">, its: Limits = limits): Http.Http =>
  Http.make({
    connector: "tryton",
    base: baseOf(options),
    authority: { ...authority, refused: `check user and ${options.variable}, and that the user is active in Tryton` },
    limits: its,
    inspect: (body) => inspect(body, nowhereOf(options))
  })

/** Opens a session; returns the value that authenticates its requests. */
const login = (options: Options): Ask<string> =>
  Effect.gen(function* () {
    const { password, user } = options
    const secret = yield* password
    const asked = question("common.db.login", [user, { password: secret }])
    // Asked within a request, whose turn it must not wait for.
    const outside = httpOf(options, { headers: Effect.succeed({}) }, { by: "authorisation" })
    const result = yield* Effect.flatMap(outside.post(pathOf(options), asked), (answer) => resultOf(options, answer))
    const [id, token] = Array.isArray(result) ? result : []
    if (!Json.isNumeral(id) || typeof token !== "string") {
      const why = "the answer has no list of a user and a session"
      return yield* fail(new Unreadable({ where: pathOf(options), why }))
    }
    return `Session ${Buffer.from(`${user}:${id.rawJSON}:${token}`).toString("base64")}`
  })

type Call = (method: string, ...params: ReadonlyArray<unknown>) => Ask<unknown>

/** The context that Tryton's own clients send: the company and the user. */
const contextOf = ({ company, user }: Options, call: Call): Ask<Json.Members> =>
  Effect.gen(function* () {
    const preferences = yield* call("model.res.user.get_preferences", true, {})
    const held = Json.isObject(preferences) ? preferences : {}
    const its = company === undefined ? held["company"] : Json.parse(company)
    if (its === undefined || its === null) {
      const what = `the user ${user} belongs to no company in Tryton, so that it sees no invoices`
      const hint = "give it one in its preferences, or set company to the company's id"
      return yield* fail(new Misconfigured({ what, hint }))
    }
    return { ...held, company: its }
  })

export const make = (options: Options): Rpc => {
  const path = pathOf(options)
  let session: string | undefined
  let context: Json.Members | undefined
  const begin = Effect.map(login(options), (begun) => (session = begun))
  const inside = httpOf(options, {
    headers: Effect.map(
      Effect.suspend(() => (session === undefined ? begin : Effect.succeed(session))),
      (authorization) => ({ authorization })
    ),
    renew: Effect.asVoid(begin)
  })
  const call: Call = (method, ...params) =>
    Effect.flatMap(inside.post(path, question(method, params)), (answer) => resultOf(options, answer))
  return {
    search: (model, { domain, fields, limit = null, order = [["id", "ASC"]] }) =>
      Effect.gen(function* () {
        context ??= yield* contextOf(options, call)
        const result = yield* call(`model.${model}.search_read`, domain, 0, limit, order, fields, context)
        if (Array.isArray(result)) return result as ReadonlyArray<unknown>
        return yield* fail(new Unreadable({ where: model, why: "the answer has no list of records" }))
      }),
    end: Effect.suspend(() =>
      session === undefined
        ? Effect.void
        : inside.post(path, question("common.db.logout", [])).pipe(Effect.timeout("5 seconds"), Effect.ignore)
    )
  }
}
