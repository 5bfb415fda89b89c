/** What a command reads before it does anything: nothing of a connector that no configuration names, and nothing unused. */
import { assert, describe, it } from "@effect/vitest"
import { spawnSync } from "node:child_process"
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { isBuiltin } from "node:module"
import { dirname, join } from "node:path"
import { connectors } from "../../connectors/index.ts"
import { connectorSummaries } from "../../connectors/Summaries.ts"
import { summaries } from "../../cli/Summaries.ts"
import { desk, ofType, program, useCommand } from "../support/Cli.ts"

useCommand()

/** The files that are read with this one, its own imports and theirs. */
const readWith = (file: string, seen = new Map<string, string>()): ReadonlyMap<string, string> => {
  if (seen.has(file)) return seen
  const text = readFileSync(file, "utf8")
  seen.set(file, text)
  for (const [, name] of text.matchAll(/(?:\bfrom|\bimport)\s*"(\.[^"]+\.js)"/g))
    readWith(join(dirname(file), name!), seen)
  return seen
}

describe("starting", () => {
  it("waits with what stands outside the bundle until it is used: Node's modules, the database, tables of languages", () => {
    const read = readWith(join(dirname(program()), "program.js"))
    for (const [file, text] of read) {
      // Packages in the older format ask for theirs through the one that is read at once.
      const imported = [...text.matchAll(/\bfrom\s*"([^."][^"]*)"/g)].map(([, name]) => name!)
      const early = imported.filter((name) => (isBuiltin(name) && name !== "node:module") || name === "better-sqlite3")
      assert.deepStrictEqual(early, [], file)
      // It is looked up when it is used.
      assert.notMatch(text, /[^>]=\s*process\.getBuiltinModule\("node:zlib"\)/, file)
      assert.notMatch(text, /[^?]=\s*new Intl\.Segmenter\(void 0/, file)
    }
  })

  it("reads no connector, however many there are: each is a part of its own", async () => {
    const read = [...readWith(join(dirname(program()), "program.js")).values()].join("\n")
    for (const { load, name } of connectors) {
      // A connector's own title stands in it and nowhere else.
      const { title } = await load()
      assert.notInclude(read, title, `${name} is read by every command`)
    }
  })

  it("lists commands and connectors from tables, which say what each says of itself", async () => {
    const { run } = desk()
    const [help, list] = [await run("--help"), await run("connectors", "list", "--json")]
    for (const [name, text] of Object.entries(await summaries()))
      assert.include(help.stdout.replaceAll(/\s+/g, " "), `${name} ${text}`)
    assert.deepStrictEqual(
      ofType(list, "connector"),
      (await connectorSummaries()).map(({ capabilities, ...names }) => ({
        type: "connector",
        ...names,
        ...capabilities
      }))
    )
    const dist = dirname(program())
    const parts = readdirSync(join(dist, "parts")).map((name) => readFileSync(join(dist, "parts", name), "utf8"))
    const { title } = (await connectorSummaries())[0]!
    assert.lengthOf(
      parts.filter((part) => part.includes(title)),
      2,
      "the connector, and the table"
    )
  })

  it("does not make Node load its own HTTP client to read a workbook", () => {
    const dist = dirname(program())
    const files = ["parts", "reading", join("reading", "parts")].map((name) => join(dist, name)).filter(existsSync)
    const parts = files.flatMap((folder) =>
      readdirSync(folder)
        .filter((name) => name.endsWith(".js"))
        .map((name) => readFileSync(join(folder, name), "utf8"))
    )
    assert.isTrue(parts.some((part) => part.includes("its archive is damaged at")))
    for (const part of parts) assert.notMatch(part, /typeof Response\b/)
  })

  it("does not read the conformance kit", () => {
    const dist = dirname(program())
    const read = [...readWith(join(dist, "program.js")).values()].join("\n")
    const parts = readdirSync(join(dist, "parts")).map((name) => readFileSync(join(dist, "parts", name), "utf8"))
    const words = "makes the golden documents of them"
    assert.isTrue(parts.some((part) => part.includes(words)))
    assert.notInclude(read, words)
  })

  it("finds in the cache of compiled code nearly every function that it calls", () => {
    const { folder, path } = desk()
    const log = path("v8.log")
    const compiled = (...args: ReadonlyArray<string>): number => {
      const flags = ["--log-function-events", `--logfile=${log}`, "--no-logfile-per-isolate"]
      const { status, stderr } = spawnSync(process.execPath, [...flags, program(), ...args], {
        cwd: folder,
        encoding: "utf8",
        env: { ...process.env, NODE_COMPILE_CACHE: path("cache") }
      })
      assert.strictEqual(status, 0, stderr)
      const lines = readFileSync(log, "utf8").split("\n")
      const scripts = new Set(lines.flatMap((line) => /^script-details,(\d+),file:/.exec(line)?.[1] ?? []))
      return lines.filter((line) => scripts.has(/^function,interpreter,(\d+),/.exec(line)?.[1] ?? "")).length
    }
    const first = compiled("plan", "--help")
    const second = compiled("plan", "--help")
    assert.isAbove(first, 800)
    assert.isBelow(second, 200)
  })
})
