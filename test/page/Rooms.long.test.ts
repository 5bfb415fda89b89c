/**
 * Every room of the page, from its list of addresses, so that a new one is looked at as well: axe finds nothing in it, light and dark, on a
 * screen and on a phone, and it is no wider than the window.
 */
import { afterAll, assert, beforeEach, describe, it } from "@effect/vitest"
import { findings, inEachLook } from "../support/Axe.ts"
import { closeAll, MISSING, open, place } from "../support/Browser.ts"
import { useCommand } from "../support/Cli.ts"
import { BANK, enter, house } from "../support/PageHouse.ts"
import { crawled, ELSEWHERE, ROOMS } from "../support/PageRooms.ts"

useCommand()
afterAll(closeAll)

describe("every room", { timeout: 300_000 }, () => {
  beforeEach(({ skip }) => {
    if (place === undefined) skip(MISSING)
  })

  it("can be used by everybody, light and dark, on a screen and on a phone", async () => {
    const { url } = await house({}, [BANK])
    const page = await enter(await open({ javaScriptEnabled: true, bypassCSP: true }), url)
    const cookie = (await page.context().cookies()).map(({ name, value }) => `${name}=${value}`).join("; ")
    const rooms = await crawled(url, { cookie })
    assert.deepStrictEqual(
      ROOMS.filter((one) => !rooms.some(({ room }) => room === one) && ELSEWHERE[one] === undefined),
      []
    )
    const found: Array<string> = []
    for (const address of [...rooms.map((one) => one.address), "/login"]) {
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
