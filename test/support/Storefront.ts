/**
 * Serves a shop's pages in front of a sandbox, in Chromium: each page loads the SDK from the sandbox under a content security
 * policy without `unsafe-inline`, and records every event and every browser error.
 */
import { afterAll, afterEach, beforeAll, beforeEach } from "vitest"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import type { BrowserContextOptions, Page } from "playwright-core"
import { type Sandbox, type SandboxOptions, startSandbox } from "../../core/sandbox/index.ts"
import { buyer, offer, order } from "../core/sandbox/Ordering.ts"
import { type Json, wire } from "../core/sandbox/Wire.ts"
import { closeAll, MISSING, open, place } from "./Browser.ts"

const NONCE = "c2hvcA"

/** Runs before the page's own script: defines `sdk`, and `watch`, which records an element's events as `[event, payload]`. */
const PRELUDE = `
window.events = []
const NAMES = { companySearch: ["ready", "failure", "countryInputChange", "companyTypeInputChange", "companySelection"],
  checkout: ["ready", "success", "failure", "rejected", "formState"] }
const watch = (element, name, as = "") => {
  for (const event of NAMES[name]) element.on(event, (payload) => events.push([as + event, ...(payload === undefined ? [] : [payload])]))
  return element
}
/** The name and the message of what this throws. */
const thrown = (act) => { try { act(); return "nothing" } catch ({ message, name }) { return name + ": " + message } }
`

export interface PageOptions {
  /** Attributes of the SDK's script element: `async`, `defer`. */
  readonly load?: string
  readonly lang?: string
  readonly head?: string
  readonly body?: string
  /** Replaces directives of the content security policy. */
  readonly policy?: Readonly<Record<string, string>>
  /** Where the SDK is loaded from, instead of the sandbox. */
  readonly sdk?: string
  /** Options of the window. */
  readonly window?: BrowserContextOptions
}

export interface Visit {
  readonly page: Page
  readonly events: () => Promise<ReadonlyArray<readonly [event: string, payload?: Json]>>
  /** Resolves with the latest payload once this event has fired so many times. */
  readonly heard: (event: string, times?: number) => Promise<Json>
  /** Evaluates a script in the page. */
  readonly run: (script: string) => Promise<Json>
  /** Console output and uncaught errors. */
  readonly said: ReadonlyArray<string>
  /** Requests of the page and its frames. */
  readonly requests: ReadonlyArray<URL>
}

/** The response for a page: its markup and its policy. */
const pageOf = (sandbox: Sandbox, script: string, given: PageOptions) => {
  const { body = "", head = "", lang = "en", load = "", policy = {}, sdk = sandbox.sdk } = given
  const directives = {
    "default-src": "'none'",
    "script-src": `'nonce-${NONCE}' ${sandbox.url}`,
    "connect-src": `${sandbox.url} ${sandbox.frame}`,
    "frame-src": sandbox.frame,
    "style-src": `'nonce-${NONCE}'`,
    "img-src": "data:",
    ...policy
  }
  return {
    policy: Object.entries(directives)
      .map(([name, value]) => `${name} ${value}`)
      .join("; "),
    type: "text/html",
    text: `<!doctype html><html lang="${lang}"><head><meta charset="utf-8"><title>A shop</title><link rel="icon" href="data:,">
<meta name="viewport" content="width=device-width, initial-scale=1"><script ${load} src="${sdk}"></script>${head}</head>
<body><main><h1>A shop</h1>${body}<div id="a"></div><div id="b"></div></main>
<script nonce="${NONCE}">${PRELUDE}const start = async (PUBLIC_KEY) => {${script}}
start("${sandbox.publicKeys[0]}").catch(({ message, name }) => events.push(["thrown", name + ": " + message]))</script></body></html>`
  }
}

/** A window that records its console output and requests since it was last reset. */
const windowOf = async (options: BrowserContextOptions) => {
  const page = await open({ javaScriptEnabled: true, locale: "en-GB", ...options })
  page.setDefaultTimeout(25_000)
  let kept: { readonly said: Array<string>; readonly requests: Array<URL> } = { said: [], requests: [] }
  page.on("console", (message) => kept.said.push(message.text()))
  page.on("pageerror", ({ message }) => kept.said.push(message))
  page.on("request", (request) => kept.requests.push(new URL(request.url())))
  const begin = () => (kept = { said: [], requests: [] })
  return { page, begin }
}

const visitOf = (page: Page, said: ReadonlyArray<string>, requests: ReadonlyArray<URL>): Visit => {
  const events = () => page.evaluate<ReadonlyArray<[string, Json]>>("events")
  return {
    page,
    said,
    requests,
    events,
    run: (text) => page.evaluate<Json>(text),
    heard: async (event, times = 1) => {
      // Polls, because the page's policy forbids what `waitForFunction` does.
      for (let n = 0; n < 1000; n++) {
        const found = (await events()).filter(([name]) => name === event)
        if (found.length >= times) return found.at(-1)![1]
        await new Promise((resolve) => setTimeout(resolve, 25))
      }
      throw new Error(`${event} did not come: ${JSON.stringify(await events())} ${said.join("\n")}`)
    }
  }
}

const storefront = async (options: SandboxOptions = {}) => {
  const sandbox = await startSandbox({ port: 0, ...options })
  const pages = new Map<string, { readonly text: string; readonly type: string; readonly policy?: string }>()
  const server = createServer(({ url = "" }, response) => {
    const found = pages.get(url)
    if (found === undefined) return void response.writeHead(404).end()
    const { policy = "", text, type } = found
    response.writeHead(200, { "content-type": type, "content-security-policy": policy }).end(text)
  })
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const api = wire(() => sandbox.url)
  let usual: ReturnType<typeof windowOf> | undefined

  /** Opens a page with this script and the places `#a` and `#b`. The default window is reused for all pages. */
  const visit = async (script: string, given: PageOptions = {}): Promise<Visit> => {
    const path = `/${pages.size}`
    pages.set(path, pageOf(sandbox, script, given))
    const { begin, page } = await (given.window === undefined ? (usual ??= windowOf({})) : windowOf(given.window))
    const { requests, said } = begin()
    await page.goto(`${url}${path}`)
    return visitOf(page, said, requests)
  }

  /** An offer for an order of 20.00 by this company. */
  const offerFor = async (company = "co-1000", more: Readonly<Record<string, unknown>> = {}): Promise<Json> =>
    offer(api, (await order(api, { buyer: await buyer(api, company) })).id, more)

  /** Serves a file beside the pages. */
  const serve = (path: string, text: string, type: string) => void pages.set(path, { text, type })

  /** An order's deferred payment, if it has one. */
  const paymentOf = async (id: string): Promise<Json> =>
    (await api.get(`/v1/payment/orders/${id}?expand=deferred_payment`)).body.deferred_payment

  const close = async () => {
    server.close()
    server.closeAllConnections()
    await sandbox.close()
  }
  return { api, sandbox, url, visit, serve, offerFor, paymentOf, close }
}

export type Storefront = Awaited<ReturnType<typeof storefront>>

/** A storefront and a browser for the tests of one file; they are skipped if there is no browser. */
export const useStorefront = (options: SandboxOptions = {}): (() => Storefront) => {
  let shop: Storefront
  beforeAll(async () => {
    shop = await storefront(options)
  })
  beforeEach(({ skip }) => {
    if (place === undefined) skip(MISSING)
  })
  afterEach(async () => {
    await shop.api.remove("/sandbox/faults")
  })
  afterAll(async () => {
    await closeAll()
    await shop.close()
  })
  return () => shop
}
