/**
 * What must hold after any fault, looked at from outside: the source's documents beside what the service holds, and the
 * state file as it lies on the disk. Knows the rules of the documentation and nothing of how the sync works.
 */
import Sqlite from "better-sqlite3"
import { Effect, Stream } from "effect"
import { readFileSync, existsSync } from "node:fs"
import * as Document from "../../connectors/Document.ts"
import * as Decimal from "../../core/money/Decimal.ts"
import type { Entity } from "../../core/sandbox/Store.ts"
import * as Plan from "../../sync/Plan.ts"
import * as Story from "../../sync/Story.ts"
import * as Attentions from "../../sync/Attentions.ts"
import * as Completeness from "../../sync/Completeness.ts"
import { Database } from "../../sync/Database.ts"
import { KEY, type World } from "./World.ts"

interface Reported {
  /** The key under which it was reported. */
  readonly posting: string
  readonly fact: string
  readonly amount: bigint
}

const reported = ({ service }: World, transaction: Entity): ReadonlyArray<Reported> =>
  service.payment.by(transaction.id).map(({ amount, details }) => {
    const [posting = ""] = String(details).split("; ")
    return { posting, fact: posting.split("#")[0]!, amount: Decimal.of(String(amount)) }
  })

/** What the source says of each invoice: its facts with their sign, and what it asks for after credit notes. */
const wanted = ({ connection, documents }: World) => {
  const key = (kind: Document.Kind, id: string) => Document.key(connection.id, kind, id)
  const invoices = new Map<string, { invoice: Document.Invoice; total: bigint; facts: Map<string, bigint> }>()
  for (const one of documents) {
    if (one.kind === "invoice")
      invoices.set(key("invoice", one.id), { invoice: one, total: one.gross ?? one.net ?? 0n, facts: new Map() })
  }
  for (const one of documents) {
    if (!Document.isAllocated(one)) continue
    for (const { amount, invoice } of one.shares) {
      const about = invoices.get(key("invoice", invoice))
      if (about === undefined) continue
      if (one.kind === "credit_note") about.total -= amount
      else about.facts.set(key(one.kind, one.id), one.kind === "payment" ? amount : -amount)
    }
  }
  return invoices
}

const text = (amount: bigint): string => Decimal.format(amount, 2)

/** 2 and 3: nothing twice, and never more back than came in. They hold at every moment. */
export const always = (world: World): ReadonlyArray<string> => {
  const found: Array<string> = []
  const ids = new Map<unknown, number>()
  for (const transaction of world.service.transaction.values()) {
    const name = String(transaction["unique_id"])
    ids.set(name, (ids.get(name) ?? 0) + 1)
    const seen = new Set<string>()
    let received = 0n
    const byFact = new Map<string, bigint>()
    for (const { amount, fact, posting } of reported(world, transaction)) {
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

/** 1: every fact of the source is on the service exactly once, or open attention says why not. */
const faithful = (world: World, attention: ReadonlySet<string>): ReadonlyArray<string> => {
  const found: Array<string> = []
  const invoices = wanted(world)
  const byName = new Map([...world.service.transaction.values()].map((one) => [String(one["unique_id"]), one]))
  for (const name of byName.keys())
    if (!invoices.has(name) && !attention.has(name)) found.push(`${name} is on the service and not in the source`)
  let sent = 0n
  let stated = 0n
  for (const [name, { facts, invoice, total }] of invoices) {
    if (attention.has(name)) continue
    const transaction = byName.get(name)
    if (invoice.status === "void" || invoice.status === "draft") {
      if (transaction !== undefined) found.push(`${name} is ${invoice.status}, and on the service`)
      continue
    }
    if (transaction === undefined) {
      found.push(`${name} is not on the service`)
      continue
    }
    const due = Decimal.of(String(transaction["gross_amount"] ?? transaction["net_amount"]))
    if (due !== total) found.push(`${name}: ${text(total)} is asked for, the service says ${text(due)}`)
    if (transaction["due_date"] !== invoice.due)
      found.push(`${name}: due ${invoice.due}, not ${transaction["due_date"]}`)
    const sums = new Map<string, bigint>()
    for (const { amount, fact } of reported(world, transaction)) sums.set(fact, (sums.get(fact) ?? 0n) + amount)
    for (const fact of new Set([...facts.keys(), ...sums.keys()])) {
      const [now = 0n, there = 0n] = [facts.get(fact), sums.get(fact)]
      stated += now
      sent += there
      if (now !== there) found.push(`${name}: ${fact} is ${text(now)}, the service says ${text(there)}`)
    }
    const received = [...facts.values()].reduce((sum, one) => sum + one, 0n)
    const settled = invoice.status === "paid" || received >= total
    if (settled !== (transaction["status"] === "paid"))
      found.push(`${name}: ${text(received)} of ${text(total)} received, and the service says ${transaction["status"]}`)
  }
  if (sent !== stated) found.push(`${text(stated)} in the source, ${text(sent)} on the service`)
  return found
}

/** Every capture, void and refund that the service booked has its receipt, and every receipt its booking. */
const takings = ({ service }: World, calls: ReadonlyArray<Record<string, unknown>>): ReadonlyArray<string> => {
  const sums = new Map<string, number>()
  const count = (payment: unknown, what: string, amount: unknown, by: number) => {
    const name = `${what} of ${Number(amount)} from ${String(payment)}`
    sums.set(name, (sums.get(name) ?? 0) + by)
  }
  for (const { operation, outcome, request } of calls) {
    const what = /^deferredPayments\.(capture|void|refund)$/.exec(String(operation))?.[1]
    if (what === undefined || outcome !== "done") continue
    const { body, params } = JSON.parse(String(request))
    count(params.deferred_payment_id, what, body.amount, 1)
  }
  for (const payment of service.deferred_payment.values())
    for (const { amount, type } of service.ledger.by(payment.id)) {
      if (["capture", "void", "refund"].includes(String(type))) count(payment.id, String(type), amount, -1)
    }
  return [...sums].flatMap(([name, n]) =>
    n === 0 ? [] : [`${name}: ${n > 0 ? "a receipt of what is not booked" : "no receipt explains it"}`]
  )
}

/** 5 and 6: the state file is whole, explains every call, and holds no secret. */
const stateFile = (world: World): ReadonlyArray<string> => {
  const found: Array<string> = []
  for (const part of ["", "-wal"]) {
    const file = world.file + part
    if (existsSync(file) && readFileSync(file).includes(KEY))
      found.push(`the service's key stands in the state file${part}`)
  }
  const db = new Sqlite(world.file, { readonly: true })
  try {
    const verdict = db.pragma("integrity_check", { simple: true })
    if (verdict !== "ok") found.push(`the state file is damaged: ${String(verdict)}`)
    const calls = db.prepare("SELECT * FROM call").all() as ReadonlyArray<Record<string, unknown>>
    for (const { id, operation, outcome } of calls)
      if (outcome === null) found.push(`call ${id} ${operation} has no receipt`)
    const done = new Set(calls.filter(({ outcome }) => outcome === "done").map(({ remote }) => remote))
    const transactions = [...world.service.transaction.values()]
    const owners = transactions.map(({ owner }) => owner)
    const there = [...transactions, ...world.service.payment.values()].map(({ id }) => id)
    for (const id of [...owners, ...there]) if (!done.has(id)) found.push(`no receipt explains ${String(id)}`)
    found.push(...takings(world, calls))
    if (calls.some(({ answer }) => String(answer).includes("transaction_key")))
      found.push("an answer holds a key of the service")
  } finally {
    db.close()
  }
  return found
}

/** Everything, once things are quiet: run after run without faults. Answers what does not hold, in words. */
export const violations = async (world: World): Promise<ReadonlyArray<string>> => {
  const found: Array<string> = [...always(world)]
  const looked = await world.life(
    Effect.gen(function* () {
      const db = yield* Database
      const plan = yield* Stream.runCollect(Plan.stream([world.connection]))
      const subjects = db.prepare("SELECT DISTINCT subject FROM call").pluck().all() as ReadonlyArray<string>
      for (const subject of subjects) Story.calls(db, subject)
      return {
        attention: Attentions.list(db),
        statements: Completeness.statements(db, [world.connection.id]),
        calls: plan.flatMap(({ calls }) => calls.map(({ operation, subject }) => `${operation} ${subject}`))
      }
    })
  )
  if (looked._tag === "Failure") return [...found, `the state file cannot be read: ${looked.cause}`]
  const { attention, calls, statements } = looked.value
  if (calls.length > 0) found.push(`still to do: ${calls.join(", ")}`)
  for (const { books, differences, service, source } of attention.length > 0 ? [] : statements) {
    if (source !== books || books !== service || differences.length > 0)
      found.push(`the statement says ${source}, ${books}, ${service}: ${JSON.stringify(differences)}`)
  }
  found.push(...faithful(world, new Set(attention.map(({ subject }) => subject))), ...stateFile(world))
  return found
}
