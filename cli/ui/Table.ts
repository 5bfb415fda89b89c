/**
 * Tables that align: money and numbers to the right, text to the left, long text cut where the terminal ends.
 */
import type { Style } from "./Output.ts"

export interface Column {
  readonly title: string
  readonly right?: boolean
  /** May be cut to make the table fit; the last such column gives way first. */
  readonly flexible?: boolean
}

const SEGMENTS = new Intl.Segmenter("en", { granularity: "grapheme" })
const WIDE = /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]/u

const widthOf = (text: string): number => {
  let width = 0
  for (const { segment } of SEGMENTS.segment(text)) width += WIDE.test(segment) ? 2 : 1
  return width
}

const cut = (text: string, width: number): string => {
  if (widthOf(text) <= width) return text
  let out = ""
  let used = 0
  for (const { segment } of SEGMENTS.segment(text)) {
    const next = WIDE.test(segment) ? 2 : 1
    if (used + next > width - 1) break
    out += segment
    used += next
  }
  return `${out}…`
}

/** @param width columns of the terminal; no limit when undefined */
export const table = (
  columns: ReadonlyArray<Column>,
  rows: ReadonlyArray<ReadonlyArray<string>>,
  style: Style,
  width?: number
): string => {
  const clean = rows.map((row) => row.map((cell) => cell.replace(/[\u0000-\u001f\u007f]+/g, " ")))
  const widths = columns.map(({ title }, i) => Math.max(widthOf(title), ...clean.map((row) => widthOf(row[i] ?? ""))))
  if (width !== undefined) {
    for (const [i, { flexible }] of [...columns.entries()].toReversed()) {
      const total = widths.reduce((sum, one) => sum + one, 0) + 2 * (columns.length - 1)
      if (flexible === true && total > width) widths[i] = Math.max(12, widths[i]! - (total - width))
    }
  }
  const line = (cells: ReadonlyArray<string>) =>
    columns
      .map(({ right }, i) => {
        const text = cut(cells[i] ?? "", widths[i]!)
        const pad = " ".repeat(Math.max(0, widths[i]! - widthOf(text)))
        return right === true ? pad + text : text + pad
      })
      .join("  ")
      .trimEnd()
  return [style.dim(line(columns.map(({ title }) => title))), ...clean.map(line)].join("\n")
}

/** `1234567.50` as `1,234,567.50`, for reading only. */
export const grouped = (amount: string): string => {
  const [, sign, whole, rest] = /^(-?)(\d+)(.*)$/.exec(amount) ?? []
  return whole === undefined ? amount : `${sign}${whole.replace(/\B(?=(\d{3})+$)/g, ",")}${rest}`
}

/** `1 invoice`, `2 invoices`. */
export const plural = (n: number, one: string, many = `${one}s`): string =>
  `${String(n).replace(/\B(?=(\d{3})+$)/g, ",")} ${n === 1 ? one : many}`
