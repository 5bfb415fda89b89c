/**
 * The cases over the real command as tests: those that share a desk in one play, so that one sync serves all of them, and
 * those that need a desk of their own, one by one.
 */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { Program } from "../crash/Program.ts"
import { ALONE } from "./Alone.ts"
import { CASES as GOODS, type Case } from "./Cases.ts"
import { Desk } from "./Desk.ts"
import { IDENTITIES } from "./Identities.ts"
import { proxy } from "./Proxy.ts"
import { Service } from "./Service.ts"
import { play, Tale } from "./Tale.ts"
import { TOTALS } from "./Totals.ts"

const CASES: ReadonlyArray<Case> = [...GOODS, ...IDENTITIES, ...TOTALS]

interface Surroundings {
  readonly program: Program
  readonly url: string
}

const surroundings: { now?: Surroundings; readonly close: Array<() => unknown> } = { close: [] }

/** The program and the service for the tests of this file, with an account for each key. */
export const useProgram = (keys: ReadonlyArray<string>): (() => Surroundings) => {
  beforeAll(async () => {
    const program = new Program()
    const { end, url } = await program.sandbox(keys)
    surroundings.now = { program, url }
    surroundings.close.push(() => program.close(), end)
  }, 120_000)
  afterAll(async () => {
    for (const close of surroundings.close.splice(0).toReversed()) await close()
  })
  return () => surroundings.now!
}

const report = ({ found, log }: Tale) => assert.deepStrictEqual(found, [], log.join("\n"))

interface Suite {
  /** Of the service: `-` and a case's item is added, or `shared`, or `world`. */
  readonly key: string
  readonly program: () => Surroundings
}

export const keysOf = ({ key }: Pick<Suite, "key">): ReadonlyArray<string> => [
  ...ALONE.map(({ item }) => `${key}-${item}`),
  `${key}-shared`
]

const deskOf = ({ program }: Suite, key: string, url = program().url) => ({
  desk: new Desk(program().program, { key, url }),
  service: new Service(program().url, key)
})

export const cases = (suite: Suite): void => {
  const found = new Map<string, Tale>()

  beforeAll(async () => {
    const { desk, service } = deskOf(suite, `${suite.key}-shared`)
    for (const { item } of CASES) found.set(item, new Tale(item, desk, service))
    await play(
      desk,
      CASES.map(({ item, plot }) => [found.get(item)!, plot] as const)
    )
    await desk.front.close()
  }, 120_000)

  describe("as an attack on them found", () => {
    for (const { item, what } of CASES) it(`${item}: ${what}`, () => report(found.get(item)!))

    for (const { item, plot, what } of ALONE) {
      it(`${item}: ${what}`, { timeout: 90_000 }, async () => {
        const between = await proxy(suite.program().url)
        const { desk, service } = deskOf(suite, `${suite.key}-${item}`, between.url)
        try {
          const plots = typeof plot === "function" ? { [item]: plot } : plot
          const tales = Object.entries(plots).map(
            ([name, plot]) => [new Tale(name, desk, service), plot(between)] as const
          )
          await play(desk, tales)
          for (const [tale] of tales) report(tale)
        } finally {
          await desk.front.close()
          await between.close()
        }
      })
    }
  })
}
