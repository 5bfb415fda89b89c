/**
 * Decides again whatever a change may affect, and stores the results: first all payments that name the same invoices
 * together, then all payments and invoices of one payer and amount. Unchanged results are not written.
 */
import { withoutNumber } from "./References.ts"
import * as Document from "../../connectors/Document.ts"
import * as Currency from "../../core/money/Currency.ts"
import type * as Decimal from "../../core/money/Decimal.ts"
import type { Db } from "../state/Database.ts"
import * as Booked from "./Booked.ts"
import { givenBy } from "./Given.ts"
import * as Leaders from "./Leaders.ts"
import type { Later } from "./Later.ts"
import { lookUp } from "./Lookups.ts"
import { place, placeBack } from "./Place.ts"
import { isForNone } from "./Rows.ts"
import * as MatchRules from "./Rules.ts"
import { normal } from "../model/MatchText.ts"
import { type Before, type Resolved, resolvePayment } from "./Resolve.ts"
import { lookAlikesOf } from "./LookAlikes.ts"
import {
  type Dirty,
  doubtedBy,
  explainLater,
  explainStrangers,
  heldBy,
  mentioningAny,
  PAYABLE,
  type Payable,
  queueGroup,
  queueWaiting
} from "./Tables.ts"
import { entryOf } from "../../core/Entry.ts"
import { partiesOf } from "./Whose.ts"

/** Sets what is open of many invoices: running a statement takes longer than finding a row. */
const OPEN =
  "UPDATE payable SET open = CAST(v.value ->> 1 AS INTEGER) FROM json_each(?) v WHERE invoice = v.value ->> 0"

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
        const { beside, inShort, wants } = resolved.naming
        if (dirty.backs && dirty.later.areJoined()) documents.push(...lookAlikesOf(db, document))
        if (resolved.back.length > 0) keys.push(...sharesFollowed(db, resolved).map(({ invoice }) => invoice))
        keys.push(...wants, ...inShort, ...beside, ...resolved.shares.map(({ invoice }) => invoice), ...held)
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
      if (row !== undefined && row.reference !== "") ofConnection.push(...row.reference.split(" "))
      if (dirty.choices || dirty.standing) documents.push(...unnamed(db, key))
      if (dirty.doubts && row !== undefined) documents.push(...doubtedBy(db, connection, row, dirty))
    }
    if (names.size === 0) return { payments, invoices, deleted }
    for (const [connection, some] of names) documents.push(...mentioningAny(db, connection, some))
  }
}

/** What the payment of another list has of each invoice that this one is the same money as. */
const sharesFollowed = (db: Db, { how, leader }: Resolved): ReadonlyArray<MatchRules.Share> =>
  how === "same" && leader !== undefined ? Leaders.sharesOf(db, leader) : []

/** Payments that are on an invoice and need not name it: by a person's choice, or because they stand, whatever number it had. */
const unnamed = (db: Db, invoice: string): ReadonlyArray<number> =>
  db
    .prepare(
      `SELECT a.document FROM allocation a JOIN matching m ON m.document = a.document
        WHERE a.invoice = ? AND m.of IS NULL AND (m.how IN ('choice', 'stands') OR (m.how IN ('amount', 'customer', 'reference')
          AND EXISTS (SELECT 1 FROM standing s WHERE s.payment = (SELECT d.key FROM document d WHERE d.id = a.document) AND s.invoice = a.invoice)))`
    )
    .pluck()
    .all(invoice) as ReadonlyArray<number>

/** Whether it is matched in the same way as before, or was not matched before. */
const isStill = ({ before, how }: Resolved): boolean =>
  before.how === how || before.how === "" || (how === "amount" && before.how === "customer")

/** Whether nothing that is still open decides it. */
const isFixed = ({ how, stands }: Resolved): boolean =>
  stands === true || how === "choice" || how === "link" || isForNone(how) || how === ""

/** How many documents are in memory at a time: the collector copies what lives longer again and again. */
export const AT_ONCE = 250

/** Decides everything that is dirty. */
export const matchPayments = (db: Db, dirty: Dirty): void => {
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
    // A payment is where the other list's is; what went back is on the invoice that the books have as paid.
    if (one.how === "same") place(db, later, one, one.currency, { how: "same", shares: one.shares, whole: one.amount })
    else if (isFixed(one)) {
      const whole = isForNone(one.how) || one.converted === true ? one.amount : undefined
      place(db, later, one, one.currency, { ...one, free: false, whole })
      placeBack(db, later, one, one.how, one.shares)
    } else if (!isStill(one)) {
      place(db, later, one, one.currency, { how: "", shares: [] })
      placeBack(db, later, one, "", [])
    }
    if (!isFixed(one) && one.how !== "same") {
      // What followed another payment until now no longer counts there.
      for (const back of one.back)
        if (back.before.how === "choice" || back.before.how === "link")
          place(db, later, back, one.currency, { how: "", shares: [] })
    }
    if (one.how === "amount" && one.stands !== true) wait(db, later, one)
    else if (one.free) queueGroup(db, groupOf(one))
  }
  // What went back of what the books state is open again for what names the invoice.
  placeFollowed(db, later, [...payments.values()])
  const { open, rows } = opening(db, later, invoices, payments)
  const naming = [...payments.values()].flatMap((one) =>
    one.how === "reference" && one.stands !== true ? [{ ...one, ...one.naming }] : []
  )
  const decided = naming.length === 0 ? new Map() : MatchRules.byReference(naming, open, Currency.say)
  if (naming.length > 0 && later.areJoined()) inBooks(db, naming, { decided, open, payments })
  for (const one of naming) {
    const decision = entryOf(decided, one.key)
    const shares = "shares" in decision ? decision.shares : []
    const why = "why" in decision ? decision.why : undefined
    place(db, later, one, one.currency, {
      how: why === undefined ? "reference" : "",
      shares,
      rule: "M2",
      why,
      note: "note" in decision ? decision.note : undefined,
      doubt: one.doubt || why !== undefined
    })
    placeBack(db, later, one, "reference", shares)
    // It may be for more of the payer's invoices than it names.
    if (why !== undefined && dirty.limited.has(one.pays)) explainLater(db, one.pays, one.payer.party)
  }
  later.flushDecided()
  placeFollowed(db, later, [...payments.values()])
  dirty.found.clear()
  dirty.numbers.clear()
  dirty.references.clear()
  for (const document of payments.keys()) dirty.known.delete(document)
  storeOpen(db, dirty, rows, open)
}

/** Payments for which nothing is open, because the books have what came in on other payments: the earlier one first. */
const inBooks = (
  db: Db,
  naming: ReadonlyArray<Resolved & MatchRules.Naming>,
  {
    decided,
    open,
    payments
  }: {
    readonly decided: Map<string, MatchRules.Matched>
    readonly open: ReadonlyMap<string, Decimal.Decimal>
    readonly payments: ReadonlyMap<number, Resolved>
  }
): void => {
  const taken = [
    ...[...payments.values()].flatMap(({ shares }) => shares),
    ...[...decided.values()].flatMap((one) => ("shares" in one ? one.shares : []))
  ]
  for (const one of naming.toSorted((a, b) => (a.date < b.date || (a.date === b.date && a.key < b.key) ? -1 : 1))) {
    if (!("why" in entryOf(decided, one.key))) continue
    const names = partiesOf(db, { ...one, aliases: [] })
    const found = Booked.ofNamed(db, one, open, taken) ?? Booked.withNamed(db, one, names, taken)
    if (found === undefined) continue
    decided.set(one.key, found)
    taken.push(...found.shares)
  }
}

/** What is open of these invoices before what may still be decided. */
const opening = (
  db: Db,
  later: Later,
  invoices: ReadonlyMap<string, Payable | undefined>,
  payments: ReadonlyMap<number, Resolved>
) => {
  later.flushAllocations()
  const rows = new Map<string, Payable>()
  const open = new Map<string, Decimal.Decimal>()
  const given = givenBy(db, invoices.keys())
  for (const [key, row] of invoices) {
    if (row === undefined) continue
    const base = Currency.ofMinor(BigInt(row.base), row.currency)
    const left = base - (given.get(key) ?? 0n) - later.given(key)
    rows.set(key, row)
    open.set(key, left)
  }
  for (const one of payments.values()) if (one.stands === true) takeAway(one, open)
  return { open, rows }
}

/** Stores what is open of invoices now, and queues the groups that this concerns. */
const storeOpen = (
  db: Db,
  dirty: Dirty,
  rows: ReadonlyMap<string, Payable>,
  open: ReadonlyMap<string, Decimal.Decimal>
): void => {
  const changed: Array<readonly [invoice: number, open: string]> = []
  for (const [key, row] of rows) {
    const now = Currency.toMinorOutward(entryOf(open, key), row.currency)
    if (`${now}` === row.open) continue
    const { connection: pays } = Document.parseKey(key)
    // Those of the amount that it asked for are told that it is paid.
    const amounts = new Set([row.open, `${now}`, ...(now <= 0n === BigInt(row.open) <= 0n ? [] : [row.base])])
    if (dirty.waiting) for (const open of amounts) queueWaiting(db, pays, { ...row, open }, dirty)
    changed.push([row.id, `${now}`])
  }
  if (changed.length > 0) db.prepare(OPEN).run(JSON.stringify(changed))
}

/** What stands, and what came back of it, before what may still be decided. */
const takeAway = ({ amount, back, shares }: Resolved, open: Map<string, Decimal.Decimal>): void => {
  const change = (invoice: string, by: Decimal.Decimal) => {
    const before = open.get(invoice)
    if (before !== undefined) open.set(invoice, before + by)
  }
  for (const share of shares) change(share.invoice, -share.amount)
  const counting = MatchRules.atMost(shares)
  for (const one of back)
    for (const share of (MatchRules.follow(one, amount, shares) ?? []).map(counting))
      change(share.invoice, share.amount)
}

/** Places what went back of payments that are the same money as another list's: where those are. */
const placeFollowed = (db: Db, later: Later, payments: ReadonlyArray<Resolved>): void => {
  const followed = payments.filter(({ back, how }) => how === "same" && back.length > 0)
  for (const one of followed) placeBack(db, later, one, "same", sharesFollowed(db, one))
  if (followed.length > 0) later.flushDecided()
}

/** Makes a payment that names no invoice wait to be matched by amount. */
const wait = (db: Db, later: Later, one: Resolved): void => {
  const amount = Currency.toMinorOutward(one.amount, one.currency)
  const { document, payer, pays, says } = one
  const { customer, cut, form, party } = payer
  if ((party === "" && customer === "") || amount <= 0n) {
    const why =
      amount <= 0n ? undefined : `${says || withoutNumber(db, document)}, and the source does not say who paid`
    place(db, later, one, one.currency, { how: "", shares: [], rule: "M3", why, says })
    placeBack(db, later, one, "", [])
    if (why !== undefined && later.areJoined()) explainStrangers(db, pays)
    return
  }
  if (!later.decided(document, { free: 1, payer, says }))
    db.prepare(
      "UPDATE matching SET free = 1, doubt = 0, says = ?, party = ?, form = ?, cut = ?, customer = ? WHERE document = ?"
    ).run(says, party, form, cut, customer, document)
  later.group(groupOf(one))
}

const groupOf = ({ amount, currency, pays, payer: { customer, party } }: Resolved) => ({
  pays,
  currency,
  party,
  customer,
  amount: `${Currency.toMinorOutward(amount, currency)}`
})
