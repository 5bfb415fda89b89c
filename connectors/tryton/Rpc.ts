/**
 * Questions to a Tryton server over JSON-RPC, in a session that is begun with the user's password and ended afterwards.
 */
import { Effect } from "effect"
import type { HttpClient } from "effect/http"
import { Misconfigured, SourceError, Unavailable, Unreadable } from "../Connector.ts"
import * as Http from "../Http.ts"
import * as Json from "../Json.ts"

type Ask<A> = Effect.Effect<A, SourceError, HttpClient.HttpClient>

export interface Rpc {
  /** Records of a model, by the order of their ids. */
  readonly search: (model: string, question: Question) => Ask<ReadonlyArray<unknown>>
  /** Ends the session; what comes of that does not matter. */
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
  /** The variable that holds the password. */
  readonly variable: string
  readonly company: string | undefined
}

const fail = (reason: SourceError["reason"]) => new SourceError({ connector: "tryton", reason })

const limits = { atOnce: 4 }

/** What Tryton says, without Python's traceback. */
const wordsOf = (error: unknown): readonly [kind: string, said: string] => {
  const [kind, details] = Array.isArray(error) ? error : [error, undefined]
  const said = Array.isArray(details) ? details.filter((one) => typeof one === "string" && one !== "").join(" ") : ""
  return [typeof kind === "string" ? kind : "", said.slice(0, 300)]
}

/** Tryton answers 200 to what it refuses. */
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
      `Tryton does not know ${kind.slice(0, 60)}`,
      "activate the module account_invoice in that database, or check database; Tryton 6.0 or newer is needed"
    )
  const why = `it failed to answer (${kind.slice(0, 200)}); run again: nothing is lost, and Tryton's own log says more`
  return { again: true, error: new Unavailable({ why }) }
}

export const make = (options: Options): Rpc => {
  const { company, database, password, user, variable } = options
  const base = options.url.replace(/\/+$/, "")
  const path = `/${encodeURIComponent(database)}/`
  let session: string | undefined
  let context: Json.Members | undefined
  const refused = `check user and ${variable}, and that the user is active in Tryton`

  const nowhere = new Misconfigured({
    what: `there is no database ${JSON.stringify(database)} at ${base}`,
    hint: "check database and url: Tryton's names are case-sensitive"
  })

  const resultOf = (answer: Http.Answer): Effect.Effect<unknown, SourceError> => {
    if (answer.status === 404) return Effect.fail(fail(nowhere))
    const result = Json.isObject(answer.body) ? answer.body["result"] : undefined
    return result === undefined || result === null
      ? Effect.fail(
          fail(
            new Unreadable({
              where: path,
              why: "the answer has no list result; check that url is that of a Tryton server"
            })
          )
        )
      : Effect.succeed(result)
  }

  const question = (method: string, params: ReadonlyArray<unknown>) => ({ id: 1, method, params })
  const outside = Http.make({
    connector: "tryton",
    base,
    authority: { headers: Effect.succeed({}), refused },
    limits,
    inspect: (body) => inspect(body, nowhere)
  })

  const login = Effect.gen(function* () {
    const secret = yield* password
    const asked = question("common.db.login", [user, { password: secret }])
    const result = yield* Effect.flatMap(outside.post(path, asked), resultOf)
    const [id, token] = Array.isArray(result) ? result : []
    if (!Json.isNumeral(id) || typeof token !== "string")
      return yield* fail(new Unreadable({ where: path, why: "the answer has no list of a user and a session" }))
    session = `Session ${Buffer.from(`${user}:${id.rawJSON}:${token}`).toString("base64")}`
    return session
  })

  const inside = Http.make({
    connector: "tryton",
    base,
    authority: {
      headers: Effect.map(
        Effect.suspend(() => (session === undefined ? login : Effect.succeed(session))),
        (authorization) => ({ authorization })
      ),
      renew: Effect.asVoid(login),
      refused
    },
    limits,
    inspect: (body) => inspect(body, nowhere)
  })

  const call = (method: string, ...params: ReadonlyArray<unknown>): Ask<unknown> =>
    Effect.flatMap(inside.post(path, question(method, params)), resultOf)

  /** What Tryton's own clients send along: whose books are looked at. */
  const contextOf: Ask<Json.Members> = Effect.gen(function* () {
    if (context !== undefined) return context
    const preferences = yield* call("model.res.user.get_preferences", true, {})
    const held = Json.isObject(preferences) ? preferences : {}
    const its = company === undefined ? held["company"] : Json.parse(company)
    if (its === undefined || its === null) {
      return yield* fail(
        new Misconfigured({
          what: `the user ${user} belongs to no company in Tryton, so that it sees no invoices`,
          hint: "give it one in its preferences, or set company to the company's id"
        })
      )
    }
    context = { ...held, company: its }
    return context
  })

  return {
    search: (model, { domain, fields, limit = null, order = [["id", "ASC"]] }) =>
      Effect.gen(function* () {
        const within = yield* contextOf
        const result = yield* call(`model.${model}.search_read`, domain, 0, limit, order, fields, within)
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
