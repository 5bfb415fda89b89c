/**
 * Every room of the page, from its list of addresses, so that a new one is looked at as well: axe finds nothing in it, light and dark, on a
 * screen and on a phone, and it is no wider than the window.
 */
import { afterAll, assert, beforeEach, describe, it } from "@effect/vitest"
import { ADDRESSES } from "../../cli/page/Routes.ts"
import { findings, inEachLook } from "../support/Axe.ts"
import { closeAll, MISSING, open, place } from "../support/Browser.ts"
import { useCommand } from "../support/Cli.ts"
import { BANK, enter, house } from "../support/PageHouse.ts"

useCommand()
afterAll(closeAll)

const ROOMS = ADDRESSES.flatMap(([method, path]) => (method === "GET" && !path.includes(".") ? [path as string] : []))

/** The room of an address: one that is written out comes before one with a number or name in it. */
const roomOf = (address: string): string | undefined => {
  const path = address.split("?")[0]!
  return (
    ROOMS.find((one) => one === path) ??
    ROOMS.find((one) => new RegExp(`^${one.replace(":which", "[^/]+")}$`).test(path))
  )
}

/** Rooms to which no link leads in these books. */
const WITHOUT_LINK = ["/failed", "/payouts", "/changes", "/preview", "/search?q=Brightwater"]

/** Rooms that these books do not have, and the test that looks at them. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  "/plans/part": "Plans.long.test.ts",
  "/cover/:which": "Cover.long.test.ts",
  "/setup/:which": "Setup.long.test.ts",
  "/preview/:which": "Preview.long.test.ts"
}

const LINK = /href="(\/[^"#]*)/g

/** One address of each room, as links lead there. */
const crawled = async (url: string, cookie: string): Promise<ReadonlyMap<string, string>> => {
  const found = new Map<string, string>()
  const waiting = ["/", ...WITHOUT_LINK]
  for (let address = waiting.shift(); address !== undefined; address = waiting.shift()) {
    const room = roomOf(address)
    if (room === undefined || found.has(room)) continue
    const answer = await fetch(url + address, { headers: { cookie } })
    if (answer.headers.get("content-type")?.startsWith("text/html") !== true || answer.status !== 200) continue
    found.set(room, address)
    for (const [, link = ""] of (await answer.text()).matchAll(LINK)) waiting.push(link.replaceAll("&amp;", "&"))
  }
  return found
}

describe("every room", { timeout: 300_000 }, () => {
  beforeEach(({ skip }) => {
    if (place === undefined) skip(MISSING)
  })

  it("can be used by everybody, light and dark, on a screen and on a phone", async () => {
    const { url } = await house({}, [BANK])
    const page = await enter(await open({ javaScriptEnabled: true, bypassCSP: true }), url)
    const cookie = (await page.context().cookies()).map(({ name, value }) => `${name}=${value}`).join("; ")
    const rooms = await crawled(url, cookie)
    assert.deepStrictEqual(
      ROOMS.filter((one) => !rooms.has(one) && ELSEWHERE[one] === undefined),
      []
    )
    const found: Array<string> = []
    for (const address of [...rooms.values(), "/login"]) {
      await page.goto(url + address)
      await inEachLook(page, async (look, wide) => {
        for (const one of await findings(page)) found.push(`${address}, ${look}: ${one}`)
        const width = (await page.evaluate("document.documentElement.scrollWidth")) as number
        if (width > wide) found.push(`${address}, ${look}: ${width} wide`)
      })
    }
    assert.deepStrictEqual(found, [])
  })
})
