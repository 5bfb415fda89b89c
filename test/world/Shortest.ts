/** The shortest story of a life that still fails in the same way. */
import { shorten } from "../simulation/Story.ts"
import type { Failure } from "./judge/Judge.ts"
import { play, type Played } from "./Life.ts"
import { planOf } from "./truth/People.ts"

export const nameOf = ({ about, kind }: Pick<Failure, "about" | "kind">): string => `${kind}: ${about}`

export const shortest = async (seed: number, name: string): Promise<Played> => {
  const plan = planOf(seed)
  const fails = async (without: ReadonlySet<string>) => (await play(plan, without)).failures.some((one) => nameOf(one) === name)
  const parts = [...plan.happenings, ...plan.syncs.map((day) => ({ id: `sync.${day}`, what: "" }))]
  return play(plan, await shorten(parts, fails))
}
