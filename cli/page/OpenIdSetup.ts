/** Makes what signs people in at a provider from the configuration, and says what is wrong with it. */
import { Effect, Redacted } from "effect"
import { randomBytes } from "node:crypto"
import { notSet } from "../../connectors/Secrets.ts"
import { ConfigError, type Configuration } from "../../sync/library/config/Configuration.ts"
import { isKnown } from "../daemon/Host.ts"
import { OpenId } from "./OpenId.ts"

/** The provider at which people sign in; undefined if none is configured. */
export const openIdOf = (
  { daemon, environment, file }: Pick<Configuration, "daemon" | "environment" | "file">,
  key: Buffer = randomBytes(32)
): Effect.Effect<OpenId | undefined, ConfigError> => {
  const { hosts = [], openId: settings, privateAddresses = false } = daemon
  if (settings === undefined) return Effect.succeed(undefined)
  const wrong = (problem: string) =>
    Effect.fail(new ConfigError({ file, problems: [`daemon.page.openid_connect.${problem}`] }))
  const name = new URL(settings.url).hostname
  if (!isKnown(name, daemon.host, hosts))
    return wrong(`url: requests for ${name} are refused until it is in daemon.hosts`)
  const { secret } = settings
  const value = secret === undefined ? undefined : (environment[secret] ?? "")
  if (secret !== undefined && value === "") return wrong(`client_secret: ${notSet(secret)}`)
  return Effect.succeed(
    new OpenId({
      settings,
      privateAddresses,
      secret: value === undefined ? undefined : Redacted.make(value),
      key: Redacted.make(key)
    })
  )
}

/** What the provider says of itself, and what it has to know; or what is wrong. */
export const openIdCheck = (openId: OpenId): Effect.Effect<{ readonly ok: boolean; readonly says: string }> =>
  openId.provider.pipe(
    Effect.map((provider) => {
      const { code_challenge_methods_supported: methods } = provider.serverMetadata()
      return methods?.includes("S256") === false
        ? { ok: false, says: `${openId.issuer} does not offer PKCE with S256, without which nobody is signed in` }
        : { ok: true, says: `${openId.issuer} answers; register ${openId.returns} there as redirect URI` }
    }),
    Effect.catch(({ why = "" }) =>
      Effect.succeed({ ok: false, says: `daemon.page.openid_connect: ${openId.issuer} cannot be used: ${why}` })
    )
  )
