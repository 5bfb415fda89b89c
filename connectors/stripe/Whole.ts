/** Reads invoices by id, each with everything that belongs to it, for sweeps and webhooks. */
import { Effect } from "effect"
import type { Read } from "../Cursors.ts"
import * as Json from "../Json.ts"
import { type Api, collect, limits, one, paymentsBy, paymentsOf, wayOf } from "./Lists.ts"
import * as Mapping from "./Mapping.ts"

/** Reads everything that belongs to an invoice. */
const whole = (http: Api, found: Json.Members): Read<Mapping.Whole> =>
  Effect.gen(function* () {
    const id = Mapping.idOf(found)
    const { invoice, payments } = yield* paymentsOf(http, found)
    const none: Mapping.Whole = { id, invoice, payments, refunds: [], disputes: [], shared: [], credit_notes: [] }
    if (id === undefined) return none
    const refunds: Array<unknown> = []
    const disputes: Array<unknown> = []
    const shared: Array<unknown> = []
    const asked = new Set<string>()
    for (const payment of payments) {
      const { charge, intent, isPaid } = wayOf(payment)
      const way = intent ?? charge
      if (!isPaid || way === undefined || asked.has(way)) continue
      asked.add(way)
      const about = { payment_intent: intent, charge: intent === undefined ? charge : undefined }
      const back = yield* collect(http, "/v1/refunds", about)
      const disputed = yield* collect(http, "/v1/disputes", about)
      refunds.push(...back)
      disputes.push(...disputed)
      // If one payment pays several invoices, a refund of it concerns them as well.
      if (intent !== undefined && back.length + disputed.length > 0) {
        shared.push(...(yield* paymentsBy(http, intent, { status: "paid" })))
      }
    }
    return {
      ...none,
      refunds,
      disputes,
      shared,
      credit_notes: yield* collect(http, "/v1/credit_notes", { invoice: id })
    }
  })

export const decoded = (http: Api, wholes: ReadonlyArray<Mapping.Whole>) => {
  const into = Json.batch()
  Json.decodeAll(into, wholes, {
    name: "invoices",
    kind: "invoice",
    id: "id",
    decode: (one) => Mapping.invoice(one, http.dayOf)
  })
  return into
}

/** Reads these invoices again, adding what `read` returns for each; those that Stripe no longer has become `deleted`. */
export const invoicesById = (
  http: Api,
  ids: ReadonlyArray<string>,
  read: (found: Json.Members) => Read<Mapping.Whole>
) => {
  const ask = (id: string): Read<Mapping.Whole | undefined> =>
    Effect.flatMap(one(http, "invoices", id, { "expand[]": "payments" }), (found) =>
      found === undefined || found["deleted"] === true ? Effect.succeed(undefined) : read(found)
    )
  return Effect.map(Effect.forEach(ids, ask, { concurrency: limits.atOnce }), (found) => {
    const into = decoded(
      http,
      found.filter((one) => one !== undefined)
    )
    into.deleted.push(...ids.filter((_, n) => found[n] === undefined).map((id) => ({ kind: "invoice" as const, id })))
    return into
  })
}

/** Reads these invoices again, with everything that belongs to them. */
export const byId = (http: Api, ids: ReadonlyArray<string>) => invoicesById(http, ids, (found) => whole(http, found))
