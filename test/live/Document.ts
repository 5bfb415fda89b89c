/** Servers that Prism makes of OpenAPI documents, behind one address that notes what each says of the requests. */
import { createServer, type IncomingMessage } from "node:http"
import { join } from "node:path"
import { parse } from "yaml"
import { freePort, start } from "../support/Servers.ts"
import { ready } from "./Live.ts"

/** A request, and what the document says against it. */
export interface Exchange {
  readonly asked: string
  readonly says: ReadonlyArray<string>
}

interface Described {
  /** What requests' paths begin with, and what of that the document's own paths do not have. */
  readonly begins: string
  readonly at: string
  readonly path: string
  readonly text: string
}

// biome-ignore lint/suspicious/noExplicitAny: an OpenAPI document
type Any = any

/** What a reference within the document stands for. */
const meant = (document: Any, value: Any): Any =>
  typeof value?.$ref !== "string"
    ? value
    : value.$ref
        .slice(2)
        .split("/")
        .reduce((at: Any, part: string) => at?.[part.replaceAll("~1", "/").replaceAll("~0", "~")], document)

/** The parameters that it names for a path. */
const parametersOf = (document: Any, path: string): ReadonlySet<string> | undefined => {
  const found = Object.entries<Any>(document.paths).filter(([template]) =>
    new RegExp(`^${template.replaceAll(/\{[^}]+\}/g, "[^/]+")}$`).test(path)
  )
  // A path without parts to fill in goes first.
  const [item] = found.toSorted(([a], [b]) => a.split("{").length - b.split("{").length).map(([, one]) => one)
  if (item === undefined) return undefined
  const all = [...(item.parameters ?? []), ...(item.get?.parameters ?? [])].map((one: Any) => meant(document, one))
  return new Set(all.filter((one) => one?.in === "query").map((one) => String(one.name)))
}

interface Served extends Described {
  readonly document: Any
  readonly url: string
  readonly stop: () => unknown
}

const serve = async (folder: string, one: Described): Promise<Served> => {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const program = join(folder, "node_modules", ".bin", "prism")
  const args = [program, "mock", "-p", String(port), "-h", "127.0.0.1", one.path]
  const { child, said } = start(process.execPath, args, { cwd: folder }, "SIGTERM")
  await ready(child, said, () => fetch(url))
  return { ...one, url, document: parse(one.text), stop: () => child.kill() }
}

type Known = ReadonlyArray<readonly [asked: string, passed: string, why: string]>

const passed = async ({ at, document, url }: Served, request: IncomingMessage, known: Known) => {
  const asked = known.reduce((text, [from, to]) => text.replace(from, to), request.url!)
  const { pathname, search, searchParams } = new URL(asked, "http://localhost")
  const path = pathname.slice(at.length)
  const headers = Object.fromEntries(Object.entries(request.headers).filter(([name]) => name !== "host"))
  const answer = await fetch(`${url}${path}${search}`, { headers: headers as Record<string, string> })
  const named = parametersOf(document, path)
  const unknown = [...new Set(searchParams.keys())].filter((name) => named?.has(name) === false)
  const violations = answer.headers.get("sl-violations")
  const says = [
    ...(named === undefined ? ["there is no such path"] : unknown.map((name) => `it names no parameter ${name}`)),
    ...(violations === null ? [] : [violations]),
    ...(answer.ok ? [] : [`${answer.status} ${(await answer.clone().text()).slice(0, 300)}`])
  ]
  return { answer, says }
}

export const Document = {
  open: async (
    folder: string,
    all: ReadonlyArray<Described>,
    answers: Readonly<Record<string, object>>,
    known: Known
  ) => {
    const served: Array<Served> = []
    for (const one of all) served.push(await serve(folder, one))
    const exchanges: Array<Exchange> = []
    const server = createServer((request, response) => {
      const path = new URL(request.url!, "http://localhost").pathname
      const own = answers[path]
      const one = served.find(({ begins }) => path.startsWith(begins))
      const answered =
        own !== undefined
          ? Promise.resolve({ answer: Response.json(own), says: [] })
          : one === undefined
            ? Promise.resolve({ answer: new Response("{}", { status: 404 }), says: ["no document has it"] })
            : passed(one, request, known)
      void answered.then(async ({ answer, says }) => {
        exchanges.push({ asked: `${request.method} ${request.url}`, says })
        response.writeHead(answer.status, { "content-type": answer.headers.get("content-type") ?? "application/json" })
        response.end(await answer.text())
      })
    })
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
    const { port } = server.address() as { port: number }
    return {
      url: `http://127.0.0.1:${port}`,
      exchanges: exchanges as ReadonlyArray<Exchange>,
      close: async () => {
        server.closeAllConnections()
        server.close()
        for (const { stop } of served) stop()
      }
    }
  }
}
