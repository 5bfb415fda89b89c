/**
 * Renders attention items: what each is about, why, and what to do. Items with the same reason, or the same advice, share it.
 */
import type { Attention } from "../../sync/model/Call.ts"
import { oneLine, type Output } from "./Output.ts"

export interface Item extends Attention {
  /** Its number, once it is stored. */
  readonly id?: number
}

/** Groups in the order of their first items. */
export const groupBy = <A>(
  all: ReadonlyArray<A>,
  of: (one: A) => string
): ReadonlyArray<readonly [string, ReadonlyArray<A>]> => {
  const groups = new Map<string, Array<A>>()
  for (const one of all) {
    const group = groups.get(of(one))
    if (group === undefined) groups.set(of(one), [one])
    else group.push(one)
  }
  return [...groups]
}

const head = ({ fact, id, rule, subject }: Item, style: Output["style"]): string =>
  `  ${id === undefined ? "" : `${style.bold(String(id))} `}${oneLine(`${subject}${fact === subject ? "" : ` (${fact})`}`)} ${style.dim(rule)}`

export const attentionLines = (items: ReadonlyArray<Item>, style: Output["style"]): ReadonlyArray<string> =>
  groupBy(items, ({ todo }) => todo).flatMap(([todo, alike]) => [
    ...groupBy(alike, ({ why }) => why).flatMap(([why, same]) => [
      ...same.map((one) => head(one, style)),
      `    ${oneLine(why)}`
    ]),
    `    ${style.dim(`→ ${alike.length === 1 ? "" : `for each of these ${alike.length}: `}${oneLine(todo)}`)}`
  ])
