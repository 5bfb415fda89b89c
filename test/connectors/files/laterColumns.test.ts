/** Columns that a later export has and the ones before had not, of which it is known what they change. */
import { describe, expect, it } from "vitest"
import { pull, write } from "./support.ts"

const path = "books.csv"
const base = { path, currency: "GBP" }
const invoices = (more: object) => ({
  invoices: {
    ...base,
    terms_days: 30,
    columns: { id: "No", customer: "Name", issued: "Date", gross: "Gross" },
    ...more
  }
})

describe("a table", () => {
  for (const heading of [
    ...["Status", "Payment Status", "Zahlungsstatus", "Statut", "Paid", "Bezahlt am", "Date Paid", "Amount Paid"],
    ...["Balance Due", "Openstaand bedrag", "Currency", "Währung", "Type", "Belegart", "Void", "Opłacona", "Refunded"]
  ])
    it(`has a column that was not there before, of which it is known what it changes: nothing is read: ${heading}`, async () => {
      const row = "1,Acme,2026-01-31,12.00"
      for (const [stream, settings] of [
        ["invoices", invoices],
        [
          "payments",
          (more: object) => ({
            payments: {
              path,
              currency: "GBP",
              columns: { id: "No", invoice: "Name", date: "Date", amount: "Gross" },
              ...more
            }
          })
        ]
      ] as const) {
        const folder = write({ [path]: `No,Name,Date,Gross\n${row}\n` })
        const first = await pull(folder, settings({}))
        expect(first.documents.length).toBe(1)
        write({ [path]: `No,Name,Date,Gross,${heading}\n${row},x\n` }, folder)
        for (const later of [60_000, 120_000]) {
          const second = await pull(folder, settings({}), { after: first.bookmark, later })
          expect(second.documents).toEqual([])
          expect(second.error?.message).toContain(`a column not there before: ${JSON.stringify(heading)}`)
          expect(JSON.stringify(second.error)).toContain(`source.${stream}.unused as`)
        }
        const left = await pull(folder, settings({ unused: { [heading]: "any" } }), {
          after: first.bookmark,
          later: 60_000
        })
        expect([left.error, left.documents.length]).toEqual([undefined, 1])
      }
    })

  it("has lost a column: said of the export that has not got it, whether or not it was used", async () => {
    const folder = write({ "l/1.csv": "No,Name,Date,Gross,Rep,Shop\n1,Acme,2026-01-31,12.00,Ann,A\n" })
    const of = (more: object = {}) => ({ invoices: { ...invoices(more).invoices, path: "l" } })
    const first = await pull(folder, of())
    // Another export without a column that not all of them had is no surprise.
    write({ "l/2.csv": "No,Name,Date,Gross,Rep\n2,Acme,2026-02-28,12.00,Ann\n" }, folder)
    const second = await pull(folder, of(), { after: first.bookmark, later: 60_000 })
    write({ "l/3.csv": "No,Name,Date,Gross,Rep\n3,Acme,2026-03-31,12.00,Ann\n" }, folder)
    const third = await pull(folder, of(), { after: second.bookmark, later: 120_000 })
    write({ "l/4.csv": "No,Name,Date,Gross,Seller\n4,Acme,2026-04-30,12.00,Ann\n" }, folder)
    const fourth = await pull(folder, of(), { after: third.bookmark, later: 180_000 })
    expect([first, second, third, fourth].map(({ notices }) => notices.map(({ what }) => what))).toEqual([
      [],
      ['it no longer has 1 column that was there before: "Shop"'],
      [],
      [
        'it no longer has 1 column that was there before: "Rep"',
        'it has a column not there before and not read: "Seller"; if it changes what is owed or says what was paid, name it under columns (daybook init proposes how)'
      ]
    ])
  })

  it("has not got a column that is watched: said, and nothing is read if it may have another name", async () => {
    const folder = write({ [path]: "No,Name,Date,Gross,Open\n1,Acme,2026-01-31,12.00,0.00\n" })
    const watched = invoices({ unused: { Open: "zero" } })
    const first = await pull(folder, watched)
    write({ [path]: "No,Name,Date,Gross\n1,Acme,2026-01-31,12.00\n2,Acme,2026-02-28,12.00\n" }, folder)
    const second = await pull(folder, watched, { after: first.bookmark, later: 60_000 })
    expect(second.notices.map(({ what }) => what)).toEqual([
      'it has no "Open", which source.invoices.unused watches: nothing is said there any more; if that is right, take it out of unused'
    ])
    write({ [path]: "No,Name,Date,Gross,Rest to come\n1,Acme,2026-01-31,12.00,5.00\n" }, folder)
    for (const later of [60_000, 120_000]) {
      const renamed = await pull(folder, watched, { after: first.bookmark, later })
      expect(renamed.documents).toEqual([])
      expect(renamed.error?.message).toContain(
        'has "Rest to come", not there before, and no longer "Open", which source.invoices.unused watches'
      )
    }
    for (const more of [
      { unused: { Open: "zero", "Rest to come": "any" } },
      { columns: { balance: "Rest to come" } }
    ]) {
      const { columns = {}, ...rest } = more as { readonly columns?: object }
      const named = { ...watched.invoices, ...rest, columns: { ...watched.invoices.columns, ...columns } }
      const left = await pull(folder, { invoices: named }, { after: first.bookmark, later: 60_000 })
      expect([left.error, left.documents.length]).toEqual([undefined, 1])
    }
  })

  it("is compared with the last pull by a preview, which reads everything anew", async () => {
    const folder = write({ [path]: "No,Name,Date,Gross,Rep\n1,Acme,2026-01-31,12.00,Ann\n" })
    const { bookmark: before } = await pull(folder, invoices({}))
    const same = await pull(folder, invoices({}), { before })
    expect([same.documents.length, same.notices.map(({ what }) => what).join()]).toEqual([
      1,
      expect.not.stringContaining("before")
    ])
    write({ [path]: "No,Name,Date,Gross,Seller\n1,Acme,2026-01-31,12.00,Ann\n" }, folder)
    const { documents, notices } = await pull(folder, invoices({}), { before })
    expect([documents.length, notices.map(({ what }) => what).join()]).toEqual([
      1,
      expect.stringMatching(
        /no longer has 1 column that was there before: "Rep".*not there before and not read: "Seller"/
      )
    ])
  })
})
