/**
 * Parts of payments that two lists state of one invoice: where a payment is for several invoices, and the other list has the same amount
 * on one of them within ten days, that part is the same money, and the service holds it once.
 */
import * as Document from "../../connectors/Document.ts"
import { totalOf } from "../../sync/matching/References.ts"
import type { World } from "./World.ts"

/** A payment or reversal, and the invoice that it was matched with. */
interface Part {
  readonly document: string
  readonly invoice: string
  readonly amount: string
}

const DAYS = 10
/** And where the invoice cannot have both, people may book it so late. */
const LATE_DAYS = 25

const daysApart = (one: string, other: string): number => Math.abs(Date.parse(one) - Date.parse(other)) / 86_400_000

const sum = ({ shares }: Document.Payment): bigint => shares.reduce((all, { amount }) => all + amount, 0n)

/**
 * Those of the matches that the invoice's own books state as well. A payment that is another's as a whole is none of them, nor one that
 * was posted beside that of the books before they were alike, or because a person said that they are two.
 */
export const sameParts = <Of extends Part>(
  { connection, documents, payments }: World,
  matches: ReadonlyArray<Of>,
  joint: ReadonlyMap<string, string>,
  posted: ReadonlySet<string>
): ReadonlySet<Of> => {
  const wentBack = (list: ReadonlyArray<Document.Document>, payment: Document.Document, invoice: string): boolean =>
    list.some(
      (one) =>
        one.kind === "reversal" &&
        one.payment === payment.id &&
        (one.shares.some((share) => invoiceKey(share) === invoice) ||
          matches.some((of) => of.document === Document.key("debits", "reversal", one.id) && of.invoice === invoice))
    )
  const invoiceKey = ({ invoice }: Document.Share) => Document.key(connection.id, "invoice", invoice)
  const asksOf = (key: string) => {
    const its = documents.find((one) => one.kind === "invoice" && Document.key(connection.id, one.kind, one.id) === key)
    return its?.kind === "invoice" ? (its.gross ?? its.net ?? 0n) : 0n
  }
  const isPayment = (one: Document.Document): one is Document.Payment => one.kind === "payment"
  const taken = new Set(joint.values())
  const own = documents.filter(isPayment).filter(({ id }) => !taken.has(Document.key(connection.id, "payment", id)))
  const used = new Set<string>()
  const found = new Set<Of>()
  for (const match of matches) {
    const theirs = payments.filter(isPayment).find(({ id }) => match.document === Document.key("debits", "payment", id))
    if (theirs === undefined || joint.has(match.document) || wentBack(payments, theirs, match.invoice)) continue
    const amount = BigInt(match.amount)
    const same = own.find(
      (one) =>
        !used.has(`${one.id} ${match.invoice}`) &&
        ![match.document, Document.key(connection.id, "payment", one.id)].every((fact) =>
          posted.has(`${fact} ${match.invoice}`)
        ) &&
        !wentBack(documents, one, match.invoice) &&
        daysApart(one.date, theirs.date) <= (amount * 2n > asksOf(match.invoice) ? LATE_DAYS : DAYS) &&
        (totalOf(theirs) > amount || sum(one) > amount) &&
        one.shares.some(
          (share) => share.amount === amount && Document.key(connection.id, "invoice", share.invoice) === match.invoice
        )
    )
    if (same === undefined) continue
    used.add(`${same.id} ${match.invoice}`)
    found.add(match)
  }
  return found
}

/** Within so many days, money that went back of an invoice by two lists may be the same. */
const RETURN_DAYS = 15

const isReversal = (one: Document.Document): one is Document.Reversal => one.kind === "reversal"

/**
 * What went back of a payment by two lists that have it, where it is the same amount and currency at about the same time: that is once
 * as well. What the books have for an invoice that their payment is not on any more is none of it.
 */
export const backOf = (document: string, as: string, { connection, documents, payments }: World) => {
  const whole = documents.find((one) => one.kind === "payment" && one.id === Document.parseKey(as).id)
  const isOn = ({ shares }: Document.Reversal): boolean =>
    whole?.kind !== "payment" ||
    shares.length === 0 ||
    shares.some(({ invoice }) => whole.shares.some((share) => share.invoice === invoice))
  const of = (key: string, list: ReadonlyArray<Document.Document>) =>
    list.filter(isReversal).filter(({ payment }) => payment === Document.parseKey(key).id)
  const books = of(as, documents).filter(isOn)
  return of(document, payments).flatMap((one) => {
    const at = books.findIndex(
      (other) =>
        totalOf(other) === totalOf(one) &&
        (other.currency ?? one.currency) === one.currency &&
        daysApart(one.date, other.date) <= RETURN_DAYS
    )
    const [other] = at < 0 ? [] : books.splice(at, 1)
    if (other === undefined) return []
    return [[Document.key("debits", one.kind, one.id), Document.key(connection.id, other.kind, other.id)] as const]
  })
}

/**
 * What went back of an invoice by a list that names no payment of it, and by the books, of the same amount: once. A bank's line of
 * a failed debit names the invoice at most.
 */
export const sameReturns = (
  { connection, documents, payments }: World,
  matches: ReadonlyArray<Part>,
  joint: ReadonlyMap<string, string>
): ReadonlyArray<readonly [document: string, as: string]> => {
  const used = new Set(joint.values())
  const keyOf = ({ id }: Document.Reversal) => Document.key(connection.id, "reversal", id)
  return payments.filter(isReversal).flatMap((one) => {
    const key = Document.key("debits", "reversal", one.id)
    const match = matches.find(({ document }) => document === key)
    if (one.payment !== undefined || joint.has(key) || match?.amount !== `${totalOf(one)}`) return []
    const same = documents
      .filter(isReversal)
      .find(
        (other) =>
          !used.has(keyOf(other)) &&
          daysApart(one.date, other.date) <= RETURN_DAYS &&
          other.shares.some(
            ({ amount, invoice }) =>
              `${amount}` === match.amount && Document.key(connection.id, "invoice", invoice) === match.invoice
          )
      )
    if (same === undefined) return []
    used.add(keyOf(same))
    return [[key, keyOf(same)] as const]
  })
}
