/** A connector that is broken keeps no other connection from being read, applied and proven. */
import { assert, describe, it } from "@effect/vitest"
import { configuration, desk, INVOICES, ofType, service, useCommand } from "../support/Cli.ts"

useCommand()

/** A third-party connector needs the library that it was written for. */
const from = "source"

/** A connector of one open invoice, which does this instead where the environment has BROKEN. */
const source = (pull: string, reread: string) => `import { Connector } from "daybook/connectors"
import { Effect, Schema, Stream } from "effect"

const document = {
  kind: "invoice", id: "1", number: "T-1", status: "open", party: { name: "Harbour Tea Ltd" }, currency: "GBP",
  issued: "2026-01-31", due: "2026-03-02", gross: 12000000000n
}
const good = () => Stream.make({ read: [{ document, raw: "1", origin: "ledger/1" }], quarantined: [], bookmark: {} })

export const connector = Connector.make({
  name: "ledger",
  title: "one invoice",
  capabilities: { kinds: ["invoice"], deletions: "not at all", blindSpots: [] },
  settings: Schema.Struct({ key: Schema.Struct({ env: Schema.String }) }),
  bookmark: Schema.Struct({}),
  pull: (settings, after, { environment }) => (environment.BROKEN === undefined ? good() : ${pull}),
  reread: (settings, ids, { environment }) => (environment.BROKEN === undefined ? good() : ${reread})
})
`

describe("a connection whose connector is broken", { timeout: 120_000 }, () => {
  const broken = {
    "throws in reread": source(
      "good()",
      'good(environment.nothing.at, (() => { throw new Error("no " + environment.LEDGER_KEY) })())'
    ),
    "dies in reread": source("good()", 'Stream.die(new Error("no " + environment.LEDGER_KEY))'),
    "rejects in reread": source(
      "good()",
      'Stream.fromEffect(Effect.promise(() => Promise.reject(new Error("no " + environment.LEDGER_KEY))))'
    ),
    "throws in pull": source('(() => { throw new Error("no " + environment.LEDGER_KEY) })()', "good()"),
    "dies in pull": source('Stream.die("no " + environment.LEDGER_KEY)', "good()")
  }
  for (const [name, text] of Object.entries(broken)) {
    it(`because it ${name}: the others are read, sent and proven, and the run says what is wrong`, async () => {
      const { holds, url } = await service()
      const { connections, service: address } = configuration(url)
      const { payments: _, ...files } = connections[0]!.source
      const { first_sync, owner } = connections[0]!
      const ledger = { id: "aledger", source: { connector: "./ledger", key: { env: "LEDGER_KEY" } }, owner, first_sync }
      const here = desk({
        "daybook.config.json": JSON.stringify({
          service: address,
          connections: [ledger, { ...connections[0], source: files }]
        }),
        "ledger/Connector.ts": text,
        "invoices.csv": INVOICES
      })
      const env = { LEDGER_KEY: "hunter2-of-the-ledger" }
      const first = await here.runWith({ from, env }, "sync", "--json")
      assert.strictEqual(first.status, 0, first.stderr)
      assert.lengthOf(Object.keys(await holds()), 3)

      here.write("invoices.csv", `${INVOICES}INV-9,Elsewhere Ltd,GB,2026-03-05,2026-03-25,70.00,77.00,Sent\n`)
      const second = await here.runWith({ from, env: { ...env, BROKEN: "yes" } }, "sync", "--json")
      assert.strictEqual(second.status, 1, second.stdout + second.stderr)
      assert.match(second.stderr, /^daybook: aledger: ledger: the source cannot be read: the connector failed: .*\n$/)
      assert.notInclude(second.stdout + second.stderr, "hunter2")
      assert.hasAllKeys(await holds(), [
        "aledger/invoice/1",
        "books/invoice/INV-1",
        "books/invoice/INV-2",
        "books/invoice/INV-9"
      ])
      const proven = ofType(second, "completeness")
      assert.deepStrictEqual(
        proven.map(({ connection, differences }) => [connection, differences]),
        [
          ["aledger", []],
          ["books", []]
        ]
      )
    })
  }
})
