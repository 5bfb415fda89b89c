/**
 * Reads Stripe's payouts, each automatic one with the balance transactions that it pays out. A key that may not read them reads
 * everything else.
 */
import { Effect, Stream } from "effect"
import type * as Connector from "../Connector.ts"
import type { Read } from "../Cursors.ts"
import * as Json from "../Json.ts"
import { type Api, collect, limits, listing, one } from "./Lists.ts"
import { idOf } from "./Mapping.ts"
import * as Mapping from "./PayoutMapping.ts"

const NOT_ALLOWED =
  "the key may not read payouts, so they are not compared with the bank: give it read access to payouts and balance"

/** What is kept of a transaction: a payout may have many thousands. */
const KEPT = ["id", "reporting_category", "currency", "amount", "fee", "net", "source"]

const transactionsOf = (http: Api, payout: Json.Members): Read<ReadonlyArray<unknown>> =>
  payout["automatic"] === true
    ? Effect.map(collect(http, "/v1/balance_transactions", { payout: idOf(payout) }), (all) =>
        all.map((each) =>
          Json.isObject(each) ? Object.fromEntries(KEPT.map((member) => [member, each[member] ?? null])) : each
        )
      )
    : Effect.succeed([])

/** Puts the payouts of a list together with their transactions. */
const joined = (http: Api, payouts: ReadonlyArray<unknown>): Read<Json.Batch> =>
  Effect.map(
    Effect.forEach(
      payouts,
      (payout): Read<unknown> =>
        Json.isObject(payout)
          ? Effect.map(transactionsOf(http, payout), (transactions) => ({ id: idOf(payout), payout, transactions }))
          : Effect.succeed(payout),
      { concurrency: limits.atOnce }
    ),
    (all) => {
      const into = Json.batch()
      Json.decodeAll(into, all, { name: "payouts", kind: "payout", id: "id", decode: Mapping.payout })
      return into
    }
  )

const isNotAllowed = ({ reason }: Connector.SourceError): boolean =>
  reason._tag === "Misconfigured" && reason.unauthorised !== true

const notAllowed = (): Json.Batch => ({ ...Json.batch(), notices: [{ origin: "payouts", what: NOT_ALLOWED }] })

/** Every payout, page by page. @param wanted the number of records that a preview needs */
export const everyPayout = (http: Api, wanted: number | undefined) => {
  const pages = wanted === undefined ? Number.POSITIVE_INFINITY : Math.ceil(wanted / limits.page)
  return Stream.take(listing(http, "/v1/payouts", {}), pages).pipe(
    Stream.mapEffect(({ records }) => joined(http, records)),
    Stream.catchIf(isNotAllowed, () => Stream.sync(notAllowed))
  )
}

/** These payouts, as they are now. */
export const payoutsById = (http: Api, ids: ReadonlyArray<string>): Read<Json.Batch> =>
  Effect.forEach(ids, (id) => one(http, "payouts", id), { concurrency: limits.atOnce }).pipe(
    Effect.flatMap((found) =>
      joined(
        http,
        found.filter((payout) => payout !== undefined)
      )
    ),
    Effect.catchIf(isNotAllowed, () => Effect.sync(notAllowed))
  )
