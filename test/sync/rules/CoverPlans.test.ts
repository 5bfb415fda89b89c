/**
 * The promises of whole plans of an invoice with cover, over small histories: the invoice's own calls, then what is asked for
 * and bought, carried out in part or in whole on a model of the service that expires an offer with every edit (II 3.2).
 */
import { assert, describe, it } from "@effect/vitest"
import * as Decimal from "../../../core/money/Decimal.ts"
import { advanceInvoice } from "../../../sync/model/Advance.ts"
import { type Answer, FORESEEN } from "../../../sync/model/Answer.ts"
import type { InvoiceCall } from "../../../sync/model/Call.ts"
import type { Planning } from "../../../sync/model/Connection.ts"
import type { CoverQuote } from "../../../sync/model/Cover.ts"
import type { CoverContext } from "../../../sync/model/CoverContext.ts"
import type { InvoiceFacts } from "../../../sync/model/InvoiceFacts.ts"
import type { RemoteInvoice } from "../../../sync/model/RemoteInvoice.ts"
import { cover } from "../../../sync/rules/Cover.ts"
import { reconcile } from "../../../sync/rules/Invoices.ts"
import { type History, histories, subjects } from "../../support/Books.ts"
import { key } from "../../support/Documents.ts"
import { runs } from "../../support/Effort.ts"
import { Refused, ServiceModel } from "../../support/ServiceModel.ts"
import { SETTINGS } from "../Covered.ts"

/** Before anything is due. */
const NOW = Date.UTC(2026, 0, 2, 9)

const CONTEXT: CoverContext = {
  contradictions: () => [],
  standing: {},
  now: NOW,
  spent: 0n,
  ahead: 0n,
  exposure: { insured: 0n, waiting: 0n, ahead: 0n, first: true, others: [], count: 0 },
  known: [],
  listed: true,
  speaks: true
}

/** An invoice on a service that quotes and insures it, and what the ledger says of it. */
interface State {
  readonly model: ServiceModel
  readonly remote: RemoteInvoice | undefined
  readonly quotes: ReadonlyArray<CoverQuote["status"]>
  /** Offers that an edit expired. */
  readonly edited: number
  readonly policies: number
}

const EDITS = ["transactions.update", "transactions.amend", "transactions.matchDebtor"]

const quoteOf = (n: number, status: string): CoverQuote => ({
  id: `quo-${n}`,
  status,
  created: "2026-01-02T08:00:00Z",
  validUntil: "2026-02-01T08:00:00Z",
  price: { currency: "GBP", total: "20.00" }
})

const refuse = (why: string): never => {
  throw new Refused(409, why)
}

/** What the service makes of a call, and the ledger of its answer. Throws `Refused`. */
const perform = (state: State, call: InvoiceCall, declines: boolean): State => {
  const { edited, model, policies, quotes } = state
  const there = model.get(call.subject)
  const latest = quotes.at(-1)
  const advance = (answer: Answer, changed: Partial<State>): State => ({
    ...state,
    ...changed,
    remote: advanceInvoice(state.remote, call, answer)
  })
  switch (call.operation) {
    case "quotes.create": {
      if (there === undefined || there.insured) return refuse("it is not there, or insured")
      const status = declines ? "declined" : "offered"
      const next = [...quotes.slice(0, -1), ...(latest === undefined ? [] : [ended(latest)]), status]
      const rejection = declines ? { rejection: { code: "buyer-sector" } } : {}
      return advance({ kind: "quote", quote: { ...quoteOf(next.length, status), ...rejection } }, { quotes: next })
    }
    case "policies.create": {
      if (latest !== "offered" || call.body["quote"] !== `quo-${quotes.length}`) return refuse("the quote has expired")
      const copied = copy(model, call.subject)
      copied.insure(call.subject)
      return advance(
        { kind: "policy", policy: { id: "pol-1", status: "active" } },
        { model: copied, quotes: [...quotes.slice(0, -1), "accepted"], policies: policies + 1 }
      )
    }
    default: {
      const copied = copy(model, call.subject)
      copied.perform(call)
      const expires = EDITS.includes(call.operation) && latest === "offered"
      return advance(FORESEEN, {
        model: copied,
        ...(expires ? { quotes: [...quotes.slice(0, -1), "expired"], edited: edited + 1 } : {})
      })
    }
  }
}

const ended = (status: string): string => (status === "offered" ? "expired" : status)

const copy = (model: ServiceModel, subject: string): ServiceModel => {
  const there = model.get(subject)
  return there === undefined ? new ServiceModel() : ServiceModel.holding(subject, there)
}

const planOf = (facts: InvoiceFacts, remote: RemoteInvoice | undefined, planning: Planning) => {
  const { calls } = reconcile(facts, remote, planning)
  const after = calls.reduce<RemoteInvoice | undefined>((now, call) => advanceInvoice(now, call), remote)
  const { invoice } = facts
  if (after === undefined || invoice === undefined) return calls
  const edited = remote?.cover?.quote?.status === "offered" && after.cover?.quote?.status === "expired"
  const of = { facts, invoice, remote: after, settings: SETTINGS, context: CONTEXT, edited }
  return [...calls, ...cover(of).calls]
}

interface Moment {
  readonly facts: InvoiceFacts
  readonly planning: Planning
  readonly state: State
  readonly declines: boolean
}

const step = (state: State, call: InvoiceCall, { declines }: Pick<Moment, "declines">): State => {
  try {
    return perform(state, call, declines)
  } catch (refused) {
    if (!(refused instanceof Refused)) throw refused
    return assert.fail(`${refused.message}, for ${call.rule} ${call.operation}`)
  }
}

/** Plans until there is nothing to do; cut off after `cut` calls, once, and planned anew. */
const settle = (moment: Moment, cut = Number.POSITIVE_INFINITY): State => {
  let { state } = moment
  let left = cut
  for (let plans = 0; plans < 6; plans++) {
    const calls = planOf(moment.facts, state.remote, moment.planning)
    if (calls.length === 0) return state
    for (const call of calls) {
      if (left-- === 0) break
      state = step(state, call, moment)
    }
  }
  return assert.fail("there is always something to do")
}

const walk = ({ planning, steps }: History, look: (moment: Moment) => void): void => {
  const states = new Map<string, State>()
  for (const [n, { books, insure, made }] of steps.entries()) {
    for (const facts of subjects(books)) {
      const { invoice } = facts
      const fresh: State = { model: new ServiceModel(), remote: undefined, quotes: [], edited: 0, policies: 0 }
      let state = states.get(facts.key) ?? fresh
      if (insure !== undefined && key("invoice", insure) === facts.key && state.model.insure(facts.key))
        state = { ...state, remote: { ...state.remote!, insured: true }, quotes: [...state.quotes, "accepted"] }
      states.set(facts.key, state)
      if (invoice === undefined) continue
      const moment = { facts, planning, state, declines: n === 1 && invoice.number === "A-2" }
      look(moment)
      for (const call of planOf(facts, state.remote, planning).slice(0, made)) state = step(state, call, moment)
      states.set(facts.key, state)
    }
  }
}

/** What the service and the ledger come to, whatever the way there; how often a quote was asked for does not count. */
const endOf = ({ facts }: Moment, { model, policies, quotes, remote }: State) => {
  const there = model.get(facts.key)
  return {
    fields: there?.fields,
    status: there?.status,
    payments: there?.payments.map(({ amount, details }) => `${details} ${Decimal.format(amount, 2)}`),
    insured: there?.insured,
    quote: quotes.at(-1),
    policies,
    ledger: [remote?.insured, remote?.cover?.quote?.status]
  }
}

describe("the plan of an invoice with cover", () => {
  it.prop(
    "settled: what is planned is quoted and bought once, and then there is nothing to do",
    { history: histories },
    ({ history }) =>
      walk(history, (moment) => {
        const end = settle(moment)
        assert.isAtMost(end.policies, 1)
        assert.deepStrictEqual(planOf(moment.facts, end.remote, moment.planning), [])
      }),
    runs(150)
  )

  it.prop(
    "ordered: no call meets a state in which a later one should have come first",
    { history: histories },
    ({ history }) =>
      walk(history, (moment) => {
        const calls = planOf(moment.facts, moment.state.remote, moment.planning)
        let { state } = moment
        for (const [n, call] of calls.entries()) {
          const anew = planOf(moment.facts, state.remote, moment.planning)
          assert.strictEqual(anew[0]?.operation, call.operation)
          const last = n === calls.length - 1
          if (call.operation === "quotes.create" || call.operation === "policies.create") assert.isTrue(last)
          state = step(state, call, moment)
        }
      }),
    runs(150)
  )

  it.prop(
    "resumable: cut off after any call and planned anew, it comes to the same",
    { history: histories },
    ({ history }) =>
      walk(history, (moment) => {
        const whole = settle(moment)
        for (let cut = 0; cut < 8; cut++)
          assert.deepStrictEqual(endOf(moment, settle(moment, cut)), endOf(moment, whole))
      }),
    runs(100)
  )

  it.prop(
    "Q2: an edit expires an offer only where the source changed the invoice, and before it is bought",
    { history: histories },
    ({ history }) =>
      walk(history, (moment) => {
        const end = settle(moment)
        const offered = moment.state.quotes.at(-1) === "offered"
        // Whatever is asked for in these plans stands: an edit comes before.
        assert.isAtMost(end.edited - moment.state.edited, offered ? 1 : 0)
        for (const call of planOf(moment.facts, moment.state.remote, moment.planning)) {
          if (call.operation !== "transactions.update") continue
          const { status, ...held } = moment.state.remote!.fields
          const changes = Object.entries(call.body).filter(
            ([name, value]) => name !== "status" && JSON.stringify(held[name]) !== JSON.stringify(value)
          )
          const promoted = call.body["status"] !== undefined && call.body["status"] !== moment.state.remote!.status
          assert.isTrue(changes.length > 0 || promoted, `${status}: an edit that changes nothing`)
        }
      }),
    runs(150)
  )
})
