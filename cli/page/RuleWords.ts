/** The rules in words: the tables of `sync/rules/README.md`. The bundle has them as a table, made when it is built. */
import { readFileSync } from "node:fs"

export interface RuleWords {
  readonly about: string
  /** One, or several of one kind: `P2, P3, P4`. */
  readonly rule: string
  readonly when: string
  readonly decision: string
}

const README = new URL("../../sync/rules/README.md", import.meta.url)

/** What every guard does. */
const CONFIRMED = "it stops before its first call, until a person says that it is right"

/** Without links, and without the names of files. */
const plain = (text: string): string =>
  text
    .replace(/\[([^\][]*)\]\([^()]*\)/g, "$1")
    .replace(/ \(`[^`]*\.ts`\)/g, "")
    .trim()

export const ruleWords = async (): Promise<ReadonlyArray<RuleWords>> => {
  let about = ""
  return readFileSync(README, "utf8")
    .split("\n")
    .flatMap((line) => {
      if (line.startsWith("## ")) about = line.slice(3)
      if (!/^\| [A-Z]\d/.test(line)) return []
      const [rule = "", when = "", ...more] = line.split("|").slice(1, -1).map(plain)
      // The last column names the code; guards have no other, and invoices one more: what the service has.
      const [service, decision] = more.length === 3 ? more : [undefined, more.at(-2)]
      if (decision === undefined) return [{ about, rule, when, decision: CONFIRMED }]
      return [{ about, rule, when: service === undefined ? when : `${when} (the service has: ${service})`, decision }]
    })
}
