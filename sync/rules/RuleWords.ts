/** The rules in words, as the tables of `README.md` have them, for the page. */
import words from "./words.json" with { type: "json" }

export interface RuleWords {
  readonly about: string
  /** One, or several of one kind: `P2, P3, P4`. */
  readonly rule: string
  readonly when: string
  readonly then: string
}

export const RULE_WORDS: ReadonlyArray<RuleWords> = words
