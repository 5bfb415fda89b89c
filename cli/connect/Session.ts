/**
 * The session of whoever opened a link: one cookie, of which the state file knows only what it hashes to. All other words
 * of it follow from the cookie, so that none has to be kept: that of its forms, and those of each authorisation.
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

/** Of the authorisation that is tried for this time (RFC 6749, RFC 7636). */
export const attemptWords = (word: string, attempt: number): { readonly state: string; readonly verifier: string } => ({
  state: derived(word, `state ${attempt}`),
  verifier: derived(word, `verifier ${attempt}`)
})

/** Takes as long whatever the texts are. */
export const sameText = (one: string, other: string): boolean => {
  const digest = (text: string) => createHmac("sha256", "same").update(text).digest()
  return timingSafeEqual(digest(one), digest(other))
}
