/**
 * A choice that takes an invoice from the payment that had paid it: each way to make it shows first what would follow, saves nothing,
 * and makes it once it is made again by somebody who has seen that.
 */
import { assert, describe, it } from "@effect/vitest"
import { type Config, Daybook } from "../../sync/library/Daybook.ts"
import { books, configuration, failed, KEY, ofType, service, useCommand } from "../support/Cli.ts"
import { startDaemon } from "../support/Daemon.ts"
import { BANK, PASSWORD } from "../support/PageHouse.ts"

useCommand()

const TOKEN = "token-0123456789abcdef"

/** The first payment has paid INV-2; of the second, nobody knows what it is for. */
const desk = async () => {
  const { url } = await service()
  const { connections, service: there } = configuration(url)
  const { payments: _, ...source } = connections[0]!.source
  const config = {
    service: there,
    daemon: {
      page: { password: { env: "PAGE_PASSWORD" } },
      api: { tokens: [{ name: "desk", token: { env: "API_TOKEN" }, scopes: ["read", "approve"] }] }
    },
    connections: [{ ...connections[0], source, every: "1 hour" }, BANK]
  }
  const here = books(url, {
    "daybook.config.json": JSON.stringify(config),
    "bank.csv": "No,Day,Amount,From\n2,2026-03-21,300.60,BRIGHTWATER FOODS LTD\n3,2026-03-22,300.60,Somebody Else\n"
  })
  const env = { PAGE_PASSWORD: PASSWORD, API_TOKEN: TOKEN }
  const run = (...args: ReadonlyArray<string>) => here.runWith({ env }, ...args)
  await run("pull")
  const [open] = ofType(await run("attention", "--json"), "attention")
  return { config, env, here, id: Number(open!["id"]), run }
}

const ASKS = "books/invoice/INV-2 asks for 300.60 GBP, and 300.60 GBP was received for it"
const TAKEN =
  "it is taken from bank/payment/2, 300.60 GBP of 2026-03-21 from BRIGHTWATER FOODS LTD, which then needs an invoice of its own"

describe.concurrent("a choice that takes an invoice from another payment", { timeout: 120_000 }, () => {
  it("is shown first by the command", async () => {
    const { id, run } = await desk()
    const choose = (...more: ReadonlyArray<string>) =>
      run("attention", "resolve", String(id), "--invoice", "INV-2", ...more)
    const why = failed(await choose(), 4)
    assert.include(why, `${ASKS}; ${TAKEN}. Nothing was saved; if it is right, run again with --yes`)
    assert.include(failed(await choose(), 4), TAKEN)
    assert.match((await choose("--yes")).stdout, /300\.60 GBP for books\/invoice\/INV-2\. Saved/)
  })

  it("is shown first by the library", async () => {
    const { config, env, here, id } = await desk()
    const options = { folder: here.folder, state: here.path("daybook.db"), environment: { SERVICE_KEY: KEY, ...env } }
    const daybook = await Daybook.open(config as unknown as Config, options)
    try {
      for (const _ of [1, 2]) {
        const refused: unknown = await daybook.assign(id, ["INV-2"]).catch((cause: unknown) => cause)
        assert.instanceOf(refused, Error)
        assert.include(String(refused), `${ASKS}; ${TAKEN}. Nothing was saved; if it is right, say so with sure: true`)
      }
      assert.deepStrictEqual(await daybook.choices(), [])
      assert.deepInclude((await daybook.assign(id, ["INV-2"], true))[0], { invoice: "books/invoice/INV-2" })
    } finally {
      await daybook.close()
    }
  })

  it("is shown first by the HTTP interface, and by the page", async () => {
    const { env, here, id } = await desk()
    const running = await startDaemon(here.folder, { env })
    const assign = async (body: object) => {
      const answer = await fetch(`${running.url}/api/v1/attention/${id}/assign`, {
        method: "POST",
        headers: { authorization: `Bearer ${TOKEN}`, "content-type": "application/json" },
        body: JSON.stringify({ invoices: ["INV-2"], ...body })
      })
      return { status: answer.status, text: await answer.text() }
    }
    const refused = await assign({})
    assert.strictEqual(refused.status, 409, refused.text)
    // What was sent meanwhile stays.
    const stays = "it stays paid by bank/payment/2, 300.60 GBP of 2026-03-21 from BRIGHTWATER FOODS LTD"
    assert.include(refused.text, `${ASKS}; ${stays}; 300.60 GBP more than it asks for would be received`)
    assert.include(refused.text, "Nothing was saved; if it is right, say so with sure: true")
    const body = new URLSearchParams({ password: PASSWORD })
    const signIn = await fetch(`${running.url}/login`, { method: "POST", redirect: "manual", body })
    const cookie = signIn.headers.get("set-cookie")!.split(";")[0]!
    const front = await (await fetch(`${running.url}/`, { headers: { cookie } })).text()
    const form = /name="form" value="([^"]+)"/.exec(front)![1]!
    const page = async (fields: Readonly<Record<string, string>>) => {
      const answer = await fetch(`${running.url}/attention/${id}/match`, {
        method: "POST",
        redirect: "manual",
        headers: { cookie },
        body: new URLSearchParams({ form, invoices: "INV-2", ...fields })
      })
      return { status: answer.status, text: await answer.text() }
    }
    const shown = await page({})
    assert.strictEqual(shown.status, 422, shown.text)
    assert.include(shown.text, stays)
    assert.include(shown.text, "It is for these all the same")
    const done = await assign({ sure: true })
    assert.strictEqual(done.status, 200, done.text)
    assert.include(done.text, "books/invoice/INV-2")
  })
})
