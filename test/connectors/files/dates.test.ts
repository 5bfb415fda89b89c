/**
 * How dates are written, and what is said when they are written otherwise: by a row, and by a whole file.
 */
import { describe, expect, it } from "vitest"
import type { Invoice } from "../../../connectors/Document.ts"
import * as Dates from "../../../connectors/tabular/Dates.ts"
import { HEADER, invoices, pull } from "./support.ts"

const day = (format: string, text: string): string | undefined => Dates.reader(format)(text)

describe("a date", () => {
  it("is read as its format says", () => {
    for (const [format, text] of [
      ["yyyy-MM-dd", "2024-02-29"],
      ["d/M/yyyy", "29/2/2024"],
      ["d/M/yyyy", "29/02/2024"],
      ["dd.MM.yyyy", "29.02.2024"],
      ["M/d/yyyy", "2/29/2024"],
      ["yyyyMMdd", "20240229"],
      ["d MMM yyyy", "29 Feb 2024"],
      ["d-MMM-yy", "29-FEB-24"],
      ["MMM d, yyyy", "February 29, 2024"],
      ["d/M/yy", "29/2/24"]
    ] as const) {
      expect([format, text, day(format, text)]).toEqual([format, text, "2024-02-29"])
    }
    expect(day("d/M/yy", "1/1/69")).toBe("2069-01-01")
    expect(day("d/M/yy", "1/1/70")).toBe("1970-01-01")
  })

  it("that does not exist, or is written otherwise, is none", () => {
    for (const [format, text] of [
      ["yyyy-MM-dd", "2023-02-29"],
      ["yyyy-MM-dd", "2024-13-01"],
      ["yyyy-MM-dd", "2024-00-10"],
      ["yyyy-MM-dd", "2024-2-9"],
      ["yyyy-MM-dd", "0000-01-01"],
      ["yyyy-MM-dd", "2024-02-29x"],
      ["dd/MM/yyyy", "1/2/2024"],
      ["d/M/yyyy", "1/2/24"],
      ["d MMM yyyy", "29 Foo 2024"],
      ["yyyy-MM-dd", ""]
    ] as const) {
      expect([format, text, day(format, text)]).toEqual([format, text, undefined])
    }
  })

  it("loses its time of day, and never passes through a zone", () => {
    for (const text of [
      "2024-02-29 23:59:59",
      "2024-02-29T00:00:00",
      "2024-02-29T23:30:00.000",
      "2024-02-29 11:30 PM",
      "2024-02-29T00:00:00Z",
      "2024-02-29T00:00:00.000Z"
    ]) {
      expect([text, day("yyyy-MM-dd", text)]).toEqual([text, "2024-02-29"])
    }
    // In a zone of its own it may be another day: nobody guesses which.
    expect(day("yyyy-MM-dd", "2024-02-29T23:30:00Z")).toBeUndefined()
    expect(day("yyyy-MM-dd", "2024-02-29T23:30:00+01:00")).toBeUndefined()
  })

  it("with a time and a zone is the day of the zone that is set", () => {
    const berlin = Dates.reader({ format: "yyyy-MM-dd", zone: "Europe/Berlin" })
    for (const [text, day] of [
      ["2024-02-28T23:30:00Z", "2024-02-29"],
      ["2024-02-28 22:30:00 UTC", "2024-02-28"],
      ["2024-06-28 22:30:00 UTC", "2024-06-29"],
      ["2024-02-29 00:10:00 +0100", "2024-02-29"],
      ["2024-02-28 20:30:00 -05:00", "2024-02-29"],
      ["2024-02-28 18:59:59 -05", "2024-02-29"],
      ["2024-02-28 17:59:59 -05", "2024-02-28"],
      // Without a zone it is the day that is written.
      ["2024-02-28 23:30:00", "2024-02-28"],
      ["2024-02-28", "2024-02-28"]
    ] as const)
      expect([text, berlin(text)]).toEqual([text, day])
    expect(Dates.reader({ format: "M/d/yyyy", zone: "America/New_York" })("2/29/2024, 1:15 AM UTC")).toBe("2024-02-28")
    expect(berlin("2024-02-28T25:30:00Z")).toBeUndefined()
  })

  it("may have the months of another language", () => {
    for (const [language, format, text] of [
      ["de", "d. MMM yyyy", "9. März 2024"],
      ["de", "d.MMM.yy", "9.Mrz.24"],
      ["de", "d MMM yyyy", "9 Mär 2024"],
      ["fr", "d MMM yyyy", "9 mars 2024"],
      ["es", "d de MMMM de yyyy", "9 de marzo de 2024"],
      ["pl", "d MMM yyyy", "9 marca 2024"],
      ["ru", "d MMM yyyy", "9 марта 2024"],
      ["el", "d MMM yyyy", "9 Μαρτίου 2024"],
      ["ja", "yyyy年MMMd日", "2024年3月9日"],
      ["nl", "d-MMM-yyyy", "9-mrt-2024"],
      ["it", "d MMM yyyy", "9 March 2024"]
    ] as const)
      expect([text, Dates.reader({ language, format })(text)]).toEqual([text, "2024-03-09"])
    // Juin and juillet.
    expect(Dates.reader({ language: "fr", format: "d MMM yyyy" })("9 jui 2024")).toBeUndefined()
  })

  it("may lack its year, which is set then", () => {
    const read = Dates.reader({ format: "dMM", year: { year: 2024, month: 1 } })
    expect(["0903", "903", "2902", "3002"].map(read)).toEqual(["2024-03-09", "2024-03-09", "2024-02-29", undefined])
    // A year that begins in July.
    const july = Dates.reader({ format: "ddMM", year: { year: 2023, month: 7 } })
    expect(["3006", "0107", "3112", "0101"].map(july)).toEqual(["2024-06-30", "2023-07-01", "2023-12-31", "2024-01-01"])
  })

  it("is not read by a format that could match none", () => {
    const refused = (format: string) => Dates.wrongFormat(format) ?? "accepted"
    expect(refused("yyyy-MM-dd HH:mm")).toMatch(/^no date would match "HH"; name year, month and day only/)
    expect(refused("yyyy-MM-ddTHH:mm:ssZ")).toMatch(/^name the year .* and the day/)
    expect(refused("EEE, d MMM yyyy")).toMatch(/^no date would match "EEE"/)
    expect(refused("d/M/yyyy a")).toMatch(/^no date would match "a"/)
    expect(refused(" d/M/yyyy")).toMatch(/^leave out the blanks/)
    expect(refused("dMyyyy")).toMatch(/^nothing says where one number ends/)
    for (const format of ["dd/mm/yyyy", "yyyy-yy-MM-dd", "MM/yyyy"]) expect(refused(format)).toMatch(/^name the year/)
    for (const format of [
      "dMM",
      "ddMMyyyy",
      "dMMyyyy",
      "d de MMMM de yyyy",
      "yyyy年M月d日",
      "MMM d, yyyy",
      "dMMMyy",
      "d/M"
    ])
      expect([format, refused(format)]).toEqual([format, "accepted"])
  })

  it("of a spreadsheet is a number of days, the false leap day left out", () => {
    expect([1, 59, 60, 61, 45_322, 2_958_465].map(Dates.fromSerial)).toEqual([
      "1900-01-01",
      "1900-02-28",
      undefined,
      "1900-03-01",
      "2024-01-31",
      "9999-12-31"
    ])
    expect([0, -1, 2_958_466, Number.NaN].map(Dates.fromSerial)).toEqual([undefined, undefined, undefined, undefined])
  })
})

describe("a file whose dates are written otherwise than its settings say", () => {
  const text = (dates: ReadonlyArray<string>) =>
    `${HEADER}\n${dates.map((one, n) => `${n},Acme,GB,${one},${one},1.00,1.20,Sent\n`).join("")}`

  const stopped = async (dates: ReadonlyArray<string>, more: object = {}) => {
    const { documents, error, pages } = await pull({ "invoices.csv": text(dates) }, invoices(more))
    expect(documents).toEqual([])
    expect(pages).toEqual([])
    expect(error?.reason._tag).toBe("Misconfigured")
    return error!.message
  }

  it("is not read at all, and the format that fits is named", async () => {
    expect(await stopped(["11/26/2012", "1/6/2012", "2/3/2012"])).toBe(
      'files: invoices.csv: 3 of the first 3 rows have dates that are not written yyyy-MM-dd ("Issued" says "11/26/2012"); set source.invoices.date_format to "M/d/yyyy"'
    )
    expect(await stopped(["26.11.2012", "6.1.2012"])).toMatch(/set source\.invoices\.date_format to "d\.M\.yyyy"$/)
    expect(await stopped(["26-Nov-2012", "6-Jan-2012"])).toMatch(/date_format to "d-MMM-yyyy"$/)
    expect(await stopped(["20121126", "20120106"])).toMatch(/date_format to "yyyyMMdd"$/)
  })

  it("both formats are named where both fit", async () => {
    expect(await stopped(["1/6/2012", "2/3/2012"])).toMatch(/date_format to "d\/M\/yyyy" or "M\/d\/yyyy"$/)
  })

  it("no format is named where none is common", async () => {
    expect(await stopped(["week 3", "week 4"])).toMatch(/to how they are written, like "d\/M\/yyyy"$/)
  })

  it("months and days that were taken for each other are found by the days beyond the twelfth", async () => {
    const days = ["1/13/2012", "2/14/2012", "3/15/2012", "4/5/2012"]
    expect(await stopped(days, { date_format: "d/M/yyyy" })).toMatch(
      /3 of the first 4 rows .* written d\/M\/yyyy \("Issued" says "1\/13\/2012"\); .* to "M\/d\/yyyy"$/
    )
  })

  it("a few wrong dates are wrong rows, not a wrong format", async () => {
    const { documents, error, quarantined } = await pull(
      { "invoices.csv": text(["2024-01-01", "1/6/2012", "2024-01-02", "2024-01-03", "?", "2024-01-04"]) },
      invoices()
    )
    expect(error).toBeUndefined()
    expect(documents.map((one) => (one as Invoice).issued)).toEqual([
      "2024-01-01",
      "2024-01-02",
      "2024-01-03",
      "2024-01-04"
    ])
    expect(quarantined.map(({ origin }) => origin)).toEqual(["invoices.csv:3", "invoices.csv:6"])
  })

  it("may have dates in further ways, which are named", async () => {
    const more = { date_format: "d/M/yyyy", other_date_formats: ["d/M/yy", "yyyy-MM-dd"] }
    const { documents, quarantined } = await pull(
      { "invoices.csv": text(["06/10/2026", "7/10/26", "2026-10-08", "10/8/2026 ?"]) },
      invoices(more)
    )
    expect(documents.map((one) => (one as Invoice).issued)).toEqual(["2026-10-06", "2026-10-07", "2026-10-08"])
    expect(quarantined.map(({ why }) => why)).toEqual([
      '"10/8/2026 ?" is not a date written d/M/yyyy or d/M/yy or yyyy-MM-dd; set date_format, or correct it'
    ])
  })
})
