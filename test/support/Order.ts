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
  "sync/pull/Chunks.long",
  "connect/Unread.long",
  "page/Preview.long",
  "cli/LostState.long",
  "world/World",
  "cli/Collect.long",
  "connectors/sql/silence.long",
  "cli/Usage.long",
  "cli/Reconcile.long",
  "simulation/Simulation",
  "cli/OrderMoney.long",
  "sync/matching/SameMoney.long",
  "cli/TenantsAdd.long",
  "cli/Defects.long",
  "sync/stories/OrderDecided.long",
  "sync/stories/CollectionStory.long",
  "cli/Persons.long",
  "sync/matching/MatchStanding.long",
  "sync/collections/CollectionFiles.long",
  "security/Rebinding.long",
  "sync/movements/PayoutAccounts",
  "sync/reconciliation/Unread.long",
  "sync/stories/OrderStory.long",
  "sync/setup/Samples",
  "sync/apply/CreatedOrders.long",
  "sync/stories/OrderHands.long",
  "page/Accounts.long",
  "sync/apply/ForeignHandover.long",
  "sync/apply/Refusals.long",
  "sync/books/SameEntries.long",
  "cli/Library.long",
  "sync/matching/PaidOn",
  "sync/matching/MatchHabits.long",
  "orders/laws/Laws",
  "cli/HttpInterface.long",
  "connect/LinkPerson.long",
  "page/Second.long",
  "cli/Independent.long",
  "core/Answers.long",
  "Tidy",
  "cli/Bounded.long",
  "security/Downloads.long",
  "cli/Init",
  "sync/reconciliation/AuditPaid",
  "cli/Log",
  "sync/stories/PaymentStory",
  "sync/state/replication/Replicated.long",
  "sync/state/ReadOnly",
  "cli/OrderIdentity.long",
  "export/Files.long",
  "cli/Cover.long",
  "sync/schedule/Schedule.long",
  "core/wire/Fits"
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
