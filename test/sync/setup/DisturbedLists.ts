/**
 * Lists of invoices in any order of columns, with one to three of the things that change what an amount means: how dates, amounts
 * and currencies are written, what says that an invoice is paid, a tax beside the amount, types of documents, subtotals, columns
 * of the seller's own. Of each row it is known what it is.
 */
import { type Pick, picker, type Style, written } from "./DisturbedTexts.ts"
import { LANGUAGES, LIST_DISTURBANCES, type List, type ListRow, type Truth } from "./ListDisturbances.ts"

export interface GeneratedList {
  readonly text: string
  readonly names: ReadonlyArray<string>
  readonly truths: ReadonlyArray<{ readonly truth: Truth; readonly line: number }>
  readonly header: ReadonlyArray<string>
}

const stateCells = (
  { says, words }: Said,
  state: Truth["state"],
  money: string,
  zero: string,
  day: string
): Record<string, string> =>
  says === "status"
    ? { [words.status]: state === "open" ? words.open : state === "paid" ? words.isPaid : words.isVoid }
    : says === "balance"
      ? { [words.balance]: state === "open" ? money : zero }
      : says === "paid_on"
        ? { [words.paid_on]: state === "paid" ? day : "" }
        : { [words.isPaid]: state === "paid" ? "x" : "" }

interface Said {
  readonly says: List["says"]
  readonly words: List["words"]
}

/** A list as it is made before it is written, with some disturbances of those that are given. */
export const madeList = (pick: Pick, words: List["words"], { day, money }: Omit<Style, "file">) => {
  const says = (["status", "status", "balance", "paid_on", "flag"] as const)[pick(5)] as List["says"]
  const rows = Array.from({ length: 6 + pick(8) }, (_, n): ListRow => {
    const on = 1 + pick(27)
    const drawn = pick(6) === 0 ? "void" : pick(3) === 0 ? "paid" : "open"
    const state = says === "status" || drawn !== "void" ? drawn : "open"
    const truth: Truth = { id: `R-${1000 + n}`, cents: 100 + pick(900_000), currency: "EUR", state }
    return {
      truth,
      cells: {
        [words.id]: truth.id,
        [words.customer]: `${["Alder", "Beech", "Cherry", "Damson"][n % 4]} Ltd`,
        [words.issued]: day(9, on),
        [words.due]: day(10, on),
        [words.gross]: money(truth.cents),
        [words.currency]: "EUR",
        ...stateCells({ says, words }, state, money(truth.cents), money(0), day(9, 28))
      }
    }
  })
  const header = Object.keys(rows[0]?.cells ?? {})
  for (let n = header.length - 1; n > 0; n--) {
    const other = pick(n + 1)
    ;[header[n], header[other]] = [header[other] as string, header[n] as string]
  }
  const list: List = { words, header, rows, money, pick, says }
  const names = new Set<string>()
  for (let n = 0; n <= pick(3); n++) {
    const [name, change] = LIST_DISTURBANCES[pick(LIST_DISTURBANCES.length)] as (typeof LIST_DISTURBANCES)[number]
    if (!names.has(name)) change(list)
    names.add(name)
  }
  return { list, names: [...names] }
}

export const disturbedList = (seed: number): GeneratedList => {
  const pick = picker(seed)
  const words = LANGUAGES[pick(LANGUAGES.length)] as List["words"]
  const style = written(pick)
  const { list, names } = madeList(pick, words, style)
  const { header } = list
  return {
    names,
    header,
    text: style.file(
      header,
      list.rows.map(({ cells }) => header.map((heading) => cells[heading] ?? ""))
    ),
    truths: list.rows.flatMap(({ truth }, n) => (truth === undefined ? [] : [{ truth, line: n + 2 }]))
  }
}
