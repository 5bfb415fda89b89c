/** Computes from a declaration how many requests a source costs. Pure. */
import type { Child, Declaration } from "./Declaration.ts"

const PER = 1000

/**
 * Requests per thousand records of the first list, with all their children. `each` counts a request for every record; a
 * record that says that it has no children costs none. A list of all children counts as if each record had one. If that
 * list may lack children, it counts as if it lacked those of every record.
 */
// biome-ignore lint/suspicious/noExplicitAny: any source
export const perThousand = ({ lists: [first] }: Pick<Declaration<string, any>, "lists">) => {
  const { children = {}, size } = first
  const all: ReadonlyArray<Child> = Object.values(children)
  const many = all.flatMap((child) => {
    if (child.by === "ids") return [PER / Math.min(child.size.most, size.most)]
    return child.all === undefined ? [] : [PER / child.all.size.most]
  })
  const lists = PER / size.most + many.reduce((sum, one) => sum + one, 0)
  return {
    lists: Math.ceil(lists),
    each:
      all.filter((child) => child.by === "each" && (child.all === undefined || child.all.has !== undefined)).length *
      PER
  }
}
