/** The pages of tenants of a database: people sign in at one worker, and each of them answers, whichever runs the tenant. */
import { assert, describe, it } from "@effect/vitest"
import { useCommand } from "../support/Cli.ts"
import { clusterTables } from "../support/ClusterTables.ts"
import { freePort } from "../support/Servers.ts"
import { ALL_TOKEN, asking, company, COUNT, PAGE_PASSWORD, PATIENT, until } from "../support/Workers.ts"

useCommand({ alone: true })
const url = clusterTables()
const ask = asking(url)

const SETTINGS = {
  daemon: {
    page: { password: { env: "PAGE_PASSWORD" } },
    api: { tokens: [{ name: "platform", token: { env: "ALL_TOKEN" }, scopes: ["read", "approve"] }] }
  }
}

/** A browser, whatever worker it asks. */
const browser = () => {
  let cookie = ""
  const ask = async (place: string, fields?: Record<string, string>) => {
    const answer = await fetch(place, {
      redirect: "manual",
      headers: { cookie, accept: "text/html", origin: new URL(place).origin },
      ...(fields === undefined ? {} : { method: "POST", body: new URLSearchParams(fields) })
    })
    const given = answer.headers.getSetCookie().map((one) => one.split(";")[0] ?? "")
    if (given.some((one) => one.startsWith("daybook="))) cookie = given.join("; ")
    return { status: answer.status, to: answer.headers.get("location"), text: await answer.text() }
  }
  /** A machine with much to do may need longer than it says. */
  const patiently = async (place: string, fields?: Record<string, string>) => {
    let answer = await ask(place, fields)
    for (let tries = 0; tries < 10 && answer.status === 503; tries++) answer = await ask(place, fields)
    return answer
  }
  return { ask: patiently, form: (page: string) => /name="form" value="([^"]+)"/.exec(page)?.[1] ?? "" }
}

describe("the pages of workers", () => {
  it("are the same at each worker: signed in once, read anywhere, decided anywhere", PATIENT, async () => {
    const { isDone, start, stop } = await company(url, ["pages1", "pages2"], SETTINGS)
    const places = await Promise.all([0, 1].map(async () => `127.0.0.1:${await freePort()}`))
    for (const place of places) await start(2, "--listen", place)
    const [one = "", other = ""] = places.map((place) => `http://${place}`)
    await until("both are sent", () => isDone(2 * COUNT))
    const [began, rested] = [browser(), browser()]
    const ready = (place: string) =>
      fetch(`${place}/readyz`).then(
        ({ ok }) => ok,
        () => false
      )
    await until("both listen", async () => (await ready(one)) && (await ready(other)))
    for (const place of ["/t/", "/t/pages1/documents", "/t/nobody/documents"])
      assert.strictEqual((await began.ask(one + place)).to, `/login?to=${encodeURIComponent(place)}`)
    const entered = await began.ask(`${one}/login`, { password: PAGE_PASSWORD, to: "/t/" })
    assert.strictEqual(entered.status, 303, entered.text)
    for (const place of [one, other]) {
      const list = await began.ask(`${place}/t/`)
      assert.include(list.text, 'href="/t/pages2/"')
      const documents = await began.ask(`${place}/t/pages1/documents`)
      assert.include(documents.text, "pages1-7")
      assert.notInclude(documents.text, "pages2-7")
      assert.strictEqual((await began.ask(`${place}/t/nobody/documents`)).status, 404)
    }
    const page = await began.ask(`${other}/t/pages1/connections`)
    const connection = /\/t\/pages1\/connections\/([^/]+)\/pause/.exec(page.text)?.[1] ?? ""
    const epochs = () => ask("SELECT epoch FROM daybook.tenant WHERE id = 'pages1'")
    const before = await epochs()
    // Reading takes it from nobody.
    await began.ask(`${one}/t/pages1/`)
    assert.deepStrictEqual(await epochs(), before)
    const pausing = `/t/pages1/connections/${connection}/pause`
    const wrong = await began.ask(other + pausing, { form: "another" })
    assert.strictEqual(wrong.status, 403, wrong.text)
    const paused = await began.ask(other + pausing, { form: began.form(page.text), name: "Ann" })
    assert.strictEqual(paused.status, 303, paused.text)
    for (const place of [one, other])
      assert.include((await began.ask(`${place}/t/pages1/connections`)).text, `/connections/${connection}/resume`)
    const asked = async (path: string, method = "GET") => {
      const answer = await fetch(`${other}/t/pages2/api/v1/${path}`, {
        method,
        headers: { authorization: `Bearer ${ALL_TOKEN}`, "idempotency-key": "once" }
      })
      return [answer.status, await answer.text()] as const
    }
    assert.include((await asked("status"))[1], '"connections"')
    const { 0: synced } = await asked(`connections/${connection}/sync`, "POST")
    assert.strictEqual(synced, 202)
    await ask('UPDATE daybook.tenant SET paused = \'{"by":"Ann","since":""}\' WHERE id = \'pages2\'')
    const resumed = await began.ask(`${one}/t/pages2/connections/${connection}/pause`, { form: began.form(page.text) })
    assert.strictEqual(resumed.status, 303, "also of a paused tenant")
    const alerts = await began.ask(`${one}/t/pages1/alerts`)
    const seen = /name="seen" value="([^"]+)"/.exec(alerts.text)?.[1] ?? ""
    const channel = {
      form: began.form(alerts.text),
      name: "Ann",
      seen,
      channel: "ops",
      kind: "email",
      host: "93.184.216.34",
      from: "daybook@acme.example",
      to: "accounts@acme.example"
    }
    const added = await began.ask(`${one}/t/pages1/alerts/channels`, channel)
    assert.strictEqual(added.status, 303, added.text)
    assert.include((await began.ask(`${other}/t/pages1/alerts`)).text, 'value="ops"')
    assert.strictEqual((await rested.ask(`${one}/t/pages1/`)).status, 303)
    await began.ask(`${one}/leave`, { form: began.form(page.text) })
    for (const place of [one, other]) assert.strictEqual((await began.ask(`${place}/t/pages1/`)).status, 303)
    for (const table of ["session", "inbox"]) {
      const rows = JSON.stringify(await ask(`SELECT * FROM daybook.${table}`))
      for (const secret of [PAGE_PASSWORD, ALL_TOKEN, "Ann"]) assert.notInclude(rows, secret)
    }
    assert.deepStrictEqual(await ask("SELECT 1 FROM daybook.inbox"), [])
    await stop()
  })
})
