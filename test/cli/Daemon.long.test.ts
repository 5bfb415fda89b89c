/**
 * `daybook daemon` as its operator meets it: a process that runs on schedules, beside which every other command works;
 * that takes a changed configuration, or keeps the one before; that says how it is, and how it ended.
 */
import { assert, describe, it } from "@effect/vitest"
import Sqlite from "better-sqlite3"
import { Effect } from "effect"
import type { ChildProcess } from "node:child_process"
import { readFileSync } from "node:fs"
import { books, configuration, failed, KEY, NOWHERE, PAYMENTS, service, useCommand } from "../support/Cli.ts"
import { freePort, startDaemon, until } from "../support/Daemon.ts"
import { json, serve } from "../support/Serve.ts"

useCommand()

/** The configuration of the tests with more in its first connection, and beside it. */
const config = (url: string, connection: object = {}, more: object = {}, others: ReadonlyArray<object> = []) => {
  const { connections, service } = configuration(url)
  return JSON.stringify({ service, connections: [{ ...connections[0]!, ...connection }, ...others], ...more })
}

const daemonOf = async (connection: object = {}, more: object = {}, files: Readonly<Record<string, string>> = {}) => {
  const there = await service()
  const here = books(there.url, {
    "daybook.config.json": config(there.url, { every: "1 hour", ...connection }, more),
    ...files
  })
  return { there, here }
}

const ended = ({ outcome }: { readonly outcome?: string }) => outcome !== undefined

/** Without the payment that needs a person. */
const QUIET = { "payments.csv": PAYMENTS.split("\n").slice(0, 3).join("\n") + "\n" }

describe("a daemon", () => {
  it("runs what is due, says how it is, lets other commands have their turn, and ends with 0", async () => {
    const { here, there } = await daemonOf({}, {}, QUIET)
    const daemon = await startDaemon(here.folder)
    const said = await daemon.says(ended)
    assert.deepInclude(said, {
      level: "info",
      connection: "books",
      outcome: "done",
      message: "5 read, 5 new, 6 calls sent"
    })
    assert.strictEqual(Object.keys(await there.holds()).length, 2)
    assert.deepStrictEqual(await (await fetch(`${daemon.url}/healthz`)).json(), { status: "ok" })
    assert.deepStrictEqual(await (await fetch(`${daemon.url}/readyz`)).json(), { status: "ready" })
    const metrics = await (await fetch(`${daemon.url}/metrics`)).text()
    for (const line of [
      "# TYPE daybook_calls_total counter",
      'daybook_calls_total{connection="books",operation="transactions.create",outcome="done"} 2',
      'daybook_turns_total{connection="books",outcome="done"} 1',
      "daybook_attention 0",
      "daybook_objections 0",
      "daybook_pending_calls 0",
      'daybook_failures{connection="books"} 0'
    ])
      assert.include(metrics, `${line}\n`)
    assert.match(metrics, /^daybook_last_success_timestamp_seconds\{connection="books"\} \d{10}$/m)

    for (const command of [["status"], ["plan"], ["sync"], ["attention"]]) {
      const ran = await here.run(...command)
      assert.strictEqual(ran.status, 0, `${command.join(" ")}: ${ran.stderr}`)
    }
    const second = await here.run("daemon", "--listen", "127.0.0.1:0")
    assert.match(failed(second, 5), /another daemon is running on it \(process \d+ on .*\); one is enough/)

    assert.deepStrictEqual(await daemon.stop(), [0, null])
    assert.strictEqual(daemon.said().at(-1)!.message, "stopped; what was sent is kept")
    assert.notInclude(daemon.text(), KEY)
    assert.notInclude(metrics, KEY)
  })

  it("is alive and not ready while another process has the state file, and says which", async () => {
    const { here } = await daemonOf({}, {}, QUIET)
    const holder = new Sqlite(here.path("daybook.db.lock"))
    holder.exec("CREATE TABLE holder (who TEXT); INSERT INTO holder VALUES ('a test'); BEGIN IMMEDIATE")
    const port = await freePort()
    const starting = startDaemon(here.folder, { port })
    const ask = (path: string) => fetch(`http://127.0.0.1:${port}${path}`).catch(() => undefined)
    const early = await until("it listens", () => ask("/readyz"))
    assert.strictEqual(early.status, 503)
    assert.deepStrictEqual(await early.json(), { status: "not ready", why: "it is starting" })
    assert.strictEqual((await ask("/healthz"))!.status, 200)
    assert.strictEqual((await ask("/metrics"))!.status, 200)
    assert.strictEqual((await ask("/attention"))!.status, 404)
    holder.close()
    const daemon = await starting
    assert.match((await daemon.says(({ message }) => message.startsWith("waiting: "))).message, /\(a test\)/)
    await daemon.says(ended)
    await daemon.stop()
  })

  it("ends with 3 when something needs a person, and speaks to people in plain lines", async () => {
    const { here } = await daemonOf()
    const daemon = await startDaemon(here.folder)
    const said = await daemon.says(ended)
    assert.strictEqual(said.message, "6 read, 6 new, 6 calls sent, 1 item needs attention")
    assert.strictEqual(said.outcome, "attention")
    assert.deepStrictEqual(await daemon.stop("SIGINT"), [3, null])
    assert.strictEqual(daemon.said().at(-1)!.message, "stopped; what was sent is kept, and 1 item needs attention")
    const onceItSaid = (child: ChildProcess) =>
      void child.stdout!.on("data", (text) => String(text).includes("books: every hour") && child.kill("SIGTERM"))
    const plain = await here.runWith({ onStart: onceItSaid }, "daemon", "--listen", "127.0.0.1:0")
    assert.strictEqual(plain.status, 3)
    assert.match(plain.stdout, /^\d{4}-\d\d-\d\dT[\d:.]+Z info {2}listening at http:\/\/127\.0\.0\.1:\d+\n/)
    assert.match(plain.stdout, / info {2}books: every hour\n/)
    const later = (child: ChildProcess) => void setTimeout(() => child.kill("SIGTERM"), 6000)
    const quiet = await here.runWith({ onStart: later }, "daemon", "--listen", "127.0.0.1:0", "--quiet")
    assert.deepStrictEqual(quiet, { status: 3, signal: null, stdout: "", stderr: "" })
  })

  it("that fails at one connection goes on with the others, and is not in the way of its own stop", async () => {
    const { here, there } = await daemonOf({}, {}, QUIET)
    const { connections } = configuration(there.url)
    const broken = { ...connections[0]!, id: "broken", every: "1 hour" }
    const { payments: _, ...its } = broken.source
    const source = { ...its, invoices: { ...its.invoices, path: "nowhere.csv" } }
    here.write("daybook.config.json", config(there.url, { every: "1 hour" }, {}, [{ ...broken, source }]))
    const daemon = await startDaemon(here.folder)
    const bad = await daemon.says(({ outcome }) => outcome === "failed")
    assert.strictEqual(bad.connection, "broken")
    assert.match(bad.message, /nowhere\.csv.*; trying again in 1 minute$/)
    assert.strictEqual((await daemon.says(({ outcome }) => outcome === "done")).connection, "books")
    assert.include(await (await fetch(`${daemon.url}/metrics`)).text(), 'daybook_failures{connection="broken"} 1\n')
    assert.deepStrictEqual(await daemon.stop(), [0, null])
  })

  it("that cannot listen, has no key, or finds another service's books says so and ends", async () => {
    const { here, there } = await daemonOf()
    const port = new URL(there.url).port
    const taken = await here.run("daemon", "--listen", `127.0.0.1:${port}`)
    assert.match(taken.stderr, new RegExp(`^daybook: port ${port} of 127\\.0\\.0\\.1 is taken; name another`, "m"))
    assert.strictEqual(taken.status, 1)
    const keyless = await here.runWith({ env: { SERVICE_KEY: undefined } }, "daemon", "--listen", "127.0.0.1:0")
    assert.match(failed(keyless, 2), /SERVICE_KEY is not set/)
    const nowhere = await here.run("daemon", "--listen", "here")
    assert.match(failed(nowhere, 2), /--listen here: write an address and a port/)
    await here.run("sync")
    here.write("daybook.config.json", config(NOWHERE, { every: "1 hour" }))
    const other = await here.run("daemon", "--listen", "127.0.0.1:0")
    assert.match(failed(other, 4), /it belongs to http.*nothing was sent.*correct service\.url/)
    // It is found at the start: nothing was read or tried, and nothing is announced for later.
    assert.strictEqual(other.stdout.match(/\n/g)?.length, 1, other.stdout)
    assert.match(other.stdout, /listening at/)
  })
})

describe("a configuration that changes under a daemon", () => {
  it("is taken when it is good, and changes nothing when it is bad", async () => {
    const { here, there } = await daemonOf({}, {}, QUIET)
    const daemon = await startDaemon(here.folder)
    await daemon.says(ended)
    here.write("daybook.config.json", '{ "service": ')
    daemon.child.kill("SIGHUP")
    const bad = await daemon.says(({ level }) => level === "error")
    assert.match(
      bad.message,
      /^the configuration changed but is invalid; the previous one stays in use: daybook\.config\.json: /
    )
    here.write("daybook.config.json", config(NOWHERE))
    daemon.child.kill("SIGHUP")
    await daemon.says(({ message }) => /it belongs to http.*and the configuration names/.test(message))
    assert.strictEqual((await fetch(`${daemon.url}/readyz`)).status, 200)

    const { connections } = configuration(there.url)
    const theirs = JSON.stringify(connections[0]!).replace(/"unique_id":"[^"]*"/, '"unique_id":"more"')
    const more = { ...JSON.parse(theirs), id: "more", every: "1 hour" }
    here.write("daybook.config.json", config(there.url, { every: "1 hour" }, {}, [more]))
    // Nobody says a word: it is seen by itself.
    const good = await daemon.says(({ message }) => message.startsWith("configuration read again"))
    assert.strictEqual(good.message, "configuration read again; new: more")
    assert.strictEqual(
      (await daemon.says(({ connection, outcome }) => connection === "more" && outcome === "done")).level,
      "info"
    )
    await daemon.stop()
  })

  it("as a TypeScript module is read anew as well", async () => {
    const there = await service()
    const here = books(there.url, QUIET)
    const module = (...ids: ReadonlyArray<string>) =>
      `import { defineConfig } from "daybook"\nconst config = ${config(there.url, { every: "1 hour" })}\nexport default defineConfig({ ...config, connections: ${JSON.stringify(ids)}.flatMap((id) => config.connections.map((one) => ({ ...one, id, owner: { organisation: { ...one.owner.organisation, unique_id: id } } }))) })\n`
    here.write("daybook.config.ts", module("first"))
    const daemon = await startDaemon(here.folder)
    await daemon.says(({ connection, outcome }) => connection === "first" && outcome === "done")
    here.write("daybook.config.ts", module("first", "second"))
    daemon.child.kill("SIGHUP")
    await daemon.says(({ message }) => message === "configuration read again; new: second")
    await daemon.says(({ connection, outcome }) => connection === "second" && outcome === "done")
    await daemon.stop()
  })
})

describe("webhooks", () => {
  it("are answered only where they belong, to who knows the secret, and within reason", async () => {
    const { here } = await daemonOf(
      {},
      { daemon: { webhooks: { authorization: { env: "HOOKS" } }, metrics: { token: { env: "FIGURES" } } } },
      QUIET
    )
    const daemon = await startDaemon(here.folder, { env: { HOOKS: "agreed-31", FIGURES: "figures-32" } })
    await daemon.says(ended)
    const post = async (path: string, body: string, headers: Record<string, string> = {}, method = "POST") =>
      (await fetch(daemon.url + path, { method, headers, ...(method === "POST" ? { body } : {}) })).status
    const right = { authorization: "agreed-31" }
    assert.strictEqual(await post("/webhooks/service", "{}"), 401)
    assert.strictEqual(await post("/webhooks/service", "{}", { authorization: "agreed-30" }), 401)
    assert.strictEqual(await post("/webhooks/service", "{}", right), 200)
    assert.strictEqual(await post("/webhooks/service", "[[[", right), 200)
    assert.strictEqual(await post("/webhooks/service", '{"id":"trns-1","unique_id":"books/invoice/INV-1"}', right), 200)
    assert.strictEqual(await post("/webhooks/service", "x".repeat(1_100_000), right), 413)
    assert.strictEqual(await post("/webhooks/service", "", {}, "GET"), 405)
    assert.strictEqual(await post("/webhooks/source/books", "{}", right), 401)
    assert.strictEqual(await post("/webhooks/source/%ff", "{}", right), 404)
    assert.strictEqual(await post("/elsewhere", "{}"), 404)
    assert.strictEqual(await post("/elsewhere", "", { accept: "application/json" }, "GET"), 404)
    const figures = async (headers: Record<string, string>) =>
      (await fetch(`${daemon.url}/metrics`, { headers })).status
    assert.deepStrictEqual(
      [
        await figures({}),
        await figures({ "x-forwarded-for": "192.0.2.1" }),
        await figures({ "x-real-ip": "192.0.2.1" }),
        await figures({ via: "1.1 proxy" }),
        await figures({ "x-forwarded-for": "192.0.2.1", authorization: "Bearer figures-32" })
      ],
      [200, 401, 401, 401, 200]
    )
    const metrics = await (await fetch(`${daemon.url}/metrics`)).text()
    assert.include(metrics, 'daybook_webhooks_total{from="service",outcome="refused"} 2\n')
    assert.include(metrics, 'daybook_webhooks_total{from="service",outcome="about nothing"} 3\n')
    await daemon.stop()
    for (const secret of ["agreed-31", "figures-32", KEY]) {
      assert.notInclude(daemon.text(), secret)
      assert.notInclude(metrics, secret)
      assert.notInclude(readFileSync(here.path("daybook.db")).toString("latin1"), secret)
    }
  })
})

interface Sent {
  readonly url: string
  readonly body: string
}

interface Span {
  readonly name: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly attributes: ReadonlyArray<{ readonly key: string; readonly value: Readonly<Record<string, unknown>> }>
}

/** The spans that a collector was sent, each with those around it, in order. */
const shapes = (asked: ReadonlyArray<Sent>) => {
  const spans = asked
    .filter(({ url }) => url === "/v1/traces")
    .flatMap(({ body }) => JSON.parse(body).resourceSpans)
    .flatMap(({ scopeSpans }) => scopeSpans)
    .flatMap(({ spans }) => spans as ReadonlyArray<Span>)
  const byId = new Map(spans.map((span) => [span.spanId, span]))
  const path = ({ name, parentSpanId = "" }: Span): string => {
    const parent = byId.get(parentSpanId)
    return parent === undefined ? name : `${path(parent)} > ${name}`
  }
  return spans
    .map((span) => ({
      path: path(span),
      attributes: Object.fromEntries(span.attributes.map(({ key, value }) => [key, String(Object.values(value)[0])]))
    }))
    .toSorted((a, b) => {
      const [one, other] = [a, b].map(({ attributes, path }) => `${path} ${attributes["document"] ?? ""}`)
      return one! < other! ? -1 : 1
    })
}

describe("telemetry", () => {
  it("goes to the collector that the configuration names: traces, metrics and logs, without a secret", async () => {
    await Effect.runPromise(
      Effect.scoped(
        Effect.gen(function* () {
          const collector = yield* serve((_, response) => json(response, 200, {}))
          yield* Effect.promise(async () => {
            const telemetry = { url: collector.url, headers: { "x-key": { env: "COLLECTOR" } } }
            const { here } = await daemonOf({}, { daemon: { telemetry } }, QUIET)
            const daemon = await startDaemon(here.folder, { env: { COLLECTOR: "collector-33" } })
            await daemon.says(ended)
            await daemon.stop()
            const asked = await until("all three are there", () => {
              const paths = new Set(collector.asked.map(({ url }) => url))
              return ["/v1/traces", "/v1/metrics", "/v1/logs"].every((path) => paths.has(path))
                ? collector.asked
                : undefined
            })
            assert.isTrue(asked.every(({ headers }) => headers["x-key"] === "collector-33"))
            const all = asked.map(({ body }) => body).join("\n")
            assert.deepStrictEqual(
              shapes(asked).map(
                ({ attributes, path }) => `${path} ${attributes["document"] ?? attributes["connection"] ?? ""}`
              ),
              [
                "Daemon.run books",
                "Daemon.run > Account.bind ",
                "Daemon.run > Apply.apply ",
                "Daemon.run > Apply.apply > organisations.create books/owner",
                "Daemon.run > Apply.apply > transactions.create books/invoice/INV-1",
                "Daemon.run > Apply.apply > transactions.create books/invoice/INV-2",
                "Daemon.run > Apply.apply > transactions.createPayment books/invoice/INV-1",
                "Daemon.run > Apply.apply > transactions.createPayment books/invoice/INV-2",
                "Daemon.run > Apply.apply > transactions.paid books/invoice/INV-1",
                "Daemon.run > FirstSend.check ",
                "Daemon.run > Pull.pull ",
                "Daemon.run > Refetch.reread ",
                "Daemon.run > Sweep.sweep "
              ]
            )
            const [turn] = shapes(asked)
            assert.deepInclude(turn!.attributes, { connection: "books", why: "schedule", outcome: "done", done: "6" })
            // Figures of the state file arrive although nobody asks for /metrics.
            for (const name of ["daybook_calls_total", "daybook_attention", "daybook_last_success_timestamp_seconds"])
              assert.include(all, `"name":"${name}"`)
            for (const secret of ["collector-33", KEY]) assert.notInclude(all, secret)
          })
        })
      )
    )
  })
})
