/** What a source costs in requests, by its declaration alone. Pure. */
import type { Child, Declaration } from "./Declaration.ts"

const PER = 1000

const ofChild = (child: Child, page: number): number =>
  child.by === "each" ? PER : PER / Math.min(child.size.most, page)

/**
 * Requests for a thousand records of its first list, with all that belongs to them, at most: a record of which the source
 * says that nothing belongs to it costs less.
 */
// biome-ignore lint/suspicious/noExplicitAny: any source
export const perThousand = ({ lists: [first] }: Pick<Declaration<string, any>, "lists">): number => {
  const { children = {}, size } = first
  const own = Object.values(children).reduce((sum, child) => sum + ofChild(child, size.most), 0)
  return Math.ceil(PER / size.most + own)
}
