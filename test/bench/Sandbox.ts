/**
 * Requests per second of the sandbox against a bare `node:http` server: one transaction and a new one against one that
 * answers with the same bytes and does nothing else, a page of them against one that holds the same list and pages
 * through it (what is written to the socket is most of a page, and nearly all of what a server costs that holds no list).
 * And reads by id where 100,000 transactions are held,
 * against the same where there are 1,000.
 *
 * Server and client are processes of their own. The client speaks over kept sockets, writes bytes that are made
 * beforehand and reads no more of an answer than its status and length, so that what is measured is the server. Both
 * processes need a core of their own: on a machine that is busy otherwise the figures say little.
 */
import { createServer, type RequestListener } from "node:http"
import type { AddressInfo } from "node:net"
import { request } from "undici"
import { startSandbox } from "../../core/sandbox/index.ts"
import { atMost, type Figure, median, rates } from "./Figure.ts"
import { type Asked, CONNECTIONS, invoice, KEY } from "./Load.ts"
import { inTurns, run, serve } from "./Process.ts"

const ROUNDS = 3

interface Page {
  readonly status: number
  readonly text: string
}

const ask = async (url: string, method: "GET" | "POST", path: string, body?: object): Promise<Page> => {
  const answer = await request(url + path, {
    method,
    headers: { authorization: `Token ${KEY}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) })
  })
  const [status, text] = [answer.statusCode, await answer.body.text()]
  if (status >= 300) throw new Error(`${method} ${path}: ${status} ${text}`)
  return { status, text }
}

interface Held {
  readonly url: string
  readonly owner: string
  readonly ids: ReadonlyArray<string>
}

/** Side: a sandbox that holds so many transactions, until it is stopped. */
export const sandbox = async (count: number): Promise<Held> => {
  const { url } = await startSandbox({ port: 0 })
  const organisation = { unique_id: "acme", registered: "2024-01-01T00:00:00Z" }
  const owner: string = JSON.parse((await ask(url, "POST", "/v1/organisations", organisation)).text).id
  const ids: Array<string> = []
  let next = 0
  const worker = async () => {
    while (next < count) {
      const { text } = await ask(url, "POST", "/v1/transactions", invoice(owner, next++))
      ids.push((JSON.parse(text) as { readonly id: string }).id)
    }
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, worker))
  return { url, owner, ids }
}

const listening = async (handle: RequestListener): Promise<string> => {
  const server = createServer({ keepAliveTimeout: 60_000 }, handle)
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** Side: a server that answers everything with one and the same page, until it is stopped. */
export const bare = ({ status, text }: Page): Promise<string> => {
  const headers = { "content-type": "application/json", "content-length": Buffer.byteLength(text) }
  return listening((request, response) => {
    const answer = () => response.writeHead(status, headers).end(text)
    if (request.method === "GET") answer()
    else request.resume().on("end", answer)
  })
}

/** Side: a server that holds a list and answers everything with the part of it that `limit` and `offset` say. */
export const paging = ({ text }: Page): Promise<string> => {
  const { results: all } = JSON.parse(text) as { readonly results: ReadonlyArray<unknown> }
  return listening((request, response) => {
    const { origin, pathname, searchParams } = new URL(request.url!, `http://${request.headers.host}`)
    const [limit, offset] = [Number(searchParams.get("limit")), Number(searchParams.get("offset"))]
    const link = (from: number) => `${origin}${pathname}?limit=${limit}&offset=${from}`
    const next = offset + limit < all.length ? link(offset + limit) : null
    const previous = offset > 0 ? link(Math.max(0, offset - limit)) : null
    const body = JSON.stringify({ count: all.length, next, previous, results: all.slice(offset, offset + limit) })
    const headers = { "content-type": "application/json", "content-length": Buffer.byteLength(body) }
    response.writeHead(200, headers).end(body)
  })
}

const LOAD = new URL("Load.ts", import.meta.url).href

const rateOf = async (url: string, asked: Asked): Promise<number> =>
  (await run<number>(LOAD, "load", url, asked)).result

interface Promised {
  readonly name: string
  readonly least: number
  readonly other?: "bare" | "paging"
}

/** The sandbox against a server that does no more than it must; with another sandbox, that one in turns with them too. */
const against = async (
  { least, name, other: side = "bare" }: Promised,
  url: string,
  asked: Asked,
  page: Page,
  beside?: () => Promise<number>
): Promise<{
  readonly figure: Figure
  readonly ours: ReadonlyArray<number>
  readonly beside: ReadonlyArray<number>
}> => {
  const other = await serve<string>(import.meta.url, side, page)
  try {
    const more: Array<number> = []
    const runs = await inTurns(
      ROUNDS,
      () => rateOf(url, asked),
      async () => {
        if (beside !== undefined) more.push(await beside())
        return rateOf(other.result, asked)
      }
    )
    const share = (median(runs.ours) / median(runs.theirs)).toFixed(2)
    const figure = atMost(`sandbox: ${name}; bare node:http`, 1 / least, {
      ...rates(runs),
      note: `${share} of the requests per second of a server that only ${side === "bare" ? "answers" : "pages"}; at least ${least.toFixed(2)} is promised`
    })
    return { figure, ours: runs.ours, beside: more }
  } finally {
    other.stop()
  }
}

/** All of them, in an order that has nothing to do with that of their making: 7919 divides no number of them. */
const byId = ({ ids }: Held): Asked => ({
  method: "GET",
  paths: ids.map((_, i) => `/v1/transactions/${ids[(i * 7919) % ids.length]}`)
})

const FEW = 1000

export const figures = async (_: string, scale: number): Promise<ReadonlyArray<Figure>> => {
  const held = 100_000 * scale
  const [few, many] = [await start(FEW), await start(held)]
  try {
    const { owner, url } = few.result
    const [read, list] = [byId(few.result), pages(FEW)]
    const create: Asked = { method: "POST", paths: ["/v1/transactions"], owner }
    const one = await against(
      { name: "GET one transaction", least: 0.8 },
      url,
      read,
      await ask(url, "GET", read.paths[0]!),
      () => rateOf(many.result.url, byId(many.result))
    )
    const page = await against(
      { name: "GET a page of 25", least: 0.8, other: "paging" },
      url,
      list,
      await ask(url, "GET", `/v1/transactions?limit=${FEW}`)
    )
    const made = await against(
      { name: "POST a transaction", least: 0.6 },
      url,
      create,
      await ask(url, "POST", create.paths[0]!, invoice(owner, 0))
    )
    const name = `sandbox: GET one of ${held.toLocaleString("en")}; one of ${FEW.toLocaleString("en")}`
    return [one.figure, page.figure, made.figure, atMost(name, 1.2, rates({ ours: one.beside, theirs: one.ours }))]
  } finally {
    few.stop()
    many.stop()
  }
}

const start = (count: number) => serve<Held>(import.meta.url, "sandbox", count)

const pages = (count: number): Asked => ({
  method: "GET",
  paths: Array.from({ length: count / 25 }, (_, i) => `/v1/transactions?limit=25&offset=${i * 25}`)
})
