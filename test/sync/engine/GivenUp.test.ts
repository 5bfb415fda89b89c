/** Who operates many tenants hears of one that was given up, once a channel has accepted it. */
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { tellOfGivenUp } from "../../../sync/library/many/OperatorsAlerts.ts"
import { outside } from "../../../sync/library/ServiceClient.ts"
import { json, serve } from "../../support/Serve.ts"

it.live("A tenant that was given up is told of, and counts as told once a channel has accepted it", () =>
  Effect.gen(function* () {
    const received: Array<string> = []
    let status = 503
    const { url } = yield* serve(({ body }, response) => {
      if (status === 200) received.push(body)
      json(response, status, {})
    })
    const alerts = { channels: { ops: { webhook: { url, secret: { env: "ALERT_SECRET" } } } } }
    const tell = (channels: Parameters<typeof tellOfGivenUp>[0]) =>
      Effect.provide(tellOfGivenUp(channels, "acme", "its process ended"), outside)
    const environment = { ALERT_SECRET: "s" }
    assert.isFalse(yield* tell({ alerts, environment }))
    status = 200
    assert.isTrue(yield* tell({ alerts, environment }))
    const said = received.flatMap((text) => JSON.parse(text).alerts as ReadonlyArray<Record<string, unknown>>)
    assert.strictEqual(said.length, 1)
    assert.deepInclude(said[0], {
      kind: "tenant",
      what: "began",
      title: "acme does not run",
      words: "its process ended."
    })
    assert.isTrue(yield* tell({ alerts: undefined, environment }), "nobody wants to hear of it")
  })
)
