/**
 * Reads the tables that matching uses beside the books: invoices that another connection pays, by number and open amount, and
 * payments with the invoice names in them. `Index.ts` writes them as documents change.
 */
import type { Payment } from "../../connectors/Document.ts"
import { withoutZeros } from "../model/MatchText.ts"
import type { Db } from "../state/Database.ts"
import type { MatchLimits } from "../model/Connection.ts"
import type { Payer } from "./Amounts.ts"
import { type Later, laterRows } from "./Later.ts"
import { type Group, type How, seedOf } from "./Rows.ts"
import { type Aliases, aliasesIn } from "./Aliases.ts"
import { beginnings, letters } from "../model/PayerName.ts"
import type { Name } from "./Rules.ts"

/** The stored row of a payment or reversal. */
export interface Written {
  readonly key: string
  readonly pays: string
  readonly of: string | null
  readonly how: How
  readonly rule: string | null
  readonly why: string | null
  readonly party: string
  readonly form: string
  readonly cut: number
  readonly customer: string
  /** Whether it waits to be matched by amount. */
  readonly free: number
}

/** A payment that has just been read. */
interface Known {
  readonly written: Written
  readonly document: Payment
  /** The names of invoices in its text. */
  readonly inText: ReadonlyArray<Name>
}

/** What a change requires to be decided again: payments and reversals by document number, invoices by key. */
export interface Dirty {
  readonly documents: Set<number>
  readonly invoices: Set<string>
  /** The names of invoices in documents that have just been read. */
  readonly names: Array<string>
  /** Payments that have just been read, so that they are not read again. */
  readonly known: Map<number, Known>
  /** Invoices that were looked up by name, by key. */
  readonly found: Map<string, Payable>
  /** Invoices that were looked up by number. */
  readonly numbers: Map<string, Array<Payable>>
  /** The same by what buyers are asked to write instead. */
  readonly references: Map<string, Array<Payable>>
  /** Whether there are any reversals at all; if not, none are searched. */
  backs: boolean
  /** Whether payments are in doubt, see `doubt` in the table; if not, none are searched. */
  doubts: boolean
  mentions: boolean
  /** Whether payments waited for an amount when the run began. */
  readonly waiting: boolean
  readonly later: Later
  readonly choices: boolean
  /** Whether lines of banks are payouts. */
  readonly payouts: boolean
  /** Whether the service has payments of other connections. */
  readonly standing: boolean
  readonly aliases: Aliases
  /** Whether banks cut names of payers. */
  readonly cuts: boolean
  /** By connection. */
  readonly limits: ReadonlyMap<string, MatchLimits>
  /** Connections whose invoices some other pays with limits of its own. */
  readonly limited: ReadonlySet<string>
  /** Connections whose payments are matched by customer id. */
  readonly byId: ReadonlySet<string>
  /** Connections that pay for another and have invoices of their own. */
  readonly ownInvoices: ReadonlySet<string>
}

const any = (db: Db, from: string): boolean => db.prepare(`SELECT 1 FROM ${from} LIMIT 1`).get() !== undefined

/** Whether payments wait for an amount or an explanation. Those that start to wait during a run are queued already. */
export const isWaiting = (db: Db): boolean =>
  any(db, "matching WHERE free = 1") || any(db, "matching WHERE why IS NOT NULL OR note <> ''")

export const clean = (db: Db, waiting: boolean): Dirty => ({
  documents: new Set(),
  invoices: new Set(),
  names: [],
  known: new Map(),
  found: new Map(),
  numbers: new Map(),
  references: new Map(),
  backs: any(db, "matching WHERE back = 1"),
  doubts: any(db, "matching WHERE doubt = 1"),
  mentions: any(db, "mention"),
  waiting,
  later: laterRows(db),
  choices: any(db, "choice"),
  payouts: any(db, "payout_line"),
  standing: any(db, "standing"),
  aliases: aliasesIn(db),
  cuts: any(db, "matching WHERE cut = 1"),
  limits: limitsOf(db),
  limited: limitedIn(db),
  byId: new Set(db.prepare("SELECT connection FROM paying WHERE by_id = 1").pluck().all() as ReadonlyArray<string>),
  ownInvoices: new Set(
    db
      .prepare(
        `SELECT connection FROM paying p WHERE EXISTS
          (SELECT 1 FROM document WHERE key > p.connection || '/invoice/' AND key < p.connection || '/invoice0')`
      )
      .pluck()
      .all() as ReadonlyArray<string>
  )
})

/** Within which limits the payments of each connection are matched without asking. */
export const limitsOf = (db: Db): ReadonlyMap<string, MatchLimits> =>
  new Map(
    (
      db.prepare("SELECT connection, limits FROM paying").all() as ReadonlyArray<{
        readonly connection: string
        readonly limits: string
      }>
    ).map(({ connection, limits }) => [connection, JSON.parse(limits) as MatchLimits])
  )

/** Connections that others pay with limits that need a payer's invoices. */
export const limitedIn = (db: Db): ReadonlySet<string> =>
  new Set(
    db
      .prepare(
        `SELECT pays FROM paying WHERE limits ->> '$.fee' IS NOT NULL OR limits ->> '$.discount' IS NOT NULL
          OR limits ->> '$.several' IS NOT NULL OR limits ->> '$.undesignated' = 'oldest'`
      )
      .pluck()
      .all() as ReadonlyArray<string>
  )

/** Has the payments of a payer explained again. */
export const explainLater = (db: Db, pays: string, party: string): void => {
  if (party !== "") db.prepare("INSERT INTO to_explain VALUES (?, ?) ON CONFLICT DO NOTHING").run(pays, party)
}

/** Has the payments of all explained who are no customers. */
export const explainStrangers = (db: Db, pays: string): void =>
  void db.prepare("INSERT INTO to_explain VALUES (?, '') ON CONFLICT DO NOTHING").run(pays)

export const queueGroup = (db: Db, group: Pick<Payer, "party" | "customer"> & Group): void => {
  const { amount, currency, pays } = group
  db.prepare("INSERT INTO to_group VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING").run(
    pays,
    currency,
    BigInt(amount),
    seedOf(group)
  )
}

/** Payments that contain this name of an invoice. */
export const mentioning = (db: Db, pays: string, name: string): ReadonlyArray<number> =>
  name === ""
    ? []
    : (db
        .prepare("SELECT document FROM mention WHERE pays = ? AND name = ?")
        .pluck()
        .all(pays, name) as ReadonlyArray<number>)

/** Payments that contain one of these names. */
export const mentioningAny = (db: Db, pays: string, names: ReadonlyArray<string>): ReadonlyArray<number> =>
  db
    .prepare("SELECT m.document FROM json_each(?) n CROSS JOIN mention m ON m.pays = ? AND m.name = n.value")
    .pluck()
    .all(JSON.stringify(names), pays) as ReadonlyArray<number>

/** The stored row of an invoice that another connection pays. */
export interface Payable {
  readonly key: string
  readonly id: number
  readonly number: string
  /** What its buyer is asked to write instead of the number, with spaces between; empty if nothing else. */
  readonly reference: string
  readonly currency: string
  readonly party: string
  readonly form: string
  readonly customer: string
  /** 0 if nothing can be paid on it. */
  readonly payable: number
  readonly issued: string
  /** In minor units, before and after the payments that name it. */
  readonly base: string
  readonly open: string
}

/** The columns of a `Payable`, of `document d` and `payable p`. */
export const PAYABLE =
  "d.key, d.id, p.number, p.reference, p.currency, p.party, p.form, p.customer, p.payable, p.issued, CAST(p.base AS TEXT) AS base, CAST(p.open AS TEXT) AS open"

/** Queues this invoice's group if payments that wait for an amount could be for it. */
export const queueWaiting = (
  db: Db,
  pays: string,
  row: Pick<Payable, "currency" | "open" | "party" | "form" | "customer">,
  { aliases, cuts, limited }: Pick<Dirty, "aliases" | "cuts" | "limited">
): void => {
  const { currency, customer, open: amount, party } = row
  if (limited.has(pays)) {
    explainLater(db, pays, party)
    for (const { name } of aliases.of.get(party) ?? []) explainLater(db, pays, name)
  }
  const names = namesFor(row, { aliases, cuts })
  const waiting = db
    .prepare(
      `SELECT DISTINCT m.party FROM json_each(?) n CROSS JOIN matching m ON m.free = 1 AND m.pays = ? AND m.currency = ?
        AND m.amount = ? AND m.party = n.value`
    )
    .pluck()
    .all(JSON.stringify(names), pays, currency, BigInt(amount)) as ReadonlyArray<string>
  for (const name of waiting) queueGroup(db, { pays, currency, amount, party: name, customer: "" })
  if (customer === "") return
  const byId = db
    .prepare(
      "SELECT 1 FROM matching WHERE free = 1 AND pays = ? AND currency = ? AND amount = ? AND customer = ? AND customer <> ''"
    )
    .get(pays, currency, BigInt(amount), customer)
  if (byId !== undefined) queueGroup(db, { pays, currency, amount, party: "", customer })
}

/** The names under which payments of this customer may be stored: its own, those that people said pay for it, and cut ones. */
const namesFor = (
  row: Pick<Payable, "party" | "form">,
  { aliases, cuts }: Pick<Dirty, "aliases" | "cuts">
): ReadonlyArray<string> => [
  row.party,
  ...(aliases.of.get(row.party)?.map(({ name }) => name) ?? []),
  ...(cuts ? beginnings(letters(row)) : [])
]

/** Payments in doubt that an invoice of this payer may decide: one of their amount; of its first or last invoice, all of them. */
export const doubtedBy = (
  db: Db,
  pays: string,
  row: Pick<Payable, "base" | "party" | "form" | "customer"> & { readonly comesOrGoes?: { readonly id: number } },
  dirty: Pick<Dirty, "aliases" | "cuts">
): ReadonlyArray<number> => {
  const { base, comesOrGoes, customer } = row
  const isKnown = (column: "party" | "customer", value: string) =>
    comesOrGoes === undefined ||
    db
      .prepare(
        `SELECT 1 FROM payable WHERE connection = ? AND ${column} = ? AND ${column} <> '' AND invoice <> ? LIMIT 1`
      )
      .get(pays, value, comesOrGoes.id) !== undefined
  const of = (column: "party" | "customer", values: ReadonlyArray<string>) => {
    const from = `SELECT m.document FROM json_each(?) n CROSS JOIN matching m ON m.doubt = 1 AND m.pays = ?
      AND m.${column} = n.value AND m.${column} <> ''`
    const names = JSON.stringify(values)
    return (
      isKnown(column, values[0] ?? "")
        ? db.prepare(`${from} AND m.amount = ?`).pluck().all(names, pays, BigInt(base))
        : db.prepare(from).pluck().all(names, pays)
    ) as ReadonlyArray<number>
  }
  return [...of("party", namesFor(row, dirty)), ...(customer === "" ? [] : of("customer", [customer]))]
}

/** Of the invoices of this number, else of those whose buyers are asked to write it. */
export const keysNumbered = (db: Db, pays: string, number: string): ReadonlyArray<string> => {
  const by = (condition: string, name: string) =>
    db.prepare(`SELECT d.key FROM ${condition} = ?`).pluck().all(pays, name) as ReadonlyArray<string>
  const numbered = by("payable p JOIN document d ON d.id = p.invoice WHERE p.connection = ? AND p.number", number)
  return numbered.length > 0
    ? numbered
    : by("asked a JOIN document d ON d.id = a.invoice WHERE a.connection = ? AND a.reference", withoutZeros(number))
}

/** The invoices that a payment is matched with. */
export const heldBy = (db: Db, document: number): ReadonlyArray<string> =>
  db
    .prepare("SELECT invoice FROM allocation WHERE document = ? AND amount IS NOT NULL")
    .pluck()
    .all(document) as ReadonlyArray<string>

/** The invoices that a payment had before it lost its match; its item stands for them. */
export const leftBehind = (db: Db, document: number): ReadonlyArray<string> => {
  const was = db.prepare("SELECT was FROM matching WHERE document = ?").pluck().get(document)
  return typeof was === "string" && was !== "" ? (JSON.parse(was) as ReadonlyArray<string>) : []
}
