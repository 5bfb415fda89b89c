/** The first records of a source, before anything is stored: how much is read, what they come to, and what is shown of them. */
import { assert, describe, it } from "@effect/vitest"
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import { Effect, Layer, Schema, Stream } from "effect"
import { FetchHttpClient } from "effect/http"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Connector, Page } from "../../../connectors/Connector.ts"
import { files } from "../../../connectors/files/Files.ts"
import { quickly, simulate } from "../../../connectors/testing/Simulator.ts"
import { type Subject, vaultOf } from "../../../connectors/testing/Subject.ts"
import * as Decimal from "../../../core/money/Decimal.ts"
import type { Connection } from "../../../sync/model/Connection.ts"
import * as Preview from "../../../sync/pull/Preview.ts"
import { creditNote, invoice, payment, planning } from "../../support/Documents.ts"
import { samples } from "../../support/Samples.ts"
import { type Bookmark, connection, connector, read, whole } from "../Source.ts"

const outside = Layer.merge(NodeFileSystem.layer, FetchHttpClient.layer)
const PLACE = { folder: ".", environment: {} }

const look = (source: Connector, options?: Preview.PreviewOptions) =>
  Effect.runPromise(Preview.preview(PLACE, connection(source), ":memory:", options).pipe(Effect.provide(outside)))

const written = ({ amount, open, ...sum }: Preview.PreviewSum) => ({
  ...sum,
  ...(amount === undefined ? {} : { amount: Decimal.format(amount) }),
  ...(open === undefined ? {} : { open: `${Decimal.format(open.amount)} of ${open.documents}` })
})

describe("a preview", () => {
  it("adds documents up by kind, status and currency, each once, with what the source says is open", async () => {
    const found = await look(
      whole(() => [
        invoice({ id: "I1", gross: "120", currency: "EUR", stated: { open: Decimal.of("20") } }),
        invoice({ id: "I2", gross: "80.5", currency: "EUR", stated: { paid: Decimal.of("80") } }),
        invoice({ id: "I3", gross: "7", currency: "EUR", status: "void" }),
        payment("P1", "100", "2026-01-10", { currency: "EUR" }),
        payment("P1", "90", "2026-01-10", { currency: "EUR" }),
        creditNote("C1", { I2: "1" })
      ])
    )
    const { documents, sums, whole: all } = found
    assert.deepStrictEqual([all, documents], [true, 5])
    assert.deepStrictEqual(sums.map(written), [
      { kind: "invoice", status: "open", currency: "EUR", documents: 2, amount: "200.5", open: "20.5 of 2" },
      { kind: "invoice", status: "void", currency: "EUR", documents: 1, amount: "7" },
      { kind: "payment", currency: "EUR", documents: 1, amount: "90" },
      { kind: "credit_note", currency: "EUR", documents: 1, amount: "1" }
    ])
  })

  it("shows some of each kind, and documents of one record together", async () => {
    const one = read(invoice({ id: "I1" }), 1)
    const settled = { ...read(payment("P1", "1"), 1), raw: one.raw }
    const others = Array.from({ length: 30 }, (_, n) => read(invoice({ id: `J${n}` }), n + 2))
    const page = {
      read: [one, settled, ...others, read(payment("P2", "1"), 99)],
      quarantined: [],
      bookmark: { page: 1 }
    }
    const { rows } = await look(
      connector(() => Stream.fromIterable([page] as ReadonlyArray<Page<Bookmark>>)),
      { show: 5 }
    )
    assert.deepStrictEqual(
      rows.map(({ documents }) => documents.map(({ id }) => id)),
      [["I1", "P1"], ["J0"], ["J1"], ["P2"]]
    )
  })

  it("leaves a source that does not keep to it after so many records in all, and says so", async () => {
    const all = Array.from({ length: 60 }, (_, n) => invoice({ id: `I${n}` }))
    const { documents, whole: seen } = await look(
      whole(() => all),
      { first: 20 }
    )
    assert.deepStrictEqual([seen, documents], [false, 20])
  })
})

/** A connection to a sample's simulated source, with these variables. */
const sampled = async ({ connector: source, settings }: Subject): Promise<Connection> => ({
  ...connection(source, planning),
  settings: await Effect.runPromise(Schema.decodeUnknownEffect(source.settings as Schema.Codec<unknown>)(settings))
})

describe("a preview of a source over HTTP", () => {
  for (const [name, load] of Object.entries(samples)) {
    it(`reads ${name} with its key, and is refused without one`, async (context) => {
      const { subject } = await load()
      const stage = subject.open()
      if (stage.source === undefined || subject.oauth !== undefined) {
        stage.close?.()
        return context.skip()
      }
      const { layer } = simulate(stage.source, { size: 100 })
      const its = await sampled(subject)
      const read = (environment: Readonly<Record<string, string>>) =>
        Effect.runPromise(
          quickly(Preview.preview({ folder: ".", environment }, its, ":memory:")).pipe(
            Effect.result,
            Effect.provide(Layer.merge(NodeFileSystem.layer, layer))
          )
        )
      const found = await read(subject.environment ?? {})
      assert.strictEqual(found._tag, "Success")
      if (found._tag === "Success") assert.strictEqual(found.success.documents, subject.golden.length)
      const refused = await read({})
      assert.strictEqual(refused._tag === "Failure" && refused.failure.reason._tag, "Misconfigured")
    })
  }

  it("asks Xero for the first records of each of its lists", async () => {
    const { subject } = await samples["xero"]!()
    const { source } = subject.open()
    const { asked, layer } = simulate(source!, { size: 2 })
    const its = await sampled(subject)
    const surroundings = {
      folder: ".",
      environment: subject.environment ?? {},
      vault: vaultOf(subject.oauth!.held),
      first: 2
    }
    await Effect.runPromise(
      quickly(Stream.runDrain(its.connector.pull(its.settings, undefined, surroundings))).pipe(
        Effect.provide(Layer.merge(NodeFileSystem.layer, layer))
      )
    )
    assert.deepStrictEqual(
      asked.map(({ path, query }) => `${path.split("/").at(-1)} ${query.get("page")}`),
      ["Invoices 1", "CreditNotes 1", "Overpayments 1", "Prepayments 1", "Payments 1"]
    )
  })
})

describe("a preview of a source with several lists", () => {
  const first = async (name: "tryton" | "woocommerce", member: string) => {
    const { subject } = await samples[name]!()
    const source = subject.open().source!
    const { records } = source.lists[member]!
    const { asked, layer } = simulate(source, { size: 1 })
    const its = await sampled(subject)
    const found = await Effect.runPromise(
      quickly(
        Preview.preview({ folder: ".", environment: subject.environment ?? {} }, its, ":memory:", { first: 2 })
      ).pipe(Effect.provide(Layer.merge(NodeFileSystem.layer, layer)))
    )
    return { asked, found, records }
  }

  it("takes the first of each list of Tryton, and says that it was not read to its end", async () => {
    const { asked, found, records } = await first("tryton", "lines")
    assert.isAbove(records.length, 2)
    assert.isFalse(found.whole)
    const lists = asked.flatMap(({ body }) => {
      const model = /model\.(account\.[a-z.]+)\.search_read/.exec(body)?.[1]
      return model !== undefined && body.includes('["id",">",') ? [model] : []
    })
    assert.deepStrictEqual(lists, ["account.invoice", "account.invoice", "account.move.line", "account.move.line"])
  })

  it("takes the first of each list of WooCommerce, and says that it was not read to its end", async () => {
    const { asked, found, records } = await first("woocommerce", "orders")
    assert.isAbove(records.length, 2)
    assert.isFalse(found.whole)
    const pages = asked.flatMap(({ path, query }) => (path.endsWith("/orders") ? [query.get("page")] : []))
    assert.deepStrictEqual(pages, ["1", "2"])
    assert.include(
      asked.map(({ path }) => path.split("/").at(-1)),
      "refunds"
    )
  })
})

describe("a preview of files", () => {
  it("reads the first rows of each, and compares no total with a part of its rows", async () => {
    const folder = mkdtempSync(join(tmpdir(), "daybook-preview-"))
    const rows = Array.from({ length: 40 }, (_, n) => `INV-${n},Buyer,2026-03-01,2026-03-31,10.00`)
    writeFileSync(join(folder, "invoices.csv"), ["Id,Buyer,Issued,Due,Gross", ...rows, "Total,,,,400.00"].join("\n"))
    writeFileSync(join(folder, "payments.csv"), "Id,Invoice,Date,Amount\nP-1,INV-1,2026-03-05,10.00\n")
    const settings = {
      invoices: {
        path: "invoices.csv",
        columns: { id: "Id", customer: "Buyer", issued: "Issued", due: "Due", gross: "Gross" },
        currency: "GBP"
      },
      payments: { path: "payments.csv", columns: { id: "Id", invoice: "Invoice", date: "Date", amount: "Amount" } }
    }
    const its = { ...connection(files), settings: Schema.decodeUnknownSync(files.settings)(settings) }
    const read = (first: number) =>
      Effect.runPromise(
        Preview.preview({ folder, environment: {} }, its, ":memory:", { first }).pipe(Effect.provide(outside))
      )
    const part = await read(15)
    assert.deepStrictEqual([part.whole, part.documents, part.quarantined], [false, 16, []])
    const all = await read(1000)
    assert.deepStrictEqual([all.whole, all.documents, all.quarantined], [true, 41, []])
    rmSync(folder, { recursive: true })
  })
})
