/**
 * Answers requests of browsers (DP 6.3): the SDK's script and texts, the payment frame, and what the elements send. The script
 * and the company search are on the service's own address, the payment frame and its requests on another origin, so a page's
 * content security policy has to allow two.
 */
import { gzipSync } from "node:zlib"
import { elements } from "../resources/Elements.ts"
import { docsPage } from "../sdk/DocsPage.ts"
import type { Scripts } from "../sdk/Scripts.ts"
import { type Answer, type Context, notFound, Refusal } from "../store/Handler.ts"
import { read } from "../store/Json.ts"
import { demo } from "./DocsDemo.ts"
import { once } from "./Idempotency.ts"
import { DOCS_PLATFORM, publicKeyOf } from "./PublicKeys.ts"
import type { Incoming, Service } from "./Service.ts"

/** What a browser's request has in addition to what every request has. */
export interface FromBrowser {
  readonly scripts: Scripts
  /** Whether it was sent to the payment frame's address. */
  readonly atFrame: boolean
  /** The origin of the payment frame. */
  readonly frame: string
  /** Whether the browser accepts compressed answers. */
  readonly gzip: boolean
}

type Body = Readonly<Record<string, unknown>>

/** Whether a request is one that is answered here. */
export const isBrowsers = (url: string): boolean => /^\/(sdk|frame|legal|docs\/checkout)(?=[/?]|$)/.test(url)

/** Pages of every origin may send requests: a platform is protected by how little a public key can do. */
const CORS = {
  "access-control-allow-origin": "*",
  "access-control-allow-headers": "content-type",
  "access-control-allow-methods": "GET, POST",
  "access-control-max-age": "600"
}

const file = (type: string, text: string, gzip: boolean, headers: Readonly<Record<string, string>> = {}): Answer => ({
  status: 200,
  file: { name: "", type: `${type}; charset=utf-8`, content: gzip ? gzipSync(text) : Buffer.from(text) },
  headers: {
    "cache-control": "no-cache",
    "x-content-type-options": "nosniff",
    vary: "accept-encoding",
    ...(gzip ? { "content-encoding": "gzip" } : {}),
    ...headers
  }
})

const FRAME = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Pay later</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><script type="module" src="/frame/v1/frame.js"></script>
</head><body></body></html>`

/** The frame loads from its own host only; any page may embed it. */
const FRAME_POLICY = {
  "content-security-policy":
    "default-src 'none'; script-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'"
}

const legal = (title: string) => `<!doctype html><html lang="en"><meta charset="utf-8"><title>${title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><h1>${title}</h1>
<p>This is a sandbox: no money moves, and nothing that is accepted here binds anybody.</p></html>`

/** Static content by path, the same for everybody; undefined for other paths. */
const page = (path: string, { atFrame, frame, gzip, scripts }: FromBrowser): Answer | undefined => {
  const at = atFrame ? "/frame/v1" : "/sdk/v1"
  const language = path.startsWith(`${at}/locales/`) ? path.slice(at.length + 9).replace(/\.json$/, "") : ""
  const words = Object.hasOwn(scripts.locales, language) ? scripts.locales[language] : undefined
  if (words !== undefined) return file("application/json", words, gzip, CORS)
  if (atFrame) {
    if (path === "/frame/v1") return file("text/html", FRAME, gzip, FRAME_POLICY)
    const script = path.slice("/frame/v1/".length)
    const found = Object.hasOwn(scripts.frame, script) ? scripts.frame[script] : undefined
    return found === undefined ? undefined : file("text/javascript", found, gzip)
  }
  switch (path) {
    case "/sdk/v1":
      return file("text/javascript", scripts.sdk.replaceAll("__FRAME_HOST__", frame), gzip, CORS)
    case "/legal/terms":
      return file("text/html", legal("Payment terms and privacy policy"), gzip)
    case "/legal/merchant-terms":
      return file("text/html", legal("Terms for merchants"), gzip)
    case "/docs/checkout/page.js":
      return file("text/javascript", scripts.docs, gzip)
    case "/docs/checkout": {
      const { html, policy } = docsPage({ frame, publicKey: publicKeyOf(DOCS_PLATFORM) })
      return file("text/html", html, gzip, { "content-security-policy": policy })
    }
    default:
      return undefined
  }
}

type Act = (context: Context, body: Body, id: string) => Answer

/** Actions by method and path; those that pay are available at the frame's address only. */
const ACTS: Readonly<Record<string, Act>> = {
  "GET /sdk/v1/session": elements.session,
  "GET /sdk/v1/companies": elements.companies,
  "GET /sdk/v1/companies/ID": (context, _, id) => elements.company(context, id),
  "GET /frame/v1/companies": elements.companies,
  "POST /frame/v1/choice": elements.choice,
  "POST /frame/v1/buyer": elements.buyer,
  "POST /frame/v1/submit": (context, body) =>
    // A submission whose answer was lost is sent again, and pays once.
    once(context, String(body["submission"]), "frame/v1/submit", () => elements.submit(context, body))
}

const bodyOf = (method: string, query: URLSearchParams, text: string): Body => {
  if (method === "GET") return Object.fromEntries(query)
  const json = read(text)
  if ("refused" in json) throw new Refusal(400, { code: "json", detail: json.refused })
  return json.value !== null && typeof json.value === "object" ? (json.value as Body) : {}
}

const act = (service: Service, path: string, request: Incoming, query: URLSearchParams): Answer => {
  const { base, body: text, method } = request
  const [, , , what = "", id = ""] = path.split("/")
  const run = ACTS[`${method} ${id === "" ? path : path.slice(0, -id.length) + "ID"}`]
  if (run === undefined || what === "") throw notFound()
  const body = bodyOf(method, query, text)
  const who = service.publicKeys.platform(String(body["public_key"]))
  if (!("key" in who)) throw new Refusal(who.status, { code: who.code, detail: who.detail })
  return run({ ...service.context(who.key, base), payload: body }, body, id)
}

/** Answers a browser's request. */
export const browser = (service: Service, request: Incoming, from: FromBrowser): Answer => {
  const { base, method, url } = request
  const { pathname, searchParams } = new URL(url, base)
  const path = pathname.replace(/\/$/, "")
  if (path.startsWith("/frame") !== from.atFrame) return { status: 404, body: { detail: "Not found." } }
  if (method === "OPTIONS") return { status: 204, headers: CORS }
  const found = method === "GET" ? page(path, from) : undefined
  if (found !== undefined) return found
  try {
    if (path.startsWith("/docs/")) return demo(service, request, path)
    const answer = act(service, path, request, searchParams)
    return { ...answer, headers: { ...answer.headers, ...CORS } }
  } catch (cause) {
    if (cause instanceof Refusal) return { ...cause.answer, headers: CORS }
    throw cause
  } finally {
    service.store.commit()
  }
}
