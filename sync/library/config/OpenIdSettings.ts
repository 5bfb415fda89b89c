/** The configuration of signing in at an OpenID Connect provider: who it is, where it sends people back, and what its groups may do. */
import { Schema } from "effect"
import { addressProblem } from "../../../core/Address.ts"
import { secret } from "../../model/Secret.ts"
import { Allowance, allowanceOf } from "./PersonsFile.ts"

const maybe = Schema.optionalKey

const Address = Schema.String.check(Schema.makeFilter((url: string) => addressProblem(url, "as client_secret") ?? true))

const Group = Schema.Struct({ value: Schema.NonEmptyString, ...Allowance })

export const OpenIdFile = Schema.Struct({
  /** The provider's issuer identifier, exactly as it writes it. */
  issuer: Address,
  client_id: Schema.NonEmptyString,
  /** Without it, Daybook is a public client, which PKCE alone protects. */
  client_secret: maybe(secret("DAYBOOK_OPENID_SECRET")),
  /** The address at which people reach the page. The provider sends them back to `/login/return` of it, and nowhere else. */
  url: Address,
  /** What is asked for besides `openid profile email`. */
  scopes: maybe(Schema.Array(Schema.String.check(Schema.isPattern(/^[\x21\x23-\x5b\x5d-\x7e]+$/u)))),
  /** What people may do whom no account names: the first of these values that their claim has. */
  groups: maybe(Schema.Struct({ claim: Schema.NonEmptyString, allow: Schema.NonEmptyArray(Group) }))
})

export interface OpenIdSettings extends Omit<typeof OpenIdFile.Type, "client_secret"> {
  /** A variable of the environment. */
  readonly secret?: string
}

export const openIdOf = ({ client_secret, ...file }: typeof OpenIdFile.Type): OpenIdSettings => ({
  ...file,
  url: file.url.replace(/(?<!\/)\/+$/, ""),
  ...(client_secret === undefined ? {} : { secret: client_secret.env })
})

/** What a claim's values allow: that of the first group which is among them; undefined: nothing. */
export const allowanceByClaims = (
  { groups }: OpenIdSettings,
  claims: Readonly<Record<string, unknown>>
): ReturnType<typeof allowanceOf> | undefined => {
  const given = groups === undefined ? undefined : claims[groups.claim]
  const values: ReadonlyArray<unknown> = Array.isArray(given) ? given : [given]
  const found = groups?.allow.find(({ value }) => values.includes(value))
  return found === undefined ? undefined : allowanceOf(found)
}
