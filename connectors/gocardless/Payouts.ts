/** Reads GoCardless's payouts, each with its items. */
import { Array as Arr, Effect, Stream } from "effect"
import type * as Connector from "../Connector.ts"
import type { Read } from "../Cursors.ts"
import type * as Http from "../Http.ts"
import * as Json from "../Json.ts"
import { collect, idOf, limits, listing, one } from "./Lists.ts"
import * as Mapping from "./PayoutMapping.ts"

/** Payouts per page when reading by id. */
const CHUNK = 100

/** Of payouts older than six months GoCardless answers that the items are gone (410). */
const itemsOf = (http: Http.Http, payout: unknown): Read<Pick<Mapping.PaidOut, "items">> =>
  Effect.map(collect(http, "payout_items", { payout: idOf(payout) }), (items) => ({ items })).pipe(
    Effect.catchIf(
      ({ reason }) => reason._tag === "Misconfigured" && reason.unauthorised !== true,
      () => Effect.succeed({})
    )
  )

const joined = (http: Http.Http, payouts: ReadonlyArray<unknown>): Read<Json.Batch> =>
  Effect.map(
    Effect.forEach(
      payouts,
      (payout) => Effect.map(itemsOf(http, payout), (items) => ({ id: idOf(payout), payout, ...items })),
      { concurrency: limits.atOnce }
    ),
    (all) => {
      const into = Json.batch()
      Json.decodeAll(into, all, { name: "payouts", kind: "payout", id: "id", decode: Mapping.payout })
      return into
    }
  )

/** Every payout, page by page. @param wanted the number of records that a preview needs */
export const everyPayout = (http: Http.Http, wanted: number | undefined) =>
  Stream.take(
    listing(http, "payouts", {}),
    wanted === undefined ? Number.POSITIVE_INFINITY : Math.ceil(wanted / limits.page)
  ).pipe(Stream.mapEffect(({ records }) => joined(http, records)))

/** These payouts, as they are now, one page at a time. */
export const payoutsById = (http: Http.Http, ids: Iterable<string>): ReadonlyArray<Read<Connector.PageContents>> =>
  Arr.chunksOf(ids, CHUNK).map((chunk) =>
    Effect.flatMap(
      Effect.forEach(chunk, (id) => one(http, "payouts", id), { concurrency: limits.atOnce }),
      (found) =>
        joined(
          http,
          found.filter((payout) => payout !== undefined)
        )
    )
  )
