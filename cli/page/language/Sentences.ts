/**
 * Says in the reader's language what the rest of the program said in English: why something needs attention, what can be done, what a
 * call does. Catalogues have such a sentence with `{0}` for each value in it; a value that is a figure is written as the reader does.
 */
import { figure } from "./Figures.ts"
import { type Language, language } from "./Language.ts"
import { CATALOGUES, term } from "./Texts.ts"

interface Pattern {
  /** What stands around its values. */
  readonly literals: ReadonlyArray<string>
  readonly translation: string
}

const words = ({ literals }: Pattern): number => literals.join("").length

/** The values in a sentence of this pattern: each ends where what follows it stands first. */
const valuesIn = (text: string, { literals }: Pattern): ReadonlyArray<string> | undefined => {
  const [first = "", ...rest] = literals
  const last = rest.at(-1) ?? ""
  if (!text.startsWith(first) || !text.endsWith(last)) return undefined
  const values: Array<string> = []
  let at = first.length
  for (const [n, literal] of rest.entries()) {
    const end = n === rest.length - 1 ? text.length - last.length : text.indexOf(literal, at + 1)
    if (end <= at) return undefined
    values.push(text.slice(at, end))
    at = end + literal.length
  }
  return values
}

const PATTERNS = new Map<Language, ReadonlyArray<Pattern>>()

/** Those with the longest words first: they say most. */
const patterns = (to: Exclude<Language, "en">): ReadonlyArray<Pattern> => {
  const made =
    PATTERNS.get(to) ??
    Object.entries(CATALOGUES[to].sentences)
      .filter(([english]) => english.includes("{0}"))
      .map(([english, translation]) => ({ literals: english.split(/\{\d+\}/), translation }))
      .toSorted((a, b) => words(b) - words(a))
  PATTERNS.set(to, made)
  return made
}

const sentenceOf = (text: string, to: Exclude<Language, "en">): string | undefined => CATALOGUES[to].sentences[text]

/** Sentences are as long as what a source says; a longer one is not looked through. */
const LONGEST = 1000

/** What comes before a sentence inside another one. Names come after other words, so they are not taken for sentences. */
const BEFORE_ANOTHER = /(: |, |; | but |\()$/

const matched = (text: string, to: Exclude<Language, "en">): string | undefined => {
  for (const pattern of patterns(to)) {
    const values = valuesIn(text, pattern)
    if (values === undefined) continue
    const own = values.map((value, n) => {
      const written = figure(value)
      if (written !== value) return written
      return (BEFORE_ANOTHER.test(pattern.literals[n] ?? "") ? within(value, to) : sentenceOf(value, to)) ?? value
    })
    return pattern.translation.replace(/\{(\d+)\}/g, (_, n: string) => own[Number(n)] ?? "")
  }
  return undefined
}

/** A rule's number is the same in every language; a call's reason ends with it. */
const RULE = /^[A-Z]\d{1,2}$/
const OF_RULE = / \((?:[A-Z]\d{1,2}|owner)\)$/

/** What joins sentences to one. */
const JOINTS = ["; ", ": ", ", "]
const MOST_PARTS = 12

const within = (text: string, to: Exclude<Language, "en">): string | undefined => {
  if (text.length > LONGEST) return undefined
  if (RULE.test(text)) return text
  const [of] = OF_RULE.exec(text) ?? []
  if (of !== undefined) {
    const own = within(text.slice(0, -of.length), to)
    return own === undefined ? undefined : own + of
  }
  const whole = sentenceOf(text, to) ?? matched(text, to)
  if (whole !== undefined) return whole
  for (const joint of JOINTS) {
    const parts = text.split(joint)
    if (parts.length < 2 || parts.length > MOST_PARTS) continue
    const own = parts.map((part) => within(part, to))
    if (own.every((one) => one !== undefined)) return own.join(joint)
  }
  return undefined
}

/** A sentence in the reader's language, or in English where it has not been translated. */
export const sentenceText = (english: string): string => {
  const to = language()
  if (to === "en") return english
  const own = figure(english)
  return own === english ? (within(english, to) ?? term(english)) : own
}
