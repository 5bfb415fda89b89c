/**
 * Authorises with OAuth 2 client credentials (RFC 6749, 4.4): the client's id and secret are exchanged for a token that
 * lasts some hours. Each run requests its own token, stores it nowhere, and requests a new one when the source rejects it.
 */
import { Clock, Effect, Schema, Semaphore } from "effect"
import { HttpClient, HttpClientRequest } from "effect/http"
import { assertion } from "./Assertion.ts"
import * as Bounds from "./Bounds.ts"
import { Misconfigured, SourceError, Unavailable, Unreachable } from "./Connector.ts"
import type { Authority } from "./Http.ts"

export interface Options {
  readonly connector: string
  /** The token endpoint. */
  readonly tokens: string
  readonly client: Effect.Effect<{ readonly id: string; readonly secret: string }, SourceError>
  /**
   * How the client's id and secret are sent: with Basic authentication, or in the body. With a certificate, the secret is its
   * private key, and what it signed is sent; `audience` is what the owner of the token endpoint calls it.
   */
  readonly by: "basic" | "body" | { readonly certificate: string; readonly audience: string }
  readonly scope?: string | undefined
  readonly headers: (token: string) => Readonly<Record<string, string>>
  /** What to do when they are rejected. */
  readonly refused: string
}

const Granted = Schema.fromJsonString(Schema.Struct({ access_token: Schema.NonEmptyString }))
const decode = Schema.decodeUnknownOption(Granted)

const JWT = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"

const question = ({ by, scope, tokens }: Options, id: string, secret: string, now: number) => {
  const request = HttpClientRequest.post(tokens)
  const grant = { grant_type: "client_credentials", ...(scope === undefined ? {} : { scope }) }
  if (by === "body") return HttpClientRequest.bodyUrlParams(request, { ...grant, client_id: id, client_secret: secret })
  if (by !== "basic") {
    const client_assertion = assertion({ iss: id, aud: by.audience, scope }, by.certificate, secret, now)
    return HttpClientRequest.bodyUrlParams(request, { ...grant, client_assertion_type: JWT, client_assertion })
  }
  const pair = Buffer.from(`${id}:${secret}`).toString("base64")
  return HttpClientRequest.bodyUrlParams(HttpClientRequest.setHeader(request, "authorization", `Basic ${pair}`), grant)
}

export const make = (options: Options): Authority => {
  const { client: credentials, connector, headers, refused } = options
  const fail = (reason: SourceError["reason"]) => new SourceError({ connector, reason })
  const ask = Effect.gen(function* () {
    const { id, secret } = yield* credentials
    const client = yield* HttpClient.HttpClient
    const now = yield* Clock.currentTimeMillis
    const asked = yield* Effect.try({
      try: () => question(options, id, secret, now),
      catch: () =>
        fail(new Misconfigured({ what: "its private key cannot be read", hint: refused, unauthorised: true }))
    })
    const request = HttpClientRequest.setHeader(asked, "accept", "application/json")
    const { status, text } = yield* client.execute(request).pipe(
      Effect.flatMap((response) =>
        Effect.map(Bounds.textOf(response, Bounds.LARGEST_TOKEN_BYTES), (text) => ({ status: response.status, text }))
      ),
      Effect.timeout("60 seconds"),
      Effect.catch(() =>
        Effect.fail(fail(new Unreachable({ why: "no answer to a new token was received; run again" })))
      )
    )
    if (status === 429 || status >= 500) {
      return yield* fail(new Unavailable({ why: `it issued no token (${status}); run again in a few minutes` }))
    }
    const granted = decode(text)
    if (status === 200 && granted._tag === "Some") return granted.value.access_token
    return yield* fail(new Misconfigured({ what: `it issued no token (${status})`, hint: refused, unauthorised: true }))
  })

  const oneAtATime = Semaphore.makeUnsafe(1)
  let held: string | undefined
  const current = oneAtATime.withPermits(1)(
    Effect.gen(function* () {
      held ??= yield* ask
      return held
    })
  )
  return {
    headers: Effect.map(current, headers),
    renew: Effect.sync(() => {
      held = undefined
    }),
    refused
  }
}
