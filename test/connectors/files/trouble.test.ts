/**
 * What stops a file, or a pull: nothing there, a column that is missing, a file that is still being written. Each says
 * where it looked and what to do, and nothing is lost by it.
 */
import { describe, expect, it } from "vitest"
import { appendFileSync, rmSync, symlinkSync, utimesSync } from "node:fs"
import { join } from "node:path"
import { Result } from "effect"
import { sourceError } from "../../../connectors/files/Failures.ts"
import { check, COLUMNS, HEADER, ids, invoices, payments, pull, row, table, write } from "./support.ts"

const CSV = { "invoices.csv": table(row("A")) }
const many = (rows: number) => table(...Array.from({ length: rows }, (_, n) => row(`INV-${n}`)))

describe("nothing where the configuration points", () => {
  it("names the absolute place", async () => {
    const folder = write({ "in/readme.txt": "x", ...CSV })
    for (const [path, what] of [
      ["nowhere.csv", `there is no file at ${join(folder, "nowhere.csv")}`],
      ["in/*.csv", `there is no file at ${join(folder, "in/*.csv")}`],
      ["in", `there is no file that ends in .csv, .tsv, .xlsx, .jsonl in ${join(folder, "in")}`]
    ]) {
      const { error, pages } = await pull(folder, invoices({}, path))
      expect(pages).toEqual([])
      expect(error?.reason._tag).toBe("Misconfigured")
      expect(error?.message).toBe(
        `files: invoices: ${what}; check source.invoices.path in the configuration; it is relative to the configuration's folder`
      )
    }
  })

  it("stops before any other stream is read, so that no part of the books is taken for all of it", async () => {
    const { error, pages } = await pull(CSV, { ...invoices(), ...payments() })
    expect(error?.message).toMatch(/^files: payments: there is no file at /)
    expect(pages).toEqual([])
  })

  it("a file of another kind is refused by its ending", async () => {
    const { error } = await pull({ "invoices.xls": "x" }, invoices({}, "invoices.xls"))
    expect(error?.message).toBe(
      "files: invoices.xls does not end in one of .csv, .tsv, .xlsx, .jsonl; rename it, or set another path"
    )
  })
})

describe("a folder or a glob", () => {
  it("is read in the order of names, without what programs keep beside open files", async () => {
    const text = (id: string) => table(row(id))
    const folder = write({
      "in/b.csv": text("B"),
      "in/a.CSV": text("A"),
      "in/deep/c.csv": text("C"),
      "in/.~lock.b.csv#": "x",
      "in/.hidden.csv": "x",
      "in/~$b.xlsx": "x",
      "in/notes.txt": "x"
    })
    const { documents, origins } = await pull(folder, invoices({}, "in"))
    expect(ids(documents)).toEqual(["A", "B", "C"])
    expect(origins).toEqual(["in/a.CSV:2", "in/b.csv:2", "in/deep/c.csv:2"])
    expect(ids((await pull(folder, invoices({}, "in/*.csv"))).documents)).toEqual(["B"])
    expect(ids((await pull(folder, invoices({}, "in/**/*.csv"))).documents)).toEqual(["B", "C"])
  })

  it("passes over a link that leads nowhere", async () => {
    const folder = write({ "in/a.csv": table(row("A")) })
    symlinkSync(join(folder, "gone.csv"), join(folder, "in/b.csv"))
    expect(ids((await pull(folder, invoices({}, "in"))).documents)).toEqual(["A"])
  })

  it("invoices come before credit notes, and these before payments", async () => {
    const { pages } = await pull(
      {
        ...CSV,
        "payments.csv": "Ref,Invoice,Date,Amount,Type,Code\nP,A,2024-01-01,1.00,,\n",
        "notes.csv": "Note,For,Date,Gross\nC,A,2024-01-01,1.00\n"
      },
      {
        ...payments(),
        credit_notes: { path: "notes.csv", columns: { id: "Note", invoice: "For", date: "Date", gross: "Gross" } },
        ...invoices()
      }
    )
    expect(pages.flatMap(({ scan }) => (scan?.ends ? [scan.name] : []))).toEqual([
      "invoices/invoices.csv",
      "credit_notes/notes.csv",
      "payments/payments.csv"
    ])
  })
})

describe("another copy beside the file that is configured", () => {
  it("is named on every pull, also where the file itself has not changed", async () => {
    const folder = write({
      "invoices.csv": table(row("A")),
      "invoices (1).csv": table(row("A"), row("B")),
      "invoices - Copy.csv": table(row("A")),
      "invoices-2025.csv": table(row("C")),
      "october.csv": table(row("B"), row("A")),
      "invoices (1).xlsx": "another kind"
    })
    const first = await pull(folder, invoices())
    const again = await pull(folder, invoices(), first.bookmark === undefined ? {} : { after: first.bookmark })
    expect([ids(first.documents), ids(again.documents)]).toEqual([["A"], []])
    for (const { notices } of [first, again]) {
      expect(notices.map(({ origin }) => origin)).toEqual(["invoices (1).csv", "invoices - Copy.csv", "october.csv"])
      expect(notices[0]?.what).toMatch(/another copy of invoices\.csv, and is not read: .*source\.invoices\.path/)
    }
    expect((await pull(folder, invoices({}, "."))).notices.filter(({ what }) => what.includes("not read"))).toEqual([])
  })
})

describe("headings below titles", () => {
  it("are found, and the line of theirs is proposed", async () => {
    const titled = `Sales ledger,,\n"Printed on 1 March, 2026"\n\n${table(row("A"))}`
    const { error, pages } = await pull({ "invoices.csv": titled }, invoices())
    expect(pages).toEqual([])
    expect(error?.message).toBe(
      'files: invoices.csv has its headings in line 4, below "Sales ledger"; set source.invoices.header_row to 4'
    )
    expect((await pull({ "invoices.csv": titled }, invoices({ header_row: 4 }))).error).toBeUndefined()
  })
})

describe("a column that is missing", () => {
  it("says which columns the file has, and which was meant", async () => {
    const { error, pages } = await pull(
      { "invoices.csv": table(row("A")).replace("Invoice", "Invoice No.") },
      invoices()
    )
    expect(pages).toEqual([])
    expect(error?.reason._tag).toBe("Misconfigured")
    expect(error?.message).toBe(
      'files: invoices.csv has no column "Invoice", which source.invoices.columns.id asks for; it has "Invoice No.", "Buyer", "Country", "Issued", "Due", "Net", "Gross", "State"; did you mean "Invoice No."? Correct the configuration, or the file\'s header'
    )
    const far = await pull(CSV, invoices({ columns: { ...COLUMNS, number: "Belegnummer" } }))
    expect(far.error?.message).toMatch(/"State"; correct the configuration/)
    const near = await pull(CSV, invoices({ metadata: { where: "Cuontry" } }))
    expect(near.error?.message).toMatch(
      /source\.invoices\.metadata\.where asks for; .*; did you mean "Country"\? Correct/
    )
  })

  it("of a later file stops there, and what was read before is kept", async () => {
    const folder = write({ "in/1.csv": table(row("A")), "in/2.csv": table(row("B")).replace("Due", "Until") })
    const { bookmark, documents, error } = await pull(folder, invoices({}, "in"))
    expect(ids(documents)).toEqual(["A"])
    expect(error?.message).toMatch(/^files: in\/2\.csv has no column "Due"/)
    expect(Object.keys(bookmark!.files)).toEqual(["invoices/in/1.csv"])
  })

  it("an empty file has none; one of a header only has no rows, which is no error", async () => {
    const { error } = await pull({ "invoices.csv": "" }, invoices())
    expect(error?.message).toBe(
      "files: invoices.csv cannot be read: it is empty, and the first line must name the columns; export it again as CSV or Excel (.xlsx)"
    )
    const { documents, pages } = await pull({ "invoices.csv": `${HEADER}\n` }, invoices())
    expect(documents).toEqual([])
    expect(pages.map(({ scan }) => scan)).toEqual([
      { name: "invoices/invoices.csv", begins: true, ends: true, copy: {} }
    ])
  })

  it("a file that is no text is said to be none", async () => {
    const { error } = await pull({ "invoices.csv": Buffer.from([0x50, 0x4b, 3, 4, 20, 0, 6, 0, 8, 0, 10]) }, invoices())
    expect(error?.message).toMatch(/its first line is not text; is it really a CSV file\? Export it again/)
  })
})

describe("a file that was not written to its end", () => {
  it("loses its last row only, which is asked after", async () => {
    const whole = table(row("A"), row("B"))
    const { documents, quarantined } = await pull({ "invoices.csv": whole.slice(0, -25) }, invoices())
    expect(ids(documents)).toEqual(["A"])
    expect(quarantined).toMatchObject([
      {
        origin: "invoices.csv:3",
        why: "it has 5 cells where the header has 8, and the file ends in the middle of it; export the whole file again"
      }
    ])
  })

  it("also where it ends within a character or within quotes", async () => {
    const text = Buffer.from(`${HEADER}\n${row("ä")}\n${row("B").replace(/Sent$/, "ä")}`)
    const cut = await pull({ "invoices.csv": text.subarray(0, -1) }, invoices())
    expect(ids(cut.documents)).toEqual(["ä"])
    expect(cut.quarantined.map(({ why }) => why)).toEqual([
      "the file ends in the middle of it; export the whole file again"
    ])
    const open = await pull({ "invoices.csv": `${table(row("A"))}B,"Acme` }, invoices())
    expect(ids(open.documents)).toEqual(["A"])
    expect(open.quarantined).toMatchObject([
      { origin: "invoices.csv:3", why: expect.stringMatching(/^a quote is opened/) }
    ])
  })

  it("a last row without an end of its line is a row, when all of it is there", async () => {
    const { documents, quarantined } = await pull({ "invoices.csv": table(row("A"), row("B")).trimEnd() }, invoices())
    expect([ids(documents), quarantined]).toEqual([["A", "B"], []])
  })
})

describe("a file that changes while it is read", () => {
  const pulled = async (folder: string, change: () => void, source: object = invoices()) => {
    const { error, pages } = await pull(folder, source, { onPage: (count) => count === 1 && change() })
    return [pages.map(({ scan }) => scan), error?.message] as const
  }

  it("stops the pull before the file counts as read", async () => {
    const folder = write({ "invoices.csv": many(1500) })
    const path = join(folder, "invoices.csv")
    const name = "invoices/invoices.csv"
    for (const change of [
      () => appendFileSync(path, `${row("Z")}\n`),
      // Its length may be as it was.
      () => utimesSync(path, 1_700_000_000, 1_700_000_000)
    ]) {
      const [pages, message] = await pulled(folder, change)
      expect(message).toBe(
        "files: cannot be read now: invoices.csv is still being written: it changed while it was read; run again"
      )
      expect(pages).toContainEqual({ name, begins: true, copy: {} })
      expect(pages).not.toContainEqual({ name, ends: true })
    }
  })

  it("or goes away", async () => {
    const folder = write({ "a/1.csv": many(1500), "a/2.csv": many(3) })
    const [, message] = await pulled(folder, () => rmSync(join(folder, "a/2.csv")), invoices({}, "a"))
    expect(message).toBe("files: cannot be read now: a/2.csv disappeared while it was read; run again")
  })
})

it("what the machine says of a file becomes what to do about it", () => {
  const said = (code: string) => sourceError(Object.assign(new Error("x"), { code }), "invoices.csv").message
  expect(said("EACCES")).toBe("files: invoices.csv cannot be read (EACCES); check its permissions")
  expect(said("EBUSY")).toBe("files: cannot be read now: invoices.csv gave no data (EBUSY); run again")
})

describe("daybook doctor", () => {
  it("finds nothing wrong with files that are there, with their columns", async () => {
    expect(await check(write(CSV), invoices())).toEqual(Result.succeed([]))
  })

  it("names what is wrong with every file, not only with the first", async () => {
    const folder = write({
      "in/1.csv": table(row("A")).replace("Due", "Until"),
      "in/2.csv": "",
      "in/3.csv": table(row("C"))
    })
    const found = await check(folder, invoices({}, "in"))
    expect(Result.isSuccess(found) && found.success).toEqual([
      expect.stringMatching(/^in\/1\.csv has no column "Due", which source\.invoices\.columns\.due asks for; it has /),
      "in/2.csv cannot be read: it is empty, and the first line must name the columns; export it again as CSV or Excel (.xlsx)"
    ])
    const none = await check(folder, invoices({}, "nowhere.csv"))
    expect(Result.isFailure(none) && none.failure.message).toMatch(/there is no file at /)
  })
})
