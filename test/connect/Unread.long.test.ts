/** Who opens a link learns nothing about whoever answers at an address that they enter: not whether anybody does, nor what. */
import { assert, describe, it } from "@effect/vitest"
import { once } from "node:events"
import { createServer, type RequestListener } from "node:http"
import { createServer as createTlsServer } from "node:https"
import { createServer as createTcpServer, type AddressInfo, type Server } from "node:net"
import { mkdtempSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { issue } from "../support/Certificates.ts"
import { useCommand } from "../support/Cli.ts"
import { platform, visitor } from "./Desk.ts"

useCommand()

const SECRET = "INTERNAL-SECRET-FROM-METADATA"

const portOf = async (server: Server): Promise<number> => {
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  server.unref()
  return (server.address() as AddressInfo).port
}

const answering =
  (status: number, headers: Readonly<Record<string, string>> = {}): RequestListener =>
  (_, response) =>
    void response
      .writeHead(status, { "content-type": "application/json", ...headers })
      .end(JSON.stringify({ message: SECRET, code: SECRET }))

describe("a source whose address was entered in a link", { timeout: 120_000 }, () => {
  it("cannot be read in one way only", async () => {
    const one = await platform()
    const open = async (status: number, headers = {}) => portOf(createServer(answering(status, headers)))
    const closed = await portOf(createTcpServer())
    const { tls } = issue(mkdtempSync(join(tmpdir(), "daybook-unread-")), "one", "DNS:other.example.com")
    const resets = createTcpServer((socket) => void socket.resetAndDestroy())
    const addresses = [
      "http://127.0.0.1:1",
      `https://127.0.0.1:${closed}`,
      `https://127.0.0.1:${await portOf(createTlsServer(tls, answering(200)))}`,
      `http://127.0.0.1:${await portOf(resets)}`,
      `https://127.0.0.1:${await open(200)}`,
      `http://127.0.0.1:${await open(200)}`,
      `http://127.0.0.1:${await open(302, { location: "http://127.0.0.1:1/" })}`,
      `http://127.0.0.1:${await open(401)}`,
      `http://127.0.0.1:${await open(403)}`,
      `http://127.0.0.1:${await open(404)}`,
      `http://127.0.0.1:${await open(500)}`,
      `http://127.0.0.1:${await open(503, { "retry-after": "3600" })}`
    ]
    const pages = await Promise.all(
      addresses.map(async (url, n) => {
        const here = await visitor(one, `t${n}`)
        assert.strictEqual(await here.post("source", { connector: "woocommerce" }), 303)
        assert.strictEqual(await here.post("settings", { url, key: "ck_1", secret: "cs_1" }), 303, url)
        return (await here.page()).replace(/name="form" value="[^"]*"/g, "").replaceAll(`t${n}`, "tenant")
      })
    )
    for (const [n, page] of pages.entries()) {
      assert.include(page, "WooCommerce could not be read with what was entered", addresses[n])
      assert.notInclude(page, SECRET)
      assert.strictEqual(page, pages[0], addresses[n])
    }
  })

  it("that is not one is told by the name of its field in the form", async () => {
    const here = await visitor(await platform(), "acme")
    assert.strictEqual(await here.post("source", { connector: "woocommerce" }), 303)
    assert.strictEqual(await here.post("settings", { url: "shop.example.com", key: "ck_1", secret: "cs_1" }), 303)
    const page = await here.page()
    assert.match(page, /what was entered: url: .*shop\.example\.com.* is not an address/)
    assert.notInclude(page, "connections[")
  })
})
