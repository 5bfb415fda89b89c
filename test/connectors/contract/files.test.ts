/** The file of a document from sources over HTTP: a copy of an invoice, as bytes, bounded; refusals are explained. */
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import { Effect, Exit, Layer, Schema, Stream } from "effect"
import { describe, expect, it } from "vitest"
import type { Kind } from "../../../connectors/Document.ts"
import { subject as quickbooks } from "../../../connectors/quickbooks/Sample.ts"
import { simulate, type Subject, vaultOf } from "../../../connectors/testing/index.ts"
import { type Asked, quickly } from "../../../connectors/testing/Simulator.ts"
import { subject as xero } from "../../../connectors/xero/Sample.ts"

/** No UTF-8: whoever makes a text of it changes it. */
const PDF = Buffer.concat([Buffer.from("%PDF-1.7\n"), Buffer.from([0xff, 0xfe, 0x00, 0x80]), Buffer.from("\n%%EOF")])

const LARGEST = 1 << 20

const files = async (
  subject: Subject,
  kind: Kind,
  id: string,
  instead: (asked: Asked, n: number) => Response | undefined
) => {
  const { connector, environment, oauth, open } = subject
  const { asked, layer } = simulate(open().source!, { instead })
  const settings = Schema.decodeUnknownSync(Schema.toCodecJson(connector.settings))(subject.settings)
  const context = { folder: ".", environment: environment ?? {}, vault: vaultOf(oauth?.held) }
  const read = connector.documents!(settings, { kind, id }, context, LARGEST).pipe(
    Stream.runCollect,
    Effect.provide(Layer.merge(layer, NodeFileSystem.layer))
  )
  const exit = await Effect.runPromise(Effect.exit(quickly(read)))
  return {
    asked,
    found: Exit.isSuccess(exit) ? [...exit.value] : [],
    error: Exit.isFailure(exit) ? exit.cause : undefined
  }
}

describe.each([
  { subject: xero, id: "inv-1", path: "/api.xro/2.0/Invoices/inv-1" },
  { subject: quickbooks, id: "101", path: "/v3/company/4620816365/invoice/101/pdf" }
])("the copy of an invoice from $subject.connector.name", ({ id, path, subject }) => {
  const pdf = () => new Response(new Uint8Array(PDF), { headers: { "content-type": "application/pdf" } })

  it("is asked for as a PDF, and comes byte by byte", async () => {
    const { asked, found } = await files(subject, "invoice", id, (one) => (one.path === path ? pdf() : undefined))
    expect(found).toEqual([{ name: `${id}.pdf`, bytes: PDF }])
    expect(asked.map(({ headers, method, path }) => [method, path, headers["accept"]])).toEqual([
      ["GET", path, "application/pdf"]
    ])
  })

  it("is not there where the source has none, and is not asked for of anything else", async () => {
    const none = () => new Response(null, { status: 404 })
    const answer = await files(subject, "invoice", "nobody", (one) =>
      one.path.includes("nobody") ? none() : undefined
    )
    expect([answer.error, answer.found]).toEqual([undefined, []])
    expect((await files(subject, "payment", "pay-1", pdf)).asked).toEqual([])
  })

  it("that is too large fails, with its limit", async () => {
    const large = () => new Response(new Uint8Array(LARGEST + 1))
    expect(String((await files(subject, "invoice", id, large)).error)).toContain("is larger than 1 MB")
  })

  it("waits where the source asks to wait, and renews its token", async () => {
    const { found } = await files(subject, "invoice", id, (one, n) =>
      one.path !== path
        ? undefined
        : n === 1
          ? new Response("{}", { status: 429, headers: { "retry-after": "1" } })
          : n === 2
            ? new Response("{}", { status: 401 })
            : pdf()
    )
    expect(found).toHaveLength(1)
  })

  it("that may not be read says what to do", async () => {
    const refused = () => new Response("{}", { status: 403 })
    const { error } = await files(subject, "invoice", id, (one) => (one.path === path ? refused() : undefined))
    expect(String(error)).toMatch(/Misconfigured|may not read|check/)
  })
})
