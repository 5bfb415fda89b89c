/**
 * A copy of the state file that was put back has older documents than what was sent: nothing that it lacks is taken back
 * before the source was read to its end.
 */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { copyFileSync, rmSync } from "node:fs"
import { join } from "node:path"
import * as Backup from "../../../sync/state/Backup.ts"
import { audit } from "../../../sync/reconciliation/Audit.ts"
import type { Planning } from "../../../sync/model/Connection.ts"
import { violations } from "../Invariants.ts"
import { asked, covering, decide, due, items, offer, policies, TIGHT } from "../Covered.ts"
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
      const mended = await world.life(audit(world.connections, { fix: true, onFound: () => Effect.void }))
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

  it(
    "buys no offer of an invoice without a word where the service had one that the copy does not know",
    inWorld({ planning: covering(TIGHT) }, async (world) => {
      const plan = (changed: Planning) => ((world.connection as { planning: Planning }).planning = changed)
      const { cover: _, ...without } = covering(TIGHT)
      plan(without)
      world.documents = [due("1", { due: "2026-05-20" })]
      await world.sync({ guarded: true })
      const copy = join(world.folder, "copy.db")
      await world.life(Backup.backup(copy))
      plan(covering(TIGHT))
      await world.sync({ guarded: true })
      const [shown] = await offer(world)
      assert.isUndefined(await decide(world, { decision: "reject", digest: shown!.digest }))

      for (const part of ["", "-wal", "-shm"]) rmSync(world.file + part, { force: true })
      copyFileSync(copy, world.file)
      const mended = await world.life(audit(world.connections, { fix: true, onFound: () => Effect.void }))
      assert.strictEqual(mended._tag, "Success")
      plan(covering())
      await world.sync({ guarded: true })
      assert.deepStrictEqual([asked(world, "/v1/quotes"), policies(world).length], [2, 0])
      assert.match(String(items(world)[0]?.["why"]), /the state file was restored since/)
    })
  )
})
