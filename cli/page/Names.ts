/**
 * Remembers the name of the person who uses the page, so that decisions are recorded with it. A person who gave a name in a
 * form need not give it again in the same browser. It is not proof of identity, because everybody uses the same password.
 */
import { Duration } from "effect"
import * as Cookies from "effect/http/Cookies"

const NAME = "daybook_name"
const LASTS = Duration.days(90)
const LONGEST = 200

/** The given name on one line; empty if there is none. */
export const tidy = (text: string | null): string =>
  (text ?? "")
    .replace(/[\p{Cc}\p{Cf}]+/gu, " ")
    .trim()
    .slice(0, LONGEST)

/** The cookie that stores a name. */
export const remember = (name: string): string =>
  Cookies.serializeCookie(
    Cookies.makeCookieUnsafe(NAME, name, { path: "/", httpOnly: true, sameSite: "strict", maxAge: LASTS })
  )

/** The name that the browser stored. */
export const of = (cookies: string | null): string => tidy(Cookies.parseHeader(cookies ?? "")[NAME] ?? "")
