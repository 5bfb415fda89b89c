/**
 * The witness for invoices: from the source's documents alone it works out what the service must hold of each, per
 * currency, and compares that with what the service holds and with the statement that Daybook prints.
 *
 * What differs must be named: by an open matter about the invoice or the fact, or by the statement. A statement whose sums
 * are not those of the documents and of the service is false, whoever is told of what.
 */
import { type PlainDocument, type PlainTransaction, type PrintedInvoices, say, type Units, units } from "./Plain.ts"

export interface Sources {
  /** The id of the connection whose invoices they are. */
  readonly connection: string
  readonly documents: ReadonlyArray<PlainDocument>
  /** The connection that pays for them, where there is one. */
  readonly paying?: { readonly connection: string; readonly documents: ReadonlyArray<PlainDocument> }
}

export interface InvoicesSeen {
  readonly transactions: ReadonlyArray<PlainTransaction>
  readonly printed: ReadonlyArray<PrintedInvoices>
  /** The keys that open matters are about: documents and facts. */
  readonly attention: ReadonlySet<string>
  /** Payments that a person gave a place to. */
  readonly decided?: ReadonlySet<string>
}

interface Wanted {
  readonly currency: string
  /** It is to be on the service. */
  readonly there: boolean
  readonly total: Units
  /** What the service must show for each fact, signed. */
  readonly facts: ReadonlyMap<string, Units>
  /** Facts in another currency than the invoice: they are in none of the sums, and somebody must be told. */
  readonly foreign: ReadonlyArray<string>
  readonly status: string
  readonly number: string
}

const keyOf = (connection: string, kind: string, id: string): string => `${connection}/${kind}/${id}`

const sum = (all: Iterable<Units>): Units => {
  let total = 0n
  for (const one of all) total += one
  return total
}

const reportedOf = ({ payments }: PlainTransaction): ReadonlyMap<string, Units> => {
  const sums = new Map<string, Units>()
  for (const { amount, details } of payments) {
    const fact = details.split("; ")[0]!.replace(/#\d+$/, "")
    sums.set(fact, (sums.get(fact) ?? 0n) + units(amount))
  }
  return sums
}

const wantedOf = ({ connection, documents }: Sources): ReadonlyMap<string, Wanted> => {
  const wanted = new Map<string, Wanted & { total: Units; facts: Map<string, Units>; foreign: Array<string> }>()
  for (const { currency, gross, id, kind, net, number, status } of documents) {
    if (kind !== "invoice") continue
    wanted.set(keyOf(connection, kind, id), {
      currency: currency!,
      there: status !== "void" && status !== "draft",
      total: gross ?? net ?? 0n,
      facts: new Map(),
      foreign: [],
      status: status!,
      number: number!
    })
  }
  for (const { currency, id, kind, shares } of documents) {
    if (!["payment", "reversal", "credit_note"].includes(kind)) continue
    const fact = keyOf(connection, kind, id)
    for (const { amount, invoice } of shares!) {
      const about = wanted.get(keyOf(connection, "invoice", invoice))
      if (about === undefined) continue
      if (currency !== undefined && currency !== about.currency) about.foreign.push(fact)
      else if (kind === "credit_note") about.total -= amount
      else about.facts.set(fact, (about.facts.get(fact) ?? 0n) + (kind === "payment" ? amount : -amount))
    }
  }
  return wanted
}

/** What another source paid: at most what it received, never in another currency, nothing that it does not state. */
const paidBy = (
  { paying }: Sources,
  wanted: ReadonlyMap<string, Wanted>,
  { attention, transactions }: InvoicesSeen
): { readonly found: ReadonlyArray<string>; readonly facts: ReadonlyMap<string, ReadonlyMap<string, Units>> } => {
  const facts = new Map<string, Map<string, Units>>()
  if (paying === undefined) return { found: [], facts }
  const found: Array<string> = []
  const sums = new Map<string, Units>()
  for (const transaction of transactions)
    for (const [fact, amount] of reportedOf(transaction)) {
      if (!fact.startsWith(`${paying.connection}/`)) continue
      // What cannot be taken back from an invoice that needs a person may stand on another by now.
      if (!attention.has(transaction.unique_id)) sums.set(fact, (sums.get(fact) ?? 0n) + amount)
      const of = facts.get(transaction.unique_id) ?? new Map<string, Units>()
      facts.set(transaction.unique_id, of.set(fact, amount))
      const document = paying.documents.find(({ id, kind }) => keyOf(paying.connection, kind, id) === fact)
      const named = attention.has(fact) || attention.has(transaction.unique_id)
      if (amount === 0n || named) continue
      if (document === undefined) found.push(`witness: ${transaction.unique_id} shows ${fact}, which no source states`)
      else if (document.currency !== undefined && document.currency !== wanted.get(transaction.unique_id)?.currency)
        found.push(`witness: ${fact} is in ${document.currency}, and stands on ${transaction.unique_id}`)
    }
  for (const { id, kind, shares = [], unallocated = 0n } of paying.documents) {
    const [fact, whole] = [keyOf(paying.connection, kind, id), sum(shares.map(({ amount }) => amount)) + unallocated]
    const there = sums.get(fact) ?? 0n
    if ((kind === "payment" ? there : -there) > whole)
      found.push(`witness: ${fact} is ${say(whole, "")}and stands on the service as ${say(there, "")}`)
  }
  return { found, facts }
}

/** The one issued invoice that a payment of another source names beyond doubt, by id, number, or in its words. */
const namedBy = (
  { connection }: Sources,
  { reference = "", shares = [], unallocated = 0n }: PlainDocument,
  wanted: ReadonlyMap<string, Wanted>
): string | undefined => {
  if (shares.length > 1 || (shares.length === 1 && unallocated !== 0n)) return undefined
  const plain = (text: string) =>
    text
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, " ")
      .trim()
  const [share] = shares
  const names = (key: string, number: string) =>
    share === undefined
      ? ` ${plain(reference)} `.includes(` ${plain(number)} `)
      : key === keyOf(connection, "invoice", share.invoice) || plain(number) === plain(share.invoice)
  const found = [...wanted].filter(([key, { number }]) => names(key, number))
  return found.length === 1 && found[0]![1].there ? found[0]![0] : undefined
}

/** A payment that names its invoice beyond doubt stands on it, whole, or somebody was told why not. */
const lost = (
  sources: Sources,
  wanted: ReadonlyMap<string, Wanted>,
  facts: ReadonlyMap<string, ReadonlyMap<string, Units>>,
  { attention, decided }: InvoicesSeen
): ReadonlyArray<string> =>
  (sources.paying?.documents ?? []).flatMap((document) => {
    const { connection } = sources.paying!
    const fact = keyOf(connection, document.kind, document.id)
    const key = document.kind === "payment" ? namedBy(sources, document, wanted) : undefined
    if (key === undefined || decided?.has(fact) === true || attention.has(fact) || attention.has(key)) return []
    const whole = sum((document.shares ?? []).map(({ amount }) => amount)) + (document.unallocated ?? 0n)
    const there = facts.get(key)?.get(fact) ?? 0n
    return there === whole
      ? []
      : [`witness: ${fact} names ${key} and is ${say(whole, "")}; ${say(there, "")}stands there, and nobody was told`]
  })

/** What the service says is still to be paid. */
const openThere = (transaction: PlainTransaction | undefined): Units => {
  if (transaction === undefined || transaction.status === "draft" || transaction.status === "paid") return 0n
  const left = units(transaction.due) - sum(reportedOf(transaction).values())
  return left < 0n ? 0n : left
}

/** Everything that does not hold of a connection's invoices, in words. To be asked when it is quiet. */
export const judgeInvoices = (sources: Sources, seen: InvoicesSeen): ReadonlyArray<string> => {
  const { attention, printed } = seen
  const wanted = wantedOf(sources)
  const paid = paidBy(sources, wanted, seen)
  const found = [...paid.found, ...lost(sources, wanted, paid.facts, seen)]
  const mine = seen.transactions.filter(({ unique_id }) => unique_id.startsWith(`${sources.connection}/invoice/`))
  const byKey = new Map(mine.map((one) => [one.unique_id, one]))
  const statements = printed.filter(({ connection }) => connection === sources.connection)
  const named = new Set(statements.flatMap(({ differences }) => differences.map(({ document }) => document)))
  const books = new Map<string, Units>()
  const service = new Map<string, Units>()
  const add = (to: Map<string, Units>, currency: string, amount: Units) =>
    void to.set(currency, (to.get(currency) ?? 0n) + amount)

  // What another source paid is known here only as far as the service shows it.
  const unknowable = new Set<string>()
  for (const key of new Set([...wanted.keys(), ...byKey.keys()])) {
    const [one, there] = [wanted.get(key), byKey.get(key)]
    if (there !== undefined) add(service, there.currency, openThere(there))
    if (one?.there !== true) {
      if (there !== undefined && !attention.has(key) && one?.status !== "draft")
        found.push(`witness: ${key} is on the service, and its source does not have it as issued`)
      continue
    }
    for (const fact of one.foreign)
      if (!attention.has(key) && !attention.has(fact))
        found.push(`witness: ${fact} is not in the currency of ${key}, and nobody was told`)
    const facts = new Map([...one.facts, ...(paid.facts.get(key) ?? [])])
    const received = sum(facts.values())
    const total = one.total < 0n ? 0n : one.total
    const settled = one.status === "paid" || received >= total
    const open = settled ? 0n : total - received
    // It is counted in neither currency before a person has settled in which it is.
    if (there === undefined || there.currency === one.currency || !attention.has(key)) add(books, one.currency, open)
    if (sources.paying !== undefined && attention.has(key)) unknowable.add(one.currency)
    const differ = (what: string) => {
      if (!attention.has(key) && !named.has(key)) found.push(`witness: ${key}: ${what}`)
    }
    if (there === undefined) {
      differ("it is not on the service")
      continue
    }
    if (there.currency !== one.currency) differ(`it is in ${one.currency}, on the service in ${there.currency}`)
    if (units(there.due) !== total)
      differ(`${say(total, one.currency)} is to be paid, the service says ${there.due} ${there.currency}`)
    const reported = reportedOf(there)
    for (const fact of new Set([...facts.keys(), ...reported.keys()])) {
      const [should, is] = [facts.get(fact) ?? 0n, reported.get(fact) ?? 0n]
      if (should !== is && !attention.has(fact))
        differ(`${fact} is ${say(should, one.currency)}, the service says ${say(is, there.currency)}`)
    }
    if (settled !== (there.status === "paid")) differ(`${settled ? "paid" : "open"}, the service says ${there.status}`)
    if (open !== openThere(there))
      differ(`${say(open, one.currency)} is open, on the service ${say(openThere(there), there.currency)}`)
  }
  return [...found, ...statementsSay(statements, books, service, unknowable)]
}

/** The sums of the statement are those of the documents and of the service, whatever it names. */
const statementsSay = (
  statements: ReadonlyArray<PrintedInvoices>,
  books: ReadonlyMap<string, Units>,
  service: ReadonlyMap<string, Units>,
  unknowable: ReadonlySet<string>
): ReadonlyArray<string> => {
  const found: Array<string> = []
  for (const currency of new Set([...books.keys(), ...service.keys(), ...statements.map((one) => one.currency)])) {
    const one = statements.find((statement) => statement.currency === currency)
    const [said, there] = [units(one?.books ?? "0"), units(one?.service ?? "0")]
    const [open, held] = [books.get(currency) ?? 0n, service.get(currency) ?? 0n]
    if (said !== open && !unknowable.has(currency))
      found.push(`witness: the statement says ${say(said, currency)} is open, the documents say ${say(open, currency)}`)
    if (there !== held)
      found.push(
        `witness: the statement says ${say(there, currency)} is open on the service, which says ${say(held, currency)}`
      )
  }
  return found
}
