/**
 * Lists who did what and when: runs, calls with their reasons, people's decisions. Newest first. The cost depends on what is
 * shown, because everything has ascending numbers.
 */
import * as PastCalls from "../state/calls/PastCalls.ts"
import type { Db } from "../state/Database.ts"
import { storedEffectWords } from "../model/Effect.ts"
import { columns, type Row, type Sheet, within } from "./sheets/Sheet.ts"

export const ONLY = ["calls", "failed", "runs", "decisions"] as const

export interface ActivityFilter {
  readonly connections: ReadonlyArray<string>
  readonly only?: (typeof ONLY)[number] | undefined
  /** Only from this time on, in milliseconds since the epoch. */
  readonly since?: number | undefined
  /** Searched in documents' keys, reasons and names. */
  readonly text?: string | undefined
}

export interface ActivityEntry {
  readonly kind: "call" | "run" | "decision"
  /** Milliseconds since the epoch. */
  readonly at: number
  /** Who decided; the program if nobody did. */
  readonly who: string
  readonly what: string
  readonly why: string
  /** The document, or the connection. */
  readonly subject: string
  readonly outcome: string
}

/** How many calls are searched for one answer. */
const MOST_LOOKED = 20_000

/** What a request says of these. */
const bodyOf = (request: string): { readonly status: string | null; readonly amount: string | null } => {
  const { body = {} } = JSON.parse(request) as { readonly body?: Readonly<Record<string, unknown>> }
  const text = (value: unknown) => (typeof value === "string" ? value : null)
  return { status: text(body["status"]), amount: text(body["amount"]) }
}

function* calls(db: Db, { connections, only, since = 0 }: ActivityFilter): Generator<ActivityEntry> {
  if (only === "runs" || only === "decisions") return
  const mine = within(connections)
  let looked = 0
  for (const row of PastCalls.all(db, "desc")) {
    if (row.claimed < since || ++looked > MOST_LOOKED) return
    const { claimed, operation, outcome, reason, request, rule, subject } = row
    if (!mine(subject) || (only === "failed" && outcome !== "refused")) continue
    yield {
      kind: "call",
      at: claimed,
      who: "Daybook",
      what: storedEffectWords({ subject, operation, ...bodyOf(request) }),
      why: `${reason} (${rule})`,
      subject,
      outcome: outcome ?? "no result yet"
    }
  }
}

interface RunRow {
  readonly started: number
  readonly command: string
  readonly outcome: string | null
  readonly connections: string | null
  readonly figures: string | null
}

const doneOf = (figures: string | null): string => {
  const done = figures === null ? undefined : (JSON.parse(figures) as Readonly<Record<string, unknown>>)["done"]
  return typeof done === "number" && done > 0 ? `${done} ${done === 1 ? "call" : "calls"} sent` : ""
}

function* runs(db: Db, { connections, only, since = 0 }: ActivityFilter): Generator<ActivityEntry> {
  if (only === "calls" || only === "decisions") return
  const rows = db.prepare("SELECT started, command, outcome, connections, figures FROM run ORDER BY id DESC").iterate()
  for (const row of rows as IterableIterator<RunRow>) {
    if (row.started < since) return
    const of = row.connections === null ? [] : (JSON.parse(row.connections) as ReadonlyArray<string>)
    if (of.length > 0 && !of.some((one) => connections.includes(one))) continue
    const outcome = row.outcome ?? "interrupted"
    if (only === "failed" && outcome === "done") continue
    yield {
      kind: "run",
      at: row.started,
      who: "Daybook",
      what: row.command,
      why: doneOf(row.figures),
      subject: of.join(", "),
      outcome
    }
  }
}

type Decision = Omit<ActivityEntry, "kind">

const DECISIONS = `SELECT decided AS at, who, iif(part IS NULL, 'plan ', 'part of the plan ') || decision AS what, coalesce(words, '') AS why, connection AS subject, decision AS outcome
    FROM approval WHERE decided IS NOT NULL
  UNION ALL SELECT decided, who, about || ' ' || decision, '', subject, decision FROM cover_decision
  UNION ALL SELECT chosen, 'a person', 'payment matched by hand', '', payment, 'matched' FROM choice
  UNION ALL SELECT chosen, 'a person', 'debtor matched to a company', party, connection, company FROM match
  UNION ALL SELECT closed, 'a person', 'attention closed', why, subject, coalesce(how, '') FROM attention
    WHERE closed IS NOT NULL AND how LIKE 'closed by%'
  UNION ALL SELECT changed, who, 'configuration changed', words, coalesce(connection, ''), '' FROM config_change
  UNION ALL SELECT written, who, 'note written', words, connection, '' FROM customer_note
  ORDER BY at DESC`

function* decisions(db: Db, { connections, only, since = 0 }: ActivityFilter): Generator<ActivityEntry> {
  if (only !== undefined && only !== "decisions") return
  for (const row of db.prepare(DECISIONS).iterate() as IterableIterator<Decision>) {
    if (row.at < since) return
    const of = row.subject.includes("/") ? row.subject.slice(0, row.subject.indexOf("/")) : row.subject
    // What is about all connections is about each.
    if (of === "" || connections.includes(of)) yield { kind: "decision", ...row }
  }
}

/** Merges streams that are each sorted newest first. */
function* merged(all: ReadonlyArray<Generator<ActivityEntry>>): Generator<ActivityEntry> {
  const heads = all.map((of) => ({ of, next: of.next() }))
  try {
    for (;;) {
      const [first] = heads
        .filter(({ next }) => next.done !== true)
        .toSorted((a, b) => b.next.value.at - a.next.value.at)
      if (first === undefined) return
      yield first.next.value
      first.next = first.of.next()
    }
  } finally {
    for (const { of } of heads) of.return(undefined)
  }
}

const contains = ({ subject, what, who, why }: ActivityEntry, text: string): boolean =>
  [subject, what, who, why].some((one) => one.toLowerCase().includes(text))

/** The newest entries that match the filter. */
export const activity = (db: Db, filter: ActivityFilter, most: number): ReadonlyArray<ActivityEntry> => {
  const text = filter.text?.toLowerCase()
  const found: Array<ActivityEntry> = []
  for (const entry of merged([calls(db, filter), runs(db, filter), decisions(db, filter)])) {
    if (text !== undefined && !contains(entry, text)) continue
    if (found.push(entry) >= most) break
  }
  return found
}

/** The entries as a sheet, for download. */
export const activitySheet = (entries: ReadonlyArray<ActivityEntry>): Sheet => ({
  name: "Activity",
  currency: -1,
  columns: columns(
    `When instant 20, Who text 18, What text 26, Document or connection text 34, Why text 50, Outcome text 14`
  ),
  *rows(): IterableIterator<Row> {
    for (const { at, outcome, subject, what, who, why } of entries) yield [at, who, what, subject, why, outcome]
  }
})
