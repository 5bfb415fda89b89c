/** Connectors of others are found by the keyword of their packages, with the contract that they were written for. */
import { Effect } from "effect"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { files } from "../../cli/NewConnector.ts"
import { search } from "../../cli/ConnectorSearch.ts"
import { CONTRACT } from "../../connectors/Connector.ts"

const PACKAGES: Readonly<Record<string, object>> = {
  "daybook-connector-acme": JSON.parse(files("acme")["package.json"]!),
  "@other/old": { version: "1.0.0", description: "an old one", daybook: { contract: 1 } },
  silent: { version: "2.0.0" }
}

const asked: Array<string> = []
const server = createServer((request, response) => {
  const url = new URL(request.url!, "http://localhost")
  asked.push(decodeURIComponent(url.search.replaceAll("+", " ")))
  if (url.searchParams.get("text")?.includes("broken")) return void response.writeHead(503).end()
  const objects = Object.keys(PACKAGES).map((name) => ({ package: { name } }))
  const its = PACKAGES[decodeURIComponent(url.pathname.slice(1).replace("/latest", ""))]
  response.end(JSON.stringify(url.pathname === "/-/v1/search" ? { objects } : its))
})
beforeAll(() => new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve)))
afterAll(() => void server.close())
const registry = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}/`

describe("a search for connectors of others", () => {
  it("lists packages with the keyword, and which of them fit this contract", async () => {
    const found = await Effect.runPromise(search("exact", registry()))
    assert.include(asked[0]!, "keywords:daybook-connector exact")
    assert.deepStrictEqual(
      found.map(({ contract, fits, name, version }) => [name, version, contract, fits]),
      [
        ["daybook-connector-acme", "0.1.0", CONTRACT, true],
        ["@other/old", "1.0.0", 1, false],
        ["silent", "2.0.0", undefined, false]
      ]
    )
  })

  it("says why it cannot be made", async () => {
    const error = await Effect.runPromise(Effect.flip(search("broken", registry())))
    assert.match(error.why, /cannot be searched: .* answered 503/)
  })
})
