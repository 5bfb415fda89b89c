/** Limits the rate of requests per minute for each sender. */

const MOST_REQUESTS = 120
const MINUTE_MS = 60_000
/** How many senders are remembered; the oldest are forgotten. */
const MOST_SENDERS = 10_000

export class Throttle {
  readonly #senders = new Map<string, { readonly began: number; count: number }>()

  allows(sender: string, now: number): boolean {
    const known = this.#senders.get(sender)
    if (known !== undefined && Math.abs(now - known.began) < MINUTE_MS) return ++known.count <= MOST_REQUESTS
    this.#senders.delete(sender)
    this.#senders.set(sender, { began: now, count: 1 })
    const [oldest] = this.#senders.keys()
    if (oldest !== undefined && this.#senders.size > MOST_SENDERS) this.#senders.delete(oldest)
    return true
  }
}
