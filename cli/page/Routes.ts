/**
 * Maps the page's addresses to what each shows and what its forms do. Nothing is shown without a session, and nothing is
 * done without a form of that session. Everything works without scripts.
 */
import { Effect, Schema } from "effect"
import { CompanyId } from "../../core/wire/Ids.ts"
import { Database } from "../../sync/state/Database.ts"
import * as Debtors from "../../sync/reports/Debtors.ts"
import * as Decisions from "../../sync/decisions/Debtors.ts"
import type { Route } from "../daemon/Server.ts"
import { type PageHandler, nothing } from "./Response.ts"
import * as AlertRoutes from "./AlertRoutes.ts"
import * as CustomerRoutes from "./CustomerRoutes.ts"
import * as CoverRoutes from "./CoverRoutes.ts"
import * as DebtorPage from "./Debtors.ts"
import * as AttentionActions from "./AttentionActions.ts"
import * as MonthRoutes from "./MonthRoutes.ts"
import * as Payers from "./Payers.ts"
import * as People from "./People.ts"
import * as PlanRoutes from "./PlanRoutes.ts"
import { among, READING } from "./ReadingRoutes.ts"
import { apart } from "./ThreadOfPages.ts"
import * as TodayRoutes from "./TodayRoutes.ts"
import * as ConnectionRoutes from "./ConnectionRoutes.ts"
import * as NewConnectionRoutes from "./NewConnectionRoutes.ts"
import { showSettings } from "./Settings.ts"
import * as SetupRoutes from "./SetupRoutes.ts"
import * as Previews from "./Previews.ts"
import * as UndoRoutes from "./UndoRoutes.ts"
import { chooseLanguage } from "./LanguageChoice.ts"

const debtorOf = (params: URLSearchParams) =>
  Effect.gen(function* () {
    const db = yield* Database
    const [connection, party] = [params.get("connection") ?? "", params.get("party") ?? ""]
    const find = db.read(() => Debtors.find(db, connection, party))
    return yield* apart(db, { type: "debtor", connection, party }, find)
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

/** `*` stands for one segment of a path. */
const ROUTES: Readonly<Record<string, PageHandler>> = {
  ...READING,
  "POST /seen": TodayRoutes.seen,
  "POST /language": chooseLanguage,
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
  "GET /settings": showSettings,
  "GET /people": People.show,
  "POST /people/end": People.end,
  "GET /plans": PlanRoutes.show,
  "GET /plans.csv": PlanRoutes.download("csv"),
  "GET /plans.xlsx": PlanRoutes.download("xlsx"),
  "POST /plans/several/approve": PlanRoutes.several("approved"),
  "POST /plans/several/reject": PlanRoutes.several("rejected"),
  "GET /plans/part": PlanRoutes.showPart,
  "POST /plans/part": PlanRoutes.part,
  "POST /plans/approve": PlanRoutes.decide("approved"),
  "POST /plans/reject": PlanRoutes.decide("rejected"),
  "POST /attention/all/none": AttentionActions.together("none"),
  "POST /attention/all/resolve": AttentionActions.together("close"),
  "POST /attention/all/retry": AttentionActions.together("again"),
  "GET /attention/*": AttentionActions.one,
  "POST /attention/*/resolve": AttentionActions.resolve,
  "POST /attention/*/retry": AttentionActions.retry,
  "POST /attention/*/match": AttentionActions.match,
  "POST /attention/*/same": AttentionActions.same,
  "POST /attention/undo": UndoRoutes.undo("attention"),
  "POST /plans/undo": UndoRoutes.undo("plans"),
  "POST /customers/undo": UndoRoutes.undo("customers"),
  "POST /debtors/undo": UndoRoutes.undo("debtors"),
  "POST /attention/*/always": AttentionActions.always,
  "POST /payments/forget": Payers.forget,
  "POST /payments/ask": AttentionActions.ask,
  "POST /payments/undo": AttentionActions.undo,
  "POST /customers/*/note": CustomerRoutes.note,
  "GET /preview": Previews.list,
  "GET /preview/*": Previews.list,
  "POST /preview/*": Previews.one,
  "POST /months/close": MonthRoutes.close,
  "POST /cover/offers/buy": CoverRoutes.decide("buy"),
  "POST /cover/offers/reject": CoverRoutes.decide("reject"),
  "GET /cover/*": CoverRoutes.showCollection,
  "POST /cover/*/attach": CoverRoutes.attach,
  "POST /cover/*/detach": CoverRoutes.detach,
  "POST /cover/*/confirm": CoverRoutes.confirm,
  "POST /cover/*/withdraw": CoverRoutes.withdraw,
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
export const find = (method: string, path: ReadonlyArray<string>): PageHandler | undefined =>
  among(ROUTES, method, path)
