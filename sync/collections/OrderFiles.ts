/**
 * Gathers the files of invoices and credit notes that are due to be attached to their orders (O8): the user's own where
 * `orders.documents` names them, otherwise the source's. What cannot be had is recorded as a sentence and stops nothing.
 *
 * A file is kept only until it is attached. The user's own files are looked for each time; a source is asked once a day.
 */
import { Clock, Effect, Stream } from "effect"
import type { ConnectorContext as Context, Requirements } from "../../connectors/Connector.ts"
import type { Connection } from "../model/Connection.ts"
import { hasAllPapers, type OrderPaper, WORDS } from "../rules/OrderPapers.ts"
import * as Facts from "../plan/Facts.ts"
import * as OrderPapers from "../plan/OrderPapers.ts"
import { breathe } from "../state/Breathe.ts"
import { Database, type StateError, type Db } from "../state/Database.ts"
import * as FileStore from "./FileStore.ts"
import { remember } from "./Gather.ts"
import { patternFile } from "./PatternFile.ts"

/** How long a source is not asked again. */
const ASKED_EVERY_MS = 20 * 3_600_000

interface Wanted {
  readonly subject: string
  readonly papers: ReadonlyArray<OrderPaper>
}

/** Removes the files that were attached. */
const forget = (db: Db, { id }: Connection): void => {
  const kept = db.prepare("SELECT subject, slot FROM collection_file WHERE subject > ? AND subject < ?")
  for (const { slot, subject } of kept.all(`${id}/order/`, `${id}/order0`) as ReadonlyArray<
    FileStore.StoredFile & { readonly subject: string }
  >)
    if (Facts.remoteOrder(db, subject)?.documents?.some(({ fact }) => fact === slot) === true)
      FileStore.discard(db, subject, slot)
}

/** Of the next orders after `after`, those that lack files; and where to go on. */
const wantedAfter = (db: Db, connection: Connection, after: string) => {
  const rows = Facts.rows(db, after, `${connection.id}/order0`)
  const wanted = rows.flatMap(({ subject }): Array<Wanted> => {
    const remote = Facts.remoteOrder(db, subject)
    if (remote === undefined || hasAllPapers(OrderPapers.withoutVoid(db, remote))) return []
    const due = OrderPapers.dueFor(db, connection, Facts.orderFacts(db, subject), remote)
    const papers = due.filter(({ file }) => file === undefined)
    return papers.length === 0 ? [] : [{ subject, papers }]
  })
  return { wanted, last: rows.at(-1)?.subject }
}

type Got = Omit<FileStore.NewFile, "slot" | "type"> | { readonly why: string } | undefined

/** A document's file from the user's folder or from its source. */
const fileOf = (
  connection: Connection,
  books: Connection,
  { id, number, type }: OrderPaper,
  context: Context | undefined,
  folder: string,
  maySourceBeAsked: boolean
): Effect.Effect<Got, never, Requirements> => {
  const pattern = connection.planning.orders?.documents?.[type]
  if (pattern !== undefined) {
    const found = patternFile(folder, pattern, { id, number }, FileStore.LARGEST_FILE_BYTES, `orders.documents.${type}`)
    return Effect.succeed("why" in found ? found : { ...found, origin: "your files" })
  }
  const { connector, settings } = books
  if (connector.documents === undefined || context === undefined || !maySourceBeAsked) return Effect.succeed(undefined)
  return connector.documents(settings, { kind: type, id }, context, FileStore.LARGEST_FILE_BYTES).pipe(
    Stream.take(1),
    Stream.runCollect,
    Effect.map(([file]): Got => (file === undefined ? undefined : { ...file, origin: connector.name })),
    Effect.catch((error) => Effect.succeed<Got>({ why: error.message }))
  )
}

/** Gathers the files of one order. Returns whether there is anything new. */
const gatherOne = (
  connection: Connection,
  books: Connection,
  { papers, subject }: Wanted,
  context: Context | undefined,
  folder: string
): Effect.Effect<boolean, StateError, Database | Requirements> =>
  Effect.gen(function* () {
    const db = yield* Database
    const now = yield* Clock.currentTimeMillis
    const before = yield* db.read(() =>
      db.prepare("SELECT at FROM collection_gathered WHERE subject = ?").pluck().get(subject)
    )
    const mayAsk = typeof before !== "number" || before > now || now - before >= ASKED_EVERY_MS
    const found = yield* Effect.forEach(papers, (paper) =>
      Effect.map(fileOf(connection, books, paper, context, folder, mayAsk), (got) => ({ paper, got }))
    )
    return yield* db.commit(() => {
      const said = found.map(({ got, paper: { key, number, type } }) => {
        if (got === undefined) return undefined
        const why = "why" in got ? got.why : FileStore.keep(db, subject, { ...got, slot: key, type }, now)
        return why === undefined ? true : `${WORDS[type]} ${number}: ${why}`
      })
      const problems = said.filter((one) => typeof one === "string")
      const isAsked = mayAsk || papers.some(({ type }) => connection.planning.orders?.documents?.[type] !== undefined)
      return [isAsked && remember(db, subject, 0, problems, now), said.includes(true)].includes(true)
    })
  })

/**
 * Gathers for every order of a connection that has something to attach. Returns whether there is anything new.
 *
 * @param books the connection that has the documents, and how its source is read if it may be
 */
export const gatherOrders = (
  connection: Connection,
  books: Connection,
  context: Context | undefined,
  folder: string
): Effect.Effect<boolean, StateError, Database | Requirements> =>
  Effect.gen(function* () {
    const db = yield* Database
    yield* db.commit(() => forget(db, connection))
    let isNew = false
    for (let after = `${connection.id}/order/`; ; ) {
      const { last, wanted } = yield* db.snapshot(() => wantedAfter(db, connection, after))
      for (const one of wanted) isNew = (yield* gatherOne(connection, books, one, context, folder)) || isNew
      if (last === undefined) return isNew
      after = last
      yield* breathe
    }
  })
