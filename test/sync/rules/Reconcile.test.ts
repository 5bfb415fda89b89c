/**
 * The promises of the reconciler, over thousands of small histories that collide: every plan is carried out on a model
 * of the service written from the specification, in part or in whole, before the source changes its mind.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Decimal from "../../../core/money/Decimal.ts"
import { bodyOf, type InvoiceCall } from "../../../sync/model/Call.ts"
import { advanceInvoice } from "../../../sync/model/Advance.ts"
import type { Planning } from "../../../sync/model/Connection.ts"
import { decodeRemote, encodeRemote } from "../../../sync/model/Remote.ts"
import { receivedOn, type RemoteInvoice } from "../../../sync/model/RemoteInvoice.ts"
import { openAmount } from "../../../sync/rules/OpenAmount.ts"
import { reconcile } from "../../../sync/rules/Invoices.ts"
import type { Decision } from "../../../sync/model/Decision.ts"
import type { InvoiceFacts } from "../../../sync/model/InvoiceFacts.ts"
import { type History, histories, subjects } from "../../support/Books.ts"
import { key } from "../../support/Documents.ts"
import { Refused, ServiceModel, type Transaction } from "../../support/ServiceModel.ts"
import { runs } from "../../support/Effort.ts"

/** One invoice at one moment of a history, before its plan is carried out. */
interface Moment {
  readonly facts: InvoiceFacts
  readonly remote: RemoteInvoice | undefined
  readonly planning: Planning
  readonly model: ServiceModel
  /** Which payment a reversal takes back, as far as a source has said so. */
  readonly names: Map<string, string>
}

const carryOut = (remote: RemoteInvoice | undefined, calls: ReadonlyArray<InvoiceCall>): RemoteInvoice | undefined =>
  calls.reduce<RemoteInvoice | undefined>((now, call) => advanceInvoice(now, call), remote)

/** Walks through a history; `look` sees every moment before the step's calls are made. */
const walk = ({ planning, steps }: History, look: (moment: Moment) => void): void => {
  const model = new ServiceModel()
  const ledger = new Map<string, RemoteInvoice | undefined>()
  const names = new Map<string, string>()
  const stated = new Map<string, InvoiceFacts["invoice"]>()
  for (const { books, insure, made } of steps) {
    const insured = insure === undefined ? undefined : key("invoice", insure)
    if (insured !== undefined && model.insure(insured)) ledger.set(insured, { ...ledger.get(insured)!, insured: true })
    for (const said of subjects(books)) {
      // The books remember an invoice that was deleted in the source.
      const earlier = stated.get(said.key)
      const facts =
        said.invoice === undefined && earlier !== undefined ? { ...said, invoice: earlier, deleted: true } : said
      stated.set(facts.key, facts.invoice)
      for (const { document, key: fact } of facts.reversals) {
        if (document.payment === undefined) names.delete(fact)
        else names.set(fact, key("payment", document.payment))
      }
      const remote = ledger.get(facts.key)
      look({ facts, remote, planning, model, names })
      const calls = reconcile(facts, remote, planning).calls.slice(0, made)
      for (const call of calls) perform(model, call)
      ledger.set(facts.key, carryOut(remote, calls))
    }
  }
}

const perform = (model: ServiceModel, call: InvoiceCall): void => {
  try {
    model.perform(call)
  } catch (refused) {
    if (!(refused instanceof Refused)) throw refused
    assert.fail(`${refused.message}, for ${call.rule} ${call.operation} ${JSON.stringify(bodyOf(call))}`)
  }
}

/** As text, so that a failure shows the words. */
const words = ({ attention }: Decision): string =>
  attention.map((one) => `${one.rule} ${one.fact} ${one.why}`).join("\n")

describe("reconcile", () => {
  it.prop(
    "settled: carrying out a plan leaves nothing to plan, and the same attention",
    { history: histories },
    ({ history }) =>
      walk(history, ({ planning, facts, remote }) => {
        const plan = reconcile(facts, remote, planning)
        const after = reconcile(facts, carryOut(remote, plan.calls), planning)
        assert.deepStrictEqual(after.calls, [])
        assert.deepStrictEqual(words(after), words(plan))
        assert.strictEqual(after.open, plan.open)
      }),
    runs(500)
  )

  it.prop(
    "open: what the rules come to is what the documents alone come to",
    { history: histories },
    ({ history }) =>
      walk(history, ({ planning, facts, remote }) => {
        const { open } = reconcile(facts, remote, planning)
        const held = remote?.fields["currency"] ?? facts.invoice?.currency
        assert.strictEqual(
          openAmount(facts, remote, planning)?.open ?? 0n,
          held === facts.invoice?.currency ? open : 0n
        )
      }),
    runs(500)
  )

  it.prop(
    "ordered: the order in which facts are listed does not change the plan",
    { history: histories },
    ({ history }) =>
      walk(history, ({ planning, facts, remote }) => {
        const reversed: InvoiceFacts = {
          ...facts,
          payments: facts.payments.toReversed(),
          reversals: facts.reversals.toReversed(),
          creditNotes: facts.creditNotes.toReversed()
        }
        assert.deepStrictEqual(reconcile(reversed, remote, planning), reconcile(facts, remote, planning))
      }),
    runs(333)
  )

  it.prop(
    "resumable: after any prefix of a plan, the new plan is the rest of it",
    { history: histories },
    ({ history }) =>
      walk(history, ({ planning, facts, remote }) => {
        const plan = reconcile(facts, remote, planning)
        for (let done = 1; done < plan.calls.length; done++) {
          const rest = reconcile(facts, carryOut(remote, plan.calls.slice(0, done)), planning)
          assert.deepStrictEqual(rest.calls, plan.calls.slice(done))
          assert.deepStrictEqual(words(rest), words(plan))
        }
      }),
    runs(500)
  )

  it.prop(
    "faithful: the service accepts every call, and then says what the books say",
    { history: histories },
    ({ history }) =>
      walk(history, (moment) => {
        const { model, planning, facts, remote } = moment
        const trial = copy(model, facts.key)
        const decision = reconcile(facts, remote, planning)
        for (const call of decision.calls) perform(trial, call)
        agrees(facts, decision, trial.get(facts.key), planning, remote)
      }),
    runs(667)
  )

  it.prop(
    "the ledger says what the service says",
    { history: histories },
    ({ history }) =>
      walk(history, ({ model, facts, remote }) => {
        const held = model.get(facts.key)
        assert.strictEqual(remote === undefined, held === undefined)
        if (remote === undefined || held === undefined) return
        assert.strictEqual(remote.status, held.status)
        assert.strictEqual(remote.insured, held.insured)
        for (const [name, value] of Object.entries(remote.fields))
          assert.deepStrictEqual(held.fields[name] ?? null, value)
        assert.strictEqual(receivedOn(remote), Decimal.sum(held.payments.map(({ amount }) => amount)))
        assert.deepStrictEqual(
          decodeRemote({ subject: facts.key, remote: remote.id, held: encodeRemote(facts.key, remote) }),
          remote
        )
      }),
    runs(333)
  )

  it.prop(
    "at no moment do the negatives of a payment exceed its earlier positives",
    { history: histories },
    ({ history }) =>
      walk(history, ({ names, planning, facts, remote }) => {
        const balance = new Map<string, bigint>()
        const add = (fact: string, amount: bigint): bigint | undefined => {
          const payment = fact.includes("/payment/") ? fact : names.get(fact)
          if (payment === undefined) return undefined
          const now = (balance.get(payment) ?? 0n) + amount
          balance.set(payment, now)
          return now
        }
        for (const { amount, fact } of remote?.postings ?? []) add(fact, amount)
        for (const call of reconcile(facts, remote, planning).calls) {
          if (call.operation !== "transactions.createPayment") continue
          const { fact, posting } = call
          const now = add(fact, posting.amount)
          if (posting.amount < 0n && now !== undefined) assert.isTrue(now >= 0n, `${fact} leaves ${now}`)
        }
      }),
    runs(500)
  )

  it.prop(
    "sends only what differs, and nothing when nothing does",
    { history: histories },
    ({ history }) =>
      walk(history, ({ planning, facts, remote }) => {
        if (remote === undefined) return
        for (const call of reconcile(facts, remote, planning).calls) {
          if (call.operation !== "transactions.update" && call.operation !== "transactions.amend") continue
          assert.isAbove(Object.keys(call.body).length, 0)
          for (const [name, value] of Object.entries(call.body)) {
            if (name === "status") assert.deepStrictEqual([remote.status, value], ["draft", "pending"])
            else assert.notDeepEqual(value, remote.fields[name] ?? null, name)
          }
        }
      }),
    runs(333)
  )

  it.prop(
    "every fact is reported once, and every call says which rule and fact caused it",
    { history: histories },
    ({ history }) => {
      const reported = new Set<string>()
      walk({ ...history, steps: history.steps.slice(0, 1) }, ({ planning, facts }) => {
        const { calls } = reconcile(facts, undefined, planning)
        for (const call of calls) {
          assert.isNotEmpty(call.reason)
          assert.match(call.rule, /^[TP]\d+$/)
          if (call.operation !== "transactions.createPayment") continue
          const { body, fact, posting } = call
          assert.isFalse(reported.has(`${facts.key} ${fact}`), `${fact} twice`)
          reported.add(`${facts.key} ${fact}`)
          assert.isTrue(String(body["details"]).startsWith(posting.key))
        }
      })
    },
    runs(333)
  )
})

const copy = (model: ServiceModel, subject: string): ServiceModel => {
  const held = model.get(subject)
  return held === undefined ? new ServiceModel() : ServiceModel.holding(subject, held)
}

/** What the service should hold, by the rules and the books alone. */
const agrees = (
  { creditNotes, deleted, invoice, key, payments, reversals }: InvoiceFacts,
  { attention }: Decision,
  held: Transaction | undefined,
  planning: Planning,
  remote: RemoteInvoice | undefined
): void => {
  const rules = new Set(attention.map(({ rule }) => rule))
  if (invoice === undefined || deleted || invoice.status === "void") {
    // T4, T9, T10
    if (remote?.insured) assert.isTrue(rules.has("T10"))
    else assert.isUndefined(held)
    return
  }
  if (invoice.status === "draft" && planning.scope?.drafts !== true && remote === undefined)
    return assert.isUndefined(held)
  if ((invoice.gross ?? invoice.net) === 0n && remote === undefined) return assert.isUndefined(held)
  assert.isDefined(held, key)
  if (held === undefined) return
  if (rules.has("T11")) return assert.notStrictEqual(held.status, "draft")

  const total = invoice.gross ?? invoice.net!
  const credited = Decimal.sum(creditNotes.map(({ amount }) => amount))
  const due = credited > total ? 0n : total - credited
  const { fields } = held
  if (invoice.gross === undefined) assert.notProperty(stated(fields), "gross_amount")
  else assert.strictEqual(fields["gross_amount"], Decimal.format(due, 2))
  if (invoice.net === undefined) assert.notProperty(stated(fields), "net_amount")
  else if (credited === 0n) assert.strictEqual(fields["net_amount"], Decimal.format(invoice.net, 2))
  const schedule = fields["scheduled_payments"] as ReadonlyArray<{ readonly date: string; readonly amount: string }>
  assert.strictEqual(Decimal.sum(schedule.map(({ amount }) => Decimal.of(amount))), due)
  assert.strictEqual(schedule.at(-1)!.date, fields["due_date"])
  if (credited === 0n) assert.strictEqual(fields["due_date"], invoice.schedule?.at(-1)?.date ?? invoice.due)
  assert.strictEqual(fields["issue_date"], invoice.issued)
  if (!rules.has("T8")) {
    assert.strictEqual(fields["currency"], invoice.currency)
    assert.strictEqual(fields["number"], invoice.number)
  }
  if (invoice.status === "draft") return assert.strictEqual(held.status, "draft")

  // Every fact stands there once, with the amount that the source says, unless it is attention.
  const facts = new Map([
    ...payments.map(({ amount, key }) => [key, amount] as const),
    ...reversals.map(({ amount, key }) => [key, -amount] as const)
  ])
  const standing = new Map<string, bigint>()
  for (const { amount, details } of held.payments) {
    const fact = details.replace(/[#;].*$/, "")
    standing.set(fact, (standing.get(fact) ?? 0n) + amount)
  }
  const stuck = new Set(attention.map(({ fact }) => fact))
  for (const fact of new Set([...facts.keys(), ...standing.keys()])) {
    if (!stuck.has(fact)) assert.strictEqual(standing.get(fact) ?? 0n, facts.get(fact) ?? 0n, fact)
  }
  const received = Decimal.sum(facts.values())
  // What went back and was no refund is open again, whatever the source says.
  const back = reversals.some(({ amount, document }) => document.type !== "refund" && amount > 0n)
  const settled = received >= due || (invoice.status === "paid" && !back)
  const waits = attention.some(({ rule }) => rule.startsWith("P") || rule === "S1")
  if (remote?.status === "paid") {
    assert.strictEqual(held.status, "paid")
    assert.strictEqual(rules.has("T13"), !settled)
  } else assert.strictEqual(held.status, settled && !waits && planning.report_paid !== false ? "paid" : "pending")
}

const stated = (fields: Transaction["fields"]) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null))
