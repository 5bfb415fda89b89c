/**
 * What an attack on orders found, item by item, over the real command with figures that are written out; and a few
 * orders with moves by chance. `node test/orders/run.ts` plays two thousand, `node test/orders/mutants.ts` tries them all.
 */
import { readFileSync } from "node:fs"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { Program } from "../crash/Program.ts"
import { ALONE } from "./Alone.ts"
import { CASES as GOODS } from "./Cases.ts"
import { Desk } from "./Desk.ts"
import { IDENTITIES } from "./Identities.ts"
import { MUTANTS, mutated, tryMutant } from "./mutants.ts"
import { proxy } from "./Proxy.ts"
import { Service } from "./Service.ts"
import { play, Tale } from "./Tale.ts"
import { world } from "./World.ts"

const CASES = [...GOODS, ...IDENTITIES]

const found = new Map<string, Tale>()
const keyOf = (item: string) => `sk-orders-${item}`
let program: Program
let sandbox: { readonly url: string; readonly end: () => Promise<void> }

beforeAll(async () => {
  program = new Program()
  sandbox = await program.sandbox([...ALONE.map(({ item }) => keyOf(item)), keyOf("shared"), keyOf("world")])
  const key = keyOf("shared")
  const desk = new Desk(program, { key, url: sandbox.url })
  const service = new Service(sandbox.url, key)
  for (const { item } of CASES) found.set(item, new Tale(item, desk, service))
  await play(
    desk,
    CASES.map(({ item, plot }) => [found.get(item)!, plot] as const)
  )
}, 120_000)

afterAll(async () => {
  await sandbox.end()
  program.close()
})

const report = ({ found, log }: Tale) => assert.deepStrictEqual(found, [], log.join("\n"))

describe("orders by chance", () => {
  it("are captured, voided and refunded to the minor unit, or a person is told before", {
    timeout: 120_000
  }, async () => {
    const { found, moves } = await world(program, { url: sandbox.url, key: keyOf("world"), seed: 1, orders: 40 })
    assert.deepStrictEqual(found, [], "node test/orders/run.ts 40 1")
    assert.isAtLeast(moves, 60)
  })
})

describe("orders with one mistake", () => {
  it("can all be made of the source as it is: node test/orders/mutants.ts tries them", () => {
    const items = [...CASES, ...ALONE].map(({ item }) => item)
    for (const mutant of MUTANTS) {
      assert.notStrictEqual(mutated(mutant), readFileSync(mutant.file, "utf8"))
      assert.include(items, mutant.item)
    }
  })

  for (const name of ["contradictions do not stop what follows", "claims of one payment are not compared"]) {
    it(`are caught: ${name}`, { timeout: 120_000 }, async () => {
      assert.isDefined(await tryMutant(MUTANTS.find((mutant) => mutant.name === name)!))
    })
  }
})

describe("orders, as an attack on them found", () => {
  for (const { item, what } of CASES) it(`${item}: ${what}`, () => report(found.get(item)!))

  for (const { item, plot, what } of ALONE) {
    it(`${item}: ${what}`, { timeout: 60_000 }, async () => {
      const between = await proxy(sandbox.url)
      try {
        const key = keyOf(item)
        const desk = new Desk(program, { key, url: between.url })
        const service = new Service(sandbox.url, key)
        const plots = typeof plot === "function" ? { [item]: plot } : plot
        const tales = Object.entries(plots).map(
          ([name, plot]) => [new Tale(name, desk, service), plot(between)] as const
        )
        await play(desk, tales)
        for (const [tale] of tales) report(tale)
      } finally {
        await between.close()
      }
    })
  }
})
