/**
 * Starts the slowest test files first, so that a run does not end with one of them alone. Vitest knows how long each file took
 * in the last run, but there may be no last run.
 */
import { BaseSequencer, type TestSpecification } from "vitest/node"

const LONG = [
  "connectors/tryton/server",
  "conformance/connectors",
  "orders/Orders",
  "simulation/Simulation",
  "page/Page",
  "examples/Checkout",
  "orders/Shops",
  "cli/Daemon",
  "package/Tarball",
  "connectors/Guide",
  "connect/Links",
  "security/Planted",
  "cli/Kill",
  "simulation/KillPoints",
  "cli/ConnectKilled",
  "core/sandbox/OpenApi",
  "package/Package",
  "cli/Connectors",
  "page/Cover",
  "sync/OrderDecided",
  "examples/Operations",
  "simulation/CollectionHistories",
  "core/sandbox/sdk/Everybody",
  "cli/Memory",
  "sync/Decided",
  "core/sandbox/sdk/Checkout",
  "faults/Machine",
  "sync/OrderHands",
  "cli/Replaced",
  "cli/LostState",
  "cli/Bounded",
  "sync/OrderStory",
  "crash/Crash",
  "sync/CollectionStory",
  "cli/Collect",
  "security/Secrets",
  "page/Preview",
  "cli/Stop",
  "cli/Flood",
  "cli/State",
  "core/sandbox/sdk/CompanySearch",
  "sync/Foreign",
  "cli/OrderMoney",
  "cli/Cover",
  "page/Setup",
  "sync/CreatedOrders",
  "fuzz/Fuzz",
  "sync/ReadingThread",
  "connectors/sql/databases",
  "sync/Apply",
  "export/Files",
  "page/Door",
  "connectors/contract/requests",
  "examples/Library",
  "connectors/contract/vault"
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
