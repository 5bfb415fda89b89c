/** Sources that come back as other ones: what is remembered of that, until when, and that nothing leaves meanwhile. */
import { assert, describe, it } from "@effect/vitest"
import type { Exit } from "effect"
import type { Document } from "../../../connectors/Document.ts"
import { GuardError } from "../../../sync/state/LedgerTrust.ts"
import { invoice, payment } from "../../support/Documents.ts"
import { inWorld, report, requests } from "../InWorld.ts"
import { violations } from "../Invariants.ts"

/** Invoices of this source, each paid in part. */
const books = (n: number, prefix = ""): ReadonlyArray<Document> =>
  Array.from({ length: n }, (_, i) => [
    invoice({ id: `${prefix}I${i}`, number: `INV-${i}` }),
    payment(`${prefix}P${i}`, { [`${prefix}I${i}`]: "20.00" })
  ]).flat()

/** All guards but those of the source itself. */
const OTHERS = ["G1", "G2", "G3", "G4", "G5", "G6", "G7", "G10"] as const

const why = (exit: Exit.Exit<unknown, unknown>): string => {
  const [reason] = exit._tag === "Failure" ? exit.cause.reasons : []
  return reason?._tag === "Fail" && reason.error instanceof GuardError ? reason.error.message : `${exit._tag}`
}

describe("a source that comes back as another one", () => {
  it(
    "with other ids: nothing is sent, run after run, until the ids are back",
    inWorld({}, async (world) => {
      world.documents = books(10)
      report(await world.sync())
      const before = requests(world).length
      world.documents = books(10, "new-")
      for (let n = 0; n < 2; n++)
        assert.match(why(await world.sync({ allow: OTHERS })), /^books: G8: all ids changed: the 20 known documents/)
      assert.strictEqual(requests(world).length, before)
      world.documents = [...books(10), invoice({ id: "I77", number: "INV-77" })]
      assert.deepInclude(report(await world.sync({ allow: OTHERS })), { done: 1 })
      assert.deepStrictEqual(await violations(world), [])
    })
  )

  it(
    "with other ids, and a person says that it is meant: it is sent, and not asked about again",
    inWorld({}, async (world) => {
      world.documents = books(10)
      report(await world.sync())
      world.documents = books(10, "new-")
      assert.isAbove(report(await world.sync({ allow: [...OTHERS, "G8"] })).done, 10)
      world.documents = [...books(10, "new-"), invoice({ id: "I77", number: "INV-77" })]
      assert.deepInclude(report(await world.sync({ allow: OTHERS })), { done: 1 })
      assert.deepStrictEqual(await violations(world), [])
    })
  )

  it(
    "with a tenth of its documents: nothing is sent until they are back",
    inWorld({}, async (world) => {
      world.documents = books(10)
      report(await world.sync())
      const before = requests(world).length
      world.documents = books(1)
      assert.match(
        why(await world.sync({ allow: OTHERS })),
        /^books: G9: the source lost most of its documents: books.* had 20, and has 2\. Nothing was sent/
      )
      world.documents = [...books(1), invoice({ id: "I77", number: "INV-77" })]
      assert.match(why(await world.sync({ allow: OTHERS })), /G9/)
      assert.strictEqual(requests(world).length, before)
      world.documents = books(10)
      assert.deepInclude(report(await world.sync({ allow: OTHERS })), { done: 0 })
      assert.deepStrictEqual(await violations(world), [])
    })
  )

  it(
    "with few documents, which change wholly in an ordinary day, nothing is asked",
    inWorld({}, async (world) => {
      world.documents = books(4)
      report(await world.sync())
      world.documents = books(1)
      assert.notMatch(why(await world.sync({ allow: OTHERS })), /G[89]/)
    })
  )
})
