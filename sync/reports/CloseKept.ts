/** The sums of closing statements that are kept with the ledger (`MonthStore.ts`), for a month. */
import * as Currency from "../../core/money/Currency.ts"
import { readMoves, SUMS } from "../plan/CloseEntries.ts"
import { type MonthSums, noSums, PARTS } from "../plan/CloseMovements.ts"
import type { Db } from "../state/Database.ts"
import { type MonthCustomer, newCustomer } from "./CloseAccounts.ts"

/** The numbers of the ledger's rows of which what is kept may be wrong by now; one that is gone has none. */
export const AGAIN = `SELECT ledger FROM ledger_month WHERE again = 1
  UNION SELECT l.id FROM changed c CROSS JOIN ledger l ON l.subject = c.subject
  UNION SELECT l.id FROM unbooked u CROSS JOIN ledger l ON l.subject = u.subject`

const KEPT = `SELECT s.month, s.account, a.currency, a.party, ${SUMS.map((name) => `s.${name}`).join(", ")}
  FROM month_sum s CROSS JOIN month_account a ON a.id = s.account WHERE a.connection = :connection`

const TAKEN = `SELECT m.account, a.currency, a.party, m.moves FROM (${AGAIN}) g CROSS JOIN ledger_month m ON m.ledger = g.ledger
  JOIN month_account a ON a.id = m.account WHERE a.connection = :connection`

/** Minor units: until the end of the month, and in it. */
interface Sums {
  readonly currency: string
  readonly party: string
  readonly all: Array<bigint>
  readonly month: Array<bigint>
}

const customerOf = (connection: string, { all, currency, month, party }: Sums): MonthCustomer => {
  const by = (sums: ReadonlyArray<bigint>, name: (typeof SUMS)[number]) => sums[SUMS.indexOf(name)] ?? 0n
  const side = (which: "books" | "service"): MonthSums => {
    const sums = noSums()
    for (const part of PARTS) {
      const within = by(month, `${which}_${part}`)
      sums[part] = Currency.ofMinor(within, currency)
      sums.opening += Currency.ofMinor(by(all, `${which}_${part}`) - within, currency)
    }
    return sums
  }
  return {
    ...newCustomer({ connection, currency, party }),
    books: side("books"),
    service: side("service"),
    apart: Currency.ofMinor(by(all, "apart"), currency),
    stated: Number(by(all, "stated")),
    unchecked: Number(by(all, "unchecked"))
  }
}

type KeptRow = readonly [month: bigint, account: bigint, currency: string, party: string, ...ReadonlyArray<bigint>]

/** What is kept of a connection's accounts, without those invoices that are looked at themselves. */
export const keptAccounts = (db: Db, connection: string, month: number): ReadonlyArray<MonthCustomer> => {
  const accounts = new Map<bigint, Sums>()
  const of = (id: bigint, currency: string, party: string): Sums => {
    const known = accounts.get(id) ?? { currency, party, all: [], month: [] }
    accounts.set(id, known)
    return known
  }
  const book = (sums: Array<bigint>, n: number, amount: bigint) => {
    sums[n] = (sums[n] ?? 0n) + amount
  }
  // Month 0 has them all: fewer months came after this one than before.
  for (const where of ["s.month = 0", "s.month >= :month"]) {
    const rows = db.prepare(`${KEPT} AND ${where}`).raw().safeIntegers()
    const asked = where.includes(":month") ? { connection, month } : { connection }
    for (const [at, id, currency, party, ...sums] of rows.all(asked) as ReadonlyArray<KeptRow>) {
      const one = of(id, currency, party)
      for (const [n, sum] of sums.entries())
        if (sum !== 0n)
          if (at === BigInt(month)) book(one.month, n, sum)
          else book(one.all, n, at === 0n ? sum : -sum)
    }
  }
  const taken = db.prepare(TAKEN).raw().safeIntegers()
  for (const [id, currency, party, moves] of taken.all({ connection }) as ReadonlyArray<
    readonly [bigint, string, string, string]
  >) {
    const one = of(id, currency, party)
    for (const [at, sum, amount] of readMoves(moves)) {
      if (at <= month) book(one.all, sum, -amount)
      if (at === month) book(one.month, sum, -amount)
    }
  }
  return [...accounts.values()].map((one) => customerOf(connection, one))
}
