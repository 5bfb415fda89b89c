/**
 * Holds the files against each other: which numbers are those of invoices, which documents two files state, and which files may
 * tell of the same money.
 */
import * as Expressions from "../../connectors/tabular/Expressions.ts"
import { find, writingOf } from "../../connectors/tabular/Cells.ts"
import * as Dates from "../../connectors/tabular/Dates.ts"
import type { Row } from "../../connectors/tabular/Row.ts"
import { plural } from "../../core/Plural.ts"
import type { SetupAnswers } from "./Answers.ts"
import { assign } from "./Columns.ts"
import type { Completed } from "./Completion.ts"
import { amountsIn } from "./Figures.ts"
import { kindOfTable } from "./Kinds.ts"
import { cellsOf, filledOf, type FoundTable, type SetupDecision, type SetupQuestion } from "./Tables.ts"

/** A stream with the table that it reads. */
export interface Streamed {
  readonly table: FoundTable
  readonly rows: ReadonlyArray<Row>
  readonly completed: Completed
}

/** Ids and numbers of the invoices in tables that have what only invoices have. */
export const numbersBeside = (
  tables: ReadonlyArray<FoundTable>,
  answers: SetupAnswers
): ((table: FoundTable) => ReadonlySet<string>) => {
  const all = tables.map((table) => {
    const { at } = assign(table)
    const areInvoices =
      kindOfTable(table, answers) === "invoices" && (at.due ?? at.terms ?? at.balance ?? at.net) !== undefined
    const columns = areInvoices ? [at.invoice, at.document, at.key] : []
    return { table, numbers: columns.flatMap((n) => (n === undefined ? [] : filledOf(table.rows, n))) }
  })
  return (table) => new Set(all.flatMap((one) => (one.table === table ? [] : one.numbers)))
}

const columnsOf = ({ completed: { settings } }: Streamed) => settings["columns"] as Readonly<Record<string, unknown>>

const columnAt = (of: Streamed, field: string): number => {
  const heading = columnsOf(of)[field]
  return typeof heading === "string" ? find(of.table.header, heading) : -1
}

/** Payments that name the numbers of invoices which have ids of their own: then the number is the id. */
export const identifiedByNumber = (all: ReadonlyArray<Streamed>): ReadonlyArray<Streamed> => {
  const named = new Set(
    all.flatMap((one) =>
      one.completed.stream === "invoices"
        ? []
        : cellsOf(one.rows, columnAt(one, "invoice")).filter((text) => text !== "")
    )
  )
  return all.map((one) => {
    const { number, ...columns } = columnsOf(one)
    if (one.completed.stream !== "invoices" || number === undefined || named.size === 0) return one
    const [ids, numbers] = [columnAt(one, "id"), columnAt(one, "number")].map((at) => cellsOf(one.rows, at))
    const count = (texts: ReadonlyArray<string> = []) => texts.filter((text) => named.has(text)).length
    const perId = new Set((ids ?? []).map((id, n) => `${id}\n${numbers?.[n]}`))
    if (count(numbers) <= count(ids) || new Set(numbers).size !== perId.size) return one
    const decision = {
      file: one.table.name,
      what: `${JSON.stringify(number)} identifies an invoice`,
      because: "the payments name it"
    }
    return {
      ...one,
      completed: {
        ...one.completed,
        settings: { ...one.completed.settings, columns: { ...columns, id: number } },
        decisions: [...one.completed.decisions, decision]
      }
    }
  })
}

/** The cells of a row that a stream reads, as one text. */
const readOf = (of: Streamed, { cells }: Row): string =>
  Object.entries(columnsOf(of))
    .flatMap(([, expression]) => Expressions.columnsOf(expression as Expressions.Expression))
    .map((heading) => `${heading.toLowerCase()}=${(cells[find(of.table.header, heading)] ?? "").trim()}`)
    .toSorted()
    .join("\n")

const contentsOf = (of: Streamed): ReadonlyMap<string, string> => {
  const ids = cellsOf(of.rows, columnAt(of, "id"))
  return new Map(of.rows.map((row, n) => [ids[n] ?? "", readOf(of, row)] as const).filter(([id]) => id !== ""))
}

/** The latest day that a table's own dates say. */
const latest = (of: Streamed): string => {
  const parse = Dates.reader(writingOf(of.completed.settings))
  return cellsOf(of.rows, columnAt(of, "issued")).reduce((day, text) => {
    const own = parse(text) ?? ""
    return own > day ? own : day
  }, "")
}

const SOME = 3

/** Documents of one kind that two files state. */
const twice = (one: Streamed, other: Streamed): SetupDecision | undefined => {
  const [here, there] = [contentsOf(one), contentsOf(other)]
  const both = [...here.keys()].filter((id) => there.has(id))
  const differ = both.filter((id) => here.get(id) !== there.get(id))
  const [first] = both
  if (first === undefined || one.table.path === other.table.path) return undefined
  const newest = latest(one) >= latest(other) ? one : other
  const names = listedFew(differ.length === 0 ? both : differ)
  return {
    file: one.table.name,
    what: `${plural(both.length, "document")} also in ${other.table.name}`,
    because:
      differ.length === 0
        ? `${names}: both files say the same`
        : `${names} ${differ.length === 1 ? "has" : "have"} other contents there; by its dates ${newest.table.name} is newer. What both say differently waits until one is left out, or both have the days of their exports in their names`
  }
}

/** Two files that state the same invoices otherwise, where their names do not say which was written later. */
interface Otherwise {
  /** Which is older by its latest day, or by its place. */
  readonly older: Streamed
  readonly newer: Streamed
  /** The invoices that both have with other contents, and those that only the older one has. */
  readonly differ: ReadonlyArray<string>
  readonly lacks: ReadonlyArray<string>
}

const otherwise = (one: Streamed, other: Streamed): Otherwise | undefined => {
  const [older, newer] = latest(one) <= latest(other) ? [one, other] : [other, one]
  const [own, its] = [contentsOf(older), contentsOf(newer)]
  const differ = [...own].flatMap(([id, content]) => (its.has(id) && its.get(id) !== content ? [id] : []))
  const isDated = [older, newer].every(({ table }) => /20\d\d/.test(table.name))
  if (differ.length === 0 || isDated || begunAnew(older, newer).length > 0) return undefined
  return { older, newer, differ, lacks: [...own.keys()].filter((id) => !its.has(id)) }
}

const listedFew = (all: ReadonlyArray<string>): string =>
  all.slice(0, SOME).join(", ") + (all.length > SOME ? ` and ${all.length - SOME} more` : "")

/** Of two exports of a list, whether the older one is left out: where it is not certain which that is, nothing is suggested. */
export const olderQuestions = (
  all: ReadonlyArray<Streamed>,
  { kinds = {} }: SetupAnswers
): ReadonlyArray<SetupQuestion> => {
  const lists = all.filter(
    ({ completed, table }) =>
      completed.stream === "invoices" && all.filter((other) => other.table.path === table.path).length === 1
  )
  const pairs = lists.flatMap((one, n) => lists.slice(n + 1).flatMap((other) => otherwise(one, other) ?? []))
  return pairs.flatMap(({ differ, lacks, newer, older }) => {
    const [old, recent] = [older.table.name, newer.table.name]
    const isOlder = lacks.length === 0 && latest(older) < latest(newer)
    const both = `${old} and ${recent} say differently of ${listedFew(differ)}${lacks.length === 0 ? ", and both end on the same day" : `, and ${recent} does not have ${listedFew(lacks)}`}.`
    // Whoever leaves the first one in is asked about the other.
    const name = [old, ...(isOlder ? [] : [recent])].find((one) => kinds[one] === undefined)
    if (name === undefined || kinds[old] === "nothing" || kinds[recent] === "nothing") return []
    const ask = isOlder
      ? `${recent} has every invoice of ${old}, some with other contents, and later ones. Is ${old} an older export of the same list, which is not read any more (nothing)? Otherwise what both say differently waits (invoices).`
      : `${both} Is ${name} left out (nothing)? If both stay (invoices), what they say differently waits until one is left out, or both have the days of their exports in their names.`
    return [
      {
        answer: `kind.${name}`,
        flag: `--kind ${JSON.stringify(`${name}=KIND`)}`,
        what: `rows of ${name}`,
        ask,
        choices: ["nothing", "invoices"],
        ...(isOlder ? { suggestion: "nothing" } : {})
      }
    ]
  })
}

/** Numbers that two files give to invoices of other customers and other days: they begin anew in each. */
const begunAnew = (one: Streamed, other: Streamed): ReadonlyArray<string> => {
  if (one.table.path === other.table.path) return []
  const factsOf = (of: Streamed) => {
    const [ids, customers, days] = ["id", "customer", "issued"].map((field) => cellsOf(of.rows, columnAt(of, field)))
    return new Map(ids?.map((id, n) => [id, [customers?.[n] ?? "", days?.[n] ?? ""] as const] as const))
  }
  const there = factsOf(other)
  return [...factsOf(one)].flatMap(([id, [customer, day]]) => {
    const [whose, when] = there.get(id) ?? [customer, day]
    return id !== "" && customer !== whose && day !== when ? [id] : []
  })
}

const pairsOf = (all: ReadonlyArray<Streamed>): ReadonlyArray<readonly [Streamed, Streamed, ReadonlyArray<string>]> => {
  const invoices = all.filter(({ completed }) => completed.stream === "invoices")
  return invoices.flatMap((one, n) =>
    invoices.slice(n + 1).flatMap((other) => {
      const ids = begunAnew(one, other)
      return ids.length === 0 ? [] : [[one, other, ids] as const]
    })
  )
}

/** Asks whether invoices of one number in two files are two. */
export const anewQuestions = (
  all: ReadonlyArray<Streamed>,
  { numbers }: SetupAnswers
): ReadonlyArray<SetupQuestion> => {
  const [first] = numbers === undefined ? pairsOf(all) : []
  if (first === undefined) return []
  const [one, other, ids] = first
  return [
    {
      answer: "numbers",
      flag: "--numbers anew",
      what: "invoices of one number in two files",
      ask: `${one.table.name} and ${other.table.name} have ${plural(ids.length, "invoice")} of the same number, like ${ids[0]}, for other customers and on other days. Do numbers begin anew in each file, or is the newer one right?`,
      choices: ["anew", "same"]
    }
  ]
}

/** Where numbers begin anew, an invoice is known by its number and its day; what pays it names the number. */
export const numberedAnew = (all: ReadonlyArray<Streamed>, { numbers }: SetupAnswers): ReadonlyArray<Streamed> =>
  numbers !== "anew"
    ? all
    : all.map((one) => {
        const { completed } = one
        const { id, issued, ...columns } = columnsOf(one)
        if (completed.stream !== "invoices" || typeof id !== "string" || typeof issued !== "string") return one
        const known = { ...columns, id: [id, issued], number: columns["number"] ?? id, issued }
        return { ...one, completed: { ...completed, settings: { ...completed.settings, columns: known } } }
      })

/** Days and amounts of payments, as texts. */
const moneyOf = (of: Streamed): ReadonlyArray<string> => {
  const amounts = amountsIn(of.rows, columnAt(of, "amount"))
  return amounts.flatMap((amount) => (amount === undefined ? [] : [String(amount)]))
}

/** Payments of two files that have the same amounts: one of a processor or ledger, and one of a bank. */
const sameMoney = (one: Streamed, other: Streamed): SetupDecision | undefined => {
  if (one.table.path === other.table.path) return undefined
  const there = new Set(moneyOf(other))
  const alike = moneyOf(one).filter((amount) => there.has(amount)).length
  return alike === 0
    ? undefined
    : {
        file: one.table.name,
        what: `${plural(alike, "amount")} also in ${other.table.name}`,
        because: "both may tell of the same money: it counts once where they are joined; check what is said of them"
      }
}

/** What two of the files say of the same things. */
export const overlaps = (all: ReadonlyArray<Streamed>): ReadonlyArray<SetupDecision> =>
  all.flatMap((one, n) =>
    all.slice(n + 1).flatMap((other) => {
      if (one.completed.stream !== other.completed.stream) return []
      const found = one.completed.stream === "payments" ? sameMoney(one, other) : twice(one, other)
      return found === undefined ? [] : [found]
    })
  )

/** Of several exports of one list, the newest last: it counts where they differ. */
export const inOrder = (all: ReadonlyArray<Streamed>): ReadonlyArray<Streamed> => {
  const invoices = all
    .filter(({ completed }) => completed.stream === "invoices")
    .toSorted((a, b) => (latest(a) < latest(b) ? -1 : latest(a) > latest(b) ? 1 : 0))
  let next = 0
  return all.map((one) => (one.completed.stream === "invoices" ? (invoices[next++] ?? one) : one))
}
