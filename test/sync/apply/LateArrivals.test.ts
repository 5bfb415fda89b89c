/**
 * What a state file that is lost or replaced had sent last may still be on its way when another one takes its place. It is
 * waited for, and sent by neither a second time.
 */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { copyFileSync, existsSync, rmSync } from "node:fs"
import { join } from "node:path"
import { audit } from "../../../sync/reconciliation/Audit.ts"
import * as Backup from "../../../sync/state/Backup.ts"
import { creditNote, invoice, payment, planning } from "../../support/Documents.ts"
import { isBehind } from "../../simulation/Files.ts"
import { violations } from "../Invariants.ts"
import { report, requests } from "../InWorld.ts"
import { create, fresh } from "../Shop.ts"
import { World, type WorldOptions } from "../World.ts"

const SETTLED = 5000
const LATE = { kind: "late", delay_ms: SETTLED - 1 } as const
const RUN = { settleAfter: SETTLED, guarded: true } as const

/** A world in which requests to one place arrive late, and nothing can be read after them, as long as `late` is on. */
const slow = async (
  place: RegExp,
  work: (world: World, late: { on: boolean }) => Promise<void>,
  more: WorldOptions = {}
) => {
  const late = { on: true }
  let sent = false
  const world = new World({
    ...more,
    fault: (method, path) => {
      if (!late.on) return undefined
      if (method === "POST" && place.test(path)) {
        sent = true
        return LATE
      }
      return sent ? { kind: "status", status: 429, retry_after: 86_400 } : undefined
    }
  })
  try {
    await work(world, late)
    assert.isTrue(sent)
  } finally {
    world.close()
  }
}

const remove = ({ file }: World): void => {
  for (const part of ["", "-wal", "-shm"]) rmSync(file + part, { force: true })
}

const mend = (world: World) =>
  world.life(audit(world.connections, { fix: true, settleAfter: SETTLED, onFound: () => Effect.void }))

/** The new file is behind the service; once that was read, nothing is sent twice. */
const isMended = async (world: World): Promise<void> => {
  const stopped = await world.sync(RUN)
  assert.isTrue(stopped._tag === "Failure" && isBehind(stopped.cause), "it was not noticed")
  assert.strictEqual((await mend(world))._tag, "Success")
  report(await world.sync(RUN))
  await world.clock.settle()
  report(await world.sync(RUN))
}

const holds = async (world: World): Promise<void> =>
  assert.deepStrictEqual(await violations(world, undefined, true), [])

describe("a request that is late when its state file is lost", () => {
  it("is an invoice: the new file waits for it before it sends any", () =>
    slow(/transactions$/, async (world, late) => {
      world.documents = [invoice()]
      await world.sync(RUN)
      remove(world)
      late.on = false
      await isMended(world)
      assert.strictEqual(world.service.transaction.size, 1)
      await holds(world)
    }))

  it("is an order: the new file waits for it before it creates any", () =>
    slow(
      /orders$/,
      async (world, late) => {
        world.documents = [fresh()]
        await world.sync(RUN)
        remove(world)
        late.on = false
        await isMended(world)
        assert.strictEqual(world.service.order.size, 1)
      },
      { planning: { ...planning, orders: { create } } }
    ))

  it("is a payment, and an older copy takes the file's place: the service is read when it must have arrived", () =>
    slow(/payments\/$/, async (world, late) => {
      late.on = false
      world.documents = [invoice()]
      report(await world.sync(RUN))
      const copy = join(world.file, "..", "..", "copy.db")
      await world.life(Backup.backup(copy))
      late.on = true
      world.documents = [invoice(), payment("P1", "50.00"), creditNote("C1", "5.00")]
      await world.sync(RUN)
      late.on = false
      remove(world)
      copyFileSync(copy, world.file)
      assert.isTrue(existsSync(world.file))
      await isMended(world)
      assert.strictEqual(world.service.payment.size, 1)
      await holds(world)
    }))
})

it("a new state file of an owner whom the service does not know yet waits for nothing", async () => {
  const world = new World()
  try {
    world.documents = [invoice()]
    const began = world.clock.monotonicTimeNanosUnsafe()
    report(await world.sync(RUN))
    assert.strictEqual(world.clock.monotonicTimeNanosUnsafe(), began)
    assert.deepStrictEqual(requests(world).slice(0, 2), ["GET /v1/transactions", "GET /v1/organisations"])
  } finally {
    world.close()
  }
})
