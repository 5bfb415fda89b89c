/** Handles lists that are read once for each record of another list: which records those are, and which comes next. */
import { Effect } from "effect"
import type * as Http from "../Http.ts"
import * as Json from "../Json.ts"
import { failing } from "../Connector.ts"
import type { Read, Source } from "./Asking.ts"
import { all } from "./All.ts"
import type { Root } from "./Declaration.ts"

/** The ids of the records that a list is read for, and the current one. */
export interface Parts {
  readonly ids: ReadonlyArray<string>
  readonly at: number
}

/** Begins with this id, or with the first if it is gone. Undefined for a list that is read as a whole. */
export const begin = (
  connector: string,
  source: Source,
  root: Root<never>,
  id: string | undefined
): Read<Parts | undefined> => {
  const { each } = root
  if (each === undefined) return Effect.succeed(undefined)
  // If this list is read completely, then so is the list of those records.
  const list = { ...each, changes: root.changes }
  return Effect.flatMap(all(source, list, each.path, {}), (found) => {
    if (typeof found === "string") return Effect.fail(failing(connector).unreadable(each.path, found))
    const ids = found.flatMap((record) => Json.nameAt(record, each.id ?? "id") ?? [])
    return Effect.succeed({ ids, at: Math.max(0, id === undefined ? 0 : ids.indexOf(id)) })
  })
}

/** The next id; undefined after the last. */
export const next = ({ at, ids }: Parts): Parts | undefined => (at + 1 < ids.length ? { ids, at: at + 1 } : undefined)

/** The current id; undefined for a list that is read as a whole. */
export const current = (parts: Parts | undefined): string | undefined => parts?.ids[parts.at]

export const query = ({ each }: Root<never>, id: string | undefined): Http.Query =>
  id === undefined || each === undefined ? {} : { [each.param]: id }
