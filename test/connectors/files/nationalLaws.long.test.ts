/**
 * What CODA, Norma 43 and CFONB 120 say of themselves has to hold: balances, counts, accounts and numbers. What does not is
 * quarantined with its line, however the file was damaged.
 */
import { describe, expect, it } from "vitest"
import type { Payment, Reversal } from "../../../connectors/Document.ts"
import * as Decimal from "../../../core/money/Decimal.ts"
import { Dice } from "../../simulation/Dice.ts"
import { arudd, cfonb, coda, ddica, type Moved, norma43, pain002, record, type Statement } from "./NationalFiles.ts"
import { times } from "../../support/Effort.ts"
import { type Contents, pull } from "./support.ts"

const read = async (files: Contents, settings: object = {}) => {
  const { documents, error, pages, quarantined } = await pull(files, { payments: { path: "bank", ...settings } })
  const money = documents as ReadonlyArray<Payment | Reversal>
  return {
    documents: money,
    amounts: money.map((one) => `${one.kind} ${Decimal.format(one.unallocated ?? 0n, 2)}`),
    error,
    why: quarantined.map(({ origin, why }) => `${origin}: ${why}`),
    notices: pages
      .flatMap(({ notices = [] }) => notices.map(({ what }) => what))
      .filter((what) => !what.startsWith("it is not UTF-8")),
    stated: pages
      .flatMap(({ stated = [] }) => stated)
      .map(({ amount, column, read }) => `${column} ${Decimal.format(amount, 2)} ${Decimal.format(read, 2)}`)
  }
}

const MOVED: ReadonlyArray<Moved> = [
  { cents: 20_000, name: "Atelier Nord", iban: "BE10001234567890", text: "Facture INV-1001 merci" },
  { cents: -5000, name: "Café Lumière", text: "INV-1002", returned: "AM04" },
  { cents: -1234, text: "loyer" },
  {
    cents: 3000,
    text: "collection",
    parts: [
      { cents: 1000, text: "INV-1" },
      { cents: 2000, text: "INV-2" }
    ]
  }
]
const PLAIN = MOVED.map(({ parts: _, ...one }) => one)
const STATEMENT: Statement = { opening: 10_000, moved: MOVED }

/** Record 8 stands before the last movement, as where lines were moved. */
const movedBehind = (text: string): string => text.replace(/(\r\n21(?:(?!\r\n21)[\s\S])*)(\r\n8.*)(\r\n9)/, "$2$1$3")

/** Editors strip blanks at the ends of lines. */
const stripped = (text: string) => text.replace(/ +(?=\r?\n|$)/g, "")

describe("a statement in fixed columns", () => {
  it("is read in full, also without blanks at the ends of its lines, in Latin-1 and in code page 850", async () => {
    const all = ["payment 200.00", "reversal 50.00"]
    const files = {
      "bank/a.cod": coda(STATEMENT),
      "bank/a.n43": norma43({ opening: 10_000, moved: PLAIN }),
      "bank/a.120": cfonb({ opening: 10_000, moved: PLAIN }).join("\n")
    }
    for (const [name, text] of Object.entries(files)) {
      const parts = name === "bank/a.cod" ? ["payment 10.00", "payment 20.00"] : ["payment 30.00"]
      const ended = `${text}\r\n\u001a`
      for (const bytes of [text, ended, stripped(text), text.replaceAll("\r\n", "\n"), Buffer.from(text, "latin1")]) {
        const found = await read({ [name]: bytes })
        expect([found.why, found.notices]).toEqual([[], []])
        expect(found.amounts).toEqual([...all, ...parts])
        expect(found.stated.map((one) => one.replace(/^\S+/, ""))).toEqual([" 267.66 267.66"])
      }
    }
    const dos = Buffer.from(
      norma43({ opening: 0, moved: [{ cents: 100, text: "TRANSF. PE#A & MU?OZ, JOS! F-7" }] }),
      "latin1"
    )
    for (const [n, byte] of dos.entries())
      if (byte === 0x23 || byte === 0x3f || byte === 0x21) dos[n] = { 35: 0xa5, 63: 0xa5, 33: 0x90 }[byte]!
    expect((await read({ "bank/a.n43": dos })).documents[0]).toMatchObject({
      reference: "TRANSF. PEÑA & MUÑOZ, JOSÉ F-7"
    })
  })

  it("is of one of several accounts, which are written as IBANs", async () => {
    const other = { opening: 500, moved: [{ cents: 700, text: "INV-9" }] }
    const files = {
      "bank/a.cod": coda(STATEMENT, { ...other, account: "BE71096123456769" }),
      "bank/a.n43": norma43({ ...other, account: "210004180200051332" }, { ...other, moved: [{ cents: 800 }] }),
      "bank/a.120": cfonb({ ...other, account: "00000012345" }, other).join("")
    }
    const found = await read(files)
    expect(found.why).toEqual([])
    expect([...new Set(found.documents.map(({ id }) => id.split(":")[0]))].toSorted()).toEqual([
      "BE68539007547034",
      "BE71096123456769",
      "ES7500490001512210284651",
      "ES9121000418450200051332",
      "FR7630004008120000001234518",
      "FR7630004008120001008973629"
    ])
    for (const account of ["210004180200051332", "ES91 2100 0418 4502 0005 1332"])
      expect((await read(files, { accounts: [account] })).amounts).toEqual(["payment 7.00"])
  })

  it("says that a piece of a record is in no statement", async () => {
    const french = cfonb({ opening: 10_000, moved: PLAIN })
    const { documents, notices } = await read({ "bank/a.120": [...french, "0"].join("\n") })
    expect(documents).not.toEqual([])
    expect(notices.join("\n")).toMatch(
      /a record begins with "0", which CFONB 120 does not have, and it is in no statement/
    )
  })

  it("is quarantined with its line where it contradicts itself", async () => {
    const [text, spanish] = [coda(STATEMENT), norma43({ opening: 10_000, moved: PLAIN })]
    const french = cfonb({ opening: 10_000, moved: PLAIN })
    const broken: ReadonlyArray<readonly [name: string, text: string, why: RegExp]> = [
      [
        "a.cod",
        text.replace("\r\n8043BE68539007547034", "\r\n8043BE68539007547035"),
        /a\.cod:2: line \d+: it begins for BE68539007547034 EUR and ends for BE68539007547035 EUR \(record 8\)/
      ],
      [
        "a.cod",
        text.replace(/( {18})EUR(.*\r\n21)/, "$1MUR$2"),
        /it begins for BE68539007547034 MUR and ends for \S+ EUR/
      ],
      ["a.cod", movedBehind(text), /a movement \(record 21\) is in no statement/],
      ["a.cod", text.replace(/9 {15}0000\d\d/, "9               000099"), /it has \d+ records, and record 9 counts 99/],
      ["a.cod", text.replace(/(9 {15}\d{6}\d{14})\d/, "$19"), /do not come to the totals of record 9/],
      ["a.cod", text.replace("\r\n22", "\r\n26"), /line 4: a record begins with "26", which CODA does not have/],
      ["a.cod", text.replace(/(REF00010000 +)0/, "$11"), /do not come to the totals of record 9/],
      ["a.cod", text.replace(/(REF00010000 +)0/, "$12"), /line 3: sign: "2" is neither 0 \(credit\) nor 1 \(debit\)/],
      [
        "a.n43",
        spanish.replace(/\r\n33\d{18}00002\d{14}/, (all) => `${all.slice(0, -1)}9`),
        /do not come to its totals \(33\)/
      ],
      ["a.n43", spanish.replace("\r\n330049", "\r\n330048"), /line \d+: record 33 is of another account/],
      ["a.n43", spanish.replace(/978( *\r\n88)/, "840$1"), /it begins in currency 978, and ends in another/],
      [
        "a.120",
        french.with(-1, french.at(-1)!.replace("00010089736", "00010089737")).join("\n"),
        /record 07 is of another account/
      ],
      [
        "a.120",
        [french[0]!.replace("EUR", "MUR"), ...french.slice(1)].join("\n"),
        /record 04 is of another account or currency/
      ],
      [
        "a.120",
        french.with(1, french[1]!.replace("{", "?")).join("\n"),
        /line 2: amount: ".*" does not end in a signed digit/
      ]
    ]
    for (const [name, text, why] of broken) {
      const found = await read({ [`bank/${name}`]: text })
      expect(found.why.join("\n")).toMatch(why)
      expect(found.documents).toEqual([])
    }
  })

  it("has the number after the one before it, or what is missing is said", async () => {
    const next = (number: number): Statement => ({ number, opening: 0, moved: [{ cents: 100 }, { cents: -100 }] })
    const missing =
      "statement 43 of BE68539007547034 is followed by 45: one between them is missing, though the balances agree"
    expect((await read({ "bank/a.cod": coda(next(43), next(45)) })).notices).toEqual([missing])
    expect((await read({ "bank/a.cod": coda(next(43), next(44), next(1)) })).notices).toEqual([])
    const apart = { ...next(45), moved: next(45).moved.map((one) => ({ ...one, day: "2026-03-10" })) }
    expect((await read({ "bank/a.cod": coda(next(43)), "bank/b.cod": coda(apart) })).notices).toEqual([missing])
  })
})

describe("CODA", () => {
  const movement = (
    words: ReadonlyArray<readonly [number, string]>,
    second: ReadonlyArray<readonly [number, string]> = []
  ) => [
    record(128, [1, "2100010000REF1"], [32, "1000000000122000090326305030000"], [116, "090326"], ...words),
    record(128, [1, "2200010000"], ...second)
  ]
  const file = (records: ReadonlyArray<string>) =>
    [
      record(128, [1, "0000009032672505"], [128, "2"]),
      record(128, [1, "12043BE68539007547034"], [40, "EUR0000000000500000080326"]),
      ...records,
      record(128, [1, "8043BE68539007547034"], [39, "EUR0000000000378000090326"]),
      record(128, [1, "9"], [17, String(records.length + 2).padStart(6, "0")], [23, "000000000122000000000000000000"])
    ].join("\n")

  it("has a debit that came back without the bank's charges, by its return code or the digit of communication 127", async () => {
    const parts = [
      record(128, [1, "2100010001REF1"], [32, "1000000000119000090326805031000"], [116, "090326"]),
      record(128, [1, "2100010002REF1"], [32, "1000000000003000090326805030060"], [116, "090326"])
    ]
    const coded = await read({ "bank/a.cod": file([...movement([[63, "INV-7"]], [[113, "2MD06"]]), ...parts]) })
    expect(coded.why).toEqual([])
    expect(coded.documents).toMatchObject([
      {
        kind: "reversal",
        type: "chargeback",
        providerCode: "MD06",
        unallocated: Decimal.of("119.00"),
        collected: { reference: "INV-7" }
      }
    ])
    const digit = `1127090326313${"BE68ZZZ0403019261".padEnd(35)}`
    const said = await read({ "bank/a.cod": file(movement([[62, digit]])) })
    expect(said.documents).toMatchObject([
      { kind: "reversal", unallocated: Decimal.of("122.00"), details: "the debtor disagrees" }
    ])
    const paid = await read({ "bank/a.cod": file(movement([[62, digit.replace("313", "310")]])) })
    expect(paid.documents).toEqual([])
  })

  it("reads a sum of one item as that item, once", async () => {
    const parts = [{ cents: 3000, name: "Atelier Nord", text: "INV-1" }]
    const found = await read({ "bank/a.cod": coda({ opening: 0, moved: [{ cents: 3000, text: "batch", parts }] }) })
    expect([found.why, found.notices]).toEqual([[], []])
    expect(found.amounts).toEqual(["payment 30.00"])
    expect(found.documents).toMatchObject([{ reference: "INV-1", party: { name: "Atelier Nord" } }])
  })

  it("names the payer and the text that records 3 have", async () => {
    const text = coda({ opening: 0, moved: [{ cents: 500, text: "" }] })
    const more = [
      record(128, [1, "3100010001REF1"], [32, "001500001001TES DEL SUR"]),
      record(128, [1, "3100010000REF1"], [32, "001500000Facture INV-77"]),
      record(128, [1, "3100010000REF1"], [32, "001500001001TES DEL SUR"])
    ]
    const whole = text.replace("\r\n8", `\r\n${more.join("\r\n")}\r\n8`).replace(/(9 {15})000005/, "$1000008")
    const found = await read({ "bank/a.cod": whole })
    expect(found.why).toEqual([])
    expect(found.documents).toMatchObject([{ reference: "Facture INV-77", party: { name: "TES DEL SUR" } }])
  })
})

describe("a damaged file", () => {
  const SAMPLES: Readonly<Record<string, string>> = {
    "a.cod": coda(STATEMENT, { ...STATEMENT, opening: 26_766, number: 44 }),
    "a.n43": norma43({ opening: 10_000, moved: PLAIN }),
    "a.120": cfonb({ opening: 10_000, moved: PLAIN }).join("\n"),
    "arudd.xml": arudd([
      { ref: "INV-1", pence: 79_789 },
      { ref: "INV-2", pence: 1000 }
    ]),
    "ddica.xml": ddica([
      {
        ref: "A-7",
        of: [
          ["2026-01-30", 6500],
          ["2026-02-27", 125_000]
        ]
      }
    ]),
    "pain.xml": pain002([
      { id: "E-1", amount: "119.00", status: "RJCT" },
      { id: "E-2", amount: "70.00", status: "RJCT" }
    ])
  }

  const whole = async (name: string) => new Set((await read({ [`bank/${name}`]: SAMPLES[name]! }, SETTINGS)).amounts)
  const SETTINGS = { rejects: "reversal" }

  it.each(Object.keys(SAMPLES))(
    "%s, cut at 20 places: no crash, no other amount, and what is missing is said",
    async (name) => {
      const bytes = Buffer.from(stripped(SAMPLES[name]!), "latin1")
      const amounts = await whole(name)
      for (let n = 1; n <= 20; n++) {
        const found = await read({ [`bank/${name}`]: bytes.subarray(0, Math.floor((bytes.length * n) / 21)) }, SETTINGS)
        expect(found.error).toBeUndefined()
        expect(found.amounts.filter((one) => !amounts.has(one))).toEqual([])
        expect([...found.why, ...found.notices]).not.toEqual([])
      }
    }
  )

  it.each(Object.keys(SAMPLES))("%s, with bytes flipped: no crash, and no other amount in silence", async (name) => {
    const amounts = await whole(name)
    const dice = Dice.of(1, name)
    for (let n = 0; n < times(800); n++) {
      const bytes = Buffer.from(SAMPLES[name]!, "latin1")
      const at = dice.below(bytes.length)
      bytes[at] = bytes[at]! ^ (1 << dice.below(8))
      const found = await read({ [`bank/${name}`]: bytes }, SETTINGS)
      expect(found.error).toBeUndefined()
      const others = found.amounts.filter((one) => !amounts.has(one))
      // A sum whose details do not add up is read as one, which is said.
      if (found.why.length + found.notices.length === 0) expect(others).toEqual([])
      else expect(others.every((one) => one === "payment 30.00")).toBe(true)
    }
    const bytes = Buffer.from(SAMPLES[name]!, "latin1")
    for (let n = 0; n < 200; n++) bytes[dice.below(bytes.length)] = dice.below(256)
    const found = await read({ [`bank/${name}`]: bytes }, SETTINGS)
    expect([found.error, found.amounts]).toEqual([undefined, []])
  })
})
