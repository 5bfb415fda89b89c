/**
 * Starts the slowest test files first, so that a run does not end with one of them alone. Vitest knows how long each file took
 * in the last run, but there may be no last run.
 */
import { BaseSequencer, type TestSpecification } from "vitest/node"

const SLOWEST = [
  "cli/Daemon.long",
  "cli/OrderHooks.long",
  "conformance/connectors.long",
  "cli/Replaced.long",
  "cli/Hanging.long",
  "connectors/tryton/server.long",
  "page/Page.long",
  "connect/Links.long",
  "examples/Operations.long",
  "page/Cover.long",
  "cli/Connectors.long",
  "connect/Examination.long",
  "cli/Memory.long",
  "simulation/KillPoints.long",
  "crash/Crash.long",
  "connectors/Guide.long",
  "sync/matching/Decided.long",
  "package/Package.long",
  "examples/Checkout.long",
  "package/Tarball.long",
  "fuzz/Fuzz.long",
  "sync/apply/Foreign.long",
  "orders/Orders.long",
  "cli/ConnectKilled.long",
  "sync/state/Database",
  "cli/Collect",
  "connectors/sql/silence",
  "simulation/Simulation",
  "sync/pull/Chunks.long",
  "cli/State",
  "connectors/odoo/odoo",
  "cli/Reconcile",
  "cli/Renames",
  "cli/Approve",
  "cli/Usage",
  "cli/LostState",
  "Tidy",
  "security/Rebinding",
  "cli/OrderMoney",
  "core/sandbox/sdk/Everybody",
  "cli/Journey",
  "cli/Cover",
  "sync/apply/CreatedOrders",
  "sync/schedule/Daemon",
  "cli/Bounded",
  "sync/stories/CollectionStory",
  "sync/stories/OrderHands",
  "connect/Abandoned",
  "sync/stories/OrderStory",
  "year/Year",
  "security/Bodies",
  "sync/apply/Refusals",
  "sync/state/replication/Replicated",
  "cli/Independent",
  "sync/collections/CollectionFiles",
  "orders/laws/Laws",
  "sync/reconciliation/Unread",
  "connectors/files/bookmark",
  "cli/HttpInterface",
  "sync/apply/ForeignHandover",
  "page/Second",
  "sync/stories/OrderDecided",
  "cli/FirstSync",
  "cli/Plans"
]

const place = ({ moduleId }: TestSpecification): number => {
  const at = SLOWEST.findIndex((name) => moduleId.endsWith(`test/${name}.test.ts`))
  return at === -1 ? SLOWEST.length : at
}

export class LongestFirst extends BaseSequencer {
  override async sort(files: Array<TestSpecification>): Promise<Array<TestSpecification>> {
    return (await super.sort(files)).toSorted((a, b) => place(a) - place(b))
  }
}
