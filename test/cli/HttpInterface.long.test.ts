/** The daemon's HTTP interface as a program meets it: tokens with scopes, pages, decisions that may be sent twice, events. */
import { assert, describe, it } from "@effect/vitest"
import { Validator } from "@seriousme/openapi-schema-validator"
import { books, configuration, PAYMENTS, service, useCommand } from "../support/Cli.ts"
import { startDaemon, until } from "../support/Daemon.ts"

useCommand()

type Answer = Readonly<Record<string, unknown>>

const TOKENS = { READER: "reader-0123456789abcdef", PLANNER: "planner-0123456789abcdef", ERP: "erp-0123456789abcdef" }

const QUIET = PAYMENTS.split("\n").slice(0, 3).join("\n")

/** A daemon whose plans wait, and how to ask it. */
const daemonWithTokens = async () => {
  const there = await service()
  const { connections, service: settings } = configuration(there.url)
  const token = (name: keyof typeof TOKENS, ...scopes: ReadonlyArray<string>) => ({
    name,
    token: { env: name },
    scopes
  })
  const tokens = [token("READER", "read"), token("PLANNER", "read", "plan"), token("ERP", "read", "plan", "approve")]
  const here = books(there.url, {
    "payments.csv": QUIET,
    "daybook.config.json": JSON.stringify({
      service: settings,
      daemon: { api: { tokens } },
      connections: [{ ...connections[0], approve: true, every: "1 hour" }]
    })
  })
  const daemon = await startDaemon(here.folder, { env: TOKENS })
  await daemon.says(({ outcome }) => outcome === "waits for approval")
  const ask = async (who: keyof typeof TOKENS | undefined, path: string, body?: unknown) => {
    const response = await fetch(`${daemon.url}/api/v1${path}`, {
      headers: {
        ...(who === undefined ? {} : { authorization: `Bearer ${TOKENS[who]}` }),
        ...(body === undefined ? {} : { "content-type": "application/json" })
      },
      ...(body === undefined ? {} : { method: "POST", body: JSON.stringify(body) })
    })
    return { status: response.status, answer: (await response.json()) as Answer }
  }
  return { there, here, daemon, ask }
}

describe("the HTTP interface", () => {
  it("approves some documents of a plan, and asks again about the rest", { timeout: 200_000 }, async () => {
    const { ask, daemon, there } = await daemonWithTokens()
    const { answer } = await ask("PLANNER", "/plan")
    const digest = String((answer["summary"] as Answer)["digest"])
    const approve = { digest, decision: "approved", by: "Ann", documents: ["INV-2"] }
    for (const wrong of [
      { ...approve, documents: ["INV-9"] },
      { ...approve, decision: "rejected" },
      { ...approve, digest: "0".repeat(64) }
    ])
      assert.strictEqual((await ask("ERP", "/approvals/books", wrong)).status, 409, JSON.stringify(wrong))
    assert.deepStrictEqual(await there.calls(), [])
    const approved = await ask("ERP", "/approvals/books", approve)
    assert.deepStrictEqual(approved.answer["documents"], ["books/invoice/INV-2", "books/owner"])
    // Another decision about the same plan is not this one, and says so.
    for (const other of [
      { ...approve, documents: ["INV-1"] },
      { digest, decision: "approved", by: "Bob" }
    ])
      assert.strictEqual((await ask("ERP", "/approvals/books", other)).status, 409, JSON.stringify(other))
    const rest = await until("the rest waits", async () => {
      const { answer } = await ask("READER", "/approvals")
      const [one] = answer["approvals"] as ReadonlyArray<Answer>
      return one?.["decision"] === null && one["digest"] !== digest ? one : undefined
    })
    assert.match(String(rest["why"]), /the rest of a plan/)
    const sent = (await there.calls()).length
    assert.strictEqual(sent + Number(rest["calls"]), 6)
    const whole = { digest: rest["digest"], decision: "approved", by: "Ann" }
    assert.isNull((await ask("ERP", "/approvals/books", whole)).answer["documents"])
    await until("all is sent", async () => ((await there.calls()).length === 6 ? true : undefined))
    assert.deepStrictEqual(await daemon.stop(), [0, null])
  })

  it("shows, plans and decides, each for tokens with that scope", { timeout: 200_000 }, async () => {
    const { ask, daemon, there } = await daemonWithTokens()
    const paths = [
      "/status",
      "/statement",
      "/cover",
      "/attention",
      "/approvals",
      "/documents",
      "/explain?document=INV-1"
    ]
    for (const path of paths) {
      assert.strictEqual((await ask("READER", path)).status, 200, path)
      assert.strictEqual((await ask(undefined, path)).status, 401, path)
    }
    assert.strictEqual((await ask("READER", "/plan")).status, 403)
    const { answer: plan } = await ask("PLANNER", "/plan?connection=books&limit=2")
    assert.strictEqual((plan["calls"] as ReadonlyArray<unknown>).length, 2)

    const seen: Array<unknown> = []
    for (let after = ""; ; ) {
      const { answer } = await ask("READER", `/documents?limit=2&after=${encodeURIComponent(after)}`)
      seen.push(...(answer["documents"] as ReadonlyArray<Answer>).map(({ key }) => key))
      if (answer["next"] === undefined) break
      after = String(answer["next"])
    }
    const { answer: all } = await ask("READER", "/documents?limit=200")
    assert.deepStrictEqual(
      seen,
      (all["documents"] as ReadonlyArray<Answer>).map(({ key }) => key)
    )
    assert.isAbove(seen.length, 2)

    for (const [path, status, says] of [
      ["/explain?document=nothing", 404, /no document "nothing"/],
      ["/documents?connection=elsewhere", 404, /"elsewhere" not found; available: books/],
      ["/documents?limit=9000", 422, /between 1 and 200/],
      ["/documents?kind=cat", 422, /Query/]
    ] as const) {
      const { answer, status: got } = await ask("READER", path)
      assert.deepStrictEqual(
        [got, says.test(String(answer["message"]))],
        [status, true],
        `${path} ${JSON.stringify(answer)}`
      )
    }

    const { answer: document } = await ask(undefined, "/openapi.json")
    assert.deepInclude(await new Validator().validate(structuredClone(document) as Record<string, unknown>), {
      valid: true
    })
    assert.include(Object.keys(document["paths"] as object), "/api/v1/approvals/{connection}")

    const digest = String((plan["summary"] as Answer)["digest"])
    const approve = { digest, decision: "approved", by: "Ann" }
    assert.strictEqual((await ask("PLANNER", "/approvals/books", approve)).status, 403)
    const stale = await ask("ERP", "/approvals/books", { ...approve, digest: "0".repeat(64) })
    assert.deepStrictEqual([stale.status, /A newer plan/.test(String(stale.answer["message"]))], [409, true])
    assert.deepStrictEqual(await there.calls(), [])

    const listening = new AbortController()
    const events = await fetch(`${daemon.url}/api/v1/events`, {
      headers: { authorization: `Bearer ${TOKENS.READER}` },
      signal: listening.signal
    })
    let heard = ""
    const hearing = (async () => {
      for await (const chunk of events.body!.pipeThrough(new TextDecoderStream())) heard += chunk
    })().catch(() => {})
    for (const _ of ["first", "sent again"]) {
      const { answer, status } = await ask("ERP", "/approvals/books", approve)
      assert.deepStrictEqual([status, answer["by"]], [200, "Ann (ERP)"])
    }
    assert.strictEqual((await ask("ERP", "/approvals/books", { ...approve, decision: "rejected" })).status, 409)
    await until("its run is told to who listens", () => (heard.includes('"outcome":"done"') ? true : undefined))
    assert.strictEqual((await there.calls()).length, 6)
    listening.abort()
    await hearing
    assert.strictEqual((await ask("ERP", "/connections/books/sync", {})).status, 202)
    assert.strictEqual((await ask("ERP", "/attention/99/resolve", { note: "seen" })).status, 404)
    assert.deepStrictEqual(await daemon.stop(), [0, null])
  })
})
