/** Sends a test message over a channel at once, without storing it. */
import { Effect, Result } from "effect"
import type { HttpClient } from "effect/http"
import { randomUUID } from "node:crypto"
import type { AlertSettings } from "../model/AlertSettings.ts"
import { type ChannelOwner, send } from "./channels/Send.ts"
import type { AlertMessage } from "./Message.ts"
import type { TestedChannel } from "../model/reports/State.ts"

export type { TestedChannel }

/** @param names the channels' names */
export const tryChannels = (
  { channels }: AlertSettings,
  owner: ChannelOwner,
  names: ReadonlyArray<string>
): Effect.Effect<ReadonlyArray<TestedChannel>, never, HttpClient.HttpClient> =>
  Effect.forEach(
    names,
    (name) => {
      const channel = channels[name]
      if (channel === undefined) return Effect.succeed({ channel: name, sent: false, why: "there is no such channel" })
      const message: AlertMessage = { id: randomUUID(), type: "daybook.test", alerts: [], more: 0 }
      return Effect.map(Effect.result(send(channel, owner, message)), (result) =>
        Result.isSuccess(result)
          ? { channel: name, sent: true }
          : { channel: name, sent: false, why: result.failure.why }
      )
    },
    { concurrency: "unbounded" }
  )
