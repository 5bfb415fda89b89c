/**
 * Looks up the customers behind mandates; only their names are kept. The first pull lists all mandates and customers. Later
 * pulls request those that they need, or list them if that takes fewer requests. Each is requested once per run.
 */
import { Effect, Stream } from "effect"
import type { Read } from "../Cursors.ts"
import type * as Http from "../Http.ts"
import * as Json from "../Json.ts"
import { collect, idOf, limits, listing, one } from "./Lists.ts"
import type { Customer } from "./Mapping.ts"

/** Up to this many are requested one by one. */
const FEW = 4
/** The most mandates that are kept in memory in a run that does not list them all. */
const MANY = 10_000

export interface Names {
  /** Lists all of them. */
  readonly all: (pages: number | undefined) => Read<void>
  /** Looks up the mandates that are not known yet. */
  readonly learn: (mandates: ReadonlyArray<string>) => Read<void>
  readonly of: (mandate: string) => Customer | undefined
}

const customer = (id: string, record: unknown): Customer => {
  const its = Json.fieldsOf(record)
  const [company_name, given_name, family_name] = ["company_name", "given_name", "family_name"].map((name) =>
    its.get(name)
  )
  return { id, company_name, given_name, family_name }
}

/** Reads pages of a list until all wanted records are found, or as many pages were read as there are wanted records. */
const hunt = (http: Http.Http, list: string, wanted: ReadonlySet<string>, found: (record: unknown) => void) => {
  let left = wanted.size
  return listing(http, list, {}).pipe(
    Stream.take(wanted.size),
    Stream.takeUntil(({ records }) => {
      for (const record of records) {
        if (wanted.has(idOf(record) ?? "")) left--
        found(record)
      }
      return left <= 0
    }),
    Stream.runDrain
  )
}

/** What was looked up so far: customers by mandate, and names by customer. */
interface Known {
  readonly customers: Map<string, string>
  readonly names: Map<string, Customer>
}

const addMandate =
  ({ customers }: Known) =>
  (record: unknown): void => {
    const [id, its] = [idOf(record), idOf(record, "links.customer")]
    if (id !== undefined && its !== undefined) customers.set(id, its)
  }

const addName =
  ({ names }: Known) =>
  (record: unknown): void => {
    const id = idOf(record)
    if (id !== undefined) names.set(id, customer(id, record))
  }

/** Looks up records that are not known yet: lists pages as long as that is worth it, then requests the rest one by one. */
const missing = (
  http: Http.Http,
  list: string,
  ids: ReadonlyArray<string>,
  known: ReadonlyMap<string, unknown>,
  found: (record: unknown, id?: string) => void
): Read<void> => {
  const unknown = () => [...new Set(ids)].filter((id) => !known.has(id))
  const wanted = new Set(unknown())
  const listed = wanted.size > FEW ? hunt(http, list, wanted, found) : Effect.void
  const each = Effect.suspend(() =>
    Effect.forEach(unknown(), (id) => Effect.map(one(http, list, id), (record) => found(record, id)), {
      concurrency: limits.atOnce,
      discard: true
    })
  )
  return Effect.andThen(listed, each)
}

export const make = (http: Http.Http): Names => {
  const known: Known = { customers: new Map(), names: new Map() }
  const { customers, names } = known
  const [mandate, named] = [addMandate(known), addName(known)]
  return {
    of: (id) => {
      const its = customers.get(id)
      return its === undefined ? undefined : (names.get(its) ?? customer(its, {}))
    },
    all: (pages) =>
      Effect.map(
        Effect.all([collect(http, "mandates", {}, pages), collect(http, "customers", {}, pages)], { concurrency: 2 }),
        ([mandates, people]) => {
          for (const record of mandates) mandate(record)
          for (const record of people) named(record)
        }
      ),
    learn: (mandates) =>
      Effect.gen(function* () {
        if (customers.size >= MANY) customers.clear()
        if (names.size >= MANY) names.clear()
        yield* missing(http, "mandates", mandates, customers, mandate)
        const people = mandates.flatMap((id) => customers.get(id) ?? [])
        // A customer whose data was removed has no name any more.
        yield* missing(http, "customers", people, names, (record, id) => {
          if (record === undefined && id !== undefined) names.set(id, customer(id, {}))
          else named(record)
        })
      })
  }
}
