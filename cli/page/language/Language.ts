/** The language of a page: its reader's choice, else the browser's, else English. What is not part of a page is in English. */
import { Context, Duration, Fiber } from "effect"
import * as Cookies from "effect/http/Cookies"

/** In their own words. */
export const LANGUAGES = { en: "English", de: "Deutsch", fr: "Français" } as const

export type Language = keyof typeof LANGUAGES

export const Reader = Context.Reference<Language>("daybook/page/Reader", { defaultValue: () => "en" })

/** The language of the page that is being made. */
export const language = (): Language => Fiber.getCurrent()?.getRef(Reader) ?? "en"

const COOKIE = "daybook_language"
const LASTS = Duration.days(400)

export const isLanguage = (text: string | null | undefined): text is Language =>
  text !== null && text !== undefined && Object.hasOwn(LANGUAGES, text)

/** The cookie that keeps the choice. */
export const keepLanguage = (chosen: Language): string =>
  Cookies.serializeCookie(
    Cookies.makeCookieUnsafe(COOKIE, chosen, { path: "/", httpOnly: true, sameSite: "strict", maxAge: LASTS })
  )

/** The first that is spoken here of `de-AT,de;q=0.9,en;q=0.8`. */
const preferred = (accepted: string): Language | undefined =>
  accepted
    .slice(0, 500)
    .split(",")
    .map((one) => {
      const [tag = "", ...parameters] = one
        .toLowerCase()
        .split(";")
        .map((part) => part.trim())
      const quality = parameters.find((each) => each.startsWith("q="))
      return { name: tag.split("-")[0], quality: quality === undefined ? 1 : Number(quality.slice(2)) }
    })
    .filter(({ quality }) => quality > 0)
    .toSorted((a, b) => b.quality - a.quality)
    .map(({ name }) => name)
    .find(isLanguage)

/** The language that a request asks for. */
export const languageOf = ({ headers }: Pick<Request, "headers">): Language => {
  const chosen = Cookies.parseHeader(headers.get("cookie") ?? "")[COOKIE]
  return isLanguage(chosen) ? chosen : (preferred(headers.get("accept-language") ?? "") ?? "en")
}
