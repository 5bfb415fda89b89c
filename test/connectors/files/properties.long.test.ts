/**
 * Properties: any table in any dialect reads back the same, and a row that is malformed costs itself and no other.
 */
import { expect, it } from "vitest"
import fc from "fast-check"
import type { Document, Invoice } from "../../../connectors/Document.ts"
import * as Decimal from "../../../core/money/Decimal.ts"
import { HEADER, ids, invoices, pull } from "./support.ts"

const RUNS = { numRuns: 150 }

/** No controls but those that a cell may have, no blanks around, no half of a character. */
const text = (unit: fc.Arbitrary<string>) =>
  fc
    .string({ unit, minLength: 1, maxLength: 12 })
    .map((some) => some.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g, "·").trim())
    .filter((some) => some !== "" && some.isWellFormed())

const AWKWARD = fc.constantFrom('"', ",", ";", "\t", "|", "\n", "\r\n", "'", '""', "=", "é", "x", " ", ".", "(", "1")

const some = text(fc.oneof(fc.string({ unit: "grapheme", minLength: 1, maxLength: 1 }), AWKWARD))

const names = {
  any: some,
  /** A quote that never closes may pair with one further down, in so many words; nobody could tell. */
  unquoted: some.map((name) => name.replace(/["\r\n]/g, "'")),
  western: text(
    fc.oneof(
      fc.integer({ min: 0xa0, max: 0xff }).map((code) => String.fromCharCode(code)),
      AWKWARD
    )
  )
}

interface Line {
  readonly customer: string
  readonly issued: Date
  readonly cents: bigint
  readonly country: string
}

/** Text that a spreadsheet protects, `="00123"`, is read without that: no customer is called so. */
const isProtected = (name: string): boolean => /^\s*(?:="[^"]*"|'\d[\d -]{3,})\s*$/.test(name)

const line = (customer: fc.Arbitrary<string>): fc.Arbitrary<Line> =>
  fc.record({
    customer: customer.filter((name) => !isProtected(name)),
    issued: fc.date({ min: new Date("1980-01-01"), max: new Date("2060-01-01"), noInvalidDate: true }),
    cents: fc.bigInt({ min: -(10n ** 12n), max: 10n ** 12n }),
    country: fc.constantFrom("GB", "DE", "")
  })

const DATES: Readonly<Record<string, (year: string, month: string, day: string) => string>> = {
  "yyyy-MM-dd": (y, m, d) => `${y}-${m}-${d}`,
  "d/M/yyyy": (y, m, d) => `${Number(d)}/${Number(m)}/${y}`,
  "M/d/yyyy": (y, m, d) => `${Number(m)}/${Number(d)}/${y}`,
  "dd.MM.yyyy": (y, m, d) => `${d}.${m}.${y}`,
  yyyyMMdd: (y, m, d) => `${y}${m}${d}`
}

interface Dialect {
  readonly separator: string
  readonly end: string
  readonly last: boolean
  readonly quotes: "always" | "needed"
  readonly date: string
  readonly mark: "." | ","
  readonly grouping: string
  readonly negative: (amount: string) => string
  readonly encoding: "utf-8" | "utf-8 mark" | "utf-16le" | "utf-16be" | "windows-1252"
  readonly order: ReadonlyArray<number>
}

const dialect = (encoding: fc.Arbitrary<Dialect["encoding"]>): fc.Arbitrary<Dialect> =>
  fc
    .record({
      separator: fc.constantFrom(",", ";", "\t", "|"),
      end: fc.constantFrom("\n", "\r\n", "\r"),
      last: fc.boolean(),
      quotes: fc.constantFrom("always" as const, "needed" as const),
      date: fc.constantFrom(...Object.keys(DATES)),
      mark: fc.constantFrom("." as const, "," as const),
      grouping: fc.constantFrom("", " ", "'", "other", "\u202f"),
      negative: fc.constantFrom(
        (amount: string) => `-${amount}`,
        (amount: string) => `${amount}-`,
        (amount: string) => `(${amount})`
      ),
      encoding,
      order: fc.shuffledSubarray([0, 1, 2, 3, 4, 5, 6, 7], { minLength: 8 })
    })
    // Windows-1252 has no narrow blank.
    .map((one) => (one.encoding === "windows-1252" && one.grouping === "\u202f" ? { ...one, grouping: "" } : one))

const money = (cents: bigint, { grouping, mark, negative }: Dialect): string => {
  const digits = String(cents < 0n ? -cents : cents).padStart(3, "0")
  const group = grouping === "other" ? (mark === "." ? "," : ".") : grouping
  const whole = digits.slice(0, -2).replace(/\B(?=(\d{3})+$)/g, group)
  const amount = `${whole}${mark}${digits.slice(-2)}`
  return cents < 0n ? negative(amount) : amount
}

const encoded = (content: string, encoding: Dialect["encoding"]): Buffer =>
  encoding === "utf-8"
    ? Buffer.from(content)
    : encoding === "utf-8 mark"
      ? Buffer.from(`\ufeff${content}`)
      : encoding === "windows-1252"
        ? Buffer.from(content, "latin1")
        : encoding === "utf-16le"
          ? Buffer.from(`\ufeff${content}`, "utf16le")
          : Buffer.from(`\ufeff${content}`, "utf16le").swap16()

const written = (lines: ReadonlyArray<Line>, one: Dialect): Buffer => {
  const cell = (content: string) =>
    one.quotes === "always" || /["\r\n]/.test(content) || content.includes(one.separator)
      ? `"${content.replaceAll('"', '""')}"`
      : content
  const day = (date: Date) =>
    DATES[one.date]!(...(date.toISOString().slice(0, 10).split("-") as [string, string, string]))
  const rows = lines.map(({ cents, country, customer, issued }, n) => [
    `INV-${n}`,
    customer,
    country,
    day(issued),
    day(issued),
    money(cents, one),
    money(cents, one),
    "Sent"
  ])
  const content = [HEADER.split(","), ...rows]
    .map((cells) => one.order.map((at) => cell(cells[at]!)).join(one.separator))
    .join(one.end)
  return encoded(one.last ? content + one.end : content, one.encoding)
}

const same = (document: Document, { cents, country, customer, issued }: Line, n: number) => {
  const { due, gross, id, issued: on, net, party } = document as Invoice
  const day = issued.toISOString().slice(0, 10)
  const amount = Decimal.fromInteger(cents) / 100n
  expect({ id, on, due, gross, net, party }).toEqual({
    id: `INV-${n}`,
    on: day,
    due: day,
    gross: amount,
    net: amount,
    party: country === "" ? { name: customer } : { name: customer, country }
  })
}

const readsBack = (name: fc.Arbitrary<string>, encoding: fc.Arbitrary<Dialect["encoding"]>, more: object) =>
  fc.assert(
    fc.asyncProperty(fc.array(line(name), { minLength: 1, maxLength: 20 }), dialect(encoding), async (lines, one) => {
      const { documents, error, notices, quarantined } = await pull(
        { "invoices.csv": written(lines, one) },
        invoices({ date_format: one.date, ...more })
      )
      expect([error, quarantined, notices]).toEqual([undefined, [], []])
      expect(documents).toHaveLength(lines.length)
      documents.forEach((document, n) => {
        same(document, lines[n]!, n)
      })
    }),
    RUNS
  )

it("any table reads back the same, whatever its separator, quotes, ends of lines, dates, marks and encoding", () =>
  readsBack(names.any, fc.constantFrom("utf-8", "utf-8 mark", "utf-16le", "utf-16be"), {}))

it("also in windows-1252, when that is set", () =>
  readsBack(names.western, fc.constant("windows-1252"), { encoding: "windows-1252" }))

/** Rows that are wrong, each in its own way. None of them has an id that a good row has. */
const malformed: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    'BAD,"Acme,GB,2024-01-31,2024-03-01,1.00,1.20,Sent',
    '"BAD,Acme,GB,2024-01-31,2024-03-01,1.00,1.20,Sent',
    'BAD,Acme,GB,2024-01-31,2024-03-01,1.00,1.20,"Sent',
    'BAD,"Acme""",GB,2024-01-31,2024-03-01,1.00,1.20,"',
    "BAD,Acme,GB,2024-01-31",
    "BAD",
    "BAD,Acme, Ltd,GB,2024-01-31,2024-03-01,1.00,1.20,Sent",
    "BAD,Ac\u0000me,GB,2024-01-31,2024-03-01,1.00,1.20,Sent",
    ",Acme,GB,2024-01-31,2024-03-01,1.00,1.20,Sent",
    "BAD,Acme,GB,31/01/2024,2024-03-01,1.00,1.20,Sent",
    "BAD,Acme,GB,2024-01-31,2024-02-30,1.00,1.20,Sent",
    "BAD,Acme,GB,2024-01-31,2024-03-01,1.00,1.2O,Sent",
    "BAD,Acme,GB,2024-01-31,2024-03-01,1.001,1.20,Sent",
    "BAD,Acme,GB,2024-01-31,2024-03-01,1.00,1.20,Gone",
    "INV-0,Another,GB,2024-01-31,2024-03-01,1.00,1.20,Sent"
  ),
  // Whatever a person may paste into a file, as long as it is one line and no row.
  fc
    .string({ unit: fc.constantFrom('"', ",", "a", " ", "\u0000", "é", "\ufffd"), minLength: 1, maxLength: 30 })
    .filter((some) => some.replace(/[", ]/g, "") !== "")
)

it("a malformed row costs itself and no other, wherever it stands", () =>
  fc.assert(
    fc.asyncProperty(
      fc.array(line(names.unquoted), { minLength: 4, maxLength: 12 }),
      // The quotes of two of them would pair, and what lies between be one cell: one at most has some.
      fc
        .array(fc.tuple(malformed, fc.nat()), { minLength: 1, maxLength: 2 })
        .filter((bad) => bad.filter(([content]) => content.includes('"')).length < 2),
      fc.constantFrom("always" as const, "needed" as const),
      async (lines, bad, quotes) => {
        const plain = {
          separator: ",",
          end: "\n",
          last: true,
          quotes,
          date: "yyyy-MM-dd",
          mark: ".",
          grouping: "",
          negative: (amount: string) => `-${amount}`,
          encoding: "utf-8",
          order: [0, 1, 2, 3, 4, 5, 6, 7]
        } as const
        // Each row by itself, so that the malformed ones can be put between them.
        const upTo = (rows: number) => written(lines.slice(0, rows), plain).toString()
        const head = upTo(0)
        const good = lines.map((_, n) => upTo(n + 1).slice(upTo(n).length))
        const all = good.map((content) => ({ content, wrong: false }))
        // Behind the second row: right behind the first one, a row under its id would take it along.
        for (const [content, at] of bad)
          all.splice(2 + (at % (all.length - 1)), 0, { content: `${content}\n`, wrong: true })
        const { documents, error, quarantined } = await pull(
          { "invoices.csv": head + all.map(({ content }) => content).join("") },
          invoices()
        )
        expect(error).toBeUndefined()
        expect(ids(documents)).toEqual(lines.map((_, n) => `INV-${n}`))
        documents.forEach((document, n) => {
          same(document, lines[n]!, n)
        })
        let at = 2
        const expected: Array<readonly [string, string]> = []
        for (const { content, wrong } of all) {
          if (wrong) expected.push([`invoices.csv:${at}`, content.slice(0, -1)])
          at += content.split(/\r\n|\n|\r/).length - 1
        }
        expect(quarantined.map(({ origin, raw }) => [origin, raw])).toEqual(expected)
      }
    ),
    { numRuns: 300 }
  ))
