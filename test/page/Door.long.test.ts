/**
 * The door of the page, and of everything else that the daemon answers: other sites cannot lock anybody out, nor speak in
 * a person's name; who signs out is out; and a name that is not the daemon's leads nowhere.
 */
import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Redacted } from "effect"
import { request } from "node:http"
import type { Client } from "../../core/Client.ts"
import { handle } from "../../cli/page/Page.ts"
import { Sessions } from "../../cli/page/Sessions.ts"
import type { Database } from "../../sync/state/Database.ts"
import { books, configuration, service, useCommand } from "../support/Cli.ts"
import { freePort, startDaemon } from "../support/Daemon.ts"

useCommand()

const PASSWORD = "correct horse battery"

interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | ReadonlyArray<string> | undefined>>
  readonly text: string
}

interface Ask {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly form?: Readonly<Record<string, string>>
}

/** A request with whatever headers, as no browser lets a page send it. */
const ask = (url: string, path: string, { form, headers = {}, method = "GET" }: Ask = {}): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url)
    const body = form === undefined ? "" : new URLSearchParams(form).toString()
    const type = form === undefined ? {} : { "content-type": "application/x-www-form-urlencoded" }
    const sent = request({ hostname, port, path, method, agent: false, headers: { ...type, ...headers } }, (answer) => {
      let text = ""
      answer.setEncoding("utf8").on("data", (more) => void (text += more))
      answer.on("end", () => resolve({ status: answer.statusCode!, headers: answer.headers, text }))
    })
    sent.on("error", reject)
    sent.end(body)
  })

const signIn = (url: string, password: string, headers: Readonly<Record<string, string>> = {}) =>
  ask(url, "/login", { method: "POST", headers, form: { password } })

const cookieOf = ({ headers }: Answer): string => String(headers["set-cookie"]).split(";")[0]!

/** All that a browser sends back. */
const cookiesOf = ({ headers }: Answer): string =>
  [headers["set-cookie"] ?? []]
    .flat()
    .map((one) => one.split(";")[0]!)
    .join("; ")

const formOf = ({ text }: Answer): string => /name="form" value="([^"]+)"/.exec(text)![1]!

const house = async (daemon: object = {}, port = 0) => {
  const there = await service()
  const here = books(there.url, {
    "daybook.config.json": JSON.stringify({
      ...configuration(there.url),
      daemon: { page: { password: { env: "PAGE_PASSWORD" } }, metrics: { token: { env: "METRICS" } }, ...daemon }
    })
  })
  const env = { PAGE_PASSWORD: PASSWORD, METRICS: "figures-token" }
  return { ...(await startDaemon(here.folder, { env, port })), doctor: () => here.run("doctor", "--json") }
}

describe("the page's door", { timeout: 60_000 }, () => {
  it("lets a person sign in while another site tries tokens and passwords in their browser", async () => {
    const { url } = await house()
    const elsewhere = { "sec-fetch-site": "cross-site", origin: "https://evil.example" }
    for (let n = 0; n < 15; n++) {
      await ask(url, `/login?token=guess${n}`, { headers: elsewhere })
      // A browser that does not say where a request comes from.
      await ask(url, `/login?token=guess${n}`)
      assert.strictEqual((await signIn(url, "guess", elsewhere)).status, 403)
    }
    const entered = await signIn(url, PASSWORD)
    assert.strictEqual(entered.status, 303)
    assert.strictEqual((await ask(url, "/", { headers: { cookie: cookieOf(entered) } })).status, 200)
  })

  it("delays only those who send wrong passwords", async () => {
    const { url } = await house()
    const from = (address: string) => ({ "x-forwarded-for": `10.9.9.9, ${address}` })
    const known = cookiesOf(await signIn(url, PASSWORD, from("203.0.113.7")))
    for (let n = 0; n < 10; n++) assert.strictEqual((await signIn(url, "wrong", from("203.0.113.7"))).status, 403)
    // Later each time, but the right one counts.
    assert.strictEqual((await signIn(url, "wrong", from("203.0.113.7"))).status, 429)
    assert.strictEqual((await signIn(url, PASSWORD, from("203.0.113.7"))).status, 303)
    const many = await Promise.all(Array.from({ length: 18 }, () => signIn(url, "wrong", from("203.0.113.7"))))
    assert.strictEqual(many.filter(({ status }) => status === 403).length, 10)
    // After that none is looked at, except of a browser that signed in before.
    assert.strictEqual((await signIn(url, PASSWORD, from("203.0.113.7"))).status, 429)
    assert.strictEqual((await signIn(url, PASSWORD, { ...from("203.0.113.7"), cookie: known })).status, 303)
    assert.strictEqual(
      (await signIn(url, PASSWORD, { ...from("203.0.113.7"), cookie: known.replace(/known=\w/, "known=x") })).status,
      429
    )
    assert.strictEqual((await signIn(url, PASSWORD, from("203.0.113.8"))).status, 303)
    assert.strictEqual((await signIn(url, PASSWORD)).status, 303)
  })

  it("counts an IPv6 network as one sender, in every notation", async () => {
    const { url } = await house()
    const from = (address: string) => ({ "x-forwarded-for": address })
    for (const address of [
      "2001:db8::1",
      "2001:db8::ffff:2",
      "2001:db8:0:0::3",
      "2001:0DB8::0:4",
      "[2001:db8::5.6.7.8]:40000"
    ])
      for (let n = 0; n < 2; n++) assert.strictEqual((await signIn(url, "wrong", from(address))).status, 403, address)
    assert.strictEqual((await signIn(url, "wrong", from("2001:db8:0:0:1:2:3:4"))).status, 429)
    assert.strictEqual((await signIn(url, PASSWORD, from("2001:db8:0:1::1"))).status, 303)
    // An IPv4 address that is written as IPv6 is that address.
    for (let n = 0; n < 10; n++)
      await signIn(url, "wrong", from(n < 5 ? "::ffff:192.0.2.7" : `192.0.2.7:${40_000 + n}`))
    assert.strictEqual((await signIn(url, "wrong", from("192.0.2.7"))).status, 429)
    assert.strictEqual((await signIn(url, PASSWORD, from("::ffff:c000:208"))).status, 303)
  })

  it("is reached over TLS from then on, and only so does a browser send its cookies", async () => {
    const { url } = await house()
    const over = { "x-forwarded-for": "203.0.113.9", "x-forwarded-proto": "https" }
    const encrypted = await signIn(url, PASSWORD, over)
    const cookies = [encrypted.headers["set-cookie"] ?? []].flat()
    assert.lengthOf(cookies, 2)
    for (const one of cookies) assert.match(one, /; Secure/)
    assert.strictEqual(encrypted.headers["strict-transport-security"], "max-age=31536000")
    const page = await ask(url, "/", { headers: { ...over, cookie: cookiesOf(encrypted) } })
    const left = await ask(url, "/leave", {
      method: "POST",
      headers: { ...over, cookie: cookiesOf(encrypted) },
      form: { form: formOf(page) }
    })
    assert.match(String(left.headers["set-cookie"]), /; Secure/)
    const plain = await signIn(url, PASSWORD)
    assert.notMatch(String(plain.headers["set-cookie"]), /Secure/)
    assert.isUndefined(plain.headers["strict-transport-security"])
  })

  it("tells the operator when a proxy does not say for whom it forwards", async () => {
    const port = await freePort()
    const { doctor, text, url } = await house({ hosts: ["books.example.com"], listen: `127.0.0.1:${port}` }, port)
    assert.include((await doctor()).stdout, "the daemon knows who sends its requests")
    await ask(url, "/login", { headers: { host: "books.example.com", "x-forwarded-for": "203.0.113.9" } })
    assert.include((await doctor()).stdout, "the daemon knows who sends its requests")
    await ask(url, "/login", { headers: { host: "books.example.com" } })
    const said = (await doctor()).stdout
    assert.include(said, "let it set X-Forwarded-For")
    assert.include(text(), "the proxy 127.0.0.1 does not set X-Forwarded-For")
  })

  it("rejects a cookie after its owner signed out", async () => {
    const { url } = await house()
    const cookie = cookieOf(await signIn(url, PASSWORD))
    const other = cookieOf(await signIn(url, PASSWORD))
    const page = await ask(url, "/", { headers: { cookie } })
    const form = formOf(page)
    const left = await ask(url, "/leave", { method: "POST", headers: { cookie }, form: { form } })
    assert.strictEqual(left.status, 303)
    assert.strictEqual((await ask(url, "/", { headers: { cookie } })).status, 303)
    const again = await ask(url, "/plans/approve", { method: "POST", headers: { cookie }, form: { form } })
    assert.strictEqual(again.status, 403)
    assert.strictEqual((await ask(url, "/", { headers: { cookie: other } })).status, 200, "another session goes on")
  })
})

describe("a name that is not the daemon's", { timeout: 60_000 }, () => {
  const PATHS = ["/", "/login", "/style.css", "/attention", "/healthz", "/readyz", "/documents/a", "/nowhere"]

  it("is rejected, and metrics need their token", async () => {
    const { url } = await house()
    const { port } = new URL(url)
    const evil = { host: `evil.example:${port}` }
    for (const path of PATHS) {
      const { headers, status, text } = await ask(url, path, { headers: evil })
      assert.deepStrictEqual([status, headers["set-cookie"]], [421, undefined], path)
      assert.notInclude(text, "evil.example")
    }
    assert.strictEqual((await ask(url, "/metrics", { headers: evil })).status, 401)
    const token = { authorization: "Bearer figures-token" }
    assert.strictEqual((await ask(url, "/metrics", { headers: { ...evil, ...token } })).status, 200)
    for (const host of [
      `127.0.0.1:${port}`,
      `localhost:${port}`,
      "LOCALHOST",
      "[::1]",
      "daybook:4020",
      "a.localhost"
    ]) {
      assert.strictEqual((await ask(url, "/healthz", { headers: { host } })).status, 200, host)
      assert.strictEqual((await ask(url, "/metrics", { headers: { host } })).status, 200, host)
    }
  })

  it("may be written into the configuration", async () => {
    const { url } = await house({ hosts: ["daybook.example.com"] })
    assert.strictEqual((await ask(url, "/healthz", { headers: { host: "Daybook.Example.com:443" } })).status, 200)
    assert.strictEqual(
      (await ask(url, "/healthz", { headers: { host: "daybook.example.com.evil.example" } })).status,
      421
    )
  })

  it("that is malformed is answered with 400, and logged as no error", async () => {
    const { said, url } = await house()
    for (const host of [
      "a b",
      "[",
      "[::1",
      "a:b:c",
      "évil".normalize("NFD").replaceAll(/[^\x20-\x7e]/g, "<"),
      "user@host",
      "a/b",
      "x:99999",
      "x:99999999",
      "1.2.3.4.5.6:1:2"
    ])
      for (const path of ["/", "/healthz", "/metrics", "/login"])
        assert.strictEqual((await ask(url, path, { headers: { host } })).status, 400, `${host} ${path}`)
    assert.deepStrictEqual(
      said().filter(({ level }) => level === "ERROR"),
      []
    )
  })
})

describe("a token", () => {
  const answer = (
    sessions: Sessions,
    path: string,
    headers: Record<string, string> = {},
    form?: Record<string, string>
  ) =>
    Effect.runPromise(
      handle(
        sessions,
        Effect.succeed({
          connections: [],
          folder: ".",
          environment: {},
          file: "daybook.config.json",
          wake: () => Effect.void
        })
      )(
        new Request(`http://localhost${path}`, {
          headers,
          ...(form === undefined ? {} : { method: "POST", body: new URLSearchParams(form) })
        }),
        "127.0.0.1"
      ).pipe(Effect.provide(Context.empty() as Context.Context<Database | Client>))
    )

  it("that is right always lets in, however many wrong ones came before", async () => {
    const sessions = new Sessions(undefined)
    for (let n = 0; n < 50; n++) assert.strictEqual((await answer(sessions, `/login?token=guess${n}`)).status, 403)
    const entered = await answer(sessions, `/login?token=${sessions.token}`)
    assert.strictEqual(entered.status, 303)
    assert.include(entered.headers.get("set-cookie"), "SameSite=Strict")
  })

  it("that another site leads to is not used before the person says so on the page itself", async () => {
    const sessions = new Sessions(undefined)
    const shown = await answer(sessions, `/login?token=${sessions.token}`, { "sec-fetch-site": "cross-site" })
    assert.deepStrictEqual([shown.status, shown.headers.get("set-cookie")], [200, null])
    assert.include(await shown.text(), '<form class="row" method="post" action="/login">')
    const token = String(sessions.token)
    const forced = await answer(sessions, "/login", { "sec-fetch-site": "cross-site" }, { token })
    assert.strictEqual(forced.status, 403)
    const entered = await answer(sessions, "/login", { "sec-fetch-site": "same-origin" }, { token })
    assert.strictEqual(entered.status, 303)
  })

  it("says nothing where there is a password", async () => {
    const sessions = new Sessions(Redacted.make(PASSWORD))
    assert.strictEqual((await answer(sessions, "/login?token=")).status, 200)
    assert.isUndefined(sessions.token)
  })
})
