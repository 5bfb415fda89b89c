/** Looks up the tokens of the HTTP interface in the environment. */
import { Redacted } from "effect"
import type { Configuration } from "../../sync/library/config/Configuration.ts"
import type { TokenScope } from "../../sync/library/config/DaemonSettings.ts"

export interface Token {
  readonly name: string
  readonly value: Redacted.Redacted
  readonly scopes: ReadonlyArray<TokenScope>
}

export const tokensOf = ({
  daemon,
  environment
}: Pick<Configuration, "daemon" | "environment">): ReadonlyArray<Token> =>
  daemon.api.map(({ name, scopes, token }) => ({ name, scopes, value: Redacted.make(environment[token] ?? "") }))
