/**
 * Defines what the page's handlers get and return: a request of a session, and what to show or where to redirect.
 */
import type { Effect } from "effect"
import type { Client } from "../../core/Client.ts"
import { describe, type ServiceError } from "../../core/ServiceError.ts"
import type { AlertSettings } from "../../sync/model/AlertSettings.ts"
import type { Connection, PlannedConnection } from "../../sync/model/Connection.ts"
import type { Database, StateError } from "../../sync/state/Database.ts"
import type { StoredPerson } from "../../sync/library/config/PersonsFile.ts"
import type { Place } from "../../sync/pull/ConnectorContext.ts"
import type { OpenSession } from "./Sessions.ts"
import { html, type Node, type Visitor } from "./Html.ts"
import { t } from "./language/Texts.ts"

/** What a page that only reads needs: values, which can be told to another thread. */
export interface ReadContext {
  readonly connections: ReadonlyArray<PlannedConnection>
  /** The tenant, if there are several. */
  readonly tenant?: string
  /** Connections that others pay which the reader may not see. */
  readonly paidUnseen?: ReadonlyArray<string>
}

export interface PageContext extends Place, ReadContext {
  readonly connections: ReadonlyArray<Connection>
  /** Reports that a plan was approved, or that something must be planned again. */
  readonly wake: (connection: string) => Effect.Effect<void>
  /** The configuration of alerts, if there is one. */
  readonly alerts?: AlertSettings
  /** Addresses of this machine and its network may be entered. */
  readonly privateAddresses?: boolean
  /** The configuration's file. */
  readonly file: string
  /** Applies the configuration as it is written now; absent if the next run reads it again. */
  readonly reread?: Effect.Effect<void>
}

/** What a page that only reads is asked. */
export interface Looking extends Visitor {
  readonly path: ReadonlyArray<string>
  readonly query: URLSearchParams
  /** The value of a cookie. */
  readonly cookie: (name: string) => string | undefined
}

export interface Asked extends Looking {
  readonly posted: URLSearchParams
  /** The open sessions. */
  readonly sessions: OpenSessions
  /** An uploaded file. */
  readonly file?: PostedFile
}

/** The open sessions as a page may show them: with names that do not give access. */
export interface OpenSessions {
  readonly own: string
  readonly all: () => ReadonlyArray<OpenSession>
  readonly end: (name: string) => Effect.Effect<void>
  /** The people with accounts. */
  readonly persons: () => ReadonlyArray<StoredPerson>
}

export interface PostedFile {
  readonly name: string
  readonly bytes: Uint8Array
}

/** A page or a download. */
export type ShownPage =
  | {
      readonly title: string
      readonly at?: string
      readonly body: Node
      readonly status?: number
      /** A cookie for the browser to store. */
      readonly remembers?: string
      /** It follows runs: the query with which the same page is asked for again. */
      readonly follows?: string
      /** The address that is meant, where there is but one: the browser goes there at once. */
      readonly goes?: string
    }
  | { readonly file: string; readonly type: string; readonly body: Uint8Array<ArrayBuffer> }

/** Or a redirect. */
export type Answer = ShownPage | { readonly to: string; readonly said: keyof typeof SAID; readonly remembers?: string }

export type Failure = StateError | ServiceError

/** Messages about what was done; an address contains only the name of one. */
export const SAID = {
  approved: "Approved. The calls are sent in the next run, which starts now.",
  rejected: "Rejected. Nothing is sent. The next change makes a new plan.",
  approvedAll: "Approved the selected plans. Their calls are sent in the next runs, which start now.",
  rejectedAll: "Rejected the selected plans. Nothing from them will be sent.",
  someMoved:
    "Some of the chosen plans changed since they were shown: nothing was decided about those. Review the new ones.",
  partApproved:
    "Approved. The chosen documents are sent in the next run, which starts now, with what they need. The rest stays pending approval.",
  noDocument: "No document was chosen; nothing was decided.",
  noneChosen: "No plan was chosen; nothing was decided.",
  moved: "The books changed since you saw that plan; nothing was decided. Review the new one.",
  resolved: "Closed.",
  answered: "The answer is kept; the next run goes by it.",
  matched: "Saved. It is sent in the next run, which starts now.",
  forNone: "Saved: the payment belongs to no invoice.",
  retried: "It is sent again in the next run.",
  askedAbout: "Taken from its invoice. It is among the open items now: say which invoice it is for.",
  undone: "Undone. The payment is matched by the rules again; the next run, which starts now, sends the result.",
  bothReported:
    "Nothing was changed: both are reported. Say that they are the same money if they are; one is taken back then.",
  payerKnown: "Saved. Payments of this payer are matched with this customer's invoices from now on.",
  payerForgotten: "Forgotten. What was reported stays.",
  takenBack: "Taken back: it is as it was before.",
  handled: "That item is already closed.",
  chosen: "Saved. Its invoices are updated in the next run.",
  forgotten: "Undone. Its invoices are sent by name in the next run.",
  closedMonth: "Closed. What is read of it from now on is shown as late in the next month.",
  closedBefore: "Somebody had closed it already; it stays as they closed it.",
  bought: "Approved. What was chosen is bought at these prices in the next run, which starts now.",
  notBought: "Rejected. No cover is bought for it.",
  confirmed: "Confirmed. It is handed over in the next run, which starts now.",
  attached: "Added. The next run, which starts now, checks again what is missing.",
  detached: "Removed. The next run, which starts now, checks again what is missing.",
  withdrawn: "Taken back. It is not handed over until somebody confirms it again.",
  spoken: "From now on pages are as you chose.",
  notSpoken: "These pages are not in that language; nothing was changed.",
  seen: "Marked as seen. Next time, Today starts from now.",
  noted: "Note saved.",
  paused: "Paused. It does not run automatically until somebody resumes it.",
  resumed: "Resumed. The next run starts now.",
  ended: "Ended. That person must sign in again.",
  notEnded: "That session has ended already, or is not yours.",
  asked: "Requested. It starts when no other run uses its sources.",
  resolvedAll: "Closed, exactly those that were shown.",
  retriedAll: "Exactly those that were shown are sent again in the next run.",
  noneAll: "Exactly those that were shown are for no invoice, and so is what these payers send like it.",
  alertRetried: "It is sent again within a minute.",
  alertSent: "It was sent already.",
  nobody: "This debtor no longer exists.",
  scheduled: "Saved. The new schedule applies now.",
  channelAdded: "Saved. Send a test, to see that it arrives.",
  channelRemoved: "Removed. No more messages go to this channel.",
  ruleAdded: "Saved. The rule applies now.",
  ruleRemoved: "Removed.",
  connected: "Connected. Its first sync shows what it would send, and waits for you under Approvals.",
  fileAdded: "Uploaded.",
  fileRenewed: "Uploaded. It is read in the next run, which starts now."
} as const

export type ReadingHandler = (asked: Looking, around: ReadContext) => Effect.Effect<ShownPage, StateError, Database>

export type PageHandler = (asked: Asked, around: PageContext) => Effect.Effect<Answer, Failure, Database | Client>

export const nothing: ShownPage = {
  get title() {
    return t`Not found`
  },
  status: 404,
  body: html`
    <p>No page has this address. Its item may be closed, or the address may be incomplete.</p>
    <form class="row" method="get" action="/documents" role="search">
      <label>Number, id, name or amount <input type="search" name="q" /></label>
      <button class="primary">Search</button>
    </form>
    <p><a href="/">Back to today</a></p>
  `
}

/** A page that says what went wrong. */
export const trouble = (failure: Failure): ShownPage => ({
  title: t`Something went wrong`,
  status: 500,
  body: html`<p class="note bad">${failure._tag === "ServiceError" ? describe(failure.reason) : failure.message}</p>`
})
