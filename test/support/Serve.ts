/**
 * Serves test-defined answers on a port of this machine, until the test's scope closes. Records requests and counts
 * connections.
 */
import { Effect } from "effect"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"

export interface Asked {
  readonly method: string
  readonly url: string
  readonly headers: IncomingMessage["headers"]
  readonly body: string
}

export interface Served {
  readonly url: string
  readonly asked: ReadonlyArray<Asked>
  readonly connections: () => number
}

export const json = (response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}) =>
  response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body))

/** @param answer is called with each request once its body is read, and its number, from 0 */
export const serve = (answer: (asked: Asked, response: ServerResponse, n: number) => void) =>
  Effect.acquireRelease(
    Effect.callback<Served & { readonly close: () => void }>((resume) => {
      const asked: Array<Asked> = []
      let connections = 0
      const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
        const { headers, method = "GET", url = "/" } = request
        let body = ""
        request.on("data", (chunk) => void (body += chunk))
        request.on("end", () => {
          const one = { method, url, headers, body }
          answer(one, response, asked.push(one) - 1)
        })
      })
      server.on("connection", () => void connections++)
      server.listen(0, "127.0.0.1", () => {
        const { port } = server.address() as AddressInfo
        const close = () => {
          server.close()
          server.closeAllConnections()
        }
        resume(Effect.succeed({ url: `http://127.0.0.1:${port}`, asked, connections: () => connections, close }))
      })
    }),
    ({ close }) => Effect.sync(close)
  )

/** An address of this machine where nothing listens. */
export const nobody = Effect.scoped(
  Effect.map(
    serve(() => {}),
    ({ url }) => url
  )
)
