/** Limits the rate of requests per minute for each link. */

const MOST_REQUESTS = 120
const MINUTE_MS = 60_000
/** How many are remembered; the oldest are forgotten. */
const MOST_LINKS = 10_000

export class Throttle {
  readonly #links = new Map<string, { readonly began: number; count: number }>()

  allows(link: string, now: number): boolean {
    const known = this.#links.get(link)
    if (known !== undefined && Math.abs(now - known.began) < MINUTE_MS) return ++known.count <= MOST_REQUESTS
    this.#links.delete(link)
    this.#links.set(link, { began: now, count: 1 })
    const [oldest] = this.#links.keys()
    if (oldest !== undefined && this.#links.size > MOST_LINKS) this.#links.delete(oldest)
    return true
  }
}
