/** A vendor's server on this machine: one address for each view. */
import { createServer, type IncomingHttpHeaders } from "node:http"
import type { AddressInfo } from "node:net"

export interface Asked {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

export interface Answered {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body: unknown
}

interface Failing {
  readonly kind: "status" | "lose_response" | "lose_request" | "garble"
  readonly status?: number
  readonly skip: number
  readonly times: number
}

export interface Server {
  /** Goes wrong so many times, after so many requests; undefined: no longer. */
  readonly fails: (failing: Failing | undefined) => void
  readonly url: string
  readonly close: () => Promise<void>
}

/**
 * @param answers undefined: there is no such path
 * @param now the vendor's clock, which each answer carries
 */
export const serve = async (answers: (asked: Asked) => Answered | undefined, now: () => number): Promise<Server> => {
  let failing: Array<{ readonly of: Failing; asked: number }> = []
  /** What goes wrong with this request. */
  const strikes = (): Failing | undefined => {
    for (const one of failing) one.asked++
    return failing.find(({ asked, of }) => asked > of.skip && asked <= of.skip + of.times)?.of
  }
  const server = createServer((request, response) => {
    const pieces: Array<Buffer> = []
    request.on("data", (piece: Buffer) => pieces.push(piece))
    request.on("end", () => {
      const at = new URL(request.url ?? "/", "http://vendor")
      const asked: Asked = {
        method: request.method ?? "GET",
        path: decodeURIComponent(at.pathname),
        query: at.searchParams,
        headers: request.headers,
        body: Buffer.concat(pieces).toString("utf8")
      }
      const wrong = strikes()
      if (wrong?.kind === "lose_request") return void request.socket.destroy()
      const {
        body,
        headers = {},
        status = 200
      } = wrong?.kind === "status"
        ? { status: wrong.status!, body: "no", headers: { "retry-after": "1" } }
        : (answers(asked) ?? { status: 404, body: { message: "not found" } })
      if (wrong?.kind === "lose_response") return void request.socket.destroy()
      const text = typeof body === "string" ? body : JSON.stringify(body)
      response.writeHead(status, {
        "content-type": "application/json",
        date: new Date(now()).toUTCString(),
        ...headers
      })
      response.end(wrong?.kind === "garble" ? text.slice(0, text.length / 2) : text)
    })
  })
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done))
  return {
    fails: (next) => {
      failing = next === undefined ? [] : [...failing, { of: next, asked: 0 }]
    },
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((done) => {
        server.closeAllConnections()
        server.close(() => done())
      })
  }
}
