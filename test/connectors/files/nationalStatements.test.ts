/**
 * Statements of national formats with fixed columns: CODA (Belgium), Norma 43 (Spain), CFONB 120 (France). The layouts are
 * those of public descriptions and parsers; names, accounts and amounts are invented.
 */
import { describe, expect, it } from "vitest"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { facts } from "../../../connectors/Bytes.ts"
import { openBank } from "../../../connectors/files/bank/Formats.ts"
import * as Decimal from "../../../core/money/Decimal.ts"
import { cfonb, norma43, record } from "./NationalFiles.ts"

const read = async (text: string): Promise<ReadonlyArray<string>> => {
  const folder = mkdtempSync(join(tmpdir(), "daybook-bank-"))
  try {
    const path = join(folder, "statement.txt")
    writeFileSync(path, text, "latin1")
    const { events, format } = await openBank({ path, place: "payments", bank: {} }, await facts(path))
    const lines: Array<string> = [format]
    for await (const event of events()) {
      if (event.type === "begin") lines.push(`${event.head.account} ${event.head.currency}`)
      else if (event.type === "notice") lines.push(`notice: ${event.what}`)
      else if (event.type === "fault") lines.push(`fault: ${event.field}: ${event.why}`)
      else if (event.type === "end")
        lines.push(
          [event.opening, event.closing]
            .map((one) => (one === undefined ? "?" : Decimal.format(one.amount, 2)))
            .join(" to ") + (event.wrong === undefined ? "" : `: ${event.wrong}`)
        )
      else {
        const { amount, credit, day, payer, reason, reversal, text } = event.entry
        lines.push(
          [
            event.type,
            day,
            `${credit ? "" : "-"}${Decimal.format(amount, 2)}`,
            ...(reversal ? [`reversal ${reason?.code ?? ""}`] : []),
            text,
            payer.name ?? ""
          ].join("|")
        )
      }
    }
    return lines
  } finally {
    rmSync(folder, { recursive: true })
  }
}

describe("CODA", () => {
  const header = record(128, [1, "0000009032672505"], [25, "0000000001ACME"], [61, "KREDBEBB"], [128, "2"])
  const old = record(128, [1, "12043BE68539007547034"], [40, "EUR0000000000100000"], [59, "090326"])
  const end = (amount: string) => record(128, [1, "8043BE68539007547034"], [39, "EUR0"], [43, amount], [58, "090326"])
  const last = (records: string, debit: string, credit: string) =>
    record(128, [1, "9"], [17, records], [23, debit], [38, credit], [128, "2"])
  const movement = (seq: string, detail: string, sign: string, amount: string, code: string, communication: string) =>
    record(
      128,
      [1, `21${seq}${detail}REF${seq}${detail}`],
      [32, `${sign}${amount}`],
      [48, `090326${code}`],
      [62, communication],
      [116, "090326"]
    )
  const name = (seq: string, detail: string, text: string) =>
    record(128, [1, `23${seq}${detail}`], [11, "BE10001234567890"], [45, "EUR"], [48, text])

  it("has payers, structured references, returned debits with their reason, and sums with their parts", async () => {
    const returned = [
      record(
        128,
        [1, "2100020000REF3"],
        [32, "1000000000050000"],
        [48, "09032600503000"],
        [62, "1127090326314BE68ZZZ0403019261"],
        [110, "MANDAT"],
        [116, "090326"]
      ),
      record(128, [1, "2200020000E-2"], [40, "INV-1002"], [99, "KREDBEBB"]),
      record(128, [1, "2300020000BE12001234567890"], [45, "EUR"], [48, "Cafe Lumiere"], [121, "2AM04"])
    ]
    const text = [
      header,
      old,
      movement("0001", "0000", "0", "000000000200000", "00150000", "1101470000000024"),
      name("0001", "0000", "Atelier Nord"),
      ...returned,
      movement("0003", "0000", "0", "000000000030000", "10550000", "0collection"),
      movement("0003", "0001", "0", "000000000010000", "50550000", "0INV-1"),
      movement("0003", "0002", "0", "000000000020000", "50550000", "0INV-2"),
      end("000000000280000"),
      last("000010", "000000000050000", "000000000230000")
    ].join("\r\n")
    expect(await read(text)).toEqual([
      "coda",
      "BE68539007547034 EUR",
      "entry|2026-03-09|200.00|470000000024|Atelier Nord",
      "entry|2026-03-09|-50.00|reversal AM04|INV-1002 MANDATE-2|Cafe Lumiere",
      "part|2026-03-09|10.00|INV-1|",
      "part|2026-03-09|20.00|INV-2|",
      "entry|2026-03-09|30.00|collection|",
      "100.00 to 280.00"
    ])
  })

  it("itemises a sum whose level of globalisation is written on it and on its last detail, whatever type details have", async () => {
    const level = (one: string, code: string) => `${one.slice(0, 124)}${code}${one.slice(125)}`
    for (const [begin, ends, type] of ["11 5", "22 6", "00 0", "11 0"].map((one) => [one[0]!, one[1]!, one[3]!])) {
      const file = [
        header,
        old,
        level(
          movement("0001", "0000", "0", "000000000030000", `${begin === "2" ? "2" : "1"}0550000`, "0collection"),
          begin!
        ),
        movement("0001", "0001", "0", "000000000010000", `${type}0550000`, "0INV-1"),
        level(movement("0001", "0002", "0", "000000000020000", `${type}0550000`, "0INV-2"), ends!),
        end("000000000130000"),
        last("000005", "000000000000000", "000000000030000")
      ]
      expect((await read(file.join("\n"))).slice(2)).toEqual([
        "part|2026-03-09|10.00|INV-1|",
        "part|2026-03-09|20.00|INV-2|",
        "entry|2026-03-09|30.00|collection|",
        "100.00 to 130.00"
      ])
    }
  })

  it("names what is wrong: a third decimal place that the euro does not have, a file that was cut off", async () => {
    const bad = movement("0001", "0000", "0", "000000000200005", "00150000", "0text")
    expect(await read([header, old, bad].join("\n"))).toEqual([
      "coda",
      "BE68539007547034 EUR",
      'fault: amount: "000000000200005" is finer than EUR; ask the bank for the file again',
      '100.00 to ?: line 3: amount: "000000000200005" is finer than EUR. Nothing in the statement is used; get it from the bank again',
      "notice: its last record (9) is missing: if the file was cut off, get it from the bank again"
    ])
  })
})

describe("Norma 43", () => {
  const account = record(80, [1, "110049000122102846512605042605312000000003000009783ACME"])
  const movement = (concept: string, sign: string, amount: string) =>
    record(
      80,
      [1, "22"],
      [7, "0001"],
      [11, "260504260504"],
      [23, concept],
      [28, sign],
      [29, amount],
      [43, "0000000000"]
    )
  const text = (words: string) => record(80, [1, `2301${words}`])
  const totals = (debits: string, credits: string, sign: string, closing: string) =>
    record(80, [1, "33004900012210284651"], [21, debits], [40, credits], [59, sign], [60, closing], [74, "978"])

  it("has returned receipts (concept 14), and texts of several records", async () => {
    const file = [
      account,
      movement("04", "2", "00000000187021"),
      text("TRANSF. TES DEL SUR F26-0001"),
      movement("14", "1", "00000000100000"),
      text("DEVOLUCION RECIBO F26-0002"),
      totals("0000100000000100000", "0000100000000187021", "2", "00000000387021"),
      "88999999999999999999000006"
    ].join("\n")
    expect(await read(file)).toEqual([
      "norma43",
      "ES7500490001512210284651 EUR",
      "entry|2026-05-04|1870.21|TRANSF. TES DEL SUR F26-0001|",
      "entry|2026-05-04|-1000.00|reversal |DEVOLUCION RECIBO F26-0002|",
      "3000.00 to 3870.21"
    ])
  })

  it("says that a record is missing", async () => {
    const lines = await read([account, totals("00001", "00001", "2", "00000000300000")].join("\n"))
    expect(lines.at(-2)).toMatch(/line 2: it has 0 movements, and its totals \(33\) say 2/)
    expect(lines.at(-1)).toMatch(/its last record \(88\) is missing/)
  })
})

describe("a second statement whose beginning was lost", () => {
  const statement = (opening: number) => ({ opening, moved: [{ cents: 100, text: "VIR" }] })
  it.each([
    ["CFONB 120", "01", cfonb(statement(0), statement(100)).join("\n")],
    ["Norma 43", "11", norma43(statement(0), statement(100))]
  ] as const)("is not left out without a word: %s", async (_, code, whole) => {
    const lines = whole.split("\n")
    const at = lines.findLastIndex((line) => line.startsWith(code))
    expect(await read(lines.toSpliced(at, 1).join("\n"))).toContainEqual(
      expect.stringMatching(new RegExp(`^notice: line \\d+ .*its beginning \\(record ${code}\\) is missing`))
    )
  })
})

describe("CFONB 120", () => {
  const balance = (code: string, amount: string) =>
    record(120, [1, `${code}30004`], [12, "00812EUR2"], [22, "00010089736"], [35, "010426"], [91, amount])
  const movement = (amount: string, rejected: string, words: string) =>
    record(
      120,
      [1, "0430004"],
      [12, "00812EUR2"],
      [22, "00010089736"],
      [33, "05010426"],
      [41, rejected],
      [43, "010426"],
      [49, words],
      [91, amount]
    )
  const detail = (qualifier: string, words: string) =>
    record(120, [1, "0530004"], [12, "00812EUR2"], [22, "00010089736"], [33, "05010426"], [46, `${qualifier}${words}`])
  const records = [
    balance("01", "0000000082101E"),
    movement("0000000004266I", "", "VIR Atelier Nord"),
    detail("NPY", "Atelier Nord"),
    detail("LCC", "FACTURE FA-1"),
    movement("0000000001000}", "40", "REJET PRLV"),
    detail("NPO", "Cafe Lumiere"),
    detail("REF", "AM04"),
    balance("07", "0000000085368D")
  ]
  const expected = [
    "cfonb120",
    "FR7630004008120001008973629 EUR",
    "entry|2026-04-01|426.69|VIR Atelier Nord FACTURE FA-1|Atelier Nord",
    "entry|2026-04-01|-100.00|reversal AM04|REJET PRLV|Cafe Lumiere",
    "8210.15 to 8536.84"
  ]

  it("has signs in the last digit, payers and reasons in details, and needs no ends of lines", async () => {
    expect(await read(records.join("\n"))).toEqual(expected)
    expect(await read(records.join(""))).toEqual(expected)
  })
})
