/** Servers that Prism makes of OpenAPI documents, behind one address that notes what each says of the requests. */
import { readFileSync, writeFileSync } from "node:fs"
import { createServer, type IncomingMessage } from "node:http"
import { basename, join } from "node:path"
import { parse } from "yaml"
import type { Source } from "../../connectors/testing/index.ts"
import { freePort, start } from "../support/Servers.ts"
import { ready } from "./Live.ts"

/** A request, and what the document says against it. */
export interface Exchange {
  readonly asked: string
  readonly says: ReadonlyArray<string>
}

interface Described {
  /** What requests' paths begin with. */
  readonly begins: string
  readonly path: string
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

/** Whether a value is of a type; Sage writes numbers as text. */
const isOf = (type: string, value: unknown): boolean =>
  type === "array"
    ? Array.isArray(value)
    : type === "integer" || type === "number"
      ? typeof value === "number" || /^-?\d+(\.\d+)?$/.test(String(value))
      : typeof value === type

/** What it names of an object, with the parts that it is made of or may be one of. */
const members = (
  document: Any,
  schema: Any
): { readonly types: ReadonlyArray<string>; readonly of: Any; readonly items: Any } => {
  const its = meant(document, schema) ?? {}
  const parts: ReadonlyArray<ReturnType<typeof members>> = [
    ...(its.allOf ?? []),
    ...(its.anyOf ?? []),
    ...(its.oneOf ?? [])
  ].map((one) => members(document, one))
  return {
    types: [...[its.type ?? []].flat(), ...parts.flatMap(({ types }) => types)],
    of: Object.assign({}, ...parts.map(({ of }) => of), its.properties),
    items: { anyOf: [its.items ?? [], ...parts.map(({ items }) => items)].flat() }
  }
}

/** What a document does not have of a fixture: members that it does not name, or has as another type. */
export const beyond = (document: Any, schema: Any, value: unknown, at: string): ReadonlyArray<string> => {
  const { items, of, types } = members(document, schema)
  if (value === null) return []
  if (types.length > 0 && !types.some((type) => isOf(type, value))) return [`${at} is no ${types.join(" or ")}`]
  if (Array.isArray(value)) return value.flatMap((one, n) => beyond(document, items, one, `${at}[${n}]`))
  // Where it names no members, any are allowed.
  if (typeof value !== "object" || Object.keys(of).length === 0) return []
  return Object.entries(value).flatMap(([name, one]) =>
    name in of ? beyond(document, of[name], one, `${at}.${name}`) : [`${at} has no ${name}`]
  )
}

interface Served extends Described {
  /** What of a request's path the document's own paths do not have. */
  readonly at: string
  readonly document: Any
  readonly url: string
  readonly stop: () => unknown
}

const serve = async (folder: string, one: Described, { simplify }: Known): Promise<Served> => {
  const { begins } = one
  const document = parse(readFileSync(one.path, "utf8"))
  simplify?.(document)
  const path = simplify === undefined ? one.path : join(folder, `simplified-${basename(one.path)}`)
  if (simplify !== undefined) writeFileSync(path, JSON.stringify(document))
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const program = join(folder, "node_modules", ".bin", "prism")
  const args = [program, "mock", "-p", String(port), "-h", "127.0.0.1", path]
  const { child, said } = start(process.execPath, args, { cwd: folder }, "SIGTERM")
  await ready(child, said, () => fetch(url))
  const at = Object.keys(document.paths).some((its) => its.startsWith(`${begins}/`)) ? "" : begins
  return { ...one, at, url, document, stop: () => child.kill() }
}

/** What is known of a document: what it forbids and says elsewhere, what it leaves out, and what it does not have at all. */
export interface Known {
  /** As it is asked, as it is passed on, and where the document, or the vendor, says so. */
  readonly forbids?: ReadonlyArray<readonly [asked: string, passed: string, why: string]>
  /** The schemas of the fixtures in the connector's sample, by the names of their lists. */
  readonly schemas?: Readonly<Record<string, string>>
  /** Members of fixtures that are in no document, each with where they are from. */
  readonly besides?: Readonly<Record<string, string>>
  /** Changes a document of which Prism makes no answers. */
  readonly simplify?: (document: Any) => void
  /** What answers have around what the document says. */
  readonly around?: (body: Any) => object
  /** Answers, by their path. */
  readonly answers?: Readonly<Record<string, object>>
}

const passed = async ({ at, document, url }: Served, request: IncomingMessage, { around, forbids = [] }: Known) => {
  const asked = forbids.reduce((text, [from, to]) => text.replace(from, to), request.url!)
  const { pathname, search, searchParams } = new URL(asked, "http://localhost")
  const path = pathname.slice(at.length)
  const headers = Object.fromEntries(Object.entries(request.headers).filter(([name]) => name !== "host"))
  const answer = await fetch(`${url}${path}${search}`, { headers: headers as Record<string, string> })
  const named = parametersOf(document, path)
  // A parameter that is an object is sent as its members: `updated_at[after]`.
  const isKnown = (name: string) => named?.has(name) !== false || named.has(name.replace(/\[\$?\w+\]$/, ""))
  const unknown = [...new Set(searchParams.keys())].filter((name) => !isKnown(name))
  const violations: ReadonlyArray<Any> = JSON.parse(answer.headers.get("sl-violations") ?? "[]")
  // Of the answer, which Prism makes of the document itself, nothing is held against the connector.
  const ours = violations.filter(({ location }) => location[0] !== "response")
  const says = [
    ...(named === undefined ? ["there is no such path"] : unknown.map((name) => `it names no parameter ${name}`)),
    ...(ours.length === 0 ? [] : [JSON.stringify(ours)]),
    ...(answer.ok ? [] : [`${answer.status} ${(await answer.clone().text()).slice(0, 300)}`])
  ]
  if (around === undefined || !answer.ok) return { answer, says }
  return { answer: Response.json(around(await answer.json())), says }
}

export const Document = {
  open: async (folder: string, all: ReadonlyArray<Described>, known: Known) => {
    const served: Array<Served> = []
    for (const one of all) served.push(await serve(folder, one, known))
    const exchanges: Array<Exchange> = []
    const server = createServer((request, response) => {
      const path = new URL(request.url!, "http://localhost").pathname
      const own = known.answers?.[path]
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
    /** What the documents say against the fixtures of a sample. */
    const against = (lists: Source["lists"]): ReadonlyArray<Exchange> =>
      Object.entries(known.schemas ?? {}).flatMap(([list, path]) => {
        const schema = { $ref: `#/${path}` }
        const one = served.find(({ document }) => meant(document, schema) !== undefined)
        const says = lists[list]!.records.flatMap((record, n) =>
          one === undefined ? [`there is no ${path}`] : beyond(one.document, schema, record, `record ${n}`)
        )
        const isBesides = (why: string) =>
          Object.keys(known.besides ?? {}).some((name) => why.endsWith(` has no ${name}`))
        const found = [...new Set(says)].filter((why) => !isBesides(why))
        return found.length === 0 ? [] : [{ asked: `fixtures of ${list}`, says: found }]
      })
    return {
      url: `http://127.0.0.1:${port}`,
      against,
      exchanges: exchanges as ReadonlyArray<Exchange>,
      close: async () => {
        server.closeAllConnections()
        server.close()
        for (const { stop } of served) stop()
      }
    }
  }
}
