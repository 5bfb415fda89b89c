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

export interface Server {
  readonly url: string
  readonly close: () => Promise<void>
}

/**
 * @param answers undefined: there is no such path
 * @param now the vendor's clock, which each answer carries
 */
export const serve = async (answers: (asked: Asked) => Answered | undefined, now: () => number): Promise<Server> => {
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
      const { body, headers = {}, status = 200 } = answers(asked) ?? { status: 404, body: { message: "not found" } }
      response.writeHead(status, {
        "content-type": "application/json",
        date: new Date(now()).toUTCString(),
        ...headers
      })
      response.end(typeof body === "string" ? body : JSON.stringify(body))
    })
  })
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((done) => {
        server.closeAllConnections()
        server.close(() => done())
      })
  }
}
