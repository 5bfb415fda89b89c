/** `Daybook.init`: the same for programs, and how it decides where day and month may stand either way. */
import { describe, expect, it } from "vitest"
import { join } from "node:path"
import * as Day from "../../../core/wire/Day.ts"
import { Daybook } from "../../../sync/library/Daybook.ts"
import { writtenDates, zoneOf } from "../../../sync/setup/DateFormats.ts"
import { write } from "../../connectors/files/support.ts"
import { draftOf } from "./Reading.ts"

const TODAY = Day.of("2026-07-07")
const LIST =
  "Invoice,Customer,Date,Due date,Amount\nA-1,Tern,04/03/2026,05/04/2026,10.00\nA-2,Tern,05/03/2026,06/04/2026,12.50\n"

describe("Daybook.init", () => {
  it("answers a configuration with its decisions, and what no file says", async () => {
    const folder = write({ "list.csv": LIST })
    const asked = await Daybook.init([join(folder, "list.csv")], { folder, accept: true })
    expect(asked.questions.map(({ answer }) => answer)).toEqual(["dates", "currency"])
    const answers = { currency: "USD", dates: "month first", name: "Acme Ltd" } as const
    const { config, decisions, questions } = await Daybook.init([join(folder, "list.csv")], { folder, answers })
    expect(questions).toEqual([])
    expect(decisions).toContainEqual({ file: "list.csv", what: "amounts in USD", because: "as was said" })
    expect(config.connections[0]?.source).toEqual({
      connector: "files",
      invoices: {
        path: "list.csv",
        columns: { id: "Invoice", customer: "Customer", issued: "Date", due: "Due date", gross: "Amount" },
        date_format: "M/d/yyyy",
        currency: "USD"
      }
    })
    const daybook = await Daybook.open(config, {
      state: join(folder, "daybook.db"),
      folder,
      environment: { SERVICE_KEY: "sk-1" }
    })
    const preview = await daybook.preview("books")
    await daybook.close()
    expect(preview.sums).toEqual([{ kind: "invoice", status: "open", currency: "USD", documents: 2, amount: "22.5" }])
  })

  it("rejects with what is wrong with a file, or a preset", async () => {
    await expect(Daybook.init(["none.csv"])).rejects.toThrow("there is no file none.csv")
    const folder = write({ "list.csv": LIST })
    const wrong = Daybook.init([join(folder, "list.csv")], { answers: { preset: "xerox" } })
    await expect(wrong).rejects.toThrow('there is no preset "xerox"; available: xero-invoices, ')
  })
})

describe("the order of day and month", () => {
  const dates = (first: ReadonlyArray<string>, due?: ReadonlyArray<string>) =>
    writtenDates({ first, ...(due === undefined ? {} : { due }) }, TODAY)

  it("is what fits all dates, and says how many fit no other way", () => {
    expect(dates(["04/03/2026", "25/03/2026", "26/03/2026"])).toMatchObject({
      format: "d/M/yyyy",
      because: "day first: 2 of 3 dates fit no other way"
    })
    expect(dates(["03/25/2026", "04/03/2026"])?.format).toBe("M/d/yyyy")
  })

  it("is shown by days that would be due before they are issued, lie ahead, or do not follow each other", () => {
    expect(dates(["05/04/2026", "06/04/2026"], ["04/05/2026", "04/06/2026"])).toMatchObject({
      format: "d/M/yyyy",
      because: "day first: the other way 2 would be due before they are issued"
    })
    expect(dates(["03/12/2026", "03/11/2026"])).toMatchObject({ format: "M/d/yyyy" })
    const rising = ["02/01/2026", "05/01/2026", "09/01/2026", "01/02/2026", "06/02/2026", "03/03/2026", "02/04/2026"]
    expect(dates(rising)).toMatchObject({ format: "d/M/yyyy" })
  })

  it("is asked where both fit", () => {
    expect(dates(["04/03/2026", "05/03/2026"])).toMatchObject({ format: "d/M/yyyy", or: "M/d/yyyy" })
  })

  it("finds the zone whose offsets times are written with", () => {
    const times = ["2026-01-05 23:10:11 +0100", "2026-07-05 23:10:11 +0200"]
    expect(zoneOf(times, "America/New_York")).toBe("Europe/Berlin")
    expect(zoneOf(times, "Europe/Paris")).toBe("Europe/Paris")
    expect(zoneOf(["2026-01-05 23:10:11 UTC"], "Europe/Paris")).toBeUndefined()
  })
})

describe("what is asked", () => {
  it("is the decimal sign where three digits may be thousands, and days until an invoice is due that does not say", async () => {
    const { found } = await draftOf(
      { "a.csv": "Invoice,Customer,Date,Gross\n1,Tern,2026-01-02,1.000\n" },
      { currency: "EUR" }
    )
    expect(found.questions.map(({ answer, suggestion }) => [answer, suggestion])).toEqual([
      ["decimal", undefined],
      ["terms_days", "30"]
    ])
  })

  it("is which column a needed field is, where no heading says it", async () => {
    const { found } = await draftOf(
      { "invoices.csv": "Invoice,Whom,Date,Due,Gross\n1,Tern,2026-01-02,2026-02-01,10.00\n" },
      { currency: "EUR", kinds: { "invoices.csv": "invoices" } }
    )
    expect(found.questions.map(({ ask, flag }) => [ask, flag])).toEqual([
      [
        "Which column of invoices.csv is the customer's name? If none is, export the list again with its customers: an invoice is sent with the name of its buyer.",
        "--column invoices.customer=HEADING"
      ]
    ])
  })
})
