/**
 * A state file that is kept elsewhere as well: the one door to that for whoever opens state files. The file here is a working
 * copy: it is written anew from what is kept whenever it is opened, and what it commits is shipped before anybody is told.
 */
import type Sqlite from "better-sqlite3"
import { Effect, type Scope } from "effect"
import * as KeptVaults from "../../vault/KeptVaults.ts"
import { StateError } from "../StateError.ts"
import { discard, restore } from "./Restore.ts"
import { Shipper } from "./Shipper.ts"
import { Fenced, type Lease, type StoreError, type Tenure } from "./Store.ts"

export interface Replica {
  /** Takes the tenant: a tenure with a higher epoch than any before. */
  readonly take: Effect.Effect<Tenure, StoreError>
  readonly lease: Lease
  readonly checkpointBytes?: number
  readonly leastLogBytes?: number
}

/** Ships what is committed with this connection to the file. */
export type Attach = (raw: Sqlite.Database) => Effect.Effect<Shipper, never, Scope.Scope>

const asStateError = (file: string, error: StoreError | StateError): StateError =>
  error instanceof StateError
    ? error
    : new StateError({ kind: error instanceof Fenced ? "fenced" : "unreachable", file, why: error.why })

/** Secrets are shipped before anybody uses them: a token that rotates is lost where it is answered and not kept. */
const keepingVault = (file: string, tenure: Tenure): Effect.Effect<void, never, Scope.Scope> => {
  const said = Effect.mapError((error: StoreError) => error.why)
  return KeptVaults.keep(`${file}.vault`, {
    check: said(tenure.check),
    keep: (bytes) => said(tenure.keepVault(bytes))
  })
}

/** Writes the working copy; it goes when the scope ends. */
export const prepare = (
  { checkpointBytes, lease, leastLogBytes, take }: Replica,
  file: string
): Effect.Effect<Attach, StateError, Scope.Scope> =>
  Effect.gen(function* () {
    yield* Effect.addFinalizer(() => Effect.sync(() => discard(file)))
    const tenure = yield* take
    const restored = yield* restore(tenure, file)
    yield* keepingVault(file, tenure)
    return (raw: Sqlite.Database) =>
      Effect.gen(function* () {
        const shipper = yield* Effect.acquireRelease(
          Effect.sync(() => new Shipper({ file, raw, tenure, lease, restored, checkpointBytes, leastLogBytes })),
          (shipper) => Effect.sync(() => shipper.close())
        )
        yield* Effect.forkScoped(Effect.interruptible(shipper.run))
        return shipper
      })
  }).pipe(Effect.mapError((error) => asStateError(file, error)))
