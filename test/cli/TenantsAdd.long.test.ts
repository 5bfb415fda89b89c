/** `daybook tenants add` runs nothing of what arrives with the operator's environment. */
import { assert, describe, it } from "@effect/vitest"
import { existsSync, readFileSync } from "node:fs"
import { configuration, desk, NOWHERE, useCommand } from "../support/Cli.ts"

useCommand()

const PROGRAM = `import { writeFileSync } from "node:fs"
writeFileSync("ran.txt", JSON.stringify(process.env))
export default ${JSON.stringify(configuration(NOWHERE))}
`

describe("daybook tenants add", { timeout: 120_000 }, () => {
  const env = { SERVICE_KEY: "the-operators-key", DAYBOOK_SEAL: "the-operators-seal" }

  it("imports no module that a configuration in JSON names", async () => {
    const { service, connections } = configuration(NOWHERE)
    const evil = { service, connections: [{ ...connections[0], source: { connector: "./evil.mjs" } }] }
    const here = desk({
      "evil.json": JSON.stringify(evil),
      "arriving/daybook.config.json": JSON.stringify(evil),
      "arriving/evil.mjs": `import { writeFileSync } from "node:fs"\nwriteFileSync("${"ran.txt"}", "ran")\n`,
      "tenants/.keep": ""
    })
    for (const from of ["evil.json", "arriving"]) {
      const ran = await here.runWith({ env, alone: true }, "tenants", "add", "evil", from)
      assert.strictEqual(ran.status, 2, ran.stdout)
      assert.include(ran.stderr, "the operator has not allowed it")
    }
    assert.isFalse(existsSync(here.path("ran.txt")))
    assert.isFalse(existsSync(here.path("tenants/evil")))
  })

  it("checks a configuration in TypeScript in a process that has none of the operator's variables", async () => {
    const here = desk({ "acme.ts": PROGRAM, "bad.ts": "export default { connections: 1 }", "tenants/.keep": "" })
    const ran = await here.runWith({ env, alone: true }, "tenants", "add", "acme", "acme.ts")
    assert.strictEqual(ran.status, 0, ran.stderr)
    const seen = readFileSync(here.path("tenants/acme/ran.txt"), "utf8")
    assert.notInclude(seen, "the-operators")
    const bad = await here.runWith({ env, alone: true }, "tenants", "add", "bad", "bad.ts")
    assert.strictEqual(bad.status, 2)
    assert.include(bad.stderr, "connections")
  })
})
