/**
 * Files that change after they were set up: what a column or a row now says otherwise is named by `doctor`, `preview`, and `sync`,
 * and nothing of it is passed over. The same kinds as `test/connect/BadFiles.ts` has of files that are set up.
 */
import { assert, describe, it } from "@effect/vitest"
import { PRINCIPLES } from "../connect/BadFiles.ts"
import { desk, service, useCommand } from "../support/Cli.ts"

useCommand()

const lines = (...all: ReadonlyArray<string>): string => `${all.join("\n")}\n`

const HEAD = "Invoice No,Customer,Date,Due,Total,Currency"
const ROWS = [
  "1,Alder,2026-09-01,2026-10-01,100.00,EUR",
  "2,Beech,2026-09-02,2026-10-02,50.00,EUR",
  "3,Cedar,2026-09-03,2026-10-03,30.00,EUR"
]
const BOOKS = lines(HEAD, ...ROWS)
const next = (amount: string, currency = "EUR") => `4,Dorn,2026-09-04,2026-10-04,${amount},${currency}`
const with_ = (more: string) => ROWS.map((row) => `${row},${more}`)
const taxed = ["80.00,20.00", "40.00,10.00", "24.00,6.00"].map((more, n) => `${ROWS[n]},${more}`)
const first = (text: string) => ROWS.map((row) => `${text},${row}`)

interface Change {
  readonly kind: string
  readonly before: Readonly<Record<string, string>>
  readonly after: Readonly<Record<string, string>>
  readonly says: RegExp
  /** It is said beside what is read, and nothing is wrong with that. */
  readonly isRead?: true
}

const one = (kind: string, before: string, after: string, says: RegExp): Change => ({
  kind,
  before: { "books.csv": before },
  after: { "books.csv": after },
  says
})

const STATEMENT = "Date,Payer,Reference,Amount,Balance,Currency"
const MOVES = [
  "2026-10-05,Alder,INV 1,100.00,1100.00,EUR",
  "2026-10-06,Beech,INV 2,50.00,1150.00,EUR",
  "2026-10-07,Power,bill,-20.00,1130.00,EUR"
]
const PAID = "Payment ID,Payment Date,Invoice Number,Amount,Currency,Payment Status"
const RECEIPT = "P1,2026-10-05,1,100.00,EUR,Received"
const DIRECTION = "Datum,Naam / Omschrijving,Rekening,Tegenrekening,Code,Af Bij,Bedrag (EUR),Mededelingen"
const transfer = (day: number, way: string, who: string) =>
  `2026090${day},${who},NL02ABNA0123456789,NL91ABNA041716430${day},OV,${way},"10,00",INV ${day}`

const beside = (kind: string, before: string, after: string, says: RegExp): Change => ({
  kind,
  before: { "books.csv": BOOKS, "bank.csv": before },
  after: { "bank.csv": after },
  says
})

const CHANGES: ReadonlyArray<Change> = [
  one(
    "a total stops agreeing",
    lines(HEAD, ...ROWS, "Total,,,,180.00,"),
    lines(HEAD, ...ROWS, next("25.00"), "Total,,,,199.00,"),
    /total says 199\.00 EUR/
  ),
  one(
    "a subtotal appears that differs",
    BOOKS,
    lines(HEAD, ...ROWS.slice(0, 2), "Alder Total,,,,155.00,", ...ROWS.slice(2)),
    /155\.00/
  ),
  {
    ...one("a column with what is left", BOOKS, lines(`${HEAD},Balance Due`, ...with_("40.00")), /"Balance Due"/),
    isRead: true
  },
  {
    ...one("a column that nobody knows", BOOKS, lines(`${HEAD},Retention`, ...with_("4.00")), /"Retention"/),
    isRead: true
  },
  {
    kind: "a newer copy beside the file that is read",
    before: { "books.csv": BOOKS },
    after: { "books (1).csv": lines(HEAD, ...ROWS, next("25.00")) },
    says: /books \(1\)\.csv/,
    isRead: true
  },
  {
    kind: "another file that begins like it",
    before: { "books.csv": BOOKS },
    after: { "october.csv": lines(HEAD, ...ROWS, next("25.00")) },
    says: /begins like books\.csv, and is not read/,
    isRead: true
  },
  one(
    "an amount in a column that was empty",
    lines(`${HEAD},Xyz`, ...with_("")),
    lines(`${HEAD},Xyz`, ...with_(""), `${next("25.00")},5.00`),
    /says "5\.00", and the column was empty/
  ),
  one(
    "a day in a column that was empty",
    lines(`${HEAD},Xyz`, ...with_("")),
    lines(`${HEAD},Xyz`, ...with_(""), `${next("25.00")},2026-09-20`),
    /says "2026-09-20", and the column was empty/
  ),
  one(
    "less in a column that was the whole amount",
    lines(`${HEAD},Xyz`, ...ROWS.map((row) => `${row},${row.split(",")[4]}`)),
    lines(`${HEAD},Xyz`, ...ROWS.map((row) => `${row},${row.split(",")[4]}`), `${next("25.00")},5.00`),
    /says "5\.00", and the column was the whole amount in every row/
  ),
  one("the amount's heading vanishes", BOOKS, lines(HEAD.replace("Total", "Summe"), ...ROWS), /no column "Total"/),
  one(
    "the currency's heading vanishes",
    BOOKS,
    lines(HEAD.replace("Currency", "Coin"), ...ROWS),
    /no column "Currency"/
  ),
  one(
    "the state's heading vanishes",
    lines(`${HEAD},Status`, ...with_("Open")),
    lines(`${HEAD},Mood`, ...with_("Open")),
    /no column "Status"/
  ),
  one(
    "a state that nobody knows",
    lines(`${HEAD},Status`, ...with_("Open")),
    lines(`${HEAD},Status`, ...with_("Open"), `${next("25.00")},Zwischenstand`),
    /"Zwischenstand" is not draft, open, paid or void/
  ),
  one("a currency that is none", BOOKS, lines(HEAD, ...ROWS, next("25.00", "EUX")), /EUX/),
  one("an amount that cannot be read", BOOKS, lines(HEAD, ...ROWS, next("tbc")), /"tbc"/),
  one(
    "a row whose net and tax do not come to its total",
    lines(`${HEAD},Net,VAT`, ...taxed),
    lines(`${HEAD},Net,VAT`, ...taxed, `${next("25.00")},20.00,4.00`),
    /net 20\.00 EUR with tax 4\.00 EUR comes to 24\.00 EUR/
  ),
  one("amounts that are written otherwise", BOOKS, lines(HEAD, ...ROWS, next('"1.234,50"')), /1\.234,50/),
  one(
    "days that are written otherwise",
    BOOKS,
    lines(HEAD, ...ROWS, next("25.00").replaceAll("2026-09-04", "04/09/2026")),
    /04\/09\/2026/
  ),
  one(
    "a row of another length",
    BOOKS,
    lines(HEAD, ...ROWS, next("25.00").replace("Dorn", "Dorn, Ltd")),
    /7 cells where the header has 6/
  ),
  one(
    "a type where all were invoices",
    lines(`Type,${HEAD}`, ...first("Invoice")),
    lines(`Type,${HEAD}`, ...first("Invoice"), `Estimate,${next("25.00")}`),
    /"Estimate" in 1 row, 25\.00 EUR/
  ),
  one(
    "a type that nobody knows",
    lines(`Type,${HEAD}`, ...first("Invoice"), `Estimate,${next("25.00")}`),
    lines(`Type,${HEAD}`, ...first("Invoice"), `Anticipo,${next("25.00")}`),
    /"Anticipo" in 1 row, 25\.00 EUR/
  ),
  one(
    "another table below",
    BOOKS,
    lines(BOOKS, "Invoice No,Supplier,Date,Due,Total,Approved by", "B1,Elm,2026-09-01,2026-10-01,9.00,Ann"),
    /headings of another table/
  ),
  beside(
    "a word for the way that nobody knows",
    lines(DIRECTION, transfer(5, "Bij", "Alder"), transfer(6, "Af", "Power")),
    lines(DIRECTION, transfer(5, "Bij", "Alder"), transfer(6, "Af", "Power"), transfer(7, "Zijwaarts", "Cedar")),
    /Zijwaarts/
  ),
  beside(
    "a balance that does not follow",
    lines(STATEMENT, ...MOVES),
    lines(STATEMENT, ...MOVES, "2026-10-08,Cedar,INV 3,30.00,1190.00,EUR"),
    /bank\.csv:5/
  ),
  beside(
    "a payment's state that nobody knows",
    lines(PAID, RECEIPT),
    lines(PAID, RECEIPT, "P3,2026-10-07,3,30.00,EUR,Frobbed"),
    /Frobbed/
  )
]

describe("the principles of a first mapping", () => {
  it("are each tried by changes", () => {
    const kinds = CHANGES.map(({ kind }) => kind)
    for (const { later, says } of PRINCIPLES) {
      assert.isNotEmpty(later, says)
      assert.includeMembers(kinds, [...later], says)
    }
  })
})

describe.concurrent("a file that changes after it was set up", { timeout: 300_000 }, () => {
  for (const { after, before, isRead, kind, says } of CHANGES)
    it(`is spoken of by each command: ${kind}`, async () => {
      const { url } = await service()
      const here = desk(before)
      const neither = ["--column", "invoices.balance=none", "--column", "invoices.paid=none"]
      const asked = before["books.csv"]?.includes("Xyz") === true ? neither : []
      const files = Object.keys(before)
      const init = await here.run("init", ...files, "--yes", "--service", url, "--name", "Acme", ...asked)
      assert.strictEqual(init.status, 0, init.stderr)
      assert.include([0, 3], (await here.run("sync", "--yes")).status)
      for (const [name, text] of Object.entries(after)) here.write(name, text)
      for (const args of [["preview"], ["doctor"], ["pull"], ["sync", "--yes"]]) {
        const { status, stderr, stdout } = await here.run(...args)
        const text = `${stdout}${stderr}`.replace(/\s+/g, " ")
        assert.match(text, says, args[0])
        assert.notInclude(text, "No problems found")
        if (isRead === true) continue
        assert.notStrictEqual(status, 0, args[0])
        assert.notMatch(text, /\d agree /, args[0])
      }
    })
})
