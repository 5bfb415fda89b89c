/** How a generated file writes its days, amounts and cells. */

export type Pick = (most: number) => number

/** A small generator of numbers, so that each file can be made again from its seed. */
export const picker = (seed: number): Pick => {
  let state = (seed * 2_654_435_761) >>> 0
  return (most) => {
    state = (Math.imul(state ^ (state >>> 15), 2_246_822_519) + 0x9e3779b9) >>> 0
    return state % most
  }
}

const two = (n: number) => String(n).padStart(2, "0")
const MONTHS = ["", "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

const DAYS: ReadonlyArray<(month: number, day: number) => string> = [
  (month, day) => `2026-${two(month)}-${two(day)}`,
  (month, day) => `${two(day)}.${two(month)}.2026`,
  (month, day) => `${two(day)}/${two(month)}/2026`,
  (month, day) => `${day} ${MONTHS[month]} 2026`,
  (month, day) => `2026-${two(month)}-${two(day)}T00:00:00`
]

const grouped = (cents: number, group: string, point: string): string => {
  const [whole, part] = (Math.abs(cents) / 100).toFixed(2).split(".") as [string, string]
  return `${cents < 0 ? "-" : ""}${whole.replace(/\B(?=(\d{3})+$)/g, group)}${point}${part}`
}

const AMOUNTS: ReadonlyArray<(cents: number) => string> = [
  (cents) => grouped(cents, "", "."),
  (cents) => grouped(cents, "", ","),
  (cents) => grouped(cents, ",", "."),
  (cents) => grouped(cents, ".", ","),
  (cents) => grouped(cents, " ", ","),
  (cents) => grouped(cents, "'", ".")
]

const SEPARATORS = [",", ";", "\t"]

const quoted = (cell: string, mark: string): string =>
  cell.includes(mark) || (cell.includes('"') && !cell.startsWith('="')) ? `"${cell.replaceAll('"', '""')}"` : cell

export interface Style {
  readonly day: (month: number, day: number) => string
  readonly money: (cents: number) => string
  readonly file: (header: ReadonlyArray<string>, rows: ReadonlyArray<ReadonlyArray<string>>) => string
}

export const written = (pick: Pick): Style => {
  const mark = SEPARATORS[pick(SEPARATORS.length)] as string
  const end = pick(3) === 0 ? "\r\n" : "\n"
  const start = pick(5) === 0 ? "\uFEFF" : ""
  return {
    day: DAYS[pick(DAYS.length)] as Style["day"],
    money: AMOUNTS[pick(AMOUNTS.length)] as Style["money"],
    file: (header, rows) =>
      `${start}${[header, ...rows].map((row) => row.map((cell) => quoted(cell, mark)).join(mark) + end).join("")}`
  }
}
