/** Reads what joining needs to know about one payment of a connection that several lists pay. Read-only. */
import type { Invoice, Payment, Reversal } from "../../connectors/Document.ts"
import * as Document from "../../connectors/Document.ts"
import * as Decimal from "../../core/money/Decimal.ts"
import * as Day from "../../core/wire/Day.ts"
import * as Currency from "../../core/money/Currency.ts"
import { type Aliases, aliasesIn, aliasesOf } from "./Aliases.ts"
import { exchanged } from "./Exchanged.ts"
import * as Lookups from "./Lookups.ts"
import { chosenByPerson, payerIn, saidByReversals, textOf, totalOf } from "./References.ts"
import * as MatchRules from "./Rules.ts"
import { mentioningAny } from "./Tables.ts"
import { isCustomer, partiesOf, relationTo, type Theirs } from "./Whose.ts"
import { normal, referencesOf } from "../model/MatchText.ts"
import { isDate, isEndOf, isOtherNumber } from "./Texts.ts"
import { beginnings, letters, type PayerName, payerName } from "../model/PayerName.ts"
import { PART_DAYS } from "../movements/Limits.ts"
import { closedOn } from "../movements/OnInvoice.ts"
import * as Body from "../state/Body.ts"
import type { Db } from "../state/Database.ts"
import type { Sighting } from "../movements/Join.ts"

/** What is the same for all payments of a batch. */
export interface JoinMemory extends Lookups.LookupMemory {
  /** Which connection a connection pays for; its own invoices: itself. */
  readonly families: ReadonlyMap<string, string>
  readonly byId: ReadonlySet<string>
  readonly aliases: Aliases
  /** Whether banks cut names. */
  readonly cuts: boolean
  /** The last day of which a list tells, as far as it was asked for. */
  readonly untils: Map<string, Day.Day>
}

export const memory = (db: Db, families: ReadonlyMap<string, string>): JoinMemory => ({
  ...Lookups.noLookups(),
  families,
  byId: new Set(db.prepare("SELECT connection FROM paying WHERE by_id = 1").pluck().all() as ReadonlyArray<string>),
  aliases: aliasesIn(db),
  cuts: db.prepare("SELECT 1 FROM matching WHERE cut = 1 LIMIT 1").get() !== undefined,
  untils: new Map()
})

/** An identifier has a digit, and is not so short that any text has it. */
const IDENTIFIER = /^(?=.*\d)[\w./-]{3,64}$/

/** A number of a few digits may be a day, an amount or an invoice. */
const isIdentifier = (word: string): boolean => IDENTIFIER.test(word) && !/^\d{1,7}$/.test(word)

const idsOf = ({ id, trace }: Payment): ReadonlySet<string> =>
  new Set([id, trace?.trim() ?? ""].filter((one) => isIdentifier(one)))

const wordsOf = ({ reference = "" }: Payment): ReadonlySet<string> =>
  new Set(reference.split(/[\s,;:()]+/).filter(isIdentifier))

const isInvoice = (db: Db, key: string): boolean =>
  db.prepare("SELECT 1 FROM document WHERE key = ? AND deleted = 0").get(key) !== undefined

type Named = Pick<Sighting, "invoices" | "isForeign" | "isOthers">

/** A payment of another connection, and whose it may be. */
interface Seeking extends Theirs {
  readonly key: string
  readonly payers: ReadonlyArray<string>
  /** In minor units. */
  readonly amount: bigint
}

/** The invoices that a payment of another connection says it is for. */
const namedBy = (db: Db, memory: JoinMemory, seeking: Seeking, payment: Payment): Named => {
  const { key, payers, pays } = seeking
  const [payer = ""] = payers
  const chosen = chosenByPerson(db, key)
  if (chosen !== undefined) return { invoices: chosen.map(({ invoice }) => invoice) }
  const linked = payment.shares.flatMap(({ invoice }) => {
    const all = Lookups.named(db, memory, pays, invoice)
    if (all.length < 2) return all
    // The id of one and the number of another: the customer tells, or it says nothing yet.
    const theirs = payer === "" ? [] : all.filter((one) => customerOf(db, one.key) === payer)
    return theirs.length === 1 ? theirs : []
  })
  if (linked.length > 0) return { invoices: [...new Set(linked.map((one) => one.key))] }
  const strong = MatchRules.namesIn(textOf(payment)).filter(({ weak }) => !weak)
  const found = strong.flatMap(({ name }) => {
    const all = Lookups.invoicesNumbered(db, memory, pays, name)
    return all.length === 1 ? all : []
  })
  if (found.length > 0) {
    const isOthers = found.every((one) => relationTo(db, seeking, one) === "foreign")
    const isForeign = found.every(
      ({ base, key }) => base !== `${seeking.amount}` && !payers.includes(customerOf(db, key))
    )
    return { invoices: [...new Set(found.map((one) => one.key))], isOthers, isForeign: isOthers || isForeign }
  }
  const said = saidByReversals(db, key)
  if (said !== undefined) return { invoices: [said] }
  const stands = meant(db, key, payment)
  return { invoices: stands.length > 0 ? stands : inShort(db, seeking, payment) }
}

/** The payer's own invoice of exactly this amount whose number the text ends: `Rg. 1884` for INV-1884. */
const inShort = (db: Db, { amount, payers, pays }: Seeking, payment: Payment): ReadonlyArray<string> => {
  const text = textOf(payment)
  const names = MatchRules.namesIn(text).filter((one) => !isDate(one.name, payment.date) && !isOtherNumber(text, one))
  if (names.length === 0) return []
  const rows = db
    .prepare(
      `SELECT d.key, p.number FROM json_each(?) n CROSS JOIN payable p ON p.connection = ? AND p.party = n.value
        CROSS JOIN document d ON d.id = p.invoice WHERE p.currency = ? AND p.payable = 1`
    )
    .all(JSON.stringify(payers), pays, payment.currency ?? "") as ReadonlyArray<{
    readonly key: string
    readonly number: string
  }>
  const found = rows.filter(
    ({ key, number }) => names.some(({ name }) => isEndOf(name, number)) && askedBy(db, key) === amount
  )
  return found.length === 1 ? found.map(({ key }) => key) : []
}

/** Invoices that it is reported on and whose number its text ends: what stands there is not moved by books that say otherwise. */
const meant = (db: Db, key: string, payment: Payment): ReadonlyArray<string> => {
  const names = MatchRules.namesIn(textOf(payment))
  if (names.length === 0) return []
  const rows = db
    .prepare(
      `SELECT s.invoice, p.number FROM standing s JOIN document d ON d.key = s.invoice JOIN payable p ON p.invoice = d.id
        WHERE s.payment = ? AND s.kept = 1`
    )
    .all(key) as ReadonlyArray<{ readonly invoice: string; readonly number: string }>
  return rows.flatMap(({ invoice, number }) =>
    names.some(({ name }) => name === number || isEndOf(name, number)) ? [invoice] : []
  )
}

/** The name of the customer of an invoice, as it is compared. */
const customerOf = (db: Db, invoice: string): string => nameOf(db, invoice)?.party ?? ""

/** The legal form of whoever paid, where a customer has it: people and banks write others, too. */
const formOf = (db: Db, { payer, pays }: Theirs, invoice: string | undefined): string => {
  if (invoice !== undefined) return nameOf(db, invoice)?.form ?? ""
  const isKnown = payer.form !== "" && payer.cut === 0 && isCustomer(db, pays, { ...payer, customer: "" }, "exactly")
  return isKnown ? payer.form : ""
}

const nameOf = (db: Db, invoice: string): PayerName | undefined => {
  const body = db.prepare("SELECT body FROM document WHERE key = ?").pluck().get(invoice)
  return typeof body === "string" ? payerName((Body.read(body) as Invoice).party.name) : undefined
}

/** Other names under which payments of an invoice's customer may be. */
const under = (db: Db, { aliases, cuts }: JoinMemory, invoice: string): ReadonlyArray<string> => {
  const name = nameOf(db, invoice)
  if (name === undefined) return []
  const others = (aliases.of.get(name.party) ?? []).map((one) => one.name)
  return [...others, ...(cuts ? beginnings(letters(name)) : [])]
}

/** What an invoice asks for, whatever was paid or credited, in minor units. */
const askedBy = (db: Db, invoice: string): bigint | undefined => {
  const body = db.prepare("SELECT body FROM document WHERE key = ?").pluck().get(invoice)
  if (typeof body !== "string") return undefined
  const { currency, gross, net = 0n } = Body.read(body) as Invoice
  return Currency.toMinorOutward(gross ?? net, currency)
}

/** Who may have paid what another list states: its payer's own name first, then the customers that it may be. */
const payersOf = (db: Db, theirs: Theirs): ReadonlyArray<string> => {
  const { payer, pays } = theirs
  const known = db
    .prepare("SELECT party FROM payable WHERE connection = ? AND customer = ? AND customer <> '' LIMIT 1")
    .pluck()
    .get(pays, payer.customer)
  return [...new Set([typeof known === "string" ? known : payer.party, ...partiesOf(db, theirs)])]
}

export const load = (db: Db, memory: JoinMemory, document: number): Sighting | undefined => {
  const row = db.prepare("SELECT key, body FROM document WHERE id = ? AND deleted = 0").get(document) as
    | { readonly key: string; readonly body: string }
    | undefined
  if (row === undefined) return undefined
  const { key } = row
  const { connection, kind } = Document.parseKey(key)
  const family = memory.families.get(connection)
  if (kind !== "payment" || family === undefined) return undefined
  const payment = Body.read(row.body) as Payment
  const isOwn = family === connection
  const names = payment.shares.map(({ invoice }) => Document.key(family, "invoice", invoice))
  const booked = isOwn ? names.filter((one) => isInvoice(db, one)) : []
  // Money on account in the books says nothing about an invoice, and is nowhere posted.
  if (isOwn && booked.length === 0) return undefined
  const [invoice] = booked
  const theirs: Theirs = {
    pays: family,
    payer: payerIn(connection, payment, memory),
    aliases: aliasesOf(memory.aliases, connection, payment)
  }
  const payers = invoice === undefined ? payersOf(db, theirs) : [customerOf(db, invoice)]
  const own: Named = { invoices: booked }
  const currency =
    payment.currency ?? (isOwn && invoice !== undefined ? (Lookups.currencyOfInvoice(db, invoice) ?? "") : "")
  const returned = returnedOn(db, key, totalOf(payment))
  const stated = { amount: Currency.toMinorOutward(totalOf(payment), currency), currency }
  const named = isOwn ? own : namedBy(db, memory, { ...theirs, key, payers, amount: stated.amount }, payment)
  const money = isOwn
    ? stated
    : (exchanged(db, { family, payers, named, stated }, { document, key, payment }) ?? stated)
  return {
    document,
    key,
    list: connection,
    isOwn,
    ...money,
    ...(money === stated ? {} : { got: stated }),
    date: payment.date,
    payers: [...new Set(payers)].filter((payer) => payer !== ""),
    form: formOf(db, theirs, invoice),
    ...named,
    under: isOwn && invoice !== undefined ? under(db, memory, invoice) : [],
    asks: isOwn && invoice !== undefined && booked.length === 1 ? askedBy(db, invoice) : undefined,
    ...(isOwn && booked.length === 1 && isInPart(db, booked, { document, payment }) ? { inPart: true as const } : {}),
    until: isOwn ? undefined : untilOf(db, memory, family, connection),
    ids: idsOf(payment),
    words: wordsOf(payment),
    ...(returned === undefined ? {} : { returned }),
    ...(payment.tried === "failed" ? { failed: true as const } : {}),
    stands: db.prepare("SELECT 1 FROM posted WHERE fact = ? LIMIT 1").get(key) !== undefined,
    on: isOwn ? [] : reportedOn(db, key),
    closed: closedOn(db, key)
  }
}

/** Whether another list's payment for several invoices has exactly this for its invoice: not by its amount alone. */
const isInPart = (
  db: Db,
  [invoice]: ReadonlyArray<string>,
  { document, payment }: { readonly document: number; readonly payment: Payment }
): boolean =>
  db
    .prepare(
      `SELECT 1 FROM allocation a JOIN matching m ON m.document = a.document WHERE a.invoice = ? AND a.amount = ?
        AND a.document <> ? AND m.back = 0 AND m.how IN ('choice', 'link', 'reference')
        AND abs(julianday(m.date) - julianday(?)) <= ${PART_DAYS}
        AND EXISTS (SELECT 1 FROM allocation o WHERE o.document = a.document AND o.invoice <> a.invoice AND o.amount IS NOT NULL)`
    )
    .get(invoice, `${totalOf(payment)}`, document, payment.date) !== undefined

/** The invoices on which the service has a payment. */
const reportedOn = (db: Db, payment: string): ReadonlyArray<string> =>
  db.prepare("SELECT invoice FROM standing WHERE payment = ? ORDER BY 1").pluck().all(payment) as ReadonlyArray<string>

/** The last day of which a list tells. */
const untilOf = (db: Db, { untils }: JoinMemory, family: string, list: string): Day.Day | undefined => {
  const known = untils.get(list)
  if (known !== undefined) return known
  const last = db.prepare("SELECT max(date) FROM sighting WHERE family = ? AND list = ?").pluck().get(family, list)
  if (typeof last === "string") untils.set(list, Day.of(last))
  return untils.get(list)
}

/** The last day on which something of a payment went back, if all of it did. */
const returnedOn = (db: Db, key: string, amount: Decimal.Decimal): Day.Day | undefined => {
  const all = (
    db
      .prepare("SELECT d.body FROM matching m JOIN document d ON d.id = m.document WHERE m.of = ? AND d.deleted = 0")
      .pluck()
      .all(key) as ReadonlyArray<string>
  ).map((body) => Body.read(body) as Reversal)
  const [last] = all
    .map(({ date }) => date)
    .toSorted()
    .toReversed()
  return Decimal.sum(all.map(totalOf)) < amount ? undefined : last
}

/** Payments that name one of these invoices. */
export const namingAny = (db: Db, family: string, invoices: ReadonlyArray<string>): ReadonlyArray<number> => {
  const names = invoices.flatMap((invoice) => {
    const body = db.prepare("SELECT body FROM document WHERE key = ?").pluck().get(invoice)
    const id = normal(Document.parseKey(invoice).id)
    if (typeof body !== "string") return [id]
    const { number, reference } = Body.read(body) as Invoice
    return [id, normal(number), ...referencesOf(reference, [])]
  })
  return mentioningAny(db, family, [...new Set(names)])
}
