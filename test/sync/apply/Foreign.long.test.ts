/**
 * A proxy answers in the service's place, with a page of its own and a status that means something, whether the service
 * had acted or not: nothing is believed of it, so nothing is lost, nothing is there twice, and nobody is told that the
 * service refused. Without the check of a refusal's shape in `core/Answers.ts` all of these fail; without that of a
 * success's, those where nothing was done.
 */
import { assert, describe, it } from "@effect/vitest"
import type { Document } from "../../../connectors/Document.ts"
import { invoice, payment } from "../../support/Documents.ts"
import { inWorld, open, report } from "../InWorld.ts"
import type { World } from "../World.ts"

const PAGE = "<!doctype html><title>Not found</title>"

/** What the service holds, without its own identifiers. */
const holdings = ({ service }: World): ReadonlyArray<string> =>
  [...service.transaction.values()]
    .map(({ gross_amount, id, status, unique_id }) => {
      const paid = [...service.payment.values()].filter(({ transaction }) => transaction === id)
      return `${unique_id} ${gross_amount} ${status} ${paid.map(({ amount }) => amount).join(" ")}`
    })
    .toSorted()

interface Step {
  readonly what: string
  readonly method: string
  readonly path: RegExp
  readonly documents: ReadonlyArray<Document>
  /** What the service holds in the end. */
  readonly holds: ReadonlyArray<string>
}

const SENT: ReadonlyArray<Document> = [invoice()]

const STEPS: ReadonlyArray<Step> = [
  {
    what: "a deletion",
    method: "DELETE",
    path: /transactions\/[\w-]+$/,
    documents: [invoice({ status: "void" })],
    holds: []
  },
  {
    what: "a change",
    method: "PATCH",
    path: /transactions\/[\w-]+$/,
    documents: [invoice({ gross: "130.00", net: "110.00" })],
    holds: ["books/invoice/I1 130.00 pending "]
  },
  {
    what: "a payment",
    method: "POST",
    path: /payments\/?$/,
    documents: [invoice(), payment("P1", { I1: "20.00" })],
    holds: ["books/invoice/I1 120.00 pending 20.00"]
  },
  {
    what: "a creation",
    method: "POST",
    path: /transactions\/?$/,
    documents: [invoice(), invoice({ id: "I2", number: "INV-2" })],
    holds: ["books/invoice/I1 120.00 pending ", "books/invoice/I2 120.00 pending "]
  }
]

describe("a proxy's page in the service's place", () => {
  for (const { documents, holds, method, path, what } of STEPS) {
    for (const acted of [true, false]) {
      it(`in answer to ${what} that was ${acted ? "" : "not "}done: whatever its status, it ends as if it had not been there`, async () => {
        for (const status of [200, 204, 400, 401, 403, 404, 409, 410, 422, 429]) {
          // The service's own answer to a deletion has no body either: nobody can tell it from another's.
          if (status === 204 && method === "DELETE") continue
          let times = 0
          const fault = (asked: string, at: string) =>
            times > 0 && asked === method && path.test(at) && times-- > 0
              ? { kind: "foreign" as const, status, type: "text/html", body: status === 204 ? null : PAGE, acted }
              : undefined
          await inWorld({ fault: fault as never }, async (world) => {
            world.documents = SENT
            report(await world.sync())
            world.documents = documents
            times = 1
            const ran = report(await world.sync())
            assert.strictEqual(times, 0, "the page was sent")
            assert.deepStrictEqual([ran.failed, ran.attention, ran.stopped], [0, 0, undefined], `${status}`)
            report(await world.sync())
            assert.deepStrictEqual(holdings(world), holds, `${status}`)
            const found = open(
              world,
              "SELECT count(*) AS n FROM ledger WHERE remote IS NOT NULL AND subject LIKE '%/invoice/%'"
            )
            assert.deepStrictEqual(found, [{ n: holds.length }], "and the ledger says the same")
          })()
        }
      })
    }
  }
})
