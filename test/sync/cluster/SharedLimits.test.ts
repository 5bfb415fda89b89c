/** A tenant that processes of one database run counts its requests of sources there. */
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { mkdirSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { asked } from "../../../sync/library/Library.ts"
import { ManyTenants } from "../../../sync/library/many/ManyTenants.ts"
import { tenantIn } from "../../../sync/library/many/TenantSource.ts"
import { folder } from "../../support/Replicas.ts"

const source = Effect.acquireRelease(
  Effect.callback<ReturnType<typeof createServer>>((resume) => {
    const server = createServer((_, response) => {
      response.writeHead(200, { "content-type": "application/json" })
      response.end(JSON.stringify({ content: [], totalElements: 0, totalPages: 0 }))
    })
    server.listen(0, "127.0.0.1", () => resume(Effect.succeed(server)))
  }),
  (server) => Effect.sync(() => void server.close())
)

it.live("A tenant of a database counts its requests with those of other processes", () =>
  Effect.gen(function* () {
    const home = yield* folder
    const path = join(home, "acme")
    const { port } = (yield* source).address() as AddressInfo
    mkdirSync(path)
    writeFileSync(join(home, "daybook.tenants.json"), JSON.stringify({ daemon: { private_addresses: true } }))
    const connection = {
      id: "books",
      source: { connector: "lexware", url: `http://127.0.0.1:${port}`, key: { env: "LEXWARE" } },
      owner: { organisation: { unique_id: "acme", registered: "2024-01-01T00:00:00Z" } }
    }
    const service = { url: "http://127.0.0.1:9", key: { env: "SERVICE" } }
    writeFileSync(join(path, "daybook.config.json"), JSON.stringify({ service, connections: [connection] }))
    writeFileSync(join(path, ".env"), "LEXWARE=key-of-lexware\nSERVICE=key-of-the-service\n")
    const taken: Array<string> = []
    const machines = {
      take: (whose: string, most: number, window: string) =>
        Effect.sync(() => {
          taken.push(`${window} ${most} ${whose.replace(/[0-9a-f]{64}$/, "of a key")}`)
          return 0
        })
    }
    const all = yield* ManyTenants.make({ spreadMs: 0 })
    yield* all.add({ ...tenantIn(path, "acme"), machines })
    yield* all.use("acme", ({ handle }) => asked(handle).pull())
    assert.deepStrictEqual(taken, [`minute 100 lexware http://127.0.0.1:${port} of a key`])
  })
)
