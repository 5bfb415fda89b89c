/**
 * One invoice of the books against what the service holds of it, giving the calls that close the gap.
 *
 * Pure and total: no clock, no network, no database, no failure. Promises, each a property in `test/sync/Reconcile.test.ts`:
 *
 *   settled      carrying out a plan leaves nothing to plan
 *   ordered      the order in which facts are listed does not change the plan
 *   resumable    after any prefix of a plan, the new plan is the rest of it
 *   faithful     the service accepts every call, and then says what the books say
 *
 * Rules T1 to T13 are here, P1 to P8 in `Payments.ts`, amounts and credit notes in `InvoiceFields.ts`, and what cannot be
 * counted in the invoice's currency in `Currencies.ts`.
 */
import type { Decision } from "../model/Decision.ts"
import type { Invoice } from "../../connectors/Document.ts"
import * as Currency from "../../core/money/Currency.ts"
import * as Decimal from "../../core/money/Decimal.ts"
import { type Attention, type Call, reference, type Rule } from "../model/Call.ts"
import { advance } from "../model/Advance.ts"
import type { Planning } from "../model/Connection.ts"
import type { Fields, Told } from "../model/RemoteInvoice.ts"
import * as Currencies from "./Currencies.ts"
import * as Payments from "./Payments.ts"
import { counted, isExact, type Subject } from "../model/InvoiceFacts.ts"
import { describe } from "./FieldChanges.ts"
import * as InvoiceFields from "./InvoiceFields.ts"

export const reconcile = (unordered: Subject, told: Told | undefined, planning: Planning): Decision => {
  const subject = inOrder(counted(unordered))
  const { invoice } = subject
  if (told === undefined) {
    const reason = untold(subject, planning)
    if (reason !== undefined) return { calls: [], attention: orphans(subject), reason, open: 0n }
    if (!isExact(invoice!)) return { calls: [], attention: [Currencies.inexact(subject, invoice!)], open: 0n }
    const first = create(subject, invoice!, planning)
    const rest = maintain(subject, invoice!, advance<Told>(undefined, first)!, planning)
    return { ...rest, calls: [first, ...rest.calls] }
  }
  if (invoice === undefined) return { calls: [], attention: [neverRead(subject)], open: 0n }
  if (subject.gone || invoice.status === "void") return withdraw(subject, told)
  // Nothing is sent, and nothing is added up, before a person has settled in which currency it is.
  const unsettled = isExact(invoice) ? Currencies.moved(subject, invoice, told) : Currencies.inexact(subject, invoice)
  if (unsettled !== undefined) return { calls: [], attention: [unsettled], open: 0n }
  return maintain(subject, invoice, told, planning)
}

/** Facts by key, so that the order in which they were found decides nothing. */
const inOrder = (subject: Subject): Subject => {
  const byKey = (a: { readonly key: string }, b: { readonly key: string }) =>
    a.key < b.key ? -1 : a.key > b.key ? 1 : 0
  return {
    ...subject,
    payments: subject.payments.toSorted(byKey),
    reversals: subject.reversals.toSorted(byKey),
    creditNotes: subject.creditNotes.toSorted(byKey),
    ...(subject.foreign === undefined ? {} : { foreign: subject.foreign.toSorted(byKey) })
  }
}

/** T1, T3, T4: why an invoice that the service does not have stays untold. Undefined: it is to be told. */
const untold = ({ gone, invoice }: Subject, { scope = {} }: Planning): string | undefined => {
  if (invoice === undefined) return "the source has not stated this invoice"
  if (gone) return "T4: the source no longer has it"
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
  if ((invoice.gross ?? invoice.net ?? 0n) < 0n)
    return "T1: its amount is negative; a credit note belongs under credit_notes"
  if (invoice.status === "draft" && scope.drafts !== true) return "T3: it is a draft, and drafts are not in the scope"
  return undefined
}

/** Money that has no invoice to be reported on: none was stated, or it was withdrawn and the money was not returned. */
const orphans = (subject: Subject): ReadonlyArray<Attention> => {
  const { creditNotes, gone, invoice, payments, reversals } = subject
  if (invoice !== undefined && !gone && invoice.status !== "void") return []
  const foreign = (subject.foreign ?? []).filter(({ document }) => document.kind !== "credit_note")
  const own = invoice !== undefined && received(subject) === 0n ? [] : [...payments, ...reversals]
  const facts = invoice === undefined ? [...own, ...creditNotes] : [...own, ...foreign]
  const what =
    invoice === undefined
      ? "that the source has not stated"
      : gone
        ? "that the source no longer has"
        : "that is void in the source"
  return facts.map(({ key, amount, document }) => ({
    subject: subject.key,
    fact: key,
    rule: "P1" as const,
    why: `${Currency.say(amount, document.currency ?? invoice?.currency)} is allocated to an invoice ${what}`,
    todo:
      invoice === undefined
        ? "check the invoice's id in the source; it is sent as soon as the invoice is there"
        : "allocate it to another invoice in the source, or restore this one"
  }))
}

const create = (subject: Subject, invoice: Invoice, planning: Planning): Call => {
  const draft = invoice.status === "draft"
  return {
    ...call(subject, draft ? "T3" : "T2", "transactions.create"),
    params: {},
    body: {
      owner: reference(`${subject.connection}/owner`),
      ...InvoiceFields.fields(subject, invoice, planning),
      status: draft ? "draft" : "pending"
    },
    because: `new: ${invoice.number} to ${invoice.party.name}, issued ${invoice.issued}, due ${invoice.due}${lessCredit(subject, invoice)}`
  }
}

const lessCredit = (subject: Subject, invoice: Invoice): string => {
  const { credited, total } = InvoiceFields.due(subject, invoice)
  const say = (amount: bigint) => Currency.say(amount, invoice.currency)
  return credited === 0n ? "" : `; ${say(total + credited)} less ${say(credited)} credited`
}

/** It was taken over from the service, and was never read here: that says nothing of whether the source still has it. */
const NEVER_READ = "the service has it, and it was not found in the source"
const READ_IT = "read the source with `daybook pull`; if the source no longer has it, delete it on the service"
const neverRead = (subject: Subject): Attention => attention(subject, "T9", NEVER_READ, READ_IT)

/** T9, T10: the source voided or deleted it. */
const withdraw = (subject: Subject, told: Told): Decision => {
  const what = subject.gone ? "the source no longer has it" : "it is void in the source"
  if (told.insured) {
    return {
      calls: [],
      attention: [
        attention(
          subject,
          "T10",
          `${what}, but it is insured on the service, which refuses to delete it`,
          "ask the service's operator to cancel the policy, or restore the invoice in the source"
        )
      ],
      open: 0n
    }
  }
  return {
    calls: [{ ...call(subject, "T9", "transactions.remove"), reduces: true, because: what }],
    attention: orphans(subject),
    open: 0n
  }
}

/** T5 to T8, T11 to T13: the service has it and the source still wants it there. */
const maintain = (subject: Subject, invoice: Invoice, before: Told, planning: Planning): Decision => {
  const calls: Array<Call> = []
  const problems: Array<Attention> = []
  let told = before
  const plan = (next: Call) => {
    calls.push(next)
    told = advance(told, next)!
  }

  const due = InvoiceFields.due(subject, invoice)
  if (due.overcredited) {
    problems.push(
      attention(subject, "T6", "its credit notes exceed its amount", "correct the credit notes in the source")
    )
  }
  if (invoice.status === "draft") {
    if (told.status !== "draft") {
      problems.push(
        attention(
          subject,
          "T11",
          "it went back to draft in the source, which the service does not allow",
          "issue it again in the source, or void it"
        )
      )
      return { calls, attention: problems, open: 0n }
    }
  }

  const leavesDraft = told.status === "draft" && invoice.status !== "draft"
  if (leavesDraft && told.insured) {
    plan({
      ...call(subject, "T5", "transactions.confirm"),
      because: "it was issued in the source; it is insured, so it is confirmed"
    })
  }
  const changed = InvoiceFields.differences(InvoiceFields.fields(subject, invoice, planning), told.fields)
  if (told.insured) amend(subject, told, changed, plan, problems)
  else update(subject, told, changed, leavesDraft, plan)

  if (invoice.status === "draft") return { calls, attention: problems, open: 0n }

  const reported = Payments.report(subject, told, invoice.currency)
  for (const next of reported.calls) plan(next)
  problems.push(...reported.attention, ...Currencies.foreign(subject, invoice, told))

  const balance = due.total - received(subject)
  const settled = invoice.status === "paid" || balance <= 0n
  const closes =
    settled &&
    told.status === "pending" &&
    reported.attention.length === 0 &&
    subject.foreign === undefined &&
    planning.report_paid !== false
  // There is no way back from paid: money that went back may not have been read yet.
  if (closes && subject.unread !== true) plan(paid(subject, invoice, due.total))
  if (!settled && told.status === "paid") {
    problems.push(
      attention(
        subject,
        "T13",
        `it is paid on the service, but ${Currency.say(balance, invoice.currency)} is open again in the source`,
        "tell the service's operator: the service has no way back from paid"
      )
    )
  }
  const closed = settled && planning.report_paid !== false
  const waits = closes && subject.unread === true
  return {
    calls,
    attention: problems,
    open: closed || balance < 0n ? 0n : balance,
    ...(waits ? { waits, reason: UNREAD } : {})
  }
}

const UNREAD = "T12: it is marked as paid once everything of the source could be read"

const received = (subject: Subject): Decimal.Decimal =>
  Decimal.sum(subject.payments.map(({ amount }) => amount)) - Decimal.sum(subject.reversals.map(({ amount }) => amount))

/** T5, T6: PATCH with only what differs; nothing at all when nothing does, because an edit expires a quote (II 3.2). */
const update = (subject: Subject, told: Told, changed: Fields, leavesDraft: boolean, plan: (call: Call) => void) => {
  const rest = { ...changed }
  if ("debtor" in rest && rest["debtor"] !== null && told.fields["debtor_name"] !== undefined) {
    const debtor = rest["debtor"]!
    for (const name of ["debtor", "debtor_name", "debtor_country", "debtor_regnum", "debtor_address"]) delete rest[name]
    plan({
      ...call(subject, "match", "transactions.matchDebtor"),
      body: { debtor },
      because: `its debtor was matched to company ${debtor}`
    })
  }
  const body: Fields = leavesDraft ? { ...rest, status: "pending" } : rest
  const names = Object.keys(body)
  if (names.length === 0) return
  plan({
    ...call(subject, leavesDraft ? "T5" : "T6", "transactions.update"),
    body,
    reduces: lowers(told, body),
    because: leavesDraft ? "it was issued in the source" : describe(told.fields, body)
  })
}

/** T7, T8: an insured transaction changes only through amend, and only in what amend takes. */
const amend = (
  subject: Subject,
  told: Told,
  changed: Fields,
  plan: (call: Call) => void,
  problems: Array<Attention>
) => {
  // What is only for our own book-keeping is not worth a person's time.
  const others = Object.keys(changed).filter((name) => !InvoiceFields.AMENDABLE.includes(name) && name !== "metadata")
  if (others.length > 0) {
    problems.push(
      attention(
        subject,
        "T8",
        `it is insured, and amend does not take ${others.join(", ")}: ${describe(told.fields, only(changed, others))}`,
        "ask the service's operator to change it, or undo the change in the source"
      )
    )
  }
  const body = only(changed, InvoiceFields.AMENDABLE)
  if (Object.keys(body).length === 0) return
  plan({
    ...call(subject, "T7", "transactions.amend"),
    body,
    reduces: lowers(told, body),
    because: describe(told.fields, body)
  })
}

const only = (fields: Fields, names: ReadonlyArray<string>): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => names.includes(name)))

const lowers = (told: Told, body: Fields): boolean => {
  const [now, before] = [
    body["gross_amount"] ?? body["net_amount"],
    told.fields["gross_amount"] ?? told.fields["net_amount"]
  ]
  return typeof now === "string" && typeof before === "string" && Decimal.of(now) < Decimal.of(before)
}

const paid = (subject: Subject, invoice: Invoice, total: Decimal.Decimal): Call => {
  const facts = [...subject.payments, ...subject.reversals, ...subject.creditNotes]
  const last = facts.reduce<Subject["payments"][number] | (typeof facts)[number] | undefined>(
    (latest, fact) => (latest === undefined || fact.document.date > latest.document.date ? fact : latest),
    undefined
  )
  const date = last?.document.date ?? invoice.paidOn
  const method =
    subject.payments.find(({ document }) => document.method !== undefined)?.document.method ?? invoice.payMethod
  return {
    ...call(subject, "T12", "transactions.paid"),
    fact: last?.key ?? subject.key,
    body: {
      ...(method === undefined ? {} : { pay_method: method }),
      ...(date === undefined ? {} : { paid_date: date })
    },
    because:
      facts.length === 0
        ? "the source says it is paid"
        : `${Currency.say(total, invoice.currency)} due, ${Currency.say(received(subject), invoice.currency)} received: settled${date === undefined ? "" : ` on ${date}`}`
  }
}

const call = (subject: Subject, rule: Rule, operation: Call["operation"]) => ({
  subject: subject.key,
  fact: subject.key,
  rule,
  operation,
  params: { transaction_id: reference(subject.key) } as Readonly<Record<string, string>>,
  reduces: false
})

const attention = (subject: Subject, rule: Rule, why: string, todo: string): Attention => ({
  subject: subject.key,
  fact: subject.key,
  rule,
  why,
  todo
})
