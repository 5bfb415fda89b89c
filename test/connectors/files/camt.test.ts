/**
 * Statements of banks in the formats of ISO 20022: which entries are payments, which take one back and which are nothing;
 * what makes a statement one that is not read; the same entry in several messages.
 */
import { Result } from "effect"
import { describe, expect, it } from "vitest"
import { camt, IBAN, type Movement, transfer } from "./Statements.ts"
import { check, plain, pull, write } from "./support.ts"

const source = { payments: { path: "bank/*.xml" } }
const read = (text: string | Uint8Array, more: object = {}) =>
  pull({ "bank/a.xml": text }, { payments: { ...source.payments, ...more } })

const PAID: Movement = {
  ref: "2026020300000017",
  amount: "1190.00",
  details: [transfer("1190.00", { name: "Atelier Nord", text: "Invoice INV-7", trace: "E2E-7" })]
}

describe("an entry", () => {
  it("is a payment where money came in, with who paid and what was written, in version 2 and in version 8", async () => {
    const old = await read(camt({ opening: "10.00", closing: "1200.00", entries: [PAID] }))
    const details = [transfer("1190.00", { name: "Atelier Nord", text: "Invoice INV-7", trace: "E2E-7", nested: true })]
    const young = await read(
      camt({ version: 8, opening: "10.00", closing: "1200.00", entries: [{ ...PAID, details }] })
    )
    expect(old.quarantined).toEqual([])
    expect(plain(old.documents)).toEqual([
      {
        kind: "payment",
        id: `${IBAN}:2026-02-03:1190.00:35eb2a:1`,
        date: "2026-02-03",
        currency: "EUR",
        shares: [],
        unallocated: "1190.00",
        trace: "E2E-7",
        reference: "Invoice INV-7 E2E-7",
        party: { id: "FR7630006000011234567890189", name: "Atelier Nord" },
        method: "bank"
      }
    ])
    expect(young.documents).toEqual(old.documents)
    expect(old.pages.flatMap(({ stated = [] }) => stated)).toMatchObject([
      { what: "closing balance", column: IBAN, currency: "EUR", amount: 120_000_000_000n, read: 120_000_000_000n }
    ])
  })

  it("says what its payer sent, where that was in another currency", async () => {
    const sent = (amount: string) =>
      transfer("790.12", { name: "Tern Ltd", text: "INV-101" }).replace("<AmtDtls>", `<AmtDtls>${amount}`)
    const of = async (amount: string) => {
      const entries = [{ ref: "2026020300000018", amount: "790.12", details: [sent(amount)] }]
      const { documents, quarantined } = await read(camt({ opening: "0.00", closing: "790.12", entries }))
      expect(quarantined).toEqual([])
      return (plain(documents) as ReadonlyArray<{ readonly instructed?: unknown }>).map(({ instructed }) => instructed)
    }
    const stated = (amount: string, currency: string) => `<InstdAmt><Amt Ccy="${currency}">${amount}</Amt></InstdAmt>`
    expect(await of(stated("1000.00", "USD"))).toEqual([{ currency: "USD", amount: "1000.00" }])
    // In the account's own currency it is what the account shows.
    for (const one of ["", stated("795.12", "EUR")]) expect(await of(one)).toEqual([undefined])
  })

  it("is a reversal where it takes back what came in, without the bank's charges; what the owner pays is nothing", async () => {
    const returned: Movement = {
      ref: "2026021000000003",
      amount: "103.50",
      debit: true,
      details: [transfer("100.00", { name: "Café Süd", text: "INV-8", trace: "DD-8", reason: "MD06" })]
    }
    const entries: ReadonlyArray<Movement> = [
      returned,
      { ref: "2026021000000004", amount: "20.00", debit: true, reversal: true },
      {
        ref: "2026021000000005",
        amount: "7.00",
        debit: true,
        more: "<BkTxCd><Prtry><Cd>NRTI+109+00931</Cd></Prtry></BkTxCd>"
      },
      { ref: "2026021000000006", amount: "500.00", debit: true },
      { ref: "2026021000000007", amount: "500.00", reversal: true }
    ]
    const { documents, notices } = await read(camt({ opening: "1000.00", closing: "869.50", entries }))
    expect(plain(documents)).toMatchObject([
      {
        kind: "reversal",
        unallocated: "100.00",
        trace: "DD-8",
        type: "chargeback",
        providerCode: "MD06",
        details: "Café Süd; INV-8 DD-8"
      },
      { kind: "reversal", unallocated: "20.00", type: "error" },
      { kind: "reversal", unallocated: "7.00", type: "error" }
    ])
    expect(documents).toHaveLength(3)
    expect(notices.map(({ what }) => what)).toEqual([
      "money that was paid from this account came back; it pays no invoice and is left out"
    ])
  })

  it("is nothing as long as it is pending", async () => {
    const { documents } = await read(camt({ opening: "0.00", closing: "0.00", entries: [{ ...PAID, status: "PDNG" }] }))
    expect(documents).toEqual([])
  })

  it("is each of its transactions where they come to it, and one sum with their number where they do not", async () => {
    const details = ["30.00", "70.00"].map((amount, n) => transfer(amount, { text: `INV-${n}`, ref: `20260203-P${n}` }))
    const entries: ReadonlyArray<Movement> = [
      { ref: "2026020300000020", amount: "100.00", details },
      { ref: "2026020300000021", amount: "90.00", details },
      { ref: "2026020300000022", amount: "80.00", items: 12 }
    ]
    const { documents, notices } = await read(camt({ opening: "0.00", closing: "270.00", entries }))
    expect(plain(documents)).toMatchObject([
      { id: `${IBAN}:2026-02-03:90.00:-:1`, unallocated: "90.00", reference: "(booked as one sum of 2 payments)" },
      { id: `${IBAN}:2026-02-03:80.00:-:1`, unallocated: "80.00", reference: "(booked as one sum of 12 payments)" },
      { id: `${IBAN}:2026-02-03:30.00:-:1`, unallocated: "30.00", reference: "INV-0" },
      { id: `${IBAN}:2026-02-03:70.00:-:1`, unallocated: "70.00", reference: "INV-1" }
    ])
    expect(notices.map(({ what }) => what)).toEqual([
      "the details of an entry do not add up to its amount; it was read as a single sum"
    ])
    const [first, second = ""] = details
    const unstated = second.replace(/<AmtDtls>.*?<\/AmtDtls>/s, "")
    const torn = await read(
      camt({
        opening: "0.00",
        closing: "100.00",
        entries: [{ ref: "1", amount: "100.00", details: [first!, unstated] }]
      })
    )
    expect(torn.notices.map(({ what }) => what)).toEqual([
      "a detail of an entry does not state its amount; the entry was read as a single sum"
    ])
    const alone = { ref: "1", amount: "100.00", details: [first!] }
    expect((await read(camt({ opening: "0.00", closing: "100.00", entries: [alone] }))).notices).toMatchObject([
      { what: "an entry is of more than its only detail: is another detail missing? It was read as a single sum" }
    ])
  })

  it("is quarantined where it does not say whether it takes back another one", async () => {
    const entries: ReadonlyArray<Movement> = [{ ref: "1", amount: "20.00", debit: true, reversal: true }]
    const text = camt({ opening: "20.00", closing: "0.00", entries })
    expect((await read(text)).documents).toHaveLength(1)
    expect((await read(text.replace("<RvslInd>true", "<RvslInd>"))).quarantined).toMatchObject([
      { field: "RvslInd", why: '"" is neither true nor false; ask the bank for the file again' }
    ])
    expect((await read(text.replace("<RvslInd>true", "<RvslInd>tru"))).quarantined).toMatchObject([
      { field: "RvslInd", why: '"tru" is neither true nor false; ask the bank for the file again' }
    ])
  })

  it("of several returned debits and the bank's charges is each of them", async () => {
    const details = ["30.00", "70.00"].map((amount, n) => transfer(amount, { trace: `DD-${n}`, reason: "AM04" }))
    const charges = '<Chrgs><TtlChrgsAndTaxAmt Ccy="EUR">6.00</TtlChrgsAndTaxAmt></Chrgs>'
    const entry = { ref: "2026021000000009", amount: "106.00", debit: true, more: charges, details } as const
    const { documents, notices } = await read(camt({ opening: "106.00", closing: "0.00", entries: [entry] }))
    expect(plain(documents)).toMatchObject([
      { kind: "reversal", unallocated: "30.00", trace: "DD-0", providerCode: "AM04" },
      { kind: "reversal", unallocated: "70.00", trace: "DD-1", providerCode: "AM04" }
    ])
    expect(notices).toEqual([])
  })

  it("that cannot be read is quarantined, and the others are read", async () => {
    const entries = [
      PAID,
      { ...PAID, ref: "2026020300000018", currency: "EUX" },
      { ...PAID, ref: "2026020300000019", amount: "1,5" }
    ]
    const { documents, quarantined } = await read(camt({ opening: "0.00", closing: "1190.00", entries }))
    expect(documents).toHaveLength(1)
    expect(quarantined.map(({ field, origin, why }) => [origin, field, why])).toEqual([
      ["bank/a.xml:15", "Amt@Ccy", '"EUX" is not an ISO 4217 currency code; ask the bank for the file again'],
      ["bank/a.xml:24", "Amt", '"1,5" is not a decimal number; ask the bank for the file again']
    ])
    expect(quarantined[0]?.raw).toMatch(/^<Ntry>[\s\S]*EUX[\s\S]*<\/Ntry>$/)
  })

  it("has an id of its account, day, amount and payer; those that are the same in everything are all read", async () => {
    const { ref: _, ...same } = PAID
    const one = camt({ number: "4", opening: "0.00", closing: "2380.00", entries: [same, same] })
    const { documents } = await read(one)
    const again = await pull({ "bank/a.xml": one, "bank/b.xml": one }, source)
    const ids = documents.map(({ id }) => id)
    expect(ids[1]).toBe(ids[0]?.replace(/1$/, "2"))
    expect(again.documents.map(({ id }) => id)).toEqual([...ids, ...ids])
  })
})

describe("a statement", () => {
  it("whose entries do not come to the difference of its balances is quarantined whole, and the next one is read", async () => {
    const bad = { number: "1", opening: "10.00", closing: "1300.00", entries: [PAID] }
    const good = {
      number: "2",
      opening: "1300.00",
      closing: "2490.00",
      entries: [{ ...PAID, ref: "2026020400000001" }]
    }
    const { documents, pages, quarantined } = await read(camt(bad, good))
    expect(documents.map(({ id }) => id)).toEqual([`${IBAN}:2026-02-03:1190.00:35eb2a:1`])
    expect(quarantined.map(({ field, why }) => [field, why])).toEqual([
      [
        "balance",
        "it opens with 10.00 EUR, and its booked entries (1) come to 1,190.00 EUR: that makes 1,200.00 EUR, but it closes with 1,300.00 EUR. An entry is missing or was misread, so nothing in the statement is used. Ask the bank for the statement again"
      ]
    ])
    expect(quarantined[0]?.raw).toMatch(/^<Stmt><Id>S-1/)
    expect(pages.at(-1)?.bookmark.files).toHaveProperty("payments/bank/a.xml")
  })

  it("that does not go on where the one before it ended is noticed, in one file and between files", async () => {
    const first = camt({ opening: "0.00", closing: "1190.00", entries: [PAID] })
    const later: Movement = { ...PAID, ref: "2026020500000001", day: "2026-02-05" }
    const third = camt({ opening: "1500.00", closing: "2690.00", entries: [later] })
    const { notices } = await pull({ "bank/1.xml": first, "bank/3.xml": third }, source)
    const why = `a statement of ${IBAN} opens with 1,500.00 EUR, and the one before it closed with 1,190.00 EUR: one between them is missing`
    expect(notices).toEqual([{ origin: "bank/3.xml", what: why }])
    const between: Movement = { ...PAID, ref: "2026020400000001", amount: "310.00", day: "2026-02-04" }
    const second = camt({ opening: "1190.00", closing: "1500.00", entries: [{ ...between, details: [] }] })
    const all = await pull({ "bank/1.xml": first, "bank/2.xml": second, "bank/3.xml": third }, source)
    expect(all.notices).toEqual([])
  })

  it("of an account that is not asked for is left out", async () => {
    const other = {
      account: "NL91ABNA0417164300",
      opening: "0.00",
      closing: "5.00",
      entries: [{ ...PAID, amount: "5.00", details: [] }]
    }
    const text = camt({ opening: "0.00", closing: "1190.00", entries: [PAID] }, other)
    expect((await read(text)).documents).toHaveLength(2)
    const { documents } = await read(text, { accounts: ["NL91 ABNA 0417 1643 00"] })
    expect(documents.map(({ id }) => id)).toEqual(["NL91ABNA0417164300:2026-02-03:5.00:-:1"])
  })
})

describe("the same entry", () => {
  const { ref: _, ...nameless } = PAID
  const batch: Movement = { ref: "2026020300000020", amount: "100.00", items: 2 }
  const details = ["30.00", "70.00"].map((amount) => transfer(amount, { text: `INV-${amount}` }))
  const report = camt({ message: "052", entries: [PAID, nameless] })
  const notification = camt({ message: "054", entries: [{ ...batch, details }] })
  const statement = camt({ opening: "0.00", closing: "2480.00", entries: [PAID, batch, nameless] })

  it("is one payment, whichever messages it is in: with its details where one of them has them", async () => {
    const { documents, notices } = await pull(
      { "bank/052.xml": report, "bank/053.xml": statement, "bank/054.xml": notification },
      source
    )
    const ids = documents.map(({ id }) => id)
    expect(new Set(ids).size).toBe(4)
    expect(ids.filter((id) => id.includes("1190.00"))).toHaveLength(4)
    expect(ids.filter((id) => /:(?:100|30|70)\.00:/.test(id))).toEqual([
      `${IBAN}:2026-02-03:30.00:-:1`,
      `${IBAN}:2026-02-03:70.00:-:1`
    ])
    expect(notices).toEqual([])
  })

  it("that was read as a sum is read again without it when its details come, and keeps them when they are archived", async () => {
    const folder = write({ "bank/053.xml": statement })
    const first = await pull(folder, source)
    expect(first.documents.map(({ id }) => id)).toContain(`${IBAN}:2026-02-03:100.00:-:1`)
    write({ "bank/054.xml": notification }, folder)
    const second = await pull(folder, source, { after: first.bookmark })
    const ids = second.documents.map(({ id }) => id)
    expect(ids).not.toContain(`${IBAN}:2026-02-03:100.00:-:1`)
    expect(ids).toContain(`${IBAN}:2026-02-03:70.00:-:1`)
    expect(second.pages.filter(({ scan }) => scan?.ends).map(({ scan }) => scan?.name)).toEqual([
      "payments/bank/053.xml",
      "payments/bank/054.xml"
    ])
    const third = await pull(folder, { payments: { path: "bank/053.xml" } }, { after: second.bookmark })
    expect(third.unchanged).toEqual([])
    expect(third.documents.map(({ id }) => id)).not.toContain(`${IBAN}:2026-02-03:100.00:-:1`)
    const same = await pull(folder, source, { after: second.bookmark })
    expect(same.documents).toEqual([])
    expect(same.unchanged).toHaveLength(2)
  })
})

describe("a file", () => {
  const text = camt({
    opening: "0.00",
    closing: "1190.00",
    entries: [{ ...PAID, details: [transfer("1190.00", { name: "Café Süd" })] }]
  })
  const named = async (bytes: Uint8Array) =>
    (await read(bytes)).documents.map((one) => (one.kind === "payment" ? one.party?.name : ""))

  it("is read in UTF-8, UTF-16 and Latin-1", async () => {
    const latin = text.replace("UTF-8", "ISO-8859-1")
    const wide = Buffer.from(`\ufeff${text.replace("UTF-8", "UTF-16")}`, "utf16le")
    for (const bytes of [Buffer.from(text), Buffer.from(latin, "latin1"), wide, Buffer.from(wide).swap16()])
      expect(await named(bytes)).toEqual(["Café Süd"])
  })

  it.each([
    ["a document type", text.replace("<Document", '<!DOCTYPE d [<!ENTITY a "b">]><Document'), "it has a document type"],
    ["an entity that nothing defines", text.replace("Café", "&cafe;"), "it is not well-formed XML"],
    ["an end that is missing", text.slice(0, -40), "it is not well-formed XML"],
    ["another root", text.replaceAll("BkToCstmrStmt", "AcctSwtchReq"), "it has no statement"],
    [
      "orders",
      text.replaceAll("BkToCstmrStmt", "CstmrCdtTrfInitn"),
      "it is what was ordered at the bank (pain.008, pain.001)"
    ],
    ["elements without end inside each other", text.replace("<Acct>", "<Acct>".repeat(100)), "nested more than 64"],
    ["a text that is far too long", text.replace("Café", "x".repeat(3 << 20)), "far too long"]
  ])("with %s is quarantined with the reason, and the others are read", async (_, bad, why) => {
    const { bookmark, documents, error, quarantined } = await pull({ "bank/a.xml": bad, "bank/b.xml": text }, source)
    expect(error).toBeUndefined()
    expect(documents).toHaveLength(1)
    expect(quarantined).toHaveLength(1)
    expect(quarantined[0]?.why).toContain(why)
    expect(Object.keys(bookmark!.files)).toEqual(["payments/bank/b.xml"])
  })

  it("that is no bank statement is quarantined, and the doctor names it", async () => {
    const page = "<html><body>Log in</body></html>"
    const folder = write({ "bank/a.xml": page, "bank/b.xml": text })
    const { documents, quarantined } = await pull(folder, source)
    expect(documents).toHaveLength(1)
    const why =
      "it is not a bank statement that can be read (pain002, bacs, camt, mt940, ofx, bai2, coda, norma43, cfonb120); correct source.payments.path, or write columns if it is a table"
    expect(quarantined[0]?.why).toBe(`${why}; nothing in the file is used until it can be read`)
    const found = await check(folder, source)
    expect(Result.isSuccess(found) ? found.success : []).toEqual([`bank/a.xml cannot be read: ${why}`])
  })
})
