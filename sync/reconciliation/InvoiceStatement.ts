/**
 * Creates the completeness statement of invoices (of orders: `OrderStatement.ts`): the open amounts in the source, in the
 * books and on the service, per connection and currency, with every difference named. All three are equal if nothing was
 * lost and nothing was sent twice.
 *
 * source says   what the source itself states as open; nothing else enters it source        what is open in the books, plus
 * what was read of the source and is not in the books books         gross less credit notes, payments and reversals, of the
 * invoices in scope service       what the service itself answered as due, less what was reported as received
 *
 * What a buyer is owed lowers none of these sums: it is a sum of its own. The books are the current documents, see
 * `Standings.ts`. The source is added up while it is read, so that a lost record becomes visible.
 */
import * as Currency from "../../core/money/Currency.ts"
import * as Decimal from "../../core/money/Decimal.ts"
import * as AttentionStore from "../apply/AttentionStore.ts"
import * as Facts from "../plan/Facts.ts"
import * as OpenInBooks from "../plan/OpenInBooks.ts"
import * as SourceFigures from "../rules/SourceFigures.ts"
import { plural } from "../../core/Plural.ts"
import { atOnce, type Stepwise } from "../state/Breathe.ts"
import type { Db } from "../state/Database.ts"
import type { StatementDifference, InvoiceStatement } from "../model/reports/Statement.ts"
import * as ListTotals from "./ListTotals.ts"
import * as Standings from "./Standings.ts"

export const countQuarantined = (db: Db, connection: string): number =>
  db.prepare("SELECT count(*) FROM quarantine WHERE connection = ?").pluck().get(connection) as number

/** What could not be read may be anybody's invoice or payment. */
export const asFarAsRead = (quarantined: number) => ({
  kind: "not checked" as const,
  text: `as far as read: ${plural(quarantined, "record")} not read`
})

/** The result of a statement. `agree` only if the source states figures of its own. */
export const verdict = ({
  differences,
  more,
  quarantined,
  sourceSays,
  stale,
  unchecked
}: Pick<InvoiceStatement, "differences" | "more" | "quarantined" | "sourceSays" | "stale" | "unchecked">): {
  readonly kind: "agree" | "differ" | "not checked"
  readonly text: string
} => {
  const count = differences.length + more
  if (count > 0) return { kind: "differ", text: plural(count, "difference") }
  if (sourceSays === undefined) return { kind: "not checked", text: NO_BALANCE }
  if (quarantined > 0) return asFarAsRead(quarantined)
  const agree = stale === undefined ? "agree" : "agreed at the last run"
  if (unchecked === 0) return { kind: stale === undefined ? "agree" : "not checked", text: agree }
  return {
    kind: "not checked",
    text: `${agree}, but ${plural(unchecked, "invoice")} not checked: the source states no balance`
  }
}

const NO_BALANCE = "not checked: the source states no balance"

/**
 * Reads one snapshot of the state file.
 *
 * @param most if more invoices than this changed, none of them is recalculated, and the statement is `stale`
 */
export const statements = (
  db: Db,
  connections: ReadonlyArray<string>,
  most = Number.POSITIVE_INFINITY
): ReadonlyArray<InvoiceStatement> => atOnce(inParts(db, connections, most))

export function* inParts(
  db: Db,
  connections: ReadonlyArray<string>,
  most = Number.POSITIVE_INFINITY
): Stepwise<ReadonlyArray<InvoiceStatement>> {
  const all: Array<InvoiceStatement> = []
  for (const connection of connections) all.push(...(yield* ofConnection(db, connection, most)))
  return all
}

function* ofConnection(db: Db, connection: string, most: number): Stepwise<ReadonlyArray<InvoiceStatement>> {
  const found = Standings.sumsOf(db, connection)
  const lost = unread(db, connection)
  const count = (sql: string, ...values: ReadonlyArray<string>) =>
    db
      .prepare(sql)
      .pluck()
      .get(...values) as number
  const quarantined = countQuarantined(db, connection)
  const pending = count(
    "SELECT count(*) FROM changed WHERE subject > ? AND subject < ?",
    `${connection}/invoice/`,
    `${connection}/invoice0`
  )
  const planning = OpenInBooks.settingsOf(db, connection)
  const again =
    planning === undefined || pending > most ? undefined : yield* Standings.Reckoned.of(db, connection, planning)
  const lists = ListTotals.ofInvoices(db, connection)
  const currencies = new Set([...found.keys(), ...(again?.currencies() ?? []), ...lost.keys(), ...lists.keys()])
  return [...currencies].toSorted().map((currency): InvoiceStatement => {
    const { service, sent } = found.get(currency) ?? { service: 0n, sent: 0n }
    const sums = Standings.add(
      found.get(currency) ?? Standings.NO_SUMS,
      again?.correction(currency) ?? Standings.NO_SUMS
    )
    const missing = lost.get(currency) ?? []
    const format = (amount: Decimal.Decimal) => Currency.format(amount, currency)
    const say = (minor: bigint) => format(Currency.ofMinor(minor, currency))
    const source = Currency.ofMinor(sums.books, currency) + Decimal.sum(missing.map(({ amount }) => amount))
    const bySource = saidOtherwise(db, connection, currency, again)
    const { differences, totals } = lists.get(currency) ?? ListTotals.NONE
    const byService = differing(db, connection, currency, again)
    return {
      connection,
      currency,
      source: format(source),
      books: say(sums.books),
      service: say(service),
      ...(sums.stated === 0n ? {} : { sourceSays: say(sums.says) }),
      unchecked: Number(sums.counted - sums.stated),
      explained: say(sums.explained),
      credit: { amount: say(sums.credit), invoices: Number(sums.creditors) },
      invoices: Number(sent),
      ...(totals.length === 0 ? {} : { totals }),
      differences: [
        ...differences,
        ...missing.map((one) => notInBooks(connection, currency, one)),
        ...bySource.differences,
        ...byService.differences
      ],
      more: bySource.more + byService.more,
      pending,
      ...(pending > most ? { stale: true } : {}),
      quarantined
    }
  })
}

interface Control {
  readonly name: string
  readonly currency: string
  readonly source_count: number
  readonly source_sum: string
  readonly books_count: number
  readonly books_sum: string
}

interface Lost {
  readonly part: string
  readonly amount: bigint
  readonly records: number
}

const notInBooks = (connection: string, currency: string, { amount, part, records }: Lost): StatementDifference => ({
  document: `${connection}: ${part}`,
  amount: Currency.format(amount, currency),
  why: `${records} records were read that are not in the books; read the source again`
})

/** What was read of each part and is not in the books, by currency. */
const unread = (db: Db, connection: string) => {
  const rows = db
    .prepare(
      `SELECT p.name, c.* FROM control c JOIN scan p ON p.id = c.scan
        WHERE p.connection = ? AND (c.source_sum <> c.books_sum OR c.source_count <> c.books_count)`
    )
    .all(connection) as ReadonlyArray<Control>
  const lost = new Map<string, Array<Lost>>()
  for (const row of rows) {
    const missing = {
      part: row.name,
      amount: BigInt(row.source_sum) - BigInt(row.books_sum),
      records: row.source_count - row.books_count
    }
    lost.set(row.currency, [...(lost.get(row.currency) ?? []), missing])
  }
  return lost
}

/** Why books and service differ, as far as it is known. */
export const whyOf = (db: Db, { remote, subject }: Pick<Standings.Differing, "remote" | "subject">): string => {
  const why = db
    .prepare("SELECT why FROM attention WHERE subject = ? AND closed IS NULL AND rule NOT IN ('S1', 'S2') LIMIT 1")
    .pluck()
    .get(subject)
  if (typeof why === "string") return why
  const unplaced = ofUnplaced(db, subject) ?? ofResolved(db, subject)
  if (unplaced !== undefined) return unplaced
  return remote === null ? "not sent yet" : "not everything has been sent yet"
}

/** What a person closed the last item of a document with: what it was about has not gone away by that. */
const ofResolved = (db: Db, subject: string): string | undefined => {
  const { how, why } = (db
    .prepare(
      "SELECT why, how FROM attention WHERE subject = ? AND closed IS NOT NULL AND rule NOT IN ('S1', 'S2', 'P9') ORDER BY closed DESC, id DESC LIMIT 1"
    )
    .get(subject) ?? {}) as { readonly how?: string; readonly why?: string }
  return how === undefined || AttentionStore.NOT_BY_ANSWER.includes(how)
    ? undefined
    : `${why}; a person closed this: ${how}`
}

/** The explanation for a payment that was reported on it and has no invoice any more. */
const ofUnplaced = (db: Db, invoice: string): string | undefined => {
  const remote = Facts.remoteInvoice(db, invoice)
  if (remote === undefined) return undefined
  const reasonOf = db
    .prepare("SELECT why FROM attention WHERE subject = ? AND closed IS NULL AND rule LIKE 'M%' LIMIT 1")
    .pluck()
  for (const fact of new Set(remote.postings.map((one) => one.fact))) {
    const why = reasonOf.get(fact)
    if (typeof why === "string") return `${fact}: ${why}`
  }
  return undefined
}

/** The source's open amount, the amount of what was read, and the facts that this was added up from. */
export const wordsOf = (db: Db, connection: string, subject: string): string => {
  const facts = Facts.invoiceFacts(db, subject)
  if (facts.invoice === undefined) return "it was not found in the source"
  const { report_paid } = OpenInBooks.settingsOf(db, connection) ?? {}
  const figures = SourceFigures.of(facts, facts.invoice, report_paid === undefined ? {} : { report_paid })
  const unread = facts.unread === true ? "; not all of the source has been read yet" : ""
  return `${SourceFigures.words(facts, facts.invoice, figures)}${unread}`
}

type Found = { readonly differences: ReadonlyArray<StatementDifference>; readonly more: number }

/** The invoices on which books and service differ, by key, with the reason if known. */
const differing = (db: Db, connection: string, currency: string, again: Standings.Reckoned | undefined): Found => {
  const { first, more } = Standings.differing(db, connection, currency, again)
  return {
    differences: first.map((row) => ({
      document: row.subject,
      amount: Currency.format(Currency.ofMinor(row.books - row.service, currency), currency),
      why: whyOf(db, row)
    })),
    more
  }
}

/** The invoices for which the source's own figure differs from its facts, by key. */
const saidOtherwise = (db: Db, connection: string, currency: string, again: Standings.Reckoned | undefined): Found => {
  const { first, more } = Standings.saidOtherwise(db, connection, currency, again)
  const say = (minor: bigint) => Currency.format(Currency.ofMinor(minor, currency), currency)
  return {
    differences: first.map(({ follows, says, subject }) => ({
      document: subject,
      amount: say(says - follows),
      why: wordsOf(db, connection, subject),
      source: say(says),
      facts: say(follows)
    })),
    more
  }
}
