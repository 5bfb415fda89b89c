/** Stores which invoices payments and what came back of them belong to. Unchanged results are not written. */
import * as Currency from "../../core/money/Currency.ts"
import * as Decimal from "../../core/money/Decimal.ts"
import type { Db } from "../state/Database.ts"
import * as Joins from "./Joins.ts"
import * as Leaders from "./Leaders.ts"
import { withNumbers } from "./Numbers.ts"
import type { Later } from "./Later.ts"
import type { Before, Follower } from "./Resolve.ts"
import { type How, isForNone } from "./Rows.ts"
import * as MatchRules from "./Rules.ts"
import { leftBehind } from "./Tables.ts"
import { isUnsaid, type LookAlike, lookAlikeOf } from "./LookAlikes.ts"

interface Placed {
  readonly how: How
  readonly shares: ReadonlyArray<MatchRules.Share>
  readonly rule?: string
  readonly why?: string | undefined
  readonly free?: boolean
  /** It names an invoice, and its payer or its amount is not the invoice's. */
  readonly doubt?: boolean
  readonly says?: string
  /** How its amount comes from the invoices, where it is none of theirs. */
  readonly note?: string | undefined
  /** All of it counts as matched, whatever the shares are: it is for no invoice, or they are in another currency. */
  readonly whole?: Decimal.Decimal | undefined
}

const UPDATE = "UPDATE matching SET how = ?, rule = ?, why = ?, was = coalesce(?, was), says = ?, note = ?"

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
  { doubt = false, free = false, how, note = "", rule, says = "", shares, whole, why: reason }: Placed
): void => {
  const { prepare } = db
  const why = reason === undefined ? undefined : withNumbers(db, reason)
  // Without a `how`, it had no invoice.
  const held = before.how === "" && before.why === null ? [] : sharesOf(db, later, document)
  const matched = Currency.toMinorOutward(whole ?? Decimal.sum(shares.map(({ amount }) => amount)), currency)
  const needs = why === undefined ? null : (rule ?? null)
  const flags = { free: free ? 1 : 0, doubt: doubt ? 1 : 0 }
  let hasMoved = false
  const isNew = later.decided(document, { how, matched, ...flags, says, note, rule: needs, why: why ?? null })
  for (const { invoice } of held) {
    if (shares.some((share) => share.invoice === invoice)) continue
    prepare("DELETE FROM allocation WHERE invoice = ? AND document = ?").run(invoice, document)
    later.touch(invoice)
    hasMoved = true
  }
  for (const { amount, invoice } of shares) {
    if (held.some((one) => one.invoice === invoice && one.amount === `${amount}`)) continue
    later.allocate(invoice, document, amount)
    later.touch(invoice)
    hasMoved = true
  }
  if (hasMoved && later.areJoined()) Joins.moved(db, document)
  if (!isNew) {
    // Its item stood for the invoices that it had lost: they get items of their own again.
    if (before.was !== "" && (how !== "" || held.length > 0))
      for (const one of leftBehind(db, document)) later.touch(one)
    const was = shares.length > 0 ? "" : held.length > 0 ? JSON.stringify(held.map(({ invoice }) => invoice)) : null
    const set = [how, needs, why ?? null, was, says, note] as const
    const indexed = [matched, flags.free, flags.doubt] as const
    // Where these stay, no index has to be written.
    const { changes } = prepare(`${UPDATE} WHERE matched = ? AND free = ? AND doubt = ? AND document = ?`).run(
      ...set,
      ...indexed,
      document
    )
    if (changes === 0)
      prepare(`${UPDATE}, matched = ?, free = ?, doubt = ? WHERE document = ?`).run(...set, ...indexed, document)
  }
  if (before.why !== (why ?? null) || before.rule !== needs) {
    prepare("INSERT INTO to_report (document) VALUES (?) ON CONFLICT DO UPDATE SET due = 0").run(document)
  }
}

/** A payment of which something went back. */
interface WithBack {
  readonly document: number
  readonly key: string
  readonly amount: Decimal.Decimal
  readonly back: ReadonlyArray<Follower>
  readonly converted?: true
  /** It waits, because something went back of it or of this one. */
  readonly twin?: LookAlike | undefined
}

/** Places the reversals of a payment on the payment's invoices. */
export const placeBack = (
  db: Db,
  later: Later,
  payment: WithBack,
  how: How,
  shares: ReadonlyArray<MatchRules.Share>
): void => {
  for (const back of payment.back) {
    const isOpen = back.fixed === undefined && shares.length > 0
    const apart = isOpen ? unfollowed(payment, back, shares) : undefined
    const twin =
      (back.fixed === undefined ? payment.twin : undefined) ??
      (isOpen && apart === undefined ? untold(db, later, payment, back, shares) : undefined)
    const asks = apart ?? (twin === undefined ? undefined : unsaid(twin))
    const follows = asks === undefined ? MatchRules.follow(back, payment.amount, shares) : undefined
    const why =
      asks ??
      (follows === undefined
        ? "part of a payment for several invoices went back, and the source does not say for which invoice"
        : back.why)
    // A person's choice stands even if its payment is unallocated, or for no invoice.
    const isChosen = (how === "" || isForNone(how)) && back.fixed !== undefined && back.fixed.length > 0
    const way = isChosen ? "choice" : twin === undefined ? how : ""
    const whole = isForNone(way) || (payment.converted === true && follows !== undefined) ? back.amount : undefined
    place(db, later, back, back.currency, { how: way, shares: follows ?? [], rule: back.rule ?? "M5", why, whole })
    if (twin !== undefined) holdUp(db, later, back, [...shares.map(({ invoice }) => invoice), ...twin.invoices])
  }
}

const unsaid = ({ id }: LookAlike): string =>
  `its payment names no invoice, and nor does ${id}, of the same payer and amount: say for which invoice the money was that went back`

/** Its item stands for these invoices: none of them is marked as paid before somebody has said it. */
const holdUp = (db: Db, later: Later, { document }: Follower, invoices: ReadonlyArray<string>): void => {
  later.flushDecided()
  const was = JSON.stringify(invoices.toSorted())
  const { changes } = db.prepare("UPDATE matching SET was = ? WHERE document = ? AND was <> ?").run(was, document, was)
  if (changes > 0) for (const one of invoices) later.touch(one)
}

/** Another payment that it may have gone back of; what stands stays. */
const untold = (
  db: Db,
  later: Later,
  payment: WithBack,
  { key, names }: Follower,
  shares: ReadonlyArray<MatchRules.Share>
): LookAlike | undefined => {
  if (names.length > 0 || !later.areJoined() || isPosted(db, key)) return undefined
  later.flushAllocations()
  const { document } = payment
  return lookAlikeOf(
    db,
    document,
    shares.map(({ invoice }) => invoice),
    (one) => Leaders.sharesOf(db, one).map(({ invoice }) => invoice)
  )
}

/** The payment for which one that is in no books waits: something went back of one of the two, and nothing tells them apart. */
export const untoldOf = (
  db: Db,
  later: Later,
  { document, key }: { readonly document: number; readonly key: string },
  invoice: string
): LookAlike | undefined => {
  if (!later.areJoined() || isPosted(db, key)) return undefined
  later.flushAllocations()
  const twin = lookAlikeOf(db, document, [invoice], (one) => Leaders.sharesOf(db, one).map(({ invoice }) => invoice))
  return twin !== undefined && isUnsaid(db, key, twin) ? { ...twin, invoices: [...twin.invoices, invoice] } : undefined
}

export const waitsFor = ({ id }: LookAlike): string =>
  `something went back of it or of ${id}, which is of the same payer and amount and names no invoice either: say first for which invoice that was`

const isPosted = (db: Db, key: string): boolean =>
  db.prepare("SELECT 1 FROM posted WHERE fact = ? LIMIT 1").get(key) !== undefined

/** Why what went back does not follow its payment. */
const unfollowed = (
  payment: { readonly amount: Decimal.Decimal; readonly converted?: true },
  { amount, said }: Follower,
  shares: ReadonlyArray<MatchRules.Share>
): string | undefined => {
  if (payment.converted === true && amount !== payment.amount)
    return "part of a payment went back whose invoice is in another currency"
  if (said.length === 0 || shares.some(({ invoice }) => said.includes(invoice))) return undefined
  const keys = shares.map(({ invoice }) => invoice)
  return `it names ${MatchRules.names(said)}, and the payment with its trace is for ${MatchRules.names(keys)}`
}
