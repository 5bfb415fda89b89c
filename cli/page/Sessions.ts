/**
 * Manages access to the page: with an account of one's own, here or at a provider, with the shared password, or with the token that
 * the daemon shows if there is none of them. A session is a signed cookie that the daemon also keeps, so that signing out ends it. It ends after a time
 * without use, after a time at all, and when its person is removed or gets another password. Forms contain a token that only the
 * session's own pages have, so that no other site can submit one. The keys of sessions are created anew at every start, unless
 * several processes share them: then each hears from the others who signed in and out.
 *
 * Wrong passwords delay only their sender, more each time. A browser that signed in before is a sender of its own, wherever it
 * is: it is not delayed by what others send from the same address. A token is too long to be guessed, so wrong tokens are not
 * counted.
 */
import { createHmac, randomBytes, scryptSync, timingSafeEqual } from "node:crypto"
import { Effect, Redacted } from "effect"
import * as Cookies from "effect/http/Cookies"
import { isOf, personOf, type StoredPerson } from "../../sync/library/config/PersonsFile.ts"
import { isPasswordOf } from "../../sync/library/PasswordHash.ts"
import { isSamePerson, type Person, shared } from "../../sync/model/Person.ts"
import { type Connection, cookie } from "./Cookie.ts"
import type { EndedElsewhere, OpenId, Ticket } from "./OpenId.ts"
import type { Session, SharedSessions } from "./SharedSessions.ts"

/** How long a session lasts, unless the configuration says otherwise: without use, and at all. */
const IDLE_MS = 2 * 3_600_000
const LASTS_MS = 12 * 3_600_000
/** How many wrong passwords in a row are answered at once. */
const TRIES = 10
/** How many more are answered late, each later than the one before. After that, none is until the sender has waited. */
const LATE = 5
const LATER_MS = 1000
/** How long a sender waits, at first; twice as long each time that it goes on. */
const WAIT_MS = 60_000
const LONGEST_WAIT_MS = 16 * WAIT_MS
/** How many senders and sessions are remembered; those unused for longest are forgotten. */
const MOST = 10_000

const NAME = "daybook"
/** Marks a browser that signed in before. */
const KNOWN = "daybook-known"
/** How a browser is named as a sender, which no address begins with. */
const BROWSER = "browser "
const KNOWN_MS = 180 * 86_400_000

/** Makes a browser delete its session. */
export const forget = (over: Connection): string => cookie(NAME, "", 0, over)

const equal = (a: string, b: string): boolean => {
  const digest = (text: string) => createHmac("sha256", "equal").update(text).digest()
  return timingSafeEqual(digest(a), digest(b))
}

interface Tries {
  /** Those since it last waited. */
  readonly wrong: number
  /** The time of the last one. */
  readonly at: number
  /** How often it has waited. */
  readonly waits: number
}

/** A session as others may see it: its name does not give access. */
export interface OpenSession extends Readonly<Omit<Session, "account" | "ticket">> {
  readonly name: string
}

/** Somebody signed in or out, or could not. */
export interface SignIn {
  readonly at: number
  /** The person, or the name that was given. */
  readonly who: Pick<Person, "how" | "issuer" | "name" | "subject">
  readonly from: string
  readonly outcome: "signed in" | "refused" | "signed out" | "ended by another"
}

export interface SessionOptions {
  /** The people with accounts of their own, as they are now. */
  readonly persons?: () => ReadonlyArray<StoredPerson>
  /** Keeps who signed in and out. */
  readonly record?: (one: SignIn) => Effect.Effect<void>
  /** Where people sign in who have an account there. */
  readonly openId?: OpenId | undefined
  readonly idleMs?: number | undefined
  readonly lastsMs?: number | undefined
  /** Where several processes have the same sessions. */
  readonly shared?: SharedSessions | undefined
}

/** How often others hear that a session is used. Milliseconds. */
const TOLD_MS = 60_000

/** Adds an entry and keeps the map small. */
const remember = <A>(map: Map<string, A>, key: string, value: A): void => {
  map.delete(key)
  map.set(key, value)
  const [oldest] = map.keys()
  if (oldest !== undefined && map.size > MOST) map.delete(oldest)
}

export class Sessions {
  readonly #secret: Buffer
  readonly #tell: SharedSessions["tell"]
  /** Derived from the password by a slow function, so that nobody can guess the password quickly with a stolen cookie. */
  readonly #browsers: Buffer
  readonly #password: Redacted.Redacted | undefined
  readonly #token = randomBytes(18).toString("base64url")
  readonly #tries = new Map<string, Tries>()
  readonly #sessions = new Map<string, Session>()
  /** The people with accounts, as they are now. */
  readonly persons: () => ReadonlyArray<StoredPerson>
  readonly openId: OpenId | undefined
  /** Keeps who signed in and out. */
  readonly record: (one: SignIn) => Effect.Effect<void>
  readonly #idleMs: number
  readonly #lastsMs: number

  constructor(password: Redacted.Redacted | undefined, options: SessionOptions = {}) {
    const { idleMs = IDLE_MS, lastsMs = LASTS_MS, persons = () => [], record = () => Effect.void } = options
    this.record = record
    this.#secret = options.shared?.secret ?? randomBytes(32)
    this.#tell = options.shared?.tell ?? (() => {})
    this.#password = password
    this.persons = persons
    this.openId = options.openId
    this.#idleMs = idleMs
    this.#lastsMs = lastsMs
    this.#browsers =
      password === undefined ? this.#secret : scryptSync(Redacted.value(password), "browsers that signed in", 32)
  }

  /** Whether people have passwords of their own, and whether one is shared. */
  get ways(): { readonly persons: boolean; readonly shared: boolean } {
    const shared = this.#password !== undefined
    return { persons: this.persons().some(({ password }) => password !== undefined), shared }
  }

  /** Lets whoever has it in at `/login?token=…`, where nothing else is set up to sign in. */
  get token(): string | undefined {
    const isOther = this.persons().length > 0 || this.#password !== undefined || this.openId !== undefined
    return isOther ? undefined : this.#token
  }

  #sign(text: string): string {
    return createHmac("sha256", this.#secret).update(text).digest("base64url")
  }

  /** Whether this is the token that gives access where no password is set. */
  isToken(given: string): boolean {
    return this.token !== undefined && equal(given, this.token)
  }

  /**
   * Counts an attempt to give the password as a wrong one, until it is found to be right. Returns after how many milliseconds
   * it may be looked at; undefined: not at all.
   *
   * @param sender its address, or the browser itself if that is known
   */
  attempt(sender: string, now: number): number | undefined {
    const before = this.#tries.get(sender) ?? { wrong: 0, at: now, waits: 0 }
    const quiet = Math.abs(now - before.at)
    const isOver = quiet >= Math.min(WAIT_MS * 2 ** before.waits, LONGEST_WAIT_MS)
    const waits = quiet >= LONGEST_WAIT_MS ? 0 : before.waits + (isOver && before.wrong >= TRIES ? 1 : 0)
    const wrong = isOver ? 0 : before.wrong
    if (wrong >= TRIES + LATE) return undefined
    remember(this.#tries, sender, { wrong: wrong + 1, at: now, waits })
    return Math.max(0, wrong - TRIES + 1) * LATER_MS
  }

  /** Forgets a sender's attempts, once somebody signed in. */
  forgive(sender: string): void {
    this.#tries.delete(sender)
  }

  /** Whether this is the password; if so, its sender's attempts before are forgotten. */
  isPassword(given: string, sender: string): boolean {
    const isRight = this.#password !== undefined && equal(given, Redacted.value(this.#password))
    if (isRight) this.forgive(sender)
    return isRight
  }

  /** The person with this name and password; without a name, whoever knows the shared password. */
  async check(name: string, password: string, sender: string): Promise<Person | undefined> {
    if (name === "" && this.#password !== undefined)
      return this.isPassword(password, sender) ? shared("shared password") : undefined
    const stored = this.persons().find((one) => one.name === name)
    if (!(await isPasswordOf(password, stored?.password, this.#guesses(sender))) || stored === undefined)
      return undefined
    this.forgive(sender)
    return personOf(stored)
  }

  /** How many passwords a sender has tried: those of a browser that signed in before count less than anybody's. */
  #guesses(sender: string): number {
    const { waits, wrong } = this.#tries.get(sender) ?? { wrong: 0, waits: 0 }
    return (sender.startsWith(BROWSER) ? 0 : MOST) + waits * (TRIES + LATE) + wrong
  }

  /** The browser that sends these cookies, if it signed in before; else the address. */
  senderOf(cookies: string | null, from: string): string {
    const value = Cookies.parseHeader(cookies ?? "")[KNOWN] ?? ""
    const [browser = "", signature = ""] = value.split(".")
    return browser !== "" && equal(signature, this.#known(browser)) ? `${BROWSER}${browser}` : from
  }

  /** It stays valid until the password changes. */
  #known(browser: string): string {
    return createHmac("sha256", this.#browsers).update(browser).digest("base64url")
  }

  /** Creates a session and returns the cookies of its browser. The session that the browser had ends. */
  issue(
    now: number,
    from: string,
    over: Connection,
    person = shared("shared password"),
    before?: string,
    ticket?: Ticket
  ) {
    if (before !== undefined) this.end(before)
    const until = now + this.#lastsMs
    const session = `${until}.${randomBytes(12).toString("base64url")}`
    const stored = this.#storedOf(person)
    const account = stored === undefined ? undefined : { hash: stored.password }
    const who = person.name
    const made: Session = { person, account, ticket, until, began: now, used: now, from, who }
    remember(this.#sessions, session, made)
    this.#tell(session, made)
    const browser = randomBytes(12).toString("base64url")
    return [
      cookie(NAME, `${session}.${this.#sign(session)}`, this.#lastsMs, over),
      ...(this.token === undefined ? [cookie(KNOWN, `${browser}.${this.#known(browser)}`, KNOWN_MS, over)] : [])
    ]
  }

  #storedOf(person: Person): StoredPerson | undefined {
    return this.persons().find((one) => isOf(one, person))
  }

  /** An open session, with its person as they are now. One that has ended is forgotten. */
  #open(session: string, now: number): Session | undefined {
    const found = this.#sessions.get(session)
    if (found === undefined) return undefined
    const stored = this.#storedOf(found.person)
    const isGone = found.account !== undefined && (stored === undefined || stored.password !== found.account.hash)
    if (isGone || found.until <= now || found.used + this.#idleMs <= now) {
      this.#sessions.delete(session)
      return undefined
    }
    if (stored !== undefined) found.person = personOf(stored, found.person.how)
    return found
  }

  /** The session that a request belongs to. */
  of(cookies: string | null, now: number): string | undefined {
    const value = Cookies.parseHeader(cookies ?? "")[NAME] ?? ""
    const at = value.lastIndexOf(".")
    const session = value.slice(0, Math.max(0, at))
    if (at < 0 || !equal(value.slice(at + 1), this.#sign(session))) return undefined
    const found = this.#open(session, now)
    if (found === undefined) return undefined
    if (now - found.used >= TOLD_MS) this.#tell(session, { ...found, used: now })
    found.used = now
    return session
  }

  /** Whether it has not ended; asking is no use of it. */
  isOpen(session: string, now: number): boolean {
    return this.#open(session, now) !== undefined
  }

  /** Whose session it is. */
  personOf(session: string): Person | undefined {
    return this.#sessions.get(session)?.person
  }

  /** What the provider at which they signed in needs to end its session. */
  ticketOf(session: string): Ticket | undefined {
    return this.#sessions.get(session)?.ticket
  }

  /** Stores the name that its user gave. */
  named(session: string, who: string): void {
    const found = this.#sessions.get(session)
    if (found === undefined || who === "" || who === found.who) return
    found.who = who
    this.#tell(session, found)
  }

  /** Takes in what another process told; undefined: it has ended. */
  heard(session: string, found: Session | undefined): void {
    if (found === undefined) this.#sessions.delete(session)
    else
      remember(this.#sessions, session, {
        ...found,
        used: Math.max(found.used, this.#sessions.get(session)?.used ?? 0)
      })
  }

  /** The name under which others see it. */
  nameOf(session: string): string {
    return this.#sign(`name ${session}`).slice(0, 16)
  }

  /** The open sessions, most recently used first. */
  open(now: number): ReadonlyArray<OpenSession> {
    return [...this.#sessions.keys()]
      .flatMap((session) => {
        const found = this.#open(session, now)
        if (found === undefined) return []
        const { account: _, ticket: __, ...shown } = found
        return [{ ...shown, name: this.nameOf(session) }]
      })
      .toSorted((a, b) => b.used - a.used)
  }

  /** Ends the session with this name, wherever it is used. Returns whose it was. */
  endNamed(name: string): Person | undefined {
    const found = [...this.#sessions].find(([session]) => equal(this.nameOf(session), name))
    if (found !== undefined) this.end(found[0])
    return found?.[1].person
  }

  /** Ends every session of a person. */
  endAll(person: Person): void {
    for (const [session, one] of this.#sessions) if (isSamePerson(one.person, person)) this.end(session)
  }

  /** The sessions of whom the provider signed out. */
  signedOut(issuer: string, { at, sid, subject }: EndedElsewhere): ReadonlyArray<string> {
    if (sid === undefined && subject === undefined) return []
    return [...this.#sessions].flatMap(([session, { began, person, ticket }]) => {
      const isTheirs = subject === undefined || isSamePerson(person, { issuer, subject })
      return ticket !== undefined && began < at && isTheirs && (sid === undefined || ticket.sid === sid)
        ? [session]
        : []
    })
  }

  /** Ends a session. */
  end(session: string): void {
    if (this.#sessions.delete(session)) this.#tell(session, undefined)
  }

  /** The token for its forms. */
  form(session: string): string {
    return this.#sign(`form ${session}`)
  }

  isForm(session: string, word: string): boolean {
    return equal(word, this.form(session))
  }
}
