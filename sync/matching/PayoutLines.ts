/**
 * Finds the bank lines that processors' payouts arrived as, before payments are matched: they are the seller's own money, and
 * nobody is asked whose they are. `movements/Payouts.ts` decides; this finds what it needs in the books, and stores which
 * lines leave matching. Nothing is done for sellers without payouts.
 */
import type { Payment, Payout } from "../../connectors/Document.ts"
import * as Document from "../../connectors/Document.ts"
import * as Currency from "../../core/money/Currency.ts"
import { normal } from "../model/MatchText.ts"
import { hasBrand, isOfBrand } from "../model/PartyName.ts"
import { type Expected, type BankLine, type Tied, tie } from "../movements/Payouts.ts"
import * as Body from "../state/Body.ts"
import type { Db } from "../state/Database.ts"
import { isOfCustomer } from "./NotOurs.ts"
import { storedOf, textOf, totalOf } from "./References.ts"
import * as MatchRules from "./Rules.ts"

interface Stored {
  readonly id: number
  readonly key: string
  readonly body: string
}

/** A list of a bank's lines, and the connection that they pay. */
interface Bank {
  readonly connection: string
  readonly pays: string
}

/** The payouts and the lines of one seller. */
export interface Side {
  readonly payouts: ReadonlyArray<{ readonly key: string; readonly payout: Payout }>
  readonly banks: ReadonlyArray<Bank>
  readonly tied: Tied
}

const connectionsIn = (db: Db): ReadonlyArray<string> =>
  db.prepare("SELECT DISTINCT connection FROM scan ORDER BY connection").pluck().all() as ReadonlyArray<string>

const payoutsOf = (db: Db, connection: string): ReadonlyArray<Stored> =>
  db
    .prepare("SELECT id, key, body FROM document WHERE key > ? AND key < ? AND deleted = 0 ORDER BY key")
    .all(`${connection}/payout/`, `${connection}/payout0`) as ReadonlyArray<Stored>

/** By connection, the payouts that its processor reports. */
const processors = (db: Db): ReadonlyMap<string, Side["payouts"]> =>
  new Map(
    connectionsIn(db).flatMap((one) => {
      const all = payoutsOf(db, one).map(({ body, key }) => ({ key, payout: Body.read(body) as Payout }))
      return all.length === 0 ? [] : [[one, all] as const]
    })
  )

const payingIn = (db: Db): ReadonlyArray<Bank> =>
  db.prepare("SELECT connection, pays FROM paying ORDER BY connection").all() as ReadonlyArray<Bank>

/** Whose books a connection is of; the same for all where only one owner is known. */
const sellers = (db: Db): ((connection: string) => string) => {
  const rows = db.prepare("SELECT connection, owner FROM source WHERE owner IS NOT NULL").all()
  const owners = new Map(
    (rows as ReadonlyArray<{ readonly connection: string; readonly owner: string }>).map(({ connection, owner }) => [
      connection,
      owner
    ])
  )
  if (new Set(owners.values()).size < 2) return () => ""
  const pays = new Map(payingIn(db).map((one) => [one.connection, one.pays]))
  return (connection) => owners.get(connection) ?? owners.get(pays.get(connection) ?? connection) ?? connection
}

/** Fewer characters, or none of them a digit, identify no payout. */
const LEAST = 6

const referencesOf = ({ id, references = [] }: Payout): ReadonlyArray<string> =>
  [...new Set([id, ...references].map(normal))].filter((one) => one.length >= LEAST && /\p{N}/u.test(one))

export const arrivesAs = ({
  amount,
  currency,
  settled
}: Payout): { readonly currency: string; readonly amount: bigint } => settled ?? { currency, amount }

/** The pot that a payout is from. */
export const potOf = (key: string, { account = "", currency }: Payout): string =>
  `${Document.parseKey(key).connection} ${account} ${currency}`

/** Whether money should come in at the bank for it. It does not where the payout failed, or the processor takes money back. */
export const isExpected = ({ amount, status }: Payout): boolean => status !== "failed" && amount > 0n

const expected = ({ key, payout }: { readonly key: string; readonly payout: Payout }): Expected => ({
  key,
  pot: potOf(key, payout),
  ...arrivesAs(payout),
  arrives: payout.date,
  references: referencesOf(payout)
})

/** Whether a text has this reference, and not as a part of a longer number. */
const says = (text: string, reference: string): boolean => {
  for (let at = text.indexOf(reference); at >= 0; at = text.indexOf(reference, at + 1)) {
    const around = text.slice(Math.max(0, at - 1), at + reference.length + 1)
    const before = at > 0 && /^\p{N}{2}/u.test(around)
    if (!before && !(at + reference.length < text.length && /\p{N}{2}$/u.test(around))) return true
  }
  return false
}

/** What lines are compared with. */
interface Wanted {
  readonly amounts: ReadonlySet<string>
  /** The pots of each processor, by its name. */
  readonly by: ReadonlyMap<string, ReadonlyArray<string>>
  readonly references: ReadonlyArray<string>
}

const wantedOf = (payouts: Side["payouts"]): Wanted => {
  const by = new Map<string, Set<string>>()
  for (const { key, payout } of payouts) {
    const name = payout.by
    by.set(name, (by.get(name) ?? new Set<string>()).add(potOf(key, payout)))
  }
  const all = payouts.filter(({ payout }) => isExpected(payout))
  return {
    amounts: new Set(all.map(({ payout }) => `${arrivesAs(payout).currency} ${arrivesAs(payout).amount}`)),
    by: new Map([...by].map(([name, pots]) => [name, [...pots]])),
    references: [...new Set(all.flatMap(({ payout }) => referencesOf(payout)))]
  }
}

/** Lines of a bank that may be payouts: those without an invoice, those of a payout's amount, and those not matched yet. */
const rowsOf = (db: Db, { connection }: Bank, { amounts }: Wanted): ReadonlyArray<Stored> => {
  const minor = [...amounts].flatMap((one) => {
    const [currency = "", amount = "0"] = one.split(" ")
    return Currency.fits(BigInt(amount), currency) ? [`${Currency.toMinor(BigInt(amount), currency)}`] : []
  })
  const stored = db
    .prepare(
      `SELECT d.id, d.key, d.body FROM matching m JOIN document d ON d.id = m.document
        WHERE m.connection = ? AND m.back = 0 AND d.deleted = 0 AND (m.matched <> m.amount OR m.how IN ('none', 'payout')
          OR m.amount IN (SELECT CAST(value AS INTEGER) FROM json_each(?)))`
    )
    .all(connection, JSON.stringify(minor)) as ReadonlyArray<Stored>
  const fresh = db
    .prepare(
      `SELECT d.id, d.key, d.body FROM to_match t CROSS JOIN document d ON d.key = t.key
        WHERE t.key > ? AND t.key < ? AND d.deleted = 0`
    )
    .all(`${connection}/payment/`, `${connection}/payment0`) as ReadonlyArray<Stored>
  return [...new Map([...stored, ...fresh].map((one) => [one.id, one])).values()]
}

/** Whether this is nobody's money for an invoice, as far as is known: no customer pays it, and it names no invoice. */
const isFree = (db: Db, { connection, pays }: Bank, key: string, payment: Payment): boolean =>
  payment.shares.length === 0 &&
  db.prepare("SELECT 1 FROM posted WHERE fact = ? LIMIT 1").get(key) === undefined &&
  !isOfCustomer(db, connection, pays, payment) &&
  !MatchRules.namesIn(textOf(payment)).some(
    ({ name }) => db.prepare("SELECT 1 FROM payable WHERE connection = ? AND number = ?").get(pays, name) !== undefined
  )

/** A line that may be a payout; undefined if nothing says so, or a person said which invoice it is for. */
const lineOf = (db: Db, bank: Bank, { body, id, key }: Stored, wanted: Wanted): BankLine | undefined => {
  const payment = Body.read(body) as Payment
  const { currency = "", date, party, trace = "" } = payment
  const text = normal(`${textOf(payment)} ${trace}`)
  const names = new Set(wanted.references.filter((one) => says(text, one)))
  const payer = party?.name ?? ""
  const found = [...wanted.by].filter(([name]) => hasBrand(`${payer} ${textOf(payment)} ${trace}`, name))
  const amount = totalOf(payment)
  if (names.size === 0 && found.length === 0 && !wanted.amounts.has(`${currency} ${amount}`)) return undefined
  const chosen = storedOf(db, key)
  if (chosen !== undefined && chosen !== "[]") return undefined
  const free = isFree(db, bank, key, payment)
  const isPaidBy = found.some(([name]) => isOfBrand(payer, name))
  return {
    document: id,
    key,
    currency,
    amount,
    date,
    names,
    // A customer's text may have the processor's name, too.
    from: new Set(isPaidBy || free ? found.flatMap(([, pots]) => pots) : []),
    isPaidBy,
    isFree: free
  }
}

/** The payouts in the books, each with what the bank has of it, by seller. */
export const sides = (db: Db): ReadonlyArray<Side> => {
  const known = processors(db)
  if (known.size === 0) return []
  const sellerOf = sellers(db)
  const banks = payingIn(db).filter(({ connection }) => !known.has(connection))
  return [...new Set([...known.keys()].map(sellerOf))].map((seller): Side => {
    const payouts = [...known].flatMap(([connection, all]) => (sellerOf(connection) === seller ? all : []))
    const its = banks.filter(({ connection }) => sellerOf(connection) === seller)
    const wanted = wantedOf(payouts)
    const lines = its.flatMap((bank) => rowsOf(db, bank, wanted).flatMap((row) => lineOf(db, bank, row, wanted) ?? []))
    const all = payouts.filter(({ payout }) => isExpected(payout)).map(expected)
    return { payouts, banks: its, tied: tie(all, lines) }
  })
}

/** Decides again which lines are payouts; those that became one, or are none any more, are matched again. */
export const renew = (db: Db): void => {
  const now = new Map<number, string>()
  for (const { tied } of sides(db)) {
    for (const { lines, payouts } of tied.ties)
      for (const { document } of lines) now.set(document, payouts[0]?.key ?? "")
    for (const { document } of tied.strange) now.set(document, "")
  }
  const rows = db.prepare("SELECT line, payout FROM payout_line").all()
  const before = new Map(
    (rows as ReadonlyArray<{ readonly line: number; readonly payout: string }>).map(({ line, payout }) => [
      line,
      payout
    ])
  )
  const again = db.prepare("INSERT INTO to_match SELECT key FROM document WHERE id = ? ON CONFLICT DO NOTHING")
  for (const line of before.keys())
    if (!now.has(line)) {
      db.prepare("DELETE FROM payout_line WHERE line = ?").run(line)
      again.run(line)
    }
  for (const [line, payout] of now) {
    if (before.get(line) === payout) continue
    db.prepare("INSERT INTO payout_line VALUES (?, ?) ON CONFLICT DO UPDATE SET payout = excluded.payout").run(
      line,
      payout
    )
    if (!before.has(line)) again.run(line)
  }
}

/** Whether any source has documents of a kind. */
export const hasKind = (db: Db, kind: Document.Kind): boolean => {
  const found = db.prepare("SELECT 1 FROM document WHERE key > ? AND key < ? LIMIT 1")
  return connectionsIn(db).some((one) => found.get(`${one}/${kind}/`, `${one}/${kind}0`) !== undefined)
}

/** Whether payouts may have to be tied again: something changed, and there are some, or were. */
export const isDue = (db: Db): boolean => {
  const has = (what: string) => db.prepare(`SELECT 1 FROM ${what} LIMIT 1`).get() !== undefined
  return has("to_match") && (has("payout_line") || hasKind(db, "payout"))
}

/** Whether a bank's line is a payout. */
export const isPayout = (db: Db, line: number): boolean =>
  db.prepare("SELECT 1 FROM payout_line WHERE line = ?").get(line) !== undefined

/** Of a line: the payout that it is, or empty where none explains it. Of a payout: its lines. */
export const told = (db: Db, key: string): { readonly payout?: string; readonly lines?: ReadonlyArray<string> } => {
  if (Document.kindOf(key) !== "payout") {
    const payout = db
      .prepare("SELECT p.payout FROM document d JOIN payout_line p ON p.line = d.id WHERE d.key = ?")
      .pluck()
      .get(key)
    return typeof payout === "string" ? { payout } : {}
  }
  const lines = db
    .prepare("SELECT d.key FROM payout_line p JOIN document d ON d.id = p.line WHERE p.payout = ? ORDER BY d.key")
    .pluck()
    .all(key)
  return { lines: lines as ReadonlyArray<string> }
}
