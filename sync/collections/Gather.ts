/**
 * Gathers the documents for the collection of an invoice before anything is planned (H4): its copy from the source or from
 * the user's own files, and the statement of its buyer's account. What cannot be obtained is recorded as a sentence, for the
 * person who reviews the collection; it stops nothing else.
 *
 * The user's own files are read each time; a source is asked once a day.
 */
import { Clock, Effect, Stream } from "effect"
import type { ConnectorContext, Requirements } from "../../connectors/Connector.ts"
import { type Invoice, parseKey } from "../../connectors/Document.ts"
import * as Day from "../../core/wire/Day.ts"
import * as ChangedDocuments from "../books/ChangedDocuments.ts"
import type { Connection } from "../model/Connection.ts"
import { collectionOn } from "../model/Cover.ts"
import { patterns } from "../model/CoverSettings.ts"
import type { InvoiceFacts } from "../model/InvoiceFacts.ts"
import { openOn, type RemoteInvoice } from "../model/RemoteInvoice.ts"
import * as Facts from "../plan/Facts.ts"
import { partyKey } from "../plan/PartyKey.ts"
import { Database, type StateError, type Db } from "../state/Database.ts"
import { type Account, accountOf, invoicesOf } from "./Account.ts"
import * as FileStore from "./FileStore.ts"
import { type Proofs, proofsOf } from "./Orders.ts"
import { patternFile } from "./PatternFile.ts"

/** How long a copy from a source is not requested again. */
const ASKED_EVERY_MS = 20 * 3_600_000

/** An invoice that may be handed over, and has not been. */
type Late = InvoiceFacts & { readonly invoice: Invoice }

const mayBeHandedOver = (remote: RemoteInvoice | undefined): boolean =>
  remote?.cover?.policy?.status === "late_can_handover" &&
  collectionOn(remote.cover)?.sent === undefined &&
  remote.status !== "paid" &&
  openOn(remote) > 0n

const lateOf = (db: Db, subject: string): Late | undefined => {
  const facts = Facts.invoiceFacts(db, subject)
  const { invoice } = facts
  return invoice !== undefined && mayBeHandedOver(Facts.remoteInvoice(db, subject)) ? { ...facts, invoice } : undefined
}

const subjectsOf = (db: Db, connection: string): ReadonlyArray<string> =>
  db
    .prepare("SELECT subject FROM cover WHERE connection = ? AND status = 'late_can_handover' ORDER BY subject")
    .pluck()
    .all(connection) as ReadonlyArray<string>

/** The origin of the user's own files, in words. */
const OWN = "your files"

/** A file; why there is none; or nothing to report. */
type Got = Omit<FileStore.NewFile, "slot" | "type"> | { readonly why: string; readonly absent?: true } | undefined

/** From the source, if its connector supports that. */
const fromSource = (
  { connector, settings }: Connection,
  subject: string,
  context: ConnectorContext
): Effect.Effect<Got, never, Requirements> => {
  if (connector.documents === undefined) return Effect.succeed(undefined)
  const { id } = parseKey(subject)
  return connector.documents(settings, { kind: "invoice", id }, context, FileStore.LARGEST_FILE_BYTES).pipe(
    Stream.take(1),
    Stream.runCollect,
    Effect.map(([file]): Got => (file === undefined ? undefined : { ...file, origin: connector.name })),
    Effect.catch((error) => Effect.succeed<Got>({ why: error.message }))
  )
}

const fromFiles = ({ planning }: Connection, { invoice }: Late, { folder }: ConnectorContext): Got => {
  const pattern = planning.cover === undefined ? undefined : patterns(planning.cover).invoice
  return pattern === undefined ? undefined : ownFile(folder, pattern, invoice)
}

const ownFile = (folder: string, pattern: string, invoice: Invoice): Exclude<Got, undefined> => {
  const found = patternFile(folder, pattern, invoice, FileStore.LARGEST_FILE_BYTES)
  return "why" in found ? found : { ...found, origin: OWN }
}

/** Gives the file a name that says what it is. */
const named = (got: Got, { invoice }: Late): Got =>
  got === undefined || "why" in got || got.origin === OWN ? got : { ...got, name: `invoice-${invoice.number}` }

/** The copy of the invoice: from its source, or else from the user's files. */
const copyOf = (connection: Connection, late: Late, context: ConnectorContext) =>
  Effect.gen(function* () {
    const said = yield* fromSource(connection, late.key, context)
    if (said !== undefined && !("why" in said)) return named(said, late)
    return fromFiles(connection, late, context) ?? said
  })

/** The slots for required files, and what to call them if they are missing. */
const SLOTS = { invoice: "the copy of the invoice", statement: "the statement of account" } as const

type Slot = keyof typeof SLOTS

const isOwn = ({ slot }: { readonly slot: string }): boolean => slot.startsWith("person:")

/** Optional files: the setting, their type (II 2.11), and what they are called. */
const OTHERS = [
  ["order", "prood_order", "the order"],
  ["delivery", "proof_delivery", "the proof of delivery"],
  ["shipping", "shipping", "what came of shipping it"]
] as const

/** Stores a file in its slot. Returns what could not be obtained. */
const keep = (db: Db, subject: string, slot: Slot, got: Got, now: number): ReadonlyArray<string> => {
  const why =
    got === undefined || "why" in got ? got?.why : FileStore.keep(db, subject, { ...got, slot, type: slot }, now)
  if (why === undefined) return []
  // An earlier copy of the invoice is better than none; an earlier statement of account is outdated.
  if (slot === "statement") FileStore.remove(db, subject, slot)
  else if (FileStore.list(db, subject).some((file) => file.slot === slot)) return []
  return [`${SLOTS[slot]}: ${why}, or attach one with \`daybook collect\``]
}

/** The documents that are made from an order if there is no file. */
type Made = { readonly [Of in keyof Proofs]: Got }

/** Stores the user's optional files; a missing one is not reported. Returns what is wrong with the others. */
const keepOthers = (
  db: Db,
  { planning }: Connection,
  { invoice, key }: Late,
  { folder }: ConnectorContext,
  made: Made,
  now: number
): ReadonlyArray<string> => {
  const where = planning.cover === undefined ? {} : patterns(planning.cover)
  return OTHERS.flatMap(([setting, type, called]) => {
    const pattern = where[setting]
    const own = pattern === undefined ? undefined : ownFile(folder, pattern, invoice)
    const isMissing = own === undefined || ("why" in own && own.absent === true)
    const got = isMissing && setting !== "shipping" && made[setting] !== undefined ? made[setting] : own
    const why = got === undefined || "why" in got ? got : FileStore.keep(db, key, { ...got, slot: type, type }, now)
    if (why === undefined && got !== undefined) return []
    FileStore.remove(db, key, type)
    const words = typeof why === "string" ? why : why?.absent === true ? undefined : why?.why
    return words === undefined ? [] : [`${called}: ${words}`]
  })
}

/** Stores the findings, and plans the document again if they changed. Returns whether they did. */
export const remember = (
  db: Db,
  subject: string,
  overdue: number,
  problems: ReadonlyArray<string>,
  now: number
): boolean => {
  const text = JSON.stringify(problems)
  const before = db.prepare("SELECT overdue, problems FROM collection_gathered WHERE subject = ?").get(subject) as
    | { readonly overdue: number; readonly problems: string }
    | undefined
  db.prepare(
    `INSERT INTO collection_gathered (subject, at, overdue, problems) VALUES (?, ?, ?, ?)
      ON CONFLICT (subject) DO UPDATE SET at = excluded.at, overdue = excluded.overdue, problems = excluded.problems`
  ).run(subject, now, overdue, text)
  const isNew = before === undefined || before.problems !== text || before.overdue > 0 !== overdue > 0
  if (isNew) ChangedDocuments.touch(db, subject)
  return isNew
}

/** What is known about an invoice's buyer and order. */
interface Prepared {
  readonly account: Account
  readonly proofs: Proofs
}

/** A document made from the books. */
const fromBooks = (
  make: () => Promise<{ readonly name: string; readonly bytes: Uint8Array } | { readonly why: string }>
) => Effect.map(Effect.promise(make), (made): Got => ("why" in made ? made : { ...made, origin: "the books" }))

/** Gathers for one invoice. */
const gatherOne = (
  connection: Connection,
  late: Late,
  { account, proofs }: Prepared,
  context: ConnectorContext
): Effect.Effect<void, StateError, Database | Requirements> =>
  Effect.gen(function* () {
    const db = yield* Database
    const now = yield* Clock.currentTimeMillis
    const files = yield* db.read(() => FileStore.list(db, late.key))
    const isGiven = (type: Slot | "prood_order" | "proof_delivery") =>
      files.some((file) => isOwn(file) && file.type === type)
    const held = files.find(({ slot }) => slot === "invoice")
    const isFresh = held !== undefined && held.origin !== OWN && held.read <= now && now - held.read < ASKED_EVERY_MS
    const copy = isGiven("invoice") || isFresh ? undefined : yield* copyOf(connection, late, context)
    const { deliveryFile, orderFile, statementFile } = yield* Effect.promise(() => import("./StatementFile.ts"))
    const statement = isGiven("statement") ? undefined : yield* fromBooks(() => statementFile(account.statement))
    const { delivery, order } = proofs
    const made: Made = {
      order: order === undefined || isGiven("prood_order") ? undefined : yield* fromBooks(() => orderFile(order)),
      delivery:
        delivery === undefined || isGiven("proof_delivery") ? undefined : yield* fromBooks(() => deliveryFile(delivery))
    }
    yield* db.commit(() => {
      for (const type of ["invoice", "statement"] as const) if (isGiven(type)) FileStore.remove(db, late.key, type)
      const problems = [
        ...keep(db, late.key, "invoice", copy, now),
        ...keep(db, late.key, "statement", statement, now),
        ...keepOthers(db, connection, late, context, made, now)
      ]
      remember(db, late.key, account.overdue, problems, now)
    })
  })

/**
 * Gathers for every invoice of a connection that may be handed over.
 *
 * @param only gathers for this one alone
 */
export const gather = (
  connection: Connection,
  context: ConnectorContext,
  only?: string
): Effect.Effect<void, StateError, Database | Requirements> =>
  Effect.gen(function* () {
    if (connection.planning.cover?.handover === undefined) return
    const db = yield* Database
    const today = Day.fromEpochMillis(yield* Clock.currentTimeMillis)
    const late = yield* db.snapshot(() => {
      const found = (only === undefined ? subjectsOf(db, connection.id) : [only]).flatMap(
        (subject) => lateOf(db, subject) ?? []
      )
      if (found.length === 0) return []
      const buyers = invoicesOf(db, connection.id, new Set(found.map(({ invoice }) => partyKey(invoice))))
      return found.map((one) => {
        const keys = buyers.get(partyKey(one.invoice)) ?? []
        const account = accountOf(db, connection.planning, one, keys, today)
        return { one, account, proofs: proofsOf(db, connection.id, connection.planning, one.invoice) }
      })
    })
    for (const { one, ...prepared } of late) yield* gatherOne(connection, one, prepared, context)
  })
