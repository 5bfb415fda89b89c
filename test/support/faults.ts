/**
 * Writes `test/FAULTS.md`: every fault by name, with the tests that show what the user sees of it.
 *
 *     node test/support/faults.ts
 */
import { readFileSync, writeFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { FAULTS, type FaultRow } from "./FaultRows.ts"

const ROOT = new URL("../", import.meta.url)

export const FILE = "test/FAULTS.md"

/** Quoted names in the source of a test file. */
const NAMES = /(["`])((?:(?!\1)[^\\\n]|\\.)*)\1/g

/** The names of tests that begin with `begin`. */
export const found = (source: string, begin: string): ReadonlyArray<string> =>
  [...source.matchAll(NAMES)]
    .map(([, , name]) => name!.replaceAll("$" + "{", "{"))
    .filter((name) => name.startsWith(begin))

/** The tests in a row that do not exist. */
export const missing = ({ fault, tests }: FaultRow): ReadonlyArray<string> => [
  ...(tests.length === 0 ? [`${fault}: no test`] : []),
  ...tests.flatMap(([file, begin]) =>
    found(readFileSync(new URL(file, ROOT), "utf8"), begin).length > 0
      ? []
      : [`${fault}: ${file} has no test "${begin}"`]
  )
]

const cell = (text: string): string => text.replaceAll("|", "\\|").replaceAll("<", "&lt;")

export const generate = (): string => {
  const lines = FAULTS.map(({ fault, tests }) => {
    const shown = tests.map(([file, begin]) => {
      const [name = begin] = found(readFileSync(new URL(file, ROOT), "utf8"), begin)
      return `${cell(name)} ([${file.replace("../", "")}](${file}))`
    })
    return `| ${cell(fault)} | ${shown.join("<br>")} |`
  })
  return `# Faults

What can go wrong, and the tests that show what the user then sees. \`node test/support/faults.ts\` writes this page from
\`test/support/FaultRows.ts\`; a test checks that it is current. \`test/simulation\` and \`test/crash\` also inject the faults of
requests, pages, processes and clocks at random.

| fault | tests |
|---|---|
${lines.join("\n")}
`
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(new URL("FAULTS.md", ROOT), generate())
