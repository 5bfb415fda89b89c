/**
 * Resolves which invoices one payment says it is for: by a person's choice, the source's links, or numbers in its reference,
 * looked up among the invoices of the connection that it pays for. Read-only.
 */
import type { Payment, Reversal } from "../../connectors/Document.ts"
import * as Document from "../../connectors/Document.ts"
import * as Currency from "../../core/money/Currency.ts"
import type * as Decimal from "../../core/money/Decimal.ts"
import type { Day } from "../../core/wire/Day.ts"
import * as Body from "../state/Body.ts"
import type { Db } from "../state/Database.ts"
import * as MatchRules from "./Rules.ts"
import * as Leaders from "./Leaders.ts"
import { paidBy, type Payer } from "./Amounts.ts"
import { aliasesOf } from "./Aliases.ts"
import { paidInBooks } from "./BooksPaid.ts"
import { byChoice } from "./ByChoice.ts"
import { byInstructed, byText, namesOthers } from "./ByText.ts"
import { isPayout } from "./PayoutLines.ts"
import { standing } from "./Standing.ts"
import { chosenByPerson, isAsked, ownNumber, payerIn, textOf, totalOf } from "./References.ts"
import { type NamedInvoice, type LookupMemory, named, invoicesNumbered } from "./Lookups.ts"
import type { How } from "./Rows.ts"
import type { Dirty, Written } from "./Tables.ts"
import type { Theirs } from "./Whose.ts"

export interface Follower extends MatchRules.Back {
  readonly document: number
  /** Keys of invoices in its text, if only a trace leads to its payment. */
  readonly said: ReadonlyArray<string>
  readonly before: Before
  readonly currency: string
  /** Why a person is needed although its invoice is fixed, and the rule. */
  readonly rule?: "M4" | "M5"
  readonly why?: string
}

/** The stored result of the last decision. */
export interface Before extends Pick<Written, "how" | "rule" | "why"> {
  /** The invoices that it left; undefined: not read. */
  readonly was?: string
}

/** A payment, or a reversal whose payment is unknown, and what it says. */
export interface Resolved {
  readonly document: number
  readonly key: string
  readonly pays: string
  readonly amount: Decimal.Decimal
  readonly date: Day
  readonly currency: string
  readonly payer: Payer
  readonly before: Before
  /** Until now it waited to be matched by amount. */
  readonly free: boolean
  readonly how: How
  /** By choice or link, or because it stands. */
  readonly shares: ReadonlyArray<MatchRules.Share>
  readonly naming: MatchRules.Names
  /** What its text says, where that decides nothing. */
  readonly says: string
  /** It names an invoice, and its payer or its amount is not the invoice's. */
  readonly doubt: boolean
  /** The service has it there, and neither its source nor a person said otherwise since. */
  readonly stands?: true
  readonly back: ReadonlyArray<Follower>
  /** A person stated the shares in the invoices' currency, which is not the payment's. */
  readonly converted?: true
  /** The rule and the explanation, if a person is needed whatever is open. */
  readonly rule: "M1" | "M2" | "M3" | "M4" | "M5" | "M6" | "V1"
  readonly why?: string
  /** The payment of another list that is the same money. */
  readonly leader?: number
}

/** M1: the invoices that the payment's source links it to. */
const linked = (
  db: Db,
  memory: LookupMemory,
  { connection, name, pays }: { readonly connection: string; readonly pays: string; readonly name: string }
): ReadonlyArray<NamedInvoice> => {
  const found = named(db, memory, pays, name)
  if (found.length > 0) return found
  const number = ownNumber(db, connection, name)
  return number === undefined ? [] : named(db, memory, pays, number)
}

/** The reversals of a payment, with a person's choice for each. */
export const followers = (
  db: Db,
  key: string,
  { currency, memory, pays }: { readonly currency: string; readonly pays: string; readonly memory: LookupMemory }
): ReadonlyArray<Follower> => {
  const { connection } = Document.parseKey(key)
  const rows = db
    .prepare(
      "SELECT m.document, m.how, m.rule, m.why, d.key, d.body FROM matching m JOIN document d ON d.id = m.document WHERE m.of = ?"
    )
    .all(key) as ReadonlyArray<Before & { readonly document: number; readonly key: string; readonly body: string }>
  return rows.map(({ body, document, how, key, rule, why }): Follower => {
    const reversal = Body.read(body) as Reversal
    const names = reversal.shares.flatMap(({ invoice }) =>
      linked(db, memory, { connection, name: invoice, pays }).map((one) => one.key)
    )
    const amount = totalOf(reversal)
    const its = reversal.currency ?? currency
    const said =
      reversal.payment === undefined
        ? MatchRules.namesIn(reversal.details ?? "").flatMap(({ name, weak }) =>
            weak ? [] : invoicesNumbered(db, memory, pays, name).map((one) => one.key)
          )
        : []
    const back = { said, document, before: { how, rule, why }, currency: its, key, date: reversal.date, amount, names }
    const choice = chosenByPerson(db, key)
    if (choice !== undefined) {
      const { converted: _, shares: fixed, ...rest } = byChoice(db, { amount, currency: its, pays }, choice)
      return { ...back, rule: "M4", fixed, ...rest }
    }
    if (its === currency) return back
    return { ...back, fixed: [], rule: "M5", why: `it is in ${its}, but its payment is not` }
  })
}

const written = (db: Db, id: number): Written | undefined =>
  db
    .prepare(
      "SELECT d.key, m.pays, m.of, m.how, m.rule, m.why, m.party, m.form, m.cut, m.customer, m.free FROM matching m JOIN document d ON d.id = m.document WHERE m.document = ?"
    )
    .get(id) as Written | undefined

const bodyOf = (db: Db, id: number): string =>
  db.prepare("SELECT body FROM document WHERE id = ?").pluck().get(id) as string

/** Why the payment of a reversal is not known. */
const unfound = ({ collected, payment, trace }: Reversal): string => {
  if (payment !== undefined) return `its payment ${payment} was not found`
  if (trace === undefined && collected !== undefined)
    return `no payment of this amount with its reference ${collected.reference} was found that did not go back already`
  return trace === undefined
    ? "the source does not say which payment went back"
    : `no payment of this amount with its trace ${trace} was found`
}

type Known = Pick<
  Dirty,
  | "known"
  | "found"
  | "numbers"
  | "references"
  | "backs"
  | "choices"
  | "payouts"
  | "standing"
  | "aliases"
  | "byId"
  | "limits"
>

/** What is known of a payment before anything is decided. */
const baseOf = (
  db: Db,
  id: number,
  { document, isRead, row }: { readonly document: Payment | Reversal; readonly row: Written; readonly isRead: boolean },
  dirty: Known
): Omit<Resolved, "how" | "rule"> => {
  const { free, how, key, pays, rule, why } = row
  const currency = document.currency ?? ""
  return {
    document: id,
    key,
    pays,
    amount: totalOf(document),
    date: document.date,
    currency,
    // The payer may be known by now; a payment that waits for an amount is then stored again.
    payer: isRead || free === 1 ? payerOfRow(row) : payerIn(Document.parseKey(key).connection, document, dirty),
    before: { how, rule, why },
    free: free === 1,
    shares: [],
    naming: MatchRules.NO_NAMES,
    says: "",
    doubt: false,
    back: dirty.backs && document.kind === "payment" ? followers(db, key, { currency, memory: dirty, pays }) : []
  }
}

/** In these ways a payment is on no invoice itself. */
const PLACELESS: ReadonlySet<How> = new Set(["", "none", "same", "payout", "tried"])

/** @returns the payment that this reverses, if that decides; undefined if nothing is left of the document */
export const resolvePayment = (db: Db, id: number, dirty: Known): Resolved | { readonly of: number } | undefined => {
  const known = dirty.known.get(id)
  const row = known?.written ?? written(db, id)
  if (row === undefined) return undefined
  if (row.of !== null) {
    const of = db
      .prepare("SELECT m.document FROM document d JOIN matching m ON m.document = d.id WHERE d.key = ?")
      .pluck()
      .get(row.of)
    if (typeof of === "number") return { of }
  }
  const { connection } = Document.parseKey(row.key)
  const document = known?.document ?? (Body.read(bodyOf(db, id)) as Payment | Reversal)
  const base = baseOf(db, id, { document, row, isRead: known !== undefined }, dirty)
  const { currency, payer } = base
  const { how, pays } = row
  const same = document.kind === "payment" ? Leaders.leaderOf(db, id) : undefined
  if (same !== undefined && same.how !== "doubt") return { ...base, how: "same", rule: "V1", leader: same.leader }
  if (document.kind === "payment" && document.tried !== undefined && same === undefined)
    return { ...base, how: "tried", rule: "M1" }
  const choice = dirty.choices ? chosenByPerson(db, row.key) : undefined
  if (choice?.length === 0) return { ...base, how: "none", rule: "M4" }
  if (dirty.choices && isAsked(db, row.key)) return { ...base, how: "", rule: "M4", why: NOT_FOR_IT }
  if (choice !== undefined) return { ...base, how: "choice", rule: "M4", ...byChoice(db, base, choice) }
  if (dirty.payouts && document.kind === "payment" && isPayout(db, id)) return { ...base, how: "payout", rule: "M1" }
  if (same !== undefined) return { ...base, how: "", rule: "V1", why: Leaders.doubtful(db, same) }
  const { isAmbiguous, lost, problems, shares } = byLinks(db, dirty, document, { connection, currency, pays, payer })
  if (shares.length > 0) {
    if (lost > 0n && problems.length === 0) problems.push("the source does not say what the rest is for")
    const why = lost > 0n ? { why: `${Currency.say(lost, currency)} of it is unallocated: ${problems.join("; ")}` } : {}
    return { ...base, how: "link", shares: merged(shares), rule: "M1", ...why }
  }
  if (document.kind === "reversal") {
    const taken = problems.length > 0 ? [] : paidInBooks(db, dirty, { document: id, pays, reversal: document })
    if (taken.length > 0) return { ...base, how: "same", shares: taken, rule: "M5" }
    return { ...base, how: "", rule: "M5", why: problems[0] ?? unfound(document) }
  }
  const stands = dirty.standing ? standing(db, base) : undefined
  const inText = known?.inText ?? MatchRules.namesIn(textOf(document))
  const theirs = { aliases: aliasesOf(dirty.aliases, connection, document), payer, pays }
  const said = { amount: base.amount, currency, date: document.date, text: textOf(document), theirs }
  const exchanged = exchangedFor(db, dirty, inText, { ...(document as Payment), key: row.key, pays, theirs })
  if (exchanged.length > 0) return { ...base, how: "link", shares: exchanged, rule: "M1", converted: true }
  if (stands !== undefined) {
    const why = namesOthers(db, dirty, inText, { ...said, stands: stands.map(({ invoice }) => invoice) })
    const placed = {
      ...base,
      how: PLACELESS.has(how) ? "stands" : how,
      shares: stands,
      rule: "M2",
      stands: true
    } as const
    return why === undefined ? placed : { ...placed, why }
  }
  if (isAmbiguous) return { ...base, how: "", rule: "M1", why: problems.join("; ") }
  const limits = dirty.limits.get(connection)
  return {
    ...base,
    ...byText(db, dirty, inText, { ...said, limits, problem: problems[0] })
  }
}

const NOT_FOR_IT = "somebody said that it is not for the invoice that it was matched with"

/** The invoices that what its payer sent is reported on, or is for by its text, where the bank exchanged it. */
const exchangedFor = (
  db: Db,
  dirty: Known,
  inText: ReadonlyArray<MatchRules.Name>,
  { instructed, key, pays, theirs }: Pick<Payment, "instructed"> & { key: string; pays: string; theirs: Theirs }
): ReadonlyArray<MatchRules.Share> => {
  if (instructed === undefined) return []
  const reported = dirty.standing ? standing(db, { key, pays, ...instructed }) : undefined
  return reported ?? byInstructed(db, dirty, inText, { instructed, theirs })
}

const payerOfRow = ({ customer, cut, form, party }: Written): Payer => ({ customer, cut, form, party })

/** Of several invoices that a link may mean, the one whose customer and amount are the payment's; else the one of its customer. */
const meant = (
  found: ReadonlyArray<NamedInvoice>,
  payer: Payer,
  amount: Decimal.Decimal
): ReadonlyArray<NamedInvoice> => {
  if (found.length < 2) return found
  const theirs = found.filter((one) => "party" in one && paidBy(payer, one) !== undefined)
  // What it asks for may have been paid by its own books.
  const able = theirs.filter((one) => "party" in one && Currency.ofMinor(BigInt(one.base), one.currency) >= amount)
  return able.length === 1 ? able : theirs.length === 1 ? theirs : found
}

interface Links {
  readonly shares: Array<MatchRules.Share>
  /** The amount that is not in them, and why. */
  readonly lost: Decimal.Decimal
  readonly problems: Array<string>
  /** Some link may mean several invoices. */
  readonly isAmbiguous: boolean
}

/** The invoices that the source itself links a payment to. */
const byLinks = (
  db: Db,
  memory: LookupMemory,
  document: Payment | Reversal,
  {
    connection,
    currency,
    payer,
    pays
  }: { readonly connection: string; readonly currency: string; readonly pays: string; readonly payer: Payer }
): Links => {
  const shares: Array<MatchRules.Share> = []
  const problems: Array<string> = []
  let isAmbiguous = false
  let lost = document.unallocated ?? 0n
  for (const { amount, invoice } of document.shares) {
    const found = meant(linked(db, memory, { connection, name: invoice, pays }), payer, amount)
    const [one] = found
    const its = one?.currency ?? undefined
    if (one === undefined) problems.push(`it is for ${invoice}, which was not found in ${pays}`)
    else if (found.length > 1) {
      isAmbiguous = true
      problems.push(`it is for ${invoice}, and ${found.length} invoices of ${pays} have that number or id`)
    } else if (currency !== "" && its !== undefined && its !== currency)
      problems.push(`it is for ${MatchRules.names([one.key])}, which is in ${its}`)
    else if (its !== undefined && !Currency.fits(amount, its))
      problems.push(
        `it is for ${MatchRules.names([one.key])}, and ${Currency.say(amount, currency)} has more decimal places than ${its} allows`
      )
    else {
      shares.push({ invoice: one.key, amount })
      continue
    }
    lost += amount
  }
  return { shares, lost, problems, isAmbiguous }
}

/** Merges shares of the same invoice. */
const merged = (shares: ReadonlyArray<MatchRules.Share>): ReadonlyArray<MatchRules.Share> => {
  const sums = new Map<string, Decimal.Decimal>()
  for (const { amount, invoice } of shares) sums.set(invoice, (sums.get(invoice) ?? 0n) + amount)
  return [...sums].map(([invoice, amount]) => ({ invoice, amount }))
}
