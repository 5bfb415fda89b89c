/** Pages and downloads of large books are made in a thread: the same as here, while others are answered. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Redacted } from "effect"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { handle } from "../../cli/page/Page.ts"
import { READING } from "../../cli/page/ReadingRoutes.ts"
import { Sessions } from "../../cli/page/Sessions.ts"
import { apart } from "../../cli/page/ThreadOfPages.ts"
import { Client } from "../../core/Client.ts"
import { type ReaderEntry, ReaderThread } from "../../sync/pull/ReaderThread.ts"
import { Database } from "../../sync/state/Database.ts"
import { configuration } from "../bench/Invoices.ts"
import { build } from "../bench/Sent.ts"
import { busyDuring } from "../support/Busy.ts"

const READER: ReaderEntry = { module: new URL("../../cli/Reader.ts", import.meta.url), connectors: [] }
const INVOICES = 4000
const BOUND_MS = 50

const folder = mkdtempSync(join(tmpdir(), "daybook-pages-"))
process.on("exit", () => rmSync(folder, { recursive: true, force: true }))
const [csv, state] = [join(folder, "invoices.csv"), join(folder, "daybook.db")]

const sessions = new Sessions(Redacted.make("not needed"))
const cookie = sessions.issue(Date.now(), "", { encrypted: false })[0]!.split(";")[0]!

/** What the page answers at an address. */
const asked = (path: string, reader: ReaderEntry | undefined) =>
  Effect.gen(function* () {
    const { connections } = configuration(folder, csv)
    const around = { connections, folder, environment: {}, file: "daybook.config.json", wake: () => Effect.void }
    const request = new Request(`http://localhost${path}`, { headers: { cookie } })
    const answer = yield* handle(sessions, Effect.succeed(around))(request, "127.0.0.1")
    return { status: answer.status, body: Buffer.from(yield* Effect.promise(() => answer.arrayBuffer())) }
  }).pipe(
    Effect.provideService(ReaderThread, reader),
    Effect.provide(Client.layer({ url: "http://127.0.0.1:9", key: Redacted.make("none") }))
  )

const books = Layer.unwrap(
  Effect.map(
    Effect.promise(() => build(folder, csv, state, INVOICES)),
    () => Database.layer({ file: state, mode: "read" })
  )
)

const PATHS = [
  ...Object.keys(READING).map((route) =>
    route.replace("GET ", "").replace("customers/*", "customers/7").replace("*", "none")
  ),
  "/receivables?sort=customer",
  "/documents?q=nothing-is-called-so"
]

describe("pages of large books", { timeout: 300_000 }, () => {
  it.live("are the same in a thread, and keep nobody waiting", () =>
    Effect.gen(function* () {
      for (const path of PATHS) {
        const here = yield* asked(path, undefined)
        const { busy, done } = yield* busyDuring(asked(path, READER))
        if (done._tag !== "Success") return assert.fail(path)
        assert.strictEqual(done.success.status, here.status, path)
        assert.isTrue(done.success.body.equals(here.body), path)
        assert.isBelow(busy, BOUND_MS, path)
      }
    }).pipe(Effect.provide(books))
  )

  it.live("are made for the next one when somebody went away", () =>
    Effect.gen(function* () {
      for (let n = 0; n < 3; n++) yield* Effect.timeoutOption(asked("/receivables.xlsx", READER), 20 + 60 * n)
      const { status } = yield* asked("/receivables.xlsx", READER)
      assert.strictEqual(status, 200)
    }).pipe(Effect.provide(books))
  )

  it.live("say why they cannot be made", () =>
    Effect.gen(function* () {
      const db = yield* Database
      const broken = { module: new URL("data:text/javascript,throw new Error('no memory')"), connectors: [] }
      const question = { type: "debtor", connection: "books", party: "x" } as const
      const failed = yield* Effect.flip(
        apart(db, question, Effect.succeed("here")).pipe(Effect.provideService(ReaderThread, broken))
      )
      assert.strictEqual(failed._tag, "StateError")
      assert.include(failed.message, "no memory")
      const found = yield* apart(db, question, Effect.succeed("here")).pipe(Effect.provideService(ReaderThread, READER))
      assert.isUndefined(found)
    }).pipe(Effect.provide(books))
  )
})
