/**
 * What a program can ask of Daybook, and what it answers: the library's interface, for programs with Effect. All of it can
 * be written as JSON: amounts are decimal text, instants ISO 8601 in UTC.
 */
import type { Effect, Stream } from "effect"
import type { SourceError } from "../../connectors/Connector.ts"
import type { Company } from "../../core/insurance/Companies.ts"
import type { ServiceError } from "../../core/ServiceError.ts"
import type { CompanyId } from "../../core/wire/Ids.ts"
import type * as AlertStore from "../alerts/AlertStore.ts"
import type { TestedChannel } from "../alerts/Test.ts"
import type { Delivered } from "../alerts/Watching.ts"
import type * as Apply from "../apply/Apply.ts"
import type * as ApplyReport from "../apply/Report.ts"
import type * as Approvals from "../plan/Approvals.ts"
import type * as AttentionStore from "../apply/AttentionStore.ts"
import type * as Audit from "../reconciliation/Audit.ts"
import type * as Collecting from "../collections/Collecting.ts"
import type { StoredFile } from "../collections/FileStore.ts"
import type { CoverChoice } from "../apply/CoverDecisions.ts"
import type { Backup } from "../state/Backup.ts"
import type { IngestCounts } from "../books/DocumentStore.ts"
import type { Attention, Call } from "../model/Call.ts"
import type { Guard } from "../model/Guard.ts"
import type * as Scheduler from "../schedule/Scheduler.ts"
import type { StateError } from "../state/Database.ts"
import type { CoverReport } from "../reports/Cover.ts"
import type { Timing } from "../Timing.ts"
import type * as Debtors from "../reports/Debtors.ts"
import type { Candidate } from "../matching/Candidates.ts"
import type { StoredChoice } from "../matching/Choices.ts"
import type { Preview, PreviewOptions } from "../pull/Preview.ts"
import type { Proof } from "../reconciliation/Proof.ts"
import type * as Overview from "../reports/Status.ts"
import type * as RunState from "../schedule/RunState.ts"
import type { ConfigError } from "./config/Configuration.ts"
import type { ConnectLink, ConnectLinkOptions, ConnectLinkStanding } from "./ConnectLinks.ts"
import type { UsageError } from "./Exit.ts"
import type { Independent } from "./Independent.ts"
import type * as Explain from "./Explain.ts"
import type { Exported, ExportError } from "../export/index.ts"
import type { Dated, Plain } from "./Plain.ts"
import type { ShareText } from "./PaymentChoice.ts"

/** Which connections; all of the configuration when left out. */
export interface Choice {
  readonly connections?: ReadonlyArray<string>
}

/** What is to be sent, with amounts as text. `apply` sends exactly this, or nothing when the books changed meanwhile. */
export interface Plan {
  readonly calls: ReadonlyArray<Plain<Call>>
  readonly attention: ReadonlyArray<Attention>
  readonly digest: string
  /** The connections that it is of. */
  readonly connections: ReadonlyArray<string>
}

export type { Preview, PreviewOptions, Proof }

export interface Result extends ApplyReport.Report, Proof {}

export interface ApplyOptions extends Choice {
  /** The first sync of a connection goes ahead. Otherwise it fails with `FirstSync`, which says what it would send. */
  readonly firstSync?: "send"
  /** The same as `G1` in `allow`. */
  readonly allowReductions?: boolean
  /** Guards that are passed in this run, by number: a person has looked at what stopped the last one. */
  readonly allow?: ReadonlyArray<Guard>
}

export interface TimedOptions extends ApplyOptions {
  /** The answer says where the time went. */
  readonly timing?: boolean
}

export interface SyncResult extends Result {
  readonly timing?: Timing
}

export interface ReconcileOptions extends Pick<Audit.AuditOptions, "from" | "to">, Choice {
  readonly fix?: boolean
}

export interface Reconciled extends Audit.Audited {
  readonly found: ReadonlyArray<Audit.Found>
}

export interface AttentionItem extends Dated<AttentionStore.OpenAttention, "since"> {
  readonly candidates?: ReadonlyArray<Candidate>
}

/** What the state file holds, see `daybook status`. */
export interface Status {
  /** The service's address, once something was sent to it. */
  readonly service: string | null
  readonly connections: ReadonlyArray<Dated<Overview.ConnectionRow, "read">>
  readonly runs: ReadonlyArray<Dated<Overview.RunRow, "started" | "ended">>
  /** How each connection's last run in a daemon went. */
  readonly turns: ReadonlyArray<Dated<RunState.RunState, "dueFrom" | "began" | "ended" | "succeeded">>
  readonly approvals: ReadonlyArray<Dated<Approvals.Approval, "made" | "decided">>
  readonly attention: number
  readonly pendingCalls: number
  readonly quarantined: number
}

/** One thing that a person does about a collection. */
export type CollectionStep =
  | { readonly step: "prepare" }
  | ({ readonly step: "confirm" } & Collecting.Confirmation)
  | { readonly step: "withdraw"; readonly who: string }
  | ({ readonly step: "attach" } & Collecting.Attachment)
  | { readonly step: "detach"; readonly name: string }

export interface CollectionShown extends Omit<Collecting.CollectionView, "documents" | "word"> {
  readonly documents: ReadonlyArray<Dated<StoredFile, "read">>
  readonly word?: Dated<NonNullable<Collecting.CollectionView["word"]>, "at">
}

/** Something that happened, for who subscribed. */
export type Event =
  | { readonly type: "pulled"; readonly connection: string; readonly taken: IngestCounts }
  | ({ readonly type: "receipt" } & Plain<ApplyReport.CallReceipt>)
  | { readonly type: "attention"; readonly attention: Dated<AttentionStore.OpenAttention, "since"> }
  | { readonly type: "applied"; readonly report: ApplyReport.Report }
  | { readonly type: "turn"; readonly event: Scheduler.RunEvent }
  /** A message of alerts was sent, or not. */
  | ({ readonly type: "alert" } & Delivered)

/** An alert that stands, or that ended lately. */
export type AlertShown = Dated<AlertStore.StoredAlert, "began" | "ended">

/** A message that its channel has not taken. */
export interface UnsentMessage {
  readonly id: number
  readonly channel: string
  readonly subject: string
  /** `given up`: nobody tries it any more, until `retryAlerts`. */
  readonly standing: "waiting" | "given up"
  readonly made: string
  readonly attempts: number
  /** When it is tried next. */
  readonly next: string | null
  /** What the channel said last. */
  readonly why: string | null
}

export interface AlertsShown {
  readonly alerts: ReadonlyArray<AlertShown>
  readonly messages: ReadonlyArray<UnsentMessage>
}

export type ApplyFailure = Apply.ApplyError | ConfigError

/** One set of books and its service. */
export interface Api {
  /** Reads the sources; by connection id, what was read. Fails with what failed first, once all of them were read. */
  readonly pull: (
    choice?: Choice
  ) => Effect.Effect<Readonly<Record<string, IngestCounts>>, StateError | SourceError | ConfigError>
  readonly plan: (choice?: Choice) => Effect.Effect<Plan, StateError | ConfigError>
  /** Sends a plan, or without one what is to be sent now. */
  readonly apply: (plan?: Plan, options?: ApplyOptions) => Effect.Effect<Result, ApplyFailure>
  /**
   * Reads, sends what the service lacks, and proves. Where a source cannot be read, the others are read and what is in
   * the books is sent all the same; then it fails with what that source said.
   */
  readonly sync: (options?: TimedOptions) => Effect.Effect<SyncResult, ApplyFailure | SourceError>
  /** What is open in the source, in the books and on the service, with every difference. */
  readonly completeness: (choice?: Choice) => Effect.Effect<Proof, StateError | ConfigError>
  readonly status: () => Effect.Effect<Status, StateError>
  /** What needs attention; of payments that were not matched, the invoices that they may be for. */
  readonly attention: () => Effect.Effect<ReadonlyArray<AttentionItem>, StateError>
  /**
   * Closes one attention item; sums of an order that somebody else sent to the service are accepted. False: it is not
   * open.
   */
  readonly resolve: (id: number, note?: string) => Effect.Effect<boolean, StateError>
  /** Plans the document again, and sends once more what was refused. False: it is not open. */
  readonly retry: (id: number) => Effect.Effect<boolean, StateError>
  /**
   * Which invoices the payment of an attention item is for, each by number, id or key; `INV-7=10.00` for a part of it,
   * none at all for no invoice. It is remembered; answers what it came to.
   */
  readonly assign: (
    id: number,
    invoices: ReadonlyArray<string>
  ) => Effect.Effect<ReadonlyArray<ShareText>, StateError | UsageError>
  /** Which invoices people gave payments to. */
  readonly choices: () => Effect.Effect<ReadonlyArray<Dated<StoredChoice, "chosen">>, StateError>
  /**
   * Takes such a choice back, by the payment's key: it is matched by the rules again. False: no choice stands for it.
   */
  readonly unassign: (payment: string) => Effect.Effect<boolean, StateError>
  /** The whole story of each document that goes by this name, number, id or key, or of a call as `#12`. */
  readonly explain: (what: string) => Effect.Effect<ReadonlyArray<Explain.PlainStory>, StateError>
  /** Writes `.xlsx` or `.csv`. */
  readonly export: (file: string, choice?: Choice) => Effect.Effect<Exported, ExportError | StateError>
  /** The books as tables and views of a SQLite file, for reporting tools: see `daybook views`. */
  readonly views: (file: string, choice?: Choice) => Effect.Effect<Exported, ExportError | StateError>
  /** A checked copy of the state file as it is at one moment, while all else goes on. */
  readonly backup: (file: string) => Effect.Effect<Backup, StateError>
  /** Reads the service itself; every difference to the ledger, which `fix` puts right. */
  readonly reconcile: (options?: ReconcileOptions) => Effect.Effect<Reconciled, ApplyFailure>
  /**
   * Has a witness that shares no rules with sync read the sources from their beginning and the service's lists, and work
   * out every open amount; books and ledger are not asked. See `daybook reconcile --independent`.
   */
  readonly independent: (choice?: Choice) => Effect.Effect<Independent, ServiceError | ConfigError>
  /** Debtors that the service could not match with a company. */
  readonly debtors: (choice?: Choice) => Effect.Effect<ReadonlyArray<Debtors.Debtor>, StateError | ConfigError>
  /** The companies that a debtor might be, the likeliest first. */
  readonly candidates: (
    debtor: Pick<Debtors.Debtor, "name" | "country" | "regnum">
  ) => Effect.Effect<ReadonlyArray<Company>, ServiceError>
  /** Remembers which company a debtor is, or with null forgets it; answers how many invoices will be updated. */
  readonly match: (
    debtor: Pick<Debtors.Debtor, "connection" | "party">,
    company: CompanyId | null
  ) => Effect.Effect<number, StateError | ConfigError>
  /**
   * The first records of a connection's source beside the documents that they become, what would be quarantined, and
   * sums. Nothing is stored and nothing is sent.
   */
  readonly preview: (
    connection: string,
    options?: PreviewOptions
  ) => Effect.Effect<Plain<Preview>, SourceError | ConfigError>
  /** What is wrong with a connection's source, in sentences; nothing when all is well. */
  readonly check: (connection: string) => Effect.Effect<ReadonlyArray<string>, SourceError | ConfigError>
  /** Approves the plan with this digest. False: another one waits by now, or none. */
  readonly approve: (connection: string, digest: string, who: string) => Effect.Effect<boolean, StateError>
  readonly reject: (connection: string, digest: string, who: string) => Effect.Effect<boolean, StateError>
  /**
   * A connection that gets another name in the configuration keeps what was read and sent. Counts from the next `open`
   * on, which gets the new name. Answers what its documents' keys go on beginning with. A handle with `shared` refuses
   * it.
   */
  readonly renameConnection: (from: string, to: string) => Effect.Effect<string, StateError | UsageError>
  /** A connection's new source or owner is meant, or one that looks renamed is a new one. */
  readonly acceptConnection: (connection: string) => Effect.Effect<void, StateError | ConfigError>
  /**
   * A link by which a customer connects their own books: opened once, within a time, for this tenant alone. The daemon
   * serves its pages, on the same state file.
   */
  readonly connectLink: (options: ConnectLinkOptions) => Effect.Effect<ConnectLink, StateError | UsageError>
  /** The links that were made and how they stand, the latest first. */
  readonly connectLinks: () => Effect.Effect<ReadonlyArray<ConnectLinkStanding>, StateError>
  /** Quotes, policies and deadlines: exposure of buyers, what was spent, offers that wait, days that matter. */
  readonly cover: (choice?: Choice) => Effect.Effect<CoverReport, StateError | ConfigError>
  /**
   * Has the offer of an invoice bought or rejected, by the digest that `cover` showed, or asks for another quote. The next
   * sync carries it out.
   */
  readonly decideCover: (invoice: string, choice: CoverChoice) => Effect.Effect<void, StateError | UsageError>
  /** What would be handed over of an insured invoice that nobody paid, by its key; what is lacking; and until when. */
  readonly collection: (invoice: string) => Effect.Effect<CollectionShown, StateError | UsageError>
  /**
   * Gathers its documents anew, adds or removes a file, or takes a person's word for it, with both declarations. Answers what
   * would be handed over now. The next sync carries it out, as long as it is what the person was shown.
   */
  readonly collect: (invoice: string, step: CollectionStep) => Effect.Effect<CollectionShown, StateError | UsageError>
  /** Alerts that stand or ended lately, and messages that their channels have not taken. `run` sends them. */
  readonly alerts: () => Effect.Effect<AlertsShown, StateError>
  /** Sends a test over one channel, or over all of them. */
  readonly testAlerts: (channel?: string) => Effect.Effect<ReadonlyArray<TestedChannel>, ConfigError>
  /** Has messages tried again that were not taken, all of them unless some are named; answers which. */
  readonly retryAlerts: (ids?: ReadonlyArray<number>) => Effect.Effect<ReadonlyArray<number>, StateError>
  /** Runs on the schedules of the configuration until it is interrupted; see `daybook daemon`. Once at a time. */
  readonly run: () => Effect.Effect<never, StateError | UsageError>
  /** What happens from now on. */
  readonly events: Stream.Stream<Event>
}
