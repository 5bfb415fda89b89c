/** The page's rooms: its addresses, and those to which links lead in a house's books. */
import { ADDRESSES } from "../../cli/page/Routes.ts"

export const ROOMS = ADDRESSES.flatMap(([method, path]) =>
  method === "GET" && !path.includes(".") ? [path as string] : []
)

/** The room of an address: one that is written out comes before one with a number or name in it. */
const roomOf = (address: string): string | undefined => {
  const path = address.split("?")[0]!
  return (
    ROOMS.find((one) => one === path) ??
    ROOMS.find((one) => new RegExp(`^${one.replace(":which", "[^/]+")}$`).test(path))
  )
}

/** Rooms to which no link leads. */
const WITHOUT_LINK = ["/failed", "/payouts", "/changes", "/preview", "/search?q=Brightwater"]

/** Rooms that the books of `PageHouse.ts` do not have, and the test that looks at them. */
export const ELSEWHERE: Readonly<Record<string, string>> = {
  "/plans/part": "Plans.long.test.ts",
  "/cover/:which": "Cover.long.test.ts",
  "/setup/:which": "Setup.long.test.ts",
  "/preview/:which": "Preview.long.test.ts"
}

const LINK = /href="(\/[^"#]*)/g

/**
 * Addresses of each room, as links lead there, with what is shown.
 *
 * @param most of one room
 */
export const crawled = async (
  url: string,
  headers: Readonly<Record<string, string>>,
  most = 1
): Promise<ReadonlyArray<{ readonly room: string; readonly address: string; readonly markup: string }>> => {
  const found: Array<{ readonly room: string; readonly address: string; readonly markup: string }> = []
  const waiting = ["/", ...WITHOUT_LINK]
  const seen = new Set(waiting)
  for (let address = waiting.shift(); address !== undefined; address = waiting.shift()) {
    const room = roomOf(address)
    if (room === undefined || found.filter((one) => one.room === room).length >= most) continue
    const answer = await fetch(url + address, { headers })
    if (answer.headers.get("content-type")?.startsWith("text/html") !== true || answer.status !== 200) continue
    const markup = await answer.text()
    found.push({ room, address, markup })
    for (const [, link = ""] of markup.matchAll(LINK)) {
      const to = link.replaceAll("&amp;", "&")
      if (!seen.has(to)) waiting.push(to)
      seen.add(to)
    }
  }
  return found
}
