/** NetSuite: what was applied to an invoice, payments that name it later, and how a client proves who it is. */
import { assert, describe, it } from "@effect/vitest"
import { constants, generateKeyPairSync, verify } from "node:crypto"
import { assertion } from "../../../connectors/Assertion.ts"
import { subject } from "../../../connectors/netsuite/Sample.ts"
import * as Mapping from "../../../connectors/netsuite/Mapping.ts"
import * as Json from "../../../connectors/Json.ts"
import { bookmark, fold, run } from "../../../connectors/testing/index.ts"

const invoice = {
  ...{
    id: "7",
    tranid: "INV7",
    status: "CustInvc:A",
    posting: "T",
    voided: "F",
    trandate: "2026-01-31",
    currency: "GBP"
  },
  ...{ foreigntotal: "100", foreignamountunpaid: "40", entity: "1", name: "A Ltd" }
}
const link = {
  id: "9",
  type: "CustPymt",
  posting: "T",
  voided: "F",
  trandate: "2026-02-03",
  currency: "GBP",
  amount: "60"
}
const mapped = (more: object, invoiced: object = {}) =>
  Mapping.invoice(new Json.Fields({ ...invoice, ...invoiced, applied: [{ ...link, ...more }] }))
const kinds = (more: object) => mapped(more).documents.map(({ kind }) => kind)

describe("netsuite", () => {
  it("tells money from credit, and says of a journal entry that it cannot", () => {
    assert.deepStrictEqual(kinds({}), ["invoice", "payment"])
    assert.deepStrictEqual(kinds({ type: "DepAppl" }), ["invoice", "payment"])
    assert.deepStrictEqual(kinds({ type: "CustCred" }), ["invoice", "credit_note"])
    for (const more of [{ posting: "F" }, { voided: "T" }, { type: "Journal" }, { amount: "0" }])
      assert.deepStrictEqual(kinds(more), ["invoice"])
    assert.match(String(mapped({ type: "Journal" }).notices), /lowers this invoice by 60\.00 GBP/)
  })

  it("quarantines what it does not know, and payments of another currency", () => {
    assert.throws(() => mapped({ type: "CustRfnd" }), /not a known type of transaction/)
    assert.throws(() => mapped({ currency: "EUR" }), /of 9 is EUR; the invoice's is GBP/)
    assert.throws(() => mapped({ amount: "-1" }), /of 9 is below 0/)
    assert.throws(() => mapped({ voided: "maybe" }), /not a known "T" or "F"/)
    assert.throws(() => mapped({}, { status: "CustInvc:Z" }), /not a known status/)
    assert.throws(() => mapped({}, { foreignamountunpaid: undefined }), /is missing/)
  })

  it("reads an invoice again where a payment that was applied to it changed, and deletes what it no longer has", async () => {
    const stage = subject.open()
    const first = await run(subject, stage)
    const before = fold(first.pages)
    const { invoices, links } = stage.source!.lists
    links!.records.push({ ...links!.records[0], link: 70_007_090_020, invoice: 70_007, id: 90_020, amount: "9.99" })
    links!.records.at(-1).modified = "2026-03-01 13:00:00"
    invoices!.records.at(-1).foreignamountunpaid = "90"
    const next = await run(subject, stage, { after: bookmark(subject.connector, first.pages.at(-1)!) })
    const after = fold(next.pages, before)
    assert.include(after.get("payment/90020/70007"), `"amount":"999000000n"`)
    assert.include(after.get("invoice/70007"), `"stated":{"open":"9000000000n"}`)

    const undone = await run(subject, stage, { reread: [stage.edit!()] })
    assert.isFalse(fold(undone.pages, after).has("payment/90001/70001"))
  })

  it("signs with an RSA key as it does with one of a curve, and says so where there is none", async () => {
    const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 })
    const pem = String(privateKey.export({ type: "pkcs8", format: "pem" }))
    const [head = "", claims = "", signature = ""] = assertion({ iss: "a", aud: "b" }, "c", pem, 1_000_000).split(".")
    const pss = { key: publicKey, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 32 }
    assert.isTrue(verify("sha256", Buffer.from(`${head}.${claims}`), pss, Buffer.from(signature, "base64url")))
    assert.strictEqual(JSON.parse(Buffer.from(head, "base64url").toString()).alg, "PS256")
    const { error } = await run({ ...subject, environment: { ID: "sample-client", KEY: "none" } }, subject.open())
    assert.match(String(error?.message), /its private key cannot be read/)
  })
})
