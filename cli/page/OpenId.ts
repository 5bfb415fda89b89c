/**
 * Signs people in at an OpenID Connect provider: by authorisation code with PKCE, state and nonce, which belong to the browser that
 * began. The provider is asked anew each time, so that its keys may change. It sends people back to the configured address only.
 */
import type { JWTPayload } from "jose"
import type { Configuration as Provider, IDToken } from "openid-client"
import { Clock, Context, Data, Effect, Redacted } from "effect"
import { HttpClient, HttpClientRequest } from "effect/http"
import * as Cookies from "effect/http/Cookies"
import * as Body from "../../core/wire/Body.ts"
import { untraced } from "../../core/wire/Exchange.ts"
import * as Network from "../../core/wire/Network.ts"
import * as Undici from "../../core/wire/Undici.ts"
import { allowanceByClaims, type OpenIdSettings } from "../../sync/library/config/OpenIdSettings.ts"
import { isOf, personOf, type StoredPerson } from "../../sync/library/config/PersonsFile.ts"
import type { Person } from "../../sync/model/Person.ts"
import { open, seal, type SealKey } from "../../sync/vault/Encryption.ts"
import { cookie } from "./Cookie.ts"
import * as Names from "./Names.ts"
import { t } from "./language/Texts.ts"

const TIMEOUT = "10 seconds"
const LARGEST_BYTES = 1_000_000
/** How long somebody may take at the provider. */
const TAKES_MS = 10 * 60_000
/** The longest address to which somebody is led back: it is in a cookie. */
const LONGEST = 1000
const COOKIE = "daybook-openid"
const BOND = { name: COOKIE }

/** Why nobody was signed in, in words for them. */
export class NotSignedIn extends Data.TaggedError("NotSignedIn")<{
  readonly said: string
  /** What the log says in addition. */
  readonly why?: string
  /** Who showed who they are, and has no access here. */
  readonly who?: Pick<Person, "how" | "issuer" | "name" | "subject">
}> {}

interface Begun {
  readonly state: string
  readonly nonce: string
  readonly verifier: string
  readonly to: string
  readonly until: number
}

interface Claims extends Readonly<Record<string, unknown>> {
  readonly sub: string
}

/** What a session keeps of it. */
export interface Ticket {
  /** Says to the provider whose session there ends. */
  readonly idToken: string
  /** The provider's name of its session. */
  readonly sid: string | undefined
}

/** Whom the provider signed out: every session of somebody, or one that it names. */
export interface EndedElsewhere {
  readonly subject: string | undefined
  readonly sid: string | undefined
  /** When, in milliseconds: sessions that began later are others. */
  readonly at: number
}

const ENDED = "http://schemas.openid.net/event/backchannel-logout"

export interface OpenIdOptions {
  readonly settings: OpenIdSettings
  readonly secret: Redacted.Redacted | undefined
  /** Addresses of this machine and its network may be used. */
  readonly privateAddresses: boolean
  /** Seals what a browser keeps on its way there, so that any process with this key finishes what another has begun. */
  readonly key: SealKey
}

const httpsOnly = (url: string): boolean => /^https:\/\/|^http:\/\/(localhost|127\.0\.0\.1|\[::1\])[:/]/.test(url)

/** Sends what the library asks for, within limits; redirects are not followed. */
const fetching =
  (privateAddresses: boolean) =>
  async (
    url: string,
    options: { readonly method?: string; readonly headers?: HeadersInit; readonly body?: unknown }
  ) => {
    if (!httpsOnly(url)) throw new Error(`${url} is not an https address`)
    const { body, headers, method = "GET" } = options
    const request = HttpClientRequest.make(method as "GET" | "POST")(url, {
      headers: Object.fromEntries(new Headers(headers))
    })
    const answer = Effect.gen(function* () {
      const client = yield* HttpClient.HttpClient
      const given = yield* client.execute(
        body === undefined || body === null
          ? request
          : HttpClientRequest.bodyText(request, String(body), "application/x-www-form-urlencoded")
      )
      const text = yield* Body.text(given, LARGEST_BYTES)
      if (text === undefined) return yield* Effect.fail(new Error(`${url} answered with more than a megabyte`))
      return new Response(text === "" ? null : text, { status: given.status, headers: { ...given.headers } })
    })
    return Effect.runPromise(
      answer.pipe(
        Effect.timeout(TIMEOUT),
        untraced,
        Effect.provide(privateAddresses ? Context.empty() : Undici.onInternet),
        Effect.provide(Undici.layer)
      )
    )
  }

const text = (claim: unknown): string => (typeof claim === "string" ? Names.tidy(claim) : "")

export class OpenId {
  readonly #options: OpenIdOptions
  /** The beginnings that were finished here, until they are too old. The provider accepts each once. */
  readonly #finished = new Map<string, number>()
  readonly #fetch: ReturnType<typeof fetching>

  constructor(options: OpenIdOptions) {
    this.#options = options
    this.#fetch = fetching(options.privateAddresses)
  }

  get issuer(): string {
    return this.#options.settings.issuer
  }

  get begins(): string {
    return `${this.#options.settings.url}/login/openid`
  }

  /** Where the provider sends people back to. */
  get returns(): string {
    return `${this.#options.settings.url}/login/return`
  }

  /** The provider as it is now. Fails with what is wrong with it. */
  get provider(): Effect.Effect<Provider, NotSignedIn> {
    const { secret, settings } = this.#options
    return Effect.tryPromise({
      try: async () => {
        const client = await import("openid-client")
        return await client.discovery(
          new URL(settings.issuer),
          settings.client_id,
          undefined,
          secret === undefined ? client.None() : client.ClientSecretBasic(Redacted.value(secret)),
          {
            // The signature counts, although the token comes over a connection to the provider itself.
            execute: [
              client.enableNonRepudiationChecks,
              ...(settings.issuer.startsWith("http:") ? [client.allowInsecureRequests] : [])
            ],
            [client.customFetch]: this.#fetch as never
          }
        )
      },
      catch: (error) =>
        this.#refusal(`${settings.issuer} could not be asked who you are. Try again in a minute.`, error)
    })
  }

  #refusal(said: string, error: unknown): NotSignedIn {
    const { codes, why } = Network.causes(error)
    return new NotSignedIn({ said, why: Network.words(codes) ?? why })
  }

  /** The provider's address for somebody, and the cookie that their browser brings back. */
  begin(
    to: string,
    encrypted: boolean
  ): Effect.Effect<{ readonly address: string; readonly cookie: string }, NotSignedIn> {
    return Effect.gen({ self: this }, function* () {
      const { scopes = [] } = this.#options.settings
      const provider = yield* this.provider
      const client = yield* Effect.promise(() => import("openid-client"))
      const [state, nonce, verifier] = [client.randomState(), client.randomNonce(), client.randomPKCECodeVerifier()]
      const challenge = yield* Effect.promise(() => client.calculatePKCECodeChallenge(verifier))
      const until = (yield* Clock.currentTimeMillis) + TAKES_MS
      const begun: Begun = { state, nonce, verifier, to: to.length > LONGEST ? "/" : to, until }
      const address = client.buildAuthorizationUrl(provider, {
        redirect_uri: this.returns,
        scope: ["openid", "profile", "email", ...scopes].join(" "),
        state,
        nonce,
        code_challenge: challenge,
        code_challenge_method: "S256"
      })
      return {
        address: address.href,
        cookie: openIdCookie(seal(this.#options.key, BOND, JSON.stringify(begun)), TAKES_MS, encrypted)
      }
    })
  }

  /** Who came back, what their session keeps, and where they wanted to go. Each beginning counts once. */
  finish(
    query: URLSearchParams,
    cookies: string | null,
    persons: ReadonlyArray<StoredPerson>
  ): Effect.Effect<{ readonly person: Person; readonly ticket: Ticket; readonly to: string }, NotSignedIn> {
    return Effect.gen({ self: this }, function* () {
      const begun = this.#begunIn(cookies, yield* Clock.currentTimeMillis)
      if (begun === undefined)
        return yield* new NotSignedIn({
          said: t`This sign-in took too long, was used already, or began in another browser. Sign in again.`
        })
      const refused = query.get("error")
      if (refused !== null && query.get("state") === begun.state)
        return yield* new NotSignedIn({
          said: `${this.issuer} did not sign you in. Sign in again, or ask who looks after it.`,
          why: text(refused)
        })
      const provider = yield* this.provider
      const { claims, idToken } = yield* Effect.tryPromise({
        try: () => this.#exchanged(provider, query, begun),
        catch: (error) =>
          this.#refusal(
            `The answer of ${this.issuer} was not accepted. Sign in again; the daemon's log says why.`,
            error
          )
      })
      return {
        person: yield* this.#personOf(claims, persons),
        ticket: { idToken, sid: text(claims["sid"]) || undefined },
        to: begun.to
      }
    })
  }

  /** What a browser brings back, once. */
  #begunIn(cookies: string | null, now: number): Begun | undefined {
    for (const [state, until] of this.#finished) if (until <= now) this.#finished.delete(state)
    try {
      const begun = JSON.parse(open(this.#options.key, BOND, Cookies.parseHeader(cookies ?? "")[COOKIE] ?? "")) as Begun
      if (begun.until <= now || this.#finished.has(begun.state)) return undefined
      this.#finished.set(begun.state, begun.until)
      return begun
    } catch {
      return undefined
    }
  }

  /** The claims of the token, and those that the provider says only when it is asked. */
  async #exchanged(provider: Provider, query: URLSearchParams, { nonce, state, verifier }: Begun) {
    const client = await import("openid-client")
    const address = new URL(`${this.returns}?${query}`)
    const tokens = await client.authorizationCodeGrant(provider, address, {
      pkceCodeVerifier: verifier,
      expectedState: state,
      expectedNonce: nonce,
      idTokenExpected: true
    })
    const own = tokens.claims() as IDToken
    const isMore = provider.serverMetadata().userinfo_endpoint !== undefined
    const more = isMore ? await client.fetchUserInfo(provider, tokens.access_token, own.sub) : {}
    const claims: Claims = { ...more, ...own }
    return { claims, idToken: tokens.id_token as string }
  }

  /** By the account that names them, otherwise by their groups. */
  #personOf(claims: Claims, persons: ReadonlyArray<StoredPerson>): Effect.Effect<Person, NotSignedIn> {
    const name = [claims["name"], claims["preferred_username"], claims["email"]].map(text).find((one) => one !== "")
    const who = {
      name: name ?? text(claims.sub),
      subject: claims.sub,
      issuer: this.issuer,
      how: "openid connect"
    } as const
    const stored = persons.find((one) => isOf(one, who))
    if (stored !== undefined) return Effect.succeed(personOf(stored, who.how))
    const allowed = allowanceByClaims(this.#options.settings, claims)
    return allowed === undefined
      ? new NotSignedIn({
          said: `${this.issuer} says that you are ${who.name}, but nobody gave you access here. Ask an administrator for it, and tell them this: ${who.subject}`,
          who
        })
      : Effect.succeed({ ...who, ...allowed })
  }

  /** Whom the provider says to sign out, if it is the provider who says it (OpenID Connect Back-Channel Logout). */
  ended(token: string): Effect.Effect<EndedElsewhere, NotSignedIn> {
    return Effect.flatMap(this.provider, (provider) =>
      Effect.tryPromise({
        try: async () => {
          const { createRemoteJWKSet, customFetch, jwtVerify } = await import("jose")
          const { jwks_uri = "" } = provider.serverMetadata()
          const { payload } = await jwtVerify(
            token,
            createRemoteJWKSet(new URL(jwks_uri), { [customFetch]: this.#fetch }),
            {
              issuer: this.issuer,
              audience: this.#options.settings.client_id,
              requiredClaims: ["iat", "jti", "events"],
              maxTokenAge: "10 minutes",
              clockTolerance: 30
            }
          )
          const events = payload["events"] as Readonly<Record<string, unknown>>
          if (!Object.hasOwn(events, ENDED) || payload["nonce"] !== undefined)
            throw new Error("this token does not sign anybody out")
          return whomOf(payload)
        },
        catch: (error) => this.#refusal(t`This does not come from the provider.`, error)
      })
    )
  }

  /** Where somebody's session at the provider is ended; undefined: the provider does not say. */
  endOf({ idToken }: Ticket): Effect.Effect<string | undefined> {
    return Effect.gen({ self: this }, function* () {
      const provider = yield* this.provider
      if (provider.serverMetadata().end_session_endpoint === undefined) return undefined
      const { buildEndSessionUrl } = yield* Effect.promise(() => import("openid-client"))
      return buildEndSessionUrl(provider, {
        id_token_hint: idToken,
        post_logout_redirect_uri: `${this.#options.settings.url}/login`
      }).href
    }).pipe(Effect.orElseSucceed(() => undefined))
  }
}

/** Whom a token that signs somebody out names, whoever wrote it. */
export const namedIn = (token: string): EndedElsewhere => {
  try {
    return whomOf(JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString()) as JWTPayload)
  } catch {
    return { subject: undefined, sid: undefined, at: 0 }
  }
}

const whomOf = ({ iat, sid, sub }: JWTPayload): EndedElsewhere => ({
  subject: typeof sub === "string" ? sub : undefined,
  sid: typeof sid === "string" ? sid : undefined,
  at: (Number(iat) + 1) * 1000
})

/** It comes back from another site, so that it cannot be limited to this one. */
export const openIdCookie = (value: string, lastsMs: number, encrypted: boolean): string =>
  cookie(COOKIE, value, lastsMs, { encrypted }, { path: "/login", sameSite: "lax" })
