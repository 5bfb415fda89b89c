/** The pages and downloads that only read the books: of large ones they are made in a thread (`ThreadOfPages.ts`). */
import { Clock, Effect } from "effect"
import { KINDS, type Kind } from "../../connectors/Document.ts"
import * as Day from "../../core/wire/Day.ts"
import * as Explain from "../../sync/library/Explain.ts"
import * as Dashboard from "../../sync/reports/Dashboard.ts"
import * as Debtors from "../../sync/reports/Debtors.ts"
import * as Payouts from "../../sync/reports/Payouts.ts"
import * as QuarantinedRecords from "../../sync/reports/QuarantinedRecords.ts"
import { coverSheet } from "../../sync/reports/sheets/Cover.ts"
import { attentionSheet } from "../../sync/reports/sheets/Records.ts"
import type { Sheet } from "../../sync/reports/sheets/Sheet.ts"
import { Database, type Db } from "../../sync/state/Database.ts"
import * as Activity from "./Activity.ts"
import * as AttentionList from "./AttentionList.ts"
import * as CoverRoutes from "./CoverRoutes.ts"
import * as CustomerRoutes from "./CustomerRoutes.ts"
import * as DebtorPage from "./Debtors.ts"
import * as DocumentPage from "./Documents.ts"
import { documentTitle } from "./DocumentTitle.ts"
import * as Downloads from "./Downloads.ts"
import * as MonthRoutes from "./MonthRoutes.ts"
import { payoutsPage } from "./Payouts.ts"
import * as ReceivablesRoutes from "./ReceivablesRoutes.ts"
import { remembered } from "./Remembered.ts"
import { showRules } from "./Rules.ts"
import { showSearch } from "./Search.ts"
import { nothing, type ReadingHandler } from "./Response.ts"
import * as TodayRoutes from "./TodayRoutes.ts"
import { t } from "./language/Texts.ts"

const MOST = 50
/** The documents that an address asks for. */
const documentsOf = (query: URLSearchParams, ids: ReadonlyArray<string>): Dashboard.Wanted => ({
  connection: ids.find((id) => id === query.get("connection")) ?? ids[0] ?? "",
  kind: KINDS.find((one) => one === query.get("kind")) ?? ("invoice" satisfies Kind),
  only: (["open", "differs"] as const).find((one) => one === query.get("only")) ?? "all",
  text: (query.get("q") ?? "").trim(),
  after: query.get("after") ?? ""
})

type Sheets = (db: Db, asked: URLSearchParams, ids: ReadonlyArray<string>, today: Day.Day) => Sheet

/** A list as a file. */
const download =
  (name: string, ending: Downloads.Ending, sheetOf: Sheets): ReadingHandler =>
  ({ query }, { connections }) =>
    Effect.gen(function* () {
      const ids = connections.map(({ id }) => id)
      const day = Day.fromEpochMillis(yield* Clock.currentTimeMillis)
      return yield* Downloads.asFile(`${name}-${day}`, ending, (books) => sheetOf(books, query, ids, day))
    })

const FILES: Readonly<Record<string, Sheets>> = {
  documents: (db, query, ids) => Dashboard.documentsSheet(db, documentsOf(query, ids)),
  attention: (db, _, ids) => attentionSheet(db, ids),
  debtors: (db, _, ids) => Debtors.debtorsSheet(db, ids),
  cover: (db, _, ids) => coverSheet(db, ids),
  payouts: (db, _, ids, today) => Payouts.payoutsSheet(db, ids, today)
}

const showDocuments: ReadingHandler = ({ query }, { connections }) =>
  Effect.gen(function* () {
    const db = yield* Database
    const ids = connections.map(({ id }) => id)
    const wanted = documentsOf(query, ids)
    const { connection } = wanted
    const found = yield* db.read(() => Dashboard.documents(db, wanted, MOST + 1))
    const shown = found.slice(0, MOST)
    const quarantined =
      wanted.text === "" || wanted.after !== ""
        ? []
        : yield* db.read(() => QuarantinedRecords.searched(db, connection, wanted.text, MOST))
    return {
      title: t`Documents`,
      at: "/documents",
      body: DocumentPage.list(wanted, ids, { found: shown, more: found.length > MOST, quarantined })
    }
  })

const showDocument: ReadingHandler = ({ form, path }) =>
  Effect.gen(function* () {
    const db = yield* Database
    const key = path[1] ?? ""
    const today = Day.fromEpochMillis(yield* Clock.currentTimeMillis)
    const found = yield* db.read(() => {
      const [subject = key.endsWith("/owner") ? key : undefined] = Explain.subjects(db, key)
      return subject === undefined ? undefined : Explain.story(db, subject)
    })
    return found === undefined
      ? nothing
      : { title: documentTitle(found), at: "/documents", body: DocumentPage.story(found, today, form) }
  })

const debtors = remembered((db, key) => {
  const ids = JSON.parse(key) as ReadonlyArray<string>
  return [false, true].map((chosen) => ids.flatMap((id) => Debtors.list(db, id, { chosen })))
})

const showDebtors: ReadingHandler = (_, { connections }) =>
  Effect.gen(function* () {
    const db = yield* Database
    const ids = connections.map(({ id }) => id)
    const [open = [], chosen = []] = yield* db.read(() => debtors(db, JSON.stringify(ids)))
    return { title: t`Companies to confirm`, at: "/debtors", body: DebtorPage.list(open, chosen) }
  })

const showPayouts: ReadingHandler = (_, { connections }) =>
  Effect.gen(function* () {
    const db = yield* Database
    const today = Day.fromEpochMillis(yield* Clock.currentTimeMillis)
    const ids = connections.map(({ id }) => id)
    const report = yield* db.read(() => Payouts.report(db, ids, today))
    return { title: t`Payouts`, at: "/connections", body: payoutsPage(report) }
  })

/** `GET /documents.csv` and so on. */
const DOWNLOADS = Object.fromEntries(
  Object.entries(FILES).flatMap(([name, sheetOf]) =>
    (["csv", "xlsx"] as const).map((ending) => [`GET /${name}.${ending}`, download(name, ending, sheetOf)])
  )
)

/** `*` stands for one segment of a path. */
export const READING: Readonly<Record<string, ReadingHandler>> = {
  ...DOWNLOADS,
  "GET /": TodayRoutes.show,
  "GET /changes": TodayRoutes.changes,
  "GET /changes.csv": TodayRoutes.download("csv"),
  "GET /changes.xlsx": TodayRoutes.download("xlsx"),
  "GET /activity": Activity.show,
  "GET /activity.csv": Activity.download("csv"),
  "GET /activity.xlsx": Activity.download("xlsx"),
  "GET /attention": AttentionList.list,
  "GET /attention/all": AttentionList.several,
  "GET /receivables": ReceivablesRoutes.show,
  "GET /receivables.csv": ReceivablesRoutes.download("csv"),
  "GET /receivables.xlsx": ReceivablesRoutes.download("xlsx"),
  "GET /failed": ReceivablesRoutes.failed,
  "GET /failed.csv": ReceivablesRoutes.downloadFailed("csv"),
  "GET /failed.xlsx": ReceivablesRoutes.downloadFailed("xlsx"),
  "GET /customers": CustomerRoutes.list,
  "GET /customers.csv": CustomerRoutes.download("csv"),
  "GET /customers.xlsx": CustomerRoutes.download("xlsx"),
  "GET /customers/*": CustomerRoutes.one,
  "GET /customers/*/statement.csv": CustomerRoutes.statement("csv"),
  "GET /customers/*/statement.xlsx": CustomerRoutes.statement("xlsx"),
  "GET /customers/*/statement.pdf": CustomerRoutes.statementPdf,
  "GET /documents": showDocuments,
  "GET /documents/*": showDocument,
  "GET /payouts": showPayouts,
  "GET /months": MonthRoutes.show,
  "GET /months.xlsx": MonthRoutes.workbook,
  "GET /months.pdf": MonthRoutes.pdf,
  "GET /search": showSearch,
  "GET /rules": showRules,
  "GET /cover": CoverRoutes.show,
  "GET /debtors": showDebtors
}

/** The handler of an address; `*` stands for one segment. */
export const among = <A>(
  routes: Readonly<Record<string, A>>,
  method: string,
  path: ReadonlyArray<string>
): A | undefined => {
  const exact = routes[`${method} /${path.join("/")}`]
  if (exact !== undefined || path.length < 2) return exact
  return routes[`${method} /${[path[0], "*", ...path.slice(2)].join("/")}`]
}

/** The handler of an address that is read. */
export const handlerOf = (path: ReadonlyArray<string>): ReadingHandler | undefined => among(READING, "GET", path)
