/**
 * A link says whose account the books go to, on every page and beside what is agreed to; and one that was made for a person
 * is of no use to another, by the e-mail address that they type or by the platform's own proof.
 */
import { assert, beforeAll, describe, it } from "@effect/vitest"
import { addressFor } from "../../sync/connect/LinkPerson.ts"
import { MOST_TRIES } from "../../sync/connect/Links.ts"
import { ENVIRONMENT, platform, type Platform, TOKEN } from "./Desk.ts"

let one: Platform
beforeAll(async () => {
  one = await platform()
}, 60_000)

const textOf = (html: string): string => html.replace(/<[^>]+>/g, "").replace(/\s+/g, " ")

/** Presses "Start", with what is filled in and what the page holds already. */
const start = async (address: string, filled: Readonly<Record<string, string>> = {}) => {
  const page = await (await fetch(address)).text()
  const hidden = [...page.matchAll(/type="hidden" name="([a-z]+)" value="([^"]*)"/g)].map(([, name, value]) => [
    name!,
    value!
  ])
  const { origin, pathname } = new URL(address)
  const response = await fetch(`${origin}${pathname}/open`, {
    method: "POST",
    redirect: "manual",
    body: new URLSearchParams([...hidden, ...Object.entries(filled)])
  })
  const cookie = response.headers.get("set-cookie")?.split(";")[0] ?? ""
  return { status: response.status, text: textOf(await response.text()), cookie, isOpen: response.status === 303 }
}

const ACCOUNT = "the account of Tern & Sons at Acme Pay"

/** With the entity that it is written with. */
const says = (text: string): boolean => text.replaceAll("&amp;", "&").includes(ACCOUNT)

const made = (more: object = {}) =>
  one.link({ tenant: "tern", name: "Tern & Sons", connectors: ["./ledger"], ...more } as Parameters<
    Platform["link"]
  >[0])

describe("a link", { timeout: 120_000 }, () => {
  it("says for whom it is before it is opened, and before its person goes to the source", async () => {
    const address = await made()
    assert.isTrue(says(textOf(await (await fetch(address)).text())))
    const { cookie, isOpen } = await start(address)
    assert.isTrue(isOpen)
    const page = await (await fetch(`${new URL(address).origin}/connect`, { headers: { cookie } })).text()
    const [before] = page.split("Continue to Ledger")
    assert.match(textOf(before!), /Should your books at .* go to the account of Tern &(amp;)? Sons at Acme Pay\?/)
    const cancelled = await made({ connectors: ["files", "woocommerce"] })
    const session = await start(cancelled)
    const choice = await (
      await fetch(`${new URL(address).origin}/connect`, { headers: { cookie: session.cookie } })
    ).text()
    assert.isTrue(says(textOf(choice)), choice)
  })

  it("for an e-mail address is opened by who types it, however it is written, and closed after a few others", async () => {
    const address = await made({ email: "Ada.Reed@Example.com" })
    assert.include(await (await fetch(address)).text(), 'name="email"')
    assert.notInclude((await (await fetch(address)).text()).toLowerCase(), "ada.reed")
    for (const email of ["", "mallory@example.com", "ada.reed@example.co"]) {
      const { cookie, isOpen, text } = await start(address, { email })
      assert.isFalse(isOpen, email)
      assert.strictEqual(cookie, "")
      assert.include(text, "was made for another e-mail address")
    }
    assert.isTrue((await start(address, { email: " ada.reed@EXAMPLE.com " })).isOpen)
    const other = await made({ email: "ada@example.com" })
    for (let n = 1; n < MOST_TRIES; n++) await start(other, { email: `m${n}@example.com` })
    assert.include((await start(other, { email: "m@example.com" })).text, "too many other addresses")
    assert.isFalse((await start(other, { email: "ada@example.com" })).isOpen, "it is closed for everybody")
    assert.strictEqual((await one.ask({ tenant: "tern", email: "nobody" })).status, 422)
  })

  it("for a person of the platform is opened by whom the platform sends there, signed, and soon", async () => {
    const address = await made({ person: "user-17" })
    const now = Date.now()
    const other = await made({ person: "user-17" })
    const wrong = [
      address,
      addressFor(address, { person: "user-18", token: TOKEN, now }),
      addressFor(address, { person: "user-17", token: ENVIRONMENT.READER_TOKEN, now }),
      addressFor(address, { person: "user-17", token: "", now }),
      addressFor(address, { person: "user-17", token: TOKEN, now: now - 3_600_000 }),
      addressFor(address, { person: "user-17", token: TOKEN, now: now + 3_600_000 }),
      addressFor(address, { person: "user-18", token: TOKEN, now }).replace("user-18", "user-17"),
      `${address}${new URL(addressFor(other, { person: "user-17", token: TOKEN, now })).search}`
    ]
    for (const one of wrong) {
      const { isOpen, text } = await start(one)
      assert.isFalse(isOpen, one)
      assert.include(text, "Sign in at Acme Pay, and open it from there")
    }
    assert.isTrue((await start(addressFor(address, { person: "user-17", token: TOKEN, now }))).isOpen)
  })
})
