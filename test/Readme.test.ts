/**
 * The README is true: its tour is taken as it is written, in a folder of its own, and what it shows is what is seen.
 * A line with nothing but `…` stands for any lines.
 */
import { assert, describe, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { Effect } from "effect"
import { join } from "node:path"
import { decode } from "../sync/library/config/Configuration.ts"
import { desk, run, useCommand } from "./support/Cli.ts"
import { PAGES } from "./support/Pages.ts"

useCommand()

const read = (page: string) => readFileSync(new URL(`../${page}`, import.meta.url), "utf8")
const readme = read("README.md")

const blocks = [...readme.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)].map(([, language, text]) => ({
  language: language!,
  text: text!
}))

/** Whether `shown`, a README's lines, is what `seen` says. Answers the first line that is not. */
const unlike = (shown: ReadonlyArray<string>, seen: ReadonlyArray<string>): string | undefined => {
  let at = 0
  let skipping = false
  for (const line of shown) {
    if (line === "…") {
      skipping = true
      continue
    }
    const found = skipping ? seen.indexOf(line, at) : seen[at] === line ? at : -1
    if (found < 0) return `the README shows\n${line}\nwhere this is seen:\n${seen.slice(at, at + 12).join("\n")}`
    at = found + 1
    skipping = false
  }
  return skipping || at === seen.length ? undefined : `the README leaves out\n${seen.slice(at).join("\n")}`
}

const withoutBlank = (text: string) => text.replace(/\n+$/, "").split("\n")

/** Makes the edits of a `diff` block: lines that go, and lines that come in their place. */
const edit = (text: string, read: (name: string) => string, write: (name: string, text: string) => void) => {
  let name = ""
  let at = 0
  for (const line of withoutBlank(text)) {
    if (line.startsWith("--- ")) {
      name = line.slice(4)
      continue
    }
    const lines = read(name).split("\n")
    if (line.startsWith("-")) {
      at = lines.indexOf(line.slice(1))
      assert.isAtLeast(at, 0, `${name} has no line ${line.slice(1)}`)
      lines.splice(at, 1)
    } else lines.splice(at, 0, line.slice(1))
    write(name, lines.join("\n"))
  }
}

describe("the README", () => {
  it("shows what is seen", { timeout: 120_000 }, async () => {
    const { folder, write } = desk()
    let where = ""
    const demo = (name: string) => join("daybook-demo", name)
    let taken = 0
    for (const { language, text } of blocks) {
      if (language === "diff") {
        edit(
          text,
          (name) => readFileSync(join(folder, demo(name)), "utf8"),
          (name, text) => write(demo(name), text)
        )
      }
      if (language !== "console") continue
      for (const part of text.split(/^\$ /m).slice(1)) {
        const [command, ...shown] = withoutBlank(part)
        const [program, ...args] = command!.split(" ")
        if (program === "cd") {
          where = args[0]!
          continue
        }
        assert.deepStrictEqual([program, args[0]], ["npx", "daybook"], command)
        const seen = await run(join(folder, where), args.slice(1), { env: { COLUMNS: "100" } })
        const lines = withoutBlank(seen.stdout.replace(/(http:\/\/127\.0\.0\.1):\d+/g, "$1:4010"))
        assert.isUndefined(unlike(shown, lines), `${command}\n${seen.stderr}`)
        taken++
      }
    }
    assert.strictEqual(taken, 5)
  })

  it("has a configuration that is one", async () => {
    const [json] = blocks.filter(({ language }) => language === "json")
    await Effect.runPromise(decode(JSON.parse(json!.text), { file: "README.md", folder: ".", environment: {} }))
  })

  it("is read in one sitting", () => {
    assert.isAtMost(readme.split("\n").length - 1, 250)
  })

  it("shows the sheets that the page on exports explains", () => {
    const shown = /books\.xlsx: (.*)$/m.exec(readme)![1]!
    const names = shown.split(", ").map((sheet) => sheet.replace(/ \(\d+\)$/, ""))
    assert.isAbove(names.length, 3)
    const explained = [...read("sync/export/README.md").matchAll(/^\| ([A-Z][\w, ]*) \|/gm)].flatMap(([, all]) =>
      all!.split(", ")
    )
    assert.includeMembers(explained, names)
  })
})

describe("the page on commands", () => {
  it("lists every command, and no other", async () => {
    const { stdout } = await run(process.cwd(), ["--help"])
    const there = [...stdout.matchAll(/^ {2}([a-z]+) {2,}[A-Z]/gm)].map(([, name]) => name!)
    const listed = [...read("cli/README.md").matchAll(/^\| `daybook ([a-z]+)/gm)].map(([, name]) => name!)
    assert.sameMembers([...new Set(listed)], there)
    for (const page of PAGES)
      for (const [, name] of read(page).matchAll(/`(?:npx )?daybook ([a-z]+)/g)) assert.include(there, name, page)
  })
})

describe("the page on working on Daybook", () => {
  it("gives a reason for every dependency", () => {
    const { dependencies, devDependencies } = JSON.parse(read("package.json"))
    const page = read("CONTRIBUTING.md")
    const reasons = page.slice(page.indexOf("## Dependencies"), page.indexOf("## What is our own"))
    for (const name of Object.keys({ ...dependencies, ...devDependencies })) {
      if (!name.startsWith("@types/")) assert.include(reasons, `\`${name}\``)
    }
  })
})
