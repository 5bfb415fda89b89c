/**
 * How Shopify is authorised: by the access token of an app that was made in the shop's own admin, which stays as it is; or
 * by the client id and secret of an app of the Dev Dashboard, which give a token for a day. That one is asked for by each
 * run and kept nowhere.
 */
import { Effect, Schema, Semaphore } from "effect"
import { HttpClient, HttpClientRequest } from "effect/http"
import * as Bounds from "../Bounds.ts"
import { Misconfigured, SourceError, type ConnectorContext, Unavailable, Unreachable } from "../Connector.ts"
import * as Http from "../Http.ts"

export interface Named {
  readonly env: string
}

export interface Credentials {
  readonly token?: Named
  readonly client_id?: Named
  readonly client_secret?: Named
}

/** Why these are no credentials. */
export const problem = ({ client_id, client_secret, token }: Credentials): string | undefined => {
  const both = client_id !== undefined && client_secret !== undefined
  const either = client_id !== undefined || client_secret !== undefined
  return token === undefined ? (both ? undefined : WAYS) : either ? WAYS : undefined
}

const WAYS =
  "give either token (of an app made in the shop's admin), or client_id and client_secret (of an app of the Dev Dashboard)"

const Granted = Schema.fromJsonString(Schema.Struct({ access_token: Schema.NonEmptyString }))
const decode = Schema.decodeUnknownOption(Granted)

const named = (token: string) => ({ "x-shopify-access-token": token })

export const authority = (
  { client_id, client_secret, token }: Credentials,
  base: string,
  { environment }: ConnectorContext
): Http.Authority => {
  if (token !== undefined) return Http.key(Http.secret("shopify", environment, token.env), token.env, named)
  const fail = (reason: SourceError["reason"]) => new SourceError({ connector: "shopify", reason })
  const refused = `check ${client_id?.env} and ${client_secret?.env}, and that the app is installed in this shop, of its own organisation`

  const ask = Effect.gen(function* () {
    const id = yield* Http.secret("shopify", environment, client_id?.env ?? "")
    const secret = yield* Http.secret("shopify", environment, client_secret?.env ?? "")
    const client = yield* HttpClient.HttpClient
    const question = HttpClientRequest.post(`${base}/admin/oauth/access_token`).pipe(
      HttpClientRequest.setHeaders({ accept: "application/json" }),
      HttpClientRequest.bodyUrlParams({ grant_type: "client_credentials", client_id: id, client_secret: secret })
    )
    const { status, text } = yield* client.execute(question).pipe(
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
    return yield* fail(new Misconfigured({ what: `it issued no token (${status})`, hint: refused }))
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
    headers: Effect.map(current, named),
    renew: Effect.sync(() => {
      held = undefined
    }),
    refused
  }
}
