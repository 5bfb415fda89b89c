/** Finds the invoice that a person names for a decision about cover, and explains why there is none. */
import { kindOf, parseKey } from "../../connectors/Document.ts"
import { nearest } from "../../core/Nearest.ts"
import { type Connection, nameOf } from "../model/Connection.ts"
import * as Facts from "../plan/Facts.ts"
import { planOne } from "../plan/Plan.ts"
import * as Body from "../state/Body.ts"
import type { StateError, Db } from "../state/Database.ts"
import type { Configuration } from "./config/Configuration.ts"
import { UsageError } from "./Exit.ts"
import * as Explain from "./Explain.ts"

/** Why not, in words, with what to do. */
export interface NotFound {
  readonly why: string
}

/** An invoice of a connection with cover. */
export interface CoverInvoice {
  readonly connection: Connection
  readonly subject: string
}

const EXAMPLE = '"cover": { "select": [{}], "price": { "currency": "GBP", "per_month": "2000.00" } }'

/** Why there is no cover at all; undefined if a connection has it. */
export const notConfigured = ({
  connections,
  file
}: Pick<Configuration, "connections" | "file">): string | undefined =>
  connections.some(({ planning }) => planning.cover !== undefined)
    ? undefined
    : `${file}: no connection has cover; add it to one, like ${EXAMPLE}`

/** Without cover there may be no state file either: then it is not what is missing. */
export const orNotConfigured = (
  configuration: Pick<Configuration, "connections" | "file">,
  error: StateError
): StateError | UsageError => {
  const why = notConfigured(configuration)
  return why === undefined ? error : new UsageError({ why })
}

const meant = (db: Db, what: string): string | undefined =>
  nearest(
    what,
    db
      .prepare(`SELECT ${Body.numberOfInvoice("d.body")} FROM cover c JOIN document d ON d.key = c.subject LIMIT 2000`)
      .pluck()
      .all() as ReadonlyArray<string>
  )

export const find = (
  db: Db,
  configuration: Pick<Configuration, "connections" | "file">,
  what: string
): CoverInvoice | NotFound => {
  const lacks = notConfigured(configuration)
  if (lacks !== undefined) return { why: lacks }
  const { connections, file } = configuration
  const keys = Explain.subjects(db, what)
  const invoices = keys.filter((key) => kindOf(key) === "invoice")
  const [subject, second] = invoices
  if (subject === undefined) {
    if (keys.length > 0) return { why: `${keys[0]} is not an invoice; only invoices are insured` }
    const similar = meant(db, what)
    const hint =
      similar === undefined
        ? "give an invoice's number, the source's id, or a key like books/invoice/INV-1"
        : `did you mean ${JSON.stringify(similar)}?`
    return { why: `there is no invoice ${JSON.stringify(what)} in the books; ${hint}` }
  }
  if (second !== undefined)
    return { why: `${JSON.stringify(what)} matches more than one invoice: ${invoices.join(", ")}; give the whole key` }
  const connection = connections.find(({ id }) => id === parseKey(subject).connection)
  if (connection === undefined) return { why: `${subject}: its connection is not in ${file}` }
  if (connection.planning.cover === undefined)
    return { why: `${file}: connection ${nameOf(connection)} has no cover; add it, like ${EXAMPLE}` }
  return { connection, subject }
}

/** Whether the next plan requests a quote for it; if not, why. */
export const asksForQuote = (db: Db, { connection, subject }: CoverInvoice, now: number): string | undefined => {
  if (Facts.remoteInvoice(db, subject) === undefined) return `${subject} was not sent yet`
  const plan = planOne(db, connection, subject, { now })
  if (plan.calls.some(({ operation }) => operation === "quotes.create")) return undefined
  return plan.cover?.why ?? plan.reason ?? "the service refused it"
}
