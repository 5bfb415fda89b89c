/** The guide, done as it says: every block is written or run, in order, and what it shows is what comes out. */
import { assert, describe, it } from "@effect/vitest"
import { spawnSync } from "node:child_process"
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"

const MAIN = join(import.meta.dirname, "../../cli/main.ts")
const GUIDE = readFileSync(join(import.meta.dirname, "../../connectors/GUIDE.md"), "utf8")

const blocks = [...GUIDE.matchAll(/^```(\w+)(?: (\S+))?\n(.*?)^```$/gms)].map(([, language, file, text]) => ({
  language: language!,
  file,
  text: text!
}))

const daybook = (folder: string, args: ReadonlyArray<string>) => {
  const script = `const { main } = await import(${JSON.stringify(MAIN)}); await main("0")`
  const { NINJA_TOKEN: _, ...env } = process.env
  const { stderr, stdout } = spawnSync(
    process.execPath,
    ["--input-type=module", "-e", script, "--", "daybook", ...args],
    {
      cwd: folder,
      encoding: "utf8",
      env: { ...env, NO_COLOR: "1" }
    }
  )
  return stdout + stderr
}

/** Lines that are neither empty nor comments. */
const lengthOf = (text: string): number =>
  text
    .replace(/^\s*\/\*\*[\s\S]*?\*\/\n/gm, "")
    .split("\n")
    .filter((line) => line.trim() !== "" && !line.trim().startsWith("//")).length

describe("the guide to writing a connector", { timeout: 120_000 }, () => {
  it("reads a source with pages, changes, parts of records and deletions in at most 120 lines", () => {
    const text = (name: string) => blocks.find(({ file }) => file === `ninja/${name}`)!.text
    const [connector, mapping] = [text("Connector.ts"), text("Mapping.ts")]
    const lengths = { connector: lengthOf(connector), mapping: lengthOf(mapping) }
    // Beyond a thin file the count would prove nothing: both halves are there, and each says what it claims to say.
    assert.isAbove(lengths.mapping, 30)
    assert.match(connector, /pagination: [\s\S]*changes: [\s\S]*deletions: "status"/)
    assert.match(mapping, /"paymentables"[\s\S]*deleted/)
    assert.isAtMost(lengths.connector + lengths.mapping, 120)
  })

  it("is true from its first block to its last", () => {
    const folder = mkdtempSync(join(tmpdir(), "daybook-guide-"))
    const counts = { written: 0, edited: 0, run: 0 }
    for (const { file, language, text } of blocks) {
      if (language === "sh") {
        const [command, ...shown] = text.trimEnd().split("\n")
        const said = daybook(folder, command!.replace("$ daybook ", "").split(" ")).split("\n")
        // Lines may be left out between those that are shown, which stand in their order.
        let at = 0
        for (const line of shown) {
          const found = said.indexOf(line, at)
          assert.isAtLeast(found, 0, `${command} does not say, or not here: ${line}\n${said.join("\n")}`)
          at = found + 1
        }
        counts.run++
      } else if (language === "diff") {
        const lines = (sign: string) =>
          text
            .split("\n")
            .filter((line) => line.startsWith(sign))
            .map((line) => line.slice(1))
            .join("\n")
        const before = readFileSync(join(folder, file!), "utf8")
        assert.include(before, lines("-"))
        writeFileSync(join(folder, file!), before.replace(lines("-"), lines("+")))
        counts.edited++
      } else {
        assert.isDefined(file, `a block of ${language} names no file`)
        mkdirSync(dirname(join(folder, file!)), { recursive: true })
        writeFileSync(join(folder, file!), text)
        counts.written++
      }
    }
    assert.deepStrictEqual(counts, { written: 5, edited: 2, run: 4 })
    rmSync(folder, { recursive: true, force: true })
  })
})
