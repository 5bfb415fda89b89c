/**
 * Asks a service's test environment whether it is as the rules assume (`../rules/Assumptions.ts`): a probe for each row that
 * has one. They work on documents of their own, whose names say so, and touch no books and no state file.
 */
import { hash } from "node:crypto"
import { Clock, Effect, Option, Stream } from "effect"
import { pages } from "../../core/Client.ts"
import type { Operations } from "../../core/Operations.ts"
import type { ServiceError } from "../../core/ServiceError.ts"
import * as Decimal from "../../core/money/Decimal.ts"
import * as Day from "../../core/wire/Day.ts"
import type { OrderId, PaymentId, TransactionId } from "../../core/wire/Ids.ts"
import { streamedForm } from "../../core/wire/StreamedForm.ts"
import { monotonic } from "../apply/SettleTime.ts"
import type { Probe } from "../rules/Assumptions.ts"

export interface ProbeFinding {
  readonly standing: "holds" | "does not hold" | "cannot be probed here"
  readonly found: string
}

/** Something that a check created on the service. */
export interface TestDocument {
  readonly kind: "organisation" | "user" | "invoice" | "order"
  readonly id: string
  readonly name: string
}

export interface Bench {
  readonly client: Operations
  /** The same service, asked with a key that it cannot know. */
  readonly stranger: Operations
  /** The name of this check, with which the name of each of its documents begins. */
  readonly run: string
  /** Milliseconds, as configured. */
  readonly settleAfter: number
  readonly created: (document: TestDocument) => void
  /** Called once a probe has found something. */
  readonly found: (probe: Probe, finding: ProbeFinding) => void
}

const holds = (found: string): ProbeFinding => ({ standing: "holds", found })
const fails = (found: string): ProbeFinding => ({ standing: "does not hold", found })
const unknown = (found: string): ProbeFinding => ({ standing: "cannot be probed here", found })

/** Why a request failed; undefined if it did not. */
const failure = <A>(work: Effect.Effect<A, ServiceError>): Effect.Effect<ServiceError | undefined> =>
  Effect.match(work, { onFailure: (error) => error, onSuccess: () => undefined })

const idOf = (body: unknown): string => String((body as { readonly id?: unknown }).id)

const GROSS = "120.00"

/** How long what is late is waited for, beyond what is allowed: long enough to say how late it is. */
const PATIENCE = 4

/** Milliseconds between two looks. */
const PAUSE_MS = 50

/**
 * Looks again and again until it finds something; with how long after the beginning the last look began that did not. An answer that
 * takes long is not late: what counts is when it was asked for.
 */
const awaited = <A>(look: Effect.Effect<A | undefined, ServiceError>, most: number) =>
  Effect.gen(function* () {
    const began = yield* monotonic
    for (let missed = 0; ; ) {
      const asked = (yield* monotonic) - began
      const value = yield* look
      if (value !== undefined) return { value, missed }
      missed = asked
      if (missed > most) return { value, missed }
      yield* Effect.sleep(PAUSE_MS)
    }
  })

const rejection = ({ client, created, run }: Bench): Effect.Effect<ProbeFinding> =>
  Effect.match(client.send("organisations.create", {}, { unique_id: `${run}/rejected`, registered: "no instant" }), {
    onSuccess: ({ body }) => {
      created({ kind: "organisation", id: idOf(body), name: `${run}/rejected` })
      return unknown("it took an instant that is none, so it rejected nothing")
    },
    onFailure: ({ message, reason }) =>
      reason._tag === "Refused" ? holds(`it said: ${reason.problems.join("; ")}`) : fails(message)
  })

const unauthorised = ({ stranger }: Bench): Effect.Effect<ProbeFinding> =>
  Effect.map(failure(stranger.organisations.list({ query: { limit: 1 } })), (error) => {
    if (error === undefined) return fails("it accepted a key that it cannot know")
    return error.reason._tag === "Unauthorized" ? holds(`it said: ${error.reason.detail}`) : fails(error.message)
  })

const account = ({ client }: Bench): Effect.Effect<ProbeFinding> =>
  Effect.map(failure(client.me.get({})), (error) =>
    error === undefined ? holds("it answered an object") : fails(error.message)
  )

/** An invoice as the rules would create it. */
const invoice = (run: string, owner: string, today: Day.Day) => ({
  owner,
  unique_id: `${run}/invoice/1`,
  number: `${run}-1`,
  debtor_name: "Daybook Check Ltd (a test)",
  debtor_country: "GB",
  net_amount: "100.00",
  gross_amount: GROSS,
  currency: "EUR",
  issue_date: today,
  due_date: Day.fromEpochMillis(Date.parse(today) + 30 * 86_400_000),
  scheduled_payments: [],
  status: "pending"
})

/** Probes of an invoice that was just created. */
const ofInvoice = (bench: Bench, id: TransactionId, due: string) =>
  Effect.gen(function* () {
    const { client, found, run, settleAfter } = bench
    const unique_id = `${run}/invoice/1`
    const params = { transaction_id: id }
    const listed = yield* awaited(
      pages((query) => client.transactions.list({ query: { ...query, unique_id } })).pipe(
        Stream.filter((one) => one.unique_id === unique_id),
        Stream.runHead,
        Effect.map(Option.getOrUndefined)
      ),
      settleAfter * PATIENCE
    )
    found(
      "unique-id",
      listed.value === undefined
        ? fails(`its list for ${unique_id} does not have it after ${Math.round(listed.missed)} ms`)
        : holds("its list has it")
    )
    const { scheduled_payments } = yield* client.transactions.get({ params, query: {} })
    const sums = (scheduled_payments ?? []).map(({ amount, date }) => `${Decimal.format(amount, 2)} on ${date}`)
    const isOne = sums.length === 0 || (sums.length === 1 && sums[0] === `${GROSS} on ${due}`)
    found("one-sum", isOne ? holds(sums[0] ?? "it has no instalments") : fails(`it made ${sums.join(", ")}`))
    yield* ofPayment(bench, id)
  })

/** Reports a payment of the whole amount, and looks how it is shown. */
const ofPayment = ({ client, found, run, settleAfter }: Bench, id: TransactionId) =>
  Effect.gen(function* () {
    const params = { transaction_id: id }
    const details = `${run}/payment/1/INV-1; a test`
    const date = Day.fromEpochMillis(yield* Clock.currentTimeMillis)
    const body = { date, amount: GROSS, currency: "EUR", details }
    const payment = idOf((yield* client.send("transactions.createPayment", params, body)).body)
    const shown = yield* awaited(
      Effect.map(client.transactions.listPayments({ params, query: { limit: 100 } }), ({ results }) =>
        results.find((one) => one.id === payment)
      ),
      settleAfter * PATIENCE
    )
    const missed = `${Math.round(shown.missed)} ms`
    found(
      "settle",
      shown.missed > settleAfter
        ? fails(`a payment was not in its list after ${missed}, and settle_after is ${settleAfter} ms`)
        : holds(shown.missed === 0 ? "a payment was in its list at once" : `a payment was in its list ${missed} later`)
    )
    if (shown.value === undefined) found("details", unknown("its list does not show the payment"))
    else {
      const kept = shown.value.details
      found("details", kept === details ? holds("they are as sent") : fails(`${details} became ${kept ?? "nothing"}`))
    }
    const one = yield* failure(
      client.transactions.getPayment({ params: { ...params, payment_id: payment as PaymentId } })
    )
    found("payment-alone", one === undefined ? holds("it can be read") : fails(one.message))
    found("paid", yield* paid(client, id, date))
  })

const paid = (client: Operations, id: TransactionId, paid_date: string): Effect.Effect<ProbeFinding, ServiceError> =>
  Effect.gen(function* () {
    const params = { transaction_id: id }
    const { status: before } = yield* client.transactions.get({ params, query: {} })
    if (before === "paid") return fails("a payment of the whole amount marked the invoice as paid by itself")
    const refused = yield* failure(client.send("transactions.paid", params, { paid_date }))
    if (refused !== undefined) return fails(refused.message)
    const { status } = yield* client.transactions.get({ params, query: {} })
    return status === "paid" ? holds("it is paid once that is said") : fails(`it is ${status} after that was said`)
  })

/** An order as the rules would create it: one item of 24.00, of which 4.80 are tax. */
const order = (run: string, customer: object, today: Day.Day) => ({
  unique_id: `${run}/order/1`,
  customer: { type: "registered", ...customer },
  currency: "EUR",
  total_amount: 2400,
  tax_amount: 480,
  order_date: today,
  items: [
    {
      item_id: "test",
      type: "product",
      description: "Daybook check (a test)",
      category: "/test",
      quantity: "2",
      unit_price: 1200,
      tax_rate: "20",
      total_amount: 2400,
      tax_amount: 480
    }
  ]
})

/** Puts one document twice under one key. */
const ofDocument = (client: Operations, order_id: string, run: string): Effect.Effect<ProbeFinding> => {
  const bytes = Buffer.from(`%PDF-1.4\n% ${run}\n%%EOF\n`)
  const file = {
    name: `${run}.pdf`,
    type: "application/pdf",
    size: bytes.length,
    digest: hash("sha256", bytes, "base64url"),
    piece: (n: number) => (n === 0 ? bytes : undefined)
  }
  const form = () => streamedForm({ doc_type: "invoice", amount: "100", description: `${run}; a test` }, file)
  const put = Effect.suspend(() => client.send("orders.putDocument", { order_id }, form(), `${run}/document/1`))
  return Effect.match(Effect.all([put, put]), {
    onFailure: ({ message }) => fails(message),
    onSuccess: ([one, other]) =>
      idOf(one.body) === "undefined"
        ? unknown("the answer names no document")
        : idOf(one.body) === idOf(other.body)
          ? holds("put twice, it has one id")
          : fails(`put twice, it is ${idOf(one.body)} and ${idOf(other.body)}`)
  })
}

const ofOrders = ({ client, created, found, run }: Bench, organisation: string, today: Day.Day) =>
  Effect.gen(function* () {
    // A service without orders for this key says so here.
    yield* client.orders.list({ query: { limit: 1 } })
    const email = `${run}@example.com`
    const person = { email, name: "Daybook Check (a test)", registered: `${today}T00:00:00Z`, unique_id: `${run}/user` }
    const user = idOf((yield* client.send("users.create", {}, person)).body)
    created({ kind: "user", id: user, name: email })
    yield* client.send("organisations.addUser", { organisation_id: organisation }, { id: user, role: "member" })
    const made = yield* Effect.result(client.send("orders.create", {}, order(run, { organisation, user }, today)))
    if (made._tag === "Failure") {
      found("order-members", fails(made.failure.message))
      for (const probe of ["order-alone", "order-documents"] as const)
        found(probe, unknown("its order was not created"))
      return
    }
    const order_id = idOf(made.success.body)
    created({ kind: "order", id: order_id, name: `${run}/order/1` })
    found("order-members", holds("the order was created"))
    const alone = yield* failure(client.orders.get({ params: { order_id: order_id as OrderId }, query: {} }))
    found("order-alone", alone === undefined ? holds("it can be read") : fails(alone.message))
    found("order-documents", yield* ofDocument(client, order_id, run))
  })

const OF_INVOICES = ["unique-id", "one-sum", "settle", "details", "payment-alone", "paid"] as const
const OF_ORDERS = ["order-members", "order-alone", "order-documents"] as const

/** Makes every probe. Fails where the service does not let it begin: it cannot be reached, or rejects the key. */
export const probeAll = (whole: Bench): Effect.Effect<void, ServiceError> =>
  Effect.gen(function* () {
    const seen = new Set<Probe>()
    const found: Bench["found"] = (probe, finding) => {
      seen.add(probe)
      whole.found(probe, finding)
    }
    const bench = { ...whole, found }
    const { client, created, run } = whole
    /** Where the service ends the work, what was not found yet cannot be. */
    const upTo = (probes: ReadonlyArray<Probe>, work: Effect.Effect<void, ServiceError>) =>
      Effect.catch(work, ({ message }) =>
        Effect.sync(() => {
          for (const one of probes) if (!seen.has(one)) found(one, unknown(message))
        })
      )
    const today = Day.fromEpochMillis(yield* Clock.currentTimeMillis)
    const name = `${run}/organisation`
    const body = { unique_id: name, name: "Daybook check (a test)", registered: `${today}T00:00:00Z` }
    const owner = idOf((yield* client.send("organisations.create", {}, body)).body)
    created({ kind: "organisation", id: owner, name })
    found("account", yield* account(bench))
    found("unauthorised", yield* unauthorised(bench))
    found("rejection", yield* rejection(bench))
    const ofInvoices = Effect.gen(function* () {
      const sent = invoice(run, owner, today)
      const id = idOf((yield* client.send("transactions.create", {}, sent)).body)
      created({ kind: "invoice", id, name: sent.unique_id })
      yield* ofInvoice(bench, id as TransactionId, sent.due_date)
    })
    yield* upTo(OF_INVOICES, ofInvoices)
    yield* upTo(OF_ORDERS, ofOrders(bench, owner, today))
  })
