/**
 * Says the page's texts in its reader's language. A catalogue has each by its English words, with `{0}` for the first value in it.
 * Templates are translated once: what differs is their texts, and the order of their values.
 */
import french from "./fr.json" with { type: "json" }
import german from "./de.json" with { type: "json" }
import { type Language, language } from "./Language.ts"

interface Catalogue {
  /** The page's own. */
  readonly texts: Readonly<Record<string, string>>
  /** What is said elsewhere, see `Sentences.ts`. */
  readonly sentences: Readonly<Record<string, string>>
}

export const CATALOGUES: Readonly<Record<Exclude<Language, "en">, Catalogue>> = { de: german, fr: french }

/** Stands for a value while a template is one text. */
const VALUE = /\0(\d+)\0/

/** A text between the spaces around it. */
const spaced = (text: string) => {
  const inner = text.trim()
  const at = text.length - text.trimStart().length
  return { before: text.slice(0, at), inner, after: text.slice(at + inner.length) }
}

/** Without what only breaks the template's lines. */
const inOneLine = (text: string): string => {
  const { after, before, inner } = spaced(text)
  return `${before.includes("\n") ? "" : before}${inner}${after.includes("\n") ? "" : after}`
}

/** A text as catalogues have it, and the values in it: as it is rendered, without what only breaks the template's lines. */
const parsed = (text: string) => {
  const values: Array<string> = []
  const whole = text
    .split(VALUE)
    .map((part, n) => (n % 2 === 1 ? `\0${part}\0` : inOneLine(part)))
    .join("")
  const { after, before, inner } = spaced(whole)
  const english = inner
    .replace(/\s+/g, " ")
    .split(VALUE)
    .map((part, n) => (n % 2 === 1 ? `{${values.push(part) - 1}}` : part))
    .join("")
  return { before, english, after, values }
}

const hasWords = (english: string): boolean => /[A-Za-z]{2}/.test(english.replace(/\{\d+\}/g, ""))

/** Attributes that are shown or read out. */
const SHOWN = /(\s(?:aria-label|title|placeholder|alt|label)=")([^"]*)(?=")/g

/** Replaces the texts of a template: those between its tags, but for code, and those of attributes. */
const replaced = (markup: string, replace: (text: string) => string): string => {
  let isCode = false
  return markup.replace(/<(?:[^"<>]|"[^"]*")*>|[^<]+/g, (part) => {
    if (!part.startsWith("<")) return isCode ? part : replace(part)
    isCode = /^<(code|pre)\b/.test(part)
    return part.replace(SHOWN, (_, before: string, text: string) => before + replace(text))
  })
}

const whole = (strings: ReadonlyArray<string>): string =>
  strings.reduce((text, part, n) => (n === 0 ? part : `${text}\0${n - 1}\0${part}`), "")

/** The texts of a template in markup as catalogues have them. */
export const textsOf = (strings: ReadonlyArray<string>): ReadonlyArray<string> => {
  const found: Array<string> = []
  replaced(whole(strings), (text) => {
    const { english } = parsed(text)
    if (hasWords(english)) found.push(english)
    return text
  })
  return found
}

/** A text as catalogues have it. */
export const textOf = (strings: ReadonlyArray<string>): string => parsed(whole(strings)).english

/** A template in a language. */
interface Translated {
  readonly strings: TemplateStringsArray
  /** Which value stands in each place. */
  readonly order: ReadonlyArray<number>
}

const inLanguage =
  (to: Exclude<Language, "en">) =>
  (text: string): string => {
    const { after, before, english, values } = parsed(text)
    const translation = CATALOGUES[to].texts[english]
    return translation === undefined
      ? text
      : before + translation.replace(/\{(\d+)\}/g, (_, n: string) => `\0${values[Number(n)]}\0`) + after
  }

const translate = (strings: TemplateStringsArray, to: Exclude<Language, "en">, kind: "markup" | "text"): Translated => {
  const text = whole(strings)
  const parts = (kind === "markup" ? replaced(text, inLanguage(to)) : inLanguage(to)(text)).split(VALUE)
  const own = parts.filter((_, n) => n % 2 === 0)
  return {
    strings: Object.assign(own, { raw: own }),
    order: parts.flatMap((part, n) => (n % 2 === 1 ? [Number(part)] : []))
  }
}

const known = { de: new WeakMap<object, Translated>(), fr: new WeakMap<object, Translated>() }

/** A template and its values in the reader's language. */
export const translated = (
  strings: TemplateStringsArray,
  values: ReadonlyArray<unknown>,
  kind: "markup" | "text"
): readonly [strings: TemplateStringsArray, ...values: ReadonlyArray<unknown>] => {
  const to = language()
  if (to === "en") return [strings, ...values]
  const found = known[to].get(strings) ?? translate(strings, to, kind)
  known[to].set(strings, found)
  return [found.strings, ...found.order.map((n) => values[n])]
}

/** A text of the page in the reader's language: `t` followed by a template. */
export const t = (strings: TemplateStringsArray, ...values: ReadonlyArray<string | number | undefined>): string => {
  const [parts, ...own] = translated(strings, values, "text")
  return parts.reduce((text, part, n) => (n === 0 ? part : `${text}${String(own[n - 1])}${part}`), "")
}

/** One of the program's constants in the reader's language, or in English where it has not been translated. */
export const term = (english: string): string => {
  const to = language()
  return to === "en" ? english : (CATALOGUES[to].texts[english] ?? english)
}

export const terms = <K extends string>(words: Readonly<Record<K, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries<string>(words).map(([key, english]) => [key, term(english)]))
