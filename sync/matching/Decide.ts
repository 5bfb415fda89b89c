/**
 * Decides again whatever a change may affect, and stores the results: first all payments that name the same invoices
 * together, then all payments and invoices of one payer and amount. Unchanged results are not written.
 */
import * as Document from "../../connectors/Document.ts"
import * as Currency from "../../core/money/Currency.ts"
import * as Decimal from "../../core/money/Decimal.ts"
import type { Database } from "../state/Database.ts"
import type { Later } from "./Later.ts"
import { lookUp } from "./Lookups.ts"
import * as MatchRules from "./Rules.ts"
import { normal } from "../model/MatchText.ts"
import { type Before, type Follower, type Resolved, resolvePayment } from "./Resolve.ts"
import type { How } from "./Rows.ts"
import {
  type Dirty,
  heldBy,
  leftBehind,
  mentioningAny,
  PAYABLE,
  type Payable,
  queueGroup,
  queueWaiting
} from "./Tables.ts"
import { entryOf } from "../../core/Entry.ts"

type Db = Database["Service"]

interface Placed {
  readonly how: How
  readonly shares: ReadonlyArray<MatchRules.Share>
  readonly rule?: string
  readonly why?: string | undefined
  readonly free?: boolean
}

const UPDATE = "UPDATE matching SET how = ?, rule = ?, why = ?, was = coalesce(?, was)"

/** Sets what is open of many invoices: running a statement takes longer than finding a row. */
const OPEN =
  "UPDATE payable SET open = CAST(v.value ->> 1 AS INTEGER) FROM json_each(?) v WHERE invoice = v.value ->> 0"

/** What a payment or reversal has of each invoice. */
const sharesOf = (db: Db, later: Later, document: number) => {
  later.flushAllocations()
  return db
    .prepare("SELECT invoice, amount FROM allocation WHERE document = ? AND amount IS NOT NULL")
    .all(document) as ReadonlyArray<{ readonly invoice: string; readonly amount: string }>
}

/** Stores which invoices a payment or reversal belongs to, and marks the invoices that it gained or lost. */
export const place = (
  db: Db,
  later: Later,
  { before, document }: { readonly document: number; readonly before: Before },
  currency: string,
  { free = false, how, rule, shares, why }: Placed
): void => {
  const { prepare } = db
  // Without a `how`, it had no invoice.
  const held = before.how === "" && before.why === null ? [] : sharesOf(db, later, document)
  const matched = Currency.toMinorOutward(Decimal.sum(shares.map(({ amount }) => amount)), currency)
  const says = why === undefined ? null : (rule ?? null)
  const isNew = later.decided(document, { how, matched, free: free ? 1 : 0, rule: says, why: why ?? null })
  for (const { invoice } of held) {
    if (shares.some((share) => share.invoice === invoice)) continue
    prepare("DELETE FROM allocation WHERE invoice = ? AND document = ?").run(invoice, document)
    later.touch(invoice)
  }
  for (const { amount, invoice } of shares) {
    if (held.some((one) => one.invoice === invoice && one.amount === `${amount}`)) continue
    later.allocate(invoice, document, amount)
    later.touch(invoice)
  }
  if (!isNew) {
    // Its item stood for the invoices that it had lost: they get items of their own again.
    if (before.was !== "" && (how !== "" || held.length > 0))
      for (const one of leftBehind(db, document)) later.touch(one)
    const was = shares.length > 0 ? "" : held.length > 0 ? JSON.stringify(held.map(({ invoice }) => invoice)) : null
    const [set, indexed] = [[how, says, why ?? null, was] as const, [matched, free ? 1 : 0] as const]
    // Where these two stay, no index has to be written.
    const { changes } = prepare(`${UPDATE} WHERE matched = ? AND free = ? AND document = ?`).run(
      ...set,
      ...indexed,
      document
    )
    if (changes === 0) prepare(`${UPDATE}, matched = ?, free = ? WHERE document = ?`).run(...set, ...indexed, document)
  }
  if (before.why !== (why ?? null) || before.rule !== says) {
    prepare("INSERT INTO to_report VALUES (?) ON CONFLICT DO NOTHING").run(document)
  }
}

/** Places the reversals of a payment on the payment's invoices. */
export const placeBack = (
  db: Db,
  later: Later,
  payment: { readonly amount: Decimal.Decimal; readonly back: ReadonlyArray<Follower> },
  how: How,
  shares: ReadonlyArray<MatchRules.Share>
): void => {
  for (const back of payment.back) {
    const follows = MatchRules.follow(back, payment.amount, shares)
    const why =
      follows === undefined
        ? "part of a payment for several invoices went back, and the source does not say for which invoice"
        : back.why
    // A person's choice stands even if its payment is unallocated.
    const way = how === "" && back.fixed !== undefined && back.fixed.length > 0 ? "choice" : how
    place(db, later, back, back.currency, { how: way, shares: follows ?? [], rule: back.rule ?? "M5", why })
  }
}

const payable = (db: Db, key: string): Payable | undefined =>
  db.prepare(`SELECT ${PAYABLE} FROM document d JOIN payable p ON p.invoice = d.id WHERE d.key = ?`).get(key) as
    | Payable
    | undefined

interface Start {
  readonly documents: Array<number>
  /** Of invoices. */
  readonly keys: Array<string>
  /** Documents that were decided before. */
  readonly seen: Set<number>
}

/** All payments connected through the invoices that they name, and those invoices. */
const connected = (db: Db, dirty: Dirty, { documents, keys, seen }: Start) => {
  const payments = new Map<number, Resolved>()
  const invoices = new Map<string, Payable | undefined>()
  const deleted: Array<number> = []
  lookUp(db, dirty, documents)
  for (;;) {
    for (let document = documents.pop(); document !== undefined; document = documents.pop()) {
      if (seen.has(document)) continue
      seen.add(document)
      const resolved = resolvePayment(db, document, dirty)
      if (resolved === undefined) deleted.push(document)
      else if ("of" in resolved) documents.push(resolved.of)
      else {
        payments.set(document, resolved)
        // Including those that it leaves.
        const held = resolved.before.how === "" ? [] : heldBy(db, document)
        keys.push(...resolved.wants, ...resolved.shares.map(({ invoice }) => invoice), ...held)
        // And those of its reversals, which may be elsewhere.
        for (const { before, document, fixed = [] } of resolved.back) {
          keys.push(...fixed.map(({ invoice }) => invoice), ...(before.how === "" ? [] : heldBy(db, document)))
        }
      }
    }
    const names = new Map<string, Array<string>>()
    for (const key of keys.splice(0)) {
      if (invoices.has(key)) continue
      const row = dirty.found.get(key) ?? payable(db, key)
      invoices.set(key, row)
      const { connection, id } = Document.parseKey(key)
      const ofConnection = names.get(connection) ?? []
      names.set(connection, ofConnection)
      ofConnection.push(normal(id))
      if (row !== undefined && row.number !== normal(id)) ofConnection.push(row.number)
      if (dirty.choices) documents.push(...chosenFor(db, key))
    }
    if (names.size === 0) return { payments, invoices, deleted }
    for (const [connection, some] of names) documents.push(...mentioningAny(db, connection, some))
  }
}

/** Payments that a person's choice gave to an invoice. */
const chosenFor = (db: Db, invoice: string): ReadonlyArray<number> =>
  db
    .prepare(
      "SELECT a.document FROM allocation a JOIN matching m ON m.document = a.document WHERE a.invoice = ? AND m.how = 'choice' AND m.of IS NULL"
    )
    .pluck()
    .all(invoice) as ReadonlyArray<number>

/** What payments by choice or link give to each invoice. */
const givenBy = (db: Db, keys: Iterable<string>): ReadonlyMap<string, Decimal.Decimal> => {
  const given = new Map<string, Decimal.Decimal>()
  const rows = db
    .prepare(
      `SELECT a.invoice, a.amount, m.back FROM json_each(?) k CROSS JOIN allocation a ON a.invoice = k.value
        CROSS JOIN matching m ON m.document = a.document WHERE a.amount IS NOT NULL AND m.how IN ('choice', 'link')`
    )
    .all(JSON.stringify([...keys])) as ReadonlyArray<{
    readonly invoice: string
    readonly amount: string
    readonly back: number
  }>
  for (const { amount, back, invoice } of rows)
    given.set(invoice, (given.get(invoice) ?? 0n) + (back === 1 ? -BigInt(amount) : BigInt(amount)))
  return given
}

/** Whether it is matched in the same way as before, or was not matched before. */
const isStill = ({ before, how }: Resolved): boolean =>
  before.how === how || before.how === "" || (how === "amount" && before.how === "customer")

/** How many documents are in memory at a time: the collector copies what lives longer again and again. */
export const AT_ONCE = 250

/** Decides everything that is dirty. */
export const decide = (db: Db, dirty: Dirty): void => {
  const { documents, invoices, later } = dirty
  const seen = new Set<number>()
  const isNew = [...documents].filter(later.isNew)
  const stored = [...documents].filter((document) => !later.isNew(document))
  if (stored.length > 0 || invoices.size > 0) together(db, dirty, { documents: stored, keys: [...invoices], seen })
  // A new payment leaves no invoice, so that what it is connected with is the same from wherever one starts.
  for (let at = 0; at < isNew.length; at += AT_ONCE)
    together(db, dirty, { documents: isNew.slice(at, at + AT_ONCE), keys: [], seen })
}

/** Applies M1, M2, M4 and M5 to everything that is connected with these documents and invoices. */
const together = (db: Db, dirty: Dirty, start: Start): void => {
  const { later } = dirty
  const { deleted, invoices, payments } = connected(db, dirty, start)
  const nothing: Before = { how: "link", rule: null, why: "" }
  for (const document of deleted) place(db, later, { document, before: nothing }, "", { how: "", shares: [] })
  for (const one of payments.values()) {
    if (one.how === "choice" || one.how === "link" || one.how === "") {
      place(db, later, one, one.currency, { ...one, free: false })
      placeBack(db, later, one, one.how, one.shares)
    } else if (!isStill(one)) {
      place(db, later, one, one.currency, { how: "", shares: [] })
      placeBack(db, later, one, "", [])
    }
    if (one.how === "reference" || one.how === "amount") {
      // What followed another payment until now no longer counts there.
      for (const back of one.back)
        if (back.before.how === "choice" || back.before.how === "link")
          place(db, later, back, one.currency, { how: "", shares: [] })
    }
    if (one.how === "amount") wait(db, later, one)
    else if (one.free) queueGroup(db, groupOf(one))
  }
  later.flushAllocations()
  const rows = new Map<string, Payable>()
  const open = new Map<string, Decimal.Decimal>()
  const exceeded = new Set<string>()
  const given = givenBy(db, invoices.keys())
  for (const [key, row] of invoices) {
    if (row === undefined) continue
    const base = Currency.ofMinor(BigInt(row.base), row.currency)
    const left = base - (given.get(key) ?? 0n) - later.given(key)
    rows.set(key, row)
    open.set(key, left)
    if (left < 0n && base >= 0n) exceeded.add(key)
  }
  if (exceeded.size > 0) reportExceeded(db, later, payments.values(), exceeded, open)
  const naming = [...payments.values()].filter(({ how }) => how === "reference")
  const decided: ReadonlyMap<string, MatchRules.Matched> =
    naming.length === 0 ? new Map() : MatchRules.byReference(naming, open, Currency.say)
  for (const one of naming) {
    const decision = entryOf(decided, one.key)
    const shares = "shares" in decision ? decision.shares : []
    const why = "why" in decision ? decision.why : undefined
    place(db, later, one, one.currency, { how: why === undefined ? "reference" : "", shares, rule: "M2", why })
    placeBack(db, later, one, "reference", shares)
  }
  later.flushDecided()
  dirty.found.clear()
  dirty.numbers.clear()
  for (const document of payments.keys()) dirty.known.delete(document)
  const changed: Array<readonly [invoice: number, open: string]> = []
  for (const [key, row] of rows) {
    const now = Currency.toMinorOutward(entryOf(open, key), row.currency)
    if (`${now}` === row.open) continue
    const { connection: pays } = Document.parseKey(key)
    if (dirty.waiting) for (const open of [row.open, `${now}`]) queueWaiting(db, pays, { ...row, open })
    changed.push([row.id, `${now}`])
  }
  if (changed.length > 0) db.prepare(OPEN).run(JSON.stringify(changed))
}

/** The source's own link exceeds the open amount: it is followed, and an attention item says so. */
const reportExceeded = (
  db: Db,
  later: Later,
  payments: Iterable<Resolved>,
  exceeded: ReadonlySet<string>,
  open: ReadonlyMap<string, Decimal.Decimal>
) => {
  for (const one of payments) {
    const beyond = one.how === "link" ? one.shares.filter(({ invoice }) => exceeded.has(invoice)) : []
    if (beyond.length === 0) continue
    const whys = beyond.map(
      ({ invoice }) =>
        `it pays ${MatchRules.names([invoice])}, which is then overpaid by ${Currency.say(-entryOf(open, invoice), one.currency)}; ${one.pays} may already have the same payment`
    )
    place(db, later, one, one.currency, {
      ...one,
      free: false,
      why: [...(one.why === undefined ? [] : [one.why]), ...whys].join("; ")
    })
  }
}

/** Makes a payment that names no invoice wait to be matched by amount. */
const wait = (db: Db, later: Later, one: Resolved): void => {
  const amount = Currency.toMinorOutward(one.amount, one.currency)
  if ((one.party === "" && one.customer === "") || amount <= 0n) {
    const why = amount <= 0n ? undefined : "no reference, and the source does not say who paid"
    place(db, later, one, one.currency, { how: "", shares: [], rule: "M3", why })
    placeBack(db, later, one, "", [])
    return
  }
  const { customer, document, party } = one
  if (!later.decided(document, { free: 1, party, customer }))
    db.prepare("UPDATE matching SET free = 1, party = ?, customer = ? WHERE document = ?").run(
      party,
      customer,
      document
    )
  later.group(groupOf(one))
}

const groupOf = ({ amount, currency, customer, party, pays }: Resolved) => ({
  pays,
  currency,
  party,
  customer,
  amount: `${Currency.toMinorOutward(amount, currency)}`
})
