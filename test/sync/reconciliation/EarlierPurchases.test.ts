/** A state file that was lost, or put back from an earlier time: what was spent on cover this month is not forgotten with it. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { copyFileSync, rmSync } from "node:fs"
import * as AttentionActions from "../../../sync/apply/AttentionActions.ts"
import * as Decimal from "../../../core/money/Decimal.ts"
import * as CoverFacts from "../../../sync/plan/CoverFacts.ts"
import { audit } from "../../../sync/reconciliation/Audit.ts"
import * as LedgerTrust from "../../../sync/state/LedgerTrust.ts"
import * as Backup from "../../../sync/state/Backup.ts"
import { asked, covering, due, items, look, policies, states } from "../Covered.ts"
import { inWorld, open, report } from "../InWorld.ts"
import { KEY, type World } from "../World.ts"

/** Room for two quotes of 22.40 in a month. */
const planning = covering({ price: { currency: "GBP", per_month: "50.00" } })

const lose = (world: World, by?: string): void => {
  for (const part of ["", "-wal", "-shm"]) rmSync(world.file + part, { force: true })
  if (by !== undefined) copyFileSync(by, world.file)
}

const mend = async (world: World): Promise<void> => {
  assert.strictEqual((await world.sync({ guarded: true }))._tag, "Failure")
  const mended = await world.life(audit(world.connections, { fix: true, onFound: () => Effect.void }))
  assert.strictEqual(mended._tag, "Success")
}

const spent = (world: World): Promise<string> =>
  look(world, (db, now) => Decimal.format(CoverFacts.spent(db, "books", "GBP", now), 2))

describe("what an earlier state file spent on cover", () => {
  it(
    "counts in its month after the file is lost, and no longer in the next",
    inWorld({ planning }, async (world) => {
      world.documents = [due("1", { due: "2026-04-10" }), due("2", { due: "2026-04-11" })]
      report(await world.sync())
      assert.deepStrictEqual([policies(world).length, await spent(world)], [2, "44.80"])
      lose(world)
      world.documents = [...world.documents, due("3", { due: "2026-05-20" })]
      await mend(world)
      assert.strictEqual(await spent(world), "44.80")
      report(await world.sync())
      assert.deepStrictEqual(states(world), { "1": "insured", "2": "insured", "3": "offered" })
      assert.strictEqual(asked(world, "/v1/policies"), 2)
      world.clock.set(Date.UTC(2026, 3, 1, 0, 1))
      await world.sync()
      await world.sync()
      assert.deepStrictEqual([policies(world).length, await spent(world)], [3, "22.40"])
    })
  )

  it(
    "counts once where a backup that knows some of it is put back",
    inWorld({ planning }, async (world) => {
      world.documents = [due("1", { due: "2026-04-10" })]
      report(await world.sync())
      const backup = `${world.file}.backup`
      await world.life(Backup.backup(backup))
      world.documents = [...world.documents, due("2", { due: "2026-04-11" })]
      report(await world.sync())
      lose(world, backup)
      world.documents = [...world.documents, due("3", { due: "2026-05-20" })]
      await mend(world)
      report(await world.sync())
      assert.deepStrictEqual([policies(world).length, await spent(world)], [2, "44.80"])
      const kept = open(world, "SELECT subject, total FROM earlier_purchase")
      assert.deepStrictEqual(kept, [{ subject: "books/invoice/2", total: "22.40" }])
    })
  )

  it(
    "counts where the file was put back by other means, which it does not say itself",
    inWorld({ planning }, async (world) => {
      report(await world.sync())
      const copy = `${world.file}.copy`
      await world.life(Backup.backup(copy))
      world.documents = [due("1", { due: "2026-04-10" })]
      report(await world.sync())
      assert.strictEqual(policies(world).length, 1)
      lose(world, copy)
      await look(world, (db) => LedgerTrust.trust(db, 0))
      await world.life(audit(world.connections, { fix: true, onFound: () => Effect.void }))
      assert.strictEqual(await spent(world), "22.40")
    })
  )

  it(
    "keeps everything from being bought where the service does not say it, until a person says so",
    inWorld({ planning }, async (world) => {
      world.documents = [due("1", { due: "2026-04-10" })]
      report(await world.sync())
      const [quote] = world.service.quote.values()
      world.instance.service.store.put(KEY, "quote", { ...quote!, total_price: null, price: null })
      lose(world)
      world.documents = [...world.documents, due("2", { due: "2026-04-11" }), due("3", { due: "2026-05-20" })]
      await mend(world)
      report(await world.sync())
      assert.strictEqual(policies(world).length, 1)
      const [item, ...rest] = items(world)
      assert.deepStrictEqual([item?.["rule"], rest], ["Q10", []])
      assert.match(
        String(item?.["why"]),
        /^no cover is bought: what was spent on cover this month is not known: the service does not say what policy pol-\S+ of books\/invoice\/1 cost$/
      )
      const [id] = open(world, "SELECT id FROM attention WHERE closed IS NULL").map((row) => Number(row["id"]))
      assert.isTrue(await look(world, (db, now) => AttentionActions.retry(db, id!, now)))
      report(await world.sync())
      assert.strictEqual(policies(world).length, 3)
    })
  )
})
