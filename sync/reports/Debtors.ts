/**
 * Lists debtors that the service could not match with a company: the name in the books, the open amount, the companies that
 * they may be, and a person's choice. The choice is used for every later invoice of that debtor (`match` in the plan, II
 * 2.7).
 *
 * The service matches a name by itself if it can; its answer to the creation of the invoice shows whether it did.
 */
import { Effect } from "effect"
import * as Currency from "../../core/money/Currency.ts"
import { Client } from "../../core/Client.ts"
import type { Company } from "../../core/insurance/Companies.ts"
import type { ServiceError } from "../../core/ServiceError.ts"
import { PARTY_KEY } from "../plan/PartyKey.ts"
import * as Body from "../state/Body.ts"
import type { Db } from "../state/Database.ts"
import { columns, type Sheet } from "./sheets/Sheet.ts"

export interface Debtor {
  readonly connection: string
  /** The key under which the choice is stored: the source's id of the debtor, or else name and country. */
  readonly party: string
  readonly name: string
  /** ISO 3166-1 alpha-2 */
  readonly country: string | null
  readonly regnum: string | null
  readonly address: string | null
  /** How many invoices were sent. */
  readonly invoices: number
  /** The open amounts on the service, one text for each currency: `1,200.00 GBP`. */
  readonly open: ReadonlyArray<string>
  /** The company that a person chose. */
  readonly chosen: string | null
}

const member = (name: string): string => Body.at("invoice", name, "d.body")

interface Row extends Omit<Debtor, "open" | "party"> {
  readonly who: string
  readonly currency: string
  readonly minor: bigint
}

/** Debtors without a company: those without a choice, or with `chosen` those with one. */
export const list = (
  db: Db,
  connection: string,
  { chosen = false, most = 1000 }: { readonly chosen?: boolean; readonly most?: number } = {}
): ReadonlyArray<Debtor> => {
  if (chosen && db.prepare("SELECT 1 FROM match WHERE connection = ? LIMIT 1").get(connection) === undefined) return []
  const rows = db
    .prepare(
      `SELECT l.connection, ${PARTY_KEY} AS who, max(${member("party.name")}) AS name,
          max(${member("party.country")}) AS country, max(${member("party.regnum")}) AS regnum,
          max(${member("party.address")}) AS address, count(*) AS invoices, m.company AS chosen,
          l.currency, sum(l.service_open) AS minor
        FROM ledger l JOIN document d ON d.key = l.subject
          LEFT JOIN match m ON m.connection = l.connection AND m.party = ${PARTY_KEY}
        WHERE l.subject > ? AND l.subject < ? AND l.remote IS NOT NULL AND ${member("party.company")} IS NULL
          AND (m.company IS NOT NULL) = ? AND (m.company IS NOT NULL OR NOT EXISTS (
            SELECT 1 FROM claim c JOIN receipt r ON r.claim = c.id
              WHERE c.subject = l.subject AND r.outcome = 'done' AND json_valid(r.answer)
                AND r.answer ->> '$.debtor' IS NOT NULL
            UNION ALL SELECT 1 FROM call_of o WHERE o.ledger = l.id AND o.named = 1))
        GROUP BY who, l.currency ORDER BY who, l.currency`
    )
    .safeIntegers()
    .all(`${connection}/invoice/`, `${connection}/invoice0`, chosen ? 1n : 0n) as ReadonlyArray<Row>
  const found = new Map<string, Debtor>()
  for (const { currency, invoices, minor, who, ...row } of rows) {
    const before = found.get(who)
    const amount = Currency.ofMinor(minor, currency)
    found.set(who, {
      ...(before ?? { ...row, party: who }),
      invoices: (before?.invoices ?? 0) + Number(invoices),
      open: [...(before?.open ?? []), ...(minor === 0n ? [] : [Currency.say(amount, currency)])]
    })
  }
  return [...found.values()].toSorted((a, b) => b.invoices - a.invoices || (a.party < b.party ? -1 : 1)).slice(0, most)
}

/** The debtor with this key, whether a person chose a company or not. */
export const find = (db: Db, connection: string, party: string): Debtor | undefined =>
  [...list(db, connection), ...list(db, connection, { chosen: true })].find((one) => one.party === party)

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
