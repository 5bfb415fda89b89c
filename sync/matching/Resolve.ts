/**
 * Resolves which invoices one payment says it is for: by a person's choice, the source's links, or numbers in its reference,
 * looked up among the invoices of the connection that it pays for. Read-only.
 */
import type { Payment, Reversal } from "../../connectors/Document.ts"
import * as Document from "../../connectors/Document.ts"
import * as Currency from "../../core/money/Currency.ts"
import * as Decimal from "../../core/money/Decimal.ts"
import type { Day } from "../../core/wire/Day.ts"
import * as Body from "../state/Body.ts"
import type { Database } from "../state/Database.ts"
import * as MatchRules from "./Rules.ts"
import { chosenByPerson, ownNumber, payerIn, textOf, totalOf } from "./References.ts"
import { currencyOfInvoice, type NamedInvoice, type Memory, named, invoicesNumbered } from "./Lookups.ts"
import type { How } from "./Rows.ts"
import type { Dirty, Payable, Written } from "./Tables.ts"

type Db = Database["Service"]

export interface Follower extends MatchRules.Back {
  readonly document: number
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
  readonly party: string
  readonly customer: string
  readonly before: Before
  /** Until now it waited to be matched by amount. */
  readonly free: boolean
  readonly how: How
  /** By choice or link. */
  readonly shares: ReadonlyArray<MatchRules.Share>
  /** By reference: keys of invoices. */
  readonly wants: ReadonlyArray<string>
  readonly weak: boolean
  readonly back: ReadonlyArray<Follower>
  /** The rule and the explanation, if a person is needed whatever is open. */
  readonly rule: "M1" | "M2" | "M3" | "M4" | "M5" | "M6"
  readonly why?: string
}

/** M1: the invoices that the payment's source links it to. */
const linked = (
  db: Db,
  memory: Memory,
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
  { currency, memory, pays }: { readonly currency: string; readonly pays: string; readonly memory: Memory }
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
    const back = { document, before: { how, rule, why }, currency: its, key, date: reversal.date, amount, names }
    const choice = chosenByPerson(db, key)
    if (choice !== undefined) {
      const { shares: fixed, ...rest } = byChoice(db, { amount, currency: its, pays }, choice)
      return { ...back, rule: "M4", fixed, ...rest }
    }
    if (its === currency) return back
    return { ...back, fixed: [], rule: "M5", why: `it is in ${its}, but its payment is not` }
  })
}

const written = (db: Db, id: number): Written | undefined =>
  db
    .prepare(
      "SELECT d.key, m.pays, m.of, m.how, m.rule, m.why, m.party, m.customer, m.free FROM matching m JOIN document d ON d.id = m.document WHERE m.document = ?"
    )
    .get(id) as Written | undefined

const bodyOf = (db: Db, id: number): string =>
  db.prepare("SELECT body FROM document WHERE id = ?").pluck().get(id) as string

/** @returns the payment that this reverses, if that decides; undefined if nothing is left of the document */
export const resolvePayment = (
  db: Db,
  id: number,
  dirty: Pick<Dirty, "known" | "found" | "numbers" | "backs" | "choices" | "payers" | "byId">
): Resolved | { readonly of: number } | undefined => {
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
  const { how, pays, rule, why } = row
  const currency = document.currency ?? ""
  const base = {
    document: id,
    key: row.key,
    pays,
    amount: totalOf(document),
    date: document.date,
    currency,
    // The payer may be known by now; a payment that waits for an amount is then stored again.
    ...(known !== undefined || row.free === 1
      ? { party: row.party, customer: row.customer }
      : payerIn(db, connection, document, dirty)),
    before: { how, rule, why },
    free: row.free === 1,
    shares: [],
    wants: [],
    weak: false,
    back: dirty.backs && document.kind === "payment" ? followers(db, row.key, { currency, memory: dirty, pays }) : []
  }
  const choice = dirty.choices ? chosenByPerson(db, row.key) : undefined
  if (choice !== undefined) return { ...base, how: "choice", rule: "M4", ...byChoice(db, base, choice) }
  const { lost, problems, shares } = byLinks(db, dirty, document, { connection, currency, pays })
  if (shares.length > 0) {
    if (lost > 0n && problems.length === 0) problems.push("the source does not say what the rest is for")
    const why = lost > 0n ? { why: `${Currency.say(lost, currency)} of it is unallocated: ${problems.join("; ")}` } : {}
    return { ...base, how: "link", shares: merged(shares), rule: "M1", ...why }
  }
  if (document.kind === "reversal") {
    const why =
      problems[0] ??
      (document.payment === undefined
        ? document.trace === undefined
          ? "the source does not say which payment went back"
          : `no payment of this amount with its trace ${document.trace} was found`
        : `its payment ${document.payment} was not found`)
    return { ...base, how: "", rule: "M5", why }
  }
  const inText = known?.inText ?? MatchRules.namesIn(textOf(document))
  return { ...base, ...byText(db, dirty, inText, { currency, pays, problem: problems[0] }) }
}

interface Links {
  readonly shares: Array<MatchRules.Share>
  /** The amount that is not in them, and why. */
  readonly lost: Decimal.Decimal
  readonly problems: Array<string>
}

/** The invoices that the source itself links a payment to. */
const byLinks = (
  db: Db,
  memory: Memory,
  document: Payment | Reversal,
  { connection, currency, pays }: { readonly connection: string; readonly currency: string; readonly pays: string }
): Links => {
  const shares: Array<MatchRules.Share> = []
  const problems: Array<string> = []
  let lost = document.unallocated ?? 0n
  for (const { amount, invoice } of document.shares) {
    const found = linked(db, memory, { connection, name: invoice, pays })
    const [one] = found
    const its = one?.currency ?? undefined
    if (one === undefined) problems.push(`it is for ${invoice}, which was not found in ${pays}`)
    else if (found.length > 1)
      problems.push(`it is for ${invoice}, and ${found.length} invoices of ${pays} have that number`)
    else if (currency !== "" && its !== undefined && its !== currency)
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
  return { shares, lost, problems }
}

/** M4: a person's choice, as far as it is still possible: invoices may have been deleted since, or the payment changed. */
const byChoice = (
  db: Db,
  { amount, currency, pays }: Pick<Resolved, "amount" | "currency" | "pays">,
  choice: NonNullable<ReturnType<typeof chosenByPerson>>
): Pick<Resolved, "shares" | "why"> => {
  const say = (amount: Decimal.Decimal) => Currency.say(amount, currency)
  const total = Decimal.sum(choice.map(([, amount]) => amount))
  const list = MatchRules.names(choice.map(([key]) => key))
  if (total > amount)
    return {
      shares: [],
      why: `${say(total)} of it was allocated by hand to ${list}, but its amount is now ${say(amount)}`
    }
  const shares: Array<MatchRules.Share> = []
  const problems: Array<string> = []
  let left = amount
  for (const [invoice, amount] of choice) {
    const its = currencyOfInvoice(db, invoice)
    const name = MatchRules.names([invoice])
    if (its === undefined) problems.push(`it was allocated by hand to ${name}, which was not found in ${pays}`)
    else if (currency !== "" && its !== currency)
      problems.push(`it was allocated by hand to ${name}, which is in ${its}`)
    else if (!Currency.fits(amount, its))
      problems.push(
        `${say(amount)} of it was allocated by hand to ${name}, which has more decimal places than ${its} allows`
      )
    else {
      shares.push({ invoice, amount })
      left -= amount
    }
  }
  // "For no invoice" is a valid choice as well.
  if (left === 0n || choice.length === 0) return { shares }
  if (problems.length === 0) problems.push("the source does not say what the rest is for")
  return { shares, why: `${say(left)} of it is unallocated: ${problems.join("; ")}` }
}

/** By the numbers in its reference; if there are none, it waits for an amount. */
const byText = (
  db: Db,
  memory: Memory,
  inText: ReadonlyArray<MatchRules.Name>,
  {
    currency,
    pays,
    problem
  }: { readonly currency: string; readonly pays: string; readonly problem: string | undefined }
): Pick<Resolved, "how" | "rule" | "why" | "wants" | "weak"> => {
  const wants: Array<string> = []
  const used: Array<MatchRules.Name> = []
  let weak = false
  for (const name of inText) {
    if (used.some(({ from, to }) => name.from <= to && name.to >= from)) continue
    const found = invoicesNumbered(db, memory, pays, name.name)
    if (found.length === 0) continue
    used.push(name)
    if (found.length > 1) {
      return {
        how: "",
        rule: "M2",
        wants: [],
        weak,
        why: `it names ${name.name}, and ${found.length} invoices have that number`
      }
    }
    const [{ currency: its, key }] = found as readonly [Payable]
    if (its !== currency) {
      const what = currency === "" ? "but the source does not state the payment's currency" : `which is in ${its}`
      return { how: "", rule: "M2", wants: [], weak, why: `it names ${MatchRules.names([key])}, ${what}` }
    }
    if (!wants.includes(key)) wants.push(key)
    weak ||= name.weak
  }
  if (wants.length > 0) return { how: "reference", rule: "M2", wants, weak }
  // If a named invoice does not exist (yet), another one of the same amount is no substitute.
  if (problem !== undefined) return { how: "", rule: "M1", wants, weak, why: problem }
  if (currency === "") return { how: "", rule: "M3", wants, weak, why: "no reference, and no currency" }
  return { how: "amount", rule: "M3", wants, weak }
}

/** Merges shares of the same invoice. */
const merged = (shares: ReadonlyArray<MatchRules.Share>): ReadonlyArray<MatchRules.Share> => {
  const sums = new Map<string, Decimal.Decimal>()
  for (const { amount, invoice } of shares) sums.set(invoice, (sums.get(invoice) ?? 0n) + amount)
  return [...sums].map(([invoice, amount]) => ({ invoice, amount }))
}
