/** Whose requests take turns with each other: what a source counts together, its connections keep to together. */
import { createHash } from "node:crypto"
import { Effect } from "effect"
import type { HttpClient } from "effect/http"
import type { Limits, SourceError } from "./Connector.ts"
import * as Pace from "./Pace.ts"

/** What says whose requests are counted together, as `Http.Options` has it. */
interface Counted {
  readonly connector: string
  readonly base: string
  readonly authority: {
    readonly headers: Asked<Readonly<Record<string, string>>>
    readonly renew?: Asked<void>
  }
  readonly limits?: Limits
  readonly app?: Effect.Effect<string, SourceError>
  readonly account?: string
}

/** The one key that every request has; keys are not kept. */
const fingerprint = ({ authority }: Counted): Asked<string> =>
  Effect.map(authority.headers, (signed) => createHash("sha256").update(JSON.stringify(signed)).digest("hex"))

type Asked<A> = Effect.Effect<A, SourceError, HttpClient.HttpClient>

/** Whose requests are counted together with these; undefined if nobody else's. */
const countedBy = (options: Counted): Asked<string | undefined> => {
  const { account, app, authority, limits = {} } = options
  const { by = authority.renew === undefined ? "key" : "authorisation" } = limits
  if (by === "server") return Effect.succeed("server")
  if (by === "authorisation" || (by === "account" && account === undefined && authority.renew !== undefined))
    return Effect.succeed(undefined)
  if (by === "account" && account !== undefined) return Effect.succeed(`account ${account}`)
  return app ?? (authority.renew === undefined ? fingerprint(options) : Effect.succeed(undefined))
}

const ATONCE = 4

/** What the requests take turns by: with others of the same account, key or server, and of the same app. */
export const turnsOf = (options: Counted): Asked<ReadonlyArray<Pace.Turns>> => {
  const { app, base, connector, limits = {} } = options
  const its = { atOnce: ATONCE, ...limits }
  const own = Pace.turns(its)
  return Effect.gen(function* () {
    const by = yield* countedBy(options)
    const turns = by === undefined ? own : yield* Pace.together(`${connector} ${base} ${by}`, its)
    if (limits.app === undefined || app === undefined) return [turns]
    return [turns, yield* Pace.together(`${connector} app ${yield* app}`, limits.app)]
  })
}
