/**
 * A copy of the state file that was put back has older documents than what was sent: nothing that it lacks is taken back
 * before the source was read to its end.
 */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { copyFileSync, rmSync } from "node:fs"
import { join } from "node:path"
import { audit } from "../../../sync/reconciliation/Audit.ts"
import { violations } from "../Invariants.ts"
import { inWorld } from "../InWorld.ts"
import { invoice, payment } from "../../support/Documents.ts"
import type { World } from "../World.ts"

const payments = ({ service }: World) => [...service.payment.values()].map(({ amount }) => String(amount))

describe("a copy of the state file that was put back", () => {
  it(
    "takes back no payment that it has not read yet, and changes no invoice back",
    inWorld({}, async (world) => {
      const copy = join(world.folder, "copy.db")
      world.documents = [invoice()]
      await world.sync({ guarded: true })
      copyFileSync(world.file, copy)
      world.documents = [invoice({ due: "2026-02-14" }), payment("P1", { I1: "20.00" })]
      await world.sync({ guarded: true })
      assert.deepStrictEqual(payments(world), ["20.00"])

      for (const part of ["", "-wal", "-shm"]) rmSync(world.file + part, { force: true })
      copyFileSync(copy, world.file)
      const mended = await world.life(audit(world.connections, { mend: true, onFound: () => Effect.void }))
      assert.strictEqual(mended._tag, "Success")
      const sent = world.changes
      assert.strictEqual((await world.sync({ guarded: true, reads: [] }))._tag, "Success")
      assert.strictEqual(world.changes, sent)

      assert.strictEqual((await world.sync({ guarded: true }))._tag, "Success")
      assert.deepStrictEqual(payments(world), ["20.00"])
      assert.strictEqual(world.changes, sent)
      assert.deepStrictEqual(await violations(world, undefined, true), [])
    })
  )
})
