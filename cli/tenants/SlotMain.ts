/** One slot of a worker: runs the tenants that its worker names, one after the other, until the worker is gone. */
import { Cause, Effect, Queue } from "effect"
import type { Said, SlotAsk } from "../../sync/engine/SlotProcess.ts"
import { BEATS_MS } from "../../sync/engine/SlotProcess.ts"
import type { RunOutcome } from "../../sync/engine/Worker.ts"
import { messageOf } from "../../sync/library/Exit.ts"
import { hide } from "../../sync/library/Hidden.ts"
import type { ConfigError } from "../../sync/library/config/Configuration.ts"
import { type KeptPlace, runKept, type RunWith } from "../../sync/library/many/KeptTenants.ts"
import type { TenantsConfiguration } from "../../sync/library/many/TenantsFile.ts"
import { keptOf } from "../../sync/state/replication/postgres/KeptSettings.ts"
import { Fenced, StoreAway } from "../../sync/state/replication/Store.ts"
import { isElsewhere, StateError } from "../../sync/state/StateError.ts"
import { tokensOf } from "../daemon/Tokens.ts"
import { keptSignIns } from "./KeptSignIns.ts"
import { answerPassed } from "./PassedRequests.ts"
import { tenantRoutes } from "./TenantRoutes.ts"
import { logged } from "./TurnLog.ts"

/** Without its worker nobody hears it, and it ends. */
const say = (said: Said): void => void process.send?.(said, undefined, undefined, () => {})

/** A worker of a newer version has run it: one of them goes on. */
const isNewer = (error: unknown): boolean => error instanceof StateError && error.kind === "newer"

/** For reasons that are not the tenant's it is given back: somebody else has it, or PostgreSQL is away. */
const outcomeOf = (error: unknown): RunOutcome =>
  isElsewhere(error) || isNewer(error) || error instanceof StoreAway || error instanceof Fenced
    ? { type: "given back" }
    : { type: "refused", why: hide(messageOf(error)) }

const running = (place: KeptPlace, id: string, answer: RunWith["answer"]): Effect.Effect<RunOutcome> =>
  Effect.gen(function* () {
    const row = yield* keptOf(place.sessions, id)
    // It was removed since its job was made.
    if (row === undefined) return { type: "ran", epoch: undefined, due: null } as const
    const { due, epoch } = yield* runKept(place, row, { heard: logged, answer })
    return { type: "ran", epoch, due } as const
  }).pipe(
    Effect.catchCause((cause) =>
      Cause.hasInterrupts(cause) ? Effect.interrupt : Effect.succeed(outcomeOf(Cause.squash(cause)))
    )
  )

/** Answers as a daemon over this tenant would. */
const answering = (place: KeptPlace, configuration: TenantsConfiguration) =>
  Effect.map(keptSignIns(place, configuration), ({ around, sessions }): NonNullable<RunWith["answer"]> => {
    const tokens = tokensOf({ ...configuration, folder: place.files ?? "." })
    return (all, row, asked) =>
      around(answerPassed(place, row, tenantRoutes({ all, url: "", sessions, tokens }), asked)).pipe(
        Effect.catch(({ why }) => Effect.die(new Error(why)))
      )
  })

export const slotMain = (place: KeptPlace, configuration: TenantsConfiguration): Effect.Effect<never, ConfigError> =>
  Effect.gen(function* () {
    const answer = yield* answering(place, configuration)
    const asks = yield* Queue.unbounded<string>()
    process.on("message", ({ run }: SlotAsk) => void Queue.offerUnsafe(asks, run))
    // Nobody keeps its job any more.
    process.on("disconnect", () => process.exit(1))
    setInterval(() => say({ beat: true }), BEATS_MS)
    return yield* Effect.forever(
      Effect.gen(function* () {
        const outcome = yield* running(place, yield* Queue.take(asks), answer)
        say({ outcome })
      })
    )
  })
