/**
 * Xero as its own OpenAPI document describes it, served by a mock server that reads the document: requests are what it
 * allows, its examples are read, and a server that answers every page with the same full page is left.
 */
import { assert, describe, it } from "vitest"
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import { Effect, Layer, Schema, Stream } from "effect"
import { FetchHttpClient } from "effect/http"
import { readFileSync } from "node:fs"
import { createServer, type IncomingHttpHeaders } from "node:http"
import type { AddressInfo } from "node:net"
import { type Document as Definition, OpenAPIBackend } from "openapi-backend"
import { parse } from "yaml"
import type { Page } from "../../../connectors/Connector.ts"
import { seal } from "../../../connectors/OAuth.ts"
import { vaultOf } from "../../../connectors/testing/index.ts"
import { xero } from "../../../connectors/xero/Xero.ts"

// biome-ignore lint/suspicious/noExplicitAny: an answer of the mock, which tests bend
type Answer = any

const definition = parse(
  readFileSync(new URL("../../fixtures/xero/accounting.yaml", import.meta.url), "utf8")
) as Definition

const GUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const IDS: Readonly<Record<string, string>> = {
  Invoices: "InvoiceID",
  CreditNotes: "CreditNoteID",
  Overpayments: "OverpaymentID",
  Prepayments: "PrepaymentID",
  Payments: "PaymentID"
}

interface Asked {
  readonly list: string
  readonly page: string | null
  readonly headers: IncomingHttpHeaders
}

/** A server over the vendor's document: what does not fit it is refused and noted, what fits gets its example, bent. */
const serve = async (bend: (answer: Answer, list: string, page: number) => Answer) => {
  const asked: Array<Asked> = []
  const refused: Array<unknown> = []
  const api = new OpenAPIBackend({
    // It is resolved in place.
    definition: structuredClone(definition),
    apiRoot: "/api.xro/2.0",
    coerceTypes: true,
    // Answers are the document's own: only what is asked is held against it.
    quick: true,
    ajvOpts: {
      formats: { uuid: GUID, "date-time": /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/, double: true }
    },
    securityHandlers: { OAuth2: ({ request }) => request.headers["authorization"] === "Bearer access-held" },
    handlers: {
      notImplemented: ({ api, operation, request }) => {
        const list = operation.path.slice(1)
        const { mock } = api.mockResponseForOperation(operation.operationId!)
        return { status: 200, body: bend(structuredClone(mock), list, Number([request.query["page"]].flat()[0] ?? 1)) }
      },
      unauthorizedHandler: () => ({ status: 401, body: {} }),
      validationFail: ({ validation }) => {
        refused.push(validation.errors)
        return { status: 400, body: { Message: JSON.stringify(validation.errors) } }
      },
      notFound: ({ request }) => {
        refused.push(request.path)
        return { status: 404, body: {} }
      }
    }
  })
  await api.init()
  const server = createServer((request, response) => {
    const { pathname, search, searchParams } = new URL(request.url!, "http://mock")
    asked.push({ list: pathname.split("/").pop()!, page: searchParams.get("page"), headers: request.headers })
    const headers = request.headers as Record<string, string>
    void api
      .handleRequest({ method: request.method!, path: pathname, query: search.slice(1), headers, body: undefined })
      .then(({ body, status }: { readonly status: number; readonly body: unknown }) => {
        response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body))
      })
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api.xro/2.0`
  const close = () => {
    server.close()
    server.closeAllConnections()
  }
  return { asked, refused, url, close }
}

/** What the connector reads of such a server, over a real connection. */
const read = async (
  bend: Parameters<typeof serve>[0],
  {
    after,
    reread
  }: {
    readonly after?: { readonly marks: Readonly<Record<string, number>> }
    readonly reread?: ReadonlyArray<string>
  } = {}
) => {
  const server = await serve(bend)
  const variable = { env: "XERO" }
  const settings = Schema.decodeUnknownSync(xero.settings)({
    tenant: "tenant-1",
    client_id: variable,
    client_secret: variable,
    url: server.url
  })
  const vault = vaultOf(seal({ access: "access-held", refresh: "refresh-held", expires: Date.now() + 1_800_000 }))
  const surroundings = { folder: ".", environment: { XERO: "x" }, vault }
  const pages: Stream.Stream<Omit<Page<unknown>, "bookmark">, unknown, never> = (
    reread === undefined ? xero.pull(settings, after, surroundings) : xero.reread!(settings, reread, surroundings)
  ).pipe(Stream.provide(Layer.merge(NodeFileSystem.layer, FetchHttpClient.layer)))
  const all = await Effect.runPromise(Stream.runCollect(pages))
  server.close()
  const documents = all.flatMap((page) => page.read.map(({ document }) => document))
  const quarantined = all.flatMap((page) => page.quarantined)
  const notices = all.flatMap((page) => page.notices ?? []).map(({ what }) => what)
  return { ...server, pages: all, documents, quarantined, notices }
}

/** A full page: the example's records over and over, each under an id of its own. */
const full = (answer: Answer, list: string): Answer => {
  const id = IDS[list]!
  const records = Array.from({ length: 100 }, (_, n) => ({
    ...answer[list][n % answer[list].length],
    [id]: `00000000-0000-0000-0000-${String(n).padStart(12, "0")}`
  }))
  return { ...answer, [list]: records }
}

const requestsOf = (asked: ReadonlyArray<Asked>) => asked.map(({ list, page }) => `${list} ${page}`)
const twice = Object.keys(IDS).flatMap((list) => [`${list} 1`, `${list} 2`])

describe("Xero's own document, served by a mock", () => {
  it("is read as it is: its examples become documents, and each list ends where it says so", async () => {
    const { quarantined, asked, documents, refused } = await read((answer) => answer)
    assert.deepStrictEqual(refused, [])
    assert.deepStrictEqual(quarantined, [])
    assert.deepStrictEqual(
      requestsOf(asked),
      Object.keys(IDS).map((list) => `${list} 1`)
    )
    const shown = documents.map((one) => (one.kind === "invoice" ? `${one.number} ${one.status}` : one.kind))
    assert.deepStrictEqual(shown, ["INV-0001 void", "INV-0002 paid", "INV-0003 open", "payment"])
  })

  it("ends where every page is the same full page and the pages are not counted", async () => {
    const { asked, documents, notices, refused } = await read((answer, list) => {
      const { pagination: _, ...rest } = full(answer, list)
      return rest
    })
    assert.deepStrictEqual(refused, [])
    assert.deepStrictEqual(requestsOf(asked), twice)
    assert.strictEqual(new Set(documents.filter(({ kind }) => kind === "invoice").map(({ id }) => id)).size, 100)
    assert.deepStrictEqual(notices, [])
  })

  it("ends where two pages take turns and the pages are not counted", async () => {
    const { asked, documents, refused } = await read((answer, list, page) => {
      const { pagination: _, ...rest } = full(answer, list)
      const id = IDS[list]!
      for (const one of rest[list]) one[id] = one[id].replace(/^0{8}/, `0000000${page % 2}`)
      return rest
    })
    assert.deepStrictEqual(refused, [])
    assert.deepStrictEqual(
      requestsOf(asked),
      Object.keys(IDS).flatMap((list) => [1, 2, 3].map((page) => `${list} ${page}`))
    )
    assert.strictEqual(documents.filter(({ kind }) => kind === "invoice").length, 300)
  })

  it("ends, and says so, where every page is the same full page and always one more is announced", async () => {
    const { asked, documents, notices, pages, refused } = await read((answer, list, page) => ({
      ...full(answer, list),
      pagination: { page, pageSize: 100, pageCount: page + 1, itemCount: 100_000 }
    }))
    assert.deepStrictEqual(refused, [])
    assert.deepStrictEqual(requestsOf(asked), twice)
    assert.strictEqual(new Set(documents.filter(({ kind }) => kind === "invoice").map(({ id }) => id)).size, 100)
    assert.strictEqual(notices.length, 5)
    assert.match(notices[0]!, /^a page was repeated although the source announced more/)
    assert.isAbove(pages.length, 0)
  })

  it("allows what is asked for changes and by id", async () => {
    const mark = Date.parse("2026-03-01T12:00:00Z")
    const marks = Object.fromEntries(Object.keys(IDS).map((list) => [list, mark]))
    const changes = await read((answer) => answer, { after: { marks } })
    assert.deepStrictEqual(changes.refused, [])
    for (const { headers } of changes.asked) assert.strictEqual(headers["if-modified-since"], "2026-03-01T11:55:00Z")
    const paid = "046d8a6d-1ae1-4b4d-9340-5601bdf41b87"
    const deleted = "11111111-1111-1111-1111-111111111111"
    const again = await read(
      (answer, list) => {
        for (const one of answer.Invoices ?? []) {
          if (one.InvoiceID === paid) one.CreditNotes = [{ CreditNoteID: "aea95d78-ea48-456b-9b08-6bc012600072" }]
        }
        for (const one of list === "CreditNotes" ? answer[list] : []) {
          one.Allocations = [{ Amount: 1.5, Date: one.Date, Invoice: { InvoiceID: paid } }]
        }
        return answer
      },
      { reread: [paid, deleted] }
    )
    assert.deepStrictEqual(again.refused, [])
    assert.deepStrictEqual(
      again.asked.map(({ list }) => list),
      ["Invoices", "CreditNotes"]
    )
    assert.includeMembers(
      again.documents.map(({ id, kind }) => `${kind}/${id}`),
      [`invoice/${paid}`, "payment/99ea7f6b-c513-4066-bc27-b7c65dcd76c2"]
    )
    assert.isTrue(again.documents.some(({ kind }) => kind === "credit_note"))
    assert.deepStrictEqual(
      again.pages[0]?.deleted?.map(({ id }) => id),
      [deleted]
    )
  })

  it("shows the same payment by itself and with its invoice", async () => {
    const pulled = await read((answer) => answer)
    const again = await read((answer) => answer, { reread: ["046d8a6d-1ae1-4b4d-9340-5601bdf41b87"] })
    const payment = ({ documents }: typeof pulled) => documents.find(({ kind }) => kind === "payment")
    assert.deepStrictEqual(payment(again), payment(pulled))
    assert.deepInclude(payment(pulled), {
      currency: "NZD",
      shares: [{ invoice: "046d8a6d-1ae1-4b4d-9340-5601bdf41b87", amount: 4600n * 10n ** 6n }]
    })
  })
})
