/**
 * Lists debtors that the service could not match with a company: the name in the books, the open amount, the companies that
 * they may be, and a person's choice. The choice is used for every later invoice of that debtor (`match` in the plan, II
 * 2.7).
 *
 * The service matches a name by itself if it can; its answer to the creation of the invoice shows whether it did.
 */
import { Effect } from "effect"
import type { Invoice } from "../../connectors/Document.ts"
import * as Currency from "../../core/money/Currency.ts"
import { Client } from "../../core/Client.ts"
import type { Company } from "../../core/insurance/Companies.ts"
import type { ServiceError } from "../../core/ServiceError.ts"
import * as Body from "../state/Body.ts"
import type { Db } from "../state/Database.ts"
import { columns, type Sheet } from "./sheets/Sheet.ts"
import type { Debtor } from "../model/reports/Matching.ts"

export type { Debtor }

interface Sum {
  readonly party: string
  readonly currency: string
  readonly invoices: bigint
  readonly open: bigint
  readonly chosen: string | null
}

/** What those with a choice were sent, named by the service by now or not. */
const CHOSEN = `SELECT m.party, l.currency, count(*) AS invoices, sum(l.service_open) AS open, m.company AS chosen
  FROM match m JOIN customer c ON c.connection = m.connection AND c.party = m.party
    JOIN customer_invoice i ON i.customer = c.id JOIN document d ON d.id = i.document
    JOIN ledger l ON l.subject = d.key
  WHERE m.connection = :connection AND (:party IS NULL OR m.party = :party) AND l.remote IS NOT NULL
    AND ${Body.at("invoice", "party.company", "d.body")} IS NULL
  GROUP BY m.party, l.currency ORDER BY m.party, l.currency`

const OPEN = `SELECT s.party, s.currency, s.invoices, s.open, NULL AS chosen FROM unnamed_sum s
  WHERE s.connection = :connection AND (:party IS NULL OR s.party = :party) AND s.invoices > 0
    AND NOT EXISTS (SELECT 1 FROM match m WHERE m.connection = s.connection AND m.party = s.party)
  ORDER BY s.party, s.currency`

/** One of their invoices, the latest: with what it is looked for. */
const ANY = `SELECT d.body FROM customer c JOIN customer_invoice i ON i.customer = c.id JOIN document d ON d.id = i.document
  WHERE c.connection = :connection AND c.party = :party ORDER BY i.document DESC LIMIT 1`

const UNCOUNTED = `SELECT d.body FROM unnamed u JOIN ledger l ON l.id = u.ledger JOIN document d ON d.key = l.subject
  WHERE u.connection = :connection AND u.party = :party ORDER BY u.ledger DESC LIMIT 1`

const detailsOf = (
  db: Db,
  connection: string,
  party: string
): Pick<Debtor, "name" | "country" | "regnum" | "address"> => {
  const body = [ANY, UNCOUNTED].reduce<unknown>(
    (found, sql) => found ?? db.prepare(sql).pluck().get({ connection, party }),
    undefined
  )
  const invoice = typeof body === "string" ? (Body.read(body) as Invoice) : undefined
  const { address, country, name, regnum } = invoice?.party ?? { name: party }
  return { name, country: country ?? null, regnum: regnum ?? null, address: address ?? null }
}

interface DebtorsAsked {
  readonly chosen?: boolean
  readonly most?: number
  /** Only this one. */
  readonly party?: string
}

/** Debtors without a company: those without a choice, or with `chosen` those with one. */
export const list = (
  db: Db,
  connection: string,
  { chosen = false, most = 1000, party }: DebtorsAsked = {}
): ReadonlyArray<Debtor> => {
  const rows = db
    .prepare(chosen ? CHOSEN : OPEN)
    .safeIntegers()
    .all({ connection, party: party ?? null }) as ReadonlyArray<Sum>
  const found = new Map<string, Pick<Debtor, "party" | "invoices" | "open" | "chosen">>()
  for (const { currency, invoices, open, party, chosen } of rows) {
    const before = found.get(party)
    found.set(party, {
      party,
      chosen,
      invoices: (before?.invoices ?? 0) + Number(invoices),
      open: [
        ...(before?.open ?? []),
        ...(open === 0n ? [] : [Currency.say(Currency.ofMinor(open, currency), currency)])
      ]
    })
  }
  return [...found.values()]
    .toSorted((a, b) => b.invoices - a.invoices || (a.party < b.party ? -1 : 1))
    .slice(0, most)
    .map((one) => ({ connection, ...detailsOf(db, connection, one.party), ...one }))
}

/** The debtor with this key, whether a person chose a company or not. */
export const find = (db: Db, connection: string, party: string): Debtor | undefined =>
  [false, true].flatMap((chosen) => list(db, connection, { chosen, party })).at(0)

/** Companies that it may be, from the service's own search, most likely first (DP 4). */
export const candidates = ({
  country,
  name,
  regnum
}: Pick<Debtor, "name" | "country" | "regnum">): Effect.Effect<ReadonlyArray<Company>, ServiceError, Client> =>
  Effect.gen(function* () {
    const { companies } = yield* Client
    // The search needs a country (DP 7 case 1).
    if (country === null) return []
    const search = (payload: { readonly name?: string; readonly reg_number?: string }) =>
      Effect.map(companies.search({ payload: { country, ...payload } }), ({ matches }) => matches)
    const byNumber = regnum === null ? [] : yield* search({ reg_number: regnum })
    return byNumber.length > 0 ? byNumber : yield* search({ name })
  })

/** Debtors that were not recognised, and those with a person's choice, as a sheet for download. */
export const debtorsSheet = (db: Db, connections: ReadonlyArray<string>): Sheet => ({
  name: "Debtors",
  currency: -1,
  columns: columns(
    `Debtor text 30, Country text 9, Connection text 14, Invoices integer 10, Open text 24, Company text 30`
  ),
  *rows() {
    for (const chosen of [false, true])
      for (const id of connections)
        for (const one of list(db, id, { chosen }))
          yield [one.name, one.country, one.connection, one.invoices, one.open.join(", "), one.chosen]
  }
})
