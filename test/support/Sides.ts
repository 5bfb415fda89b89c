/**
 * Checks both sides of a history from outside: what the source says, what the service holds, and the state file on disk; and
 * what must be true between them. Uses the documented rules, and nothing of how the sync works or how the service was read.
 */
import * as PastCalls from "../../sync/state/calls/PastCalls.ts"
import Sqlite from "better-sqlite3"
import { existsSync, readFileSync } from "node:fs"
import * as Document from "../../connectors/Document.ts"
import * as Decimal from "../../core/money/Decimal.ts"

export type Json = Readonly<Record<string, unknown>>

/** A transaction on the service, with its payments in order. */
export interface Holding {
  readonly transaction: Json
  readonly payments: ReadonlyArray<Json>
}

export interface Source {
  /** The connection's id. */
  readonly id: string
  readonly documents: ReadonlyArray<Document.Document>
  /** Other connections, whose payments are allocated to invoices of this one. */
  readonly paying?: ReadonlyArray<Source>
  /** Of payments that are the same money as another list's, that one: under which key it was reported first, it stays. */
  readonly same?: ReadonlyMap<string, string>
}

interface Reported {
  /** The key under which it was reported. */
  readonly posting: string
  readonly fact: string
  readonly amount: bigint
}

const reported = ({ payments }: Holding): ReadonlyArray<Reported> =>
  payments.map(({ amount, details }) => {
    const [posting = ""] = String(details).split("; ")
    return { posting, fact: posting.split("#")[0]!, amount: Decimal.of(String(amount)) }
  })

/** For each invoice: the source's facts with their sign, and the amount due after credit notes. */
const wanted = ({ documents, id, paying = [] }: Source) => {
  const key = (kind: Document.Kind, one: string) => Document.key(id, kind, one)
  const invoices = new Map<string, { invoice: Document.Invoice; total: bigint; facts: Map<string, bigint> }>()
  for (const one of documents) {
    if (one.kind === "invoice")
      invoices.set(key("invoice", one.id), { invoice: one, total: one.gross ?? one.net ?? 0n, facts: new Map() })
  }
  for (const from of [{ id, documents }, ...paying])
    for (const one of from.documents) {
      if (!Document.isAllocated(one)) continue
      for (const { amount, invoice } of one.shares) {
        const about = invoices.get(key("invoice", invoice))
        // A fact in another currency is not part of the invoice's sums.
        if (about === undefined || (one.currency ?? about.invoice.currency) !== about.invoice.currency) continue
        if (one.kind === "credit_note") about.total -= amount
        else about.facts.set(Document.key(from.id, one.kind, one.id), one.kind === "payment" ? amount : -amount)
      }
    }
  return invoices
}

const text = (amount: bigint): string => Decimal.format(amount, 2)

const listOf = (fact: string): string => fact.slice(0, fact.indexOf("/"))

/**
 * Of what stands on an invoice and its list states no more, the payment of another list that states as much and stands nowhere:
 * it takes that one's place, and is not sent a second time.
 */
export const inPlace = (
  there: ReadonlyMap<string, bigint>,
  stated: ReadonlyMap<string, bigint>
): ReadonlyMap<string, string> => {
  const found = new Map<string, string>()
  const free = [...stated].filter(([fact]) => (there.get(fact) ?? 0n) === 0n)
  for (const [fact, amount] of there) {
    if (amount <= 0n || (stated.get(fact) ?? 0n) !== 0n) continue
    const at = free.findIndex(([other, its]) => its === amount && listOf(other) !== listOf(fact))
    const [other] = at < 0 ? [] : free.splice(at, 1)
    if (other !== undefined) found.set(fact, other[0])
  }
  return found
}

/** 2 and 3: nothing is reported twice, and never more goes back than came in. Must be true at every moment. */
export const doubles = (holdings: ReadonlyArray<Holding>): ReadonlyArray<string> => {
  const found: Array<string> = []
  const ids = new Map<unknown, number>()
  for (const holding of holdings) {
    const name = String(holding.transaction["unique_id"])
    ids.set(name, (ids.get(name) ?? 0) + 1)
    const seen = new Set<string>()
    let received = 0n
    const byFact = new Map<string, bigint>()
    for (const { amount, fact, posting } of reported(holding)) {
      if (seen.has(posting)) found.push(`${name}: ${posting} was reported twice`)
      seen.add(posting)
      received += amount
      if (received < 0n) found.push(`${name}: ${text(-received)} more went back than had come in`)
      byFact.set(fact, (byFact.get(fact) ?? 0n) + amount)
      if (fact.includes("/payment/") && byFact.get(fact)! < 0n)
        found.push(`${name}: ${fact} went back further than it was`)
    }
  }
  for (const [name, count] of ids) if (count > 1) found.push(`${name} is on the service ${count} times`)
  return found
}

/** 1: every fact of the source is on the service exactly once, or an open attention item says why not. */
export const unfaithful = (
  source: Source,
  holdings: ReadonlyArray<Holding>,
  attention: ReadonlySet<string>,
  /** Of these, somebody was told that the source's own figure differs: they need not be marked as paid. */
  contradicted: ReadonlySet<string> = new Set()
): ReadonlyArray<string> => {
  const found: Array<string> = []
  const invoices = wanted(source)
  const byName = new Map(holdings.map((one) => [String(one.transaction["unique_id"]), one]))
  for (const name of byName.keys())
    if (!invoices.has(name) && !attention.has(name)) found.push(`${name} is on the service and not in the source`)
  let sent = 0n
  let stated = 0n
  for (const [name, { facts, invoice, total }] of invoices) {
    if (attention.has(name)) continue
    const holding = byName.get(name)
    if (invoice.status === "void" || invoice.status === "draft") {
      // A draft may be on the service as a draft: it was sent while drafts were in scope.
      const isAlike = invoice.status === "draft" && holding?.transaction["status"] === "draft"
      if (holding !== undefined && !isAlike) found.push(`${name} is ${invoice.status}, and on the service`)
      continue
    }
    if (holding === undefined) {
      found.push(`${name} is not on the service`)
      continue
    }
    const { transaction } = holding
    const due = Decimal.of(String(transaction["gross_amount"] ?? transaction["net_amount"]))
    if (due !== total) found.push(`${name}: ${text(total)} is asked for, the service says ${text(due)}`)
    if (transaction["due_date"] !== invoice.due)
      found.push(`${name}: due ${invoice.due}, not ${String(transaction["due_date"])}`)
    const sums = new Map<string, bigint>()
    for (const { amount, fact } of reported(holding)) {
      const of = source.same?.get(fact) ?? fact
      sums.set(of, (sums.get(of) ?? 0n) + amount)
    }
    for (const [before, fact] of inPlace(sums, facts)) {
      sums.set(fact, sums.get(before) ?? 0n)
      sums.delete(before)
    }
    for (const fact of new Set([...facts.keys(), ...sums.keys()])) {
      const [now = 0n, there = 0n] = [facts.get(fact), sums.get(fact)]
      stated += now
      sent += there
      if (now !== there) found.push(`${name}: ${fact} is ${text(now)}, the service says ${text(there)}`)
    }
    const received = [...facts.values()].reduce((sum, one) => sum + one, 0n)
    const settled = invoice.status === "paid" || received >= total
    const isPaid = transaction["status"] === "paid"
    // While its source says that something is open, it may wait: there is no way back from paid.
    const mayWait = contradicted.has(name) || (invoice.stated?.open ?? 0n) > 0n
    if (settled !== isPaid && (isPaid || !mayWait))
      found.push(
        `${name}: ${text(received)} of ${text(total)} received, and the service says ${String(transaction["status"])}`
      )
  }
  if (sent !== stated) found.push(`${text(stated)} in the source, ${text(sent)} on the service`)
  return found
}

/** One call in the state file. */
export type CallRow = Readonly<Record<"id" | "operation" | "outcome" | "remote" | "answer" | "request", unknown>>

/**
 * 5 and 6: the state file is intact, explains what is on the service, and contains no secret.
 *
 * @param quiet nothing is running, so every call must have its receipt
 */
export const stateFile = (
  file: string,
  {
    holdings,
    quiet,
    secrets
  }: { readonly holdings: ReadonlyArray<Holding>; readonly quiet: boolean; readonly secrets: ReadonlyArray<string> },
  more: (calls: ReadonlyArray<CallRow>) => ReadonlyArray<string> = () => []
): ReadonlyArray<string> => {
  const found: Array<string> = []
  for (const part of ["", "-wal"]) {
    if (!existsSync(file + part)) continue
    const bytes = readFileSync(file + part)
    for (const secret of secrets) if (bytes.includes(secret)) found.push(`a secret stands in the state file${part}`)
  }
  const db = new Sqlite(file, { readonly: true })
  try {
    const decision = db.pragma("integrity_check", { simple: true })
    if (decision !== "ok") found.push(`the state file is damaged: ${String(decision)}`)
    if (db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'call'").get() === undefined) return found
    const calls = [...PastCalls.all(db, "asc")] as unknown as ReadonlyArray<CallRow>
    if (calls.some(({ answer }) => String(answer).includes("transaction_key")))
      found.push("an answer holds a key of the service")
    if (!quiet) return found
    for (const { id, operation, outcome } of calls)
      if (outcome === null) found.push(`call ${String(id)} ${String(operation)} has no receipt`)
    const done = new Set(calls.filter(({ outcome }) => outcome === "done").map(({ remote }) => remote))
    const there = holdings.flatMap(({ payments, transaction }) => [
      transaction["owner"],
      transaction["id"],
      ...payments.map(({ id }) => id)
    ])
    for (const id of there) if (!done.has(id)) found.push(`no receipt explains ${String(id)}`)
    found.push(...more(calls))
  } finally {
    db.close()
  }
  return found
}
