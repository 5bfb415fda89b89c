/**
 * Defines the library's interface, for programs with Effect. Every result can be serialised as JSON: amounts are decimal text,
 * instants ISO 8601 in UTC.
 */
import type { Effect, Stream } from "effect"
import type { SourceError } from "../../connectors/Connector.ts"
import type { Company } from "../../core/insurance/Companies.ts"
import type { ServiceError } from "../../core/ServiceError.ts"
import type { CompanyId } from "../../core/wire/Ids.ts"
import type { Delivered } from "../alerts/Watching.ts"
import type * as Apply from "../apply/Apply.ts"
import type * as ApplyReport from "../apply/Report.ts"
import type * as Audit from "../reconciliation/Audit.ts"
import type { CollectionAct } from "../decisions/Collections.ts"
import type { TakenBack } from "../decisions/Items.ts"
import type { CoverChoice } from "../apply/CoverDecisions.ts"
import type { Backup } from "../state/Backup.ts"
import type { Attention, Call } from "../model/Call.ts"
import type { Guard } from "../model/Guard.ts"
import type { CollectionShown, CoverShown } from "../model/reports/Cover.ts"
import type {
  ChoiceShown,
  ConnectLink,
  ConnectLinkStanding,
  Debtor,
  IngestCounts,
  ShareText,
  UndoableDecision
} from "../model/reports/Matching.ts"
import type { PayoutReport } from "../model/reports/Payouts.ts"
import type { AlertsShown, AttentionItem, RunEvent, Status, TestedChannel } from "../model/reports/State.ts"
import type { Proof, Reconciled } from "../model/reports/Statement.ts"
import type { StateError } from "../state/Database.ts"
import type { Timing } from "../Timing.ts"
import type { Preview, PreviewOptions } from "../pull/Preview.ts"
import type { MonthReport } from "../reports/CloseReport.ts"
import type { WhatIf } from "../reports/WhatIf.ts"
import type { Head } from "../state/chain/Entry.ts"
import type { Verified } from "../state/chain/Verify.ts"
import type { Config, ConfigError } from "./config/Configuration.ts"
import type { ConnectLinkOptions } from "./ConnectLinks.ts"
import type { UsageError } from "./Exit.ts"
import type { Independent } from "./Independent.ts"
import type * as Explain from "./Explain.ts"
import type { Exported, ExportError } from "../export/index.ts"
import type { Plain } from "./Plain.ts"

/** Selects connections; default: all of the configuration. */
export interface Choice {
  readonly connections?: ReadonlyArray<string>
}

/** What would be sent, with amounts as text. `apply` sends exactly this, or nothing if the books changed meanwhile. */
export interface Plan {
  readonly calls: ReadonlyArray<Plain<Call>>
  readonly attention: ReadonlyArray<Attention>
  readonly digest: string
  /** The connections that the plan covers. */
  readonly connections: ReadonlyArray<string>
}

export type {
  AlertsShown,
  AttentionItem,
  CollectionShown,
  CoverShown,
  Preview,
  PreviewOptions,
  Proof,
  Reconciled,
  Status,
  UndoableDecision,
  WhatIf
}

/** Under what a plan is compared with today's. */
export interface WhatIfOptions extends Choice {
  /** Another configuration. */
  readonly with?: Config
  /** Another day, like `2026-12-31`. */
  readonly asOf?: string
  /** Reads each source that is set otherwise into copies of the books, under today's settings and under the others. */
  readonly read?: boolean
}

export interface Result extends ApplyReport.Report, Proof {}

export interface ApplyOptions extends Choice {
  /**
   * Lets the first sync of a connection go ahead, and what a person said no to: a plan that was rejected, or the rest of one.
   * Otherwise it fails with `FirstSync`, which contains what it would send.
   */
  readonly firstSync?: "send"
  /** The same as `G1` in `allow`. */
  readonly allowReductions?: boolean
  /** Guards to pass in this run, by number: a person has looked at what stopped the last one. */
  readonly allow?: ReadonlyArray<Guard>
}

export interface TimedOptions extends ApplyOptions {
  /** Measures where the time went. */
  readonly timing?: boolean
}

export interface SyncResult extends Result {
  readonly timing?: Timing
}

export interface ReconcileOptions extends Pick<Audit.AuditOptions, "from" | "to">, Choice {
  readonly fix?: boolean
}

/** One step of a person's work on a collection. */
export type CollectionStep = { readonly step: "prepare" } | CollectionAct

/** An event for subscribers. */
export type Event =
  | { readonly type: "pulled"; readonly connection: string; readonly taken: IngestCounts }
  | ({ readonly type: "receipt" } & Plain<ApplyReport.CallReceipt>)
  | { readonly type: "attention"; readonly attention: Omit<AttentionItem, "candidates"> }
  | { readonly type: "applied"; readonly report: ApplyReport.Report }
  | { readonly type: "turn"; readonly event: RunEvent }
  /** A message of alerts was sent, or not. */
  | ({ readonly type: "alert" } & Delivered)

export type ApplyFailure = Apply.ApplyError | ConfigError

/** One set of books and its service. */
export interface Api {
  /** Reads the sources; returns what was read, by connection id. Reads all, then fails with the first error, if any. */
  readonly pull: (
    choice?: Choice
  ) => Effect.Effect<Readonly<Record<string, IngestCounts>>, StateError | SourceError | ConfigError>
  readonly plan: (choice?: Choice) => Effect.Effect<Plan, StateError | ConfigError>
  /**
   * What another configuration, or another day, would change in today's plan, document by document, with the rules responsible.
   * Both plans are made on copies of the books that are deleted; nothing is stored or sent.
   */
  readonly whatIf: (options: WhatIfOptions) => Effect.Effect<WhatIf, StateError | ConfigError | UsageError>
  /** Sends a plan; without one, plans and sends now. */
  readonly apply: (plan?: Plan, options?: ApplyOptions) => Effect.Effect<Result, ApplyFailure>
  /**
   * Reads, sends what the service lacks, and proves. If a source cannot be read, the others are still read and what is in the
   * books is sent; then it fails with that source's error.
   */
  readonly sync: (options?: TimedOptions) => Effect.Effect<SyncResult, ApplyFailure | SourceError>
  /** The open amounts in the source, in the books and on the service, with every difference. */
  readonly completeness: (choice?: Choice) => Effect.Effect<Proof, StateError | ConfigError>
  readonly status: () => Effect.Effect<Status, StateError>
  /** What needs attention; for unmatched payments, with the invoices that they may be for. */
  readonly attention: () => Effect.Effect<ReadonlyArray<AttentionItem>, StateError>
  /**
   * Closes one attention item; this accepts sums of an order that somebody else sent to the service. False: it is not open.
   */
  readonly resolve: (id: number, note?: string) => Effect.Effect<boolean, StateError>
  /** Plans the document again, and sends a rejected call again. False: it is not open. */
  readonly retry: (id: number) => Effect.Effect<boolean, StateError>
  /**
   * Assigns the payment of an attention item to invoices, each by number, id or key, as `INV-7=10.00` a part of it; an empty list is
   * for none. Stored; returns the amounts. What takes an invoice from another payment is refused with what follows, unless `sure`.
   */
  readonly assign: (
    id: number,
    invoices: ReadonlyArray<string>,
    sure?: boolean
  ) => Effect.Effect<ReadonlyArray<ShareText>, StateError | UsageError>
  /**
   * Says of payments that they are for no invoice, of all or of none: of strangers, without an invoice's number or amount. Nothing like
   * them is asked about again. Returns their keys.
   */
  readonly assignNone: (ids: ReadonlyArray<number>) => Effect.Effect<ReadonlyArray<string>, StateError | UsageError>
  /**
   * Answers an attention item that asks whether two payments are the same money: the key of the payment that it is the same as;
   * without one, both were received. Returns the keys of the payments that it was compared with.
   */
  readonly sameMoney: (id: number, as?: string) => Effect.Effect<ReadonlyArray<string>, StateError | UsageError>
  /**
   * Says of a payment, by key, that it is not for what it was matched with: it is taken away from there, and is an attention item until
   * somebody says what it is for. Returns the invoices that it was for. Where one of them is marked as paid, which stays, that is refused
   * unless `sure`.
   */
  readonly ask: (payment: string, sure?: boolean) => Effect.Effect<ReadonlyArray<string>, StateError | UsageError>
  /** What people decided of payments: which invoices they are for, and whether two are the same money. */
  readonly choices: () => Effect.Effect<ReadonlyArray<ChoiceShown>, StateError>
  /**
   * Takes such a decision back, by the payment's key; false: there is none. `same`: what was said to be other money is the same. Where an
   * invoice that somebody chose is marked as paid, which stays, that is refused unless `sure`.
   */
  readonly unassign: (payment: string, options?: TakenBack) => Effect.Effect<boolean, StateError | UsageError>
  /** The latest decisions that can be taken back: nothing was sent on them, and what they left still stands. */
  readonly undoable: () => Effect.Effect<ReadonlyArray<UndoableDecision>, StateError>
  /** Takes one back, exactly as `undoable` showed it; if it cannot be any more, nothing is changed. */
  readonly undo: (id: number, digest: string) => Effect.Effect<void, StateError | UsageError>
  /** Everything about each document with this name, number, id or key, or about a call, as `#12`. */
  readonly explain: (what: string) => Effect.Effect<ReadonlyArray<Explain.PlainStory>, StateError>
  /** Writes `.xlsx` or `.csv`. */
  readonly export: (file: string, choice?: Choice) => Effect.Effect<Exported, ExportError | StateError>
  /** Writes the books as tables and views of a SQLite file, for reporting tools: see `daybook views`. */
  readonly views: (file: string, choice?: Choice) => Effect.Effect<Exported, ExportError | StateError>
  /** Writes a checked copy of the state file as of one moment, while everything else keeps running. */
  readonly backup: (file: string) => Effect.Effect<Backup, StateError>
  /**
   * Walks the chain of what was written, and names every entry and every fact that was changed, removed, added or reordered.
   *
   * @param known an entry that was written down elsewhere; it must be in the chain
   */
  readonly verify: (known?: Head) => Effect.Effect<Verified, StateError>
  /** Reads the service and returns every difference from the ledger; `fix` corrects the ledger. */
  readonly reconcile: (options?: ReconcileOptions) => Effect.Effect<Reconciled, ApplyFailure>
  /**
   * Lets a witness that shares no rules with sync read the sources from their beginning and the service's lists, and calculate
   * every open amount; books and ledger are not used. See `daybook reconcile --independent`.
   */
  readonly independent: (choice?: Choice) => Effect.Effect<Independent, ServiceError | ConfigError>
  /** What processors paid out, from the sale to the line at the bank: each cent is explained or named. */
  readonly payouts: (choice?: Choice) => Effect.Effect<PayoutReport, StateError | ConfigError>
  /**
   * The statement of a month as of its last day, per connection, currency and customer. With a name, the month is closed: what is
   * read of it later is shown as late in the next one.
   */
  readonly month: (
    month: string,
    choice?: Choice & { readonly by?: string }
  ) => Effect.Effect<MonthReport, StateError | ConfigError | UsageError>
  /** Debtors that the service could not match with a company. */
  readonly debtors: (choice?: Choice) => Effect.Effect<ReadonlyArray<Debtor>, StateError | ConfigError>
  /** The companies that a debtor may be, most likely first. */
  readonly candidates: (
    debtor: Pick<Debtor, "name" | "country" | "regnum">
  ) => Effect.Effect<ReadonlyArray<Company>, ServiceError>
  /** Stores which company a debtor is, or forgets it with null; returns how many invoices will be updated. */
  readonly match: (
    debtor: Pick<Debtor, "connection" | "party">,
    company: CompanyId | null
  ) => Effect.Effect<number, StateError | ConfigError>
  /**
   * Shows the first records of a connection's source beside the documents that they become, what would be quarantined, and
   * totals. Stores and sends nothing.
   */
  readonly preview: (
    connection: string,
    options?: PreviewOptions
  ) => Effect.Effect<Plain<Preview>, SourceError | ConfigError>
  /** What is wrong with a connection's source, in sentences; empty if everything works. */
  readonly check: (connection: string) => Effect.Effect<ReadonlyArray<string>, SourceError | ConfigError>
  /**
   * Approves the plan with this digest, or some of its documents (by key, number or id) with what these need. The rest is not
   * sent, and waits for a person again. False: another plan waits now, or none.
   */
  readonly approve: (
    connection: string,
    digest: string,
    who: string,
    documents?: ReadonlyArray<string>
  ) => Effect.Effect<boolean, StateError | ConfigError | UsageError>
  readonly reject: (connection: string, digest: string, who: string) => Effect.Effect<boolean, StateError | UsageError>
  /**
   * Renames a connection; it keeps what was read and sent. Takes effect with the next `open`, whose configuration has the new
   * name. Returns the prefix that its documents' keys keep. Fails on a handle with `shared`.
   */
  readonly renameConnection: (from: string, to: string) => Effect.Effect<string, StateError | UsageError>
  /** Confirms a connection's new source or owner, or that a connection that looks renamed is a new one. */
  readonly acceptConnection: (connection: string) => Effect.Effect<void, StateError | ConfigError>
  /**
   * Creates a link by which a customer connects their own books: can be opened once, for a limited time, and for this tenant
   * only. The daemon on the same state file serves its pages.
   */
  readonly connectLink: (options: ConnectLinkOptions) => Effect.Effect<ConnectLink, StateError | UsageError>
  /** The links with their status, latest first. */
  readonly connectLinks: () => Effect.Effect<ReadonlyArray<ConnectLinkStanding>, StateError>
  /** Quotes, policies and deadlines: exposure of buyers, spending, offers that wait, upcoming deadlines. */
  readonly cover: (choice?: Choice) => Effect.Effect<CoverShown, StateError | ConfigError>
  /**
   * Buys or rejects an invoice's offer, by the digest that `cover` showed, or requests another quote. The next sync carries it
   * out.
   */
  readonly decideCover: (invoice: string, choice: CoverChoice) => Effect.Effect<void, StateError | UsageError>
  /** What would be handed over for an unpaid insured invoice, by its key; what is missing; and until when. */
  readonly collection: (invoice: string) => Effect.Effect<CollectionShown, StateError | UsageError>
  /**
   * Gathers its documents again, adds or removes a file, or records a person's confirmation with both declarations. Returns
   * what would be handed over now. The next sync carries it out, provided that it is still what the person was shown.
   */
  readonly collect: (invoice: string, step: CollectionStep) => Effect.Effect<CollectionShown, StateError | UsageError>
  /** Current and recently ended alerts, and messages that their channels have not accepted. `run` sends them. */
  readonly alerts: () => Effect.Effect<AlertsShown, StateError>
  /** Sends a test over one channel or all of them. */
  readonly testAlerts: (channel?: string) => Effect.Effect<ReadonlyArray<TestedChannel>, ConfigError>
  /** Retries undelivered messages, all or the given ones; returns which. */
  readonly retryAlerts: (ids?: ReadonlyArray<number>) => Effect.Effect<ReadonlyArray<number>, StateError>
  /** Runs on the schedules of the configuration until interrupted; see `daybook daemon`. Only one at a time. */
  readonly run: () => Effect.Effect<never, StateError | UsageError>
  /** Events from now on. */
  readonly events: Stream.Stream<Event>
}
