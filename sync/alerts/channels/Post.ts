/** Posts to a channel over HTTP, and interprets the answer. The address may be a secret, and is never shown. */
import { Clock, DateTime, Effect, Option } from "effect"
import { HttpClient, HttpClientRequest } from "effect/http"
import { DELIVERY_TIMEOUT_MS, NotDelivered } from "./Delivery.ts"
import * as Body from "../../../core/wire/Body.ts"
import type { Posting } from "./Posting.ts"

const DAY_MS = 86_400_000

/** `Retry-After`: seconds, or a date. */
const waitOf = (said: string | undefined, now: number): number | undefined => {
  if (said === undefined) return undefined
  const date = /^\d{1,6}$/.test(said)
    ? Option.some(now + Number(said) * 1000)
    : Option.map(DateTime.make(said), DateTime.toEpochMillis)
  return Option.isNone(date) ? undefined : Math.min(Math.max(0, date.value - now), DAY_MS)
}

const LARGEST_BYTES = 2 ** 16

const AGAIN = [408, 425, 429]

export const post = (
  url: string,
  { body, headers }: Posting
): Effect.Effect<void, NotDelivered, HttpClient.HttpClient> =>
  Effect.gen(function* () {
    const client = yield* HttpClient.HttpClient
    const { headers: said, status } = yield* client
      .execute(
        HttpClientRequest.post(url).pipe(
          HttpClientRequest.setHeaders(headers),
          HttpClientRequest.bodyText(body, "application/json")
        )
      )
      .pipe(
        // The body is not needed, but must be read so that the connection can be reused; one that is larger ends it.
        Effect.tap((response) => Effect.ignore(Body.text(response, LARGEST_BYTES))),
        Effect.timeout(DELIVERY_TIMEOUT_MS),
        // A cause may contain the request, and with it the address.
        Effect.catch(() => Effect.fail(new NotDelivered({ why: "it did not answer", again: true })))
      )
    if (status >= 200 && status < 300) return
    const wait = waitOf(said["retry-after"], yield* Clock.currentTimeMillis)
    return yield* new NotDelivered({
      why: `it answered ${status}`,
      again: status >= 500 || AGAIN.includes(status),
      ...(wait === undefined ? {} : { wait })
    })
  })
