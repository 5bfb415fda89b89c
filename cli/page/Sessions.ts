/**
 * Who may see the page: whoever knows its password, or opened it with the token that the daemon shows when there is no
 * password. A session is a signed cookie that the daemon knows as well, so that signing out ends it; forms carry a word
 * that only the session's own pages know, so that no other site can send one. All of it is made anew at every start.
 *
 * Wrong passwords make those wait who sent them, and nobody else. A token is too long to be guessed, so wrong ones count
 * for nothing.
 */
import { createHmac, randomBytes, timingSafeEqual } from "node:crypto"
import { Duration, Redacted } from "effect"
import * as Cookies from "effect/http/Cookies"

const LASTS_MS = 12 * 3_600_000
/** Wrong passwords of one sender in a row, until that sender has to wait. */
const TRIES = 10
const WAIT_MS = 60_000
/** Senders, and sessions, that are remembered at once; those that were heard of longest ago are forgotten. */
const MOST = 10_000

const NAME = "daybook"

/** Of this site alone, for no script, and for so long. */
const cookie = (value: string, lastsMs: number): string =>
  Cookies.serializeCookie(
    Cookies.makeCookieUnsafe(NAME, value, {
      path: "/",
      httpOnly: true,
      sameSite: "strict",
      maxAge: Duration.millis(lastsMs)
    })
  )

/** Makes a browser forget its session. */
export const forget = cookie("", 0)

const equal = (a: string, b: string): boolean => {
  const digest = (text: string) => createHmac("sha256", "equal").update(text).digest()
  return timingSafeEqual(digest(a), digest(b))
}

interface Tries {
  readonly wrong: number
  /** Since the last of them. */
  readonly at: number
}

/** Instants in milliseconds since the epoch. */
interface Session {
  readonly until: number
  readonly began: number
  readonly from: string
  used: number
  /** As it was given last with a decision. */
  who: string
}

/** A session as others may see it: its name lets nobody in. */
export interface OpenSession extends Readonly<Session> {
  readonly name: string
}

/** Keeps the map small. */
const remember = <A>(map: Map<string, A>, key: string, value: A): void => {
  map.delete(key)
  map.set(key, value)
  const [oldest] = map.keys()
  if (oldest !== undefined && map.size > MOST) map.delete(oldest)
}

export class Sessions {
  readonly #secret = randomBytes(32)
  readonly #password: Redacted.Redacted | undefined
  /** Lets in where there is no password: `/login?token=…`. */
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
   * Whether these words let in; `wait` after too many wrong ones.
   *
   * @param from who sends them
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

  /** The cookie of a new session. */
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

  /** Whoever uses it gave this name. */
  named(session: string, who: string): void {
    const found = this.#sessions.get(session)
    if (found !== undefined && who !== "") found.who = who
  }

  /** What others may call it. */
  nameOf(session: string): string {
    return this.#sign(`name ${session}`).slice(0, 16)
  }

  /** Those that are open, the one used last first. */
  open(now: number): ReadonlyArray<OpenSession> {
    return [...this.#sessions]
      .filter(([, { until }]) => until > now)
      .map(([session, one]) => ({ ...one, name: this.nameOf(session) }))
      .toSorted((a, b) => b.used - a.used)
  }

  /** Ends the one of this name, wherever it is used. */
  endNamed(name: string): void {
    for (const session of this.#sessions.keys()) if (equal(this.nameOf(session), name)) this.end(session)
  }

  /** It lets nobody in any more. */
  end(session: string): void {
    this.#sessions.delete(session)
  }

  /** The word that its forms carry. */
  form(session: string): string {
    return this.#sign(`form ${session}`)
  }

  isForm(session: string, word: string): boolean {
    return equal(word, this.form(session))
  }
}
