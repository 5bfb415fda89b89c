/**
 * What the page's handlers get and give: a request of a session, and what to show of it or where to go on.
 */
import type { Effect } from "effect"
import type { Client } from "../../core/Client.ts"
import type { ServiceError } from "../../core/ServiceError.ts"
import type { Connection } from "../../sync/model/Connection.ts"
import type { Database, StateError } from "../../sync/state/Database.ts"
import { html, type Node } from "./Html.ts"

export interface PageContext {
  readonly connections: ReadonlyArray<Connection>
  /** A plan was approved, or something is to be planned again. */
  readonly wake: (connection: string) => Effect.Effect<void>
}

export interface Asked {
  readonly path: ReadonlyArray<string>
  readonly query: URLSearchParams
  readonly posted: URLSearchParams
  /** The word that forms of this session carry. */
  readonly form: string
}

/** What to show, or where to go on. */
export type Answer =
  | { readonly title: string; readonly at?: string; readonly body: Node; readonly status?: number }
  | { readonly to: string; readonly said: keyof typeof SAID }

export type Failure = StateError | ServiceError

/** What was done, in words; an address carries only the name. */
export const SAID = {
  approved: "Approved. The calls are sent in the next turn, which begins now.",
  rejected: "Rejected. Nothing is sent; the next change makes a new plan.",
  moved: "The books moved since you saw that plan; nothing was decided. Look at the new one.",
  resolved: "Closed.",
  accepted: "Closed. What the service holds is accepted; the next run sends the rest.",
  matched: "Remembered. The service is told in the next turn, which begins now.",
  forNone: "Remembered: it is for no invoice.",
  retried: "It is sent again in the next turn.",
  undone: "Taken back. The payment is matched by the rules again; the next turn, which begins now, tells what follows.",
  handled: "That was dealt with already.",
  chosen: "Remembered. Its invoices are told so in the next turn.",
  forgotten: "Taken back. Its invoices are told by their names in the next turn.",
  nobody: "There is no such debtor any more."
} as const

export type Handler = (asked: Asked, around: PageContext) => Effect.Effect<Answer, Failure, Database | Client>

export const nothing: Answer = {
  title: "Not found",
  status: 404,
  body: html`
    <p>There is nothing at this address. What it led to may have been dealt with, or the address is not whole.</p>
    <form class="row" method="get" action="/documents" role="search">
      <label>Number, id, name or amount <input type="search" name="q" /></label>
      <button class="primary">Search</button>
    </form>
    <p><a href="/">Back to the overview</a></p>
  `
}
