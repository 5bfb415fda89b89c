/** Reports of what failed: Bacs ARUDD and DDICA, and pain.002. */
import { describe, expect, it } from "vitest"
import * as Decimal from "../../../core/money/Decimal.ts"
import { arudd, coda, ddica, pain002 } from "./NationalFiles.ts"
import { pull } from "./support.ts"

const read = async (text: string, settings: object = {}) => {
  const { documents, pages, quarantined } = await pull(
    { "bank/a.xml": text },
    { payments: { path: "bank", ...settings } }
  )
  return {
    documents: documents.map((one) =>
      one.kind === "reversal" || one.kind === "payment"
        ? { ...one, shares: undefined, unallocated: Decimal.format(one.unallocated ?? 0n, 2) }
        : one
    ),
    why: quarantined.map(({ origin, why }) => `${origin}: ${why}`),
    notices: pages.flatMap(({ notices = [] }) => notices.map(({ what }) => what))
  }
}

describe("ARUDD", () => {
  const items = [
    { ref: "INV-2000", pence: 79_789 },
    { ref: "INV-2001", pence: 49_433, code: "1012", says: "INSTRUCTION CANCELLED", payer: "CAFÉ SÜD" }
  ]

  it("has reversals, with the reason and what was collected", async () => {
    const { documents, notices, why } = await read(arudd(items))
    expect([why, notices]).toEqual([[], []])
    expect(documents).toMatchObject([
      {
        kind: "reversal",
        date: "2026-03-04",
        currency: "GBP",
        unallocated: "797.89",
        type: "error",
        providerCode: "1010",
        details: "ATELIER NORD; INV-2000; REFER TO PAYER",
        collected: { reference: "INV-2000", day: "2026-03-02" }
      },
      { unallocated: "494.33", providerCode: "1012" }
    ])
    expect(documents[0]?.id).toMatch(/^GB11223312345678:2026-03-04:-797\.89:/)
  })

  it("is quarantined with the rule where its totals are not met, and in part where an amount cannot be read", async () => {
    const sum = await read(arudd(items, { sum: 129_221 }))
    expect(sum.documents).toEqual([])
    expect(sum.why).toEqual([
      "bank/a.xml:6: its totals (Totals, line 10) say 2 items of 1292.21 GBP, and it has 2 of 1,292.22 GBP: get the report from Bacs again"
    ])
    const large = arudd([{ ref: "R-9", pence: 123_450 }]).replaceAll('"1234.50"', '"1,234.50"')
    expect((await read(large)).documents).toMatchObject([{ kind: "reversal", unallocated: "1234.50" }])
    expect((await read(arudd(items, { count: 3 }))).why[0]).toContain("say 3 items")
    const odd = await read(arudd(items).replace('valueOf="797.89"', 'valueOf="7x7.89"'))
    expect(odd.documents).toMatchObject([{ unallocated: "494.33" }])
    expect(odd.why[0]).toContain('"7x7.89" is not a decimal number')
    expect((await read(arudd(items, { day: "2026-02-30" }))).why[0]).toContain("is missing")
  })

  it("that lost its accounts, or has one twice, is said to be", async () => {
    const text = arudd(items)
    const [records = ""] = /<OriginatingAccountRecords>[\s\S]*<\/OriginatingAccountRecords>/.exec(text) ?? []
    expect((await read(text.replace(records, ""))).notices).toEqual([
      "a report of Bacs has no totals, so that its items were not counted"
    ])
    expect((await read(text.replace(records, records + records))).why).toEqual([
      expect.stringMatching(/the file has the report of this account twice: get it from Bacs again$/)
    ])
  })

  it("of another kind is about mandates, and said to be left out", async () => {
    const other = arudd([]).replace(
      /<ARUDD>.*<\/ARUDD>/s,
      "<MessagingAdvices><MessagingAdvice reference='X'/></MessagingAdvices>"
    )
    expect(await read(other)).toEqual({
      documents: [],
      why: [],
      notices: [
        "a report of Bacs that is not about failed debits (MessagingAdvices): no money moved, and it is left out"
      ]
    })
  })
})

describe("DDICA", () => {
  const claims = [
    {
      ref: "ACME-77",
      of: [
        ["2026-01-30", 6500],
        ["2026-02-27", 125_000]
      ] as const
    }
  ]

  it("has a chargeback for each collection that is claimed, with its day", async () => {
    const { documents, why } = await read(ddica(claims), { accounts: ["GB11223312345678"] })
    expect(why).toEqual([])
    expect(documents).toMatchObject([
      {
        kind: "reversal",
        date: "2026-06-10",
        unallocated: "65.00",
        type: "chargeback",
        providerCode: "5",
        collected: { reference: "ACME-77", day: "2026-01-30" }
      },
      { unallocated: "1250.00", collected: { day: "2026-02-27" } }
    ])
  })

  it("is quarantined where its sums are not met, and where cancelled claims have no day", async () => {
    expect((await read(ddica(claims, { more: 1 }))).why[0]).toContain(
      "its claims come to 1,315.00 GBP, and its total says 1315.01 GBP"
    )
    const odd = await read(ddica(claims).replace("<Amount>65.00", "<Amount>56.00"))
    expect([odd.documents, odd.why[0]]).toEqual([[], expect.stringContaining("do not add up to its TotalAmount")])
    const back = await read(ddica(claims, { cancelled: true }))
    expect([back.documents, back.why[0]]).toEqual([[], expect.stringContaining("is missing")])
    const dated = ddica(claims, { cancelled: true }).replace(
      "<Cancellations>",
      "<Cancellations><DateOfCredit>2026-06-20</DateOfCredit>"
    )
    expect((await read(dated)).documents).toMatchObject([
      { kind: "payment", date: "2026-06-20", unallocated: "65.00", reference: "ACME-77" },
      { kind: "payment", unallocated: "1250.00" }
    ])
  })
})

describe("pain.002", () => {
  const debits = [
    { id: "E2E-1", amount: "119.00", status: "RJCT" },
    { id: "E2E-2", amount: "30.00", status: "ACSC" },
    { id: "E2E-3", amount: "70.00", status: "RJCT" }
  ]

  it("is a notice, because no money came", async () => {
    expect(await read(pain002(debits))).toEqual({
      documents: [],
      why: [],
      notices: [
        'a bank refused direct debits before they were settled (2: 189.00 EUR): no money came, so nothing went back. If the books count debits as paid once they are handed in, set "rejects": "reversal"'
      ]
    })
  })

  it("has reversals for books that count a debit as paid once it is handed in", async () => {
    const { documents, notices } = await read(pain002(debits), { rejects: "reversal" })
    expect(notices).toEqual([])
    expect(documents).toMatchObject([
      {
        kind: "reversal",
        date: "2026-03-02",
        unallocated: "119.00",
        providerCode: "AC04",
        trace: "E2E-1",
        collected: { day: "2026-03-05" }
      },
      { unallocated: "70.00", trace: "E2E-3" }
    ])
    const unstated = await read(pain002([{ id: "E2E-9", status: "RJCT" }]), { rejects: "reversal" })
    expect(unstated.why[0]).toContain("is missing; an amount is needed")
  })

  it("takes a batch's status for its debits, says what it does not name, and leaves out the seller's own transfers", async () => {
    const all = await read(pain002([{ id: "E2E-1", amount: "119.00" }], { batch: "RJCT" }), { rejects: "reversal" })
    expect(all.documents).toHaveLength(1)
    expect((await read(pain002([], { batch: "RJCT" }))).notices[0]).toContain(
      "a bank refused everything in BATCH-1, and does not name its debits"
    )
    expect((await read(pain002(debits, { message: "pain.001.001.03" }), { rejects: "reversal" })).notices).toEqual([
      "transfers that this account ordered were refused (2): they pay no invoice, and are left out"
    ])
    expect((await read(pain002([debits[1]!]))).notices).toEqual([])
  })
})

describe("CODA that ends in its first record", () => {
  it("is said to", async () => {
    const text = coda({ opening: 0, moved: [{ cents: 100 }] })
    const { quarantined } = await pull(
      { "bank/a.cod": text.slice(0, 132) },
      { payments: { path: "bank/a.cod", format: "coda" } }
    )
    expect(quarantined[0]?.why).toMatch(/^its account \(record 1, line 2\) is missing; ask the bank/)
  })
})

describe("pain.002 that is not whole", () => {
  it("is said to be", async () => {
    const text = pain002([{ id: "E-1", amount: "30.00", status: "RJCT" }])
    const [batch = ""] = /<OrgnlPmtInfAndSts>[\s\S]*<\/OrgnlPmtInfAndSts>/.exec(text) ?? []
    expect((await read(text.replace(batch, ""))).notices).toEqual([
      "an answer to debits has neither a status nor a batch; is it complete?"
    ])
    expect((await read(text.replace(batch, "<OrgnlPmtInfAndSts></OrgnlPmtInfAndSts>"))).notices).toEqual([
      "a batch of debits has neither a status nor debits; is the answer complete?"
    ])
    expect((await read(text.replace(batch, batch + batch), { rejects: "reversal" })).why).toEqual([
      expect.stringMatching(/it has the same batch twice: get it from the bank again$/)
    ])
  })
})

describe("a file that is known and not read", () => {
  it.each([
    [
      "BgMax",
      "01BGMAX               0120261001173035010331P\n",
      "it is BgMax, which banks stopped on 27 November 2026"
    ],
    ["OCR giro", "NY000010000080800170031000102000\n", "it is OCR giro"],
    ["TITO", "T00322100FI2112345600000785001\n", "it is a Finnish TITO statement"],
    ["KTL", `0260301120034999999999${" ".repeat(68)}\n3123\n`, "it is a Finnish list of reference payments (KTL)"],
    ["QIF", "!Type:Bank\nD1/2/26\nT10.00\n^\n", "it is QIF, which names no account"],
    ["IIF", "!TRNS\tTRNSID\tTRNSTYPE\n", "it is IIF (QuickBooks Desktop)"],
    ["SIE", '#FLAGGA 0\n#PROGRAM "Bok" 1\n#FORMAT PC8\n', "it is SIE, which has sums of ledger accounts"],
    [
      "SIE 5",
      '<?xml version="1.0"?>\n<Sie xmlns="http://www.sie.se/sie5"/>',
      "it is SIE, which has sums of ledger accounts"
    ],
    [
      "JPK",
      '<?xml version="1.0"?>\n<JPK xmlns="http://crd.gov.pl/wzor/2021/12/27/11148/"></JPK>',
      "it is JPK (Poland)"
    ],
    [
      "SAF-T of Norway",
      '<?xml version="1.0"?>\n<AuditFile xmlns="urn:StandardAuditFile-Taxation-Financial:NO"></AuditFile>',
      "it is a SAF-T of another country than Portugal"
    ],
    ["orders", "<Document><CstmrDrctDbtInitn></CstmrDrctDbtInitn></Document>", "it is what was ordered at the bank"],
    ["CODA 1", `0000009032672505${" ".repeat(111)}1\n1`, "it is CODA, but not of version 2"],
    ["CFONB 240", `3100000120181220E${" ".repeat(223)}\n34`, "it is CFONB 240"]
  ])("says why, and what to export instead: %s", async (_, text, why) => {
    const { documents, why: said } = await read(text)
    expect(documents).toEqual([])
    expect(said[0]).toContain(why)
    expect(said[0]).toMatch(/ask the bank|export|take its statements|take the invoices/)
  })
})
