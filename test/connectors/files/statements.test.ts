/**
 * Statements of banks in MT940, OFX and BAI2, as banks in several countries write them.
 */
import { describe, expect, it } from "vitest"
import { BAI2, GERMAN, OFX1, WHOLE_BAI2 } from "./Statements.ts"
import { plain, pull } from "./support.ts"

const read = (text: string, more: object = {}, name = "bank/a.txt") =>
  pull({ [name]: text }, { payments: { path: "bank/*", ...more } })

describe("MT940", () => {
  it("of a German bank: code and numbered fields, a returned direct debit without its charges, a reversed credit", async () => {
    const { documents, pages, quarantined } = await read(GERMAN)
    expect(quarantined).toEqual([])
    expect(plain(documents)).toEqual([
      {
        kind: "payment",
        id: "DE02120300000000202051:2026-02-03:119.00:35eb2a:1",
        date: "2026-02-03",
        currency: "EUR",
        shares: [],
        unallocated: "119.00",
        trace: "DD-7",
        reference: "Rechnung INV-7 DD-7",
        party: { id: "DE02120300000000202051", name: "ATELIER NORD" },
        method: "bank"
      },
      {
        kind: "reversal",
        id: "DE02120300000000202051:2026-02-10:-122.00:35eb2a:1",
        date: "2026-02-10",
        currency: "EUR",
        shares: [],
        unallocated: "119.00",
        trace: "DD-7",
        type: "error",
        providerCode: "AM04",
        details: "ATELIER NORD; RUECKGABE AM04 DD-7"
      },
      {
        kind: "reversal",
        id: "DE02120300000000202051:2026-02-10:-10.00:-:1",
        date: "2026-02-10",
        currency: "EUR",
        shares: [],
        unallocated: "10.00",
        type: "error"
      }
    ])
    expect(pages.flatMap(({ stated = [] }) => stated)).toMatchObject([
      { amount: 93_700_000_000n, read: 93_700_000_000n }
    ])
  })

  it("of a Dutch bank: words between slashes; in the envelope of a message; an entry of January booked in December", async () => {
    const text = `{1:F01INGBNL2ABXXX0000000000}{2:I940INGBNL2AXXXN}{4:
:20:P260101
:25:NL91ABNA0417164300EUR
:28C:1
:60F:C251230EUR0,
:61:2601011231C80,NTRFEREF//26010100000001
/TRCD/00100/
:86:/EREF/E-9//CNTP/NL02ABNA0123456789/ABNANL2A/Bakkerij Zuid///REMI/USTD//Factuur 2025-
118/
:62F:C260101EUR80,
-}`
    const { documents } = await read(text)
    expect(plain(documents)).toMatchObject([
      {
        id: "NL91ABNA0417164300:2025-12-31:80.00:678f22:1",
        date: "2025-12-31",
        trace: "E-9",
        reference: "Factuur 2025-118 E-9",
        party: { id: "NL02ABNA0123456789", name: "Bakkerij Zuid" }
      }
    ])
  })

  it("in plain text, several statements in one file; the second does not add up", async () => {
    const text = (number: number, closing: string) => `:20:X
:25:GB29NWBK60161331926819
:28C:${number}
:60F:C260202GBP0,00
:61:260203C12,50NTRFNONREF
:86:HARBOUR TEA INV 12
:62F:C260203GBP${closing}
-
`
    const { documents, quarantined } = await read(text(1, "12,50") + text(2, "13,50"))
    expect(plain(documents)).toMatchObject([{ unallocated: "12.50", reference: "HARBOUR TEA INV 12" }])
    expect(quarantined.map(({ why }) => why)).toEqual([
      "it opens with 0.00 GBP, and its booked entries (1) come to 12.50 GBP: that makes 12.50 GBP, but it closes with 13.50 GBP. An entry is missing or was misread, so nothing in the statement is used. Ask the bank for the statement again"
    ])
  })

  it("with a value date of 30 February is read on the day on which it was booked, and one of 32 March is not", async () => {
    const text = (value: string, booked: string) => `:20:STARTUMSE
:25:12345678/1020304050
:28C:00001/001
:60F:C160229EUR1200,00
:61:${value}${booked}CR6,00N024NONREF
:86:166?00GUTSCHRIFT?20INV-9
:62F:C160301EUR1206,00
-
`
    const on = async (value: string, booked: string) => {
      const { documents, quarantined } = await read(text(value, booked))
      return [...documents.map((one) => "date" in one && one.date), ...quarantined.map(({ why }) => why)]
    }
    expect(await on("160230", "0301")).toEqual(["2016-03-01"])
    expect(await on("150230", "")).toEqual(["2015-02-28"])
    expect(await on("160430", "")).toEqual(["2016-04-30"])
    expect(await on("160332", "")).toEqual(['"160332" is not a date written yyMMdd; ask the bank for the file again'])
  })

  it("without a closing balance is not read, and an entry that is none is quarantined", async () => {
    const cut = await read(GERMAN.slice(0, GERMAN.indexOf(":62F:")))
    expect(cut.documents).toEqual([])
    expect(cut.quarantined.map(({ why }) => why)).toEqual(["it has no closing balance (:62F:); is the file complete?"])
    const early = await read(GERMAN.replace(":60F:", ":62F:"))
    expect([early.documents, early.quarantined[0]?.why]).toEqual([
      [],
      expect.stringMatching(/^it has entries after its closing balance \(:62F:\), in line \d+$/)
    ])
    const odd = await read(GERMAN.replace(":61:2601020102DR50,00", ":61:2613020102DR50,00"))
    expect(odd.documents).toHaveLength(3)
    expect(odd.quarantined.map(({ origin, why }) => [origin, why])).toEqual([
      ["bank/a.txt:11", '"261302" is not a date written yyMMdd; ask the bank for the file again']
    ])
  })
})

describe("MT940 that is not whole", () => {
  it("says so: no account, no balance, or a returned debit that is not its parts", async () => {
    const why = async (text: string) => {
      const { notices, quarantined } = await read(text)
      return [...quarantined.map((one) => one.why), ...notices.map(({ what }) => what)]
    }
    expect(await why(GERMAN.slice(0, GERMAN.indexOf(":60F:")))).toEqual([
      "a statement has neither a balance nor an entry; is the file complete?"
    ])
    expect(await why(GERMAN.replace(/:25:.*\n/, ""))).toEqual([
      "a statement has entries or a balance and no account (:25:), at line 1; ask the bank for the file again; nothing in the file is used until it can be read"
    ])
    expect(await why(GERMAN.replace("OAMT+EUR 119,00", "OAMT+EUR 118,00"))).toEqual([
      "the debit that came back (OAMT) and its charges (COAM) are 121.00 EUR, and 122.00 EUR was booked; ask the bank for the file again"
    ])
  })
})

describe("OFX", () => {
  it("1 in SGML, with amounts that are grouped and entities; an amount that is none is quarantined", async () => {
    const { documents, quarantined } = await read(OFX1)
    expect(plain(documents)).toEqual([
      {
        kind: "payment",
        id: "121000248:0123456:2026-02-03:1250.00:219d4a:1",
        date: "2026-02-03",
        currency: "USD",
        shares: [],
        unallocated: "1250.00",
        reference: "INV-12",
        party: { name: "Harbour & Sons" },
        method: "bank"
      }
    ])
    expect(quarantined.map(({ field, origin, why }) => [origin, field, why])).toEqual([
      ["bank/a.txt:11", "TRNAMT", '"$5" is not an amount; ask the bank for the file again']
    ])
  })

  it("2 in XML is the same, without what is pending", async () => {
    const body = OFX1.slice(OFX1.indexOf("<OFX>")).replace(/<(\w+)>([^<\n]+)(?=<|\n)/g, "<$1>$2</$1>")
    const text = `<?xml version="1.0" encoding="UTF-8"?>\n<?OFX OFXHEADER="200" VERSION="211"?>\n${body}`
    const pending = text.replace(
      "</BANKTRANLIST>",
      "</BANKTRANLIST><BANKTRANLISTP><STMTTRNP><DTTRAN>20260209</DTTRAN><DTPOSTED>20260209</DTPOSTED><TRNAMT>7.00</TRNAMT></STMTTRNP></BANKTRANLISTP>"
    )
    const [one, two] = [await read(OFX1), await read(pending, {}, "bank/a.ofx")]
    expect(two.documents).toEqual(one.documents)
  })

  it("with half a character as a number is read without it", async () => {
    const { documents } = await read(OFX1.replace("INV-12", "INV-12 &#55357;&#233;"))
    expect(plain(documents)).toMatchObject([{ reference: "INV-12 \ufffdé" }])
  })

  it("whose transactions lost a tag is not read, and one that it has twice is said", async () => {
    const torn = "a transaction begins or ends without its tag (STMTTRN): get the file from the bank again"
    for (const text of [OFX1.replace("<STMTTRN>", "<STMT</RN>"), OFX1.replace("</STMTTRN>\n<STMTTRN>", "")])
      expect((await read(text)).quarantined.map(({ why }) => why)).toContain(torn)
    const [one = ""] = /<STMTTRN>.*<\/STMTTRN>\n/.exec(OFX1) ?? []
    expect((await read(OFX1.replace(one, one + one))).notices.map(({ what }) => what)).toEqual([
      "a transaction is in the file twice, the same in every member; both are read"
    ])
  })

  it("goes on from the balance of the one before, wherever that ends, or says that it does not", async () => {
    const [march, april] = [
      OFX1.replace("$5", "5.00"),
      "<STMTTRN><TRNTYPE>CREDIT<DTPOSTED>20260302<TRNAMT>7.00<FITID>10</STMTTRN>"
    ]
    const next = (list: string, balance: string, from = "20260301") =>
      march
        .replace(/<STMTTRN>[\s\S]*<\/STMTTRN>/, list)
        .replace("DTSTART>20260201", `DTSTART>${from}`)
        .replace("99.00<DTASOF>20260228", `${balance}<DTASOF>20260331`)
    const noticesOf = async (...all: ReadonlyArray<string>) => {
      const { notices } = await pull(Object.fromEntries(all.map((text, n) => [`bank/${n}.ofx`, text])), {
        payments: { path: "bank" }
      })
      return notices.map(({ what }) => what)
    }
    const differs = (amount: string) =>
      `the balance of 121000248:0123456 was 99.00 USD on 2026-02-28 and is 106.00 USD on 2026-03-31, and the entries between come to ${amount} USD: one is missing or was misread, or a balance was asked for within a day`
    expect(await noticesOf(march, next(april, "106.00"))).toEqual([])
    expect(await noticesOf(march, next("", "106.00"))).toEqual([differs("0.00")])
    expect(await noticesOf(march, next(april.replace("7.00", "8.00"), "106.00"))).toEqual([differs("8.00")])
    // It begins within the one before, as banks advise; or long after it.
    const last = "<STMTTRN><TRNTYPE>CREDIT<DTPOSTED>20260228<TRNAMT>5.00<FITID>9</STMTTRN>"
    expect(await noticesOf(march.replaceAll("20260205", "20260228"), next(last + april, "106.00", "20260228"))).toEqual(
      []
    )
    expect(await noticesOf(march, next("", "106.00", "20260315"))).toEqual([])
    // The earlier balance was asked for before that day's last transaction.
    expect(await noticesOf(march, next(last + april, "111.00", "20260228"))).toEqual([])
    const undated =
      "a statement does not say since when it has all transactions (DTSTART), or of which day its balance is (LEDGERBAL): whether a transaction is missing does not show"
    expect(await noticesOf(march.replace("<DTSTART>20260201", ""))).toEqual([undated])
    const again = /<STMTTRNRS>[\s\S]*<\/STMTTRNRS>/
    expect(await noticesOf(march.replace(again, (one) => one + one))).toContain(
      "a statement of the same account and the same first day is in the file twice; both are read"
    )
  })

  it("that ends in the middle, or has a document type, is not read", async () => {
    const cut = await read(OFX1.slice(0, OFX1.indexOf("</BANKTRANLIST>")))
    expect(cut.documents).toEqual([])
    expect(cut.quarantined[0]?.why).toBe("its end is missing: get the whole file from the bank")
    const typed = await read(OFX1.replace("<OFX>", '<!DOCTYPE OFX [<!ENTITY a "b">]><OFX>'))
    expect(typed.quarantined[0]?.why).toContain("it has a document type")
  })
})

describe("BAI2", () => {
  it("whose first record goes on in the next is known as one", async () => {
    const text = BAI2.replace("149500", "148500")
    const { documents } = await read(text.replace("01,121000248,ACME,", "01,121000248,ACME/\n88,"))
    expect(plain(documents)).toEqual(plain((await read(text)).documents))
  })

  it("with several records on a line, as some banks write them, is the same statement", async () => {
    const text = BAI2.replace("149500", "148500")
    const one = await read(text)
    const packed = text.replace("/\n02,", "/   02,").replaceAll("/\n49,", "/  49,").replaceAll("/\n16,", "/ 16,")
    expect(packed.split("\n").length).toBeLessThan(text.split("\n").length)
    const { documents, quarantined } = await read(packed)
    expect(quarantined).toEqual([])
    expect(plain(documents)).toEqual(plain(one.documents))
    // Elsewhere what looks like a record within a text is text.
    const odd = await read(text.replace("REMI: INV-12, thanks/", "REMI: INV-12/ 49, thanks/"))
    expect(odd.quarantined).toEqual([])
    expect(JSON.stringify(plain(odd.documents))).toContain("INV-12/ 49, thanks")
  })

  it("has amounts in minor units, records that go on, days of availability, and returned items", async () => {
    const { documents, pages, quarantined } = await read(BAI2.replace("149500", "148500"))
    expect(quarantined).toEqual([])
    expect(plain(documents)).toMatchObject([
      {
        kind: "payment",
        id: "0123456:2026-02-03:500.00:cefbfb:1",
        date: "2026-02-03",
        currency: "USD",
        unallocated: "500.00",
        trace: "E2E-4",
        reference: "ACH CREDIT, EREF: E2E-4, DBNM: Harbour Tea Inc, REMI: INV-12, thanks CUST-1",
        party: { name: "Harbour Tea Inc" }
      },
      { kind: "reversal", unallocated: "10.00", details: "DEPOSITED ITEM RETURNED" }
    ])
    expect(pages.flatMap(({ stated = [] }) => stated)).toMatchObject([{ column: "0123456", amount: 148_500_000_000n }])
  })

  it("without balances is held against its control total, where the file says that it is BAI2", async () => {
    // 1,000.00 and 1,485.00 of balances are no longer part of the control total.
    const bare = BAI2.replace("010,100000,,,015,149500,,/", ",,,/").replace("49,300500", "49,101500")
    const whys = async (text: string) => (await read(text)).quarantined.map(({ why }) => why)
    expect(await whys(bare)).toEqual([])
    expect(await whys(`\n${bare}`)).toEqual([])
    const without = bare.replace(/^16,555,.*\n/m, "")
    expect(await whys(without)).toEqual([
      "its amounts come to 1,005.00 USD, and its control total (49) says 1,015.00 USD. A record is missing or was misread, so nothing in the statement is used. Ask the bank for the statement again"
    ])
    expect((await read(without)).documents).toEqual([])
    // A relative of the format, and a bank that leaves the total out.
    expect(await whys(without.replace(",,,2/", ",,,/"))).toEqual([])
    expect(await whys(without.replace("49,101500", "49,"))).toEqual([])
  })

  it("is held against what it says of itself: totals of accounts, groups and the file, and how many there are", async () => {
    const whole = WHOLE_BAI2
    const said = async (one: string) => {
      const { notices, quarantined } = await read(one)
      return [...notices.map(({ what }) => what), ...quarantined.map(({ why }) => why)]
    }
    expect(await said(whole)).toEqual([])
    expect(await said(whole.replace("49,350000,9", "49,350001,9"))).toEqual([
      "of account 0123456: its amounts come to 3,500.00 USD, and its control total (49) says 3,500.01 USD. Is a record missing?",
      "the end of the group (record 98) says a total of accounts of 350000, and they come to 350001: is one missing?"
    ])
    expect(await said(whole.replace(/^88,REMI.*\n/m, ""))).toEqual([
      "the end of the account (record 49) says that it has 9 records, and it has 8: is one missing?",
      "the end of the group (record 98) says that it has 11 records, and it has 10: is one missing?",
      "the end of the file (record 99) says that it has 13 records, and it has 12: is one missing?"
    ])
    expect(await said(whole.replace("98,350000,1,", "98,350000,2,"))).toEqual([
      "the end of the group (record 98) says that it has 2 accounts, and it has 1: is one missing?"
    ])
    expect(await said(whole.replace(/^99.*\n/m, ""))).toEqual([
      "the end of the file (record 99) is missing: get the whole file from the bank"
    ])
    expect(await said(whole.replace("148500", "1t8500"))).toEqual([
      '"1t8500" in its first record (03) is not a whole number of minor units: get the file from the bank again'
    ])
  })

  it("that does not add up, or whose account does not end, is not read", async () => {
    expect((await read(BAI2)).quarantined[0]?.why).toContain("but it closes with 1,495.00 USD")
    const cut = await read(BAI2.slice(0, BAI2.indexOf("49,")).replace("149500", "148500"))
    expect(cut.documents).toEqual([])
    expect(cut.quarantined[0]?.why).toBe("its end (record 49) is missing: get the whole file from the bank")
  })
})

describe("the format", () => {
  it("is found from how a file begins, several in one folder; or as it is set", async () => {
    const all = { "bank/a.sta": GERMAN, "bank/b.qfx": OFX1, "bank/c.bai": BAI2.replace("149500", "148500") }
    const { documents } = await pull(all, { payments: { path: "bank" } })
    expect(documents).toHaveLength(6)
    const set = await read(GERMAN, { format: "ofx" })
    expect(set.quarantined[0]?.why).toContain("it has no statement (STMTRS or CCSTMTRS) of OFX")
  })
})
