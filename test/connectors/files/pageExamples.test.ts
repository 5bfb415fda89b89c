/** The examples in the pages that read tables and files, as they stand, with rows of our own: what they come to, payments among it. */
import Sqlite from "better-sqlite3"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "vitest"
import type * as Document from "../../../connectors/Document.ts"
import { connectors } from "../../../connectors/index.ts"
import { run, type Subject } from "../../../connectors/testing/Subject.ts"
import * as Decimal from "../../../core/money/Decimal.ts"
import { camt, transfer } from "./Statements.ts"
import { type Contents, write } from "./support.ts"

type Settings = { readonly [setting: string]: unknown }

/** The examples of a connector on a page. */
const examplesOf = (page: string, connector: string): ReadonlyArray<Settings> =>
  [...readFileSync(page, "utf8").matchAll(/^```json\n([\s\S]*?)^```$/gm)].flatMap(([, text = ""]) => {
    const value = JSON.parse(text)
    const sources = value.connections?.map((one: { source: Settings }) => one.source) ?? [value]
    return sources.flatMap(({ connector: name, ...settings }: Settings) => (name === connector ? [settings] : []))
  })

const moneyOf = (document: Document.Document): bigint =>
  document.kind === "invoice"
    ? (document.gross ?? 0n)
    : "shares" in document
      ? Decimal.sum(document.shares.map(({ amount }) => amount)) +
        (("unallocated" in document ? document.unallocated : undefined) ?? 0n)
      : 0n

const subjectOf = async (name: string): Promise<Subject> =>
  (await connectors.find((one) => one.name === name)!.sample()).subject

/** Of each kind, how many and what they come to. */
const sumsOf = async (name: string, settings: Settings, folder: string) => {
  const { connector } = await subjectOf(name)
  const { error, pages } = await run({ connector, settings, golden: [], open: () => ({}) }, { folder })
  assert.isUndefined(error, error?.message)
  assert.deepStrictEqual(
    pages.flatMap(({ quarantined }) => quarantined),
    []
  )
  const read = pages.flatMap((page) => page.read.map(({ document }) => document))
  const of = (kind: string) => read.filter((one) => one.kind === kind)
  return Object.fromEntries(
    [...new Set(read.map(({ kind }) => kind))].map((kind) => [
      kind,
      `${of(kind).length}: ${Decimal.format(Decimal.sum(of(kind).map(moneyOf)), 2)}`
    ])
  )
}

const table = (...lines: ReadonlyArray<string>): string => `${lines.join("\n")}\n`

const BANK = {
  "statements/a.xml": camt({
    opening: "10.00",
    closing: "1200.00",
    entries: [
      {
        ref: "2026020300000017",
        amount: "1190.00",
        details: [transfer("1190.00", { name: "Atelier Nord", text: "Invoice INV-7", trace: "E2E-7" })]
      }
    ]
  })
}

interface Example {
  readonly page: string
  readonly sources: ReadonlyArray<{ readonly files: Contents; readonly sums: Readonly<Record<string, string>> }>
}

const PAGES: ReadonlyArray<Example> = [
  {
    page: "README.md",
    sources: [
      {
        files: {
          "invoices.csv": table(
            "Invoice,Buyer,Issued,Due,Gross,Balance",
            "INV-1,Alder,2026-09-01,2026-10-01,120.00,20.00",
            "INV-2,Beech,2026-09-02,2026-10-02,60.00,60.00"
          )
        },
        sums: { invoice: "2: 180.00" }
      }
    ]
  },
  {
    page: "connectors/files/README.md",
    sources: [
      {
        files: {
          "invoices/2026.csv": table(
            "Invoice,Buyer,Country,Issued,Due,Net,Gross,State",
            "INV-1,Alder,GB,2026-09-01,2026-10-01,100.00,120.00,Sent",
            "INV-2,Beech,FR,2026-09-02,2026-10-02,50.00,60.00,Cancelled"
          ),
          "payments.csv": table(
            "Ref,Invoice,Date,Amount,Type",
            "P-1,INV-1,5.10.2026,70.00,",
            "P-2,INV-1,6.10.2026,-20.00,refund"
          )
        },
        sums: { invoice: "2: 180.00", payment: "1: 70.00", reversal: "1: 20.00" }
      },
      {
        files: {
          "audit-trail.csv": table(
            "No,Type,A/C,Date,Ref,Ex.Ref,Net,Tax",
            "1,SI,ALDER,05/10/2026,5001,,100.00,20.00",
            "2,SI,ALDER,05/10/2026,5001,,10.00,2.00",
            "3,SC,ALDER,07/10/2026,CR-1,5001,10.00,2.00",
            "4,SR,ALDER,25/10/2026,5001,,100.00,0.00",
            "5,SA,BEECH,26/10/2026,,,30.00,0.00",
            "6,PI,CEDAR,26/10/2026,B-1,,500.00,100.00"
          )
        },
        sums: { invoice: "1: 132.00", credit_note: "1: 12.00", payment: "2: 130.00" }
      },
      {
        files: {
          "statements/october.csv": table(
            "Date,Description,Money in,Money out,Balance",
            "5 Oct 2026,ALDER INV-1,120.00,,1120.00",
            "6 Oct 2026,POWER,,20.00,1100.00",
            "7 Oct 2026,BEECH INV-2,60.00,,1160.00"
          )
        },
        sums: { payment: "2: 180.00" }
      },
      { files: BANK, sums: { payment: "1: 1190.00" } }
    ]
  },
  {
    page: "connectors/files/bank/README.md",
    sources: [{ files: { "bank/a.xml": BANK["statements/a.xml"] }, sums: { payment: "1: 1190.00" } }]
  }
]

describe("the examples of tables", () => {
  for (const { page, sources } of PAGES)
    it(`read with their payments what is in the files: ${page}`, async () => {
      const examples = examplesOf(page, "files")
      assert.lengthOf(examples, sources.length)
      for (const [n, { files, sums }] of sources.entries())
        assert.deepStrictEqual(await sumsOf("files", examples[n]!, write(files)), sums)
    })

  it("read with their payments what is in a database", async () => {
    const [{ url, ...settings } = {}, ...more] = examplesOf("connectors/sql/README.md", "sql")
    assert.deepStrictEqual([url, more], [{ env: "BOOKS_DATABASE" }, []])
    const folder = write({})
    const db = new Sqlite(join(folder, "books.db"))
    db.exec(`CREATE TABLE invoices (id, buyer, country, issued, due, net, gross, changed);
      CREATE TABLE payments (id, invoice, paid, amount);
      INSERT INTO invoices VALUES ('INV-1', 'Alder', 'FR', '2026-09-01', '2026-10-01', '100.00', '120.00', '2026-09-01 10:00:00');
      INSERT INTO payments VALUES ('P-1', 'INV-1', '2026-10-05', '70.00')`)
    db.close()
    const sums = await sumsOf("sql", { ...settings, file: "books.db" }, folder)
    assert.deepStrictEqual(sums, { invoice: "1: 120.00", payment: "1: 70.00" })
  })
})

describe("the examples of files that describe themselves", () => {
  const CASES = [
    ["ledger", "", { invoice: "2: 360.00", payment: "2: 300.00", credit_note: "1: 60.00", reversal: "1: 180.00" }],
    ["einvoice", "invoices", { invoice: "2: 1321.12", payment: "1: 200.12", credit_note: "1: 24.20" }]
  ] as const
  for (const [name, within, sums] of CASES)
    it(`read with their payments what is in the files: ${name}`, async () => {
      const subject = await subjectOf(name)
      const { close, folder } = subject.open()
      const [example, ...more] = examplesOf(`connectors/${name}/README.md`, name)
      assert.lengthOf(more, 0)
      const own = write({})
      for (const file of readdirSync(folder!)) write({ [join(within, file)]: readFileSync(join(folder!, file)) }, own)
      assert.deepStrictEqual(await sumsOf(name, example!, own), sums)
      close?.()
    })
})
