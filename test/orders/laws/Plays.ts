/** One day of a shop as a test: states of an order, and what has to be charged and left open at their end. */
import { assert, it } from "@effect/vitest"
import type { State } from "./Numbers.ts"
import { type Euro, outcome, type Right } from "./Play.ts"

export const plays = (
  name: string,
  authorised: Euro,
  states: State[],
  right: Right,
  more: Parameters<typeof outcome>[2] = {}
) =>
  it(name, () => {
    const found = outcome(authorised, states, more)
    assert.deepStrictEqual(
      Object.fromEntries(Object.keys(right).map((one) => [one, found[one as keyof Right]])),
      right as never
    )
    if (right.asks === undefined) assert.deepStrictEqual(found.asks, [])
  })
