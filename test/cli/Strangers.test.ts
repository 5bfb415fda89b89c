/** A connector that is not ours, from a folder or from a package beside the configuration: used, or refused with a reason. */
import { assert, describe, it } from "@effect/vitest"
import { desk } from "../support/Cli.ts"

const CONNECTOR = `import { Connector, Document } from "daybook/connectors"
import { Schema, Stream } from "effect"

export const connector = Connector.make({
  name: "ledger",
  title: "one invoice",
  capabilities: { kinds: ["invoice"], deletions: "not at all", blindSpots: [] },
  settings: Schema.Struct({ number: Schema.NonEmptyString }),
  bookmark: Schema.Struct({}),
  pull: ({ number }) => {
    const document = {
      kind: "invoice", id: "1", number, status: "open", party: { name: "Harbour Tea Ltd" }, currency: "GBP",
      issued: "2026-01-31", due: "2026-03-02", gross: 12000000000n
    }
    return Stream.make({ read: [{ document, raw: "1", origin: "ledger/1" }], quarantined: [], bookmark: {} })
  }
})
`

/** The command from its source, in a folder with these files. */
const pull = async (source: object, files: Readonly<Record<string, string>>) => {
  const owner = { organisation: { unique_id: "acme", registered: "2024-01-01T00:00:00Z" } }
  const config = {
    service: { url: "http://127.0.0.1:9", key: { env: "SERVICE_KEY" } },
    connections: [{ id: "books", source, owner }]
  }
  const { folder, runWith } = desk({ ...files, "daybook.config.json": JSON.stringify(config) })
  const { status, stderr, stdout } = await runWith({ from: "source", env: { SERVICE_KEY: undefined } }, "pull")
  return { status, stdout, stderr: stderr.replaceAll(folder, "HERE").replaceAll(/^\/private/gm, "") }
}

const SAID = "daybook: daybook.config.json: connections[0].source.connector: "

describe("a stranger's connector", { timeout: 60_000 }, () => {
  it("is read from a folder, from a file, or from a package that is installed there", async () => {
    const settings = { number: "INV-1" }
    const pack = {
      "node_modules/@acme/ledger/package.json": `{"name":"@acme/ledger","type":"module","main":"index.js"}`,
      "node_modules/@acme/ledger/index.js": CONNECTOR
    }
    for (const [name, files] of [
      ["./ledger", { "ledger/Connector.ts": CONNECTOR }],
      ["./ledger.js", { "ledger.js": CONNECTOR, "package.json": `{"type":"module"}` }],
      ["@acme/ledger", pack]
    ] as const) {
      const { status, stderr, stdout } = await pull({ connector: name, ...settings }, files)
      assert.deepStrictEqual([status, stderr, stdout], [0, "", "books: 1 read, 1 document new\n"], name)
    }
  })

  it("has its settings checked like any other", async () => {
    const { status, stderr } = await pull({ connector: "./ledger", nummer: "1" }, { "ledger/Connector.ts": CONNECTOR })
    assert.strictEqual(status, 2)
    assert.include(stderr, 'connections[0].source.nummer: is not a known setting; did you mean "number"?')
  })

  it("is refused with a reason where it is none, is of another version, or cannot be read", async () => {
    const cases: ReadonlyArray<readonly [string, string, string]> = [
      ["no such folder", "", "there is no folder HERE/ledger"],
      [
        "exports nothing",
        "export const other = 1",
        "HERE/ledger/Connector.ts exports no connector; write: export const connector = Connector.make({ ... })"
      ],
      [
        "is not whole",
        `export const connector = { contract: 2, name: "x", title: "x", settings: {}, bookmark: {} }`,
        "HERE/ledger/Connector.ts exports no connector: capabilities, pull are missing or wrong"
      ],
      [
        "is of a later version",
        CONNECTOR.replace("Connector.make({", "({ contract: 7,"),
        "HERE/ledger/Connector.ts: it is written for version 7 of the contract, and this Daybook has version 2; update Daybook"
      ],
      [
        "says no version",
        CONNECTOR.replace("Connector.make({", "({"),
        "HERE/ledger/Connector.ts does not state its contract version; create the connector with Connector.make({ ... })"
      ]
    ]
    for (const [what, text, says] of cases) {
      const { status, stderr } = await pull(
        { connector: "./ledger" },
        text === "" ? {} : { "ledger/Connector.ts": text }
      )
      assert.deepStrictEqual([status, stderr], [2, `${SAID}${says}\n`], what)
    }
    const LATER = "it is written for version 7 of the contract, and this Daybook has version 2; update Daybook"
    const packages = [
      ["./ledger", "ledger/", "HERE/ledger/Connector.ts"],
      ["@acme/ledger", "node_modules/@acme/ledger/", "HERE/node_modules/@acme/ledger/Connector.js"]
    ] as const
    for (const [name, at, file] of packages) {
      const its = JSON.stringify({
        name: "ledger",
        type: "module",
        exports: "./Connector.js",
        daybook: { contract: 7 }
      })
      const files = { [`${at}package.json`]: its, [`${at}${file.split("/").at(-1)}`]: CONNECTOR }
      const { status, stderr } = await pull({ connector: name, number: "INV-1" }, files)
      assert.deepStrictEqual([status, stderr], [2, `${SAID}${file}: ${LATER}\n`], name)
    }
    const broken = await pull({ connector: "./ledger" }, { "ledger/Connector.ts": `throw new Error("no")` })
    assert.strictEqual(broken.stderr, `${SAID}HERE/ledger/Connector.ts cannot be read: no\n`)
  })
})
