/** What belongs to records: lists that are asked for many of them at once, or for each by itself. */
import { Array as Arr, Effect } from "effect"
import * as Http from "../Http.ts"
import * as Json from "../Json.ts"
import type { Asked, Read, Source } from "./Asking.ts"
import type { Child, List, Root } from "./Declaration.ts"
import * as Turn from "./Turn.ts"

/** Pages of what belongs to one record, or to those of one page: more are not asked for. */
const MOST_PAGES = 100

/** A record with what belongs to it; or why that could not be read. */
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
      // It counts for nothing, and is the mapping's to quarantine.
      if (cause instanceof Json.Unfit) return all
      throw cause
    }
  }, 0)
}

/** Two of one page that have no name and are alike are two. */
const numbered = (keys: ReadonlyArray<string>): ReadonlyArray<string> => {
  const times = new Map<string, number>()
  return keys.map((key) => {
    const n = times.get(key) ?? 0
    times.set(key, n + 1)
    return n === 0 ? key : `${key} ${n}`
  })
}

/** Of a list that cannot be read: why, in words. */
type Unreadable = string

const ENDLESS: Unreadable = `has more than ${MOST_PAGES} pages; the source may repeat them for ever`
const MISSING: Unreadable = "is not there (404); the record may have been deleted meanwhile, or the address is wrong"

/** All of a list, or as many as are enough. */
export const all = (
  { page }: Source,
  list: List,
  path: string,
  query: Http.Query,
  isEnough: (found: ReadonlyArray<unknown>) => boolean = () => false
): Read<ReadonlyArray<unknown> | Unreadable> =>
  Effect.gen(function* () {
    const found = new Map<string, unknown>()
    for (let at: Turn.At | undefined = Turn.begin(), n = 0; at !== undefined; n++) {
      if (n === MOST_PAGES) return ENDLESS
      // Also where it is read again because one was deleted.
      if (at.page === 1) found.clear()
      const { answer, keys, records }: Asked = yield* page(list, at, path, query)
      if (answer.status === 404 && list.missing !== "none") return MISSING
      for (const [i, key] of numbered(keys).entries()) found.set(key, records[i])
      if (isEnough([...found.values()])) break
      at = Turn.turn(at, list, answer, keys).next
    }
    return [...found.values()]
  })

/** How many there are, as the record says it; undefined where it cannot know. What cannot be read of it is thrown. */
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
  return all(source, list, path, query, (found) => typeof expected === "number" && sum(list, found) >= expected)
}

/** By the id of the record that they belong to. */
const ofMany = (source: Source, list: Child & { by: "ids" }, ids: ReadonlyArray<string>) =>
  Effect.map(
    Effect.forEach(Arr.chunksOf(ids, list.size.most), (chunk) =>
      all(source, list, list.path, { [list.param]: chunk.join(list.separator ?? ",") })
    ),
    (found) =>
      found.find((one) => typeof one === "string") ??
      Arr.groupBy(found.filter((one) => typeof one !== "string").flat(), (one) => memberOf(one, list.key))
  )

/** What cannot be read of a record, or of what belongs to it. */
const unfit = (cause: unknown): NonNullable<Whole["wrong"]> => {
  if (!(cause instanceof Error)) throw cause
  return { field: cause instanceof Json.Unfit ? cause.field : "", why: cause.message }
}

type Each = readonly [name: string, child: Child & { by: "each" }]
type Found = readonly [name: string, children: ReadonlyArray<unknown> | Unreadable]

/** A record with those that are asked for by its id. What it says of them may be unfit, and then it is quarantined. */
const withEach = (
  source: Source,
  id: string,
  record: Json.Members,
  each: ReadonlyArray<Each>,
  shared: ReadonlyArray<Found>
): Read<Whole> =>
  Effect.gen(function* () {
    const found: Array<Found> = [...shared]
    try {
      for (const [name, child] of each) found.push([name, yield* ofEach(source, child, id, record)])
    } catch (cause) {
      return { record, wrong: unfit(cause) }
    }
    const wrong = found.flatMap(([field, why]) => (typeof why === "string" ? [{ field, why }] : []))[0]
    return { record: { ...record, ...Object.fromEntries(found) }, ...(wrong === undefined ? {} : { wrong }) }
  })

/** By the id of the record that they belong to. */
type ById = readonly [name: string, of: Readonly<Record<string, ReadonlyArray<unknown>>> | Unreadable, whose: string]

/** What belongs to records, and what of it names none of them. */
export interface Shared {
  readonly of: ReadonlyArray<ById>
  readonly strays: Json.Batch
}

/** What belongs to these records and is asked for many of them at once. */
export const shared = (source: Source, root: Root<never>, records: ReadonlyArray<unknown>): Read<Shared> =>
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
    return { of, strays }
  })

/** Records with all that belongs to them. */
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
        // Nobody can ask what belongs to a record without a name: it would look as if there was nothing.
        if (id === undefined && root.children !== undefined)
          return Effect.succeed<Whole>({ record, wrong: { field: root.id ?? "id", why: "is missing; it is required" } })
        if (id === undefined) return Effect.succeed<Whole>({ record })
        const its = known.of.map(([name, of, whose]): Found => {
          const its = Json.nameAt(record, whose)
          return [name, typeof of === "string" ? of : ((its === undefined ? undefined : of[its]) ?? [])]
        })
        return withEach(source, id, record, each, its)
      },
      { concurrency: source.atOnce }
    )
  })

const memberOf = (record: unknown, path: string): string => Json.nameAt(record, path) ?? ""

/** The ids of other records that these name. */
export const named = (records: ReadonlyArray<unknown>, path: string): ReadonlyArray<string> => [
  ...new Set(records.map((record) => memberOf(record, path)).filter((id) => id !== ""))
]

/** Records that name none. */
export const strays = (root: Root<never>, records: ReadonlyArray<unknown>, path: string): Json.Batch => {
  const into = Json.batch()
  const odd = records.filter((record) => memberOf(record, path) === "")
  const decode = Json.refuse(path, "is missing: it does not say which record it belongs to")
  Json.decodeAll(into, odd, { name: root.name, kind: root.kind, id: root.id ?? "id", decode })
  return into
}

/** What records become; `known` is what was asked for many of them. */
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
  // Of one of these records something may be missing: nobody knows of which.
  if (known.strays.quarantined.length > 0) into.complete.length = 0
  return into
}
