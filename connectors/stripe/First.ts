/**
 * Reads everything from Stripe for the first time, by listing full pages and joining them here, because refunds and disputes
 * name no invoice. Refunds, disputes and credit notes are read first and kept in memory, then the invoices page by page,
 * each with its payments. Changes made meanwhile are among the events that are read afterwards.
 */
import { Effect, Stream } from "effect"
import { add, type ByName, type Read } from "../Cursors.ts"
import * as Json from "../Json.ts"
import { type Api, collect, EXPANDED, limits, listing, paymentsBy, paymentsOf, wayOf } from "./Lists.ts"
import * as Mapping from "./Mapping.ts"
import { everyPayout } from "./Payouts.ts"
import { decoded } from "./Whole.ts"

/** If there are more refunds or disputes, only the members that the mapping needs are kept: most may be of no invoice. */
const MANY = 10_000
const REFUND = ["id", "object", "payment_intent", "charge", "amount", "currency", "created", "status"]
const DISPUTE = [...REFUND, "reason", "payment_method_details", "balance_transactions"]

/** For up to this many refunded payments, their invoices are requested one by one; for more, all payments are listed. */
const FEW = 10

/** Records by the payment that they name. */
const byWay = (records: ReadonlyArray<unknown>, members: ReadonlyArray<string>): ByName => {
  const ways: ByName = new Map()
  const isWhole = records.length <= MANY
  for (const record of Json.objects(records)) {
    const kept = isWhole ? record : Object.fromEntries(members.map((member) => [member, record[member] ?? null]))
    for (const member of ["payment_intent", "charge"]) {
      const way = Mapping.idOf(record[member])
      if (way !== undefined) add(ways, way, kept)
    }
  }
  return ways
}

interface Sides {
  readonly refunds: ByName
  readonly disputes: ByName
  readonly notes: ByName
  /** Records that could not be joined with an invoice. */
  readonly strays: Json.Batch
}

/** @param pages the most pages to read of each list, for a preview */
const sidesOf = (http: Api, pages: number | undefined): Read<Sides> =>
  Effect.map(
    Effect.all(
      ["refunds", "disputes", "credit_notes"].map((list) => collect(http, `/v1/${list}`, {}, pages)),
      { concurrency: 3 }
    ),
    ([refunds = [], disputes = [], all = []]) => {
      const strays = Json.batch()
      for (const [name, records] of [["refunds", refunds] as const, ["disputes", disputes] as const]) {
        const odd = records.filter((one) => Mapping.idOf(one) === undefined || !Json.isObject(one))
        const decode = Json.refuse("id", "is missing; it is required")
        Json.decodeAll(strays, odd, { name, kind: "reversal", id: "id", decode })
      }
      const notes: ByName = new Map()
      const lost: Array<unknown> = []
      for (const note of all) {
        const invoice = Json.isObject(note) ? Mapping.idOf(note["invoice"]) : undefined
        if (invoice === undefined) lost.push(note)
        else add(notes, invoice, note)
      }
      // The mapping throws for each of these, because it names no invoice.
      Json.decodeAll(strays, lost, {
        name: "credit_notes",
        kind: "credit_note",
        id: "id",
        decode: (one) => Mapping.creditNote(one, http.dayOf)
      })
      return { refunds: byWay(refunds, REFUND), disputes: byWay(disputes, DISPUTE), notes, strays }
    }
  )

/** The invoices that refunded payments pay: requested one by one, or, for many, listed once. */
const sharing = (http: Api, { disputes, refunds }: Sides, isPreview: boolean) => {
  const known: ByName = new Map()
  let isListed = false
  const list = Effect.map(collect(http, "/v1/invoice_payments", { status: "paid" }), (all) => {
    isListed = true
    for (const payment of all) {
      const { intent } = wayOf(payment)
      if (intent !== undefined && !known.has(intent) && (refunds.has(intent) || disputes.has(intent)))
        known.set(intent, [])
      if (intent !== undefined) known.get(intent)?.push(payment)
    }
  })
  return (intents: ReadonlyArray<string>): Read<ByName> =>
    Effect.gen(function* () {
      const unknown = intents.filter((one) => !known.has(one))
      if (!isListed && !isPreview && known.size + unknown.length > FEW) {
        known.clear()
        yield* list
      }
      // Payments made since the list was read.
      for (const intent of intents)
        if (!known.has(intent)) known.set(intent, [...(yield* paymentsBy(http, intent, { status: "paid" }))])
      return known
    })
}

type Part = Effect.Success<ReturnType<typeof paymentsOf>>

/** The ways in which an invoice was paid, each once; refunds are requested by payment intent if there is one. */
const waysOf = ({ payments }: Part) => {
  const paid = payments.map(wayOf).filter(({ isPaid }) => isPaid)
  const intents = [...new Set(paid.flatMap(({ intent }) => intent ?? []))]
  const charges = paid.flatMap(({ charge, intent }) => (intent === undefined ? (charge ?? []) : []))
  return { intents, all: [...new Set([...intents, ...charges])] }
}

/** Joins a page of invoices with everything that belongs to them. */
const joined = (
  http: Api,
  { disputes, notes, refunds }: Sides,
  shared: ReturnType<typeof sharing>,
  records: ReadonlyArray<unknown>
): Read<ReadonlyArray<Mapping.Whole>> =>
  Effect.gen(function* () {
    const parts = yield* Effect.forEach(
      records,
      (one): Read<{ readonly invoice: unknown; readonly payments: ReadonlyArray<unknown> }> =>
        Json.isObject(one) ? paymentsOf(http, one) : Effect.succeed({ invoice: one, payments: [] }),
      { concurrency: limits.atOnce }
    )
    const back = parts.flatMap((part) =>
      waysOf(part as Part).intents.filter((way) => refunds.has(way) || disputes.has(way))
    )
    const others = back.length === 0 ? undefined : yield* shared(back)
    return parts.map(({ invoice, payments }): Mapping.Whole => {
      const { all, intents } = waysOf({ payments } as Part)
      const id = Mapping.idOf(invoice)
      return {
        id,
        invoice,
        payments,
        refunds: all.flatMap((way) => refunds.get(way) ?? []),
        disputes: all.flatMap((way) => disputes.get(way) ?? []),
        shared: intents.flatMap((way) => others?.get(way) ?? []),
        credit_notes: (id === undefined ? undefined : notes.get(id)) ?? []
      }
    })
  })

/** Credit notes whose invoice was not listed, because it was read before or does not exist. They are mapped alone. */
const unjoined = (http: Api, { notes }: Sides, last: string | undefined) => {
  const into = Json.batch()
  const all = [...notes.values()].flat()
  Json.decodeAll(into, all, {
    name: "credit_notes",
    kind: "credit_note",
    id: "id",
    decode: (one) => Mapping.creditNote(one, http.dayOf)
  })
  return all.length === 0 ? Stream.empty : Stream.make({ into, next: last })
}

/**
 * Reads every invoice after the one with this id, page by page, with the position after each page.
 *
 * @param wanted the number of records of each list that a preview needs
 */
export const everything = (http: Api, after: string | undefined, wanted: number | undefined) =>
  Stream.unwrap(
    Effect.map(sidesOf(http, wanted === undefined ? undefined : Math.ceil(wanted / limits.page)), (sides) => {
      const shared = sharing(http, sides, wanted !== undefined)
      const { strays } = sides
      let reached = after
      return Stream.concat(
        Stream.make({ into: strays, next: after }),
        Stream.mapEffect(listing(http, "/v1/invoices", EXPANDED, after), ({ next, records }) =>
          Effect.map(joined(http, sides, shared, records), (wholes) => {
            for (const { id } of wholes) if (typeof id === "string") sides.notes.delete(id)
            reached = next
            return { into: decoded(http, wholes), next }
          })
        )
      ).pipe(
        Stream.concat(wanted === undefined ? Stream.suspend(() => unjoined(http, sides, reached)) : Stream.empty),
        Stream.concat(Stream.suspend(() => Stream.map(everyPayout(http, wanted), (into) => ({ into, next: reached }))))
      )
    })
  )
