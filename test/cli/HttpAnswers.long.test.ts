/**
 * Every answer of a running daemon, as its OpenAPI document describes it; and cover and collections over HTTP: an offer is
 * bought as it was shown, files are taken by their content, both declarations are made by a named person, each once.
 */
import { assert, describe, it } from "@effect/vitest"
import { useCommand } from "../support/Cli.ts"
import { type CoverDesk, ENV, lateDesk, PDF } from "../support/CoverDesk.ts"
import { startDaemon, until } from "../support/Daemon.ts"
import { checked, type Checked, type Json } from "../support/OpenApiAnswers.ts"

useCommand()

const TOKENS = { READER: "reader-0123456789abcdef", ERP: "erp-0123456789abcdef" }

/** The daemon over books of which INV-1 is insured and late, and INV-2 has an offer that a person is asked about. */
const house = async () => {
  const token = (name: keyof typeof TOKENS, ...scopes: ReadonlyArray<string>) => ({
    name,
    token: { env: name },
    scopes
  })
  const desk = await lateDesk({
    daemon: {
      api: { tokens: [token("READER", "read"), token("ERP", "read", "plan", "approve", "connect")] }
    },
    connection: { every: "1 hour" }
  })
  const running = await startDaemon(desk.folder, { env: { ...ENV, ...TOKENS } })
  await running.says(({ connection, outcome }) => connection === "books" && outcome !== undefined)
  return { desk, running, http: await checked(running.url) }
}

const rows = (answer: Json, name: string) => answer[name] as ReadonlyArray<Json>

const sent = async ({ service }: CoverDesk, path: RegExp): Promise<number> =>
  (await service.calls()).filter((one) => path.test(one.path)).length

/** Asks for everything that changes nothing. */
const readsAll = async ({ ask }: Checked) => {
  const token = TOKENS.ERP
  for (const route of [
    "GET /status",
    "GET /statement",
    "GET /statement?connection=books",
    "GET /attention",
    "GET /approvals",
    "GET /alerts",
    "GET /documents",
    "GET /documents?only=open&limit=1",
    "GET /explain?document=INV-1",
    "GET /explain?document=INV-2",
    "GET /quarantine",
    "GET /customers?sort=name&limit=2",
    "GET /debtors",
    "GET /payouts",
    "GET /close?month=2026-03",
    "GET /matches",
    "GET /cover",
    "GET /cover/offers?standing=asks",
    "GET /cover/exposure?limit=1",
    "GET /cover/limits",
    "GET /cover/deadlines",
    "GET /cover/invoices?state=declined",
    "GET /collections",
    "GET /collections/INV-1",
    "GET /collections/books%2Finvoice%2FINV-1",
    "GET /plan",
    "GET /connections/books/check",
    "GET /connections/books/preview?show=2",
    "GET /export.xlsx",
    "GET /export/summary.csv",
    "GET /export/invoices.csv?connection=books",
    "GET /views.sqlite",
    "GET /backup",
    "GET /connect-links"
  ])
    assert.strictEqual((await ask(route, { token })).status, 200, route)
  const { answer } = await ask("GET /customers", { token })
  const customer = rows(answer, "customers").find(({ currency }) => currency === "GBP")?.["id"]
  assert.strictEqual((await ask(`GET /customers/${customer}/account.xlsx`, { token })).text.slice(0, 2), "PK")
  const pdf = await ask(`GET /customers/${customer}/statement.pdf?currency=GBP`, { token })
  assert.strictEqual(pdf.text.slice(0, 5), "%PDF-")
  for (const [route, status] of [
    ["GET /explain?document=nothing", 404],
    ["GET /cover/offers?connection=elsewhere", 404],
    ["GET /collections/INV-3", 404],
    ["GET /export/nothing.csv", 404],
    ["GET /customers/999/statement.pdf?currency=GBP", 404],
    ["GET /cover/offers?limit=0", 422],
    ["GET /connections/elsewhere/check", 404]
  ] as const)
    assert.strictEqual((await ask(route, { token })).status, status, route)
}

/** Walks a list page by page. */
const walked = async ({ ask }: Checked, path: string, name: string, keyOf: (row: Json) => unknown) => {
  const seen: Array<unknown> = []
  for (let after = ""; ; ) {
    const { answer } = await ask(`GET ${path}?limit=1&after=${encodeURIComponent(after)}`, { token: TOKENS.READER })
    seen.push(...rows(answer, name).map(keyOf))
    if (answer["next"] === undefined) return seen
    after = String(answer["next"])
  }
}

describe("the HTTP interface over cover", { timeout: 300_000 }, () => {
  it("answers as its document says, and buys, declares and stores only what a named person was shown", async () => {
    const { desk, http, running } = await house()
    const { ask, asked } = http
    await readsAll(http)
    assert.deepStrictEqual(
      await walked(http, "/cover/invoices", "invoices", ({ subject }) => subject),
      ["INV-1", "INV-2", "INV-4"].map((id) => `books/invoice/${id}`)
    )

    const token = TOKENS.ERP
    const { answer: offered } = await ask("GET /cover/offers", { token: TOKENS.READER })
    const [offer] = rows(offered, "offers")
    assert.deepInclude(offer, { number: "INV-2", standing: "asks" })
    // II 4: who would be insured is shown with it.
    assert.deepInclude(offer?.["company"], { name: "Brightwater Foods Ltd" })
    const buy = { decision: "buy", digest: offer?.["digest"], by: "Ada Reed" }
    const route = "POST /cover/offers/INV-2"
    const forbidden = await ask(route, { token: TOKENS.READER, body: buy })
    assert.deepStrictEqual([forbidden.status, /scope "approve"/.test(String(forbidden.answer["message"]))], [403, true])
    for (const [body, status] of [
      [{ ...buy, by: " " }, 422],
      [{ decision: "buy", digest: buy.digest }, 422],
      [{ ...buy, digest: "another" }, 409],
      [{ decision: "buy", by: "Ada Reed" }, 409]
    ] as const)
      assert.strictEqual((await ask(route, { token, body })).status, status, JSON.stringify(body))
    const bought = await ask(route, { token, body: buy, once: "buy-2" })
    assert.deepInclude(bought.answer, { document: "books/invoice/INV-2", by: "Ada Reed (ERP)" })
    await until("bought", async () => (await sent(desk, /^\/v1\/policies$/)) === 2 || undefined)
    const again = await ask(route, { token, body: buy, once: "buy-2" })
    assert.deepStrictEqual([again.status, again.answer], [200, bought.answer])
    assert.strictEqual(again.headers.get("idempotent-replayed"), "true")
    assert.strictEqual((await ask(route, { token, body: { ...buy, by: "Bo" }, once: "buy-2" })).status, 422)
    assert.strictEqual((await ask(route, { token, body: buy })).status, 409)
    assert.include((await ask("GET /explain?document=INV-2", { token })).text, "Ada Reed (ERP)")

    const files = "POST /collections/INV-1/documents"
    const put = (query: string, bytes: Uint8Array<ArrayBuffer>, who = token) =>
      ask(`${files}?${query}`, { token: who, bytes })
    const pdf = Buffer.from(PDF) as Uint8Array<ArrayBuffer>
    const proof = "name=delivery.pdf&type=proof_delivery&by=Ada"
    assert.strictEqual((await put(proof, pdf, TOKENS.READER)).status, 403)
    assert.strictEqual((await put("name=delivery.pdf&type=proof_delivery", pdf)).status, 422)
    assert.match((await put(proof, Buffer.from("MZ, a program") as Uint8Array<ArrayBuffer>)).text, /PDF, PNG or JPEG/)
    assert.strictEqual((await put(proof.replace("proof_delivery", "passport"), pdf)).status, 409)
    const large = await fetch(`${running.url}/api/v1/collections/INV-1/documents?${proof}`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/octet-stream" },
      body: new Uint8Array(9 * 1024 * 1024)
    })
    assert.deepStrictEqual([large.status, /at most 8 MB/.test(await large.text())], [413, true])
    const { answer: added } = await put(proof, pdf)
    assert.deepInclude(
      rows(added, "documents").find(({ slot }) => slot === "person:delivery.pdf"),
      { mime: "application/pdf", origin: "Ada (ERP)" }
    )
    const removed = await ask(`${files}/remove`, { token, body: { name: "delivery.pdf", by: "Pat" } })
    assert.notInclude(removed.text, "delivery.pdf")
    assert.strictEqual((await ask(`${files}/remove`, { token, body: { name: "delivery.pdf", by: "Pat" } })).status, 409)
    assert.strictEqual((await ask("POST /collections/INV-1/prepare", { token })).status, 200)

    const { answer: shown, text } = await ask("GET /collections/INV-1", { token: TOKENS.READER })
    assert.notInclude(text, ENV.BANK_NUMBER)
    assert.deepStrictEqual(shown["lacking"], [])
    // Everything that the digest is of is shown.
    assert.deepInclude(shown, { gross: "1000.00", net: "1000.00", received: "0.00", credited: "0.00", others: [] })
    const declared = {
      by: "Ada Reed",
      digest: shown["digest"],
      disputed: false,
      confirm_correct: true,
      collections_terms_acceptance: true
    }
    const confirm = "POST /collections/INV-1/confirm"
    for (const [body, status] of [
      [{ ...declared, confirm_correct: false }, 422],
      [{ ...declared, collections_terms_acceptance: undefined }, 422],
      [{ ...declared, by: "" }, 422],
      [{ ...declared, by: "\u200b" }, 422],
      [{ ...declared, disputed: true }, 409],
      [{ ...declared, digest: "another" }, 409]
    ] as const)
      assert.strictEqual((await ask(confirm, { token, body })).status, status, JSON.stringify(body))
    assert.strictEqual((await ask(confirm, { token: TOKENS.READER, body: declared })).status, 403)
    assert.strictEqual(await sent(desk, /\/send$/), 0)
    const confirmed = await ask(confirm, { token, body: declared })
    assert.deepInclude(confirmed.answer["word"] as Json, { who: "Ada Reed (ERP)", isVoid: false })
    await until("handed over", async () => (await sent(desk, /\/send$/)) === 1 || undefined)
    assert.strictEqual((await ask("POST /collections/INV-1/withdraw", { token, body: { by: "Ada" } })).status, 409)

    for (const [route, body] of [
      ["POST /connections/books/pull", undefined],
      ["POST /reconcile", { from: "2020-01-01" }],
      ["POST /reconcile/independent", {}],
      ["POST /reconcile/fix", { connections: ["books"] }],
      ["POST /connections/books/accept", undefined],
      ["POST /connections/books/sync", undefined],
      ["POST /alerts/retry", {}]
    ] as const) {
      const { status, text } = await ask(route, { token, ...(body === undefined ? {} : { body }) })
      assert.include([200, 201, 202], status, `${route}: ${text}`)
    }
    assert.strictEqual(await sent(desk, /\/send$/), 1)
    assert.strictEqual(await sent(desk, /^\/v1\/policies$/), 2)
    assert.isAbove(asked.size, 40)
    assert.include([0, 3], (await running.stop())[0])
  })
})
