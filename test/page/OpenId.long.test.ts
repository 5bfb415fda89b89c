/**
 * People who sign in at an OpenID Connect provider: a real one, which is made to lie. Who they are stands in what they decide; what
 * does not hold lets nobody in; signing out there ends every session here.
 */
import { assert, describe, it } from "@effect/vitest"
import Sqlite from "better-sqlite3"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { readFileSync, writeFileSync } from "node:fs"
import { atEnd } from "../support/AtEnd.ts"
import { closeAll, MISSING, open, place } from "../support/Browser.ts"
import { run, useCommand } from "../support/Cli.ts"
import { freePort } from "../support/Daemon.ts"
import { openIdBrowser as browser, openIdHouse as house } from "../support/OpenIdHouse.ts"
import { CLIENT } from "../support/OpenIdProvider.ts"
import { signInAs } from "../support/People.ts"

useCommand()

const rows = (file: string, sql: string): ReadonlyArray<Record<string, unknown>> => {
  const db = new Sqlite(file, { readonly: true })
  const found = db.prepare(sql).all() as ReadonlyArray<Record<string, unknown>>
  db.close()
  return found
}

const formOf = (text: string): string => /name="form" value="([^"]+)"/.exec(text)?.[1] ?? ""
const isSignedIn = async ({ ask }: ReturnType<typeof browser>, url: string) =>
  (await ask(`${url}/people`)).at === `${url}/people`

describe("people who sign in at a provider", { timeout: 180_000 }, () => {
  it("are who the provider says, in what they decide and in the log of sign-ins, with the roles of their account", async () => {
    const { begin, here, provider, url } = await house()
    const running = await begin()
    await running.says(({ connection, outcome }) => connection === "books" && outcome !== undefined)
    const ada = browser()
    const shown = await ada.signIn(url, "4711")
    assert.strictEqual(shown.at, `${url}/people`)
    assert.include(shown.text, "You are signed in as Ada L.")
    const file = here.path("daybook.db")
    const { digest } = rows(file, "SELECT digest FROM approval")[0]!
    const form = formOf(shown.text)
    await ada.ask(`${url}/plans/approve`, { form, connection: "books", digest: String(digest), name: "Somebody Else" })
    assert.deepStrictEqual(
      rows(file, "SELECT name, subject, issuer, how, digest FROM decision WHERE deed = 'POST /plans/approve'"),
      [{ name: "Ada L.", subject: "4711", issuer: provider.issuer, how: "openid connect", digest }]
    )
    assert.deepStrictEqual(rows(file, "SELECT subject, issuer, how, outcome FROM sign_in"), [
      { subject: "4711", issuer: provider.issuer, how: "openid connect", outcome: "signed in" }
    ])
    // The same person, whichever way they sign in.
    const typed = await signInAs(url, "ada")
    await typed.post("/plans/reject", { connection: "books", digest: String(digest) })
    assert.deepStrictEqual(rows(file, "SELECT DISTINCT subject, issuer FROM decision"), [
      { subject: "4711", issuer: provider.issuer }
    ])
    // Whoever is taken out of the file is out.
    writeFileSync(here.path("daybook.persons.json"), '{ "persons": [] }')
    assert.isFalse(await isSignedIn(ada, url))
    await running.stop()
  })

  it("have what the first of their groups allows; who has none is refused with who they are", async () => {
    const { begin, here, url } = await house()
    const running = await begin()
    const { text } = await browser().signIn(url, "4712")
    assert.include(text, "You are signed in as Bo Diddley.")
    assert.include(text, "approve and reject plans")
    const mallory = browser()
    const refused = await mallory.signIn(url, "4713")
    assert.strictEqual(refused.status, 403)
    assert.include(refused.text, "nobody gave you access here. Ask an administrator for it, and tell them this: 4713")
    assert.notInclude(refused.text, "<b>M.")
    assert.isFalse(await isSignedIn(mallory, url))
    assert.deepStrictEqual(rows(here.path("daybook.db"), "SELECT subject, outcome FROM sign_in ORDER BY id"), [
      { subject: "4712", outcome: "signed in" },
      { subject: "4713", outcome: "refused" }
    ])
    await running.stop()
  })

  it("are let in by nothing that does not hold: replayed, begun elsewhere, forged, expired, for somebody else", async () => {
    const { begin, provider, url } = await house()
    const running = await begin()
    const ada = browser()
    await ada.signIn(url, "4711")
    const returned = ada.visited.find((one) => one.includes("/login/return"))!
    assert.match(returned, /[?&]code=/)
    // Again, in this browser and in another, also with a cookie of its own.
    assert.strictEqual((await ada.ask(returned)).status, 403)
    const other = browser()
    assert.strictEqual((await other.ask(returned)).status, 403)
    await other.ask(`${url}/login/openid`)
    assert.strictEqual((await other.ask(returned)).status, 403)
    assert.isFalse(await isSignedIn(other, url))
    const now = Math.floor(Date.now() / 1000)
    const lies = {
      audience: { claims: (one: object) => ({ ...one, aud: "another program" }) },
      issuer: { claims: (one: object) => ({ ...one, iss: "https://login.example.com" }) },
      expired: { claims: (one: object) => ({ ...one, exp: now - 120, iat: now - 240 }) },
      nonce: { claims: (one: object) => ({ ...one, nonce: "of another sign-in" }) },
      "no nonce": { claims: ({ nonce: _, ...one }: { nonce?: unknown }) => one },
      // Another's token, which the user's own access does not belong to.
      subject: { claims: (one: object) => ({ ...one, sub: "4712" }) },
      forged: { forged: true }
    }
    for (const [what, lie] of Object.entries(lies)) {
      Object.assign(provider.lies, { claims: undefined, forged: undefined }, lie)
      const one = browser()
      const answer = await one.signIn(url, "4711")
      assert.strictEqual(answer.status, 403, what)
      assert.include(answer.text, `The answer of ${provider.issuer} was not accepted.`, what)
      assert.isFalse(await isSignedIn(one, url), what)
    }
    Object.assign(provider.lies, { claims: undefined, forged: undefined })
    // New keys of the provider need nothing.
    provider.rotate()
    const after = browser()
    assert.include((await after.signIn(url, "4711")).text, "You are signed in as Ada L.")
    assert.notInclude(running.text(), CLIENT.secret)
    await running.stop()
  })

  it("are sent back to the page only, whatever the request names", async () => {
    const { begin, provider, url } = await house()
    const running = await begin()
    for (const to of ["https://evil.example/", "//evil.example/", "/\\evil.example"])
      assert.strictEqual((await browser().signIn(url, "4711", to)).at, `${url}/`, to)
    const answer = await fetch(`${url}/login/openid?redirect_uri=https://evil.example/`, {
      redirect: "manual",
      headers: { "x-forwarded-host": "evil.example" }
    })
    const address = new URL(answer.headers.get("location")!)
    assert.strictEqual(address.origin, provider.issuer)
    assert.deepInclude(Object.fromEntries(address.searchParams), {
      redirect_uri: `${url}/login/return`,
      response_type: "code",
      code_challenge_method: "S256",
      scope: "openid profile email groups"
    })
    for (const given of ["state", "nonce", "code_challenge"])
      assert.match(address.searchParams.get(given)!, /^[\w-]{43}$/, given)
    const cookie = answer.headers.getSetCookie().join()
    assert.match(cookie, /^daybook-openid=v1(?:\.[\w-]+){3};.*HttpOnly/i)
    assert.notInclude(cookie, address.searchParams.get("state")!)
    await running.stop()
  })

  it("are out everywhere when the provider signs them out, and only then", async () => {
    const { begin, provider, url } = await house()
    const running = await begin()
    const [first, second, bo] = [browser(), browser(), browser()]
    await first.signIn(url, "4711")
    await second.signIn(url, "4711")
    await bo.signIn(url, "4712")
    const now = Math.floor(Date.now() / 1000)
    const good = {
      iss: provider.issuer,
      aud: CLIENT.id,
      sub: "4711",
      iat: now,
      exp: now + 120,
      jti: "1",
      events: { "http://schemas.openid.net/event/backchannel-logout": {} }
    }
    const tell = async (token: string) =>
      (await fetch(`${url}/login/ended`, { method: "POST", body: new URLSearchParams({ logout_token: token }) })).status
    const { jti: _, ...once } = good
    for (const [what, claims] of Object.entries({
      "another's audience": { ...good, aud: "another program" },
      "another issuer": { ...good, iss: "https://login.example.com" },
      expired: { ...good, exp: now - 120 },
      "of who signs in": { ...good, nonce: "of a sign-in" },
      "another event": { ...good, events: {} },
      "without a number": once
    }))
      assert.strictEqual(await tell(provider.token(claims)), 403, what)
    assert.strictEqual(await tell(`${provider.token(good).split(".").slice(0, 2).join(".")}.AAAA`), 403)
    // Nobody's: nothing is asked of the provider for it.
    assert.strictEqual(await tell("nonsense"), 200)
    // What was said before they signed in.
    assert.strictEqual(await tell(provider.token({ ...good, iat: now - 300 })), 200)
    assert.deepStrictEqual(await Promise.all([first, second, bo].map((one) => isSignedIn(one, url))), [
      true,
      true,
      true
    ])
    assert.strictEqual(await tell(provider.token(good)), 200)
    assert.deepStrictEqual(await Promise.all([first, second, bo].map((one) => isSignedIn(one, url))), [
      false,
      false,
      true
    ])
    await running.stop()
  })

  it("go nowhere while the provider is inside this network, does not answer, or answers too much", async () => {
    let asked = 0
    const flood = createServer((_, response) => {
      asked++
      response.writeHead(200, { "content-type": "application/json" })
      const more = () => void (response.destroyed || response.write(" ".repeat(65_536), more))
      more()
    })
    await new Promise<void>((resolve) => void flood.listen(0, "127.0.0.1", resolve))
    atEnd(() => flood.closeAllConnections())
    const issuer = `http://127.0.0.1:${(flood.address() as AddressInfo).port}`
    const nobody = `http://127.0.0.1:${await freePort()}`
    for (const [what, given, count] of [
      ["inside", { issuer, daemon: { private_addresses: false } }, 0],
      ["silent", { issuer: nobody }, 0],
      ["flood", { issuer }, 1]
    ] as const) {
      asked = 0
      const { begin, url } = await house(given)
      const running = await begin()
      const answer = await fetch(`${url}/login/openid`)
      assert.strictEqual(answer.status, 403, what)
      assert.include(await answer.text(), "could not be asked who you are. Try again in a minute.", what)
      assert.strictEqual(asked, count, what)
      await running.stop()
    }
  })

  it("are told by doctor what is wrong with the provider, and given an account by its subject", async () => {
    const { env, here, provider, url } = await house()
    const check = async (env: Readonly<Record<string, string>>) => {
      const { stdout } = await run(here.folder, ["doctor", "--json"], { env })
      const lines = stdout
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line) as Record<string, unknown>)
      return lines.find(({ name }) => name === "sign-in")
    }
    const good = `${provider.issuer} answers; register ${url}/login/return there as redirect URI`
    assert.deepInclude(await check(env), { ok: true, says: good })
    assert.match(
      String((await check({}))?.["says"]),
      /client_secret: the environment variable OPENID_SECRET is not set/
    )
    const written = readFileSync(here.path("daybook.config.json"), "utf8")
    const change = (from: string, to: string) =>
      writeFileSync(here.path("daybook.config.json"), written.replace(from, to))
    change(`"issuer":"${provider.issuer}"`, `"issuer":"http://localhost:${await freePort()}"`)
    assert.match(String((await check(env))?.["says"]), /openid_connect: .* cannot be used: nothing answers there/)
    change(`"url":"${url}"`, '"url":"https://daybook.example.com"')
    assert.match(
      String((await check(env))?.["says"]),
      /requests for daybook.example.com are refused until it is in daemon.hosts/
    )
    change(`"issuer":"${provider.issuer}"`, '"issuer":"http://login.example.com"')
    assert.match(
      (await run(here.folder, ["doctor"], { env })).stdout,
      /openid_connect.issuer: .* in the clear; use https/
    )
    const add = ["persons", "add", "bo", "--role", "reader", "--issuer", provider.issuer, "--subject"]
    change("", "")
    assert.strictEqual((await run(here.folder, [...add, "4712"])).status, 0)
    assert.deepInclude(JSON.parse(readFileSync(here.path("daybook.persons.json"), "utf8")).persons[1], {
      name: "bo",
      openid_connect: { issuer: provider.issuer, subject: "4712" }
    })
    const twice = await run(here.folder, ["persons", "add", "eve", "--role", "reader", ...add.slice(5), "4711"])
    assert.include(twice.stderr, "somebody else in it as well, by issuer and subject")
  })

  it("work in a browser, to another site and back", async ({ skip }) => {
    if (place === undefined) skip(MISSING)
    atEnd(closeAll)
    const { begin, provider, url } = await house()
    const running = await begin()
    const page = await open({ javaScriptEnabled: true })
    await page.goto(`${url}/plans`)
    await page.getByRole("link", { name: "Sign in at localhost" }).click()
    await page.locator("[name=login]").fill("4711")
    await page.locator("[name=password]").fill("any")
    await page.locator("button[type=submit]").click()
    await page.locator("button[type=submit]").click()
    await page.waitForURL(`${url}/plans`)
    assert.strictEqual(await page.locator("h1").textContent(), "Approvals")
    await page.getByRole("button", { name: "Sign out" }).click()
    await page.waitForURL(`${provider.issuer}/**`)
    await page.locator("button[value=yes]").click()
    await page.waitForURL(`${url}/login**`)
    await page.goto(`${url}/plans`)
    assert.strictEqual(await page.locator("h1").textContent(), "Sign in")
    // The provider forgot them, too.
    await page.getByRole("link", { name: "Sign in at localhost" }).click()
    await page.locator("[name=login]").waitFor()
    await running.stop()
  })
})
