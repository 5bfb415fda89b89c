/**
 * One seed's story: everything that happens in it has a name (`2.fault.7`) and dice of its own. So a story can be told
 * again with some of it left out, and the rest happens as before: that is how a long story that fails becomes a short one.
 */
import { Dice } from "./Dice.ts"

export interface Happening {
  readonly id: string
  /** In words. */
  readonly what: string
}

export class Story {
  readonly seed: number
  /** What happened so far, in its order. */
  readonly happened: Array<Happening> = []
  readonly #without: ReadonlySet<string>

  constructor(seed: number, without: ReadonlySet<string> = new Set()) {
    this.seed = seed
    this.#without = without
  }

  /** The dice of one happening. */
  dice(id: string): Dice {
    return Dice.of(this.seed, id)
  }

  /** Whether it happens; it is noted when it does. */
  happens(id: string, what: string): boolean {
    if (this.#without.has(id)) return false
    this.happened.push({ id, what })
    return true
  }
}

/**
 * The shortest story that can be had by leaving out parts of this one, such that it still fails. Tries large parts
 * first.
 */
export const shorten = async (
  whole: ReadonlyArray<Happening>,
  fails: (without: ReadonlySet<string>) => Promise<boolean>
): Promise<ReadonlySet<string>> => {
  let left = whole.map(({ id }) => id)
  const deleted = new Set<string>()
  for (let size = Math.ceil(left.length / 2); size > 0; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let again = true; again; ) {
      again = false
      for (let at = 0; at < left.length; ) {
        const part = left.slice(at, at + size)
        if (await fails(new Set([...deleted, ...part]))) {
          for (const id of part) deleted.add(id)
          left = [...left.slice(0, at), ...left.slice(at + size)]
          again = size === 1
        } else at += size
      }
    }
  }
  return deleted
}
