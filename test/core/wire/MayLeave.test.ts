/** Requests of work under a lease: whether one may leave is asked when its bytes are about to be written, and not before. */
import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Fiber, Layer, Redacted } from "effect"
import { Client } from "../../../core/Client.ts"
import { MayLeave } from "../../../core/wire/MayLeave.ts"
import { json, serve } from "../../support/Serve.ts"

const clientOf = (url: string) =>
  Effect.map(Layer.build(Client.layer({ url, key: Redacted.make("sandbox-key"), connections: 1 })), (services) =>
    Context.get(services, Client)
  )

const pay = (client: Client["Service"]) => client.send("transactions.paid", { transaction_id: "t" }, {})

describe("a request of work under a lease", () => {
  it.live("that waits for a connection does not leave once the lease is over", () =>
    Effect.gen(function* () {
      const held: Array<() => void> = []
      const { asked, url } = yield* serve(
        (_, response) => void held.push(() => json(response, 200, { id: "trns-1", status: "paid" }))
      )
      const client = yield* clientOf(url)
      let isValid = true
      const under = Effect.provideService(MayLeave, { may: () => isValid, ask: Effect.void })
      const first = yield* Effect.forkChild(under(pay(client)))
      while (held.length === 0) yield* Effect.sleep(5)
      // There is one connection: this one has been handed over and waits for it.
      const second = yield* Effect.forkChild(under(Effect.flip(pay(client))))
      yield* Effect.sleep(20)
      isValid = false
      held[0]!()
      yield* Fiber.join(first)
      const error = yield* Fiber.join(second)
      assert.strictEqual(error.reason._tag, "Unknown")
      assert.include(error.message, "nobody has confirmed")
      assert.strictEqual(asked.length, 1)
      isValid = true
      const third = yield* Effect.forkChild(under(pay(client)))
      while (held.length === 1) yield* Effect.sleep(5)
      held[1]!()
      yield* Fiber.join(third)
    })
  )

  it.live("leaves in no other way either: as a form, or typed", () =>
    Effect.gen(function* () {
      const { asked, url } = yield* serve((_, response) => json(response, 200, {}))
      const client = yield* clientOf(url)
      const over = Effect.provideService(MayLeave, { may: () => false, ask: Effect.void })
      const form = new FormData()
      const ways: ReadonlyArray<Effect.Effect<unknown, unknown>> = [
        client.send("transactions.paid", { transaction_id: "t" }, form),
        client.users.list({ query: {} })
      ]
      for (const way of ways) assert.include(String(yield* Effect.flip(over(way))), "nobody has confirmed")
      assert.deepStrictEqual(asked, [])
    })
  )
})
