/**
 * The table of figures in this folder's README: the bench compares with it, and writes it when it is asked to.
 */
import { availableParallelism, cpus, loadavg, totalmem } from "node:os"
import { cells, type Figure } from "./Figure.ts"

const [BEGIN, END] = ["<!-- figures: written by npm run bench -- --write -->", "<!-- end of figures -->"]

const HEAD = ["| figure | ours | baseline | ratio | runs | limit | |", "|---|--:|--:|--:|--:|--:|---|"]

/** By how much a ratio may grow, and what it may grow by where it is so small that this is noise. */
const [WORSE, NOISE] = [1.2, 0.05]

export interface Table {
  readonly machine: string
  readonly measured: string
  /** By name: the row as it is written. */
  readonly rows: ReadonlyMap<string, string>
  /** By name. */
  readonly notes: ReadonlyMap<string, string>
}

export const EMPTY: Table = { machine: "", measured: "", rows: new Map(), notes: new Map() }

export const machine = (): string =>
  `Node ${process.versions.node}, ${availableParallelism()} × ${cpus()[0]?.model ?? "processor"}, ${Math.round(totalmem() / 2 ** 30)} GB`

/** From this load on, what else the machine does decides the figures. */
const BUSY = 0.5

/** When it is measured, and whether the machine has other things to do. */
export const circumstances = (load = loadavg()[0] ?? 0): string => {
  const day = new Date().toISOString().slice(0, 10)
  return load < BUSY ? `${day}, otherwise idle` : `${day}, busy with other things: a load of ${load.toFixed(1)} before`
}

/** What is said of figures that do not count; undefined where they do. */
export const tooBusy = (load = loadavg()[0] ?? 0): string | undefined =>
  load < BUSY
    ? undefined
    : `The machine is too busy for these figures to count: a load of ${load.toFixed(1)} before the first. Measure on an idle one.`

/** The table of a README. */
export const parse = (page: string): Table => {
  const [, inside] = new RegExp(`${BEGIN}\\n([^]*?)${END}`).exec(page) ?? []
  if (inside === undefined) return EMPTY
  const lines = inside.split("\n")
  const [, host = "", measured = ""] = /^Measured on (.*); (.*)\.$/.exec(lines[0]!) ?? []
  const named = (pattern: RegExp) =>
    new Map(lines.flatMap((line) => (pattern.test(line) ? [[pattern.exec(line)![1]!, line] as const] : [])))
  const rows = named(/^\| ([^|]+?) \|.*\d/)
  return { machine: host, measured, rows, notes: named(/^- \*(.+?)\*: /) }
}

const ratioOf = (row: string): number => Number(row.split("|")[4]!.replaceAll(",", ""))

/** The ratio that the figure had in the table, where it has become worse by more than a fifth. */
export const worse = ({ name, ratio }: Figure, { rows }: Table): number | undefined => {
  const row = rows.get(name)
  if (row === undefined) return undefined
  const before = ratioOf(row)
  return ratio > before * WORSE && ratio > before + NOISE ? before : undefined
}

/** With new figures: those of the same machine that were not measured now stay. */
export const merge = (before: Table, figures: ReadonlyArray<Figure>, host: string, measured: string): Table => {
  const kept = before.machine === host ? before : EMPTY
  const rows = new Map(kept.rows)
  const notes = new Map(kept.notes)
  for (const figure of figures) {
    rows.set(figure.name, `| ${cells(figure).join(" | ")} |`)
    notes.delete(figure.name)
    if (figure.note !== undefined) notes.set(figure.name, `- *${figure.name}*: ${figure.note}`)
  }
  return { machine: host, measured, rows, notes }
}

/** The page with this table in place of its own. */
export const write = (page: string, { machine, measured, notes, rows }: Table): string => {
  const inside = [`Measured on ${machine}; ${measured}.`, "", ...HEAD, ...rows.values(), "", ...notes.values()]
  const text = `${BEGIN}\n${inside.join("\n").trimEnd()}\n\n${END}`
  return page.replace(new RegExp(`${BEGIN}[^]*?${END}`), () => text)
}
