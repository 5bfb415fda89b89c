/** Checks that the page can be read in each of its languages: every text has a translation, figures are exact, and English stays. */
import { globSync, readFileSync } from "node:fs"
import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import * as Decimal from "../../core/money/Decimal.ts"
import type { Brand } from "../../cli/connect/Brand.ts"
import { connectPage } from "../../cli/connect/ConnectLayout.ts"
import { invitation } from "../../cli/connect/Invitation.ts"
import { html, render, sentence, when } from "../../cli/page/Html.ts"
import { choiceIn } from "../../cli/page/LanguageChoice.ts"
import { allPage } from "../../cli/tenants/AllPage.ts"
import type { Link } from "../../sync/connect/Links.ts"
import { amountText, fieldText, figure, grouped, plural } from "../../cli/page/language/Figures.ts"
import { type Language, languageOf, ChosenLook, lookOf, Reader } from "../../cli/page/language/Language.ts"
import { sentenceText } from "../../cli/page/language/Sentences.ts"
import { CATALOGUES, t, term } from "../../cli/page/language/Texts.ts"
import { plainAmount, typedBefore } from "../../cli/page/language/TypedAmount.ts"
import { CONFIG_TEXTS } from "../../sync/library/config/schema/ConfigTexts.ts"
import { itemTexts, setupTexts } from "../support/ItemTexts.ts"
import { pageTexts } from "../support/PageTexts.ts"

const OTHERS = ["de", "fr"] as const

/** Names, formats and addresses: the same in every language. */
const SAME = new Set([
  "1 GB",
  "31–60",
  "61–90",
  "accounts@acme.example",
  "CSV",
  "Daybook",
  "Europe/London",
  "Excel",
  "https://pager.acme.example/daybook",
  "NotSignedIn",
  "PDF",
  "Slack",
  "STARTTLS",
  "Teams",
  "`daybook attention retry`"
])

/** What is recorded, sent or compared and so is English for everybody, and what is said before a reader is known. */
const ENGLISH = [
  /^(SELECT|PRAGMA) /,
  /^(Failure|Success|ServiceError)$/,
  /^(note|sum) bad$/,
  /^(shared password|start token|browsers that signed in)$/,
  /^(the page|page password|closed by hand on the page|configuration changed)$/,
  /^(signed in|signed out|ended by another|NotSignedIn|openid connect)$/,
  /^this token does not sign anybody out$/,
  /^(also in quiet hours|all channels|on request|, and each plan is approved)$/,
  /^(window closes|offer ends|not checked)$/,
  /^(Plan|What|Customer|Document|Currency|Amount|Rule|Why)$/,
  /^(is not an image that is known|has more than 100 KB|is not a PNG, JPEG, WebP or SVG|somebody on the page|Some)$/,
  /^the page needs a password|^Sign in first|^the thread that reads it ended/
]

const said = pageTexts().filter(
  ({ file, text }) => file !== "OnPage.ts" && /[A-Za-z]{2}/.test(text.replace(/\{\d+\}/g, ""))
)
const needed = [...new Set(said.filter(({ how }) => how !== "plain").map(({ text }) => text))].filter(
  (text) => !SAME.has(text)
)

const inLanguage = <A>(language: Language, make: () => A): A =>
  Effect.runSync(Effect.sync(make).pipe(Effect.provideService(Reader, language)))

const placeholders = (text: string): ReadonlyArray<string> => [...new Set(text.match(/\{\d+\}/g))].toSorted()

describe("catalogues", () => {
  it.each(OTHERS)("have every text of the page in %s", (language) => {
    expect(needed.length).toBeGreaterThan(900)
    expect(needed.filter((text) => CATALOGUES[language].texts[text] === undefined)).toEqual([])
  })

  it("know every text that is said in plain English as one that stays English", () => {
    const plural = new Set(needed)
    const plain = said.filter(({ file, how, text }) => how === "plain" && file !== "Uploads.ts" && !plural.has(text))
    expect(plain.filter(({ text }) => !ENGLISH.some((one) => one.test(text)))).toEqual([])
  })

  it.each(OTHERS)("have why a file is not taken in %s", (language) => {
    const refused = said.filter(({ file }) => file === "Uploads.ts").map(({ text }) => text)
    const whole = refused.map((text) => (text.startsWith("it is ") ? `a.csv cannot be used: ${text}.` : text))
    expect(whole.length).toBeGreaterThan(6)
    expect(whole.filter((text) => inLanguage(language, () => sentenceText(text)) === text)).toEqual([])
  })

  it.each(OTHERS)("have the same values in each text in %s", (language) => {
    const { sentences, texts } = CATALOGUES[language]
    const wrong = Object.entries({ ...texts, ...sentences }).filter(
      ([english, own]) => placeholders(english).join() !== placeholders(own).join()
    )
    expect(wrong).toEqual([])
  })

  it("have the same texts in each language, and none that no source says", () => {
    const [first, second] = OTHERS.map((language) => CATALOGUES[language])
    expect(Object.keys(first!.texts)).toEqual(Object.keys(second!.texts))
    expect(Object.keys(first!.sentences)).toEqual(Object.keys(second!.sentences))
    const known = new Set(said.map(({ text }) => text))
    const sources = globSync(["{cli,sync,core}/**/*.ts", "sync/rules/README.md"]).map((file) =>
      readFileSync(file, "utf8")
    )
    const words = new Set(sources.flatMap((source) => source.match(/[a-z]{4,}/gi) ?? []))
    const isSaid = (english: string) =>
      known.has(english) ||
      (english.match(/[a-z]{4,}/gi) ?? []).every((word) => words.has(word) || words.has(word.replace(/s$/, "")))
    expect(Object.keys({ ...first!.texts, ...first!.sentences }).filter((english) => !isSaid(english))).toEqual([])
  })
})

/** Files whose sentences end a command or a run, and are no items. */
const ENDS = /\/(Account|BoundService|Claims|CollectionForm|ReadBack|Runs|Sender|SourceBindings)\.ts$/

describe("what needs attention", () => {
  it.each(OTHERS)("is said in %s, whatever the rules find", (language) => {
    const texts = itemTexts().filter(([file, text]) => !ENDS.test(file) && !text.includes("Nothing was sent. Look at"))
    expect(texts.length).toBeGreaterThan(100)
    expect(texts.filter(([, text]) => inLanguage(language, () => sentenceText(text)) === text)).toEqual([])
  })
})

/** Too short to be a pattern: anything else would be taken for it. */
const SHORT = /^INV-07 (is in INV-17|is what INV-17|not read|also in INV-17)$|^Which column of INV-07 is INV-17\?INV/

describe("settings, and what is asked and found as they are made", () => {
  it.each(OTHERS)("are said in %s", (language) => {
    const found = setupTexts().map(([, text]) => text)
    const texts = [...Object.values(CONFIG_TEXTS), ...found.filter((text) => !SHORT.test(text))]
    expect(found.length).toBeGreaterThan(150)
    expect(texts.filter((text) => inLanguage(language, () => sentenceText(text)) === text)).toEqual([])
  })
})

describe("texts", () => {
  const page = (name: string) => html`<p title="Customer">Since ${name}: <b>Nothing new.</b> <code>All</code></p>`

  it("are translated between tags and in titles, with values as they are", () => {
    expect(render(page("Today"))).toContain('<p title="Customer">Since Today: <b>Nothing new.</b> <code>All</code></p>')
    expect(render(inLanguage("de", () => page("Today")))).toContain(
      '<p title="Kunde">Seit Today: <b>Nichts Neues.</b> <code>All</code></p>'
    )
  })

  it("put values where the language has them", () => {
    const words = (two: string) => t`${two} failed ${"once"}: ${"x"}`
    expect(words("books")).toBe("books failed once: x")
    expect(inLanguage("de", () => words("books"))).toBe("books once fehlgeschlagen: x")
  })

  it("are made for each reader: no template is made as its module is loaded", () => {
    const pages = globSync("cli/{page,connect,tenants}/*.ts").map((file) => readFileSync(file, "utf8"))
    expect(pages.flatMap((page) => page.match(/^(?:export )?const \w+(?:: \w+)? = (?:html|t)`/gm) ?? [])).toEqual([])
  })

  it("of one reader are not another's", async () => {
    const make = Effect.andThen(
      Effect.yieldNow,
      Effect.sync(() => term("Customers"))
    )
    const all = Effect.all(
      (["de", "en", "fr"] as const).map((one) => Effect.provideService(make, Reader, one)),
      { concurrency: "unbounded" }
    )
    expect(await Effect.runPromise(all)).toEqual(["Kunden", "Customers", "Clients"])
  })

  it("that were said elsewhere are found by their pattern, else marked as English", () => {
    const why = "payment 1,234.50 GBP on 2026-11-20 from Today: no open invoice of Today has this amount"
    expect(inLanguage("de", () => sentenceText(why))).toBe(
      "Zahlung 1.234,50\u00a0GBP am 20.11.2026 von Today: keine offene Rechnung von Today hat diesen Betrag"
    )
    expect(inLanguage("fr", () => sentenceText("1.00 GBP received on 2026-09-10 (P1)"))).toBe(
      "1,00\u00a0GBP reçus le 10/09/2026 (P1)"
    )
    expect(render(inLanguage("fr", () => html`<p>${sentence("something new is said")}</p>`))).toContain(
      '<span lang="en">something new is said</span>'
    )
    expect(render(html`<p>${sentence("something new is said")}</p>`)).toContain("<p>something new is said</p>")
  })

  it("take no longer for a long sentence with many joints", () => {
    const long = "a, b; c: d, ".repeat(80)
    expect(inLanguage("de", () => sentenceText(long))).toBe(long)
  })
})

describe("pages beside the rooms", () => {
  const brand = { name: "Acme", style: "", logo: undefined } as unknown as Brand
  const link = { terms: { account: "Harbour Lane", tenant: "harbour" } } as unknown as Link

  it("of links are in the reader's language, with what is wrong", () => {
    const { body, title } = inLanguage("de", () => invitation(brand, link, { word: "w", said: new URLSearchParams() }))
    const wrong = "a.pdf cannot be used: it is a PDF; export the list as CSV or Excel."
    const shown = inLanguage("de", () => connectPage(brand, { title, body, step: "Check", wrong }))
    expect(shown).toContain('<html lang="de">')
    expect(shown).toContain("Ihre Bücher mit Acme verbinden")
    expect(shown).toContain("3. Prüfen")
    expect(shown).toContain("a.pdf ist nicht zu gebrauchen: ein PDF")
  })

  it("of all tenants are in the reader's language", () => {
    const shown = inLanguage("fr", () =>
      render(html`<div>${allPage([], { search: "", after: "" }, { form: "", elsewhere: 2 })}</div>`)
    )
    expect(shown).toContain("0\u00a0locataire sur 0 ; 2 autres de ce dossier sont d'autres parties.")
    expect(shown).toContain("demandent de l'attention")
  })
})

describe("how pages look", () => {
  const chosen = (posted: Record<string, string>, before = "") => {
    const asked = (cookie: string) => ({ headers: new Headers({ cookie }) })
    const { keeps } = Effect.runSync(
      Effect.sync(() => choiceIn(new URLSearchParams(posted))).pipe(
        Effect.provideService(ChosenLook, lookOf(asked(before)))
      )
    )
    const cookie = keeps?.split(";")[0] ?? ""
    return [cookie, languageOf(asked(cookie)), lookOf(asked(cookie))]
  }

  it("is kept beside the language, and only what there is", () => {
    const [cookie, ...now] = chosen({ language: "de", theme: "dark", density: "dense" })
    expect(now).toEqual(["de", "dark dense"])
    // The foot of a page changes the language alone.
    expect(chosen({ language: "fr" }, cookie).slice(1)).toEqual(["fr", "dark dense"])
    expect(chosen({ language: "fr", theme: "system", density: "normal" }, cookie).slice(1)).toEqual(["fr", ""])
    expect(chosen({ language: "fr", theme: 'x" onload', density: "light dark" }).slice(1)).toEqual(["fr", ""])
    expect(chosen({ language: "xx", theme: "dark" })[0]).toBe("")
  })
})

describe("figures", () => {
  const amount = Decimal.of("123456789012345.50")

  it("are the exact digits, as the reader groups them", () => {
    expect(amountText(amount, "GBP")).toBe("123,456,789,012,345.50 GBP")
    expect(inLanguage("de", () => amountText(amount, "GBP"))).toBe("123.456.789.012.345,50\u00a0GBP")
    expect(inLanguage("fr", () => amountText(-amount, "GBP"))).toBe(
      "-123\u202f456\u202f789\u202f012\u202f345,50\u00a0GBP"
    )
  })

  it("are counts and days, and nothing else", () => {
    expect(
      inLanguage("de", () => [grouped(12345), figure("2026-11-21"), figure("INV-1,5"), figure("2026.001")])
    ).toEqual(["12.345", "21.11.2026", "INV-1,5", "2026.001"])
    expect(inLanguage("fr", () => [0, 1, 2].map((n) => plural(n, "invoice")))).toEqual([
      "0\u00a0facture",
      "1\u00a0facture",
      "2\u00a0factures"
    ])
    expect(render(inLanguage("fr", () => html`<p>${when(0)}</p>`))).toContain(
      '<time datetime="1970-01-01T00:00:00.000Z" title="01/01/1970 00:00:00 UTC">01/01/1970 00:00</time>'
    )
  })
})

describe("the language of a request", () => {
  const asks = (headers: Readonly<Record<string, string>>) => languageOf({ headers: new Headers(headers) })

  it("is the choice, else the browser's, else English", () => {
    expect(asks({})).toBe("en")
    expect(asks({ "accept-language": "de-AT,de;q=0.9,en;q=0.8" })).toBe("de")
    expect(asks({ "accept-language": "nl,en;q=0.5,fr;q=0.7" })).toBe("fr")
    expect(asks({ "accept-language": "fr;q=0, *" })).toBe("en")
    expect(asks({ "accept-language": "de", cookie: "daybook_language=fr" })).toBe("fr")
    expect(asks({ "accept-language": "de", cookie: "daybook_language=__proto__" })).toBe("de")
  })
})

describe("an amount that a person types", () => {
  it.each([
    ["1234", "1234"],
    ["1234.5", "1234.5"],
    ["1234,50", "1234.50"],
    ["1,234.50", "1234.50"],
    ["1.234,50", "1234.50"],
    ["1\u202f234,50", "1234.50"],
    ["1'234.50", "1234.50"],
    ["1,234,567", "1234567"],
    ["12.345.678,9", "12345678.9"],
    ["0.125", "0.125"],
    ["1234.567", "1234.567"],
    ["12.5000", "12.5000"]
  ])("%s is %s in every language", (typed, plain) => expect(plainAmount(typed)).toBe(plain))

  it.each(["1.234", "1,234", "12.500", "1,23,456", "1.234.50", "1,234,50", "-1", "", "1e3", "10 GBP", "1.2.3"])(
    "%s is not guessed",
    (typed) => expect(plainAmount(typed)).toBeUndefined()
  )

  it("is never written into a field so that it cannot be read", () => {
    for (const amount of ["1,234.50", "1,234", "12.500", "0.001", "1,234.567"])
      for (const language of ["en", "de", "fr"] as const) {
        const written = inLanguage(language, () => fieldText(typedBefore(amount)))
        expect(Decimal.of(plainAmount(written) ?? "")).toBe(Decimal.of(amount.replaceAll(",", "")))
      }
  })
})
