/**
 * Maps the page's addresses to what each shows and what its forms do. Nothing is shown without a session, and nothing is
 * done without a form of that session. Everything works without scripts.
 */
import { Clock, Effect, Schema } from "effect"
import { KINDS, type Kind } from "../../connectors/Document.ts"
import { describe } from "../../core/ServiceError.ts"
import { CompanyId } from "../../core/wire/Ids.ts"
import * as Approvals from "../../sync/plan/Approvals.ts"
import * as AlertStore from "../../sync/alerts/AlertStore.ts"
import * as AttentionStore from "../../sync/apply/AttentionStore.ts"
import { Database } from "../../sync/state/Database.ts"
import * as Debtors from "../../sync/reports/Debtors.ts"
import * as Dashboard from "../../sync/reports/Dashboard.ts"
import * as QuarantinedRecords from "../../sync/reports/QuarantinedRecords.ts"
import * as Explain from "../../sync/library/Explain.ts"
import * as Decisions from "../../sync/decisions/Debtors.ts"
import type { Route } from "../daemon/Server.ts"
import { type Answer, type Failure, type PageHandler, nothing } from "./Response.ts"
import * as AlertRoutes from "./AlertRoutes.ts"
import * as CustomerRoutes from "./CustomerRoutes.ts"
import * as CoverRoutes from "./CoverRoutes.ts"
import * as DebtorPage from "./Debtors.ts"
import * as DocumentPage from "./Documents.ts"
import { documentTitle } from "./DocumentTitle.ts"
import { html } from "./Html.ts"
import * as Downloads from "./Downloads.ts"
import * as Day from "../../core/wire/Day.ts"
import type { Sheet } from "../../sync/reports/sheets/Sheet.ts"
import { attentionSheet } from "../../sync/reports/sheets/Records.ts"
import { coverSheet } from "../../sync/reports/sheets/Cover.ts"
import * as AttentionActions from "./AttentionActions.ts"
import * as People from "./People.ts"
import * as PlanRoutes from "./PlanRoutes.ts"
import { remembered } from "./Remembered.ts"
import * as TodayRoutes from "./TodayRoutes.ts"
import * as Activity from "./Activity.ts"
import * as ConnectionRoutes from "./ConnectionRoutes.ts"
import * as NewConnectionRoutes from "./NewConnectionRoutes.ts"
import * as SetupRoutes from "./SetupRoutes.ts"
import * as ReceivablesRoutes from "./ReceivablesRoutes.ts"
import * as Previews from "./Previews.ts"

type Db = Database["Service"]

const MOST = 50
/** The documents that an address asks for. */
const documentsOf = (query: URLSearchParams, ids: ReadonlyArray<string>): Dashboard.Wanted => ({
  connection: ids.find((id) => id === query.get("connection")) ?? ids[0] ?? "",
  kind: KINDS.find((one) => one === query.get("kind")) ?? ("invoice" satisfies Kind),
  only: (["open", "differs"] as const).find((one) => one === query.get("only")) ?? "all",
  text: (query.get("q") ?? "").trim(),
  after: query.get("after") ?? ""
})

type Sheets = (db: Db, asked: URLSearchParams, ids: ReadonlyArray<string>) => Sheet

/** A list as a file. */
const download =
  (name: string, ending: Downloads.Ending, sheetOf: Sheets): PageHandler =>
  ({ query }, { connections }) =>
    Effect.gen(function* () {
      const ids = connections.map(({ id }) => id)
      const day = Day.fromEpochMillis(yield* Clock.currentTimeMillis)
      return yield* Downloads.asFile(`${name}-${day}`, ending, (books) => sheetOf(books, query, ids))
    })

const FILES: Readonly<Record<string, Sheets>> = {
  documents: (db, query, ids) => Dashboard.documentsSheet(db, documentsOf(query, ids)),
  attention: (db, _, ids) => attentionSheet(db, ids),
  debtors: (db, _, ids) => Debtors.debtorsSheet(db, ids),
  cover: (db, _, ids) => coverSheet(db, ids)
}

const showDocuments: PageHandler = ({ query }, { connections }) =>
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
      title: "Documents",
      at: "/documents",
      body: DocumentPage.list(wanted, ids, { found: shown, more: found.length > MOST, quarantined })
    }
  })

const showDocument: PageHandler = ({ path }) =>
  Effect.gen(function* () {
    const db = yield* Database
    const key = path[1] ?? ""
    const found = yield* db.read(() => {
      const [subject = key.endsWith("/owner") ? key : undefined] = Explain.subjects(db, key)
      return subject === undefined ? undefined : Explain.story(db, subject)
    })
    return found === undefined
      ? nothing
      : { title: documentTitle(found), at: "/documents", body: DocumentPage.story(found) }
  })

const unknown = remembered((db, ids) => ids.split(" ").flatMap((id) => (id === "" ? [] : Debtors.list(db, id))))

const showDebtors: PageHandler = (_, { connections }) =>
  Effect.gen(function* () {
    const db = yield* Database
    const ids = connections.map(({ id }) => id)
    const [open, chosen] = yield* db.read(
      () => [unknown(db, ids.join(" ")), ids.flatMap((id) => Debtors.list(db, id, { chosen: true }))] as const
    )
    return { title: "Debtors", at: "/debtors", body: DebtorPage.list(open, chosen) }
  })

const debtorOf = (params: URLSearchParams) =>
  Effect.gen(function* () {
    const db = yield* Database
    const [connection, party] = [params.get("connection") ?? "", params.get("party") ?? ""]
    return yield* db.read(() =>
      [...Debtors.list(db, connection), ...Debtors.list(db, connection, { chosen: true })].find(
        (one) => one.party === party
      )
    )
  })

const showDebtor: PageHandler = ({ form, query }) =>
  Effect.gen(function* () {
    const debtor = yield* debtorOf(query)
    if (debtor === undefined) return nothing
    const companies = yield* Debtors.candidates(debtor)
    return { title: debtor.name, at: "/debtors", body: DebtorPage.one(debtor, companies, form) }
  })

const matchDebtor =
  (said: "chosen" | "forgotten"): PageHandler =>
  ({ posted }, { connections, wake }) =>
    Effect.gen(function* () {
      const debtor = yield* debtorOf(posted)
      const company = posted.get("company") ?? ""
      if (debtor === undefined || (said === "chosen" && !Schema.is(CompanyId)(company)))
        return { to: "/debtors", said: "nobody" }
      yield* Decisions.match(connections, debtor, said === "chosen" ? (company as CompanyId) : null)
      yield* wake(debtor.connection)
      return { to: "/debtors", said }
    })

/** `GET /documents.csv` and so on. */
const DOWNLOADS = Object.fromEntries(
  Object.entries(FILES).flatMap(([name, sheetOf]) =>
    (["csv", "xlsx"] as const).map((ending) => [`GET /${name}.${ending}`, download(name, ending, sheetOf)])
  )
)

/** `*` stands for one segment of a path. */
const ROUTES: Readonly<Record<string, PageHandler>> = {
  ...DOWNLOADS,
  "GET /": TodayRoutes.show,
  "POST /seen": TodayRoutes.seen,
  "GET /changes": TodayRoutes.changes,
  "GET /changes.csv": TodayRoutes.download("csv"),
  "GET /changes.xlsx": TodayRoutes.download("xlsx"),
  "GET /activity": Activity.show,
  "GET /activity.csv": Activity.download("csv"),
  "GET /activity.xlsx": Activity.download("xlsx"),
  "GET /alerts": AlertRoutes.show,
  "POST /alerts/retry": AlertRoutes.retry,
  "POST /alerts/test": AlertRoutes.test,
  "POST /alerts/channels": AlertRoutes.addChannel,
  "POST /alerts/channels/remove": AlertRoutes.removeChannel,
  "POST /alerts/rules": AlertRoutes.addRule,
  "POST /alerts/rules/remove": AlertRoutes.removeRule,
  "GET /connections": ConnectionRoutes.show,
  "POST /connections/*/sync": ConnectionRoutes.sync,
  "POST /connections/*/pause": ConnectionRoutes.paused("paused"),
  "POST /connections/*/resume": ConnectionRoutes.paused("resumed"),
  "GET /connections/new": NewConnectionRoutes.start,
  "GET /connections/*/setup": SetupRoutes.show,
  "POST /connections/*/setup": SetupRoutes.save,
  "POST /connections/*/file": SetupRoutes.renew,
  "POST /setup/files": NewConnectionRoutes.firstFile,
  "POST /setup/*/files": NewConnectionRoutes.nextFile,
  "GET /setup/*": NewConnectionRoutes.show,
  "POST /setup/*/look": NewConnectionRoutes.look,
  "POST /setup/*/connect": NewConnectionRoutes.connect,
  "POST /setup/source": NewConnectionRoutes.source,
  "GET /people": People.show,
  "POST /people/end": People.end,
  "GET /plans": PlanRoutes.show,
  "GET /plans.csv": PlanRoutes.download("csv"),
  "GET /plans.xlsx": PlanRoutes.download("xlsx"),
  "POST /plans/several/approve": PlanRoutes.several("approved"),
  "POST /plans/several/reject": PlanRoutes.several("rejected"),
  "POST /plans/part": PlanRoutes.part,
  "POST /plans/approve": PlanRoutes.decide("approved"),
  "POST /plans/reject": PlanRoutes.decide("rejected"),
  "GET /attention": AttentionActions.list,
  "POST /attention/all/resolve": AttentionActions.together("resolve"),
  "POST /attention/all/retry": AttentionActions.together("retry"),
  "GET /attention/*": AttentionActions.one,
  "POST /attention/*/resolve": AttentionActions.resolve,
  "POST /attention/*/retry": AttentionActions.retry,
  "POST /attention/*/match": AttentionActions.match,
  "POST /attention/*/same": AttentionActions.same,
  "POST /payments/undo": AttentionActions.undo,
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
  "POST /customers/*/note": CustomerRoutes.note,
  "GET /documents": showDocuments,
  "GET /documents/*": showDocument,
  "GET /preview": Previews.list,
  "GET /preview/*": Previews.list,
  "POST /preview/*": Previews.one,
  "GET /cover": CoverRoutes.show,
  "POST /cover/offers/buy": CoverRoutes.decide("buy"),
  "POST /cover/offers/reject": CoverRoutes.decide("reject"),
  "GET /cover/*": CoverRoutes.showCollection,
  "POST /cover/*/attach": CoverRoutes.attach,
  "POST /cover/*/detach": CoverRoutes.detach,
  "POST /cover/*/confirm": CoverRoutes.confirm,
  "POST /cover/*/withdraw": CoverRoutes.withdraw,
  "GET /debtors": showDebtors,
  "GET /debtors/one": showDebtor,
  "POST /debtors/choose": matchDebtor("chosen"),
  "POST /debtors/forget": matchDebtor("forgotten")
}

/** The addresses in the form for the daemon's server. */
export const ADDRESSES: ReadonlyArray<readonly [Route["method"], Route["path"]]> = Object.keys(ROUTES).map((route) => {
  const [method, path] = route.split(" ") as [Route["method"], string]
  return [method, path.replace("*", ":which") as Route["path"]]
})

/** The handler of an address, or undefined if there is none. */
export const find = (method: string, path: ReadonlyArray<string>): PageHandler | undefined => {
  const exact = ROUTES[`${method} /${path.join("/")}`]
  if (exact !== undefined || path.length < 2) return exact
  return ROUTES[`${method} /${[path[0], "*", ...path.slice(2)].join("/")}`]
}

/** How much waits for a person, by entry of the menu. */
export const counts = (db: Db): Readonly<Record<string, number>> => ({
  "/alerts": AlertStore.counts(db).open,
  "/attention": AttentionStore.count(db),
  "/plans": Approvals.waiting(db),
  "/cover": CoverRoutes.waiting(db)
})

/** A page that says what went wrong. */
export const trouble = (failure: Failure): Answer => ({
  title: "Something went wrong",
  status: 500,
  body: html`<p class="note bad">${failure._tag === "ServiceError" ? describe(failure.reason) : failure.message}</p>`
})
