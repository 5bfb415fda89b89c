/** Answers requests of other programs, over HTTP and from assistants, from the state file. Read-only. */
import { Clock, Effect } from "effect"
import * as Currency from "../../core/money/Currency.ts"
import type { Configuration } from "../../sync/library/config/Configuration.ts"
import { UsageError } from "../../sync/library/Exit.ts"
import { chosen } from "../../sync/library/Handle.ts"
import { dated, plain } from "../../sync/library/Plain.ts"
import { type Record as PlanRecord, records } from "../../sync/library/PlanRecords.ts"
import { attentionRecord, views } from "../../sync/library/Views.ts"
import * as Drafts from "../../sync/decisions/Drafts.ts"
import * as AttentionStore from "../../sync/apply/AttentionStore.ts"
import * as Approvals from "../../sync/plan/Approvals.ts"
import * as Dashboard from "../../sync/reports/Dashboard.ts"
import { tooLong } from "../../sync/reports/SearchText.ts"
import { Database } from "../../sync/state/Database.ts"
import { ROWS } from "./OnePage.ts"
import { apart } from "../page/ThreadOfPages.ts"

/** JSON: amounts are decimal text, instants ISO 8601 in UTC. */
export type AnswerJson = Readonly<globalThis.Record<string, unknown>>

/** The first rows of a list, with the total number if there are more. */
const first = <A>(rows: ReadonlyArray<A>, limit = ROWS) => ({
  rows: rows.slice(0, limit),
  ...(rows.length > limit ? { total: rows.length, more: rows.length - limit } : {})
})

const chosenBy = (configuration: Configuration, connection: string | undefined) =>
  chosen(configuration, connection === undefined ? {} : { connections: [connection] })

export const status = (configuration: Configuration) =>
  Effect.gen(function* () {
    const db = yield* Database
    const see = views({ configuration, db })
    return { ...(yield* see.status()), statement: yield* see.completeness() }
  })

/** Open attention items, oldest first; `next` is the cursor for the following ones. */
export const attention = (limit = ROWS, after = 0) =>
  Effect.gen(function* () {
    const db = yield* Database
    return yield* db.read(() => {
      const rest = AttentionStore.after(db, after, limit + 1)
      const items = rest.slice(0, limit).map((one) => attentionRecord(db, one))
      const next = rest.length > limit ? items.at(-1)?.id : undefined
      return { items, total: AttentionStore.count(db), ...(next === undefined ? {} : { next }) }
    })
  })

/** What would be sent: the figures of everything, and the first calls. */
export const plan = (configuration: Configuration, connection: string | undefined, limit = ROWS) =>
  Effect.gen(function* () {
    const connections = yield* chosenBy(configuration, connection)
    const kept: Array<PlanRecord> = []
    let [calls, summary] = [0, {}]
    yield* records(connections, {
      guards: true,
      write: (record) =>
        Effect.sync(() => {
          if (record.type === "summary") summary = record
          else if (record.type === "guard") kept.push(record)
          else if (record.type === "call" && ++calls > limit) return
          else kept.push(record)
        })
    })
    const of = (type: PlanRecord["type"]) => kept.filter((one) => one.type === type)
    return {
      summary,
      calls: of("call"),
      ...(calls > limit ? { more: calls - limit } : {}),
      attention: first(of("attention"), limit),
      stops: of("guard"),
      sent: "nothing: this is what the next sync would send"
    }
  })

export const explain = (configuration: Configuration, document: string) =>
  Effect.gen(function* () {
    const why = tooLong(document)
    if (why !== undefined) return yield* new UsageError({ why })
    const stories = yield* views({ configuration, db: yield* Database }).explain(document)
    if (stories.length === 0)
      return yield* new UsageError({ why: `no document ${JSON.stringify(document)} is in the books; search for it` })
    return { stories }
  })

export interface Search extends Partial<Pick<Dashboard.Wanted, "text" | "kind" | "only" | "after">> {
  readonly connection?: string
  readonly limit?: number
}

const shown = ({ balance, books, currency, document, follows: _, says, service, ...row }: Dashboard.Listed) => {
  const amount = (minor: bigint | null) =>
    minor === null || currency === null || currency === ""
      ? null
      : Currency.format(Currency.ofMinor(minor, currency), currency)
  return {
    ...row,
    currency,
    document: plain(document),
    open: { source: amount(says), books: amount(books), service: amount(service) },
    balance: amount(balance)
  }
}

/** Documents by connection, in the order of their keys; `next` is the cursor for the following ones. */
export const search = (
  configuration: Configuration,
  { after = "", connection, kind = "invoice", limit = ROWS, only = "all", text = "" }: Search
) =>
  Effect.gen(function* () {
    const why = tooLong(text)
    if (why !== undefined) return yield* new UsageError({ why })
    const db = yield* Database
    const all = (yield* chosenBy(configuration, connection)).map(({ id }) => id)
    const of = [all, { kind, only, text, after }, limit + 1] as const
    const here = db.snapshot(() => Dashboard.documentsOf(db, ...of))
    const rows = yield* text === "" ? here : apart(db, { type: "documents", of }, here)
    const documents = rows.slice(0, limit)
    const next = rows.length > limit ? documents.at(-1)?.key : undefined
    return { documents: documents.map(shown), ...(next === undefined ? {} : { next }) }
  })

export const cover = (configuration: Configuration) =>
  Effect.gen(function* () {
    return { ...(yield* views({ configuration, db: yield* Database }).cover()) }
  })

/** Plans that wait, and the latest decisions. */
export const approvals = Effect.gen(function* () {
  const db = yield* Database
  return { approvals: yield* db.read(() => Approvals.list(db).map((one) => dated(one, "made", "decided"))) }
})

/** A decision prepared for a person, who confirms it on the page. Nothing is stored, sent or decided. */
export const draft = (configuration: Configuration, wanted: Drafts.DraftWanted) =>
  Effect.gen(function* () {
    const db = yield* Database
    const now = yield* Clock.currentTimeMillis
    const draft = yield* db.read(() => Drafts.prepare(db, configuration.connections, wanted, now))
    if ("why" in draft) return yield* new UsageError(draft)
    const { digest, page } = draft
    const base = configuration.alerts?.page
    const address = base === undefined ? {} : { address: `${base.replace(/(?<!\/)\/+$/, "")}${page}` }
    return {
      page,
      ...address,
      digest,
      decided: "nothing: a person opens this on the page, sees what it does, and does it there"
    }
  })

/** Why this interface sends nothing, and how a person can. */
export const apply = Effect.gen(function* () {
  const db = yield* Database
  const waiting = yield* db.read(() => Approvals.list(db).filter(({ decision }) => decision === null))
  const approvals = waiting.map(
    ({ connection, digest }) => `daybook approve ${connection} --digest ${digest.slice(0, 12)}`
  )
  return yield* new UsageError({
    why: `Nothing was sent: an assistant cannot send, approve, buy or decide. A person looks at it and runs: ${["daybook plan", ...(approvals.length > 0 ? approvals : ["daybook apply"])].join(", then ")}`
  })
})
