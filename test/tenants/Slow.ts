/** A source that answers after thirty seconds, for the figures of many tenants. */
import { Effect, Schema, Stream } from "effect"
import { Connector } from "../../connectors/index.ts"

export const connector = Connector.make({
  name: "slow",
  title: "A source that answers after thirty seconds",
  capabilities: { kinds: ["invoice"], deletions: "not at all", blindSpots: [] },
  settings: Schema.Struct({}),
  bookmark: Schema.Struct({ n: Schema.Int }),
  pull: () => Stream.fromEffect(Effect.as(Effect.sleep(30_000), { read: [], quarantined: [], bookmark: { n: 1 } }))
})
