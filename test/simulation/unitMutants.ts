/**
 * Programs with one mistake each that a test of one part catches sooner than the simulation: for each mend of what attacks
 * found, the test that fails without it. Those that the simulation must catch are in `mutants.ts`.
 */
import { ALERTS } from "./mutantsOfAlerts.ts"
import { BUDGETS } from "./mutantsOfBudgets.ts"
import { APPROVALS } from "./mutantsOfApprovals.ts"
import { AROUND } from "./mutantsAround.ts"
import { BANKS } from "./mutantsOfBanks.ts"
import type { Change } from "./mutants.ts"
import { COVER } from "./mutantsOfCover.ts"
import { COVER_DECIDED } from "./mutantsOfCoverDecided.ts"
import { COVER_TIMES } from "./mutantsOfCoverTimes.ts"
import { COLLECTIONS } from "./mutantsOfCollections.ts"
import { IN_FLIGHT } from "./mutantsOfInFlight.ts"
import { MATCHING } from "./mutantsOfMatching.ts"
import { REPORTED } from "./mutantsOfStanding.ts"
import { MATCHING_BY_REFERENCES } from "./mutantsOfReferences.ts"
import { SIGHTINGS } from "./mutantsOfSightings.ts"
import { LINKS } from "./mutantsOfLinks.ts"
import { ASKING } from "./mutantsOfAsking.ts"
import { FREE_COLUMNS } from "./mutantsOfFreeColumns.ts"
import { MAPPING } from "./mutantsOfMapping.ts"
import { REASONS } from "./mutantsOfReasons.ts"
import { ORDERS } from "./mutantsOfOrders.ts"
import { PAPERS_OF_ORDERS } from "./mutantsOfPapers.ts"
import { WATCHING } from "./mutantsOfWatching.ts"
import { PAGE } from "./mutantsOfPage.ts"
import { DATABASES } from "./mutantsOfDatabases.ts"
import { EVIDENCE } from "./mutantsOfEvidence.ts"
import { E_INVOICES } from "./mutantsOfEInvoices.ts"
import { LEDGERS } from "./mutantsOfLedgers.ts"
import { EXCHANGES } from "./mutantsOfExchanged.ts"
import { FILES } from "./mutantsOfFiles.ts"
import { PAYOUTS } from "./mutantsOfPayouts.ts"
import { POSTGRES } from "./mutantsOfPostgres.ts"
import { PERMISSION } from "./mutantsOfPermission.ts"
import { WORKERS } from "./mutantsOfWorkers.ts"
import { REPLICATION } from "./mutantsOfReplication.ts"
import { LATE_ANSWERS } from "./mutantsOfLateAnswers.ts"
import { READING } from "./mutantsOfReading.ts"
import { SENDING } from "./mutantsOfSending.ts"
import { SHOPS } from "./mutantsOfShops.ts"
import { SOURCES } from "./mutantsOfSources.ts"
import { SENDERS } from "./mutantsOfSenders.ts"
import { TENANTS } from "./mutantsOfTenants.ts"

export interface UnitMutant {
  readonly name: string
  readonly changes: ReadonlyArray<Change>
  /** A file of tests, and words of the name of one in it that fails. */
  readonly caughtBy: readonly [file: string, words: string]
}

export const UNIT_MUTANTS: ReadonlyArray<UnitMutant> = [
  ...ALERTS,
  ...SOURCES,
  ...READING,
  ...SENDING,
  ...APPROVALS,
  ...AROUND,
  ...DATABASES,
  ...BUDGETS,
  ...E_INVOICES,
  ...EVIDENCE,
  ...LEDGERS,
  ...FILES,
  ...IN_FLIGHT,
  ...LINKS,
  ...ASKING,
  ...FREE_COLUMNS,
  ...MAPPING,
  ...REASONS,
  ...PAGE,
  ...BANKS,
  ...MATCHING,
  ...REPORTED,
  ...MATCHING_BY_REFERENCES,
  ...SIGHTINGS,
  ...EXCHANGES,
  ...PAYOUTS,
  ...COLLECTIONS,
  ...COVER,
  ...COVER_DECIDED,
  ...COVER_TIMES,
  ...SHOPS,
  ...ORDERS,
  ...PAPERS_OF_ORDERS,
  ...WATCHING,
  ...TENANTS,
  ...SENDERS,
  ...LATE_ANSWERS,
  ...PERMISSION,
  ...WORKERS,
  ...REPLICATION,
  ...POSTGRES
]
