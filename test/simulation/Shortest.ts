/** Which seeds a program with a mistake fails on, and the shortest story of one that fails. */
import type { Wrap } from "../sync/World.ts"
import type { SimulateOptions } from "./Outcome.ts"
import { simulate } from "./Simulation.ts"
import { shorten } from "./Story.ts"

/** What a history failed of; anything at all unless said otherwise. */
export type Fails = (found: ReadonlyArray<string>) => boolean

/** The effect that nobody forgives: something was done twice. */
export const isDouble: Fails = (found) => found.some((what) => /twice| [2-9] times|out of balance/.test(what))

/** The first of these many seeds that a program with a mistake fails on. */
export const catches = async (
  seeds: number,
  wrap: Wrap,
  { fails = isDouble, from = 1 }: { readonly fails?: Fails; readonly from?: number } = {}
): Promise<number | undefined> => {
  for (let seed = from; seed < from + seeds; seed++) if (fails((await simulate(seed, { wrap })).found)) return seed
  return undefined
}

/** The shortest story of a seed that still fails, in words, and what does not hold in it. */
export const shortest = async (
  seed: number,
  wrap?: Wrap,
  fails: Fails = (found) => found.length > 0,
  options: Pick<SimulateOptions, "cover" | "lies" | "pays" | "moves"> = {}
): Promise<ReadonlyArray<string>> => {
  const whole = await simulate(seed, { ...options, wrap })
  if (!fails(whole.found)) return whole.found
  const left = new Map(whole.happened.map((one) => [one.id, one]))
  const without = await shorten([...left.values()], async (without) =>
    fails((await simulate(seed, { ...options, wrap, without })).found)
  )
  const { found, happened } = await simulate(seed, { ...options, wrap, without })
  return [...happened.map(({ id, what }) => `${id}: ${what}`), ...found.map((what) => `→ ${what}`)]
}
