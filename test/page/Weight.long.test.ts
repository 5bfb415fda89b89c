/** A first page weighs at most 60 kB with everything that it brings: as a browser takes it, compressed. */
import { afterAll, assert, beforeEach, describe, it } from "@effect/vitest"
import { closeAll, MISSING, open, place } from "../support/Browser.ts"
import { useCommand } from "../support/Cli.ts"
import { BANK, enter, house } from "../support/PageHouse.ts"

useCommand()
afterAll(closeAll)

const MOST_BYTES = 60_000

describe("a first page", { timeout: 120_000 }, () => {
  beforeEach(({ skip }) => {
    if (place === undefined) skip(MISSING)
  })

  it.each(["/", "/attention", "/receivables", "/documents", "/customers", "/months"])(
    "of %s weighs at most 60 kB, with style, script and letters",
    async (room) => {
      const { url } = await house({}, [BANK])
      const { page, sizes } = await first(url)
      await page.goto(url + room, { waitUntil: "networkidle" })
      const all = await Promise.all(sizes)
      assert.isAtLeast(all.length, 4, "page, style, script and letters")
      const sum = all.reduce((a, b) => a + b, 0)
      console.log(`${room}: ${sum} bytes`)
      assert.isAtMost(sum, MOST_BYTES)
    }
  )
})

/** A browser that has nothing of the page yet, but is signed in. */
const first = async (url: string) => {
  const cookies = (await (await enter(await open(), url)).context().cookies()) as Array<never>
  const page = await open({ javaScriptEnabled: true })
  await page.context().addCookies(cookies)
  const sizes: Array<Promise<number>> = []
  page.on("requestfinished", (request) => {
    sizes.push(
      request.sizes().then(({ responseBodySize, responseHeadersSize }) => responseBodySize + responseHeadersSize)
    )
  })
  return { page, sizes }
}
