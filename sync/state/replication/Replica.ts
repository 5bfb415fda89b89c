/**
 * Opens a replicated state file; all code that opens state files uses this. The local file is a working copy: it is restored
 * from the store whenever it is opened, as far as the cache has it not, and its commits are shipped before they are reported.
 */
import type Sqlite from "better-sqlite3"
import { Clock, Effect, type Scope } from "effect"
import { existsSync } from "node:fs"
import * as KeptVaults from "../../vault/KeptVaults.ts"
import { StateError } from "../StateError.ts"
import type { CachedCopy } from "./CachedCopy.ts"
import { adopt, moveAside, usedOutside } from "./Adopt.ts"
import { moment } from "./Clocks.ts"
import { FreshClaims } from "./FreshClaims.ts"
import { HighWater } from "./HighWater.ts"
import { discard, type Restored, restore } from "./Restore.ts"
import { Shipper } from "./Shipper.ts"
import { Fenced, type StoreError, type Tenure } from "./Store.ts"

export interface Replica {
  /** Takes the tenant: starts a tenure with a higher epoch than any before. */
  readonly take: Effect.Effect<Tenure, StoreError>
  /** A state file of before, which becomes the first shipment where nothing was ever shipped. */
  readonly seed?: string
  /** The file that remembers, outside the store, up to where the shipments were stored. */
  readonly highWater?: string
  /** Where the working copy stays after it is closed; undefined: it is deleted. */
  readonly cache?: CachedCopy
  readonly checkpointBytes?: number
  readonly leastLogBytes?: number
  readonly patienceMs?: number
}

/** Ships what is committed on this connection to the file. */
export type Attach = (raw: Sqlite.Database) => Effect.Effect<Shipper, never, Scope.Scope>

const asStateError = (file: string, error: StoreError | StateError): StateError =>
  error instanceof StateError
    ? error
    : new StateError({ kind: error instanceof Fenced ? "fenced" : "unreachable", file, why: error.why })

/** Ships secrets before they are used: a rotating token is lost if it is issued and not stored. */
const keepingVault = (file: string, tenure: Tenure): Effect.Effect<void, never, Scope.Scope> => {
  const said = Effect.mapError((error: StoreError) => error.why)
  return KeptVaults.keep(`${file}.vault`, {
    check: said(tenure.check),
    keep: (bytes) => said(tenure.keepVault(bytes))
  })
}

interface Begun {
  readonly restored: Restored
  /** Why it lacks what was sent; undefined: it does not. */
  readonly behind?: string | undefined
  /** What to do once this is stored. */
  readonly afterwards?: Effect.Effect<void, StateError>
}

/** What to do with a state file in the tenant's folder. */
const begun = (restored: Restored, seed: string, file: string, tenure: Tenure) =>
  Effect.gen(function* (): Effect.fn.Return<Begun, StoreError | StateError> {
    if (restored.kept.seq === 0) return { restored: yield* adopt(seed, file, tenure) }
    return { restored, behind: yield* usedOutside(seed, file), afterwards: moveAside(seed) }
  })

const rememberedIn = (file: string): Effect.Effect<HighWater, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.sync(() => new HighWater(file)),
    (mark) => Effect.sync(() => mark.close())
  ).pipe(
    Effect.tap((mark) =>
      mark.isKept
        ? Effect.void
        : Effect.logWarning(
            `${file} cannot be written: if PostgreSQL lost what is shipped from here, nobody would notice, and it would be sent again`
          )
    )
  )

/** Restores the working copy, which is deleted when the scope ends, or stays in the cache. */
export const prepareReplica = (
  { cache, highWater, seed, take, ...sizes }: Replica,
  file: string
): Effect.Effect<Attach, StateError, Scope.Scope> =>
  Effect.gen(function* () {
    let last: Shipper | undefined
    yield* Effect.addFinalizer(() =>
      Effect.sync(() => {
        if (last?.left !== undefined) cache?.keep(file, last.left)
        discard(file)
      })
    )
    const clock = yield* Clock.Clock
    const began = moment(clock)
    const tenure = yield* take
    const fresh = new FreshClaims(clock, began)
    discard(file)
    const kept = yield* restore(tenure, file, cache?.take(file))
    const mark = highWater === undefined ? undefined : yield* rememberedIn(highWater)
    const lost = mark?.problem(kept.kept) ?? tenure.doubt
    const hasSeed = seed !== undefined && existsSync(seed)
    const start: Begun = hasSeed ? yield* begun(kept, seed, file, tenure) : { restored: kept }
    const { afterwards, behind = lost, restored } = start
    yield* keepingVault(file, tenure)
    return (raw: Sqlite.Database) =>
      Effect.gen(function* () {
        const shipper = yield* Effect.acquireRelease(
          Effect.sync(
            () =>
              new Shipper({
                file,
                raw,
                tenure,
                fresh,
                restored,
                mark,
                behind,
                afterwards,
                ...sizes
              })
          ),
          (shipper) =>
            Effect.andThen(
              shipper.told,
              Effect.sync(() => shipper.close())
            )
        )
        last = shipper
        yield* Effect.forkScoped(Effect.interruptible(shipper.run))
        return shipper
      })
  }).pipe(Effect.mapError((error) => asStateError(file, error)))
