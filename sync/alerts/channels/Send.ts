/** Sends one message over one channel, with the secrets that the channel names. */
import { Clock, Context, Effect, Redacted } from "effect"
import type { HttpClient } from "effect/http"
import { notSet } from "../../../connectors/Secrets.ts"
import { addressProblem } from "../../../core/Address.ts"
import { lookupOutside } from "../../../core/Reach.ts"
import { onInternet } from "../../../core/wire/Undici.ts"
import type { Channel } from "../../model/AlertSettings.ts"
import type { Bounds } from "../../model/Bounds.ts"
import type { AlertMessage } from "../Message.ts"
import { NotDelivered } from "./Delivery.ts"
import { post } from "./Post.ts"
import * as Posting from "./Posting.ts"

export type Environment = Readonly<Record<string, string | undefined>>

/** Whose channels they are: the variables of their secrets, and what they may reach, if others write them. */
export interface ChannelOwner {
  readonly environment: Environment
  readonly bounds?: Bounds
}

/** The variable may be set at the next start, so a retry may help. */
const secretOf = ({ env }: { readonly env: string }, environment: Environment) =>
  Effect.suspend(() => {
    const value = environment[env] ?? ""
    return value === ""
      ? Effect.fail(new NotDelivered({ why: notSet(env), again: true }))
      : Effect.succeed(Redacted.make(value, { label: env }))
  })

/** An address that is secret. */
const addressOf = (secret: { readonly env: string }, environment: Environment) =>
  Effect.flatMap(secretOf(secret, environment), (address) => {
    const url = Redacted.value(address)
    // Teams addresses have query parameters, so only the origin is checked.
    return URL.canParse(url) && addressProblem(`${new URL(url).origin}/`) === undefined
      ? Effect.succeed(url)
      : Effect.fail(new NotDelivered({ why: `${secret.env} does not hold an https address`, again: true }))
  })

export const send = (
  channel: Channel,
  { bounds, environment }: ChannelOwner,
  message: AlertMessage
): Effect.Effect<void, NotDelivered, HttpClient.HttpClient> => {
  const isBounded = bounds !== undefined && !bounds.privateAddresses
  return Effect.gen(function* () {
    if ("slack" in channel) return yield* post(yield* addressOf(channel.slack.url, environment), Posting.slack(message))
    if ("teams" in channel) return yield* post(yield* addressOf(channel.teams.url, environment), Posting.teams(message))
    if ("webhook" in channel) {
      const { secret, url } = channel.webhook
      const key = yield* secretOf(secret, environment)
      return yield* post(url, Posting.webhook(message, Redacted.value(key), yield* Clock.currentTimeMillis))
    }
    const { password } = channel.email
    const given = password === undefined ? undefined : yield* secretOf(password, environment)
    // Loaded only when an e-mail is sent: the mail client is large.
    const { email } = yield* Effect.promise(() => import("./Email.ts"))
    return yield* email(channel.email, given, message, isBounded ? lookupOutside : undefined)
  }).pipe(Effect.provide(isBounded ? onInternet : Context.empty()))
}
