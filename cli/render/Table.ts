/**
 * Renders aligned tables: money and numbers right-aligned, text left-aligned; long text is wrapped within its column.
 */
import { createRequire } from "node:module"
import type { Style } from "./Output.ts"

let measure: ((text: string) => number) | undefined

/** The width in terminal columns. The package is loaded at the first text beyond ASCII, because loading takes time. */
const stringWidth = (text: string): number => {
  if (/^[ -~]*$/.test(text)) return text.length
  measure ??= (createRequire(import.meta.url)("string-width") as { readonly default: (text: string) => number }).default
  return measure(text)
}

export interface Column {
  readonly title: string
  readonly right?: boolean
  /** May be wrapped to make the table fit; the last such column is wrapped first. */
  readonly flexible?: boolean
}

/** Columns by their titles: `>` is before one that is aligned to the right, `~` before one that may be wrapped. */
export const headings = (text: string): ReadonlyArray<Column> =>
  text.split(", ").map((one) => ({
    title: one.replace(/^[>~]+/, ""),
    right: one.startsWith(">"),
    flexible: /^>?~/.test(one)
  }))

let segmenter: Intl.Segmenter | undefined

/** The characters as a reader sees them (grapheme clusters). */
const characters = (text: string): ReadonlyArray<string> => {
  if (/^[ -~]*$/.test(text)) return text.split("")
  segmenter ??= new Intl.Segmenter("en", { granularity: "grapheme" })
  return Array.from(segmenter.segment(text), ({ segment }) => segment)
}

/** Wraps a text into lines of at most this width, preferably at spaces. Nothing is left out. */
const wrap = (text: string, width: number): ReadonlyArray<string> => {
  const lines: Array<string> = []
  let line = ""
  let used = 0
  const end = () => {
    lines.push(line)
    line = ""
    used = 0
  }
  for (const word of text.split(" ")) {
    if (used > 0 && used + 1 + stringWidth(word) > width) end()
    else if (used > 0) {
      line += " "
      used++
    }
    for (const segment of characters(word)) {
      const next = stringWidth(segment)
      if (used + next > width) end()
      line += segment
      used += next
    }
  }
  end()
  return lines
}

/** Text, optionally with a style: styles take no width, and control sequences in data are removed. */
export type Cell = string | { readonly text: string; readonly look: (text: string) => string }

/** @param width the terminal's columns; undefined: no limit */
export const table = (
  columns: ReadonlyArray<Column>,
  rows: ReadonlyArray<ReadonlyArray<Cell>>,
  { style, width }: { readonly style: Style; readonly width?: number }
): string => {
  const clean = rows.map((row) => row.map((cell) => textOf(cell).replace(/[\u0000-\u001f\u007f]+/g, " ")))
  const widths = columns.map(({ title }, i) =>
    Math.max(stringWidth(title), ...clean.map((row) => stringWidth(row[i] ?? "")))
  )
  if (width !== undefined) {
    for (const [i, one] of [...widths.entries()].toReversed()) {
      const total = widths.reduce((sum, one) => sum + one, 0) + 2 * (columns.length - 1)
      if (columns[i]?.flexible === true && total > width) widths[i] = Math.max(12, one - (total - width))
    }
  }
  const line = (cells: ReadonlyArray<string>, looks: ReadonlyArray<Cell> = []) => {
    const wrapped = columns.map(({ right }, i) => {
      const width = widths[i] ?? 0
      return { lines: wrap(cells[i] ?? "", width), right, width }
    })
    return Array.from({ length: Math.max(...wrapped.map(({ lines }) => lines.length)) }, (_, n) =>
      wrapped
        .map(({ lines, right, width }, i) => {
          const text = lines[n] ?? ""
          const pad = " ".repeat(Math.max(0, width - stringWidth(text)))
          const cell = looks[i]
          const shown = text === "" || cell === undefined || typeof cell === "string" ? text : cell.look(text)
          return right === true ? pad + shown : shown + pad
        })
        .join("  ")
        .trimEnd()
    ).join("\n")
  }
  return [style.dim(line(columns.map(({ title }) => title))), ...clean.map((cells, n) => line(cells, rows[n]))].join(
    "\n"
  )
}

const textOf = (cell: Cell): string => (typeof cell === "string" ? cell : cell.text)
