/** `daybook connectors new` writes a connector that passes, and `test` says what breaks when it is broken. */
import { assert, describe, it } from "@effect/vitest"
import { cpSync, readFileSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { desk as emptyDesk, run } from "../support/Cli.ts"
import { checkTypes } from "../support/Compiler.ts"

/** The command from its source, because a connector in a folder needs the library beside it. */
const daybook = (folder: string, ...args: ReadonlyArray<string>) => run(folder, args, { from: "source" })

const desk = () => emptyDesk().folder

describe("a connector from nothing", { timeout: 120_000 }, () => {
  it("passes as it is written", async () => {
    const folder = desk()
    assert.match((await daybook(folder, "connectors", "new", "acme")).stdout, /acme\/ reads invoices/)
    const { status, stderr, stdout } = await daybook(folder, "connectors", "test", "acme", "--json")
    assert.strictEqual(status, 0, stderr + stdout)
    const lines = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line))
    assert.deepStrictEqual(lines.pop(), { type: "summary", holds: 58, skipped: 10, wrong: 0 })
    for (const { outcome, why } of lines) if (outcome === "does not apply") assert.isAbove(why.length, 10)
  })

  it("is told exactly what is wrong with it", async () => {
    const folder = desk()
    await daybook(folder, "connectors", "new", "acme")
    const breaks: ReadonlyArray<readonly [string, string, string, RegExp]> = [
      ["Connector.ts", `since: "updated_since"`, `since: "changed_since"`, /✗ asks little when nothing changed/],
      [
        "Connector.ts",
        `total: "total"`,
        `keeps: "a mistake"`,
        /✗ loses nothing to a deletion while it pages\n +a was deleted while it read, and now invoice\/c is missing/
      ],
      ["Mapping.ts", `cancelled: "void"`, `cancelled: "open"`, /✗ learns of deletions as it declares/],
      [
        "Mapping.ts",
        `fields.day("issued")`,
        `new Date(fields.text("issued") + "T00:00:00").toISOString().slice(0, 10) as never`,
        /✗ shifts no day/
      ],
      [
        "Mapping.ts",
        `fields.major("total", currency)`,
        `BigInt(Math.round(Number(fields.text("total")) * 1e8))`,
        /✗ keeps money exact/
      ]
    ]
    const broken = breaks.map(([file, from, to]) => {
      const own = desk()
      cpSync(folder, own, { recursive: true })
      const path = join(own, "acme", file)
      const text = readFileSync(path, "utf8")
      assert.include(text, from)
      writeFileSync(path, text.replace(from, to))
      return own
    })
    for (const [n, [, from, to, words]] of breaks.entries()) {
      const { status, stdout } = await daybook(broken[n]!, "connectors", "test", "acme")
      assert.strictEqual(status, 1)
      assert.match(stdout, words, `${from} → ${to}`)
      assert.notMatch(stdout, / 0 wrong/, `${from} → ${to}`)
    }
  })

  it("compiles as it is written, where Daybook is installed", async () => {
    const folder = desk()
    await daybook(folder, "connectors", "new", "acme")
    const root = join(import.meta.dirname, "../..")
    symlinkSync(join(root, "node_modules"), join(folder, "node_modules"))
    // What an installed package would say of itself, and what its sources need that its types do not.
    const compilerOptions = {
      types: ["node"],
      lib: ["esnext"],
      skipLibCheck: true,
      paths: {
        "daybook/connectors": [join(root, "connectors/index.ts")],
        "daybook/testing": [join(root, "connectors/testing/index.ts")]
      }
    }
    const config = { extends: "./acme/tsconfig.json", include: ["acme"], compilerOptions }
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(config))
    const tsc = checkTypes(folder)
    assert.strictEqual(tsc.stdout + tsc.stderr, "")
    assert.strictEqual(tsc.status, 0)
  })

  it("may have numbers for ids in its sample, as many sources have", async () => {
    const folder = desk()
    await daybook(folder, "connectors", "new", "acme")
    const path = join(folder, "acme/Sample.ts")
    let text = readFileSync(path, "utf8").replace("(id: string, status", "(id: number, status")
    for (const [n, id] of ["a", "b", "c", "d"].entries()) {
      text = text.replaceAll(`invoice("${id}"`, `invoice(${n + 1}`).replaceAll(`golden("${id}"`, `golden("${n + 1}"`)
      text = text.replaceAll(`"invoice/${id}"`, `"invoice/${n + 1}"`)
    }
    writeFileSync(path, text)
    const { status, stderr, stdout } = await daybook(folder, "connectors", "test", "acme")
    assert.strictEqual(status, 0, stdout + stderr)
    assert.include(stdout, "acme: 59 hold, 9 do not apply, 0 wrong")
  })

  it("is not written over what is there, nor under a name that is none", async () => {
    const folder = desk()
    await daybook(folder, "connectors", "new", "acme")
    assert.strictEqual((await daybook(folder, "connectors", "new", "acme")).status, 2)
    assert.strictEqual((await daybook(folder, "connectors", "new", "../Acme")).status, 2)
    assert.match((await daybook(folder, "connectors", "test", "strpe")).stderr, /did you mean "stripe"/)
  })
})
