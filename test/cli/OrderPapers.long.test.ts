/**
 * Invoices and credit notes of the books go to the documents of their orders, over the command: once each, and never for a capture
 * that was not made. An order is four chairs, 100.00.
 */
import { readFileSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import type { ChildProcess } from "node:child_process"
import { ofType, useCommand } from "../support/Cli.ts"
import { shop } from "../support/Shop.ts"

useCommand()

const LIMIT = { timeout: 90_000 }

interface Attached {
  readonly doc_type: string
  readonly amount: number
  readonly name: string
}

const INVOICES = "Invoice,Order,Buyer,Issued,Due,Gross,Status"
const NOTES = "Note,Invoice,Date,Gross"
const row = (id: string, order: string, gross: string, status: "open" | "void" = "open") =>
  `${id},${order},Bakery Ltd,2026-03-02,2026-04-02,${gross},${status}`
const pdf = (of: string): string => `%PDF-1.4\n% ${of}\n%%EOF\n`

/** A shop with one paid order, and its books in files beside it. */
const desk = async (orders: object = {}) => {
  const made = await shop({})
  const { here, sell, there } = made
  const owner = { organisation: { unique_id: "shop", name: "Shop", registered: "2024-01-01T00:00:00Z" } }
  const settings = JSON.parse(readFileSync(here.path("daybook.config.json"), "utf8")) as {
    readonly connections: ReadonlyArray<object>
  }
  const documents = { from: "books", invoice: "pdf/{number}.pdf", credit_note: "pdf/{number}.pdf" }
  const [first] = settings.connections
  const books = {
    id: "books",
    source: {
      connector: "files",
      invoices: {
        path: "invoices.csv",
        columns: { id: "Invoice", customer: "Buyer", issued: "Issued", due: "Due", gross: "Gross", status: "Status" },
        metadata: { order: "Order" },
        currency: "GBP"
      },
      credit_notes: {
        path: "notes.csv",
        columns: { id: "Note", invoice: "Invoice", date: "Date", gross: "Gross" },
        currency: "GBP"
      }
    },
    // They are read for their orders, and not sent.
    scope: { currencies: [] },
    owner,
    first_sync: "send"
  }
  const shopped = { ...first, orders: { documents, ...orders } }
  here.write("daybook.config.json", JSON.stringify({ ...settings, connections: [shopped, books] }))
  const keep = (invoices: ReadonlyArray<string>, notes: ReadonlyArray<string> = []) => {
    here.write("invoices.csv", [INVOICES, ...invoices, ""].join("\n"))
    here.write("notes.csv", [NOTES, ...notes, ""].join("\n"))
  }
  const payment = await sell("N-1")
  const { order } = (await made.ask("GET", `/v1/payment/deferred_payments/${payment}`)) as { readonly order: string }
  return {
    ...made,
    keep,
    payment,
    file: (name: string, of = name) => here.write(`pdf/${name}.pdf`, pdf(of)),
    fault: (kind: string, more: object = {}) =>
      there.control("POST", "faults", { method: "PUT", path: "/v1/payment/orders", kind, ...more }),
    attached: async () =>
      (await there.control<ReadonlyArray<Attached>>("GET", `orders/${order}/documents`)).map(
        ({ amount, doc_type, name }) => `${doc_type} ${name} ${amount}`
      )
  }
}

const order = (payment: string, status: "open" | "closed" = "open") => ({ id: "1", payment, status })
const parcel = (id: string, chairs: number) => ({ id, of: "1", chairs })

describe("the documents of an order", LIMIT, () => {
  it("O8: go after the capture that they belong to, in the same sync, once each", async () => {
    const { attached, file, keep, payment, sync, write } = await desk()
    keep([row("INV-1", "N-1", "25.00"), row("INV-2", "N-1", "75.00"), row("INV-9", "N-9", "10.00")])
    for (const name of ["INV-1", "INV-2", "INV-9"]) file(name)
    write({ orders: [order(payment)] })
    assert.deepStrictEqual(await sync(), [])
    assert.deepStrictEqual(await attached(), [])
    write({ orders: [order(payment)], parcels: [parcel("P1", 1)] })
    assert.deepStrictEqual(await sync(), [])
    assert.deepStrictEqual(await attached(), ["invoice INV-1.pdf 2500"])
    write({ orders: [order(payment)], parcels: [parcel("P1", 1), parcel("P2", 3)] })
    assert.deepStrictEqual(await sync(), [])
    assert.deepStrictEqual(await attached(), ["invoice INV-1.pdf 2500", "invoice INV-2.pdf 7500"])
    assert.deepStrictEqual(await sync(), [])
    assert.lengthOf(await attached(), 2)
  })

  it("are never for a capture that was not made, nor for an order that is only watched", async () => {
    const { attached, file, keep, payment, sync, there, write } = await desk()
    keep([row("INV-1", "N-1", "100.00")])
    file("INV-1")
    await there.control("POST", "faults", { method: "POST", path: "/v1/payment/deferred", kind: "status", status: 400 })
    write({ orders: [order(payment)], parcels: [parcel("P1", 4)] })
    assert.lengthOf(await sync(), 1)
    assert.deepStrictEqual(await attached(), [])

    const other = await desk({ captures: "shop" })
    other.keep([row("INV-1", "N-1", "100.00")])
    other.file("INV-1")
    await other.byHand(other.payment, "capture", 10_000)
    other.write({ orders: [order(other.payment)], parcels: [parcel("P1", 4)] })
    assert.deepStrictEqual(await other.sync(), [])
    assert.deepStrictEqual(await other.attached(), [])
  })

  it("of less than was captured go once as well", async () => {
    const { attached, file, keep, payment, sync, there, write } = await desk()
    keep([row("INV-1", "N-1", "60.00")])
    file("INV-1")
    write({ orders: [order(payment)], parcels: [parcel("P1", 4)] })
    for (let n = 0; n < 2; n++) assert.deepStrictEqual(await sync(), [])
    assert.deepStrictEqual(await attached(), ["invoice INV-1.pdf 6000"])
    assert.lengthOf(
      (await there.calls()).filter(({ method }) => method === "PUT"),
      1
    )
  })

  it("of one file go once, and one outside the folder or of another type is named", async () => {
    const { attached, file, here, keep, payment, sync, write } = await desk()
    const numbers = ["A", "B", "../../x", "PAGE"]
    keep(numbers.map((number) => row(number, "N-1", "25.00")))
    for (const name of ["A", "B"]) file(name, "the same")
    here.write("pdf/PAGE.pdf", "<html></html>")
    write({ orders: [order(payment, "closed")], parcels: [parcel("P1", 4)] })
    const found = await sync()
    assert.lengthOf(found, 2)
    assert.include(found[0], "is not in the configuration's folder; write orders.documents.invoice so that it is")
    assert.include(found[1], "PAGE.pdf: the file is not a PDF")
    assert.deepStrictEqual(await attached(), ["invoice A.pdf 2500"])
  })

  it("of a credit note go once its money went back, after its invoice", async () => {
    const { attached, file, keep, payment, sync, write } = await desk()
    keep([row("INV-1", "N-1", "100.00")], ["CN-1,INV-1,2026-03-09,25.00"])
    for (const name of ["INV-1", "CN-1"]) file(name)
    const parcels = [parcel("P1", 4)]
    write({ orders: [order(payment, "closed")], parcels })
    assert.deepStrictEqual(await sync(), [])
    assert.deepStrictEqual(await attached(), ["invoice INV-1.pdf 10000"])
    write({ orders: [order(payment, "closed")], parcels, returns: [{ id: "R1", of: "1", chairs: 1, day: 9 }] })
    assert.deepStrictEqual(await sync(), [])
    assert.deepStrictEqual(await attached(), ["invoice INV-1.pdf 10000", "credit_note CN-1.pdf 2500"])
  })

  it("of the whole order go once nothing more will be captured, though a part was voided", async () => {
    const { attached, file, keep, payment, sync, write } = await desk()
    keep([row("INV-1", "N-1", "100.00")], ["CN-1,INV-1,2026-03-04,25.00"])
    for (const name of ["INV-1", "CN-1"]) file(name)
    write({ orders: [order(payment)], parcels: [parcel("P1", 3)] })
    assert.deepStrictEqual(await sync(), [])
    assert.deepStrictEqual(await attached(), [])
    write({
      orders: [order(payment)],
      parcels: [parcel("P1", 3)],
      cancellations: [{ id: "C1", of: "1", chairs: 1, day: 4 }]
    })
    assert.deepStrictEqual(await sync(), [])
    assert.deepStrictEqual(await attached(), ["invoice INV-1.pdf 10000", "credit_note CN-1.pdf 2500"])
  })

  it("are there once although the answer was lost, or Daybook was killed before it came", async () => {
    const { attached, differs, fault, file, here, keep, payment, sync, there, write } = await desk()
    keep([row("INV-1", "N-1", "25.00"), row("INV-2", "N-1", "75.00")])
    for (const name of ["INV-1", "INV-2"]) file(name)
    await fault("lose_response", { times: 1 })
    write({ orders: [order(payment)], parcels: [parcel("P1", 1)] })
    assert.deepStrictEqual(await sync(), [])
    assert.deepStrictEqual(await attached(), ["invoice INV-1.pdf 2500"])

    await fault("lose_response", { times: 1 })
    write({ orders: [order(payment)], parcels: [parcel("P1", 1), parcel("P2", 3)] })
    const puts = async () => (await there.calls()).filter(({ method }) => method === "PUT")
    const before = (await puts()).length
    const onStart = (child: ChildProcess): void => {
      const look = setInterval(async () => {
        if ((await puts()).length === before) return
        clearInterval(look)
        child.kill("SIGKILL")
      }, 20)
    }
    const killed = here.runWith({ onStart }, "sync")
    assert.strictEqual((await killed).signal, "SIGKILL")
    assert.deepStrictEqual(await sync(), [])
    assert.deepStrictEqual(await attached(), ["invoice INV-1.pdf 2500", "invoice INV-2.pdf 7500"])
    assert.isFalse(await differs())
    const keys = (await puts()).map((one) => one.idempotency_key)
    assert.strictEqual(new Set(keys).size, 2)
  })

  it("whose answer never came are sent by the next sync, and nothing waits after it", async () => {
    const { attached, fault, file, here, keep, payment, there, write } = await desk()
    keep([row("INV-1", "N-1", "100.00")])
    file("INV-1")
    await fault("lose_response")
    write({ orders: [order(payment)], parcels: [parcel("P1", 4)] })
    assert.strictEqual((await here.run("sync")).status, 1)
    await there.control("DELETE", "faults")
    const ran = await here.run("sync", "--json")
    assert.deepStrictEqual([ran.status, ofType(ran, "orders")[0]?.["pending"]], [0, undefined])
    assert.deepStrictEqual(await attached(), ["invoice INV-1.pdf 10000"])
  })

  it("that change once they are attached stay as they are, and one in the place of a void one goes as well", async () => {
    const { attached, file, keep, payment, sync, write } = await desk()
    keep([row("INV-1", "N-1", "50.00")])
    file("INV-1")
    const half = { orders: [order(payment)], parcels: [parcel("P1", 2)] }
    write(half)
    assert.deepStrictEqual(await sync(), [])
    file("INV-1", "printed anew")
    assert.deepStrictEqual(await sync(), [])
    assert.deepStrictEqual(await attached(), ["invoice INV-1.pdf 5000"])

    keep([row("INV-1", "N-1", "50.00", "void"), row("INV-2", "N-1", "50.00"), row("INV-3", "N-1", "50.00")])
    for (const name of ["INV-2", "INV-3"]) file(name)
    for (let n = 0; n < 2; n++) assert.deepStrictEqual(await sync(), [])
    assert.deepStrictEqual(await attached(), ["invoice INV-1.pdf 5000", "invoice INV-2.pdf 5000"])
    write({ orders: [order(payment, "closed")], parcels: [parcel("P1", 4)] })
    assert.deepStrictEqual(await sync(), [])
    assert.deepStrictEqual(
      await attached(),
      ["INV-1", "INV-2", "INV-3"].map((name) => `invoice ${name}.pdf 5000`)
    )
  })

  it("that are not there are named, and go once they are", async () => {
    const { attached, file, keep, payment, sync, write } = await desk()
    keep([row("INV-1", "N-1", "100.00")])
    write({ orders: [order(payment)], parcels: [parcel("P1", 4)] })
    const why = "invoice INV-1: pdf/INV-1.pdf was not found; add the file"
    assert.deepStrictEqual(await sync(), [`shop/order/1: it cannot be attached to the order: ${why}`])
    file("INV-1")
    assert.deepStrictEqual(await sync(), [])
    assert.deepStrictEqual(await attached(), ["invoice INV-1.pdf 10000"])
  })
})
