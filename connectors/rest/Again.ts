/** Reads records of a declared list again by id, with all their children. */
import { Array as Arr, Effect } from "effect"
import * as Json from "../Json.ts"
import type { Read, Source } from "./Asking.ts"
import { decoded, shared, type Whole, wholes } from "./Children.ts"
import type { Root } from "./Declaration.ts"
import * as Turn from "./Turn.ts"

/** How many records are read at once if each needs a request of its own. */
export const CHUNK = 25

/** How many records of a list are read again at once. */
export const atOnce = ({ several, size }: Root<never>): number => (several === undefined ? CHUNK : size.most)

interface Named {
  readonly id: string
  /** Undefined if the source does not have it. */
  readonly record: unknown
}

/** Reads records by id: many in one request, if the list can be queried so, and those that are missing one by one. */
const byId = (source: Source, root: Root<never>, ids: ReadonlyArray<string>): Read<ReadonlyArray<Named>> => {
  const one = (id: string): Read<Named> => Effect.map(source.one(root, id), (record) => ({ id, record }))
  if (root.several === undefined || ids.length < 2) return Effect.forEach(ids, one)
  const list: Root<never> = { ...root, pagination: { by: "none" } }
  return Effect.flatMap(source.page(list, Turn.begin(), root.path, root.several(ids)), ({ records }) => {
    const there = new Map(records.map((record) => [Json.nameAt(record, root.id ?? "id"), record]))
    return Effect.forEach(ids, (id) => (there.has(id) ? Effect.succeed({ id, record: there.get(id) }) : one(id)))
  })
}

interface Reader {
  readonly settings: never
  readonly source: Source
}

const alongOf = (root: Root<never>, record: unknown): ReadonlyArray<string> => {
  try {
    return root.along?.(Json.fieldsOf(record)) ?? []
  } catch (cause) {
    // Its mapping says what is wrong with the record.
    if (cause instanceof Json.Unfit) return []
    throw cause
  }
}

/** Reads again what changes with these records, unless it is among them. */
export const withAlong = (
  reading: Reader,
  root: Root<never>,
  records: ReadonlyArray<Whole>,
  into: Json.Batch
): Read<Json.Batch> => {
  const { along, ...alone } = root
  const own = new Set(records.map(({ record }) => Json.nameAt(record, root.id ?? "id")))
  const named = new Set(records.flatMap(({ record }) => alongOf(root, record)))
  const others = [...named].filter((id) => !own.has(id))
  if (along === undefined || others.length === 0) return Effect.succeed(into)
  return Effect.map(
    Effect.forEach(Arr.chunksOf(others, atOnce(root)), (ids) => again(reading, alone, ids)),
    (batches) => Json.merged([into, ...batches])
  )
}

/** Reads these records again by id, with all their children. */
export const again = ({ settings, source }: Reader, root: Root<never>, ids: ReadonlyArray<string>): Read<Json.Batch> =>
  Effect.gen(function* () {
    const found = yield* byId(source, root, ids)
    const there = found.flatMap(({ record }) => (record === undefined ? [] : [record]))
    const known = yield* shared(source, root, there)
    const whole = yield* wholes(source, root, there, known)
    const into = decoded(root, settings, whole, known)
    into.quarantined.push(...known.strays.quarantined)
    for (const { id, record } of found) if (record === undefined) into.deleted.push({ kind: root.kind, id })
    return yield* withAlong({ settings, source }, root, whole, into)
  })
