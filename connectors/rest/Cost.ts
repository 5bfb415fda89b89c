/** What a source costs in requests, by its declaration alone. Pure. */
import type { Child, Declaration } from "./Declaration.ts"

const PER = 1000

/**
 * Requests for a thousand records of its first list, with all that belongs to them. `each` is a request for every record: one
 * of which the source says that nothing belongs to it costs none.
 */
// biome-ignore lint/suspicious/noExplicitAny: any source
export const perThousand = ({ lists: [first] }: Pick<Declaration<string, any>, "lists">) => {
  const { children = {}, size } = first
  const all: ReadonlyArray<Child> = Object.values(children)
  const many = all.filter(({ by }) => by === "ids").map((child) => PER / Math.min(child.size.most, size.most))
  const lists = PER / size.most + many.reduce((sum, one) => sum + one, 0)
  return { lists: Math.ceil(lists), each: all.filter(({ by }) => by === "each").length * PER }
}
