/** `daybook connectors test` finds a sample by a folder, a file of it, or a package. */
import { assert, it } from "@effect/vitest"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { sampleFile } from "../../cli/ConnectorSample.ts"

it("finds the sample of a connector", () => {
  const desk = mkdtempSync(join(tmpdir(), "daybook-sample-"))
  const write = (path: string, text = "") => {
    mkdirSync(join(desk, path, ".."), { recursive: true })
    writeFileSync(join(desk, path), text)
  }
  write("acme/Sample.ts")
  write("acme/Connector.ts")
  write("node_modules/acme-daybook/package.json", JSON.stringify({ name: "acme-daybook", main: "dist/index.js" }))
  write("node_modules/acme-daybook/dist/index.js")
  write("node_modules/acme-daybook/dist/Sample.js")
  write("empty/Connector.ts")
  const own = join(desk, "acme/Sample.ts")
  for (const name of ["acme", "./acme", "acme/Connector.ts", "acme/Sample.ts", join(desk, "acme")])
    assert.strictEqual(sampleFile(name, desk), own, name)
  assert.strictEqual(sampleFile("acme-daybook", desk), join(desk, "node_modules/acme-daybook/dist/Sample.js"))
  for (const name of ["empty", "no-such-package"]) assert.isUndefined(sampleFile(name, desk), name)
  rmSync(desk, { recursive: true })
})
