/**
 * Authorises with OAuth 2 refresh tokens that rotate: each can be used once, so its replacement must not be lost.
 *
 * Only one refresh runs at a time, across processes, and the new tokens are in the vault, on disk, before they are used.
 * A process that waited for the lock finds the new tokens and does not refresh again. On `invalid_grant` the vault is read
 * once more: if another program refreshed meanwhile, its tokens are used.
 *
 * An access token's lifetime counts from when it was requested, on our own clock, so the source's clock does not matter.
 * Within one process the monotonic clock is used, so setting the clock has no effect. Between processes, a clock that was
 * set back to before the request is detected. If all of that is wrong, the source rejects the token, and it is renewed once
 * (`Http.ts`).
 */
import { Clock, Effect, Schema } from "effect"
import { HttpClient, HttpClientRequest } from "effect/http"
import { hash } from "node:crypto"
import {
  type Authorisation,
  failing,
  Misconfigured,
  SourceError,
  type ConnectorContext,
  Unavailable,
  Unreachable,
  Unreadable
} from "./Connector.ts"
import * as Bounds from "./Bounds.ts"
import type { Authority } from "./Http.ts"
import * as Waits from "./Waits.ts"

const Tokens = Schema.Struct({
  access: Schema.optionalKey(Schema.String),
  /** When the token was requested and when it expires, in milliseconds since the epoch. */
  asked: Schema.optionalKey(Schema.Number),
  expires: Schema.optionalKey(Schema.Number),
  refresh: Schema.String,
  /** When the refresh token expires, and with it the authorisation, if the source says so. */
  until: Schema.optionalKey(Schema.Number)
})
type Tokens = typeof Tokens.Type

const codec = Schema.fromJsonString(Tokens)
const decodeTokens = Schema.decodeUnknownOption(codec)

/** The vault's content for a connection that was just authorised. */
export const seal = (tokens: Tokens): string => Schema.encodeSync(codec)(tokens)

/** When the authorisation in the vault expires, in milliseconds since the epoch; undefined if unknown. */
export const authorisedUntil = (held: string): number | undefined => {
  const tokens = decodeTokens(held)
  return tokens._tag === "Some" ? tokens.value.until : undefined
}

/** Lenient: the previous refresh token is used up by now, so nothing else in this answer may make us lose the new one. */
const Granted = Schema.fromJsonString(
  Schema.Struct({
    access_token: Schema.NonEmptyString,
    refresh_token: Schema.optionalKey(Schema.Unknown),
    expires_in: Schema.optionalKey(Schema.Unknown),
    refresh_token_expires_in: Schema.optionalKey(Schema.Unknown),
    /** QuickBooks' name for it. */
    x_refresh_token_expires_in: Schema.optionalKey(Schema.Unknown)
  })
)
const Refused = Schema.fromJsonString(Schema.Struct({ error: Schema.String }))

/** An access token is not used in its last seconds, or in its last half if that is shorter. */
const MARGIN_SECONDS = 60
const marginOf = (life: number, seconds: number): number => Math.min(seconds * 1000, life / 2)

/** Lifetime of a token, in milliseconds, if the source states none or an impossible one. */
const USUAL_MS = 1_800_000
const LONGEST_MS = 366 * 86_400_000

/** Parses `expires_in` and similar members: seconds, as a number or a text. */
const millisOf = (said: unknown): number | undefined => {
  const seconds = typeof said === "string" && /^\d{1,12}$/.test(said) ? Number(said) : said
  return typeof seconds === "number" && seconds > 0 ? seconds * 1000 : undefined
}

const lifeOf = (said: unknown): number => Math.min(millisOf(said) ?? USUAL_MS, LONGEST_MS)

/** How long the access token and the authorisation last. */
const lifetimeOf = (
  {
    access_token: access,
    expires_in: seconds,
    refresh_token_expires_in: rest,
    x_refresh_token_expires_in: its
  }: typeof Granted.Type,
  asked: number
) => {
  const lasts = millisOf(rest ?? its)
  return { access, expires: asked + lifeOf(seconds), ...(lasts === undefined ? {} : { until: asked + lasts }) }
}

const text = (value: unknown): string | undefined => (typeof value === "string" && value !== "" ? value : undefined)

interface Granting {
  readonly connector: string
  /** The token endpoint. */
  readonly tokens: string
  readonly client: { readonly id: string; readonly secret: string }
  /** Whether the client is identified in the body; otherwise in a header. */
  readonly inBody?: boolean | undefined
}

/** Requests tokens. A grant that the source no longer accepts is a result, not an error. */
const grant = (
  { client: { id, secret }, connector, inBody = false, tokens }: Granting,
  params: Readonly<Record<string, string>>
): Effect.Effect<(Tokens & { readonly access: string }) | "invalid_grant", SourceError, HttpClient.HttpClient> =>
  Effect.gen(function* () {
    const fail = (reason: SourceError["reason"]) => new SourceError({ connector, reason })
    const client = yield* HttpClient.HttpClient
    const asked = yield* Clock.currentTimeMillis
    const answer = yield* client
      .execute(
        HttpClientRequest.post(tokens).pipe(
          HttpClientRequest.setHeaders({
            accept: "application/json",
            ...(inBody ? {} : { authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString("base64")}` })
          }),
          HttpClientRequest.bodyUrlParams(inBody ? { ...params, client_id: id, client_secret: secret } : params)
        )
      )
      .pipe(
        Effect.flatMap((response) =>
          Effect.map(Bounds.textOf(response, Bounds.LARGEST_TOKEN_BYTES), (text) => ({
            status: response.status,
            text,
            headers: response.headers
          }))
        ),
        Effect.timeout("60 seconds"),
        Effect.catch(() =>
          Effect.fail(fail(new Unreachable({ why: "no answer to a new token was received; run again" })))
        )
      )
    const now = yield* Clock.currentTimeMillis
    if (answer.status === 429 || answer.status >= 500) {
      const wait = Waits.untilReset(answer.headers, now)
      const when = wait === undefined ? "later" : `after ${new Date(now + wait).toISOString().slice(0, 16)} UTC`
      return yield* fail(new Unavailable({ why: `it issued no token (${answer.status}); run again ${when}` }))
    }
    const granted = Schema.decodeUnknownOption(Granted)(answer.text)
    const error = Schema.decodeUnknownOption(Refused)(answer.text)
    // Zoho answers 200 with an error, and calls this one `invalid_code`.
    if (answer.status >= 400 || (granted._tag === "None" && error._tag === "Some")) {
      const code = error._tag === "Some" ? error.value.error : ""
      if (code === "invalid_grant" || code === "invalid_code") return "invalid_grant" as const
      return yield* fail(
        new Misconfigured({
          what: `the source issued no token (${answer.status}${code === "" ? "" : ` ${code}`})`,
          hint: "check the client id and the client secret",
          unauthorised: true
        })
      )
    }
    const refresh = granted._tag === "Some" ? (text(granted.value.refresh_token) ?? params["refresh_token"]) : undefined
    if (granted._tag === "None" || refresh === undefined) {
      return yield* fail(new Unreadable({ where: "the answer to a new token", why: "it does not follow OAuth 2" }))
    }
    return { refresh, asked, ...lifetimeOf(granted.value, asked) }
  })

/** An authorisation in progress: `state` and `verifier` are secrets of this attempt (RFC 6749, RFC 7636). */
export interface Attempt {
  readonly redirect: string
  readonly state: string
  readonly verifier: string
}

/** The consent page's address, to which the user is sent. */
export const consent = (
  { page, scopes }: Pick<Authorisation, "page" | "scopes">,
  client: string,
  { redirect, state, verifier }: Attempt
): string => {
  const url = new URL(page)
  const asked = {
    response_type: "code",
    client_id: client,
    redirect_uri: redirect,
    scope: scopes.join(" "),
    state,
    code_challenge: hash("sha256", verifier, "base64url"),
    code_challenge_method: "S256"
  }
  for (const [name, value] of Object.entries(asked)) url.searchParams.set(name, value)
  return url.href
}

/** Exchanges the code that the consent page sent back for tokens; `text` is stored in the vault. */
export const exchange = (
  granting: Granting,
  code: string,
  { redirect, verifier }: Attempt
): Effect.Effect<{ readonly access: string; readonly text: string }, SourceError, HttpClient.HttpClient> =>
  Effect.flatMap(
    grant(granting, { grant_type: "authorization_code", code, redirect_uri: redirect, code_verifier: verifier }),
    (tokens) =>
      tokens === "invalid_grant"
        ? Effect.fail(
            failing(granting.connector).misconfigured(
              "the source did not accept its own authorisation code",
              "it may have expired or been used already; start again"
            )
          )
        : Effect.succeed({ access: tokens.access, text: seal(tokens) })
  )

export interface Options {
  readonly connector: string
  /** The token endpoint. */
  readonly tokens: string
  readonly client: Effect.Effect<{ readonly id: string; readonly secret: string }, SourceError>
  /** Whether the client is identified in the body; otherwise in a header. */
  readonly inBody?: boolean | undefined
  /** The word before the token in the `Authorization` header; `Bearer` by default. */
  readonly scheme?: string | undefined
  /** How many seconds before its end a token is renewed; 60 by default. Exact Online refuses to do so before the last 30. */
  readonly marginSeconds?: number | undefined
  /** The first refresh token, used while the vault is empty. */
  readonly first: Effect.Effect<string | undefined>
  readonly surroundings: ConnectorContext
  /** What to do when the source no longer accepts the refresh token. */
  readonly reconnect: string
}

const NO_VAULT = new Misconfigured({
  what: "the tokens of this connection cannot be stored",
  hint: "set DAYBOOK_SEAL to 32 bytes in base64, or name a file that holds them in DAYBOOK_SEAL_FILE"
})

/** The tokens in the vault; while it is empty, the first refresh token. */
const held = ({ connector, first, reconnect }: Options, text: string | undefined): Effect.Effect<Tokens, SourceError> =>
  Effect.gen(function* () {
    const tokens = text === undefined ? undefined : decodeTokens(text)
    if (tokens?._tag === "Some") return tokens.value
    const refresh = yield* first
    if (refresh === undefined || refresh === "") {
      const what = "this connection is not authorised yet"
      const reason = new Misconfigured({ what, hint: reconnect, unauthorised: true })
      return yield* new SourceError({ connector, reason })
    }
    return { refresh }
  })

/** Decides whether an access token may still be used; `stale` is one that the source just rejected. */
const lifetimes = ({ marginSeconds = MARGIN_SECONDS }: Options) => {
  /** The current token, and when it expires on the monotonic clock. */
  let known: { readonly access: string; readonly expires: number; readonly until: bigint } | undefined
  return ({ access, asked = 0, expires = 0 }: Tokens, stale: string | undefined) =>
    Effect.gen(function* () {
      if (access === undefined || access === stale) return false
      const passed = yield* Clock.monotonicTimeNanos
      if (known?.access === access && known.expires === expires) return passed < known.until
      const now = yield* Clock.currentTimeMillis
      // Requested in the future: the clock was set back, so the token's age is unknown.
      if (now < asked) return false
      const left = expires - now - marginOf(asked === 0 ? Number.POSITIVE_INFINITY : expires - asked, marginSeconds)
      known = { access, expires, until: passed + BigInt(Math.ceil(left)) * 1_000_000n }
      return left > 0
    })
}

/** Returns a usable access token, refreshing if needed; `stale` is one that the source just rejected. */
const accessing = (options: Options) => {
  const { client, connector, inBody, reconnect, surroundings, tokens } = options
  const fail = (reason: SourceError["reason"]) => new SourceError({ connector, reason })
  const revoked = new Misconfigured({
    what: "the source no longer accepts this connection (revoked, or unused too long)",
    hint: reconnect,
    unauthorised: true
  })
  const usable = lifetimes(options)
  const request = (refresh: string) =>
    Effect.flatMap(client, (client) =>
      grant({ connector, tokens, client, inBody }, { grant_type: "refresh_token", refresh_token: refresh })
    )
  return (stale?: string): Effect.Effect<string, SourceError, HttpClient.HttpClient> =>
    Effect.gen(function* () {
      const { vault } = surroundings
      if (vault === undefined) return yield* fail(NO_VAULT)
      const before = yield* held(options, yield* vault.read)
      if (before.access !== undefined && (yield* usable(before, stale))) return before.access
      let tried = before.refresh
      const renew = (text: string | undefined) =>
        Effect.gen(function* () {
          const current = yield* held(options, text)
          if (yield* usable(current, stale)) return seal(current)
          tried = current.refresh
          const fresh = yield* request(current.refresh)
          return fresh === "invalid_grant" ? yield* Effect.fail("invalid_grant" as const) : seal(fresh)
        })
      const refreshed = yield* vault
        .update(renew)
        .pipe(
          Effect.catch((error) =>
            error === "invalid_grant" ? Effect.succeed(undefined) : Effect.fail(error as SourceError)
          )
        )
      const after = yield* held(options, refreshed ?? (yield* vault.read))
      if (refreshed !== undefined || after.refresh !== tried) {
        if (after.access !== undefined && after.access !== stale) return after.access
      }
      return yield* fail(revoked)
    })
}

export const make = (options: Options): Authority => {
  const access = accessing(options)
  let last: string | undefined
  return {
    headers: Effect.map(access(), (token) => {
      last = token
      return { authorization: `${options.scheme ?? "Bearer"} ${token}` }
    }),
    renew: Effect.suspend(() => Effect.asVoid(access(last))),
    refused: options.reconnect
  }
}
