/** Adds connections to an existing configuration: the rest of the file stays as written. */
import { withEntry } from "./ChangeConfig.ts"
import type { Config } from "./Configuration.ts"
import * as JsonText from "./JsonText.ts"

type Written = Config["connections"][number]

interface Known {
  readonly connections?: ReadonlyArray<Written>
}

/** The first of `books`, `books-2`, … that is not in use. */
export const freeId = (text: string, wanted: string): string => {
  const taken = ((JsonText.parse(text) as Known | null)?.connections ?? []).map(({ id }) => id)
  for (let n = 1; ; n++) {
    const id = n === 1 ? wanted : `${wanted}-${n}`
    if (!taken.includes(id) && !taken.includes(`${id}-payments`)) return id
  }
}

/** The owner of the existing connections, if they share one. */
export const ownerIn = (text: string): Written["owner"] => {
  const owners = ((JsonText.parse(text) as Known | null)?.connections ?? []).flatMap(({ owner }) =>
    owner === undefined ? [] : [owner]
  )
  return new Set(owners.map((one) => JSON.stringify(one))).size === 1 ? owners[0] : undefined
}

export const added = (text: string, connections: ReadonlyArray<Written>): string =>
  connections.reduce((before, one) => withEntry(before, ["connections"], one), text)
