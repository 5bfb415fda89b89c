/**
 * Who may see the page: whoever knows its password, or opened it with the token that the daemon shows when there is no
 * password. A session is a signed cookie; forms carry a word that only the session's own pages know, so that no other
 * site can send one. All of it is made anew at every start.
 */
import { createHmac, randomBytes, timingSafeEqual } from "node:crypto"
import { Redacted } from "effect"

/** Twelve hours. */
const LASTS = 12 * 3_600_000
/** Wrong passwords in a row until everybody has to wait a minute. */
const TRIES = 10

const equal = (a: string, b: string): boolean => {
  const [one, other] = [a, b].map((text) => createHmac("sha256", "equal").update(text).digest())
  return timingSafeEqual(one!, other!)
}

export class Sessions {
  readonly #secret = randomBytes(32)
  readonly #password: Redacted.Redacted | undefined
  /** Lets in where there is no password: `/login?token=…`. */
  readonly token: string | undefined
  #wrong = 0
  #waits = 0

  constructor(password: Redacted.Redacted | undefined) {
    this.#password = password
    this.token = password === undefined ? randomBytes(18).toString("base64url") : undefined
  }

  #sign(text: string): string {
    return createHmac("sha256", this.#secret).update(text).digest("base64url")
  }

  /** Whether these words let in; `wait` after too many wrong ones. */
  accepts(given: { readonly password?: string | undefined; readonly token?: string | undefined }, now: number) {
    if (now < this.#waits && this.#waits - now <= 60_000) return "wait" as const
    const good =
      this.#password === undefined
        ? equal(given.token ?? "", this.token!)
        : equal(given.password ?? "", Redacted.value(this.#password))
    if (good) this.#wrong = 0
    else if (++this.#wrong >= TRIES) {
      this.#wrong = 0
      this.#waits = now + 60_000
    }
    return good
  }

  /** The cookie of a new session. */
  issue(now: number): string {
    const session = `${now + LASTS}.${randomBytes(12).toString("base64url")}`
    return `daybook=${session}.${this.#sign(session)}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${LASTS / 1000}`
  }

  /** The session that a request belongs to. */
  of(cookies: string | null, now: number): string | undefined {
    const value = /(?:^|;\s*)daybook=([^;]+)/.exec(cookies ?? "")?.[1] ?? ""
    const at = value.lastIndexOf(".")
    const session = value.slice(0, Math.max(0, at))
    if (at < 0 || !equal(value.slice(at + 1), this.#sign(session))) return undefined
    return Number.parseInt(session, 10) > now ? session : undefined
  }

  /** The word that its forms carry. */
  form(session: string): string {
    return this.#sign(`form ${session}`)
  }

  isForm(session: string, word: string): boolean {
    return equal(word, this.form(session))
  }
}
