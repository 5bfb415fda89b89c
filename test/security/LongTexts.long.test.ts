/** Texts without an end: names and ids of a source, and what people and programs search for. */
import { assert, describe, it } from "@effect/vitest"
import { Client } from "@modelcontextprotocol/sdk/client/index.js"
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js"
import type { Page, Read } from "../../connectors/Connector.ts"
import type { Document } from "../../connectors/Document.ts"
import * as Quarantine from "../../connectors/Quarantine.ts"
import { atEnd } from "../support/AtEnd.ts"
import { books, KEY, program, service, useCommand } from "../support/Cli.ts"
import { configuration } from "../support/Cli.ts"
import { startDaemon } from "../support/Daemon.ts"

useCommand()

const long = (length: number) => "n".repeat(length)

const invoice = (more: object = {}): Read => ({
  document: {
    kind: "invoice",
    id: "I-1",
    number: "I-1",
    status: "open",
    party: { name: "Harbour Tea" },
    currency: "GBP",
    issued: "2026-01-05",
    due: "2026-02-04",
    gross: 100_000_000n,
    ...more
  } as Document,
  origin: "books.csv:2",
  raw: "a record"
})

const order = (more: object): Read => ({
  document: {
    kind: "order",
    id: "O-1",
    number: "O-1",
    status: "open",
    currency: "GBP",
    placed: "2026-01-05",
    lines: [],
    ...more
  } as unknown as Document,
  origin: "orders",
  raw: "a record"
})

const LINE = { type: "product", quantity: 100_000_000n, gross: 0n }

const sorted = (...read: ReadonlyArray<Read>) =>
  Quarantine.sorted({ read, quarantined: [], bookmark: 0 } as unknown as Page<number>)

describe("a document is quarantined with a plain reason", () => {
  for (const [field, read] of [
    ["id", invoice({ id: long(200_000) })],
    ["party.id", invoice({ party: { name: "Harbour", id: long(501) } })],
    ["number", invoice({ number: long(700_000) })],
    ["party.name", invoice({ party: { name: long(501) } })],
    ["party.regnum", invoice({ party: { name: "Harbour", regnum: long(501) } })],
    ["party.address", invoice({ party: { name: "Harbour", address: long(10_001) } })],
    ["metadata.note", invoice({ metadata: { note: long(10_001) } })],
    ["metadata", invoice({ metadata: { [long(501)]: "note" } })],
    ["buyer.email", order({ buyer: { name: "Harbour", email: long(501) } })],
    ["lines.0.description", order({ lines: [{ id: "1", description: long(10_001) }] })]
  ] as const)
    it(`where its ${field} is too long`, () => {
      const { quarantined, read: kept } = sorted(read, invoice())
      assert.strictEqual(kept.length, 1)
      assert.strictEqual(quarantined[0]?.field, field)
      assert.match(
        quarantined[0]?.why ?? "",
        /^has [\d,]+ characters, and at most [\d,]+ are taken; shorten it in the source$/
      )
      // A part of an id would be another document's.
      assert.strictEqual(quarantined[0]?.id, field === "id" ? undefined : read.document.id)
    })

  it("where it has more lines than any order", () => {
    const lines = Array.from({ length: 10_001 }, (_, n) => ({ ...LINE, id: `${n}` }))
    const { quarantined, read } = sorted(order({ lines }), order({ lines: lines.slice(1) }))
    assert.strictEqual(read.length, 1)
    assert.strictEqual(quarantined[0]?.field, "lines")
    assert.strictEqual(quarantined[0]?.why, "there are 10,001, and at most 10,000 are taken; split it in the source")
  })

  it("and not where its texts are as long as they may be", () => {
    const most = invoice({
      number: long(500),
      party: { name: long(500), address: long(10_000) },
      metadata: { note: long(10_000) }
    })
    assert.deepStrictEqual(sorted(most).quarantined, [])
  })

  it("of which no more is kept than is shown", () => {
    const record = {
      kind: "invoice",
      origin: long(900),
      raw: long(1 << 20),
      field: long(900),
      why: long(1 << 20),
      id: long(1 << 20)
    }
    const [kept] = Quarantine.sorted({
      read: [],
      quarantined: [record],
      bookmark: 0
    } as unknown as Page<number>).quarantined
    assert.isBelow(JSON.stringify(kept).length, 23_000)
    assert.isUndefined(kept?.id)
  })
})

describe("a search for a text without an end", { timeout: 120_000 }, () => {
  const TOKEN = "reader-0123456789abcdef"
  const WORDS = /search text has at most 1,000 characters/

  it("is refused with what to do, on the page, over HTTP, by an assistant and as a command", async () => {
    const there = await service()
    const daemon = {
      page: { password: { env: "PAGE_PASSWORD" } },
      api: { tokens: [{ name: "reader", token: { env: "READER" }, scopes: ["read"] }] }
    }
    const here = books(there.url, { "daybook.config.json": JSON.stringify({ ...configuration(there.url), daemon }) })
    assert.strictEqual((await here.run("pull")).status, 0)

    const explained = await here.run("explain", long(100_000))
    assert.strictEqual(explained.status, 2)
    assert.match(explained.stderr, WORDS)
    const tenants = await here.run("tenants", "list", "--tenants", ".", "--search", long(100_000))
    assert.match(tenants.stderr, WORDS)

    const client = new Client({ name: "test", version: "1" })
    const env = { ...process.env, SERVICE_KEY: KEY } as Record<string, string>
    await client.connect(
      new StdioClientTransport({ command: process.execPath, args: [program(), "mcp"], cwd: here.folder, env })
    )
    atEnd(() => client.close())
    for (const [name, args] of [
      ["search", { text: long(100_000) }],
      ["explain", { document: long(100_000) }]
    ] as const) {
      const { content, isError } = await client.callTool({ name, arguments: args })
      assert.isTrue(isError)
      assert.match((content as [{ readonly text: string }])[0].text, WORDS)
    }

    const { url } = await startDaemon(here.folder, { env: { PAGE_PASSWORD: "correct horse", READER: TOKEN } })
    const headers = { authorization: `Bearer ${TOKEN}` }
    for (const list of ["documents", "quarantine", "customers"]) {
      const answer = await fetch(`${url}/api/v1/${list}?text=${long(8000)}`, { headers })
      assert.strictEqual(answer.status, 422, list)
      assert.match(await answer.text(), WORDS)
      assert.strictEqual((await fetch(`${url}/api/v1/${list}?text=${long(1000)}`, { headers })).status, 200)
    }
    const signed = await fetch(`${url}/login`, {
      method: "POST",
      body: new URLSearchParams({ password: "correct horse" }),
      redirect: "manual"
    })
    const cookie = (signed.headers.get("set-cookie") ?? "").split(";")[0]!
    for (const list of ["documents", "customers", "receivables", "activity"]) {
      const answer = await fetch(`${url}/${list}?q=${long(8000)}`, { headers: { cookie } })
      assert.strictEqual(answer.status, 422, list)
      assert.match(await answer.text(), WORDS)
    }
  })
})
