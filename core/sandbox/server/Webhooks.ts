/**
 * Sends changes to a platform (II 6): the transaction with its policy and quote, by POST. Assumption (retries are not shown):
 * anything but a 2xx is retried three times, after 0, 2 and 4 seconds.
 */
import type { Delivery } from "./Control.ts"

/** Milliseconds before each retry. */
export const RETRIES_MS: ReadonlyArray<number> = [0, 2000, 4000]
const TIMEOUT_MS = 10_000

export interface WebhookTarget {
  readonly url: string
  /** Sent as the `Authorization` header, as agreed with the platform beforehand. */
  readonly authorization?: string
  /** Milliseconds before each retry; 0, 2000 and 4000 by default. */
  readonly retries?: ReadonlyArray<number>
}

/** Posts `body` until it is accepted or the retries are used up; every attempt is added to `deliveries`. Never rejects. */
export const deliver = async (
  { authorization, retries = RETRIES_MS, url }: WebhookTarget,
  body: unknown,
  deliveries: Array<Delivery>,
  now: () => number
): Promise<void> => {
  const headers = { "content-type": "application/json", ...(authorization === undefined ? {} : { authorization }) }
  for (let attempt = 1; attempt <= 1 + retries.length; attempt++) {
    const at = new Date(now()).toISOString()
    const status = await fetch(url, {
      method: "POST",
      // A redirect is not a 2xx, and the agreed Authorization is for one address only.
      redirect: "manual",
      headers,
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(TIMEOUT_MS)
    }).then(
      (answer) => answer.body?.cancel().then(() => answer.status) ?? answer.status,
      () => null
    )
    deliveries.push({ n: deliveries.length + 1, at, url, attempt, status })
    if (status !== null && status >= 200 && status < 300) return
    const wait = retries[attempt - 1]
    if (wait !== undefined) await new Promise((resolve) => setTimeout(resolve, wait).unref())
  }
}
