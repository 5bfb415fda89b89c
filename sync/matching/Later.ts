/**
 * Rows that a batch writes together, in the order of their keys: running a statement takes longer than writing a row, and rows
 * in order take half the time. A new payment is written once, with what was decided about it.
 */
import { entryOf } from "../../core/Entry.ts"
import type { Decimal } from "../../core/money/Decimal.ts"
import { COUNT_AGAIN } from "../books/ChangedDocuments.ts"
import type { Db } from "../state/Database.ts"
import { insert, ManyRows, type Statements, type Value } from "../state/ManyRows.ts"
import { type Group, type MoneyRow, type Placement, seedOf } from "./Rows.ts"
import type { Payer } from "./Amounts.ts"

const PAYABLE = insert({
  into: "INSERT INTO payable",
  row: "(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
  otherwise: `ON CONFLICT DO UPDATE SET number = excluded.number, currency = excluded.currency, party = excluded.party,
    customer = excluded.customer, form = excluded.form, payable = excluded.payable, base = excluded.base, issued = excluded.issued, due = excluded.due,
    reference = excluded.reference`
})

const MENTION = insert({ into: "INSERT INTO mention", row: "(?, ?, ?)", otherwise: "ON CONFLICT DO NOTHING" })

const MATCHING = insert({
  into: "INSERT INTO matching",
  row: "(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, '', ?, ?, ?, '', '')",
  otherwise: `ON CONFLICT DO UPDATE SET of = excluded.of, currency = excluded.currency, amount = excluded.amount, date = excluded.date,
    party = excluded.party, customer = excluded.customer, names = excluded.names, pays = excluded.pays, form = excluded.form, cut = excluded.cut, free = 0`
})

const ALLOCATION = insert({
  into: "INSERT INTO allocation (invoice, document, amount)",
  row: "(?, ?, ?)",
  otherwise: "ON CONFLICT DO UPDATE SET amount = excluded.amount"
})

const CHANGED = insert({ into: "INSERT INTO changed (subject)", row: "(?)", otherwise: COUNT_AGAIN })

const GROUP = insert({ into: "INSERT INTO to_group", row: "(?, ?, ?, ?)", otherwise: "ON CONFLICT DO NOTHING" })

/** Rows that are written in the order of one of their columns. */
const rowsBy = <Row extends ReadonlyArray<Value>>(db: Db, into: Statements, column: number) => {
  const rows = new ManyRows(db, into)
  let waiting: Array<Row> = []
  return {
    add: (row: Row) => void waiting.push(row),
    flush: () => {
      if (waiting.length === 0) return
      waiting.sort((a, b) =>
        (a[column] as Value & {}) < (b[column] as Value & {}) ? -1 : a[column] === b[column] ? 0 : 1
      )
      for (const row of waiting) rows.addRow(row)
      rows.flush()
      waiting = []
    }
  }
}

export type Later = ReturnType<typeof laterRows>

type Allocation = readonly [invoice: string, document: number, amount: string]

const tables = (db: Db) => ({
  payable: rowsBy<ReadonlyArray<Value>>(db, PAYABLE, 0),
  mention: rowsBy<readonly [pays: string, name: string, document: number]>(db, MENTION, 1),
  matching: rowsBy<ReadonlyArray<Value>>(db, MATCHING, 0),
  allocation: rowsBy<Allocation>(db, ALLOCATION, 0),
  /** Of payments and reversals that have a row. */
  ofStored: rowsBy<Allocation>(db, ALLOCATION, 0),
  changed: rowsBy<readonly [subject: string]>(db, CHANGED, 0),
  group: rowsBy<readonly [string, string, bigint, string]>(db, GROUP, 2)
})

/** Rows that are not in the database yet: what reads these tables must flush them first. */
export const laterRows = (db: Db) => {
  const { allocation, changed, group, matching, mention, ofStored, payable } = tables(db)
  /** Payments and reversals without a row, and what was decided about some of them. */
  const money = new Map<number, MoneyRow>()
  const decisions = new Map<number, Partial<Placement>>()
  /** What choices and links of such payments give to an invoice. */
  const given = new Map<string, Decimal>()
  let joined: boolean | undefined

  const flushNames = () => {
    payable.flush()
    mention.flush()
  }
  const flushDecided = () => {
    const saying = [...decisions].filter(([, { note = "", says = "" }]) => says !== "" || note !== "")
    for (const [document, decision] of decisions) {
      matching.add(columns(entryOf(money, document), decision))
      money.delete(document)
    }
    decisions.clear()
    given.clear()
    for (const rows of [matching, allocation, ofStored, changed, group]) rows.flush()
    say(db, saying)
  }
  return {
    payable: payable.add,
    /** Whether several lists may state the same money. */
    areJoined: (): boolean => (joined ??= db.prepare("SELECT 1 FROM several_lists LIMIT 1").get() !== undefined),
    mention: mention.add,
    /** A payment or reversal that was read; a stored one keeps its decision. */
    money: (row: MoneyRow): void => void money.set(row.document, row),
    isNew: (document: number): boolean => money.has(document),
    /** Keeps what was decided about a payment without a row; false if it has one. */
    decided: (document: number, decision: Partial<Placement>): boolean => {
      const isNew = money.has(document)
      if (isNew) decisions.set(document, decision)
      return isNew
    },
    allocate: (invoice: string, document: number, amount: Decimal): void => {
      const rows = money.has(document) ? allocation : ofStored
      rows.add([invoice, document, `${amount}`])
      const how = decisions.get(document)?.how
      if (how === "choice" || how === "link") given.set(invoice, (given.get(invoice) ?? 0n) + amount)
    },
    /** Writes what payments and reversals with a row are allocated. */
    flushAllocations: ofStored.flush,
    given: (invoice: string): Decimal => given.get(invoice) ?? 0n,
    /** Marks a document to be planned again. */
    touch: (subject: string): void => changed.add([subject]),
    group: (one: Group & Pick<Payer, "party" | "customer">): void =>
      group.add([one.pays, one.currency, BigInt(one.amount), seedOf(one)]),
    /** Writes what is looked up by name. */
    flushNames,
    /** Writes what was decided. */
    flushDecided,
    /** Writes everything: nothing is new any more. */
    flush: () => {
      flushNames()
      for (const document of money.keys()) if (!decisions.has(document)) decisions.set(document, {})
      flushDecided()
    }
  }
}

/** Writes what few rows have. */
const say = (db: Db, decisions: ReadonlyArray<readonly [document: number, Partial<Placement>]>): void => {
  for (const [document, { note = "", says = "" }] of decisions)
    db.prepare("UPDATE matching SET says = ?, note = ? WHERE document = ?").run(says, note, document)
}

const columns = (row: MoneyRow, decision: Partial<Placement>): ReadonlyArray<Value> => {
  const { amount, back, connection, currency, date, document, names, of, pays } = row
  const { customer, cut, form, party } = { ...row, ...decision.payer }
  const { doubt = 0, free = 0, how = "", matched = amount, rule = null, why = null } = decision
  // biome-ignore format: one line of columns
  return [document, connection, pays, of, back, currency, amount, matched, date, party, names, how, free, rule, why, customer, form, cut, doubt]
}
