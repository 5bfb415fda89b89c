/**
 * Lists of invoices as workbooks, whose cells have types and formats: real days and typed ones in one column, amounts with more
 * decimals than are shown, formats of currencies, numbers with zeros in front, hidden sheets, summaries, titles, and what lists in
 * text have as well.
 */
import * as XLSX from "xlsx"
import { madeList } from "./DisturbedLists.ts"
import { type Pick, picker } from "./DisturbedTexts.ts"
import { LANGUAGES, type List, type Truth } from "./ListDisturbances.ts"

type Cell = { t: "n" | "s" | "b" | "e"; v: number | string | boolean; z?: string }
type Cells = ReadonlyArray<ReadonlyArray<Cell | undefined>>

interface Made {
  readonly list: List
  readonly pick: Pick
  /** The list's rows, below its headings. */
  readonly cells: Array<Array<Cell | undefined>>
  readonly titles: Array<string>
  readonly sheets: Array<readonly [name: string, cells: Cells, isHidden: boolean]>
  /** The place of the list among the sheets. */
  at: number
}

const DATES = [
  "dd/mm/yyyy",
  "d.m.yyyy",
  "m/d/yy",
  "mmm d, yyyy",
  "yyyy-mm-dd",
  "[$-407]d. mmmm yyyy",
  "dd/mm/yyyy hh:mm"
]
const AMOUNTS = ["General", "0.00", "#,##0.00", "#,##0.00;[Red]-#,##0.00", "#,##0.00_);(#,##0.00)", "#,##0"]
const EUROS = ['"€"#,##0.00', "[$€-407] #,##0.00", '#,##0.00\\ "€"', "[$EUR] #,##0.00", "#,##0.00 [$€-1]"]

const serial = (iso: string): number => Date.parse(iso) / 86_400_000 + 25_569

const typed = (text: string, day: string, amount: string): Cell | undefined => {
  if (text === "") return undefined
  if (/^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text))) return { t: "n", v: serial(text), z: day }
  if (/^-?\d+\.\d\d$/.test(text)) return { t: "n", v: Number(text), z: amount }
  if (text === "#REF!") return { t: "e", v: 0x17 }
  return { t: "s", v: text }
}

const column = ({ list: { header, words } }: Made, field: keyof List["words"]): number => header.indexOf(words[field])

/** The cells of a column that have a number. */
const numbersIn = (made: Made, at: number): ReadonlyArray<Cell> =>
  made.cells.flatMap((row) => (row[at]?.t === "n" ? [row[at]] : []))

const two = (n: number): string => String(n).padStart(2, "0")

export const WORKBOOK_DISTURBANCES: ReadonlyArray<readonly [string, (made: Made) => void]> = [
  [
    "real days and typed ones in one column",
    (made) => {
      const style = made.pick(3)
      for (const at of [column(made, "issued"), column(made, "due")])
        for (const row of made.cells) {
          const cell = row[at]
          if (cell?.t !== "n" || made.pick(3) > 0) continue
          const [y, m, d] = new Date((Number(cell.v) - 25_569) * 86_400_000).toISOString().slice(0, 10).split("-")
          row[at] = { t: "s", v: style === 0 ? `${d}.${m}.${y}` : style === 1 ? `${y}-${m}-${d}` : `${d}/${m}/${y}` }
        }
    }
  ],
  [
    "amounts with more decimals than are shown",
    (made) => {
      for (const at of [column(made, "gross"), column(made, "net")])
        for (const cell of numbersIn(made, at).filter(({ z = "" }) => !z.startsWith("[$")))
          Object.assign(cell, { v: Number(cell.v) + (made.pick(9) - 4) / 1000, z: "#,##0.00" })
    }
  ],
  [
    "the currency in the format, and in no column",
    (made) => {
      const at = column(made, "currency")
      const amounts = column(made, "gross")
      if (at < 0 || amounts < 0 || made.list.rows.some(({ truth }) => truth?.currency === "USD")) return
      // An odd currency says nothing any more.
      if (numbersIn(made, amounts).some(({ z = "" }) => z.startsWith("[$"))) return
      if (made.list.rows.some(({ cells }) => !/^(?:EUR|€|Euro)?$/.test(cells[made.list.words.currency] ?? ""))) return
      for (const row of made.cells) row.splice(at, 1)
      made.list.header.splice(at, 1)
      const z = EUROS[made.pick(EUROS.length)] as string
      for (const cell of numbersIn(made, column(made, "gross"))) cell.z = z
    }
  ],
  [
    "one amount in the format of another currency",
    (made) => {
      const at = column(made, "gross")
      if (at < 0 || column(made, "currency") < 0) return
      const all = made.list.rows.flatMap(({ truth }, n) =>
        truth?.state === "open" && made.cells[n]?.[at]?.t === "n" ? [n] : []
      )
      const n = all[made.pick(Math.max(1, all.length))]
      const truth = n === undefined ? undefined : made.list.rows[n]?.truth
      if (n === undefined || truth === undefined) return
      ;(made.cells[n]?.[at] as Cell).z = made.pick(2) === 0 ? "[$USD] #,##0.00" : "[$£-809]#,##0.00"
      truth.state = "unsure"
    }
  ],
  [
    "a hidden sheet with other rows",
    (made) => {
      const id = column(made, "id")
      const rows = made.cells
        .slice(0, 3)
        .map((row, n) =>
          row.map((cell, at) =>
            at === id ? { t: "s" as const, v: `H-${n}` } : cell === undefined ? cell : { ...cell }
          )
        )
      const name = ["Archiv", "Old", "Data"][made.pick(3)] as string
      made.sheets.push([name, [made.list.header.map((v): Cell => ({ t: "s", v })), ...rows], true])
    }
  ],
  [
    "a summary before the list",
    (made) => {
      const rows: Cells = [
        [
          { t: "s", v: made.list.words.customer },
          { t: "s", v: made.list.words.total }
        ],
        [
          { t: "s", v: "Alder Ltd" },
          { t: "n", v: 1234.5, z: "0.00" }
        ],
        [
          { t: "s", v: "Beech Ltd" },
          { t: "n", v: 99.9, z: "0.00" }
        ]
      ]
      made.sheets.push(["Summary", rows, false])
      made.at = made.pick(2)
    }
  ],
  [
    "titles above the list",
    (made) => {
      made.titles.push("Acme Ltd", "2026")
    }
  ],
  [
    "numbers of invoices as numbers with zeros in front",
    (made) => {
      const at = column(made, "id")
      if (at < 0 || made.cells.some((row, n) => made.list.rows[n]?.truth !== undefined && row[at]?.v === undefined))
        return
      for (const [n, row] of made.cells.entries()) {
        const truth = made.list.rows[n]?.truth as { id: string } | undefined
        if (truth === undefined) continue
        const digits = /\d+/.exec(truth.id)?.[0] ?? ""
        if (!/^\d+$/.test(truth.id)) truth.id = `0${digits}`
        row[at] = { t: "n", v: Number(digits), z: "00000" }
      }
    }
  ],
  [
    "some amounts as text",
    (made) => {
      for (const [n, row] of made.cells.entries()) {
        const at = column(made, "gross")
        const cell = row[at]
        if (cell?.t === "n" && made.pick(3) === 0 && made.list.rows[n]?.truth?.state !== "unsure")
          row[at] = { t: "s", v: Number(cell.v).toFixed(2) }
      }
    }
  ],
  [
    "marks as truth values",
    (made) => {
      if (made.list.says !== "flag") return
      const at = column(made, "isPaid")
      for (const [n, row] of made.cells.entries())
        if (made.list.rows[n]?.truth !== undefined) row[at] = { t: "b", v: row[at]?.v === "x" }
    }
  ],
  [
    "a rate in per cent, with net amounts only",
    (made) => {
      const [gross, tax, net] = ["gross", "tax", "net"].map((one) => column(made, one as keyof List["words"]))
      const { header, says, words } = made.list
      const isPart = header.includes(words.paid) || header.includes(words.balance)
      if (gross === undefined || gross < 0 || tax !== -1 || net !== -1 || says === "balance" || isPart) return
      header[gross] = words.net
      header.push(words.tax)
      for (const [n, row] of made.cells.entries()) {
        const truth = made.list.rows[n]?.truth
        while (row.length < header.length - 1) row.push(undefined)
        if (truth === undefined) continue
        row.push({ t: "n", v: 0.2, z: "0%" })
        truth.cents = Math.round((truth.cents * 120) / 100)
      }
    }
  ]
]

const sheetOf = (rows: Cells): XLSX.WorkSheet => {
  const sheet: XLSX.WorkSheet = {}
  let width = 0
  for (const [r, row] of rows.entries())
    for (const [c, cell] of row.entries()) {
      width = Math.max(width, c)
      if (cell !== undefined) sheet[XLSX.utils.encode_cell({ r, c })] = { ...cell }
    }
  sheet["!ref"] = XLSX.utils.encode_range({ s: { r: 0, c: 0 }, e: { r: Math.max(0, rows.length - 1), c: width } })
  return sheet
}

const text = (cell: Cell | undefined): string => (cell === undefined ? "" : String(cell.v))

export const disturbedWorkbook = (seed: number) => {
  const pick = picker(seed)
  const words = LANGUAGES[pick(LANGUAGES.length)] as List["words"]
  const day = DATES[pick(DATES.length)] as string
  const amount = AMOUNTS[pick(AMOUNTS.length)] as string
  const { list, names } = madeList(pick, words, {
    day: (month, on) => `2026-${two(month)}-${two(on)}`,
    money: (cents) => (cents / 100).toFixed(2)
  })
  const cells = list.rows.map((row) => list.header.map((heading) => typed(row.cells[heading] ?? "", day, amount)))
  const made: Made = { list, pick, cells, titles: [], sheets: [], at: 0 }
  const own = new Set<string>()
  for (let n = 0; n <= pick(2); n++) {
    const [name, change] = WORKBOOK_DISTURBANCES[
      pick(WORKBOOK_DISTURBANCES.length)
    ] as (typeof WORKBOOK_DISTURBANCES)[number]
    if (!own.has(name)) change(made)
    own.add(name)
  }
  const above: Cells = made.titles.map((v) => [{ t: "s", v }])
  const rows: Cells = [...above, list.header.map((v): Cell => ({ t: "s", v })), ...made.cells]
  const book = XLSX.utils.book_new()
  const sheets = made.sheets.toSpliced(made.at, 0, [list.words.invoice, rows, false])
  for (const [name, all] of sheets) XLSX.utils.book_append_sheet(book, sheetOf(all), name)
  book.Workbook = { Sheets: sheets.map(([, , isHidden]) => ({ Hidden: isHidden ? 1 : 0 })) }
  const truths: ReadonlyArray<{ readonly truth: Truth; readonly line: number }> = list.rows.flatMap(({ truth }, n) =>
    truth === undefined ? [] : [{ truth, line: n + 2 + above.length }]
  )
  return {
    names: [...names, ...own],
    file: {
      name: "invoices.xlsx",
      content: XLSX.write(book, { type: "buffer", bookType: "xlsx" }) as Uint8Array,
      lines: rows.map((row) => row.map(text)),
      truths
    }
  }
}
