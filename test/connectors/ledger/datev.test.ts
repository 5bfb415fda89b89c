/** What DATEV's posting batches become, with the list of customers beside them. */
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { isExtf } from "../../../connectors/ledger/datev/Batch.ts"
import { cellsOf } from "../../../connectors/ledger/datev/Cells.ts"
import { sumsOf } from "../../sync/setup/Reading.ts"
import { bytes, EXPORTS } from "../files/Programs.ts"
import { pullFrom } from "./Fec.ts"
import { times } from "../../support/Effort.ts"

let folder = ""
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "daybook-datev-"))
})
afterEach(() => rmSync(folder, { recursive: true }))

const COLUMNS =
  "Umsatz (ohne Soll/Haben-Kz);Soll/Haben-Kennzeichen;WKZ Umsatz;Kurs;Basisumsatz;WKZ Basisumsatz;Konto;Gegenkonto (ohne BU-Schlüssel);BU-Schlüssel;Belegdatum;Belegfeld 1;Belegfeld 2;Skonto;Buchungstext;Sachverhalt;Fälligkeit;Generalumkehr"

/** `119,00 S 10000 8400 503 R-1 text; Fälligkeit=04042026`: amount, side, account, contra account, day, document, text. */
const row = (text: string): string => {
  const [plain = "", ...more] = text.split("; ")
  const [amount, side, konto, gegen, day, ref, ...words] = plain.split(" ")
  const extra = Object.fromEntries(more.map((one) => one.split("=") as [string, string]))
  const cells: Record<string, string | undefined> = {
    "Umsatz (ohne Soll/Haben-Kz)": amount,
    "Soll/Haben-Kennzeichen": `"${side}"`,
    Konto: konto,
    "Gegenkonto (ohne BU-Schlüssel)": gegen,
    Belegdatum: day,
    "Belegfeld 1": `"${ref === "-" ? "" : ref}"`,
    Buchungstext: `"${words.join(" ")}"`,
    ...extra
  }
  return COLUMNS.split(";")
    .map((name) => cells[name] ?? "")
    .join(";")
}

const head = (category: number, created: string, chart: string) =>
  `"EXTF";700;${category};"Name";9;${created};;"XY";"";"";1001;456;20260101;4;20260101;20261231;"";"";1;;0;"EUR";"";"";"";"";"${chart}";;;"";""`

const put = (name: string, rows: ReadonlyArray<string>, { chart = "03", created = "20260601000000000" } = {}): void => {
  const text = [head(21, created, chart), COLUMNS, ...rows.map(row), ""].join("\r\n")
  writeFileSync(join(folder, name), Buffer.from(text, "latin1"))
  utimesSync(join(folder, name), 1_000_000, 1_000_000)
}

const pull = (settings = {}) => pullFrom(folder, settings)

describe("DATEV's posting batches", () => {
  it("have customers' names, tax numbers and countries from the list beside them", async () => {
    put("EXTF_Buchungsstapel.csv", [
      "119,00 S 10000 8400 503 R-1 Beratung",
      "50,00 S 10001 8400 503 R-2 Beratung",
      "9,00 H 1200 4940 503 X Buch"
    ])
    const columns =
      "Konto;Name (Adressatentyp Unternehmen);Name (Adressatentyp natürl. Person);Vorname (Adressatentyp natürl. Person);EU-Land;EU-USt-IdNr.;Land"
    const list = [
      head(16, "1", ""),
      columns,
      `10000;"Müller ""Bau"" KG";"";"";"AT";"U12345675";"AT"`,
      `70000;"Papier AG";;;;;`
    ]
    writeFileSync(join(folder, "EXTF_Stammdaten.csv"), Buffer.from(list.join("\r\n"), "latin1"))
    const { read } = await pull()
    expect(read.map(({ document }) => "party" in document && document.party)).toEqual([
      { id: "10000", name: 'Müller "Bau" KG', country: "AT", vat: "ATU12345675" },
      { id: "10001", name: "Debitor 10001" }
    ])
  })

  it("state the due day as Fälligkeit, or in Belegfeld 2, and otherwise have none", async () => {
    put("a.csv", [
      "119,00 S 10000 8400 503 R-1 A; Fälligkeit=04052026",
      "119,00 S 10000 8400 503 R-2 A; Belegfeld 2=190326",
      "119,00 S 10000 8400 503 R-3 A; Belegfeld 2=4711"
    ])
    const dues = async (settings: object) =>
      (await pull(settings)).read.map(({ document }) => "due" in document && document.due)
    expect(await dues({})).toEqual(["2026-05-04", "2026-03-19", "2026-04-04"])
    expect((await pull({ terms_days: undefined })).refused).toEqual([
      "a.csv:5: it has no due date (Fälligkeit); set terms_days"
    ])
  })

  it("add up the rates of one invoice, whichever account is on which side, in both charts", async () => {
    put("a.csv", ["119,00 S 10000 8400 503 R-1 A", "107,00 S 10000 8300 503 R-1 A", "50,00 H 8400 10001 503 R-2 A"])
    expect((await pull()).said).toEqual(["invoice R-1 226.00", "invoice R-2 50.00"])
    put("a.csv", ["119,00 S 10000 4400 503 R-1 A", "119,00 H 10000 1800 603 R-1 A"], { chart: "04" })
    expect((await pull()).said).toEqual(["invoice R-1 119.00", "payment 2026-03-06 119.00 of R-1"])
  })

  it("void an invoice that is posted back (Generalumkehr), and leave out a payment that is", async () => {
    put("a.csv", [
      "119,00 S 10000 8400 503 R-1 A",
      "119,00 S 10000 8400 703 R-1 A; Generalumkehr=1",
      "119,00 S 10000 8400 503 R-2 A",
      "119,00 H 10000 1200 603 R-2 A",
      "119,00 H 10000 1200 603 R-2 A; Generalumkehr=1",
      "119,00 S 10000 8400 503 R-3 A",
      "119,00 S 10000 8400 503 R-3 A; Generalumkehr=1",
      "238,00 S 10000 8400 803 R-3 A"
    ])
    const { notices, read, said } = await pull()
    expect(said).toEqual(["void invoice R-1 119.00", "invoice R-2 119.00", "invoice R-3 238.00"])
    expect(read[2]?.document).toMatchObject({ issued: "2026-03-08" })
    expect(notices).toHaveLength(2)
  })

  it("have discounts, returned debits, refunds and losses beside payments, and leave out dunning fees", async () => {
    put("a.csv", [
      "100,00 S 10000 8400 503 R-1 A",
      "98,00 H 10000 1200 1003 R-1 Zahlung; Skonto=2,00",
      "98,00 S 10000 1200 1503 R-1 Rücklastschrift",
      "50,00 S 10001 8400 503 R-2 A",
      "50,00 H 10001 2400 2003 R-2 Forderungsverlust",
      "7,00 S 10001 8400 2003 M-1 Mahngebühr; Sachverhalt=40",
      "20,00 H 10001 1200 2003 - Anzahlung R-9",
      "20,00 S 10001 1200 2503 - Erstattung"
    ])
    const { notices, read, said } = await pull()
    expect(said).toEqual([
      "invoice R-1 100.00",
      "payment 2026-03-10 98.00 of R-1",
      "credit_note 2026-03-10 2.00 of R-1",
      "reversal error 2026-03-15 98.00 of R-1",
      "invoice R-2 50.00",
      "credit_note 2026-03-20 50.00 of R-2",
      "payment 2026-03-20 20.00 of none",
      "reversal refund 2026-03-25 20.00 of none"
    ])
    expect(read[3]?.document).toMatchObject({ payment: read[1]?.document.id })
    expect(notices).toEqual([
      "a discount (Skonto) beside a payment: a credit note",
      "settled without money and without a credit note (a loss, a discount, set off): a credit note",
      "interest on arrears or a dunning fee (Sachverhalt 31, 40); left out"
    ])
  })

  it("credit the invoice that a posting's own text names, and have the currency of each posting", async () => {
    put("a.csv", [
      "100,00 S 10000 8400 503 R-1 A; WKZ Umsatz=CHF",
      "40,00 H 10000 8400 603 G-1 Gutschrift zu R-1; WKZ Umsatz=CHF",
      "10,00 H 10000 8400 603 G-2 Bonus; WKZ Umsatz=CHF"
    ])
    const { read, said } = await pull()
    expect(said).toEqual(["invoice R-1 100.00", "credit_note 2026-03-06 40.00 of R-1", "invoice G-2 -10.00"])
    expect(read.map(({ document }) => "currency" in document && document.currency)).toEqual(["CHF", "CHF", "CHF"])
  })

  it("are quarantined where they are not clear, with their line", async () => {
    put("a.csv", [
      "1x,00 S 10000 8400 503 R-1 A",
      "100,00 S 10000 8400 503 R-2 A",
      "100,00 S 10000 8400 603 R-2 A",
      "30,00 S 10000 9008 101 EB Saldovortrag",
      "30,00 S 10000 2650 503 Z Zinsen",
      "30,00 X 10000 8400 503 R-4 A",
      "30,00 S 10000 8400 3103 R-5 A; Belegdatum=9999"
    ])
    expect((await pull()).refused.toSorted()).toEqual([
      'a.csv:3: "1x,00" is not an amount in EUR with two decimals, as 119,00; correct it in the program that wrote it, and export it again',
      "a.csv:4: document R-2 of 10000 has postings of several days (2026-03-05, 2026-03-06): is it one invoice? Give each its own Belegfeld 1, or post it anew on one day, and export again",
      "a.csv:6: what Debitor 10000 owed before this year (30.00 EUR) is a balance without its invoices; add last year's postings to the folder",
      "a.csv:7: 30.00 EUR between Debitor 10000 and account 2650 is neither an invoice nor a payment; correct it in the program that wrote it, and export it again",
      'a.csv:8: "X" is nothing that DATEV writes there; correct it in the program that wrote it, and export it again',
      'a.csv:9: "9999" is not a day of the year from 2026-01-01; correct it in the program that wrote it, and export it again'
    ])
  })

  it("have accounts of the lengths that the first line says, columns that the second names, and no posting twice", async () => {
    const rows = ["100,00 S 10000 8400 503 R-1 A", "100,00 S 00002 8400 503 R-2 A", "100,00 S 10000 840000 503 R-3 A"]
    put("a.csv", [...rows, rows[0]!])
    const { notices, refused } = await pull()
    expect(refused.toSorted()).toEqual([
      `a.csv:4: "00002" is neither an account of 4 digits nor a customer's or supplier's of 5; correct it in the program that wrote it, and export it again`,
      `a.csv:5: "840000" is neither an account of 4 digits nor a customer's or supplier's of 5; correct it in the program that wrote it, and export it again`
    ])
    expect(notices).toEqual([
      "postings that are the same in every cell as one before (line 6); each was read: look whether the batch has them twice"
    ])
    const text = [head(21, "1", "03"), row(rows[0]!), row(rows[1]!)].join("\r\n")
    writeFileSync(join(folder, "a.csv"), Buffer.from(text, "latin1"))
    expect((await pull()).refused).toEqual([
      "a.csv:2: the second line does not name the columns; nothing of the file is used; export it again"
    ])
  })

  it("count once if the batch was exported again, and together if they are of several months", async () => {
    put("march.csv", ["119,00 S 10000 8400 503 R-1 A", "50,00 S 10000 8400 603 R-2 A"])
    put(
      "march (1).csv",
      ["119,00 S 10000 8400 503 R-1 A", "50,00 S 10000 8400 603 R-2 A", "7,00 S 10000 8400 703 R-3 A"],
      { created: "20260701000000000" }
    )
    put("april.csv", ["119,00 H 10000 1200 204 R-1 Zahlung"])
    const { notices, said } = await pull()
    expect([said, notices]).toEqual([
      ["invoice R-1 119.00", "invoice R-2 50.00", "invoice R-3 7.00", "payment 2026-04-02 119.00 of R-1"],
      ["an earlier export of the same postings; left out"]
    ])
  })

  it("come to what a table of the same file comes to, with settings written by hand", async () => {
    writeFileSync(join(folder, "a.csv"), bytes("datev-extf.csv"))
    const { read } = await pull()
    expect(sumsOf(read.map(({ document }) => document)).sums).toEqual(
      EXPORTS.find(({ name }) => name === "DATEV, EXTF")?.sums
    )
  })

  it("begin like no other file, and have quotes", () => {
    expect([
      isExtf('"EXTF";700;21;"B"'),
      isExtf("EXTF;510;16;x"),
      isExtf('"EXTF";700;46;"Z"'),
      isExtf("Umsatz;Konto")
    ]).toEqual([true, true, false, false])
    expect(cellsOf('1;"a;""b""";;"c"')).toEqual(["1", 'a;"b"', "", "c"])
    expect(cellsOf(';"x"')).toEqual(["", "x"])
  })

  it("are never a crash: cut at 20 places, and with bytes flipped", async () => {
    put("a.csv", [
      "119,00 S 10000 8400 503 R-1 A",
      "50,00 S 10000 8400 603 R-2 A",
      "119,00 H 10000 1200 1003 R-1 Z; Skonto=1,00"
    ])
    const { readFileSync } = await import("node:fs")
    const whole = readFileSync(join(folder, "a.csv"))
    const flipped = Array.from({ length: times(800) }, (_, n) => {
      const copy = Buffer.from(whole)
      copy[(n * 7919) % copy.length]! ^= 1 << (n % 8)
      return copy
    })
    const cut = Array.from({ length: 20 }, (_, n) => whole.subarray(0, Math.floor((whole.length * (n + 1)) / 21)))
    for (const bytes of [...cut, ...flipped]) {
      writeFileSync(join(folder, "a.csv"), bytes)
      const found = await pull().catch((error: Error) => error.message)
      if (typeof found === "string") expect(found).toMatch(/begins like|no file/)
    }
  })
})
