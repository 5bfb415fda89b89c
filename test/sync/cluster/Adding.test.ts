/** Adding tenants to a busy process: a node that gives up waiting must not leave a tenant that never runs. */
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import { mkdirSync } from "node:fs"
import { join } from "node:path"
import { ConfigError } from "../../../sync/library/config/Configuration.ts"
import { ManyTenants } from "../../../sync/library/many/ManyTenants.ts"
import { tenantIn } from "../../../sync/library/many/TenantSource.ts"
import { folder } from "../../support/Replicas.ts"

describe("a tenant", () => {
  it.live("is due, though whoever added it gave up while another was being opened", () =>
    Effect.gen(function* () {
      const path = yield* folder
      const named = (name: string) => {
        mkdirSync(join(path, name))
        return tenantIn(join(path, name), name)
      }
      const all = yield* ManyTenants.make({ spreadMs: 0 })
      const opening = yield* Deferred.make<void>()
      const goesOn = yield* Deferred.make<void>()
      yield* Effect.addFinalizer(() => Deferred.succeed(goesOn, undefined))
      const read = Deferred.succeed(opening, undefined).pipe(
        Effect.andThen(Deferred.await(goesOn)),
        Effect.andThen(Effect.fail(new ConfigError({ file: "none", problems: ["none"] })))
      )
      yield* all.add({ ...named("slow"), read })
      const slow = yield* Effect.forkChild(Effect.exit(all.use("slow", () => Effect.void)))
      yield* Deferred.await(opening)
      const adding = yield* Effect.forkChild(all.add(named("acme")))
      while (all.status("acme") === undefined) yield* Effect.sleep(1)
      yield* Fiber.interrupt(adding)
      assert.isNumber(all.status("acme")?.next)
      yield* Deferred.succeed(goesOn, undefined)
      yield* Fiber.join(slow)
    })
  )
})
