/**
 * Starts the slowest test files first, so that a run does not end with one of them alone. Vitest knows how long each file took
 * in the last run, but there may be no last run.
 */
import { BaseSequencer, type TestSpecification } from "vitest/node"

const LONG = [
  "connectors/tryton/server",
  "conformance/connectors",
  "orders/Orders",
  "page/Page",
  "simulation/Simulation",
  "sync/Chunks",
  "examples/Checkout",
  "examples/Operations",
  "page/Cover",
  "sync/OrderDecided",
  "cli/Connectors",
  "package/Tarball",
  "cli/Daemon",
  "orders/Shops",
  "package/Package",
  "core/sandbox/OpenApi",
  "connectors/Guide",
  "cli/Memory",
  "cli/Kill",
  "security/Planted",
  "sync/Decided",
  "cli/ConnectKilled",
  "simulation/CollectionHistories",
  "connect/Links",
  "simulation/KillPoints",
  "core/sandbox/sdk/Everybody",
  "cli/Stop",
  "faults/Machine",
  "crash/Crash",
  "fuzz/Fuzz",
  "sync/Foreign",
  "cli/LostState",
  "cli/Bounded",
  "security/Secrets",
  "core/sandbox/sdk/Checkout",
  "sync/OrderHands",
  "cli/OrderMoney",
  "page/Preview",
  "connectors/odoo/odoo",
  "sync/CollectionStory",
  "cli/Replaced",
  "cli/Collect",
  "connectors/sql/databases",
  "Tidy",
  "sync/Daemon",
  "cli/Flood",
  "cli/State",
  "connectors/files/properties",
  "sync/OrderStory",
  "sync/CreatedOrders",
  "cli/HttpAnswers",
  "examples/Library",
  "sync/Refusals",
  "page/Door",
  "page/Setup",
  "connectors/files/workbook",
  "sync/ReadingThread",
  "core/Answers",
  "sync/replication/PostgresStore",
  "cli/OrderHands",
  "sync/replication/Replicated",
  "core/deferred-payment/Schemas",
  "cli/Alerts",
  "export/Files",
  "cli/OrderHooks",
  "cli/OrderStatement",
  "connectors/sql/trouble",
  "connectors/contract/vault",
  "sync/CollectionFiles",
  "cli/Library",
  "connectors/contract/requests",
  "sync/collections/StatementOfAccount",
  "core/sandbox/sdk/CompanySearch",
  "sync/Schedule",
  "examples/Cover",
  "cli/Reconcile",
  "cli/OrderIdentity",
  "sync/Unread",
  "cli/Independent",
  "cli/Defects",
  "cli/Usage",
  "cli/Cover",
  "core/sandbox/DeferredPaymentHostile"
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
