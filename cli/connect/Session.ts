/**
 * Manages the session of the person who opened a link: one cookie, of which the state file stores only the hash. All other
 * tokens are derived from the cookie and need not be stored: the form token, and the state and verifier of each
 * authorisation.
 */
import { createHmac, timingSafeEqual } from "node:crypto"
import { Duration } from "effect"
import * as Cookies from "effect/http/Cookies"

const NAME = "daybook_connect"

/** Lax: a source sends the person back from its own site. */
export const cookieOf = (word: string, { ends, now, url }: Record<"ends" | "now", number> & { readonly url: string }) =>
  Cookies.serializeCookie(
    Cookies.makeCookieUnsafe(NAME, word, {
      path: "/connect",
      httpOnly: true,
      sameSite: "lax",
      secure: url.startsWith("https:"),
      maxAge: Duration.millis(Math.max(0, ends - now))
    })
  )

export const sessionWord = (cookies: string | undefined): string => Cookies.parseHeader(cookies ?? "")[NAME] ?? ""

const derived = (word: string, purpose: string): string =>
  createHmac("sha256", word).update(purpose).digest("base64url")

export const formWord = (word: string): string => derived(word, "form")

/** State and verifier of this authorisation attempt (RFC 6749, RFC 7636). */
export const attemptWords = (word: string, attempt: number): { readonly state: string; readonly verifier: string } => ({
  state: derived(word, `state ${attempt}`),
  verifier: derived(word, `verifier ${attempt}`)
})

/** Compares two texts in constant time. */
export const sameText = (one: string, other: string): boolean => {
  const digest = (text: string) => createHmac("sha256", "same").update(text).digest()
  return timingSafeEqual(digest(one), digest(other))
}
