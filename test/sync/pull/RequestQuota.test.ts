/** A day's requests: counted in the state file before they leave, across runs; used up, a pull stops and goes on next day. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Option, Schema, Stream } from "effect"
import { FileSystem } from "effect"
import { HttpClient, HttpClientResponse } from "effect/http"
import { TestClock } from "effect/testing"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { read as readConnection } from "../../../sync/Sync.ts"
import { make } from "../../../connectors/Connector.ts"
import * as Http from "../../../connectors/Http.ts"
import * as RequestQuota from "../../../sync/pull/RequestQuota.ts"
import type { Connection } from "../../../sync/model/Connection.ts"
import { Database } from "../../../sync/state/Database.ts"
import { invoice, planning } from "../../support/Documents.ts"
import { read } from "../Source.ts"

const PAGES = 5

/** Five pages of one invoice each, one request for a page. */
const source = (perDay: number | undefined) =>
  make({
    name: "paged",
    title: "a source with pages",
    capabilities: {
      kinds: ["invoice"],
      deletions: "not at all",
      blindSpots: [],
      ...(perDay === undefined ? {} : { limits: { perDay } })
    },
    settings: Schema.Struct({}),
    bookmark: Schema.Struct({ page: Schema.Int }),
    pull: (_, after) => {
      const authority = Http.key(Effect.succeed("k"), "KEY", () => ({}))
      const http = Http.make({ connector: "paged", base: "https://paged.example", authority })
      return Stream.paginate((after?.page ?? 0) + 1, (page) =>
        Effect.gen(function* () {
          if (page > PAGES) return [[], Option.none<number>()] as const
          yield* http.get(`/invoices/${page}`)
          const documents = [invoice({ id: `I${page}`, number: `INV-${page}` })]
          return [[{ read: documents.map(read), quarantined: [], bookmark: { page } }], Option.some(page + 1)] as const
        })
      )
    }
  })

const connection = (perDay: number | undefined, requestsPerDay?: number): Connection => ({
  id: "books",
  connector: source(perDay),
  settings: {},
  planning,
  ...(requestsPerDay === undefined ? {} : { requestsPerDay })
})

/** One command: a process that opens the state file, pulls, and ends. */
const command = (file: string, one: Connection, asked: Array<string>) =>
  Effect.gen(function* () {
    const db = yield* Database
    const result = yield* Effect.result(readConnection({ connections: [one], environment: {}, folder: "." }, one))
    const documents = db.prepare("SELECT count(*) FROM document").pluck().get()
    return { documents, said: result._tag === "Failure" ? result.failure.message : "done" }
  }).pipe(
    Effect.provide(
      Layer.mergeAll(
        Database.layer({ file, mode: "write" }),
        FileSystem.layerNoop({}),
        Layer.succeed(
          HttpClient.HttpClient,
          HttpClient.make((request, url) =>
            Effect.sync(() => {
              asked.push(url.pathname)
              return HttpClientResponse.fromWeb(request, new Response("{}"))
            })
          )
        )
      )
    )
  )

const used = (limit: number, day: string, next: string) =>
  `paged: cannot be read now: its ${limit} requests of ${day} are used up (its daily request cap); what was read is kept: run again after ${next} 00:00 UTC, and the pull continues where it stopped`

const withFile = <A, E>(work: (file: string) => Effect.Effect<A, E>) =>
  Effect.acquireUseRelease(
    Effect.sync(() => mkdtempSync(join(tmpdir(), "daybook-budget-"))),
    (folder) => work(join(folder, "daybook.db")),
    (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
  )

describe("a day's requests", () => {
  it.effect("are kept across processes: the run stops with what it read, and goes on the next day", () =>
    withFile((file) =>
      Effect.gen(function* () {
        yield* TestClock.setTime(Date.parse("2026-03-01T20:00:00Z"))
        const asked: Array<string> = []
        const said = used(3, "2026-03-01", "2026-03-02")
        assert.deepStrictEqual(yield* command(file, connection(3), asked), { documents: 3, said })
        assert.deepStrictEqual(yield* command(file, connection(3), asked), { documents: 3, said })
        assert.strictEqual(asked.length, 3)
        yield* TestClock.setTime(Date.parse("2026-03-02T00:00:01Z"))
        assert.deepStrictEqual(yield* command(file, connection(3), asked), { documents: 5, said: "done" })
        assert.deepStrictEqual(
          asked,
          [1, 2, 3, 4, 5].map((n) => `/invoices/${n}`)
        )
      })
    )
  )

  it.effect("a setting lowers what the source allows, and never raises it", () =>
    withFile((file) =>
      Effect.gen(function* () {
        yield* TestClock.setTime(Date.parse("2026-03-01T20:00:00Z"))
        assert.strictEqual(RequestQuota.limitOf(connection(3, 10)), 3)
        assert.strictEqual(RequestQuota.limitOf(connection(undefined, 10)), 10)
        assert.isUndefined(RequestQuota.limitOf(connection(undefined)))
        const { documents, said } = yield* command(file, connection(3, 2), [])
        assert.deepStrictEqual([documents, said], [2, used(2, "2026-03-01", "2026-03-02")])
      })
    )
  )
})
