/**
 * Reads what changed in Stripe, by its events: each names what to read again, and nothing else is read. An invoice is read
 * with its payments; a refund, a dispute and a credit note separately, with the invoices that their payment pays.
 */
import { Array as Arr, Effect } from "effect"
import type * as Connector from "../Connector.ts"
import type { Read } from "../Cursors.ts"
import * as Json from "../Json.ts"
import type { Touched } from "./Events.ts"
import { type Api, collect, limits, one, paymentsBy, paymentsOf } from "./Lists.ts"
import * as Mapping from "./Mapping.ts"
import { payoutsById } from "./Payouts.ts"
import { byId, invoicesById } from "./Whole.ts"

/** Records per page when reading by id. */
export const CHUNK = 100

export const unnamed = (payment: unknown): Connector.QuarantinedRecord => ({
  kind: "payment",
  origin: "invoice_payments",
  raw: JSON.stringify(payment) ?? "null",
  why: "it names no invoice, so its events belong to none"
})

/** The invoices that this object is or leads to; and payments found on the way that name no invoice. */
export const invoicesOf = (
  http: Api,
  about: string
): Read<{ readonly ids: ReadonlyArray<string>; readonly odd: ReadonlyArray<unknown> }> => {
  const type = about.slice(0, about.indexOf(":"))
  const id = about.slice(type.length + 1)
  if (type === "invoice") return Effect.succeed({ ids: [id], odd: [] })
  if (type !== "payment_intent") return Effect.succeed({ ids: [], odd: [] })
  return Effect.map(paymentsBy(http, id), (all) => ({
    ids: all.flatMap((one) => invoiceOf(one) ?? []),
    odd: all.filter((one) => invoiceOf(one) === undefined)
  }))
}

const invoiceOf = (payment: unknown) => (Json.isObject(payment) ? Mapping.idOf(payment["invoice"]) : undefined)

/** An invoice with its payments: refunds, disputes and credit notes have events of their own. */
const alone = (http: Api) => (found: Json.Members) =>
  Effect.map(paymentsOf(http, found), (part): Mapping.Whole => {
    return { id: Mapping.idOf(found), ...part, refunds: [], disputes: [], credit_notes: [] }
  })

/** Money that went back of one payment, divided among the invoices that it pays. */
const back = (http: Api, intent: string, touched: Touched) =>
  Effect.gen(function* () {
    const of = (list: string, wanted: ReadonlySet<string>) =>
      wanted.has(intent) ? collect(http, `/v1/${list}`, { payment_intent: intent }) : Effect.succeed([])
    const refunds = yield* of("refunds", touched.refunds)
    const disputes = yield* of("disputes", touched.disputes)
    if (refunds.length + disputes.length === 0) return { parts: [], odd: [] }
    const payments = yield* paymentsBy(http, intent)
    const invoices = new Set(payments.flatMap((one) => invoiceOf(one) ?? []))
    const parts = [...invoices].map((invoice) => ({
      invoice,
      payments: payments.filter((one) => invoiceOf(one) === invoice),
      shared: payments,
      refunds,
      disputes
    }))
    return { parts, odd: payments.filter((one) => invoiceOf(one) === undefined) }
  })

type Part = Pick<Mapping.GoneBack, "invoice" | "payments" | "refunds" | "disputes" | "shared">

/** Each refund and each dispute separately, so that one that cannot be read does not keep out the others. */
const single = (part: Part): ReadonlyArray<Mapping.GoneBack> => [
  ...part.refunds.map((refund) => ({ ...part, id: Mapping.idOf(refund), refunds: [refund], disputes: [] })),
  ...part.disputes.map((dispute) => ({ ...part, id: Mapping.idOf(dispute), refunds: [], disputes: [dispute] }))
]

const intentsBack = (http: Api, intents: ReadonlyArray<string>, touched: Touched) =>
  Effect.map(
    Effect.forEach(intents, (intent) => back(http, intent, touched), { concurrency: limits.atOnce }),
    (found) => {
      const into = Json.batch()
      const parts = found.flatMap(({ parts }) => parts).flatMap(single)
      Json.decodeAll(into, parts, {
        name: "refunds",
        kind: "reversal",
        id: "id",
        decode: (one) => Mapping.wentBack(one, http.dayOf)
      })
      into.quarantined.push(...found.flatMap(({ odd }) => odd.map(unnamed)))
      return into
    }
  )

const notesById = (http: Api, ids: ReadonlyArray<string>) =>
  Effect.map(
    Effect.forEach(ids, (id) => one(http, "credit_notes", id), { concurrency: limits.atOnce }),
    (found) => {
      const into = Json.batch()
      const there = found.filter((note) => note !== undefined)
      Json.decodeAll(into, there, {
        name: "credit_notes",
        kind: "credit_note",
        id: "id",
        decode: (one) => Mapping.creditNote(one, http.dayOf)
      })
      into.deleted.push(
        ...ids.filter((_, n) => found[n] === undefined).map((id) => ({ kind: "credit_note" as const, id }))
      )
      return into
    }
  )

/** Reads what was touched, one page at a time. */
export const readings = (http: Api, touched: Touched): ReadonlyArray<Read<Connector.PageContents>> => {
  const { detached, disputes, invoices, notes, payouts, refunds, wholes } = touched
  const chunked = (
    ids: Iterable<string>,
    read: (chunk: ReadonlyArray<string>) => Read<Connector.PageContents>
  ): ReadonlyArray<Read<Connector.PageContents>> => Arr.chunksOf(ids, CHUNK).map(read)
  const first: Connector.PageContents = {
    read: [],
    quarantined: [],
    deleted: [...detached].map((id) => ({ kind: "payment" as const, id }))
  }
  return [
    ...(detached.size === 0 ? [] : [Effect.succeed(first)]),
    ...chunked(
      [...invoices].filter((id) => !wholes.has(id)),
      (chunk) => invoicesById(http, chunk, alone(http))
    ),
    ...chunked(wholes, (chunk) => byId(http, chunk)),
    ...chunked(new Set([...refunds, ...disputes]), (chunk) => intentsBack(http, chunk, touched)),
    ...chunked(notes, (chunk) => notesById(http, chunk)),
    ...chunked(payouts, (chunk) => payoutsById(http, chunk))
  ]
}
