/**
 * A name that leads to the internet when its address is entered may lead into this network when it is read. So a connection whose
 * address somebody else entered looks its name up as it connects, and connects to nothing else. `localhost` is such a name.
 */
import { assert, beforeEach, describe, it } from "@effect/vitest"
import { Effect, Result } from "effect"
import { HttpClient } from "effect/http"
import { mkdtempSync, writeFileSync } from "node:fs"
import { type AddressInfo, createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { ConnectorContext } from "../../connectors/Connector.ts"
import * as Address from "../../connectors/sql/Address.ts"
import { woocommerce } from "../../connectors/woocommerce/WooCommerce.ts"
import { lookupOutside } from "../../core/Reach.ts"
import * as Undici from "../../core/wire/Undici.ts"
import { send } from "../../sync/alerts/channels/Send.ts"
import type { Bounds } from "../../sync/model/Bounds.ts"
import { load } from "../../sync/library/config/ConfigFile.ts"
import * as PreviewApart from "../../sync/library/PreviewApart.ts"
import { outside } from "../../sync/library/ServiceClient.ts"
import type { Connection } from "../../sync/model/Connection.ts"
import * as Surroundings from "../../sync/pull/ConnectorContext.ts"
import { type ReaderEntry, ReaderThread } from "../../sync/pull/ReaderThread.ts"
import { atEnd } from "../support/AtEnd.ts"
import { remove } from "../support/Built.ts"
import { planning } from "../support/Documents.ts"
import { json, serve } from "../support/Serve.ts"

const READER: ReaderEntry = { module: new URL("../../cli/Reader.ts", import.meta.url), connectors: [] }

const named = (url: string): string => url.replace("127.0.0.1", "localhost")

const looked = (name: string, all: boolean) =>
  Effect.promise(
    () =>
      new Promise<readonly [code: string | undefined, address: unknown]>((done) =>
        lookupOutside(name, { all }, (error, address) => done([error?.code, address]))
      )
  )

const shop = (url: string, more: Partial<Connection> = {}) => {
  const settings = { url, key: { env: "KEY" }, secret: { env: "SECRET" } }
  return { id: "shop", connector: woocommerce, settings, planning, ...more } as unknown as Connection
}

const place: Surroundings.Place = { folder: ".", environment: { KEY: "ck_1234567", SECRET: "cs_1234567" } }

describe("a name that leads into this network", () => {
  it.live("is not found for connections to the internet", () =>
    Effect.gen(function* () {
      for (const all of [true, false])
        for (const name of ["localhost", "127.0.0.1", "::1", "10.0.0.1", "::ffff:127.0.0.1"])
          assert.deepStrictEqual(yield* looked(name, all), ["ENOTFOUND", ""], name)
      assert.deepStrictEqual(yield* looked("8.8.8.8", false), [undefined, "8.8.8.8"])
      assert.deepStrictEqual(yield* looked("8.8.8.8", true), [undefined, [{ address: "8.8.8.8", family: 4 }]])
    })
  )

  it.live("is not connected to, not even on a connection that others have left open", () =>
    Effect.gen(function* () {
      const there = yield* serve((_, response) => json(response, 200, []))
      const get = HttpClient.get(named(there.url)).pipe(
        Effect.tap((response) => response.text),
        Effect.result
      )
      assert.isTrue(Result.isSuccess(yield* get))
      const connections = there.connections()
      for (let n = 0; n < 3; n++) assert.isTrue(Result.isFailure(yield* Effect.provide(get, Undici.onInternet)))
      for (const url of [
        there.url,
        there.url.replace("127.0.0.1", "2130706433"),
        there.url.replace("127.0.0.1", "[::1]")
      ])
        assert.isTrue(
          Result.isFailure(yield* Effect.result(Effect.provide(HttpClient.get(url), Undici.onInternet))),
          url
        )
      assert.deepStrictEqual([there.connections(), there.asked.length], [connections, 1])
      assert.isTrue(Result.isSuccess(yield* get))
    }).pipe(Effect.provide(Undici.layer))
  )

  for (const [where, reader] of [
    ["in a thread", READER],
    ["here", undefined]
  ] as const)
    it.live(
      `is not read where somebody else entered it, ${where}`,
      () =>
        Effect.gen(function* () {
          const there = yield* serve((_, response) => json(response, 200, []))
          const read = (connection: Connection, seconds: number) =>
            PreviewApart.preview(place, connection, ":memory:", 5).pipe(
              Effect.provide(outside),
              Effect.provideService(ReaderThread, reader),
              Effect.timeout(`${seconds} seconds`),
              Effect.result
            )
          const own = yield* read(shop(named(there.url)), 30)
          assert.isTrue(Result.isSuccess(own))
          const asked = there.asked.length
          assert.isTrue(Result.isFailure(yield* read(shop(named(there.url), { entered: "internet" }), 8)))
          assert.strictEqual(there.asked.length, asked)
        }),
      60_000
    )
})

describe("a database's name that leads into this network", () => {
  for (const scheme of ["postgresql", "mysql"])
    it.live(
      `is not connected to where somebody else entered it: ${scheme}`,
      () =>
        Effect.gen(function* () {
          const server = createServer((socket) => socket.destroy())
          let connections = 0
          server.on("connection", () => connections++)
          yield* Effect.promise(() => new Promise<void>((done) => server.listen(0, "localhost", done)))
          atEnd(() => new Promise<void>((done) => server.close(() => done())))
          const { port } = server.address() as AddressInfo
          const read = (more: Partial<ConnectorContext>) =>
            Effect.promise(async () => {
              const environment = { DB: `${scheme}://reader:secret@localhost:${port}/books?sslmode=disable` }
              const { open } = Address.of({ url: { env: "DB" } } as never, { folder: ".", environment, ...more })
              return open(new AbortController().signal).then(
                () => "open",
                (error: { readonly code?: string }) => error.code
              )
            })
          yield* read({})
          assert.strictEqual(connections, 1)
          assert.strictEqual(yield* read({ entered: "internet" }), "ENOTFOUND")
          assert.strictEqual(connections, 1)
        }),
      60_000
    )
})

describe("a mail server's name that leads into this network", () => {
  it.live(
    "is not connected to where a tenant wrote it",
    () =>
      Effect.gen(function* () {
        const server = createServer((socket) => socket.end("554 no\r\n"))
        let connections = 0
        server.on("connection", () => connections++)
        yield* Effect.promise(() => new Promise<void>((done) => server.listen(0, "localhost", done)))
        atEnd(() => new Promise<void>((done) => server.close(() => done())))
        const { port } = server.address() as AddressInfo
        const channel = {
          email: { host: "localhost", port, security: "none", from: "books@acme.example", to: ["ann@acme.example"] }
        } as const
        const message = { id: "1", type: "daybook.test", alerts: [], more: 0 } as const
        const bounds = { privateAddresses: false } as Bounds
        const sent = (more: { readonly bounds?: Bounds }) =>
          send(channel, { environment: {}, ...more }, message).pipe(Effect.provide(outside), Effect.flip)
        yield* sent({})
        assert.strictEqual(connections, 1)
        yield* sent({ bounds: { ...bounds, privateAddresses: true } })
        assert.strictEqual(connections, 2)
        assert.deepInclude(yield* sent({ bounds }), { why: "the mail server did not answer" })
        assert.strictEqual(connections, 2)
      }),
    60_000
  )
})

describe("the connections of links", () => {
  let folder = ""
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "daybook-linked-"))
    atEnd(() => remove(folder))
  })

  const owner = { organisation: { unique_id: "acme", name: "Acme Ltd", registered: "2024-01-01T00:00:00Z" } }
  const keys = { key: { env: "K" }, secret: { env: "K" } }
  const woo = (url: string) => ({ connector: "woocommerce", url, ...keys })

  /** Where connections may lead whose address was entered. */
  const bound = (pages: string) => {
    const connect = {
      url: pages,
      name: "Acme Pay",
      return_urls: ["https://pay.example.com"],
      sources: [{ connector: "woocommerce", url: "https://shop.internal", ...keys }, { connector: "stripe" }]
    }
    const file = join(folder, "daybook.config.json")
    const service = { url: "https://api.example.com", key: { env: "K" } }
    const configured = {
      service,
      connections: [{ id: "own", source: woo("https://own.internal"), owner }],
      daemon: { connect }
    }
    writeFileSync(file, JSON.stringify(configured))
    const connections = [
      { id: "entered", source: woo("https://shop.example.com"), owner },
      { id: "operators", source: woo("https://shop.internal"), owner },
      { id: "vendors", source: { connector: "stripe", key: { env: "K" } }, owner }
    ]
    writeFileSync(join(folder, "daybook.connections.json"), JSON.stringify({ connections }))
    return Effect.map(load(file, { K: "a-key-1234567" }), (found) =>
      found.connections.flatMap(({ entered, id }) => (entered === undefined ? [] : [[id, entered]]))
    )
  }

  it.live("lead to the internet only where a person entered the address, unless the pages are tried out here", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* bound("https://pay.example.com"), [["entered", "internet"]])
      assert.deepStrictEqual(yield* bound("http://127.0.0.1:4020"), [["entered", "anywhere"]])
    })
  )

  it.live("are told so, like those of tenants", () =>
    Effect.gen(function* () {
      const bounds = {
        file: "daybook.tenants.json",
        home: ".",
        folders: [],
        connectors: [],
        privateAddresses: false,
        isTriedOut: false,
        own: {},
        daemon: new Set<string>()
      }
      const contextOf = (more: Partial<Surroundings.Place>, connection: Connection) =>
        Effect.map(Surroundings.of({ ...place, ...more }, connection, ":memory:"), ({ entered }) => entered)
      const url = "https://93.184.215.14"
      assert.isUndefined(yield* contextOf({}, shop(url)))
      assert.strictEqual(yield* contextOf({}, shop(url, { entered: "internet" })), "internet")
      assert.strictEqual(yield* contextOf({ bounds }, shop(url)), "internet")
      assert.strictEqual(yield* contextOf({ bounds: { ...bounds, privateAddresses: true } }, shop(url)), "anywhere")
    })
  )
})
