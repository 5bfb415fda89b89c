/**
 * What may stand between Daybook and the service: it passes everything on, and for some requests answers with a page of
 * its own, after or instead of asking the service.
 */
import { createServer, request } from "node:http"
import type { AddressInfo } from "node:net"

/** Answers in place of the service to requests whose path ends so. */
export interface Foreign {
  readonly method: string
  /** How the path ends. */
  readonly path: string
  readonly status: number
  /** Whether the service is asked all the same. */
  readonly acts: boolean
  times: number
}

const PAGE = "<!doctype html><html><head><title>Not available</title></head><body><h1>Sorry</h1></body></html>"

export interface Between {
  readonly url: string
  /** What it answers by itself; may be changed at any time. */
  readonly foreign: Array<Foreign>
  readonly close: () => Promise<void>
}

export const proxy = async (to: string): Promise<Between> => {
  const foreign: Array<Foreign> = []
  const server = createServer((incoming, outgoing) => {
    const { headers, method = "GET", url = "/" } = incoming
    const path = new URL(url, to).pathname.replace(/\/$/, "")
    const strikes = foreign.find((one) => one.times > 0 && one.method === method && path.endsWith(one.path))
    if (strikes !== undefined) strikes.times--
    const page = (status: number) => outgoing.writeHead(status, { "content-type": "text/html" }).end(PAGE)
    if (strikes !== undefined && !strikes.acts) {
      incoming.resume().on("end", () => page(strikes.status))
      return
    }
    const onward = request(new URL(url, to), { method, headers: { ...headers, host: new URL(to).host } }, (answer) => {
      if (strikes !== undefined) {
        answer.resume().on("end", () => page(strikes.status))
        return
      }
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(outgoing)
    })
    onward.on("error", () => outgoing.destroy())
    incoming.pipe(onward)
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    foreign,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      })
  }
}
