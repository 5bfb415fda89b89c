/**
 * What must hold of the payments of one connection for the invoices of another, once it is quiet: the same matches as
 * where today's books are read in one go, every payment on the service exactly once or a person told why not, and a
 * statement that adds up.
 */
import { Clock, Effect } from "effect"
import * as Document from "../../connectors/Document.ts"
import * as Currency from "../../core/money/Currency.ts"
import * as Decimal from "../../core/money/Decimal.ts"
import * as AttentionStore from "../../sync/apply/AttentionStore.ts"
import { Database } from "../../sync/state/Database.ts"
import * as Matching from "../../sync/matching/Run.ts"
import * as PaymentStatement from "../../sync/reconciliation/PaymentStatement.ts"
import { totalOf } from "../../sync/matching/References.ts"
import { type Holding, inPlace, type Source } from "../support/Sides.ts"
import { ACCEPTED } from "../simulation/Midway.ts"
import { backOf, sameParts, sameReturns } from "./Parts.ts"
import { take } from "./Paying.ts"
import type { World } from "./World.ts"

type Db = Database["Service"]

/** A payment or reversal, the invoice that it was matched with, and how much of it. */
interface Row {
  readonly document: string
  readonly invoice: string
  readonly amount: string
  readonly how: string
}

/** What is to be said of an attention item, but for what was sent once, which is in no source. */
const itemText = ({ rule, subject, why }: Pick<AttentionStore.OpenAttention, "rule" | "subject" | "why">) =>
  `${subject} ${rule}: ${why.replace(/; it was reported as .*? on .*? on .*?, which is taken back/g, "")}`

/** Items that a person settled: nobody needs to be told of them again. */
const settled = (db: Db) => {
  const sql = "SELECT subject, rule, why FROM attention WHERE how = ?"
  return new Set((db.prepare(sql).all(ACCEPTED) as ReadonlyArray<AttentionStore.OpenAttention>).map(itemText))
}

/** A payment that was taken for the same money as one that another list states: it is sent as that one. */
interface Same {
  readonly document: string
  readonly as: string
}

const SAME = `SELECT d.key AS document, l.key AS "as" FROM sighting s JOIN document d ON d.id = s.document
  JOIN document l ON l.id = s.leader WHERE s.how <> 'doubt' AND d.deleted = 0 ORDER BY 1`

const look = (db: Db, connection: string) => ({
  same: db.prepare(SAME).all() as ReadonlyArray<Same>,
  matches: db
    .prepare(
      `SELECT d.key AS document, a.invoice, a.amount, m.how FROM allocation a JOIN document d ON d.id = a.document
        JOIN matching m ON m.document = d.id WHERE a.amount IS NOT NULL AND d.deleted = 0 ORDER BY 1, 2`
    )
    .all() as ReadonlyArray<Row>,
  /** By what a person said of it, or of another one of the same payer, of the same kind. */
  forNone: db
    .prepare("SELECT d.key FROM matching m JOIN document d ON d.id = m.document WHERE m.how = 'none'")
    .pluck()
    .all() as ReadonlyArray<string>,
  needs: AttentionStore.list(db)
    .filter(({ subject }) => subject.startsWith(`${connection}/`))
    .map(itemText)
    .toSorted(),
  statements: PaymentStatement.statements(db, [connection]),
  settled: settled(db)
})
type Look = ReturnType<typeof look>

/** What a person said, and what the service has, which is in no source. */
const SAID = ["choice", "payer", "not_ours", "standing", "posted", "ledger", "same_money"] as const

const said = (db: Db) => SAID.map((table) => db.prepare(`SELECT * FROM ${table}`).raw().all() as Array<Array<unknown>>)

/** Today's books, read in one go where nothing was read before. */
const afresh = ({ clock, connections, documents, payments }: World, words: ReturnType<typeof said>): Look => {
  const [books, debits] = connections
  const read = Effect.gen(function* () {
    const db = yield* Database
    SAID.forEach((table, at) => {
      for (const row of words[at]!) db.prepare(`INSERT INTO ${table} VALUES (${row.map(() => "?").join()})`).run(...row)
    })
    yield* take(books!, documents)
    yield* take(debits!, payments)
    yield* Matching.run
    return look(db, debits!.id)
  })
  return Effect.runSync(
    Effect.orDie(
      Effect.provideService(
        Effect.provide(read, Database.layer({ file: ":memory:", mode: "write" })),
        Clock.Clock,
        clock
      )
    ) as Effect.Effect<Look>
  )
}

/** What stands is there in whatever way it was found. */
const placed = ({ how: _, ...row }: Row) => row

/** An invoice that is gone is called by the number that it had, where that was read; a person may have chosen it by then. */
const named = (text: string): string => text.replace(/allocated by hand to (?:INV-|I)\d+/g, "allocated by hand to one")

const differ = (what: string, now: ReadonlyArray<unknown>, plain: ReadonlyArray<unknown>): ReadonlyArray<string> => {
  const [a, b] = [now, plain].map((list) => list.map((one) => named(JSON.stringify(one))))
  return [
    ...a!.filter((one) => !b!.includes(one)).map((one) => `${what}, not when read in one go: ${one}`),
    ...b!.filter((one) => !a!.includes(one)).map((one) => `${what} only when read in one go: ${one}`)
  ]
}

/** Days that books and the other source may be apart in what they say of the same money: less than a month. */
const APART = 25

/**
 * The payments that are another list's money. Only one of the same amount, within these days, can be, and each only once: two
 * equal payments stay two where the other list has one.
 */
const joined = (
  world: World,
  same: ReadonlyArray<Same>
): { readonly as: ReadonlyMap<string, string>; readonly found: ReadonlyArray<string> } => {
  const found: Array<string> = []
  const used = new Set<string>()
  const { documents, payments } = world
  const one = (list: ReadonlyArray<Document.Document>, key: string) =>
    list.find(({ id, kind }) => key.endsWith(`/${kind}/${id}`))
  for (const { as, document } of same) {
    const [a, b] = [as, document].map((key) => one(key.startsWith("debits/") ? payments : documents, key))
    if (used.has(as)) found.push(`${as} is counted for two payments, ${document} is one of them`)
    used.add(as)
    if (a?.kind !== "payment" || b?.kind !== "payment") continue
    const days = Math.abs(Date.parse(a.date) - Date.parse(b.date)) / 86_400_000
    if (totalOf(a) !== totalOf(b) || days > APART)
      found.push(`${document} was taken for ${as}, which is another amount or ${days} days away`)
  }
  const pairs = same.flatMap(({ as, document }) => [[document, as] as const, ...backOf(document, as, world)])
  return { found, as: new Map(pairs) }
}

/** The invoices of a payment or reversal: as it was matched, or as the books state the same money. */
const sharesOf = (
  { connection, documents }: World,
  key: string,
  matched: ReadonlyMap<string, ReadonlyArray<Row>>
): ReadonlyArray<readonly [invoice: string, amount: string]> => {
  const own = documents.find(({ id, kind }) => Document.key(connection.id, kind, id) === key)
  return own?.kind === "payment" || own?.kind === "reversal"
    ? own.shares.map(({ amount, invoice }) => [Document.key(connection.id, "invoice", invoice), `${amount}`])
    : (matched.get(key) ?? []).map(({ amount, invoice }) => [invoice, amount])
}

/** The payments of an invoice, by its own books and as they were matched. */
const statedOn = ({ connection, documents }: World, invoice: string, matches: ReadonlyArray<Row>) => {
  const stated = new Map<string, bigint>()
  for (const one of documents)
    for (const share of one.kind === "payment" ? one.shares : [])
      if (Document.key(connection.id, "invoice", share.invoice) === invoice)
        stated.set(Document.key(connection.id, "payment", one.id), share.amount)
  for (const { amount, document, invoice: of } of matches)
    if (of === invoice && document.includes("/payment/")) stated.set(document, BigInt(amount))
  return stated
}

/** What the service should hold of the second connection, and what does not hold of it. */
export const paid = async (
  world: World,
  held: ReadonlyArray<Holding>,
  attention: ReadonlySet<string>
): Promise<
  Pick<Source, "same"> & {
    readonly paying: ReadonlyArray<Source>
    readonly found: ReadonlyArray<string>
    /** The invoices of a payment: as it was matched, and as the books state the same money. */
    readonly on: (payment: string) => ReadonlyArray<string>
  }
> => {
  const debits = world.connections[1]
  if (debits === undefined) return { paying: [], found: [], on: () => [] }
  const looked = await world.life(Effect.map(Database, (db) => ({ ...look(db, debits.id), words: said(db) })))
  const nothing = { paying: [], on: () => [] }
  if (looked._tag === "Failure") return { ...nothing, found: [`the matches cannot be read: ${looked.cause}`] }
  const { words, ...now } = looked.value
  const plain = afresh(world, words)
  const { as, found: wrong } = joined(world, now.same)
  const joint = new Map([...as, ...sameReturns(world, plain.matches, as)])
  const found = [
    ...wrong,
    ...differ("matched", now.matches.map(placed), plain.matches.map(placed)),
    ...differ(
      "to be sent",
      now.needs,
      plain.needs.filter((need) => now.needs.includes(need) || !now.settled.has(need))
    ),
    ...differ("stated", now.statements, plain.statements)
  ]
  const byDocument = Map.groupBy(plain.matches, ({ document }) => document)
  const posted = new Set(words[SAID.indexOf("posted")]!.map(([fact, invoice]) => `${fact} ${invoice}`))
  const once = sameParts(world, plain.matches, joint, posted)
  const money = world.payments.filter((one) => one.kind === "payment" || one.kind === "reversal")
  const documents = money.map((one) => ({
    ...one,
    shares: (joint.has(Document.key(debits.id, one.kind, one.id))
      ? []
      : (byDocument.get(Document.key(debits.id, one.kind, one.id)) ?? []).filter((match) => !once.has(match))
    ).map(({ amount, invoice }) => ({
      invoice: Document.parseKey(invoice).id,
      amount: BigInt(amount)
    }))
  }))
  // A reversal that a person gave to an invoice keeps the way of its payment in its row.
  const chosen = new Set(words[0]!.map(([payment]) => payment))
  const none = new Set([
    ...plain.forNone,
    ...words[0]!.flatMap(([payment, shares]) => (shares === "[]" ? [payment] : []))
  ])
  const sums = new Map<string, bigint>()
  const where = new Map<string, Array<string>>()
  for (const { payments, transaction } of held) {
    const name = String(transaction["unique_id"])
    const there = new Map<string, bigint>()
    for (const { amount, details } of payments) {
      const posted = String(details).split("; ")[0]!.split("#")[0]!
      const fact = joint.get(posted) ?? posted
      there.set(fact, (there.get(fact) ?? 0n) + Decimal.of(String(amount)))
    }
    const stated = plain.matches.filter((match) => !once.has(match))
    const places = inPlace(there, statedOn(world, name, stated))
    for (const [posted, amount] of there) {
      const fact = places.get(posted) ?? posted
      sums.set(fact, (sums.get(fact) ?? 0n) + amount)
      where.set(fact, [...(where.get(fact) ?? []), name])
    }
  }
  const rests = resting(world, plain.matches)
  const drafts = new Set(
    world.documents.flatMap((one) =>
      one.kind === "invoice" && one.status === "draft" ? [Document.key(world.connection.id, one.kind, one.id)] : []
    )
  )
  for (const one of money) {
    const key = Document.key(debits.id, one.kind, one.id)
    const sign = one.kind === "payment" ? 1n : -1n
    const matched = byDocument.get(key) ?? []
    // What a person gives to a draft is sent with it.
    const waits = matched.filter(
      (match) =>
        once.has(match) ||
        rests.has(match.invoice) ||
        ((match.how === "choice" || chosen.has(key)) && drafts.has(match.invoice))
    )
    const unsent = Decimal.sum(waits.map(({ amount }) => BigInt(amount)))
    const [whole, sent] = [joint.has(key) ? 0n : sign * (totalOf(one) - unsent), sums.get(key) ?? 0n]
    const of = one.kind === "reversal" && one.payment !== undefined ? [one.payment] : []
    const about = [
      key,
      ...of.map((id) => Document.key(debits.id, "payment", id)),
      ...matched.map(({ invoice }) => invoice),
      ...(where.get(key) ?? [])
    ]
    if (sent === whole || about.some((name) => attention.has(name) || none.has(name))) continue
    found.push(`${key}: ${Decimal.format(sent, 2)} of ${Decimal.format(whole, 2)} was sent, and nobody knows`)
  }
  for (const [payment, shares] of words[0]!) {
    if (attention.has(String(payment)) || !money.some((one) => Document.key(debits.id, one.kind, one.id) === payment))
      continue
    const said = (JSON.parse(String(shares)) as Array<[string, string]>).toSorted()
    // What is for none may be another list's for one.
    const as = said.length === 0 ? undefined : joint.get(String(payment))
    const there = sharesOf(world, as ?? String(payment), byDocument)
    // Of the same money, the books say on which invoices it is by now: they were changed since, or the amount was.
    const isAlike =
      as === undefined
        ? JSON.stringify(there) === JSON.stringify(said)
        : there.some(([invoice]) => said.some(([one]) => one === invoice))
    if (!isAlike)
      found.push(`${String(payment)}: a person said ${JSON.stringify(said)}, and it is ${JSON.stringify(there)}`)
  }
  return {
    same: joint,
    on: (payment) =>
      [payment, joint.get(payment) ?? payment].flatMap((one) =>
        sharesOf(world, one, byDocument).map(([invoice]) => invoice)
      ),
    paying: [{ id: debits.id, documents }],
    found: [...found, ...sumsUp(world.payments, joint, now)]
  }
}

/** Invoices that are not to be sent, and whose payments went back whole, or more: nothing is missing. */
const resting = ({ connection, documents }: World, matches: ReadonlyArray<Row>): ReadonlySet<string> => {
  const [ours, all] = [new Map<string, bigint>(), new Map<string, bigint>()]
  const add = (sums: Map<string, bigint>, invoice: string, kind: string, amount: bigint) =>
    sums.set(invoice, (sums.get(invoice) ?? 0n) + (kind === "reversal" ? -amount : amount))
  for (const { amount, document, invoice } of matches)
    for (const sums of [ours, all]) add(sums, invoice, Document.parseKey(document).kind, BigInt(amount))
  for (const one of documents)
    for (const { amount, invoice } of one.kind === "payment" || one.kind === "reversal" ? one.shares : [])
      add(all, Document.key(connection.id, "invoice", invoice), one.kind, amount)
  const unsent = documents.filter((one) => one.kind === "invoice" && (one.status === "void" || one.status === "draft"))
  const keys = unsent.map(({ id }) => Document.key(connection.id, "invoice", id))
  return new Set(keys.filter((key) => [ours, all].some((sums) => (sums.get(key) ?? 0n) <= 0n)))
}

/** Received less what went back, by currency: what the source says is what the statement says. */
const sumsUp = (
  documents: ReadonlyArray<Document.Document>,
  joint: ReadonlyMap<string, string>,
  { matches, statements }: Look
) => {
  const found: Array<string> = []
  const byCurrency = Map.groupBy(documents, (one) => ("currency" in one ? (one.currency ?? "") : ""))
  for (const [currency, all] of byCurrency) {
    const signed = (key: Document.Kind, amount: bigint) => (key === "reversal" ? -amount : amount)
    const keys = new Map(all.map((one) => [Document.key("debits", one.kind, one.id), one.kind]))
    const received = Decimal.sum(
      all.map((one) => (one.kind === "payment" || one.kind === "reversal" ? signed(one.kind, totalOf(one)) : 0n))
    )
    const matched = Decimal.sum(
      matches.flatMap(({ amount, document }) =>
        keys.has(document) ? [signed(keys.get(document)!, BigInt(amount))] : []
      )
    )
    const elsewhere = Decimal.sum(
      all.map((one) => (one.kind === "payment" && joint.has(`debits/payment/${one.id}`) ? totalOf(one) : 0n))
    )
    const say = (amount: bigint) => Currency.format(amount, currency)
    const statement = statements.find((one) => one.currency === currency)
    if (
      statement?.received !== say(received) ||
      statement.matched !== say(matched + elsewhere) ||
      statement.pending !== 0
    )
      found.push(`${say(received)} ${currency} received, ${say(matched)} matched: ${JSON.stringify(statement)}`)
  }
  return found
}
