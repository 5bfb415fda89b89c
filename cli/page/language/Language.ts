/**
 * The language of a page, and how it looks: its reader's choice, else the browser's; in English, if neither is spoken here. What is
 * not part of a page is in English.
 */
import { Context, Duration, Fiber } from "effect"
import * as Cookies from "effect/http/Cookies"

/** In their own words. */
export const LANGUAGES = { en: "English", de: "Deutsch", fr: "Français" } as const

export type Language = keyof typeof LANGUAGES

export const Reader = Context.Reference<Language>("daybook/page/Reader", { defaultValue: () => "en" })

/** The language of the page that is being made. */
export const language = (): Language => Fiber.getCurrent()?.getRef(Reader) ?? "en"

/** How a page may look; the first of each is what nobody chose. */
export const LOOKS = { theme: ["system", "light", "dark"], density: ["normal", "dense"] } as const

/** What was chosen, for the page's own attributes: `dark dense`. */
export const ChosenLook = Context.Reference<string>("daybook/page/Look", { defaultValue: () => "" })

export const chosenLook = (): string => Fiber.getCurrent()?.getRef(ChosenLook) ?? ""

/** What a request says of its reader. */
interface AskedBy {
  readonly headers: Pick<Headers, "get">
}

/** Its value is `de`, or `de.dark.dense`. */
const COOKIE = "daybook_language"
const LASTS = Duration.days(400)

export const isLanguage = (text: string | null | undefined): text is Language =>
  text !== null && text !== undefined && Object.hasOwn(LANGUAGES, text)

const chosenIn = ({ headers }: AskedBy): ReadonlyArray<string> =>
  (Cookies.parseHeader(headers.get("cookie") ?? "")[COOKIE] ?? "").split(".")

/** Those of these words that say how a page looks, one of each kind. */
const looks = (words: ReadonlyArray<string>): ReadonlyArray<string> =>
  Object.values(LOOKS).flatMap(([_, ...others]) => others.filter((one) => words.includes(one)).slice(0, 1))

/** The cookie that keeps the choice. */
export const keepLanguage = (chosen: Language, words: ReadonlyArray<string>): string =>
  Cookies.serializeCookie(
    Cookies.makeCookieUnsafe(COOKIE, [chosen, ...looks(words)].join("."), {
      ...{ path: "/", httpOnly: true, sameSite: "strict", maxAge: LASTS }
    })
  )

/** How the pages look that a request asks for. */
export const lookOf = (request: AskedBy): string => looks(chosenIn(request)).join(" ")

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
export const languageOf = (request: AskedBy): Language => {
  const [chosen] = chosenIn(request)
  return isLanguage(chosen) ? chosen : (preferred(request.headers.get("accept-language") ?? "") ?? "en")
}
