/**
 * The page's addresses: what each shows, and what its forms do. Nothing is shown without a session, and nothing is done
 * without a form of that session. Works without scripts; none are allowed.
 */
import { Clock, Effect, Schema, Stream } from "effect"
import { KINDS, type Kind } from "../../connectors/Document.ts"
import { describe } from "../../core/ServiceError.ts"
import * as Day from "../../core/wire/Day.ts"
import { CompanyId } from "../../core/wire/Ids.ts"
import * as Approvals from "../../sync/plan/Approvals.ts"
import * as Guards from "../../sync/plan/Guards.ts"
import * as AttentionStore from "../../sync/apply/AttentionStore.ts"
import * as History from "../../sync/reports/History.ts"
import * as InvoiceStatement from "../../sync/reconciliation/InvoiceStatement.ts"
import { Database } from "../../sync/state/Database.ts"
import * as Debtors from "../../sync/reports/Debtors.ts"
import * as Dashboard from "../../sync/reports/Dashboard.ts"
import * as PaymentStatement from "../../sync/reconciliation/PaymentStatement.ts"
import * as OrderStatement from "../../sync/reconciliation/OrderStatement.ts"
import * as QuarantinedRecords from "../../sync/reports/QuarantinedRecords.ts"
import * as Status from "../../sync/reports/Status.ts"
import * as Plan from "../../sync/plan/Plan.ts"
import { Tally } from "../../sync/plan/Tally.ts"
import * as RunState from "../../sync/schedule/RunState.ts"
import * as Explain from "../../sync/library/Explain.ts"
import { alone, whose } from "../../sync/library/ConnectionLocks.ts"
import type { Route } from "../daemon/Server.ts"
import { type Answer, type Failure, type PageHandler, nothing } from "./Response.ts"
import * as CoverRoutes from "./CoverRoutes.ts"
import * as DebtorPage from "./Debtors.ts"
import * as DocumentPage from "./Documents.ts"
import { html } from "./Html.ts"
import * as AttentionActions from "./AttentionActions.ts"
import { overview } from "./Overview.ts"
import * as ReceivablesRoutes from "./ReceivablesRoutes.ts"
import * as PlanPage from "./Plans.ts"
import * as Previews from "./Previews.ts"
import { given } from "../../core/Entry.ts"

type Db = Database["Service"]

const MOST = 50
const MOST_CALLS = 200
/** Invoices that changed and are reckoned again for a look at the page, which is about a tenth of a second's work. */
const MOST_CHANGED = 2000

/** What is costly to add up is added up once for each state of the books. */
const remembered = <A>(work: (db: Db, key: string) => A) => {
  let last: { readonly db: Db; readonly state: string; readonly value: A } | undefined
  return (db: Db, key: string): A => {
    const version = db.prepare("PRAGMA data_version").pluck().get()
    const own = db.prepare("SELECT total_changes()").pluck().get()
    const state = `${version} ${own} ${key}`
    if (last?.db !== db || last.state !== state) last = { db, state, value: work(db, key) }
    return last.value
  }
}

const sums = remembered((db, key) => {
  const [day, ...ids] = key.split(" ")
  return {
    statements: InvoiceStatement.statements(db, ids, MOST_CHANGED),
    orders: OrderStatement.statements(db, ids),
    payments: PaymentStatement.statements(db, ids),
    connections: ids.map((id) => Status.connection(db, id)),
    ageing: Dashboard.ageing(db, day as Day.Day),
    calls: Dashboard.calls(db, day as Day.Day, 30)
  }
})

const showOverview: PageHandler = (_, { connections }) =>
  Effect.gen(function* () {
    const db = yield* Database
    const now = yield* Clock.currentTimeMillis
    const day = Day.fromEpochMillis(now)
    const data = yield* db.read(() => {
      const known = sums(db, [day, ...connections.map(({ id }) => id)].join(" "))
      const turns = RunState.all(db)
      return {
        ...known,
        connections: known.connections.map((row, i) => {
          const { connector, every, id } = given(connections[i], row.connection)
          const turn = turns.get(id)
          const next = turn === undefined ? undefined : RunState.next(turn, every, now)
          return { ...row, source: connector.name, turn, next: Number.isFinite(next) ? next : undefined }
        }),
        attention: AttentionStore.count(db),
        approvals: Approvals.list(db),
        runs: Status.runs(db, 10),
        quarantined: QuarantinedRecords.all(db, 100),
        notReadable: Status.quarantinedCount(db),
        drift: Status.drift(db, 20),
        pendingCalls: Status.pendingCalls(db)
      }
    })
    return { title: "Overview", at: "/", body: overview(data) }
  })

const showPlans: PageHandler = (asked, { connections }) =>
  Effect.gen(function* () {
    const db = yield* Database
    const approvals = yield* db.read(() => Approvals.list(db))
    const today = Day.fromEpochMillis(yield* Clock.currentTimeMillis)
    const waiting: Array<PlanPage.Waiting> = []
    for (const approval of approvals) {
      const connection = connections.find(({ id }) => id === approval.connection)
      if (connection === undefined) continue
      const tally = new Tally()
      const calls: Array<PlanPage.PlannedCall> = []
      yield* Stream.runForEach(Plan.stream([connection]), (planned) =>
        Effect.sync(() => {
          tally.add(planned)
          if (calls.length >= MOST_CALLS) return
          const customer = History.customer(db, planned.subject)
          const currency = planned.kind === "owner" ? "" : planned.currency
          for (const call of planned.calls.slice(0, MOST_CALLS - calls.length)) calls.push({ call, currency, customer })
        })
      )
      const summary = tally.summary()
      const stops = yield* db.read(() => Guards.stops(db, [connection], summary, today))
      waiting.push({ approval, calls, stops, summary })
    }
    return { title: "Plans", at: "/plans", body: PlanPage.list(waiting, asked) }
  })

const decide =
  (decision: "approved" | "rejected"): PageHandler =>
  ({ name, posted }, { wake }) =>
    Effect.gen(function* () {
      const db = yield* Database
      const now = yield* Clock.currentTimeMillis
      const who = name === "" ? "the page" : name
      const [connection, digest] = [posted.get("connection") ?? "", posted.get("digest") ?? ""]
      const decided = yield* db.hold(
        db.transaction(() => Approvals.decide(db, { connection, digest, decision, who }, now))
      )
      if (decided) yield* wake(connection)
      return { to: "/plans", said: decided ? decision : "moved" }
    })

const showDocuments: PageHandler = ({ query }, { connections }) =>
  Effect.gen(function* () {
    const db = yield* Database
    const ids = connections.map(({ id }) => id)
    const kind = KINDS.find((one) => one === query.get("kind")) ?? ("invoice" satisfies Kind)
    const connection = ids.find((id) => id === query.get("connection")) ?? ids[0] ?? ""
    const only = (["open", "differs"] as const).find((one) => one === query.get("only")) ?? "all"
    const wanted: Dashboard.Wanted = {
      connection,
      kind,
      only,
      text: (query.get("q") ?? "").trim(),
      after: query.get("after") ?? ""
    }
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
    return found === undefined ? nothing : { title: found.key, at: "/documents", body: DocumentPage.story(found) }
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
      const db = yield* Database
      const now = yield* Clock.currentTimeMillis
      const debtor = yield* debtorOf(posted)
      const company = posted.get("company") ?? ""
      if (debtor === undefined || (said === "chosen" && !Schema.is(CompanyId)(company)))
        return { to: "/debtors", said: "nobody" }
      yield* db.hold(
        alone(
          db,
          whose(connections, `${debtor.connection}/`),
          db.transaction(() =>
            said === "chosen" ? Debtors.choose(db, debtor, company as CompanyId, now) : Debtors.forget(db, debtor)
          )
        )
      )
      yield* wake(debtor.connection)
      return { to: "/debtors", said }
    })

/** `*` stands for any one part of an address. */
const ROUTES: Readonly<Record<string, PageHandler>> = {
  "GET /": showOverview,
  "GET /plans": showPlans,
  "POST /plans/approve": decide("approved"),
  "POST /plans/reject": decide("rejected"),
  "GET /attention": AttentionActions.list,
  "GET /attention/*": AttentionActions.one,
  "POST /attention/*/resolve": AttentionActions.resolve,
  "POST /attention/*/retry": AttentionActions.retry,
  "POST /attention/*/match": AttentionActions.match,
  "POST /payments/undo": AttentionActions.undo,
  "GET /receivables": ReceivablesRoutes.show,
  "GET /receivables.csv": ReceivablesRoutes.download("csv"),
  "GET /receivables.xlsx": ReceivablesRoutes.download("xlsx"),
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

/** The addresses as the daemon's server knows them. */
export const ADDRESSES: ReadonlyArray<readonly [Route["method"], Route["path"]]> = Object.keys(ROUTES).map((route) => {
  const [method, path] = route.split(" ") as [Route["method"], string]
  return [method, path.replace("*", ":which") as Route["path"]]
})

/** The handler of an address, or undefined where the page has none. */
export const find = (method: string, path: ReadonlyArray<string>): PageHandler | undefined => {
  const exact = ROUTES[`${method} /${path.join("/")}`]
  if (exact !== undefined || path.length < 2) return exact
  return ROUTES[`${method} /${[path[0], "*", ...path.slice(2)].join("/")}`]
}

/** How much waits for a person, by entry of the menu. */
export const counts = (db: Db): Readonly<Record<string, number>> => ({
  "/attention": AttentionStore.count(db),
  "/plans": Approvals.waiting(db),
  "/cover": CoverRoutes.waiting(db)
})

/** A page that says what went wrong. */
export const trouble = (failure: Failure): Answer => ({
  title: "That did not work",
  status: 500,
  body: html`<p class="note bad">${failure._tag === "ServiceError" ? describe(failure.reason) : failure.message}</p>`
})
