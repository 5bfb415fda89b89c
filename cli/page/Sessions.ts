/**
 * Manages access to the page: with its password, or with the token that the daemon shows if there is no password. A session
 * is a signed cookie that the daemon also keeps, so that signing out ends it. Forms contain a token that only the session's
 * own pages have, so that no other site can submit one. All keys are created anew at every start.
 *
 * Wrong passwords delay only their sender. A token is too long to be guessed, so wrong tokens are not counted.
 */
import { createHmac, randomBytes, timingSafeEqual } from "node:crypto"
import { Duration, Redacted } from "effect"
import * as Cookies from "effect/http/Cookies"

const LASTS_MS = 12 * 3_600_000
/** How many wrong passwords in a row a sender may try before waiting. */
const TRIES = 10
const WAIT_MS = 60_000
/** How many senders and sessions are remembered; those unused for longest are forgotten. */
const MOST = 10_000

const NAME = "daybook"

/** Limited to this site, not readable by scripts, with a lifetime. */
const cookie = (value: string, lastsMs: number): string =>
  Cookies.serializeCookie(
    Cookies.makeCookieUnsafe(NAME, value, {
      path: "/",
      httpOnly: true,
      sameSite: "strict",
      maxAge: Duration.millis(lastsMs)
    })
  )

/** Makes a browser delete its session. */
export const forget = cookie("", 0)

const equal = (a: string, b: string): boolean => {
  const digest = (text: string) => createHmac("sha256", "equal").update(text).digest()
  return timingSafeEqual(digest(a), digest(b))
}

interface Tries {
  readonly wrong: number
  /** The time of the last one. */
  readonly at: number
}

/** Instants in milliseconds since the epoch. */
interface Session {
  readonly until: number
  readonly began: number
  readonly from: string
  used: number
  /** The name given with the last decision. */
  who: string
}

/** A session as others may see it: its name does not give access. */
export interface OpenSession extends Readonly<Session> {
  readonly name: string
}

/** Adds an entry and keeps the map small. */
const remember = <A>(map: Map<string, A>, key: string, value: A): void => {
  map.delete(key)
  map.set(key, value)
  const [oldest] = map.keys()
  if (oldest !== undefined && map.size > MOST) map.delete(oldest)
}

export class Sessions {
  readonly #secret = randomBytes(32)
  readonly #password: Redacted.Redacted | undefined
  /** Gives access if there is no password: `/login?token=…`. */
  readonly token: string | undefined
  readonly #tries = new Map<string, Tries>()
  readonly #sessions = new Map<string, Session>()

  constructor(password: Redacted.Redacted | undefined) {
    this.#password = password
    this.token = password === undefined ? randomBytes(18).toString("base64url") : undefined
  }

  #sign(text: string): string {
    return createHmac("sha256", this.#secret).update(text).digest("base64url")
  }

  /**
   * Whether this password or token gives access; `wait` after too many wrong ones.
   *
   * @param from the sender
   */
  accepts(
    given: { readonly password?: string | undefined; readonly token?: string | undefined },
    from: string,
    now: number
  ): boolean | "wait" {
    if (this.#password === undefined) return this.token !== undefined && equal(given.token ?? "", this.token)
    const before = this.#tries.get(from)
    const recent = before !== undefined && Math.abs(now - before.at) < WAIT_MS ? before : undefined
    if (recent !== undefined && recent.wrong >= TRIES) return "wait"
    const good = equal(given.password ?? "", Redacted.value(this.#password))
    if (good) this.#tries.delete(from)
    else remember(this.#tries, from, { wrong: (recent?.wrong ?? 0) + 1, at: now })
    return good
  }

  /** Creates a session and returns its cookie. */
  issue(now: number, from = ""): string {
    const session = `${now + LASTS_MS}.${randomBytes(12).toString("base64url")}`
    remember(this.#sessions, session, { until: now + LASTS_MS, began: now, used: now, from, who: "" })
    return cookie(`${session}.${this.#sign(session)}`, LASTS_MS)
  }

  /** The session that a request belongs to. */
  of(cookies: string | null, now: number): string | undefined {
    const value = Cookies.parseHeader(cookies ?? "")[NAME] ?? ""
    const at = value.lastIndexOf(".")
    const session = value.slice(0, Math.max(0, at))
    if (at < 0 || !equal(value.slice(at + 1), this.#sign(session))) return undefined
    const found = this.#sessions.get(session)
    if (found === undefined || found.until <= now) return undefined
    found.used = now
    return session
  }

  /** Whether it has not ended; asking is no use of it. */
  isOpen(session: string, now: number): boolean {
    return (this.#sessions.get(session)?.until ?? 0) > now
  }

  /** Stores the name that its user gave. */
  named(session: string, who: string): void {
    const found = this.#sessions.get(session)
    if (found !== undefined && who !== "") found.who = who
  }

  /** The name under which others see it. */
  nameOf(session: string): string {
    return this.#sign(`name ${session}`).slice(0, 16)
  }

  /** The open sessions, most recently used first. */
  open(now: number): ReadonlyArray<OpenSession> {
    return [...this.#sessions]
      .filter(([, { until }]) => until > now)
      .map(([session, one]) => ({ ...one, name: this.nameOf(session) }))
      .toSorted((a, b) => b.used - a.used)
  }

  /** Ends the session with this name, wherever it is used. */
  endNamed(name: string): void {
    for (const session of this.#sessions.keys()) if (equal(this.nameOf(session), name)) this.end(session)
  }

  /** Ends a session. */
  end(session: string): void {
    this.#sessions.delete(session)
  }

  /** The token for its forms. */
  form(session: string): string {
    return this.#sign(`form ${session}`)
  }

  isForm(session: string, word: string): boolean {
    return equal(word, this.form(session))
  }
}
