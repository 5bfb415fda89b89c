/**
 * Stores a person's choice for an unmatched payment: which invoices it is for, or none. The choice takes precedence over every
 * rule. Whose invoices this payer pays is stored with it, so that the payer's next payment may be matched automatically.
 */
import type { Payment } from "../../connectors/Document.ts"
import * as Document from "../../connectors/Document.ts"
import * as Currency from "../../core/money/Currency.ts"
import * as Decimal from "../../core/money/Decimal.ts"
import * as Body from "../state/Body.ts"
import type { Database } from "../state/Database.ts"
import { COLUMNS, type PayableRow } from "./Candidates.ts"
import { payerOf, totalOf } from "./References.ts"
import { keysNumbered } from "./Tables.ts"
import { normal } from "../model/MatchText.ts"

type Db = Database["Service"]

export interface ChosenShare {
  /** An invoice's key, id or number. */
  readonly invoice: string
  /** Undefined: as much as is open on the invoice and left of the payment. */
  readonly amount?: Decimal.Decimal
}

/** The result of a choice, or why it is not possible. */
export type ChoiceResult =
  | {
      readonly shares: ReadonlyArray<readonly [string, Decimal.Decimal]>
      /** The payment's currency, or if it has none, that of the invoices. */
      readonly currency: string
      /** The part of the payment that is for none of these invoices. */
      readonly left: Decimal.Decimal
    }
  | { readonly why: string }

/** Stores a choice; an empty one means that the payment is for no invoice. Needs the lock; matching must run afterwards. */
export const choose = (db: Db, payment: string, invoices: ReadonlyArray<ChosenShare>, now: number): ChoiceResult => {
  const row = db
    .prepare("SELECT d.body, m.pays FROM document d JOIN matching m ON m.document = d.id WHERE d.key = ?")
    .get(payment) as { readonly body: string; readonly pays: string } | undefined
  if (row === undefined) return { why: `${payment} is not a payment for invoices of another connection` }
  const document = Body.read(row.body) as Payment
  const { connection } = Document.parseKey(payment)
  const currency = document.currency ?? ""
  let left = totalOf(document)
  const shares = new Map<string, Decimal.Decimal>()
  const parties = new Set<string>()
  let inCurrency = currency
  for (const { amount, invoice } of invoices) {
    const found = find(db, row.pays, invoice)
    if (typeof found === "string") return { why: found }
    if (currency !== "" && found.currency !== currency) {
      return { why: `${invoice} is in ${found.currency}, and the payment in ${currency}` }
    }
    const open = Currency.ofMinor(BigInt(found.open), found.currency) + takenBy(db, payment, found.key)
    // For a reversal, the amount that was received counts, whatever is open now.
    const most = document.kind === "payment" && open > 0n ? open : left
    const part = amount ?? Decimal.min(left, most)
    if (part <= 0n || part > left) {
      const say = (value: Decimal.Decimal) => Currency.say(value, currency)
      return { why: `${say(part)} for ${invoice} is too much: only ${say(left)} of the payment is left` }
    }
    if (!Currency.fits(part, found.currency)) {
      const whole = floor(part, found.currency)
      const like = whole > 0n ? `, like ${invoice}=${Currency.format(whole, found.currency)}` : ""
      return {
        why: `${Decimal.format(part)} for ${invoice} has more decimal places than ${found.currency} allows; give an amount that ${found.currency} has${like}`
      }
    }
    left -= part
    inCurrency = found.currency
    shares.set(found.key, (shares.get(found.key) ?? 0n) + part)
    parties.add(normal((Body.read(found.body) as Document.Invoice).party.name))
  }
  db.prepare("INSERT INTO choice VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET shares = excluded.shares").run(
    payment,
    JSON.stringify([...shares].map(([key, amount]) => [key, `${amount}`])),
    now
  )
  queue(db, payment)
  for (const invoice of shares.keys()) queue(db, invoice)
  const payer = document.kind === "payment" ? payerOf(document) : undefined
  const [party, another] = parties
  if (payer !== undefined && party !== undefined && another === undefined) {
    db.prepare("INSERT INTO payer VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET party = excluded.party").run(
      connection,
      payer,
      party
    )
    queueByPayer(db, connection)
  }
  return { shares: [...shares], currency: inCurrency, left }
}

/** Rounds down to an exact amount of a currency. */
const floor = (amount: Decimal.Decimal, currency: string): Decimal.Decimal => {
  const unit = Currency.ofMinor(1n, currency)
  return amount - (amount % unit)
}

/** The part of an invoice that is not open because of this very payment, as matched until now. */
const takenBy = (db: Db, payment: string, invoice: string): Decimal.Decimal => {
  const amount = db
    .prepare(
      `SELECT a.amount FROM allocation a JOIN document d ON d.id = a.document JOIN matching m ON m.document = d.id
        WHERE a.invoice = ? AND d.key = ? AND m.how IN ('choice', 'link', 'reference')`
    )
    .pluck()
    .get(invoice, payment)
  return typeof amount === "string" ? BigInt(amount) : 0n
}

/** Finds an invoice by key, id or number, or says why it cannot be used. */
const find = (db: Db, pays: string, name: string): PayableRow | string => {
  const keys = [name, Document.key(pays, "invoice", name)]
  const is = (key: string) =>
    key.startsWith(`${pays}/invoice/`) && db.prepare("SELECT 1 FROM document WHERE key = ?").get(key)
  const direct = keys.find((key) => is(key) !== undefined && is(key) !== false)
  const found = direct === undefined ? keysNumbered(db, pays, normal(name)) : [direct]
  if (found.length > 1)
    return `${found.length} invoices of ${pays} match ${name}; use the key of one: ${found.join(", ")}`
  const row =
    found[0] === undefined
      ? undefined
      : (db
          .prepare(`SELECT ${COLUMNS} FROM document d JOIN payable p ON p.invoice = d.id WHERE d.key = ?`)
          .get(found[0]) as PayableRow | undefined)
  return row ?? `there is no invoice ${JSON.stringify(name)} in ${pays}; give its number, its id or its key`
}

/** A stored choice. */
export interface StoredChoice {
  /** The payment's key. */
  readonly payment: string
  /** Keys of invoices with their amounts in major units; empty: the payment is for no invoice. */
  readonly shares: ReadonlyArray<{ readonly invoice: string; readonly amount: string }>
  /** Milliseconds since the epoch. */
  readonly chosen: number
}

interface ChoiceRow {
  readonly payment: string
  readonly shares: string
  readonly chosen: number
}

const decoded = ({ shares, ...row }: ChoiceRow): StoredChoice => ({
  ...row,
  shares: (JSON.parse(shares) as ReadonlyArray<readonly [string, string]>).map(([invoice, amount]) => ({
    invoice,
    amount: Decimal.format(BigInt(amount), 2)
  }))
})

/** The stored choices for payments of a connection, by key. */
export const list = (db: Db, connection: string): ReadonlyArray<StoredChoice> =>
  (
    db
      .prepare("SELECT payment, shares, chosen FROM choice WHERE payment > ? AND payment < ? ORDER BY payment")
      .all(`${connection}/`, `${connection}0`) as ReadonlyArray<ChoiceRow>
  ).map(decoded)

export const of = (db: Db, payment: string): StoredChoice | undefined => {
  const row = db.prepare("SELECT payment, shares, chosen FROM choice WHERE payment = ?").get(payment)
  return row === undefined ? undefined : decoded(row as ChoiceRow)
}

const queue = (db: Db, key: string): void =>
  void db.prepare("INSERT INTO to_match VALUES (?) ON CONFLICT DO NOTHING").run(key)

/** Queues payments that were matched by payer, or not at all: what is known about payers may have changed. */
const queueByPayer = (db: Db, connection: string): void =>
  void db
    .prepare(
      `INSERT INTO to_match SELECT d.key FROM matching m JOIN document d ON d.id = m.document
        WHERE m.connection = ? AND m.how IN ('', 'amount', 'customer') AND m.of IS NULL ON CONFLICT DO NOTHING`
    )
    .run(connection)

const payerOfKey = (db: Db, payment: string): string | undefined => {
  const body = db.prepare("SELECT body FROM document WHERE key = ?").pluck().get(payment)
  const document = typeof body === "string" ? Body.read(body) : undefined
  return document?.kind === "payment" ? payerOf(document) : undefined
}

/** The customer whose invoices a choice assigned a payment to, if there is exactly one. */
const partyChosen = (db: Db, { shares }: StoredChoice): string | undefined => {
  const parties = shares.flatMap(({ invoice }) => {
    const body = db.prepare("SELECT body FROM document WHERE key = ?").pluck().get(invoice)
    return typeof body === "string" ? [normal((Body.read(body) as Document.Invoice).party.name)] : []
  })
  return new Set(parties).size === 1 ? parties[0] : undefined
}

/** Resets what is known about a payer to what the remaining choices say. */
const forgetPayer = (db: Db, payment: string): void => {
  const { connection } = Document.parseKey(payment)
  const payer = payerOfKey(db, payment)
  if (payer === undefined) return
  const others = list(db, connection)
    .filter((one) => payerOfKey(db, one.payment) === payer)
    .toSorted((a, b) => a.chosen - b.chosen)
    .flatMap((one) => partyChosen(db, one) ?? [])
  const party = others.at(-1)
  if (party === undefined) db.prepare("DELETE FROM payer WHERE connection = ? AND payer = ?").run(connection, payer)
  else db.prepare("UPDATE payer SET party = ? WHERE connection = ? AND payer = ?").run(party, connection, payer)
  queueByPayer(db, connection)
}

/**
 * Removes a choice: the payment is matched again by the rules alone, and its payer is known only from other choices. Needs
 * the lock; matching must run afterwards. Returns the removed choice, or undefined if there was none.
 */
export const forget = (db: Db, payment: string): StoredChoice | undefined => {
  const before = of(db, payment)
  if (before === undefined) return undefined
  db.prepare("DELETE FROM choice WHERE payment = ?").run(payment)
  queue(db, payment)
  for (const { invoice } of before.shares) queue(db, invoice)
  forgetPayer(db, payment)
  return before
}

/** Whether an attention item is about a payment that was not matched. */
export const isMatchingItem = (rule: string): boolean => /^M\d$/.test(rule)
