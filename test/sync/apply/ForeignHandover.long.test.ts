/**
 * A proxy answers in the service's place when an invoice is handed over. What that request answers is not documented (II 4), so
 * no answer is believed that does not say when the collection was sent: the cover of an invoice that was never handed over
 * would lapse, and nobody would hear of it.
 */
import { assert, describe, it } from "@effect/vitest"
import { collections, confirmed, late, look, party, planning, sync } from "../Collected.ts"
import { due } from "../Covered.ts"
import { inWorld } from "../InWorld.ts"
import { PDF, put } from "../OwnFiles.ts"

describe("a proxy answers the request that hands an invoice over", () => {
  const bodies: ReadonlyArray<string | null> = [
    null,
    "",
    "null",
    "{}",
    '{"id":"coll-1"}',
    '{"id":"coll-1","sent":null}'
  ]
  for (const acted of [true, false])
    for (const body of bodies)
      it(`with ${body === null ? "204" : `200 and "${body}"`}, the service having acted: ${acted}`, async () => {
        let times = 0
        const answer = {
          kind: "foreign" as const,
          status: body === null ? 204 : 200,
          type: "application/json",
          body,
          acted
        }
        const fault = (method: string) => (method === "PUT" && times-- === 1 ? answer : undefined)
        await inWorld({ planning: planning(), fault: fault as never }, async (world) => {
          world.documents = [due("1", { party })]
          put(world, "invoices/INV-1.pdf", PDF("the invoice"))
          await sync(world)
          await late(world)
          await sync(world)
          confirmed(world, { digest: look(world).digest })
          times = 1
          const { attention, done, failed, unknown } = await sync(world)
          assert.deepStrictEqual({ attention, done, failed, unknown }, { attention: 0, done: 2, failed: 0, unknown: 0 })
          assert.isString(collections(world)[0]?.["sent"])
          assert.isAtMost(times, 0, "the proxy answered")
          const sends = world.instance.journal.filter(({ acted, method }) => acted && method === "PUT")
          assert.lengthOf(sends, 1)
          assert.strictEqual((await sync(world)).done, 0)
        })()
      })
})
