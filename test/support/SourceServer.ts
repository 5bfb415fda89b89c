/** Serves a source's fixtures on a port of this machine, so that the real command can read them. */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { paging, type Source } from "../../connectors/testing/Simulator.ts"

interface Serving {
  /** Records of a page. */
  readonly page?: number
  /** Before each answer. */
  readonly millis?: number
}

export interface SourceServer {
  readonly url: string
  readonly close: () => Promise<void>
}

export const serveSource = async (source: Source, { millis = 0, page = 50 }: Serving = {}): Promise<SourceServer> => {
  const pages = paging(page)
  const server = createServer((incoming, outgoing) => {
    const { headers, method = "GET", url = "/" } = incoming
    const { pathname: path, searchParams: query } = new URL(url, "http://source")
    const named = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, value?.toString()]))
    let body = ""
    incoming.setEncoding("utf8").on("data", (text: string) => void (body += text))
    incoming.on("end", async () => {
      if (millis > 0) await new Promise((resolve) => setTimeout(resolve, millis))
      const answer = source.answer({ method, path, query, headers: named, body }, pages)
      const { body: given, headers: more = {}, status = 200 } = answer ?? { status: 404, body: {} }
      outgoing
        .writeHead(status, { "content-type": "application/json", ...more })
        .end(typeof given === "string" ? given : JSON.stringify(given))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      })
  }
}
