/**
 * A person approves some documents of a plan: these are sent with what they need, exactly as they were shown, and the rest
 * waits for a person again, whatever its connection asks about otherwise.
 */
import { limits } from "../../cli/page/RouteModule.ts"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, type Scope } from "effect"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { renderToString } from "preact-render-to-string"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { startSandbox } from "../../core/sandbox/index.ts"
import { html } from "../../cli/page/Html.ts"
import { find } from "../../cli/page/Routes.ts"
import { shared } from "../../sync/model/Person.ts"
import { apply } from "../../sync/apply/Apply.ts"
import { decode } from "../../sync/library/config/Configuration.ts"
import { onConnections } from "../../sync/library/Decisions.ts"
import * as Handle from "../../sync/library/Handle.ts"
import { partOf } from "../../sync/library/PartOfPlan.ts"
import { syncing } from "../../sync/library/Syncing.ts"
import { runConnection } from "../../sync/library/RunConnection.ts"
import { client, outside } from "../../sync/library/ServiceClient.ts"
import * as Approvals from "../../sync/plan/Approvals.ts"
import type { Trigger } from "../../sync/schedule/Scheduler.ts"
import { Database } from "../../sync/state/Database.ts"
import { configuration as written, INVOICES, KEY, PAYMENTS } from "../support/Cli.ts"

const place = Effect.acquireRelease(
  Effect.promise(async () => {
    const folder = mkdtempSync(join(tmpdir(), "daybook-parts-"))
    return { folder, sandbox: await startSandbox({ port: 0, keys: [KEY] }) }
  }),
  ({ folder, sandbox }) =>
    Effect.promise(async () => {
      await sandbox.close()
      rmSync(folder, { recursive: true, force: true })
    })
)

/** Books before a service, and one run of their connection at a time. */
const world = (settings: object) =>
  Effect.gen(function* () {
    const { folder, sandbox } = yield* place
    const write = (name: string, text: string) => writeFileSync(join(folder, name), text)
    write("invoices.csv", INVOICES)
    write("payments.csv", PAYMENTS.split("\n").slice(0, 3).join("\n"))
    const { connections, service } = written(sandbox.url)
    const { first_sync: _, ...rest } = connections[0]!
    const config = {
      service: { ...service, settle_after: "20 millis" },
      connections: [{ ...rest, ...settings }]
    }
    const configuration = yield* decode(config, {
      file: "daybook.config.json",
      folder,
      environment: { SERVICE_KEY: KEY }
    })
    const db = yield* Database
    const connection = configuration.connections[0]!
    const handle = yield* Handle.make(configuration, db, () => Effect.void).pipe(
      Effect.provide([client(configuration), outside])
    )
    const { approve, reject } = onConnections(handle)
    const { sync } = syncing(handle)
    const faults = (method: string, body?: object) =>
      Effect.promise(() =>
        fetch(`${sandbox.url}/sandbox/faults`, {
          method,
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
          headers: { "content-type": "application/json" }
        })
      )
    /** As the page's forms do it. */
    const page = (method: "GET" | "POST", path: string, posted: ReadonlyArray<[string, string]> = []) => {
      const words = path.split("/").slice(1)
      const asked = {
        path: words,
        query: new URLSearchParams(),
        posted: new URLSearchParams(posted.map(([name, value]) => [name, value])),
        form: "",
        name: "Ada",
        cookie: () => undefined,
        sessions: { own: "", all: () => [], end: () => Effect.void, persons: () => [] },
        person: shared("shared password")
      }
      const around = { ...configuration, wake: () => Effect.void }
      return find(method, words)!(asked, around as never).pipe(Effect.provide(client(configuration)))
    }
    return {
      write,
      faults,
      page,
      turn: (why: Trigger) => runConnection(configuration, connection, why),
      part: (...names: ReadonlyArray<string>) => Effect.provideService(partOf(connection, names), Database, db),
      waiting: () => Approvals.of(db, "books"),
      approve: (documents?: ReadonlyArray<string>, digest = Approvals.of(db, "books")?.digest ?? "") =>
        approve("books", digest, "Ann", documents),
      reject: () => reject("books", Approvals.of(db, "books")?.digest ?? "", "Ann"),
      sync,
      /** As `daybook apply --plan` does it. */
      saved: (digest: string, firstSync: "seen" | "send" = "seen") =>
        apply([connection], { digest, firstSync, settleAfter: 0 }).pipe(
          Effect.provideService(Database, db),
          Effect.provide(client(configuration))
        ),
      /** The documents that the service has, and how many calls it got. */
      sent: Effect.promise(async () => {
        const journal = (await (await fetch(`${sandbox.url}/sandbox/requests`)).json()) as ReadonlyArray<{
          readonly method: string
          readonly status?: number
        }>
        return journal.filter(({ method }) => method !== "GET").length
      }),
      held: () => db.prepare("SELECT subject FROM ledger WHERE remote IS NOT NULL ORDER BY subject").pluck().all()
    }
  })

const story = <E>(name: string, test: Effect.Effect<void, E, Database | Scope.Scope>) =>
  it.live(name, () =>
    Effect.scoped(test).pipe(Effect.provide(Layer.fresh(Database.layer({ file: ":memory:", mode: "share" }))))
  )

const [ONE, TWO, OWNER] = ["books/invoice/INV-1", "books/invoice/INV-2", "books/owner"] as const

describe("a part of a plan", () => {
  story(
    "is named by keys, numbers or ids, and brings what it needs",
    Effect.gen(function* () {
      const { approve, part, sent, turn, waiting } = yield* world({ approve: true })
      yield* turn("schedule")
      const { digest } = waiting()!
      assert.deepStrictEqual(yield* part("INV-2"), { digest, documents: [TWO, OWNER] })
      assert.deepStrictEqual(yield* part(OWNER), { digest, documents: [OWNER] })
      // Choosing every document is the same as approving the whole plan.
      assert.deepStrictEqual(yield* part(ONE, "INV-2"), { digest, documents: null })
      assert.deepStrictEqual(yield* part("INV-2", "INV-3"), { why: 'nothing is sent for "INV-3" in this plan' })
      assert.include((yield* Effect.flip(approve(["INV-3"]))).message, "nothing is sent")
      assert.include((yield* Effect.flip(approve([]))).message, "no document was chosen")
      assert.isFalse(yield* approve(["INV-2"], "0".repeat(64)))
      assert.isNull(waiting()!.decision)
      assert.strictEqual(yield* sent, 0)
    })
  )

  story(
    "is not named by a number that two of its documents have",
    Effect.gen(function* () {
      const { source } = written("https://service.example").connections[0]!
      const columns = { ...source.invoices.columns, id: "Net", number: "State" }
      const { approve, part, turn, waiting } = yield* world({
        approve: true,
        source: { ...source, invoices: { ...source.invoices, columns } }
      })
      yield* turn("schedule")
      const why =
        '"Sent" is more than one document of this plan: books/invoice/100.00, books/invoice/250.50; give the whole key'
      assert.deepStrictEqual(yield* part("Sent"), { why })
      assert.include((yield* Effect.flip(approve(["Sent"]))).message, "more than one document")
      assert.isNull(waiting()!.decision)
      assert.deepStrictEqual(yield* part("books/invoice/100.00"), {
        digest: waiting()!.digest,
        documents: ["books/invoice/100.00", OWNER]
      })
    })
  )

  story(
    "is sent alone, once; the rest waits, and is sent once it is approved",
    Effect.gen(function* () {
      const { approve, held, sent, turn, waiting } = yield* world({ approve: true })
      yield* turn("schedule")
      assert.isTrue(yield* approve(["INV-2"]))
      assert.deepInclude(waiting(), { decision: "approved", who: "Ann", documents: [TWO, OWNER] })
      assert.match(
        (yield* turn("approved")).message,
        /^2 documents approved by Ann, \d calls? waiting for approval \(the rest of a plan/
      )
      assert.deepStrictEqual(held(), [TWO])
      const before = yield* sent
      assert.deepInclude(waiting(), { decision: null, documents: null, why: Approvals.REST })
      assert.strictEqual(before + waiting()!.calls, 6)
      for (const why of ["schedule", "approved", "webhook"] as const) yield* turn(why)
      assert.strictEqual(yield* sent, before)
      assert.isTrue(yield* approve())
      assert.strictEqual((yield* turn("approved")).outcome, "done")
      assert.deepStrictEqual(held(), [ONE, TWO])
      assert.strictEqual(yield* sent, 6)
      assert.isUndefined(waiting())
    })
  )

  story(
    "is chosen on the page, in the table of the plan",
    Effect.gen(function* () {
      const { held, page, turn, waiting } = yield* world({ approve: true })
      yield* turn("schedule")
      const shown = yield* page("GET", "/plans")
      const text = renderToString(html`${"body" in shown ? (shown.body as never) : null}`)
      const boxes = [...text.matchAll(/<input type="checkbox"[^>]* value="([^"]+)"/g)].map(([, value]) => value)
      assert.deepStrictEqual(boxes, [OWNER, ONE, TWO])
      const { digest } = waiting()!
      const form = (...more: ReadonlyArray<[string, string]>) =>
        page("POST", "/plans/part", [["connection", "books"], ["digest", digest], ...more])
      assert.deepInclude(yield* form(), { said: "noDocument" })
      assert.deepInclude(yield* form(["document", "books/invoice/INV-9"]), { said: "moved" })
      assert.deepInclude(
        yield* page("POST", "/plans/part", [
          ["connection", "books"],
          ["digest", "0".repeat(64)],
          ["document", TWO]
        ]),
        { said: "moved" }
      )
      assert.isNull(waiting()!.decision)
      assert.deepInclude(yield* form(["document", TWO]), { said: "partApproved" })
      assert.deepInclude(waiting(), { who: "Ada", documents: [TWO, OWNER] })
      yield* turn("approved")
      assert.deepStrictEqual(held(), [TWO])
    })
  )

  story(
    "is all but the documents that were chosen on the page, some thousand of them too",
    Effect.gen(function* () {
      const { held, page, turn, waiting } = yield* world({ approve: true })
      yield* turn("schedule")
      const form: ReadonlyArray<[string, string]> = [
        ["connection", "books"],
        ["digest", waiting()!.digest],
        ["all_but", "yes"]
      ]
      assert.deepInclude(yield* page("POST", "/plans/part", form), { said: "noDocument" })
      assert.deepInclude(yield* page("POST", "/plans/part", [...form, ["document", ONE]]), { said: "partApproved" })
      assert.deepInclude(waiting(), { documents: [TWO, OWNER] })
      yield* turn("approved")
      assert.deepStrictEqual(held(), [TWO])
      // What a form of 20,000 documents takes.
      assert.isAbove(
        limits(false).most!,
        20_000 * "&document=books%2Finvoice%2FINV-123456789012345678901234567890".length
      )
    })
  )

  story(
    "is not sent if anything that was shown has changed since, in it or beside it",
    Effect.gen(function* () {
      const { approve, sent, turn, waiting, write } = yield* world({ approve: true })
      yield* turn("schedule")
      yield* approve(["INV-2"])
      write("invoices.csv", INVOICES.replace("100.00,120.00", "150.00,180.00"))
      assert.match((yield* turn("schedule")).message, /the books changed since the plan was approved/)
      assert.deepInclude(waiting(), { decision: null, documents: null })
      assert.strictEqual(yield* sent, 0)
    })
  )

  story(
    "of a first sync leaves the rest unsent until a person approves it, whatever is read meanwhile",
    Effect.gen(function* () {
      const { approve, held, sent, turn, waiting, write } = yield* world({})
      yield* turn("schedule")
      assert.strictEqual(waiting()!.why, "the first sync")
      yield* approve(["INV-1"])
      yield* turn("approved")
      assert.deepStrictEqual(held(), [ONE])
      const before = yield* sent
      write("invoices.csv", `${INVOICES}INV-7,Late Ltd,GB,2026-03-05,2026-04-03,20.00,24.00,Sent\n`)
      assert.match((yield* turn("schedule")).message, /waiting for approval \(the rest of a plan/)
      assert.strictEqual(yield* sent, before)
      assert.deepStrictEqual(held(), [ONE])
      yield* approve()
      assert.strictEqual((yield* turn("approved")).outcome, "done")
      // From now on it asks about nothing, as it is configured.
      write("invoices.csv", `${INVOICES}INV-7,Late Ltd,GB,2026-03-05,2026-04-03,30.00,36.00,Sent\n`)
      assert.strictEqual((yield* turn("schedule")).outcome, "done")
      assert.isUndefined(waiting())
      assert.strictEqual(held().length, 3)
    })
  )

  story(
    "leaves out what no sync sends by hand either, nor a plan that was rejected, unless a person says so",
    Effect.gen(function* () {
      const { approve, held, reject, sent, sync, turn, waiting, write } = yield* world({ approve: true })
      yield* turn("schedule")
      yield* reject()
      assert.include((yield* Effect.flip(sync())).message, "books: Ann rejected this plan on ")
      assert.strictEqual(yield* sent, 0)
      // Another plan, of which a part is approved.
      write("invoices.csv", INVOICES.replace("100.00,120.00", "150.00,180.00"))
      yield* turn("schedule")
      yield* approve(["INV-2"])
      assert.include((yield* Effect.flip(sync())).message, "the rest of a plan of which a part was approved waits")
      yield* turn("approved")
      assert.deepStrictEqual(held(), [TWO])
      assert.include((yield* Effect.flip(sync())).message, "the rest of a plan of which a part was approved waits")
      yield* reject()
      assert.include((yield* Effect.flip(sync())).message, "run again with --yes, which sends it all the same")
      assert.deepStrictEqual(held(), [TWO])
      yield* sync({ firstSync: "send" })
      assert.deepStrictEqual(held(), [ONE, TWO])
      yield* turn("schedule")
      assert.isUndefined(waiting())
    })
  )

  story(
    "and a whole one that was rejected are not sent because somebody saved the plan before",
    Effect.gen(function* () {
      const { held, reject, saved, sent, turn, waiting } = yield* world({ approve: true })
      yield* turn("schedule")
      const { digest } = waiting()!
      yield* reject()
      assert.include((yield* Effect.flip(saved(digest))).message, "books: Ann rejected this plan on ")
      assert.strictEqual(yield* sent, 0)
      yield* saved(digest, "send")
      assert.deepStrictEqual(held(), [ONE, TWO])
    })
  )

  story(
    "of a first sync that was saved is sent unasked, as somebody has seen it",
    Effect.gen(function* () {
      const { held, saved, turn, waiting } = yield* world({})
      yield* Effect.andThen(turn("schedule"), () => saved(waiting()!.digest))
      assert.deepStrictEqual(held(), [ONE, TWO])
    })
  )

  story(
    "that was cut off leaves nothing to be sent unasked",
    Effect.gen(function* () {
      const { approve, faults, held, turn, waiting } = yield* world({})
      yield* turn("schedule")
      yield* approve(["INV-2"])
      yield* faults("POST", { method: "POST", kind: "status", status: 503, retry_after: 86_400, skip: 1 })
      yield* Effect.flip(turn("approved"))
      yield* faults("DELETE")
      assert.strictEqual((yield* turn("schedule")).outcome, "waits for approval")
      assert.deepInclude(waiting(), { decision: null, documents: null, why: Approvals.REST })
      assert.notInclude(held(), ONE)
      yield* approve()
      assert.strictEqual((yield* turn("approved")).outcome, "done")
      assert.deepStrictEqual(held(), [ONE, TWO])
      assert.isUndefined(waiting())
    })
  )
})
