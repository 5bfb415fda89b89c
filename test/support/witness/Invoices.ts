/**
 * The witness for invoices in tests. `sync/witness` computes from the source's documents what must be open on each invoice and
 * what the service must hold; every difference must be named, by an open attention item about the invoice or the fact, or by
 * the statement that Daybook prints. A statement whose sums are not those of the documents and of the service is always wrong,
 * whatever is named.
 */
import { judgeInvoice, type JudgedInvoice } from "../../../sync/witness/Invoices.ts"
import type { Difference } from "../../../sync/witness/Plain.ts"
import { Notes } from "../../../sync/witness/Notes.ts"
import { judgePayments, mayBeBack } from "../../../sync/witness/Payments.ts"
import { type PlainDocument, type PlainTransaction, sayUnits, type Units, units } from "../../../sync/witness/Plain.ts"
import type { PrintedInvoices } from "./Printed.ts"

export interface Sources {
  /** The id of the connection with the invoices. */
  readonly connection: string
  readonly documents: ReadonlyArray<PlainDocument>
  /** The connection that pays for them, if any. */
  readonly paying?: { readonly connection: string; readonly documents: ReadonlyArray<PlainDocument> }
}

export interface InvoicesSeen {
  readonly transactions: ReadonlyArray<PlainTransaction>
  readonly printed: ReadonlyArray<PrintedInvoices>
  /** The keys of documents and facts with open attention items. */
  readonly attention: ReadonlySet<string>
  /** Payments that a user has matched. */
  readonly decided?: ReadonlySet<string>
}

const wordsOf = ({ document, says, service, source, what }: Difference): string =>
  [
    `witness: ${document}: ${what}: `,
    ...(says === undefined ? [] : [`${says} as the source itself says, `]),
    `${source} by what was read`,
    ...(service === undefined ? [] : [`, ${service} on the service`])
  ].join("")

/** The open amounts by the documents and on the service, by currency. */
class Sums {
  readonly books = new Map<string, Units>()
  readonly service = new Map<string, Units>()
  /** Currencies whose sum is unknown: another source's payments are known here only as far as the service shows them. */
  readonly unknowable = new Set<string>()

  add({ service, source }: JudgedInvoice, isReported: boolean, isPaidElsewhere: boolean): void {
    const more = (to: Map<string, Units>, currency: string, amount: Units) =>
      void to.set(currency, (to.get(currency) ?? 0n) + amount)
    for (const { currency, open } of service) more(this.service, currency, open)
    if (source === undefined) return
    // An invoice is counted in neither currency until a user has settled in which it is.
    if (!isReported || service.every(({ currency }) => currency === source.currency))
      more(this.books, source.currency, source.open)
    if (isReported && isPaidElsewhere) this.unknowable.add(source.currency)
  }
}

/** Every violation for a connection's invoices, in words. Call this only when nothing is running. */
export const judgeInvoices = (
  { connection, documents, paying }: Sources,
  { attention, decided, printed, transactions }: InvoicesSeen
): ReadonlyArray<string> => {
  const notes = new Notes()
  try {
    for (const one of documents) notes.document(connection, one)
    for (const one of paying?.documents ?? []) notes.document(paying!.connection, one)
    for (const [at, one] of transactions.entries()) notes.transaction({ id: `${at}`, ...one })
    const statements = printed.filter((one) => one.connection === connection)
    const named = new Set(statements.flatMap(({ differences }) => differences.map(({ document }) => document)))
    const isReported = (key: string) => attention.has(key)
    const isNamed = ({ document, fact = "" }: { readonly document: string; readonly fact?: string }) =>
      isReported(document) || isReported(fact) || named.has(document)
    const settings = {
      paying: paying === undefined ? [] : [paying.connection],
      hasPayments: notes.hasAny(connection, "payment"),
      mayBeBack: mayBeBack(notes, paying === undefined ? [] : [paying.connection])
    }
    const sums = new Sums()
    const words = new Map<string, Difference>()
    const found: Array<string> = []
    if (paying !== undefined) {
      const isDecided = (fact: string) => decided?.has(fact) === true
      for (const one of judgePayments(
        notes,
        { connection: paying.connection, pays: connection },
        isReported,
        isDecided
      ))
        found.push(wordsOf(one))
    }
    for (const one of notes.invoices(connection, settings.paying)) {
      const judged = judgeInvoice(one, settings)
      sums.add(judged, isReported(one.key), paying !== undefined)
      for (const apart of judged.differences) if (apart.says !== undefined) words.set(apart.document, apart)
      for (const apart of judged.differences) if (!isNamed(apart)) found.push(wordsOf(apart))
      for (const { document, fact, why } of judged.notChecked)
        if (!isReported(document) && !isReported(fact!)) found.push(`witness: ${document}: ${why}, and nobody was told`)
    }
    return [
      ...found,
      ...wordsSay(statements, words, { isReported, isPaidElsewhere: paying !== undefined }),
      ...statementsSay(statements, sums)
    ]
  } finally {
    notes.close()
  }
}

/**
 * The statement must name each difference from the source's own figure, with both amounts, and state no other figure. If an
 * invoice has an attention item, another source's payments of it may differ from the service, which is all that is known here.
 */
const wordsSay = (
  statements: ReadonlyArray<PrintedInvoices>,
  words: ReadonlyMap<string, Difference>,
  { isPaidElsewhere, isReported }: { readonly isReported: (key: string) => boolean; readonly isPaidElsewhere: boolean }
): ReadonlyArray<string> => {
  const printed = statements.flatMap(({ currency, differences }) =>
    differences.flatMap(({ document, facts = "0", source }) => {
      if (source === undefined || (isPaidElsewhere && isReported(document))) return []
      const [says, follows] = [sayUnits(units(source), currency), sayUnits(units(facts), currency)]
      const word = words.get(document)
      return word?.says === says && word.source === follows
        ? []
        : [`witness: the statement says that the source says ${says} of ${document}, and ${follows} was read of it`]
    })
  )
  const named = new Set(
    statements.flatMap(({ differences }) =>
      differences.flatMap((one) => (one.source === undefined ? [] : [one.document]))
    )
  )
  const whole = statements.every(({ more }) => more === 0)
  // With an attention item, the invoice may be left out of the sums.
  const unnamed = [...words.values()].filter(({ document }) => whole && !named.has(document) && !isReported(document))
  return [...printed, ...unnamed.map((one) => `${wordsOf(one)}, and no statement names it`)]
}

/** The statement's sums must be those of the documents and of the service, whatever it names. */
const statementsSay = (
  statements: ReadonlyArray<PrintedInvoices>,
  { books, service, unknowable }: Sums
): ReadonlyArray<string> => {
  const found: Array<string> = []
  for (const currency of new Set([...books.keys(), ...service.keys(), ...statements.map((one) => one.currency)])) {
    const one = statements.find((statement) => statement.currency === currency)
    const [said, there] = [units(one?.books ?? "0"), units(one?.service ?? "0")]
    const [open, held] = [books.get(currency) ?? 0n, service.get(currency) ?? 0n]
    if (said !== open && !unknowable.has(currency))
      found.push(
        `witness: the statement says ${sayUnits(said, currency)} is open, the documents say ${sayUnits(open, currency)}`
      )
    if (there !== held)
      found.push(
        `witness: the statement says ${sayUnits(there, currency)} is open on the service, which says ${sayUnits(held, currency)}`
      )
  }
  return found
}
