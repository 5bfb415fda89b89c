/**
 * Kills the process before and after each request and commit on the way from a late invoice to its collection, and lets
 * requests fail in every way. No document may be missing or attached twice, and nothing may be handed over twice or without a
 * person's confirmation.
 */
import { assert, describe, it } from "@effect/vitest"
import type { Document } from "../../connectors/Document.ts"
import { apart, EFFORT, WHOLE } from "../support/Effort.ts"
import { payment } from "../support/Documents.ts"
import { addFile, confirmed, late, look, party, planning } from "../sync/Collected.ts"
import { PDF, put } from "../sync/OwnFiles.ts"
import { due } from "../sync/Covered.ts"
import type { World } from "../sync/World.ts"
import { each, failures, kills, type Point, play, type Played } from "./KillPoints.ts"
import type { Scenario } from "./Scenarios.ts"

const EVERY = apart(WHOLE)
const timeout = 60_000 * Math.max(2, EFFORT)

const books: ReadonlyArray<Document> = [due("1", { party })]
const paid: ReadonlyArray<Document> = [...books, payment("P1", { "1": "200.00" }, "2026-05-02")]

const at =
  (then: (world: World) => Promise<unknown> | unknown, documents = books) =>
  async (world: World) => {
    await then(world)
    return documents
  }

const scenario: Scenario = {
  name: "collections",
  planning: planning(),
  stages: [
    at((world) => put(world, "invoices/INV-1.pdf", PDF("the invoice"))),
    at((world) => late(world)),
    // A file is added, and another one changes: it is replaced.
    at((world) => {
      put(world, "invoices/INV-1.pdf", PDF("the invoice, corrected"))
      addFile(world, "delivery.pdf", "proof_delivery", Buffer.from(PDF("signed")))
    }, paid),
    at((world) => void confirmed(world, { digest: look(world).digest }), paid),
    at(() => {}, paid)
  ]
}

let whole: Promise<Played> | undefined
const wholeOf = () => (whole ??= play(scenario))

/** From the first run that begins a collection on: purchases have points of their own. */
const some = (points: ReadonlyArray<Point>): ReadonlyArray<Point> =>
  points.filter(({ run }) => run > 1).filter((_, n) => n % EVERY === 0)

const same = async (point: Point) => {
  const [played, { holds }] = [await play(scenario, point), await wholeOf()]
  assert.deepStrictEqual(played.found, [], JSON.stringify(point))
  assert.deepStrictEqual(played.holds, holds, JSON.stringify(point))
}

describe("from a late invoice to its collection", () => {
  it("goes through every call about collections, and ends handed over with each document once", async () => {
    const { found, holds, operations } = await wholeOf()
    assert.deepStrictEqual(found, [])
    assert.includeMembers(
      [...operations],
      [
        "collections.create",
        "collections.update",
        "collectionDocuments.create",
        "collectionDocuments.remove",
        "collections.send"
      ]
    )
    const { collections } = holds as { readonly collections: readonly [ReadonlyArray<object>, ReadonlyArray<object>] }
    assert.strictEqual(collections[0].length, 1)
    assert.deepInclude(collections[0][0], { isMade: [true, true, true], partial_payment: "200.00" })
    assert.deepStrictEqual(
      collections[1].map((one) => ("name" in one ? one.name : "")),
      ["INV-1.pdf", "delivery.pdf", "statement-of-account.pdf"]
    )
  })

  it("a kill at any step changes nothing in the end", { timeout }, async () => {
    await each(some(kills(await wholeOf())), same)
  })

  it("nor does a request that fails, in whatever way", { timeout }, async () => {
    await each(some(failures(await wholeOf())), same)
  })
})
