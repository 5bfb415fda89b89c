/**
 * Authorises with Shopify in one of two ways: with the permanent access token of an app made in the shop's own admin, or
 * with the client id and secret of a Dev Dashboard app, which are exchanged for a token that lasts a day. Each run requests
 * its own token and stores it nowhere.
 */
import { Effect } from "effect"
import * as ClientCredentials from "../ClientCredentials.ts"
import type { ConnectorContext } from "../Connector.ts"
import * as Http from "../Http.ts"

export interface Named {
  readonly env: string
}

export interface Credentials {
  readonly token?: Named
  readonly client_id?: Named
  readonly client_secret?: Named
}

/** What is wrong with these credentials. */
export const problem = ({ client_id, client_secret, token }: Credentials): string | undefined => {
  const both = client_id !== undefined && client_secret !== undefined
  const either = client_id !== undefined || client_secret !== undefined
  return token === undefined ? (both ? undefined : WAYS) : either ? WAYS : undefined
}

const WAYS =
  "give either token (of an app made in the shop's admin), or client_id and client_secret (of an app of the Dev Dashboard)"

const named = (token: string) => ({ "x-shopify-access-token": token })

export const authority = (
  { client_id, client_secret, token }: Credentials,
  base: string,
  { environment }: ConnectorContext
): Http.Authority => {
  const secret = (variable = "") => Http.secret("shopify", environment, variable)
  if (token !== undefined) return Http.key(secret(token.env), token.env, named)
  return ClientCredentials.make({
    connector: "shopify",
    tokens: `${base}/admin/oauth/access_token`,
    client: Effect.all({ id: secret(client_id?.env), secret: secret(client_secret?.env) }),
    by: "body",
    headers: named,
    refused: `check ${client_id?.env} and ${client_secret?.env}, and that the app is installed in this shop, of its own organisation`
  })
}
