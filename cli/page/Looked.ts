/**
 * Remembers a person's last visit, so that Today can show what is new since then. The browser stores it. Pages opened within
 * half an hour count as one visit, so that the news stays visible until the next one.
 */
import { Duration } from "effect"
import * as Cookies from "effect/http/Cookies"

export const NAME = "daybook_looked"
const LASTS = Duration.days(90)
const VISIT_MS = 30 * 60_000
const DAY_MS = 86_400_000

/** Instants in milliseconds since the epoch. */
export interface Look {
  /** What came after this is new. */
  readonly since: number
  /** The latest page of this visit. */
  readonly last: number
}

/** The start of a first visit: the beginning of yesterday. */
export const yesterday = (now: number): number => (Math.floor(now / DAY_MS) - 1) * DAY_MS

/** Updates the visit when somebody opens Today. */
export const visit = (before: Look | undefined, now: number): Look => {
  if (before === undefined) return { since: yesterday(now), last: now }
  return now - before.last >= VISIT_MS ? { since: before.last, last: now } : { since: before.since, last: now }
}

/** ReadContext the cookie; undefined if it is missing or invalid, for example in the future. */
export const read = (text: string | undefined, now: number): Look | undefined => {
  const [, since, last] = /^(\d{12,14})\.(\d{12,14})$/.exec(text ?? "") ?? []
  const look = { since: Number(since), last: Number(last) }
  return look.since <= look.last && look.last <= now ? look : undefined
}

/** The cookie that stores it. */
export const remember = ({ last, since }: Look): string =>
  Cookies.serializeCookie(
    Cookies.makeCookieUnsafe(NAME, `${since}.${last}`, { path: "/", httpOnly: true, sameSite: "strict", maxAge: LASTS })
  )

/** A time in the address: a day, or an instant in UTC. Undefined if it is neither, or in the future. */
export const asked = (text: string | null, now: number): number | undefined => {
  if (text === null || !/^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{3})?)?Z?)?$/.test(text)) return undefined
  const whole = text.length === 10 || text.endsWith("Z") ? text : `${text}Z`
  const at = Date.parse(whole)
  return Number.isNaN(at) || at > now ? undefined : at
}
