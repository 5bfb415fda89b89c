/**
 * Starts the slowest test files first, so that a run does not end with one of them alone. Vitest knows how long each file took
 * in the last run, but there may be no last run.
 */
import { BaseSequencer, type TestSpecification } from "vitest/node"

const LONG = [
  "simulation/Simulation",
  "connectors/tryton/server",
  "conformance/connectors",
  "page/Page",
  "orders/Orders",
  "simulation/KillPoints",
  "examples/Checkout",
  "cli/Memory",
  "orders/Shops",
  "cli/Daemon",
  "examples/Operations",
  "cli/Connectors",
  "core/Answers",
  "fuzz/Fuzz",
  "sync/Foreign",
  "sync/OrderDecided",
  "sync/Daemon",
  "page/Cover",
  "core/sandbox/OpenApi",
  "sync/CollectionStory",
  "cli/Flood",
  "sync/Orders",
  "security/Secrets",
  "sync/CreatedOrders",
  "cli/Kill",
  "core/sandbox/sdk/Checkout",
  "core/sandbox/sdk/Everybody",
  "security/Planted",
  "cli/ConnectKilled",
  "cli/Replaced",
  "cli/State",
  "connectors/sql/databases",
  "examples/LatePayments",
  "simulation/CollectionHistories",
  "page/Preview"
]

const place = ({ moduleId }: TestSpecification): number => {
  const at = LONG.findIndex((name) => moduleId.endsWith(`test/${name}.test.ts`))
  return at === -1 ? LONG.length : at
}

export class LongestFirst extends BaseSequencer {
  override async sort(files: Array<TestSpecification>): Promise<Array<TestSpecification>> {
    return (await super.sort(files)).toSorted((a, b) => place(a) - place(b))
  }
}
