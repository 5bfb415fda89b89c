/**
 * Stores a person's choice for an unmatched payment: which invoices it is for, or none. The choice takes precedence over every
 * rule. Whose invoices this payer pays is stored with it, so that the payer's next payment may be matched automatically.
 */
import type { Payment } from "../../connectors/Document.ts"
import * as Document from "../../connectors/Document.ts"
import { countIn } from "../../connectors/SumText.ts"
import * as Currency from "../../core/money/Currency.ts"
import * as Decimal from "../../core/money/Decimal.ts"
import * as Body from "../state/Body.ts"
import type { Db } from "../state/Database.ts"
import { COLUMNS, type PayableRow } from "./Candidates.ts"
import * as Undoable from "../state/Undoable.ts"
import * as Aliases from "./Aliases.ts"
import * as Consequences from "./Consequences.ts"
import { currencyOfInvoice } from "./Lookups.ts"
import * as NotOurs from "./NotOurs.ts"
import { payerName } from "../model/PayerName.ts"
import { ASKED, type ChosenPart, partsOf, storedOf, storedParts, textOf, totalOf } from "./References.ts"
import { keysNumbered } from "./Tables.ts"
import { normal } from "../model/MatchText.ts"
import type { StoredChoice } from "../model/reports/Matching.ts"

export type { StoredChoice }

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
  | Unchosen

/** Why a choice was not stored. `follows`: only because nobody has seen yet what would follow from it. */
export interface Unchosen {
  readonly why: string
  readonly follows?: ReadonlyArray<string>
}

/**
 * Stores a choice; an empty one means that the payment is for no invoice. Needs the lock; matching must run afterwards.
 *
 * @param sure whether the person knows what follows from it
 */
export const choose = (
  db: Db,
  payment: string,
  invoices: ReadonlyArray<ChosenShare>,
  now: number,
  sure = true
): ChoiceResult => {
  const row = db
    .prepare("SELECT d.body, m.pays FROM document d JOIN matching m ON m.document = d.id WHERE d.key = ?")
    .get(payment) as { readonly body: string; readonly pays: string } | undefined
  if (row === undefined) return { why: `${payment} is not a payment for invoices of another connection` }
  const document = Body.read(row.body) as Payment
  const currency = document.currency ?? ""
  let left = totalOf(document)
  const parts = new Map<string, ChosenPart>()
  const customers = new Set<string>()
  for (const wanted of invoices) {
    const found = find(db, row.pays, wanted.invoice)
    if (typeof found === "string") return { why: found }
    const isConverted = currency !== "" && found.currency !== currency
    const part = isConverted
      ? convertedPart(wanted, found, currency)
      : partOf(db, payment, { document, left, wanted }, found)
    if ("why" in part) return part
    if (!isConverted) left -= part.amount
    const before = parts.get(found.key)?.amount ?? 0n
    parts.set(found.key, {
      invoice: found.key,
      amount: before + part.amount,
      ...(isConverted ? { currency: found.currency } : {})
    })
    customers.add((Body.read(found.body) as Document.Invoice).party.name)
  }
  const all = [...parts.values()]
  const converted = all.filter((part) => part.currency !== undefined)
  if (converted.length > 0 && converted.length < all.length)
    return { why: `give invoices in ${currency} only, or in another currency only` }
  const follows = sure || document.kind !== "payment" ? [] : Consequences.ofChoice(db, payment, all)
  if (follows.length > 0) return { why: follows.join("; "), follows }
  const [inCurrency = currency] = all.map((part) => part.currency ?? currencyOfInvoice(db, part.invoice))
  const before = storedOf(db, payment)
  const chosen = storedParts(all)
  store(db, payment, chosen, now)
  if (document.kind === "payment") learn(db, { document, now, payment, pays: row.pays }, customers)
  Undoable.keep(db, { kind: "invoices", payment, before: before ?? null }, now)
  return {
    shares: all.map(({ amount, invoice }) => [invoice, amount]),
    currency: inCurrency,
    left: converted.length > 0 ? 0n : left
  }
}

const store = (db: Db, payment: string, shares: string, now: number): void => {
  db.prepare("INSERT INTO choice VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET shares = excluded.shares").run(
    payment,
    shares,
    now
  )
  queue(db, payment)
  for (const { invoice } of partsOf(shares)) queue(db, invoice)
}

/** What a decision says of payments like this one: whose invoices its payer pays, if it is one's, or that its kind is for no invoice. */
const learn = (
  db: Db,
  {
    document,
    now,
    payment,
    pays
  }: { readonly document: Payment; readonly payment: string; readonly pays: string; readonly now: number },
  customers: ReadonlySet<string>
): void => {
  const { connection } = Document.parseKey(payment)
  const [customer, another] = customers
  NotOurs.unlearn(db, payment)
  if (customer === undefined) NotOurs.learn(db, payment, pays, document, now)
  if (another === undefined && countIn(textOf(document)) === 0 && customer !== undefined)
    Aliases.add(db, connection, document, { customer, now })
  queueByPayer(db, connection)
}

/** How much of an invoice in another currency is paid: a person states it, as no rate of ours would be the bank's. */
const convertedPart = (
  { amount, invoice }: ChosenShare,
  { currency: its }: PayableRow,
  currency: string
): { readonly amount: Decimal.Decimal } | { readonly why: string } => {
  if (amount === undefined)
    return {
      why: `${invoice} is in ${its}, and the payment in ${currency}; say how much of the invoice it pays, in ${its}: ${invoice}=AMOUNT`
    }
  if (amount <= 0n || !Currency.fits(amount, its))
    return { why: `${Decimal.format(amount)} is not an amount in ${its}` }
  return { amount }
}

/** How much of a payment is for an invoice: as a person says, or as much as is open and left. */
const partOf = (
  db: Db,
  payment: string,
  {
    document,
    left,
    wanted
  }: { readonly document: Payment; readonly left: Decimal.Decimal; readonly wanted: ChosenShare },
  found: PayableRow
): { readonly amount: Decimal.Decimal } | { readonly why: string } => {
  const { amount, invoice } = wanted
  const open = Currency.ofMinor(BigInt(found.open), found.currency) + takenBy(db, payment, found.key)
  // For a reversal, the amount that was received counts, whatever is open now.
  const most = document.kind === "payment" && open > 0n ? open : left
  const part = amount ?? Decimal.min(left, most)
  if (part <= 0n || part > left) {
    const say = (value: Decimal.Decimal) => Currency.say(value, document.currency ?? "")
    return { why: `${say(part)} for ${invoice} is too much: only ${say(left)} of the payment is left` }
  }
  if (Currency.fits(part, found.currency)) return { amount: part }
  const whole = floor(part, found.currency)
  const like = whole > 0n ? `, like ${invoice}=${Currency.format(whole, found.currency)}` : ""
  return {
    why: `${Decimal.format(part)} for ${invoice} has more decimal places than ${found.currency} allows; give an amount that ${found.currency} has${like}`
  }
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
export const find = (db: Db, pays: string, name: string): PayableRow | string => {
  const isThere = (key: string) =>
    key.startsWith(`${pays}/invoice/`) && db.prepare("SELECT 1 FROM document WHERE key = ?").get(key) !== undefined
  const byId = Document.key(pays, "invoice", name)
  const numbered = keysNumbered(db, pays, normal(name))
  const found = isThere(name) ? [name] : [...new Set([...(isThere(byId) ? [byId] : []), ...numbered])]
  if (found.length > 1)
    return `${found.length} invoices of ${pays} match ${name}; use the key of one: ${found.join(", ")}`
  // Ids that look like numbers may be those of other invoices, and the one with this number may not be readable.
  if (found[0] === byId && numbered.length === 0 && /^\d+$/.test(name))
    return `no invoice of ${pays} that can be read has the number ${name}; if its id is meant, use the key: ${byId}`
  const row =
    found[0] === undefined
      ? undefined
      : (db
          .prepare(`SELECT ${COLUMNS} FROM document d JOIN payable p ON p.invoice = d.id WHERE d.key = ?`)
          .get(found[0]) as PayableRow | undefined)
  return row ?? `there is no invoice ${JSON.stringify(name)} in ${pays}; give its number, its id or its key`
}

interface ChoiceRow {
  readonly payment: string
  readonly shares: string
  readonly chosen: number
}

const decoded = ({ shares, ...row }: ChoiceRow): StoredChoice => ({
  ...row,
  ...(shares === ASKED ? { asked: true } : {}),
  shares: partsOf(shares).map(({ amount, currency, invoice }) => ({
    invoice,
    amount: Decimal.format(amount, 2),
    ...(currency === undefined ? {} : { currency })
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
export const queueByPayer = (db: Db, connection: string): void =>
  void db
    .prepare(
      `INSERT INTO to_match SELECT d.key FROM matching m JOIN document d ON d.id = m.document
        WHERE m.connection = ? AND (m.how IN ('', 'none', 'amount', 'customer') OR m.doubt = 1) AND m.of IS NULL ON CONFLICT DO NOTHING`
    )
    .run(connection)

export const paymentOf = (db: Db, key: string): Payment | undefined => {
  const body = db.prepare("SELECT body FROM document WHERE key = ?").pluck().get(key)
  const document = typeof body === "string" ? Body.read(body) : undefined
  return document?.kind === "payment" ? document : undefined
}

/** The customers whose invoices a choice gave a payment to. */
const customersIn = (db: Db, { shares }: StoredChoice): ReadonlyArray<string> =>
  shares.flatMap(({ invoice }) => {
    const body = db.prepare("SELECT body FROM document WHERE key = ?").pluck().get(invoice)
    return typeof body === "string" ? [(Body.read(body) as Document.Invoice).party.name] : []
  })

/** What only this choice said of its payer is no longer known. */
const unlearn = (db: Db, choice: StoredChoice): void => {
  const { connection } = Document.parseKey(choice.payment)
  NotOurs.unlearn(db, choice.payment)
  const document = paymentOf(db, choice.payment)
  const payer = document === undefined ? undefined : Aliases.payerOf(document)
  if (payer !== undefined) {
    const others = list(db, connection).filter((one) => {
      const payment = paymentOf(db, one.payment)
      return payment !== undefined && Aliases.payerOf(payment) === payer
    })
    const known = new Set(others.flatMap((one) => customersIn(db, one)))
    for (const customer of customersIn(db, choice))
      if (!known.has(customer)) Aliases.remove(db, { connection, payer, ...payerName(customer) })
  }
  queueByPayer(db, connection)
}

/**
 * Removes a choice: the payment is matched again by the rules alone, and its payer is known only from other choices. Needs
 * the lock; matching must run afterwards. Returns the removed choice, or undefined if there was none.
 */
export const forget = (db: Db, payment: string, now: number): StoredChoice | undefined => {
  const before = storedOf(db, payment)
  const removed = of(db, payment)
  if (before === undefined || removed === undefined) return undefined
  remove(db, removed)
  Undoable.keep(db, { kind: "invoices", payment, before }, now)
  return removed
}

const remove = (db: Db, choice: StoredChoice): void => {
  const { payment, shares } = choice
  db.prepare("DELETE FROM choice WHERE payment = ?").run(payment)
  // A person takes it back, so it need not stay where the service has it.
  db.prepare("UPDATE standing SET kept = 0 WHERE payment = ?").run(payment)
  queue(db, payment)
  for (const { invoice } of shares) queue(db, invoice)
  unlearn(db, choice)
}

/** Makes an earlier choice hold again, or none (null). Needs the lock; matching must run afterwards. */
export const putBack = (db: Db, payment: string, before: string | null, now: number): void => {
  const standing = of(db, payment)
  if (standing !== undefined) remove(db, standing)
  if (before === null) return
  store(db, payment, before, now)
  if (before === ASKED) return
  const document = paymentOf(db, payment)
  const row = db
    .prepare("SELECT m.pays FROM document d JOIN matching m ON m.document = d.id WHERE d.key = ?")
    .pluck()
    .get(payment)
  const choice = of(db, payment)
  if (document === undefined || choice === undefined || typeof row !== "string") return
  learn(db, { document, now, payment, pays: row }, new Set(customersIn(db, choice)))
}

/** The rules of items about a payment that was not matched, as SQLite's GLOB has them. */
export const MATCHING_ITEMS = ["M[0-9]", "V1", "P10"] as const

/** Whether an attention item is about a payment that was not matched. */
export const isMatchingItem = (rule: string): boolean => /^(M\d|V1)$/.test(rule)
