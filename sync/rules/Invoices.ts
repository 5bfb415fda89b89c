/**
 * Compares one invoice of the books with what the service holds, and plans the calls that close the gap.
 *
 * Pure and total: no clock, no network, no database, no failure. Guarantees, each a property in `test/sync/rules/Reconcile.test.ts`:
 *
 *   settled      nothing is left to plan after a plan was carried out
 *   ordered      the order in which facts are listed does not change the plan
 *   resumable    after any prefix of a plan, the new plan is the rest of it
 *   faithful     the service accepts every call, and then agrees with the books
 *
 * Rules T1 to T13 are here, P1 to P8 in `Payments.ts`, amounts and credit notes in `InvoiceFields.ts`, and amounts that cannot
 * be counted in the invoice's currency in `Currencies.ts`.
 */
import type { Decision } from "../model/Decision.ts"
import type { Invoice } from "../../connectors/Document.ts"
import * as Currency from "../../core/money/Currency.ts"
import * as Decimal from "../../core/money/Decimal.ts"
import { type Attention, type CallOf, type InvoiceCall, reference } from "../model/Call.ts"
import type { Rule } from "../model/Rule.ts"
import { advanceInvoice, invoiceCreated } from "../model/Advance.ts"
import type { Planning } from "../model/Connection.ts"
import type { Fields, RemoteInvoice } from "../model/RemoteInvoice.ts"
import * as Currencies from "./Currencies.ts"
import * as Payments from "./Payments.ts"
import { inOwnCurrency, isExact, type InvoiceFacts } from "../model/InvoiceFacts.ts"
import { describe } from "./FieldChanges.ts"
import {
  attention,
  negative,
  neverRead,
  overcredited,
  redrafted,
  notReceived,
  reopened,
  waitingItems,
  waitsForRemoved
} from "./InvoiceAttention.ts"
import { held } from "./Held.ts"
import { orphans } from "./OrphanMoney.ts"
import * as Closing from "./Closing.ts"
import { settledOf } from "./Settled.ts"
import * as SourceFigures from "./SourceFigures.ts"
import * as InvoiceFields from "./InvoiceFields.ts"

type InvoiceDecision = Decision<InvoiceCall>

export const reconcile = (
  unsorted: InvoiceFacts,
  remote: RemoteInvoice | undefined,
  planning: Planning
): InvoiceDecision => {
  const facts = inOrder(inOwnCurrency(unsorted))
  const decision = decide(facts, remote, planning)
  return facts.outdated === undefined ? decision : held(facts, decision)
}

const decide = (facts: InvoiceFacts, remote: RemoteInvoice | undefined, planning: Planning): InvoiceDecision => {
  const { invoice } = facts
  if (remote === undefined) {
    const reason = whyNotSent(facts, planning)
    if (invoice === undefined || reason !== undefined) {
      const items = reason === NEGATIVE && invoice !== undefined ? [negative(facts, invoice)] : orphans(facts)
      return { calls: [], attention: items, ...(reason === undefined ? {} : { reason }), open: 0n }
    }
    if (!isExact(invoice)) return { calls: [], attention: [Currencies.inexact(facts, invoice)], open: 0n }
    const first = create(facts, invoice, planning)
    const rest = maintain(facts, invoice, invoiceCreated(first), planning)
    const follows = rest.follows === undefined ? {} : { follows: rest.follows + 1 }
    return { ...rest, ...follows, calls: [first, ...rest.calls] }
  }
  if (invoice === undefined) return { calls: [], attention: [neverRead(facts)], open: 0n }
  if (facts.deleted || invoice.status === "void") return withdraw(facts, remote)
  // Nothing is sent and nothing is added up until a person has clarified the currency.
  const unclear = isExact(invoice) ? Currencies.moved(facts, invoice, remote) : Currencies.inexact(facts, invoice)
  if (unclear !== undefined) return { calls: [], attention: [unclear], open: 0n }
  if (isNegative(invoice)) return { calls: [], attention: [negative(facts, invoice)], open: 0n }
  return maintain(facts, invoice, remote, planning)
}

/** Sorts facts by key, so that the order in which they were found has no effect. */
const inOrder = (facts: InvoiceFacts): InvoiceFacts => {
  const byKey = (a: { readonly key: string }, b: { readonly key: string }) =>
    a.key < b.key ? -1 : a.key > b.key ? 1 : 0
  return {
    ...facts,
    payments: facts.payments.toSorted(byKey),
    reversals: facts.reversals.toSorted(byKey),
    creditNotes: facts.creditNotes.toSorted(byKey),
    ...(facts.foreign === undefined ? {} : { foreign: facts.foreign.toSorted(byKey) })
  }
}

const NEGATIVE = "T1: its amount is negative; a credit note belongs under credit_notes"

const isNegative = ({ gross, net }: Invoice): boolean => (gross ?? net ?? 0n) < 0n

/** T1, T3, T4: why an invoice that the service does not have is not sent. Undefined: send it. */
const whyNotSent = ({ deleted, invoice }: InvoiceFacts, { scope = {} }: Planning): string | undefined => {
  if (invoice === undefined) return "not found in the source"
  if (deleted) return "T4: deleted in the source"
  if (invoice.status === "void") return "T4: it is void"
  if (scope.issued_after !== undefined && invoice.issued < scope.issued_after) {
    return `T1: issued ${invoice.issued}, before the scope begins (${scope.issued_after})`
  }
  if (scope.issued_before !== undefined && invoice.issued > scope.issued_before) {
    return `T1: issued ${invoice.issued}, after the scope ends (${scope.issued_before})`
  }
  if (scope.currencies !== undefined && !scope.currencies.includes(invoice.currency)) {
    return `T1: its currency ${invoice.currency} is not in the scope (${scope.currencies.join(", ")})`
  }
  if (isNegative(invoice)) return NEGATIVE
  if ((invoice.gross ?? invoice.net ?? 0n) === 0n)
    return "T1: its amount is 0, so nothing is to be paid (a trial, a gift)"
  if (invoice.status === "draft" && scope.drafts !== true) return "T3: it is a draft, and drafts are not in the scope"
  return undefined
}

const create = (facts: InvoiceFacts, invoice: Invoice, planning: Planning): CallOf<"transactions.create"> => {
  const draft = invoice.status === "draft"
  return {
    ...about(facts, draft ? "T3" : "T2"),
    operation: "transactions.create",
    params: {},
    body: {
      owner: reference(`${facts.connection}/owner`),
      ...InvoiceFields.fields(facts, invoice, planning),
      status: draft ? "draft" : "pending"
    },
    reason: `new: ${invoice.number} to ${invoice.party.name}, issued ${invoice.issued}, due ${invoice.due}${lessCredit(facts, invoice)}`
  }
}

const lessCredit = (facts: InvoiceFacts, invoice: Invoice): string => {
  const { credited, total } = InvoiceFields.due(facts, invoice)
  const say = (amount: bigint) => Currency.say(amount, invoice.currency)
  return credited === 0n ? "" : `; ${say(total + credited)} less ${say(credited)} credited`
}

/** T9, T10: the source voided or deleted it. */
const withdraw = (facts: InvoiceFacts, remote: RemoteInvoice): InvoiceDecision => {
  const what = facts.deleted ? "it was deleted in the source" : "it is void in the source"
  if (remote.insured) {
    return {
      calls: [],
      attention: [
        attention(
          facts,
          "T10",
          `${what}, but it is insured on the service, which refuses to delete it`,
          "ask the service's operator to cancel the policy, or restore the invoice in the source"
        )
      ],
      open: 0n
    }
  }
  return {
    calls: [
      { ...about(facts, "T9"), operation: "transactions.remove", params: own(facts), destructive: true, reason: what }
    ],
    attention: orphans(facts),
    open: 0n
  }
}

/** T5 to T8, T11 to T13: the service has it and the source still wants it there. */
const maintain = (
  facts: InvoiceFacts,
  invoice: Invoice,
  before: RemoteInvoice,
  planning: Planning
): InvoiceDecision => {
  const calls: Array<InvoiceCall> = []
  const problems: Array<Attention> = []
  let remote = before
  const plan = (next: InvoiceCall) => {
    calls.push(next)
    remote = advanceInvoice(remote, next) ?? remote
  }

  const due = InvoiceFields.due(facts, invoice)
  if (due.overcredited) problems.push(overcredited(facts, due, invoice))
  if (invoice.status === "draft" && remote.status !== "draft")
    return { calls, attention: [...problems, redrafted(facts)], open: 0n }

  const leavesDraft = remote.status === "draft" && invoice.status !== "draft"
  if (leavesDraft && remote.insured) {
    plan({
      ...about(facts, "T5"),
      operation: "transactions.confirm",
      params: own(facts),
      reason: "it was issued in the source; it is insured, so it is confirmed"
    })
  }
  const changed = InvoiceFields.differences(InvoiceFields.fields(facts, invoice, planning), remote.fields)
  if (remote.insured) amend(facts, remote, changed, plan, problems)
  else update(facts, remote, changed, leavesDraft, plan)

  if (invoice.status === "draft") return { calls, attention: [...problems, ...orphans(facts)], open: 0n }

  const reported = Payments.report(facts, remote, invoice.currency)
  const follows = reported.follows === undefined ? {} : { follows: calls.length + reported.follows }
  for (const next of reported.calls) plan(next)
  problems.push(
    ...reported.attention,
    ...Currencies.foreign(facts, invoice, remote),
    ...waitingItems(facts, invoice.currency)
  )

  const { call, ...rest } = closing(facts, invoice, {
    remote,
    due,
    isReported: reported.attention.length === 0,
    planning
  })
  if (call !== undefined) plan(call)
  return { ...rest, ...follows, calls, attention: [...problems, ...rest.attention] }
}

interface Standing {
  readonly remote: RemoteInvoice
  readonly due: InvoiceFields.Due
  /** No payment of it needs attention. */
  readonly isReported: boolean
  readonly planning: Planning
}

/** T8, T12: what stays open, whether to mark it as paid, and the comparison with the source's own figures. */
const closing = (
  facts: InvoiceFacts,
  invoice: Invoice,
  { due, isReported, planning, remote }: Standing
): Omit<InvoiceDecision, "calls"> & { readonly call: InvoiceCall | undefined } => {
  const { balance, lacking, open, settled } = settledOf(facts, invoice, due.total, planning)
  const counted = SourceFigures.stillCounted(facts, balance)
  const figures = SourceFigures.of(facts, invoice, planning)
  const strange = SourceFigures.attention(facts, invoice, figures, due.overcredited)
  const closes = settled && planning.report_paid !== false && remote.status === "pending"
  const waitsFor = closes ? Closing.waitsFor(facts, figures, isReported) : undefined
  // What is left of a payment that waits for a person to match it has its own item, so the invoice needs none.
  const isReopened = !settled && remote.status === "paid" && balance > Payments.unplaced(facts, remote)
  const unread = facts.unread === true
  return {
    call: closes && waitsFor === undefined ? Closing.paid(facts, invoice, due.total) : undefined,
    attention: [
      // What is missing may not have been read yet.
      ...(unread ? [] : strange),
      ...(waitsFor !== undefined && facts.reading?.removed === true
        ? [waitsForRemoved(facts, facts.reading.connection)]
        : []),
      ...(lacking > 0n
        ? [notReceived(facts, invoice.currency, lacking, "says that it is paid")]
        : counted > 0n
          ? [notReceived(facts, invoice.currency, counted, "has a payment of it as received")]
          : []),
      ...(isReopened ? [reopened(facts, Currency.say(balance, invoice.currency))] : [])
    ],
    open,
    figures,
    ...(waitsFor === undefined ? {} : { reason: `T12: it is marked as paid once ${waitsFor}` }),
    // Whatever else it waits for is a document that changes.
    ...((waitsFor !== undefined && (unread || facts.blocked !== undefined || facts.returned !== undefined)) ||
    (unread && strange.length > 0)
      ? { waits: true }
      : {})
  }
}

/** T5, T6: PATCH with only the differences, and no call without one, because an edit expires a quote (II 3.2). */
const update = (
  facts: InvoiceFacts,
  remote: RemoteInvoice,
  changed: Fields,
  leavesDraft: boolean,
  plan: (call: InvoiceCall) => void
) => {
  const rest = { ...changed }
  const { debtor = null } = rest
  if (debtor !== null && remote.fields["debtor_name"] !== undefined) {
    for (const name of ["debtor", "debtor_name", "debtor_country", "debtor_regnum", "debtor_address"]) delete rest[name]
    plan({
      ...about(facts, "match"),
      operation: "transactions.matchDebtor",
      params: own(facts),
      body: { debtor },
      reason: `its debtor was matched to company ${debtor}`
    })
  }
  const body: Fields = leavesDraft ? { ...rest, status: "pending" } : rest
  const names = Object.keys(body)
  if (names.length === 0) return
  plan({
    ...about(facts, leavesDraft ? "T5" : "T6"),
    operation: "transactions.update",
    params: own(facts),
    body,
    destructive: lowers(remote, body),
    reason: leavesDraft ? "it was issued in the source" : describe(remote.fields, body)
  })
}

/** T7, T8: an insured transaction changes only through amend, and only in the fields that amend accepts. */
const amend = (
  facts: InvoiceFacts,
  remote: RemoteInvoice,
  changed: Fields,
  plan: (call: InvoiceCall) => void,
  problems: Array<Attention>
) => {
  // Differences that matter only to our own bookkeeping need no attention.
  const others = Object.keys(changed).filter((name) => !InvoiceFields.AMENDABLE.includes(name) && name !== "metadata")
  if (others.length > 0) {
    problems.push(
      attention(
        facts,
        "T8",
        `it is insured, and an insured invoice cannot change ${others.join(", ")}: ${describe(remote.fields, only(changed, others))}`,
        "ask the service's operator to change it, or undo the change in the source"
      )
    )
  }
  const body = only(changed, InvoiceFields.AMENDABLE)
  if (Object.keys(body).length === 0) return
  plan({
    ...about(facts, "T7"),
    operation: "transactions.amend",
    params: own(facts),
    body,
    destructive: lowers(remote, body),
    reason: describe(remote.fields, body)
  })
}

const only = (fields: Fields, names: ReadonlyArray<string>): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => names.includes(name)))

const lowers = (remote: RemoteInvoice, body: Fields): boolean => {
  const [now, before] = [
    body["gross_amount"] ?? body["net_amount"],
    remote.fields["gross_amount"] ?? remote.fields["net_amount"]
  ]
  return typeof now === "string" && typeof before === "string" && Decimal.of(now) < Decimal.of(before)
}

const about = (facts: InvoiceFacts, rule: Rule) =>
  ({ kind: "invoice", subject: facts.key, fact: facts.key, rule, destructive: false }) as const

/** A reference to the invoice's own transaction. */
const own = (facts: InvoiceFacts) => ({ transaction_id: reference(facts.key) })
