/**
 * The SQL connector on real servers: what is in the tables becomes documents, to the last digit and day, and no change is
 * lost at a tie, behind a late commit, or where the cursor is empty.
 */
import { afterAll, afterEach, assert, beforeAll, beforeEach, describe, it } from "vitest"
import * as Decimal from "../../../core/money/Decimal.ts"
import * as Day from "../../../core/wire/Day.ts"
import {
  quarantined,
  type Desk,
  documents,
  end,
  ends,
  type Engine,
  engines,
  deleted,
  names,
  pull,
  sweep
} from "./Databases.ts"

const invoices = {
  query: "SELECT * FROM invoice",
  cursor: "changed",
  columns: { id: "id", customer: "buyer", issued: "issued", due: "due", gross: "gross" },
  currency: "GBP"
}
const payments = {
  query: "SELECT * FROM payment",
  columns: { id: "id", invoice: "invoice", date: "day", amount: "amount" },
  currency: "GBP"
}

const tables = ({ day, money, time, whole }: Engine["types"]) => [
  `CREATE TABLE invoice (id ${whole} PRIMARY KEY, buyer varchar(50), issued ${day}, due ${day}, gross ${money}, paid ${day}, dropped ${whole}, changed ${time})`,
  `CREATE TABLE payment (id varchar(20), invoice ${whole}, day ${day}, amount ${money}, changed ${time})`
]

const T0 = "2026-02-20 10:00:00"
const value = (text: string | number | null) => (typeof text === "string" ? `'${text}'` : `${text}`)
const invoice = (
  id: string,
  changed: string | null = T0,
  more: { gross?: string; paid?: string; dropped?: number } = {}
) =>
  `INSERT INTO invoice VALUES (${id}, 'Harbour Tea', '2026-01-31', '2026-03-02', ${value(more.gross ?? "120.00")}, ${value(more.paid ?? null)}, ${more.dropped ?? 0}, ${value(changed)})`
const payment = (id: string, of: string, amount: string, changed = T0) =>
  `INSERT INTO payment VALUES ('${id}', ${of}, '2026-02-10', '${amount}', '${changed}')`

for (const engine of engines) {
  describe(engine.name, { timeout: 60_000 }, () => {
    let missing: string | undefined
    let desk: Desk

    beforeAll(async () => {
      missing = await engine.start()
      if (missing !== undefined) console.info(`${missing}: skipped`)
    }, 120_000)
    afterAll(() => engine.stop())
    beforeEach(async ({ skip }) => {
      if (missing !== undefined) return skip(missing)
      desk = await engine.desk()
      await desk.exec(...tables(engine.types))
    })
    afterEach(async () => {
      if (missing === undefined) await desk.close()
    })

    it("keeps every digit of amounts and ids, and every day, wherever the machine is", async () => {
      await desk.exec(
        invoice("9007199254740993", T0, { gross: "90071992547409.93" }),
        payment("P-1", "9007199254740993", "0.01")
      )
      const zone = process.env["TZ"]
      for (const far of ["Pacific/Kiritimati", "America/Los_Angeles"]) {
        process.env["TZ"] = far
        const [first, second] = documents(await pull(desk, { invoices, payments }))
        assert.deepInclude(first, {
          kind: "invoice",
          id: "9007199254740993",
          issued: Day.of("2026-01-31"),
          due: Day.of("2026-03-02"),
          gross: Decimal.of("90071992547409.93")
        })
        assert.deepInclude(second, {
          id: "P-1/9007199254740993",
          date: Day.of("2026-02-10"),
          shares: [{ invoice: "9007199254740993", amount: Decimal.of("0.01") }]
        })
      }
      if (zone === undefined) delete process.env["TZ"]
      else process.env["TZ"] = zone
    })

    it("loses no row to equal times, wherever it is stopped", async () => {
      const ids = Array.from({ length: 9 }, (_, n) => `${n + 1}`)
      await desk.exec(...ids.map((id) => invoice(id)))
      const all = await pull(desk, { page: 2, invoices })
      assert.strictEqual(all.pages.length, 6)
      for (const [n, after] of ends(all).entries()) {
        const rest = await pull(desk, { page: 2, invoices }, after)
        const seen = new Set([...names({ ...all, pages: all.pages.slice(0, n + 1) }), ...names(rest)])
        assert.strictEqual(seen.size, 9, `stopped behind page ${n + 1}`)
        // It goes on where it stopped: within a tie too, only the last row is read again.
        if (n < 4) assert.strictEqual(names(rest).length, 9 - 2 * (n + 1) + 1)
      }
    })

    it("reads what was committed late behind its bookmark, and after a stop as well", async () => {
      await desk.exec(invoice("1", T0), invoice("2", "2026-02-20 10:05:00"))
      if (engine.name === "SQLite") {
        // One writer at a time: nothing can be committed late there, but times can be written late.
        const after = end(await pull(desk, { invoices }))
        await desk.exec(invoice("3", "2026-02-20 09:57:00"))
        assert.include(names(await pull(desk, { invoices }, after)), "invoice/3")
        return
      }
      const late = await desk.begin(invoice("3", "2026-02-20 09:56:00"))
      const first = await pull(desk, { page: 1, invoices })
      await late.commit()
      assert.sameMembers(
        [...names(await pull(desk, { invoices }, end(first)))],
        [1, 2, 3].map((id) => `invoice/${id}`)
      )
      // Stopped behind the first page, and gone on with: the next pull begins early enough again.
      const cut = ends(first)[0]
      await desk.exec(invoice("4", "2026-02-20 11:00:00"))
      const rest = await pull(desk, { invoices }, cut)
      assert.notInclude(names(rest), "invoice/3")
      assert.include(names(await pull(desk, { invoices }, end(rest))), "invoice/3")
    })

    it("reads rows without a value in the cursor by every pull, and says so once", async () => {
      await desk.exec(invoice("1", null), invoice("2"))
      const first = await pull(desk, { invoices })
      assert.deepStrictEqual(names(first), ["invoice/1", "invoice/2"])
      assert.deepStrictEqual(
        first.pages.flatMap(({ notices }) => notices ?? []),
        [{ origin: "invoices/1", what: `"changed", its cursor, is empty: every pull reads this row again` }]
      )
      await desk.exec("UPDATE invoice SET gross = '7.00' WHERE id = 1")
      const next = await pull(desk, { invoices }, end(first))
      assert.include(names(next), "invoice/1")
      assert.deepStrictEqual(
        next.pages.flatMap(({ notices }) => notices ?? []),
        []
      )
    })

    it("is not led behind a time that is yet to come", async () => {
      await desk.exec(invoice("1"), invoice("2", "2099-01-01 00:00:00"))
      const after = end(await pull(desk, { invoices }))
      await desk.exec(invoice("3", "2026-02-20 10:00:01"))
      assert.includeMembers([...names(await pull(desk, { invoices }, after))], ["invoice/2", "invoice/3"])
    })

    it("reads a small part once all was read, and everything once the query is another", async () => {
      await desk.exec(...[1, 2, 3].map((id) => invoice(`${id}`, `2026-02-0${2 * id} 10:00:00`)))
      const after = end(await pull(desk, { invoices }))
      assert.deepStrictEqual(names(await pull(desk, { invoices }, after)), ["invoice/3"])
      const other = { ...invoices, query: "SELECT * FROM invoice WHERE id < 3" }
      const again = await pull(desk, { invoices: other }, after)
      assert.deepStrictEqual(names(again), ["invoice/1", "invoice/2"])
      // It is read from its beginning to its end, so that what it no longer gives goes.
      assert.isTrue(again.pages[0]!.scan?.begins === true && again.pages.at(-1)!.scan?.ends === true)
    })

    it("goes by a whole number as well", async () => {
      const numbered = { ...invoices, query: "SELECT id * 10 AS version, invoice.* FROM invoice", cursor: "version" }
      await desk.exec(...Array.from({ length: 12 }, (_, n) => invoice(`${n + 1}`)))
      const first = await pull(desk, { page: 5, invoices: { ...numbered, overlap: 15 } })
      assert.strictEqual(names(first).length, 12)
      assert.strictEqual(names(first).at(-1), "invoice/12")
      await desk.exec(invoice("13"))
      const next = await pull(desk, { invoices: { ...numbered, overlap: 15 } }, end(first))
      assert.deepStrictEqual(names(next), ["invoice/11", "invoice/12", "invoice/13"])
    })

    it("lets what a whole reading no longer gives vanish", async () => {
      await desk.exec(invoice("1"), payment("P-1", "1", "50.00"), payment("P-2", "1", "-50.00"))
      const first = await pull(desk, { payments })
      assert.sameMembers([...names(first)], ["payment/P-1/1", "reversal/P-2/1"])
      await desk.exec("DELETE FROM payment WHERE id = 'P-2'")
      const { pages } = await pull(desk, { payments }, end(first))
      assert.deepStrictEqual(
        pages.flatMap(({ scan }) => scan ?? []),
        [
          { name: "payments", begins: true },
          { name: "payments", ends: true }
        ]
      )
    })

    it("takes a row that says that it is deleted for gone", async () => {
      const soft = { ...invoices, deleted: "dropped" }
      await desk.exec(invoice("1"), invoice("2", T0, { dropped: 1 }))
      const ran = await pull(desk, { invoices: soft })
      assert.deepStrictEqual([names(ran), deleted(ran)], [["invoice/1"], ["invoice/2"]])
    })

    it("takes back what a row no longer says: its settlement, its invoice, its sign", async () => {
      // A table of payments takes the place of a day on which everything was paid: not both at once.
      const settled = { invoices: { ...invoices, columns: { ...invoices.columns, settled: "paid" } } }
      const paid = { payments: { ...payments, cursor: "changed" } }
      await desk.exec(invoice("1", T0, { paid: "2026-02-15" }), invoice("2"), payment("P-1", "1", "5.00"))
      const first = [await pull(desk, settled), await pull(desk, paid)] as const
      assert.includeMembers([...names(first[0])], ["payment/1/settled"])
      assert.includeMembers([...names(first[1])], ["payment/P-1"])
      await desk.exec(
        "UPDATE invoice SET paid = NULL WHERE id = 1",
        "UPDATE payment SET invoice = 2, amount = '-5.00' WHERE id = 'P-1'"
      )
      assert.includeMembers([...deleted(await pull(desk, settled, end(first[0])))], ["payment/1/settled"])
      const next = await pull(desk, paid, end(first[1]))
      assert.includeMembers([...deleted(next)], ["payment/P-1"])
      assert.deepInclude(
        documents(next).find(({ kind }) => kind === "reversal"),
        { id: "P-1", shares: [{ invoice: "2", amount: Decimal.of("5") }] }
      )
    })

    it("reads invoices again by id, with their payments, and says which are no more", async () => {
      const settings = { invoices, payments: { ...payments, cursor: "changed" } }
      await desk.exec(invoice("1"), invoice("2"), payment("P-1", "1", "5.00"), payment("P-2", "2", "5.00"))
      const ran = await sweep(desk, settings, [
        "1",
        "no-such-invoice",
        "99999999999999999999",
        "x'; DROP TABLE invoice"
      ])
      assert.deepStrictEqual(names(ran), ["invoice/1", "payment/P-1"])
      assert.deepStrictEqual(
        deleted(ran).filter((one) => one.startsWith("invoice/")),
        ["invoice/no-such-invoice", "invoice/99999999999999999999", "invoice/x'; DROP TABLE invoice"]
      )
      assert.deepStrictEqual(names(await pull(desk, { invoices })).length, 2)
    })

    it("finds ids of text again, whatever is in them", async () => {
      const odd = ["O'Brien \\ 7", "Ärger 5", " blank ", "007"]
      await desk.exec("CREATE TABLE odd (id varchar(30), changed int)")
      for (const id of odd) {
        const text = engine.name === "MariaDB" ? id.replaceAll("\\", "\\\\") : id
        await desk.exec(`INSERT INTO odd VALUES ('${text.replaceAll("'", "''")}', 1)`)
      }
      const settings = {
        page: 1,
        invoices: {
          ...invoices,
          query:
            "SELECT id, changed, 'A' AS buyer, '2026-01-01' AS issued, '2026-02-01' AS due, '1.00' AS gross FROM odd"
        }
      }
      const should = odd.map((id) => `invoice/${id.trim()}`)
      const all = await pull(desk, settings)
      assert.sameMembers([...names(all)], should)
      for (const [n, after] of ends(all).entries()) {
        const rest = names(await pull(desk, settings, after))
        assert.sameMembers([...new Set([...names(all).slice(0, n + 1), ...rest])], should)
      }
      const ran = await sweep(
        desk,
        settings,
        odd.map((id) => id.trim())
      )
      assert.sameMembers([...names(ran)], should)
      assert.deepStrictEqual(deleted(ran), [])
    })

    it("makes values of several columns, terms and names of a language, as files do", async () => {
      await desk.exec(invoice("1"))
      const made = {
        query:
          "SELECT id, changed, 'Acme' AS buyer, 'Österreich' AS land, '5. März 2026' AS issued, '100.00' AS net, '20.00' AS tax, '30' AS terms, '70.00' AS due_amount FROM invoice",
        columns: {
          id: "id",
          customer: "buyer",
          customer_country: "land",
          issued: "issued",
          terms: "terms",
          net: "net",
          gross: ["net", "tax"],
          balance: { plus: "due_amount" }
        },
        language: "de",
        date_format: "d. MMMM yyyy",
        currency: "EUR"
      }
      const found = await pull(desk, { invoices: made as never })
      assert.deepStrictEqual(quarantined(found), [])
      const [document] = found.pages.flatMap(({ read }) => read.map(({ document }) => document))
      assert.deepInclude(document, { issued: Day.of("2026-03-05"), due: Day.of("2026-04-04"), gross: 12_000_000_000n })
      assert.deepInclude(document, { party: { name: "Acme", country: "AT" }, stated: { open: 7_000_000_000n } })
      const twice = { ...made, columns: { ...made.columns, id: ["id", "buyer"] } }
      const refused = await pull(desk, { invoices: twice as never }).then(
        () => "",
        (cause: unknown) => String(cause)
      )
      assert.include(refused, "write one column for id, and put its parts together in the query")
    })

    it("quarantines what is no day and what is finer than its currency, with what to do", async () => {
      await desk.exec(invoice("1"), invoice("2"))
      const odd = {
        ...invoices,
        query:
          "SELECT id, changed, buyer, issued, CASE id WHEN 1 THEN '2026-03-01 23:30:00+01' ELSE '2026-03-01' END AS due, CASE id WHEN 1 THEN '1.00' ELSE '1.005' END AS gross FROM invoice"
      }
      assert.deepStrictEqual(quarantined(await pull(desk, { invoices: odd })), [
        [
          "invoices/1",
          `"2026-03-01 23:30:00+01" is not a date written yyyy-MM-dd; make it a date in the query (of the seller's time zone), or set date_format`
        ],
        ["invoices/2", `"1.005" has more than 2 decimal places (GBP)`]
      ])
    })

    it("changes nothing, whatever a query tries", async () => {
      await desk.exec(invoice("1"))
      for (const query of [
        "SELECT * FROM invoice); DELETE FROM invoice; SELECT (1",
        "SELECT * FROM invoice; DELETE FROM invoice",
        "DELETE FROM invoice",
        "WITH gone AS (DELETE FROM invoice RETURNING *) SELECT * FROM gone",
        "SELECT * INTO other FROM invoice"
      ]) {
        let refused = false
        try {
          refused = (await pull(desk, { invoices: { ...invoices, query } })).error !== undefined
        } catch {
          refused = true
        }
        assert.isTrue(refused, query)
      }
      assert.deepStrictEqual(names(await pull(desk, { invoices })), ["invoice/1"])
    })
  })
}
