/**
 * Writes `core/sandbox/RULES.md`: every row of the specifications with the tests that show it, found by name, and every
 * assumption that the code makes where the specifications are silent.
 *
 *     node test/support/rules.ts
 */
import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { type Row, SPECIFICATION } from "./SpecificationRows.ts"

const ROOT = new URL("../../", import.meta.url)

export const FILE = "core/sandbox/RULES.md"

const read = (path: string): string => readFileSync(new URL(path, ROOT), "utf8")

const files = (folder: string, end: string): ReadonlyArray<string> =>
  readdirSync(new URL(folder, ROOT), { recursive: true, encoding: "utf8" })
    .map((path) => `${folder}/${path.replaceAll("\\", "/")}`)
    .filter((path) => path.endsWith(end))
    .toSorted()

export interface Named {
  readonly name: string
  readonly path: string
}

/** A quoted name that begins with a row, anywhere in the source: tests take names from tables as well. */
const NAME = /(["'`])((?:DP|II) \d(?:(?!\1)[^\\\n]|\\.)*)\1/g

/** What comes before the title of a group: `describe(`, `describe.each(all)(`. */
const GROUP = /\bdescribe(\.\w+)*(\([^()]*(\([^()]*\)[^()]*)*\))?\(\s*$/

/** The names in the source of a test file. */
export const namesOf = (path: string, source: string): ReadonlyArray<Named> =>
  [...source.matchAll(NAME)]
    .filter(({ index }) => !GROUP.test(source.slice(Math.max(0, index - 300), index)))
    .map(([, , name]) => ({ name: name!.replace(/\\(.)/g, "$1"), path }))

/** The names of all tests that are named after a row. */
export const names = (): ReadonlyArray<Named> =>
  files("test/core", ".test.ts").flatMap((path) => namesOf(path, read(path)))

/** How the name of a test that shows the row begins. */
export const beginning = ({ document, row, section }: Row): string =>
  /^\d{1,2}$/.test(row) ? `${document} ${section}.${row}` : `${document} ${section} ${row}`

/** The tests that show a row. */
export const shownBy = (row: Row, all: ReadonlyArray<Named>): ReadonlyArray<Named> => {
  const begin = beginning(row)
  return all.filter(({ name }) => {
    const plain = name.replace(/^(\w+ [\d.]+): /, /^\d{1,2}$/.test(row.row) ? "$1: " : "$1 ")
    return plain.startsWith(begin) && !/^[\w/.<]/.test(plain.slice(begin.length))
  })
}

export interface Assumed {
  readonly path: string
  /** The declaration that it belongs to; empty at the top of a file. */
  readonly at: string
  readonly words: string
}

const COMMENT = /\/\*\*([\s\S]*?)\*\/|((?:^[ \t]*\/\/.*\n)+)/gm

const DECLARED =
  /^(?:export )?(?:const|class|function|type|interface) (\w+)|^(\w+)\(|^readonly (\w+)|^["']?(\w+)["']?[:?]/

/** The name declared after a comment. */
const following = (rest: string): string => {
  const line =
    rest
      .split("\n")
      .find((one) => one.trim() !== "")
      ?.trim() ?? ""
  return (
    DECLARED.exec(line)
      ?.slice(1)
      .find((name) => name !== undefined) ?? ""
  )
}

/** The top-level declaration around a position. */
const enclosing = (before: string): string =>
  [...before.matchAll(/^(?:export )?(?:const|class|function|type|interface) (\w+)/gm)].at(-1)?.[1] ?? ""

/** The assumptions in a source file: every paragraph of a comment with that word. */
export const assumptionsOf = (path: string, source: string): ReadonlyArray<Assumed> =>
  [...source.matchAll(COMMENT)].flatMap(({ 0: whole, 1: block, 2: lines, index }) => {
    const text = (block ?? lines ?? "").replace(/^[ \t]*(\*|\/\/) ?/gm, "")
    const first = index === 0
    const own = first ? "" : following(source.slice(index + whole.length))
    const inside = first ? "" : enclosing(source.slice(0, index))
    const at = /^[ \t]/.test(whole) || lines !== undefined || /[ \t]$/.test(source.slice(0, index)) ? inside : own
    return text
      .split(/\n\s*\n/)
      .filter((paragraph) => /\bAssumptions?\b/.test(paragraph))
      .map((paragraph) => ({ path, at: at === "" ? own : at, words: paragraph.replace(/\s+/g, " ").trim() }))
  })

export const assumptions = (): ReadonlyArray<Assumed> =>
  files("core", ".ts").flatMap((path) => assumptionsOf(path, read(path)))

const cell = (text: string): string => text.replaceAll("|", "\\|").replaceAll("<", "&lt;")

const link = (path: string): string => `[${path.replace(/^(test\/core|core)\//, "")}](../../${path})`

const SECTIONS: Readonly<Record<string, string>> = {
  "DP 3": "Deferred payment 3: states and transitions",
  "DP 4": "Deferred payment 4: endpoints and notes",
  "DP 6.1": "Deferred payment 6.1: the notification",
  "DP 6.2": "Deferred payment 6.2: events of the elements",
  "DP 6.3": "Deferred payment 6.3: the SDK, its methods and options",
  "DP 7": "Deferred payment 7: errors",
  "II 3.1": "Invoice insurance 3.1: transactions",
  "II 3.2": "Invoice insurance 3.2: quotes",
  "II 3.3": "Invoice insurance 3.3: policies",
  "II 3.4": "Invoice insurance 3.4: collections",
  "II 4": "Invoice insurance 4: endpoints",
  "II 7": "Invoice insurance 7: errors"
}

/** The expected content of the file. */
export const generate = (): string => {
  const all = names()
  const parts = Object.entries(SECTIONS).map(([section, title]) => {
    const lines = SPECIFICATION.filter((row) => `${row.document} ${row.section}` === section).map((row) => {
      const shown = shownBy(row, all).map(({ name, path }) => `${cell(name)} (${link(path)})`)
      return `| ${cell(row.row)} | ${cell(row.words)} | ${shown.length === 0 ? "**none**" : shown.join("<br>")} |`
    })
    return `## ${title}\n\n| row | asks for | tests |\n|---|---|---|\n${lines.join("\n")}\n`
  })
  const assumed = assumptions().map(
    ({ at, path, words }) => `| ${link(path)}${at === "" ? "" : ` \`${at}\``} | ${cell(words)} |`
  )
  return `# The rules of the service, and the tests that show them

Made by \`node test/support/rules.ts\` from the names of the tests and the comments of the code; a test keeps it so.

${parts.join("\n")}
## Assumptions

Where the documents are silent, these hold. Each is one place in the code.

| place | assumption |
|---|---|
${assumed.join("\n")}
`
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(new URL(FILE, ROOT), generate())
