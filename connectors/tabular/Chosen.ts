/**
 * Selects the rows that a stream reads, and accounts for those that no stream of the table reads: by what they say, with
 * their number and sums. Rows with amounts that the configuration does not leave out by name need attention: without them,
 * nobody can say that the table agrees with the books.
 */
import * as Currency from "../../core/money/Currency.ts"
import type * as Decimal from "../../core/money/Decimal.ts"
import { grouped, plural } from "../../core/Plural.ts"
import type { Kind } from "../Document.ts"
import type { Batch } from "./Batch.ts"
import type * as Layout from "./Layout.ts"
import type { Row } from "./Row.ts"
import type { Cells } from "./Shape.ts"
import { Unreadable } from "./Unreadable.ts"
import * as Where from "./Where.ts"

/** The rows that a stream chooses. */
export type Choice = Pick<Layout.Settings, "leave_out" | "where">

export interface Of {
  readonly kind: Kind
  readonly file: string
  readonly origin: (row: Row) => string
  /** The choices of the table's other streams; set if this stream reports the rows that none of them reads. */
  readonly others: ReadonlyArray<Choice> | undefined
  /** A row's amount; undefined if it has none, or one that cannot be read. */
  readonly amount: (row: Row) => Decimal.Decimal | undefined
  /** Why a row's state says that it is not read; undefined if it is. */
  readonly state: (row: Row) => { readonly heading: string; readonly text: string } | undefined
}

/** Rows that are not read, and that say the same. */
interface Left {
  readonly heading: string
  readonly text: string
  readonly row: Row
  readonly isNamed: boolean
  rows: number
  /** By currency; the empty one is unknown. */
  readonly sums: Map<string, Decimal.Decimal>
}

/** Texts that are told apart; the others are counted together. */
const TEXTS = 100

const MORE = "other texts"

interface Tests {
  readonly reads: (row: Row) => boolean
  readonly leaves: (row: Row) => boolean
  /** Whether only a condition that names what is left out keeps it from being read. */
  readonly names: (row: Row) => boolean
}

/** Beside `where`, `leave_out` names rows that it does not take; alone, it leaves them out. */
const testsOf = ({ leave_out, where }: Choice, cells: Cells): Tests => {
  const leaves = leave_out === undefined ? () => false : Where.compile(leave_out, cells)
  return {
    reads: where === undefined ? (row) => !leaves(row) : Where.compile(where, cells),
    leaves,
    names: where === undefined ? () => false : Where.compile(Where.named(where), cells)
  }
}

/** Takes the rows of one stream. */
class Chosen {
  readonly #of: Of
  readonly #cells: Cells
  readonly #own: Tests
  readonly #others: ReadonlyArray<Tests> | undefined
  readonly #heading: string
  readonly #left = new Map<string, Left>()

  constructor(choice: Choice, of: Of, cells: Cells) {
    this.#of = of
    this.#cells = cells
    this.#own = testsOf(choice, cells)
    this.#others = of.others?.map((one) => testsOf(one, cells))
    const [heading = ""] = [...Where.columnsOf(choice.where), ...Where.columnsOf(choice.leave_out)]
    this.#heading = heading
  }

  takes(row: Row): Row | undefined {
    if (row.problem !== undefined) return row
    try {
      const isChosen = this.#own.reads(row)
      const state = isChosen ? this.#of.state(row) : undefined
      if (isChosen && state === undefined) return row
      if (state !== undefined) this.#leave(row, state, true)
      else this.#elsewhere(row)
      return undefined
    } catch (cause) {
      if (!(cause instanceof Unreadable)) throw cause
      return { ...row, problem: `${JSON.stringify(cause.field)} ${cause.why}` }
    }
  }

  /** A row that this stream does not read: another one may, and one of them may name it as left out. */
  #elsewhere(row: Row): void {
    if (this.#others === undefined || this.#others.some((one) => one.reads(row))) return
    const all = [this.#own, ...this.#others]
    const heading = this.#heading
    const text = this.#cells.cell(row, this.#cells.find(heading))
    this.#leave(
      row,
      { heading, text },
      all.some((one) => one.leaves(row) || (!one.reads(row) && one.names(row)))
    )
  }

  #leave(row: Row, { heading, text }: { readonly heading: string; readonly text: string }, isNamed: boolean): void {
    const known = (said: string) => this.#left.get(JSON.stringify([heading, said, isNamed]))
    const said = this.#left.size < TEXTS || known(text) !== undefined ? text : MORE
    const one = known(said) ?? { heading, text: said, row, isNamed, rows: 0, sums: new Map() }
    this.#left.set(JSON.stringify([heading, said, isNamed]), one)
    one.rows++
    const amount = this.#of.amount(row) ?? 0n
    if (amount === 0n) return
    const currency = this.#cells.currency(row) ?? ""
    one.sums.set(currency, (one.sums.get(currency) ?? 0n) + amount)
  }

  /** Accounts for the rows that were not read. */
  end(batch: Batch): void {
    const { file, kind, origin } = this.#of
    const named = [...this.#left.values()].filter(({ isNamed }) => isNamed)
    const others = [...this.#left.values()].filter(({ isNamed }) => !isNamed)
    for (const one of others) {
      const { heading, row, sums } = one
      if (sums.size === 0) batch.notices.push({ origin: file, what: `rows that no stream reads: ${said(one)}` })
      else
        batch.quarantined.push({
          kind,
          origin: origin(row),
          raw: row.raw,
          field: heading,
          why: `${said(one)}, and no stream reads ${one.rows === 1 ? "it" : "them"}: add a stream or another text to where, or name ${one.rows === 1 ? "it" : "them"} under leave_out`
        })
    }
    if (named.length > 0)
      batch.notices.push({ origin: file, what: `left out, as the configuration says: ${named.map(said).join("; ")}` })
    for (const one of named)
      for (const [currency, amount] of one.sums)
        if (currency !== "")
          batch.stated.push({
            kind,
            list: file,
            what: "left out",
            column: textOf(one),
            currency,
            amount,
            read: amount,
            at: origin(one.row)
          })
  }
}

const textOf = ({ heading, text }: Left): string =>
  text === MORE ? `${JSON.stringify(heading)} has ${MORE}` : `${JSON.stringify(heading)} says ${JSON.stringify(text)}`

/** `"Type" says "Credit Memo" in 1 row, -30.00 USD` */
const said = (one: Left): string => {
  const sums = [...one.sums].map(([currency, sum]) =>
    currency === "" ? Currency.say(sum, undefined) : Currency.say(sum, currency)
  )
  return [`${textOf(one)} in ${one.rows === 1 ? plural(1, "row") : `${grouped(one.rows)} rows`}`, ...sums].join(", ")
}

export const make = (choice: Choice, of: Of, cells: Cells) => new Chosen(choice, of, cells)
