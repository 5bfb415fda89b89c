/** Reads the child lists of records: for many records in one request, or for each record separately. */
import { Array as Arr, Effect } from "effect"
import * as Http from "../Http.ts"
import * as Json from "../Json.ts"
import { all, type Unreadable } from "./All.ts"
import type { Read, Source } from "./Asking.ts"
import type { Child, List, Root } from "./Declaration.ts"
import { fromAll, type Joined } from "./Joined.ts"

/** A record with its children; or why they could not be read. */
export interface Whole {
  readonly record: unknown
  readonly wrong?: { readonly field: string; readonly why: string }
}

const idOf = (list: List, record: unknown): string | undefined => Json.nameAt(record, list.id ?? "id")

const sum = (list: Child, children: ReadonlyArray<unknown>): number => {
  const counts = "counts" in list ? list.counts : undefined
  if (counts === undefined) return children.length
  return children.reduce<number>((all, one) => {
    try {
      return all + (Json.isObject(one) ? counts(new Json.Fields(one)) : 0)
    } catch (cause) {
      // Counts as zero; the mapping quarantines the record.
      if (cause instanceof Json.Unfit) return all
      throw cause
    }
  }, 0)
}

/** The number of children according to the record; undefined if the record does not say. Throws if that is unreadable. */
const expectedOf = ({ expects }: Child & { by: "each" }, record: Json.Members): number | boolean | undefined =>
  typeof expects === "function" ? expects(new Json.Fields(record)) : undefined

const ofEach = (
  source: Source,
  list: Child & { by: "each" },
  id: string,
  record: Json.Members
): Read<ReadonlyArray<unknown> | Unreadable> => {
  const expected = expectedOf(list, record)
  if (expected === 0 || expected === false) return Effect.succeed([])
  const whose = list.whose === undefined ? id : new Json.Fields(record).text(list.whose)
  const path = list.path.replace("{id}", Http.segment(whose))
  const query = list.param === undefined ? {} : { [list.param]: whose }
  const isEnough = (found: ReadonlyArray<unknown>) => typeof expected === "number" && sum(list, found) >= expected
  return all(source, list, path, query, { isEnough })
}

/** Children by the id of their record. */
const ofMany = (source: Source, list: Child & { by: "ids" }, ids: ReadonlyArray<string>) =>
  Effect.map(
    Effect.forEach(Arr.chunksOf(ids, list.size.most), (chunk) =>
      all(source, list, list.path, { [list.param]: list.written?.(chunk) ?? chunk.join(list.separator ?? ",") })
    ),
    (found) =>
      found.find((one) => typeof one === "string") ??
      Arr.groupBy(found.filter((one) => typeof one !== "string").flat(), (one) => memberOf(one, list.key))
  )

/** What is wrong with a record or its children. */
const unfit = (cause: unknown): NonNullable<Whole["wrong"]> => {
  if (!(cause instanceof Error)) throw cause
  return { field: cause instanceof Json.Unfit ? cause.field : "", why: cause.message }
}

type Each = readonly [name: string, child: Child & { by: "each" }]
type Found = readonly [name: string, children: ReadonlyArray<unknown> | Unreadable]

/** Adds the children that are requested by the record's id. If the expected number is unreadable, it is quarantined. */
const withEach = (
  { joined, source }: { readonly source: Source; readonly joined: Joined | undefined },
  id: string,
  record: Json.Members,
  each: ReadonlyArray<Each>,
  shared: ReadonlyArray<Found>
): Read<Whole> =>
  Effect.gen(function* () {
    const found: Array<Found> = [...shared]
    try {
      for (const one of each) {
        const [name, child] = one
        const known = { ...record, ...Object.fromEntries(found) }
        found.push([name, fromAll(joined, one, id, record) ?? (yield* ofEach(source, child, id, known))])
      }
    } catch (cause) {
      return { record: { ...record, ...Object.fromEntries(found) }, wrong: unfit(cause) }
    }
    const wrong = found.flatMap(([field, why]) => (typeof why === "string" ? [{ field, why }] : []))[0]
    return { record: { ...record, ...Object.fromEntries(found) }, ...(wrong === undefined ? {} : { wrong }) }
  })

/** A child list, with its children by the id of their record. */
type ById = readonly [name: string, of: Readonly<Record<string, ReadonlyArray<unknown>>> | Unreadable, whose: string]

/** Children of records, and children that name none of these records. */
export interface Shared {
  readonly of: ReadonlyArray<ById>
  readonly strays: Json.Batch
  /** In a first pull: the lists of all children. */
  readonly joined: Joined | undefined
}

/** Reads the children of these records that can be requested for many records at once. */
export const shared = (
  source: Source,
  root: Root<never>,
  records: ReadonlyArray<unknown>,
  joined?: Joined
): Read<Shared> =>
  Effect.gen(function* () {
    const [of, strays]: [Array<ById>, Json.Batch] = [[], Json.batch()]
    for (const [name, child] of Object.entries(root.children ?? {})) {
      if (child.by !== "ids") continue
      const whose = child.whose ?? root.id ?? "id"
      const ids = new Set(records.flatMap((record) => Json.nameAt(record, whose) ?? []))
      const found = yield* ofMany(source, child, [...ids])
      of.push([name, found, whose])
      const odd = typeof found === "string" ? [] : Object.keys(found).filter((id) => !ids.has(id))
      const its = { name, kind: root.kind, id: child.id ?? "id" }
      const all = odd.flatMap((id) => (typeof found === "string" ? [] : (found[id] ?? [])))
      Json.decodeAll(strays, all, {
        ...its,
        decode: Json.refuse(child.key, "does not name a record that was asked for")
      })
    }
    return { of, strays, joined }
  })

/** Combines records with all their children. */
export const wholes = (
  source: Source,
  root: Root<never>,
  records: ReadonlyArray<unknown>,
  known: Shared
): Read<ReadonlyArray<Whole>> =>
  Effect.suspend(() => {
    const each = Object.entries(root.children ?? {}).flatMap(
      ([name, child]): ReadonlyArray<Each> => (child.by === "each" ? [[name, child]] : [])
    )
    return Effect.forEach(
      records,
      (record) => {
        const id = idOf(root, record)
        if (!Json.isObject(record)) return Effect.succeed<Whole>({ record })
        // Children of a record without an id cannot be requested, and it must not look as if there were none.
        if (id === undefined && root.children !== undefined)
          return Effect.succeed<Whole>({ record, wrong: { field: root.id ?? "id", why: "is missing; it is required" } })
        if (id === undefined) return Effect.succeed<Whole>({ record })
        const its = known.of.map(([name, of, whose]): Found => {
          const its = Json.nameAt(record, whose)
          return [name, typeof of === "string" ? of : ((its === undefined ? undefined : of[its]) ?? [])]
        })
        return withEach({ source, joined: known.joined }, id, record, each, its)
      },
      { concurrency: source.atOnce }
    )
  })

const memberOf = (record: unknown, path: string): string => Json.nameAt(record, path) ?? ""

/** The ids of other records that these records name. */
export const named = (records: ReadonlyArray<unknown>, path: string): ReadonlyArray<string> => [
  ...new Set(records.map((record) => memberOf(record, path)).filter((id) => id !== ""))
]

/** Quarantines the records that name no other record. */
export const strays = (root: Root<never>, records: ReadonlyArray<unknown>, path: string): Json.Batch => {
  const into = Json.batch()
  const odd = records.filter((record) => memberOf(record, path) === "")
  const decode = Json.refuse(path, "is missing: it does not say which record it belongs to")
  Json.decodeAll(into, odd, { name: root.name, kind: root.kind, id: root.id ?? "id", decode })
  return into
}

/** Maps records to documents; `known` are the children that were requested for many records at once. */
export const decoded = (
  root: Root<never>,
  settings: never,
  wholes: ReadonlyArray<Whole>,
  known: Shared
): Json.Batch => {
  const into = Json.batch()
  const decode = root.decode(settings)
  const unfits = new Map(wholes.flatMap(({ record, wrong }) => (wrong === undefined ? [] : [[record, wrong] as const])))
  Json.decodeAll(
    into,
    wholes.map(({ record }) => record),
    {
      name: root.name,
      kind: root.kind,
      id: root.id ?? "id",
      decode: (fields) => {
        const wrong = unfits.get(fields.record)
        return wrong === undefined ? decode(fields) : Json.refuse(wrong.field, wrong.why)()
      }
    }
  )
  // A stray child may belong to any of these records, so none of them is known to be complete.
  if (known.strays.quarantined.length > 0) into.complete.length = 0
  return into
}

/** What the records of a file come to together. */
export const together = (root: Root<never>, records: ReadonlyArray<unknown>): Json.Batch => {
  const into = Json.batch()
  const { together: its, name } = root
  if (its === undefined || records.length === 0) return into
  const { decode, groups, kind } = its
  Json.decodeAll(into, groups(Json.objects(records)), { name, kind, id: "id", decode })
  return into
}
