/**
 * What must hold after any fault (`../support/Sides.ts`), looked at in a world: the source's documents beside what the
 * service holds, and the state file as it lies on the disk.
 */
import { Effect, Stream } from "effect"
import * as Document from "../../connectors/Document.ts"
import { UNNAMED } from "../../sync/apply/UnnamedDebtors.ts"
import * as AttentionStore from "../../sync/apply/AttentionStore.ts"
import * as BooksAgainstFacts from "../../sync/reconciliation/BooksAgainstFacts.ts"
import * as InvoiceStatement from "../../sync/reconciliation/InvoiceStatement.ts"
import * as Body from "../../sync/state/Body.ts"
import { digestOf } from "../../sync/decisions/Months.ts"
import * as Close from "../../sync/reports/Close.ts"
import { Database } from "../../sync/state/Database.ts"
import * as OrderStatement from "../../sync/reconciliation/OrderStatement.ts"
import * as OpenInBooks from "../../sync/plan/OpenInBooks.ts"
import * as Plan from "../../sync/plan/Plan.ts"
import * as History from "../../sync/reports/History.ts"
import { ACCEPTED } from "../simulation/Midway.ts"
import { type CallRow, doubles, type Holding, stateFile, unfaithful } from "../support/Sides.ts"
import { paid } from "./Paid.ts"
import { type Watched, witnessed } from "./Witnessed.ts"
import { KEY, SECRETS, type World } from "./World.ts"

const holdings = ({ service }: World): ReadonlyArray<Holding> =>
  [...service.transaction.values()].map((transaction) => ({
    transaction,
    payments: service.payment.by(transaction.id)
  }))

/** 2 and 3: nothing twice, and never more back than came in. They hold at every moment. */
export const always = (world: World): ReadonlyArray<string> => doubles(holdings(world))

/** Every capture, void and refund that the service booked has its receipt, and every receipt its booking. */
const bookedMoney =
  ({ service }: World, watched: Watched | undefined) =>
  (calls: ReadonlyArray<CallRow>): ReadonlyArray<string> => {
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
    const past = [...(watched?.byHand ?? [])].map((id) => watched!.payments.get(id)!)
    return [...sums].flatMap(([name, n]) =>
      n === 0 || past.some((id) => name.endsWith(id))
        ? []
        : [`${name}: ${n > 0 ? "a receipt of what is not booked" : "no receipt explains it"}`]
    )
  }

/** What a person settled: it is for them now. */
const accepted = (db: Database["Service"]) =>
  db.prepare("SELECT subject, fact, rule, why FROM attention WHERE how = ?").all(ACCEPTED) as ReadonlyArray<{
    readonly subject: string
    readonly fact: string
    readonly rule: string
    readonly why: string
  }>

/** What nothing explains and the books may still have: the statement counts it as waiting, and nobody is asked yet. */
const waiting = (db: Database["Service"]) =>
  db
    .prepare(
      `SELECT d.key AS subject, d.key AS fact, m.rule, m.why FROM to_report t JOIN document d ON d.id = t.document
        JOIN matching m ON m.document = d.id WHERE t.due > 0`
    )
    .all() as ReturnType<typeof accepted>

/** What the ledger's rows come to, and is kept beside them. */
const wrongSums = (db: Database["Service"]): ReadonlyArray<string> => {
  const kept = db
    .prepare("SELECT connection, currency, books, service, sent FROM ledger_sum WHERE invoices > 0 ORDER BY 1, 2")
    .all()
  const added = db
    .prepare(
      `SELECT connection, currency, sum(books_open) AS books, sum(service_open) AS service, count(remote) AS sent
        FROM ledger WHERE subject < connection || '/order/' AND currency <> '' GROUP BY 1, 2 ORDER BY 1, 2`
    )
    .all()
  const [sums, rows] = [JSON.stringify(kept), JSON.stringify(added)]
  return [
    ...(sums === rows ? [] : [`the sums of the ledger are ${sums}, and its rows come to ${rows}`]),
    ...wrongOpen(db),
    ...wrongDebtors(db)
  ]
}

/** What is open, as lists of it read it, against the ledger: the same invoices, amounts, days and cover. */
const wrongOpen = (db: Database["Service"]): ReadonlyArray<string> => {
  const due = `coalesce(l.held ->> '$.stated.due_date', l.held ->> '$.f.due_date', ${Body.at("invoice", "due", "d.body")})`
  const ledger = `SELECT d.key, l.currency, l.books_open AS open, ${due} AS due, coalesce(l.held ->> '$.insured', 0) AS insured
    FROM ledger l JOIN document d ON d.key = l.subject WHERE l.books_open <> 0 AND l.subject LIKE '%/invoice/%'`
  const kept = `SELECT d.key, i.currency, i.open, i.owed, i.insured FROM customer_invoice i JOIN document d ON d.id = i.document
    WHERE i.open <> 0`
  return [`SELECT * FROM (${ledger}) EXCEPT ${kept}`, `SELECT * FROM (${kept}) EXCEPT ${ledger}`].flatMap((sql) =>
    db
      .prepare(sql)
      .all()
      .map((row) => `what is open differs from the ledger: ${JSON.stringify(row)}`)
  )
}

/** Whose company nobody named, as it is kept, against documents and receipts; what changed since is planned and kept again. */
const wrongDebtors = (db: Database["Service"]): ReadonlyArray<string> => {
  const planned = "ledger NOT IN (SELECT l.id FROM ledger l JOIN changed c ON c.subject = l.subject)"
  const [kept, found] = [
    `SELECT * FROM unnamed WHERE ${planned}`,
    `SELECT * FROM (${UNNAMED}) WHERE ${planned} AND party IS NOT NULL`
  ]
  const sums = `SELECT connection, party, currency, count(*), sum(open) FROM unnamed GROUP BY 1, 2, 3`
  const keptSums = "SELECT * FROM unnamed_sum WHERE invoices <> 0"
  const pairs = [
    [kept, found],
    [found, kept],
    [sums, keptSums],
    [keptSums, sums]
  ]
  return pairs.flatMap(([a, b]) =>
    db
      .prepare(`${a} EXCEPT ${b}`)
      .all()
      .map((row) => `the company of a debtor is kept otherwise: ${JSON.stringify(row)}`)
  )
}

/** A closing statement that looks at some invoices only, against one that looks at all: months in which something moved, and the next. */
const wrongMonths = (db: Database["Service"], connections: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const moved = db
      .prepare(
        `SELECT DISTINCT substr(${Body.at("payment", "date")}, 1, 7) FROM document WHERE ${Body.is("payment")} UNION
          SELECT substr(${Body.at("invoice", "issued")}, 1, 7) FROM document WHERE ${Body.is("invoice")} ORDER BY 1 DESC LIMIT 4`
      )
      .pluck()
      .all() as ReadonlyArray<string>
    const found: Array<string> = []
    for (const month of [...moved, "2031-01"]) {
      const days = Close.daysOf(month)
      if (days === undefined) continue
      const [some, all] = yield* Effect.all(
        [false, true].map((all) => Close.inParts(db, { connections, month, days, all }))
      )
      const [ours, whole] = [digestOf(some!), digestOf(all!)]
      if (ours !== whole) found.push(`${month} closes otherwise than its invoices: ${JSON.stringify([some, all])}`)
    }
    return found
  })

/** The invoices that an item about a payment names, on which it was reported: they have no item of their own. */
const leftBy = ({ connection, documents }: World, { rule, why }: { readonly rule: string; readonly why: string }) => {
  const left = [...why.matchAll(/ on (\S+), which is taken back/g)].map(([, name = ""]) => name)
  const idsOf = (name: string) =>
    documents.flatMap((one) => (one.kind === "invoice" && one.number === name ? one.id : []))
  const ids = rule.startsWith("M") ? left.flatMap((name) => [name, ...idsOf(name)]) : []
  return ids.map((id) => Document.key(connection.id, "invoice", id))
}

/** Invoices of which a payment's whole amount went back in its list, and a person has not said of which payment, or which it names: they may wait. */
const mayBeBack = (
  { connection, documents, payments }: World,
  { on }: Pick<Awaited<ReturnType<typeof paid>>, "on">,
  about: ReadonlySet<string>
): ReadonlyArray<string> => {
  const whole = ({ shares, unallocated = 0n }: Document.Payment | Document.Reversal): bigint =>
    shares.reduce((sum, { amount }) => sum + amount, unallocated)
  const waiting = payments.filter(
    (one): one is Document.Reversal => one.kind === "reversal" && about.has(Document.key("debits", "reversal", one.id))
  )
  const ofAmount = payments.flatMap((of) =>
    of.kind === "payment" && waiting.some((one) => whole(one) === whole(of))
      ? on(Document.key("debits", "payment", of.id))
      : []
  )
  const named = new Set(waiting.flatMap(({ shares }) => shares.map(({ invoice }) => invoice.toUpperCase())))
  const ofName = documents.filter((one) => one.kind === "invoice" && (named.has(one.id) || named.has(one.number ?? "")))
  return [...ofAmount, ...ofName.map(({ id }) => Document.key(connection.id, "invoice", id))]
}

/** Everything, once things are quiet: run after run without faults. Answers what does not hold, in words. */
export const violations = async (
  world: World,
  watched?: Watched,
  /** The state file was lost or replaced, and its receipts with it. */
  lost = false
): Promise<ReadonlyArray<string>> => {
  const found: Array<string> = [...always(world)]
  const looked = await world.life(
    Effect.gen(function* () {
      const db = yield* Database
      const plan = yield* Stream.runCollect(Plan.stream(world.connections))
      const subjects = db.prepare("SELECT DISTINCT subject FROM call").pluck().all() as ReadonlyArray<string>
      for (const subject of subjects) History.calls(db, subject)
      const ids = world.connections.map(({ id }) => id)
      return {
        wrong: ids.flatMap((id) => {
          const planning = OpenInBooks.settingsOf(db, id)
          return planning === undefined ? [] : BooksAgainstFacts.look(db, id, planning, `${id}/invoice/`).wrong
        }),
        attention: [...AttentionStore.list(db), ...accepted(db), ...waiting(db)],
        statements: InvoiceStatement.statements(db, ids),
        orders: OrderStatement.statements(db, ids),
        sums: [...wrongSums(db), ...(yield* wrongMonths(db, ids))],
        calls: plan.flatMap(({ calls }) => calls.map(({ operation, subject }) => `${operation} ${subject}`))
      }
    })
  )
  if (looked._tag === "Failure") return [...found, `the state file cannot be read: ${looked.cause}`]
  const { attention, calls, orders, statements, sums, wrong } = looked.value
  found.push(...sums)
  for (const { documents, ledger, subject } of wrong)
    found.push(`the ledger says that ${ledger} is open of ${subject}, and its documents ${documents}`)
  if (calls.length > 0) found.push(`still to do: ${calls.join(", ")}`)
  // What is strange and sent all the same excuses nothing.
  const open = new Set(
    attention.flatMap((one) => (one.rule === "S1" || one.rule === "S2" ? [] : [one.subject, ...leftBy(world, one)]))
  )
  for (const { books, connection, differences, service, source } of statements) {
    if ([...open].some((subject) => subject.startsWith(`${connection}/`))) continue
    // What the source itself says is before the witness.
    if (source !== books || books !== service || differences.some((one) => one.source === undefined))
      found.push(`the statement says ${source}, ${books}, ${service}: ${JSON.stringify(differences)}`)
  }
  // Facts as well: what cannot be sent of one of them is named by it.
  const about = new Set(attention.flatMap(({ fact, subject }) => [fact, subject]))
  for (const one of open) about.add(one)
  found.push(...witnessed(world, { invoices: statements, orders, attention: about }, watched))
  const held = holdings(world)
  const second = await paid(world, held, open)
  const source = { id: world.connection.id, documents: world.documents, ...second }
  // What its source says otherwise is not marked as paid, which cannot be undone.
  const contradicted = new Set([
    ...attention.flatMap(({ rule, subject }) => (rule === "S1" ? [subject] : [])),
    ...mayBeBack(world, second, about)
  ])
  found.push(...unfaithful(source, held, open, contradicted), ...second.found)
  found.push(
    ...stateFile(
      world.file,
      { holdings: held, quiet: !lost, secrets: [KEY, ...Object.values(SECRETS)] },
      bookedMoney(world, watched)
    )
  )
  return found
}
