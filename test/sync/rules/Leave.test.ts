/** On whose word cover is bought: what a person rejected, who is insured, and what a restored file may lack. */
import { assert, describe, it } from "vitest"
import type { CoverQuote } from "../../../sync/model/Cover.ts"
import type { CoverSettings } from "../../../sync/model/CoverSettings.ts"
import { isSameParty, mayNameBuyer, namesBuyer } from "../../../sync/model/PartyName.ts"
import { nameProblem } from "../../../sync/model/PersonName.ts"
import type { RemoteInvoice } from "../../../sync/model/RemoteInvoice.ts"
import { offerDigest } from "../../../sync/rules/CoverParts.ts"
import { leaveFor } from "../../../sync/rules/CoverPurchase.ts"
import { invoice } from "../../support/Documents.ts"

const INVOICE = invoice({ party: { name: "Harbour Lane Bakery Ltd", country: "GB", regnum: "01234567" } })
const REMOTE: RemoteInvoice = {
  kind: "invoice",
  id: "tr-1",
  status: "pending",
  insured: false,
  fields: { currency: "GBP", net_amount: "1000.00" },
  postings: []
}
const SETTINGS: CoverSettings = { select: [{}], price: { currency: "GBP", per_month: "100.00" } }
const COMPANY = { id: "co-1", name: "Harbour Lane Bakery Ltd", country: "GB", numbers: ["01234567"] }
const QUOTE: CoverQuote = {
  id: "quo-1",
  status: "offered",
  price: { currency: "GBP", total: "22.40" },
  company: COMPANY
}

const by = (
  quote: CoverQuote,
  standing: Parameters<typeof leaveFor>[4] = {},
  settings: CoverSettings = SETTINGS,
  of = INVOICE
) => leaveFor(quote, of, REMOTE, settings, standing).by

const decided = (decision: "buy" | "reject", quote = QUOTE) => ({
  decision: { id: 1, decision, who: "Ada", beyondMonth: false, digest: offerDigest(quote, false) }
})

describe("an offer", () => {
  it("Q4: is bought within the limits where the insured company is the buyer, and by nobody where it is not known to be", () => {
    assert.strictEqual(by(QUOTE), "limits")
    for (const company of [
      null,
      undefined,
      { id: "co-1" },
      { id: "co-1", unread: true as const },
      { ...COMPANY, numbers: ["99999999"] },
      { ...COMPANY, country: "FR" },
      { ...COMPANY, name: "Another Bakery Ltd", numbers: [] }
    ]) {
      const { company: _, ...rest } = QUOTE
      assert.strictEqual(by(company === undefined ? rest : { ...rest, company }), "nobody", JSON.stringify(company))
    }
    const { regnum: _, ...party } = INVOICE.party
    const unnumbered = { ...INVOICE, party }
    assert.strictEqual(by(QUOTE, {}, SETTINGS, unnumbered), "limits")
    assert.strictEqual(by(QUOTE, {}, { ...SETTINGS, match: "registration_number" }, unnumbered), "nobody")
    assert.strictEqual(by(QUOTE, {}, { ...SETTINGS, match: "registration_number" }), "limits")
    assert.strictEqual(by(QUOTE, {}, { ...SETTINGS, match: "review" }), "nobody")
  })

  it("Q5: is bought on a person's word about exactly it, whoever the service matched", () => {
    const unmatched = { ...QUOTE, company: null }
    assert.strictEqual(by(unmatched, decided("buy", unmatched)), "person")
    // What was approved insured nobody who was named; this one names somebody.
    assert.strictEqual(
      by({ ...QUOTE, company: { ...COMPANY, id: "co-2", numbers: ["9"] } }, decided("buy", unmatched)),
      "nobody"
    )
    assert.strictEqual(by({ ...QUOTE, price: { currency: "GBP", total: "23.00" } }, decided("reject")), "limits")
    assert.strictEqual(by(QUOTE, decided("reject")), "nobody")
  })

  it("Q5: is not bought after a no to the invoice, nor after a restored file, until a person says so", () => {
    assert.strictEqual(by(QUOTE, { refused: { who: "Ada", at: 0 } }), "nobody")
    assert.strictEqual(by(QUOTE, { restored: true }), "nobody")
    assert.strictEqual(by(QUOTE, { ...decided("buy"), refused: { who: "Ada", at: 0 }, restored: true }), "person")
  })
})

describe("a buyer", () => {
  const party = { id: "C-7", name: "Café Zürich GmbH", country: "DE", regnum: "HRB 1234", vat: "DE123456789" }
  const SAME = [
    "C-7",
    "c-7",
    "hrb 1234",
    "DE123456789",
    "Cafe\u0301 Zu\u0308rich GmbH",
    "Café\u00a0Zürich  GmbH",
    " CAFÉ ZÜRICH GMBH ",
    "Café Zürich G.m.b.H.",
    "Café Zürich Gesellschaft mit beschränkter Haftung",
    "Caf\u200bé Zürich GmbH",
    "Café\u034f Zürich\ufe0f GmbH\u3164"
  ]

  it("is named by id, number or name, however the name is written", () => {
    for (const text of SAME) assert.isTrue(namesBuyer(text, party), text)
    for (const text of ["Café Zürich", "Café Zürich AG", "C-70", ""]) assert.isFalse(namesBuyer(text, party), text)
    assert.isTrue(mayNameBuyer("Café Zürich", party))
    assert.isTrue(namesBuyer("Acme Limited", { name: "ACME Ltd." }))
    assert.isTrue(namesBuyer("STRASSE & Söhne GmbH & Co. KG", { name: "Straße und Söhne GmbH und Co. KG" }))
  })

  it("is another one of the same name where the registers say so", () => {
    assert.isFalse(isSameParty({ name: "Acme Ltd", regnum: "1" }, { name: "Acme Ltd", regnum: "2" }))
    assert.isFalse(isSameParty({ name: "Acme Ltd", country: "GB" }, { name: "Acme Ltd", country: "IE" }))
    assert.isTrue(isSameParty({ name: "Acme Ltd" }, { name: "ACME LIMITED" }))
    assert.isFalse(isSameParty({ name: "Mrs Other" }, { name: "Acme Ltd" }))
  })
})

describe("the name of a person who decides", () => {
  it("is refused where nobody can read it", () => {
    for (const name of [
      "",
      " ",
      "\u200b",
      "\u2060\ufeff",
      "\u3164",
      "\uffa0\u115f",
      "\ufe0f\u034f",
      "\u0301",
      "Ada\nReed",
      "Ada\u2028Reed",
      "-",
      "\u202eAda",
      "x".repeat(201)
    ])
      assert.isString(nameProblem(name), JSON.stringify(name))
    for (const name of ["Ada Reed", "李雷", "Ó Súilleabháin", "J.-P. d'Arc", "Ada (erp)"])
      assert.isUndefined(nameProblem(name), name)
  })
})
