/**
 * Joins records with the list of all their children. A first pull reads every record, and one list takes fewer requests than
 * one for each of them.
 */
import { Array as Arr, Effect } from "effect"
import * as Json from "../Json.ts"
import { all, MISSING, type Unreadable } from "./All.ts"
import type { Read, Source } from "./Asking.ts"
import type { Child, Root } from "./Declaration.ts"

/** More pages than any source has. */
const MOST_PAGES = 100_000

type ById = Readonly<Record<string, ReadonlyArray<unknown>>>

export interface Joined {
  /** By the name of the child list: its children by the id of their record. Without the lists that the source lacks. */
  readonly of: ReadonlyMap<string, ById | Unreadable>
  /** A batch that quarantines the children that name no record, if there are any. */
  readonly strays: ReadonlyArray<Json.Batch>
}

/** Reads the lists of all children of a list's records. */
export const begin = (source: Source, root: Root<never>): Read<Joined> =>
  Effect.gen(function* () {
    const [of, strays] = [new Map<string, ById | Unreadable>(), Json.batch()]
    for (const [name, child] of Object.entries(root.children ?? {})) {
      if (child.by !== "each" || child.all === undefined) continue
      const { has, key, ...list } = child.all
      const found = yield* all(source, { ...list, by: "all" }, list.path, {}, { most: MOST_PAGES })
      if (found === MISSING || (typeof found === "string" && has !== undefined)) continue
      if (typeof found === "string") {
        of.set(name, found)
        continue
      }
      of.set(
        name,
        Arr.groupBy(found, (one) => Json.nameAt(one, key) ?? "")
      )
      const odd = has === undefined ? found.filter((one) => Json.nameAt(one, key) === undefined) : []
      const decode = Json.refuse(key, "is missing: it does not say which record it belongs to")
      Json.decodeAll(strays, odd, { name, kind: root.kind, id: list.id ?? "id", decode })
    }
    return { of, strays: strays.quarantined.length === 0 ? [] : [strays] }
  })

/** Whether a record has all of its children; false if the record cannot be read. */
const isHeld = (has: (record: Json.Fields) => boolean, record: Json.Members): boolean => {
  try {
    return has(new Json.Fields(record))
  } catch (cause) {
    if (cause instanceof Json.Unfit) return false
    throw cause
  }
}

/** A record's children from the list of all; undefined if they must be requested by the record's id. */
export const fromAll = (
  joined: Joined | undefined,
  [name, child]: readonly [name: string, child: Child & { by: "each" }],
  id: string,
  record: Json.Members
): ReadonlyArray<unknown> | Unreadable | undefined => {
  const of = joined?.of.get(name)
  if (of === undefined || typeof of === "string") return of
  const { has, id: path = "id", names, whose } = child.all ?? {}
  const own = whose === undefined ? id : Json.nameAt(record, whose)
  const found = (own === undefined ? undefined : of[own]) ?? []
  if (has !== undefined && !isHeld(has, { ...record, [name]: found })) return undefined
  // One that the record names and the list lacks was made meanwhile.
  const there = new Set(found.map((one) => Json.nameAt(one, path)))
  const named = names === undefined ? [] : Json.objects(record[names])
  return named.every((one) => there.has(Json.nameAt(one, path))) ? found : undefined
}
