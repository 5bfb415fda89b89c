/**
 * Who uses the page, by name, so that what is decided there has one. Whoever gives a name with a form need not give it again
 * in the same browser; it proves nothing, as the password lets in all who know it.
 */
import { Duration } from "effect"
import * as Cookies from "effect/http/Cookies"

const NAME = "daybook_name"
const LASTS = Duration.days(90)
const LONGEST = 200

/** A name as a person gave it, in one line; empty where none was given. */
export const tidy = (text: string | null): string =>
  (text ?? "")
    .replace(/[\p{Cc}\p{Cf}]+/gu, " ")
    .trim()
    .slice(0, LONGEST)

/** The cookie that remembers a name. */
export const remember = (name: string): string =>
  Cookies.serializeCookie(
    Cookies.makeCookieUnsafe(NAME, name, { path: "/", httpOnly: true, sameSite: "strict", maxAge: LASTS })
  )

/** The name that a browser remembers. */
export const of = (cookies: string | null): string => tidy(Cookies.parseHeader(cookies ?? "")[NAME] ?? "")
