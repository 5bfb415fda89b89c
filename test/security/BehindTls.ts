/** A daemon behind a proxy with TLS, other sites, and books in which every text is an attack: for Chromium. */
import { request as ask } from "node:http"
import { createServer } from "node:https"
import type { AddressInfo } from "node:net"
import { atEnd } from "../support/AtEnd.ts"
import { issue } from "../support/Certificates.ts"
import { desk } from "../support/Cli.ts"

/** A request that came through the proxy, and how it was answered. */
export interface Passed {
  readonly method: string
  readonly path: string
  readonly origin: string | undefined
  readonly cookies: string
  status: number
  headers: Readonly<Record<string, unknown>>
}

/** One certificate for all of them, so that they differ in nothing but host and port. */
let issued: { readonly key: string; readonly cert: string } | undefined
const tls = () => (issued ??= issue(desk().folder, "sites", "DNS:localhost,IP:127.0.0.1").tls)

const listening = async (
  handler: Parameters<typeof createServer>[1],
  { host = "127.0.0.1", port = 0 } = {}
): Promise<string> => {
  const server = createServer(tls(), handler)
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve))
  atEnd(() => {
    server.closeAllConnections()
    server.close()
  })
  return `https://${host}:${(server.address() as AddressInfo).port}`
}

/** Forwards to the daemon, as a proxy of the same machine does, and keeps what passed. */
export const proxy = async (port: number, to: () => string) => {
  const passed: Array<Passed> = []
  const url = await listening(
    (request, response) => {
      const { headers, method = "", socket, url: path = "" } = request
      const forwarded = { "x-forwarded-for": socket.remoteAddress ?? "", "x-forwarded-proto": "https" }
      const one: Passed = {
        ...{ method, path, origin: headers.origin, cookies: headers.cookie ?? "" },
        ...{ status: 0, headers: {} }
      }
      const sent = ask(to() + path, { method, agent: false, headers: { ...headers, ...forwarded } }, (answer) => {
        Object.assign(one, { status: answer.statusCode, headers: answer.headers })
        passed.push(one)
        response.writeHead(answer.statusCode ?? 500, answer.headers)
        answer.pipe(response)
      })
      sent.on("error", () => response.destroy())
      response.on("close", () => sent.destroy())
      request.pipe(sent)
    },
    { port }
  )
  return { url, passed }
}

/**
 * Another site with an empty page: a host of its own, or a port of the daemon's host, whose requests bring even cookies for the same
 * site only. Keeps what it is asked for besides its page.
 */
export const otherSite = async (host: "localhost" | "127.0.0.1") => {
  const asked: Array<string> = []
  const url = await listening(
    (request, response) => {
      if (request.url !== "/" && request.url !== "/favicon.ico") asked.push(request.url ?? "")
      response.setHeader("access-control-allow-origin", "*")
      const isScript = request.url?.endsWith(".js") === true
      response.setHeader("content-type", isScript ? "text/javascript" : "text/html")
      response.end(isScript ? "window.ran = 'foreign'" : "<!doctype html><title>Another site</title>")
    },
    { host }
  )
  return { url, asked }
}

export const MARKED = '<b class="planted">planted</b>'

/** Markup that runs and loads something wherever it is taken for markup, in a text and in an attribute. */
export const planted = (site: string): string =>
  `"'><script src="${site}/x.js"></script><img src="${site}/i" onerror="window.ran=1">${MARKED}`

/** A cell of CSV. */
export const cell = (text: string): string => `"${text.replaceAll('"', '""')}"`
