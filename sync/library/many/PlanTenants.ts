/**
 * Plans many tenants twice, one after the other: as they are set, and with a change of their settings or on another day. Their
 * state files are only read, and nothing is sent. Each tenant is forgotten once its ways to differ are counted.
 */
import { Effect, Schema } from "effect"
import { existsSync } from "node:fs"
import { isDeepStrictEqual } from "node:util"
import type { Day } from "../../../core/wire/Day.ts"
import { Way, Ways } from "../../reports/Fleet.ts"
import type { DocumentDifference } from "../../reports/PlanDifference.ts"
import * as WhatIf from "../../reports/WhatIf.ts"
import { breathe } from "../../state/Breathe.ts"
import { Database, type StateError, type Db } from "../../state/Database.ts"
import { isInCluster } from "../../state/replication/HighWater.ts"
import { overlaid } from "../config/Overlay.ts"
import type { ConfigError, Configuration } from "../config/Configuration.ts"
import { renamed, renamedBy } from "../config/Renames.ts"
import * as SourceBindings from "../../plan/SourceBindings.ts"
import { messageOf, UsageError } from "../Exit.ts"
import * as Hidden from "../Hidden.ts"
import { readsSource } from "../ReadTrial.ts"
import type { Tenant } from "./TenantSource.ts"

export const Fleet = Schema.Struct({
  /** The day of the other plans; null: today. */
  asOf: Schema.NullOr(Schema.String),
  tenants: Schema.Finite,
  /** Of which both plans are the same. */
  same: Schema.Finite,
  /** Of those: whose connections the change does not touch. */
  untouched: Schema.Finite,
  differ: Schema.Finite,
  /** Which could not be planned. */
  failed: Schema.Finite,
  /** For how many a part could not be compared, as `notCovered` of each says. */
  partly: Schema.Finite,
  ways: Schema.Array(Way)
})
export type Fleet = typeof Fleet.Type

/** What came of one tenant. */
export interface TenantPlanned {
  readonly tenant: string
  readonly outcome: "same" | "untouched" | "differs" | "failed"
  /** Documents of which the plans differ, and of which they say the same. */
  readonly differ: number
  readonly same: number
  readonly ways: ReadonlyArray<Way>
  /** What is not compared, in sentences. */
  readonly notCovered: ReadonlyArray<string>
  /** Why it could not be planned. */
  readonly why?: string
}

export interface PlanWanted {
  /** What replaces what is written in each configuration, see `config/Overlay.ts`. */
  readonly with?: unknown
  readonly asOf?: Day | undefined
  /** Whether sources that are set otherwise are read, into copies. */
  readonly read?: boolean
  /** Compares with the plan of another version instead, and returns how many documents are the same. */
  readonly by?: (books: BooksOf, onDocument: (one: DocumentDifference) => void) => Effect.Effect<number, Failure>
}

/** What is planned of a tenant: its books, and its configuration. */
export interface BooksOf {
  readonly tenant: Tenant
  readonly configuration: Configuration
  readonly db: Db
}

type Failure = ConfigError | StateError | UsageError

/** Reads a tenant's state file beside whoever runs it. */
export const readBooks = <A>(
  tenant: Tenant,
  work: (books: BooksOf) => Effect.Effect<A, Failure>
): Effect.Effect<A, Failure> =>
  Effect.gen(function* () {
    if (!existsSync(tenant.state))
      return yield* new UsageError({
        why: isInCluster(tenant.folder)
          ? "its state is in PostgreSQL; name that with --database URL"
          : "it has no state file yet: nothing of it was ever read"
      })
    const configuration = yield* Effect.flatMap(tenant.read, (one) => renamed(one, tenant.state))
    const done = yield* Effect.provide(
      Effect.flatMap(Database, (db) => work({ tenant, configuration, db })),
      Database.layer({ file: tenant.state, mode: "read" })
    )
    // Of a tenant that could not be planned, what its message hides is still needed.
    Hidden.forget(configuration.file)
    return done
  })

/** The same with another version of Daybook. */
const plannedBy = (books: BooksOf, by: NonNullable<PlanWanted["by"]>): Effect.Effect<TenantPlanned, Failure> =>
  Effect.gen(function* () {
    const { name } = books.tenant
    const ways = new Ways("one tenant")
    let differ = 0
    const same = yield* by(books, (one) => {
      differ++
      ways.document(name, one)
    })
    const outcome = ways.size === 0 ? "same" : "differs"
    return { tenant: name, outcome, differ, same, ways: ways.value(), notCovered: [] }
  })

const planned = (books: BooksOf, wanted: PlanWanted): Effect.Effect<TenantPlanned, Failure> =>
  Effect.gen(function* () {
    const { configuration, db, tenant } = books
    const { name } = tenant
    if (wanted.by !== undefined) return yield* plannedBy(books, wanted.by)
    const { connections, service } = configuration
    const read = tenant.readAs((written) => overlaid(written, wanted.with))
    const other =
      wanted.with === undefined
        ? undefined
        : yield* renamedBy(yield* read, yield* db.read(() => SourceBindings.namesIn(db)))
    const isUntouched =
      other === undefined || (isDeepStrictEqual(other.connections, connections) && other.service.url === service.url)
    if (isUntouched && wanted.asOf === undefined)
      return { tenant: name, outcome: "untouched", differ: 0, same: 0, ways: [], notCovered: [] }
    const ways = new Ways("one tenant")
    let differ = 0
    const rest = yield* WhatIf.compare(
      db,
      connections,
      {
        ...(other === undefined ? {} : { connections: other.connections, url: other.service.url }),
        ...(other === undefined || wanted.read !== true
          ? {}
          : { read: readsSource({ today: configuration, other }, tenant.state) }),
        ...(wanted.asOf === undefined ? {} : { asOf: wanted.asOf })
      },
      (one) => {
        differ++
        ways.document(name, one)
      }
    )
    for (const one of rest.stops) ways.stop(name, one)
    const { notCovered, same } = rest
    const outcome = ways.size === 0 ? "same" : "differs"
    return { tenant: name, outcome, differ, same, ways: ways.value(), notCovered }
  })

const failed = (tenant: string, error: unknown): TenantPlanned => ({
  ...{ tenant, outcome: "failed", differ: 0, same: 0, ways: [], notCovered: [] },
  why: messageOf(error)
})

/** Plans one tenant; a failure is its outcome. */
export const planTenant = (
  name: string,
  use: <A>(work: (books: BooksOf) => Effect.Effect<A, Failure>) => Effect.Effect<A, Failure>,
  wanted: PlanWanted
): Effect.Effect<TenantPlanned> =>
  use((books) => planned(books, wanted)).pipe(Effect.catch((error) => Effect.succeed(failed(name, error))))

/** Adds up what came of each tenant. */
class FleetSum {
  readonly #counts = { same: 0, untouched: 0, differ: 0, failed: 0, partly: 0, tenants: 0 }
  readonly #ways = new Ways("tenants")

  add({ notCovered, outcome, ways }: TenantPlanned): void {
    this.#counts.tenants++
    if (outcome === "failed") this.#counts.failed++
    else this.#counts[outcome === "differs" ? "differ" : "same"]++
    if (outcome === "untouched") this.#counts.untouched++
    if (notCovered.length > 0) this.#counts.partly++
    this.#ways.merge(ways)
  }

  value(asOf: Day | undefined): Fleet {
    return { asOf: asOf ?? null, ...this.#counts, ways: this.#ways.value() }
  }
}

/** If one cannot be planned, the others still are. */
export const planTenants = (
  tenants: ReadonlyArray<string>,
  plan: (name: string) => Effect.Effect<TenantPlanned>,
  { asOf }: PlanWanted,
  onDone: (one: TenantPlanned) => Effect.Effect<void> = () => Effect.void
): Effect.Effect<Fleet> =>
  Effect.gen(function* () {
    const sum = new FleetSum()
    for (const name of tenants) {
      const one = yield* plan(name)
      sum.add(one)
      yield* onDone(one)
      yield* breathe
    }
    return sum.value(asOf)
  })
