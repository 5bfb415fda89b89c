/** A real OpenID Connect provider (`oidc-provider`) on this machine, with people of its own, which can be made to lie. */
import { generateKeyPairSync, sign } from "node:crypto"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { atEnd } from "./AtEnd.ts"

/** What is used of the package, which comes without types. */
interface Made {
  readonly callback: () => (request: IncomingMessage, response: ServerResponse) => void
  readonly use: (middleware: (context: Answering, next: () => Promise<void>) => Promise<void>) => void
}
interface Answering {
  readonly oidc?: { readonly route?: string }
  body: { id_token?: string }
}
const { default: Provider } = (await import("oidc-provider" as string)) as {
  readonly default: new (issuer: string, options: object) => Made
}

export const CLIENT = { id: "daybook", secret: "of-daybook-and-the-provider" }

type Claims = Readonly<Record<string, unknown>>

const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url")

/** A key of its own, and tokens that are signed with it. */
const newKey = (kid: string) => {
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 })
  return {
    jwk: { ...privateKey.export({ format: "jwk" }), kid, use: "sig", alg: "RS256" },
    token: (claims: Claims): string => {
      const text = `${part({ alg: "RS256", kid, typ: "JWT" })}.${part(claims)}`
      return `${text}.${sign("sha256", Buffer.from(text), privateKey).toString("base64url")}`
    }
  }
}

export interface Lies {
  /** Changes the claims of each token of who somebody is. */
  claims?: ((claims: Claims) => Claims) | undefined
  /** Signs with a key that is not the provider's. */
  forged?: boolean | undefined
}

/** @param page the address of the daemon's page */
export const openIdProvider = async (people: Readonly<Record<string, Claims>>, page: string) => {
  const lies: Lies = {}
  let key = newKey("first")
  let handler: ReturnType<Made["callback"]> = () => {}
  const server = createServer((request, response) => handler(request, response))
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve))
  atEnd(() => server.close())
  // Another site than the page's, for a browser: the same address by its other name.
  const issuer = `http://localhost:${(server.address() as AddressInfo).port}`
  const begin = () => {
    const provider = new Provider(issuer, {
      clients: [
        {
          client_id: CLIENT.id,
          client_secret: CLIENT.secret,
          redirect_uris: [`${page}/login/return`],
          post_logout_redirect_uris: [`${page}/login`],
          backchannel_logout_uri: `${page}/login/ended`,
          backchannel_logout_session_required: true
        }
      ],
      jwks: { keys: [key.jwk] },
      cookies: { keys: ["of this test"] },
      claims: { openid: ["sub"], profile: ["name"], email: ["email"], groups: ["groups"] },
      scopes: ["openid", "profile", "email", "groups"],
      pkce: { required: () => true },
      features: { backchannelLogout: { enabled: true } },
      findAccount: (_: unknown, sub: string) =>
        people[sub] === undefined ? undefined : { accountId: sub, claims: () => ({ sub, ...people[sub] }) }
    })
    provider.use(async (context, next) => {
      await next()
      const { id_token: token } = context.body ?? {}
      if (context.oidc?.route !== "token" || token === undefined) return
      if (lies.claims === undefined && lies.forged !== true) return
      const claims = JSON.parse(Buffer.from(token.split(".")[1]!, "base64url").toString()) as Claims
      const signing = lies.forged === true ? newKey(key.jwk.kid) : key
      context.body = { ...context.body, id_token: signing.token(lies.claims?.(claims) ?? claims) }
    })
    handler = provider.callback()
  }
  begin()
  return {
    issuer,
    lies,
    /** The provider has another key from now on, and none of what it knew. */
    rotate: () => {
      key = newKey("second")
      begin()
    },
    /** A token that signs somebody out, as the provider would send it. */
    token: (claims: Claims) => key.token(claims)
  }
}
