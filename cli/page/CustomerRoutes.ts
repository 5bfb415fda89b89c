/** Serves the section on customers: the list, a page for each, notes, and downloads. */
import { Clock, Effect } from "effect"
import { isCurrency } from "../../core/money/Currency.ts"
import * as Day from "../../core/wire/Day.ts"
import * as Notes from "../../sync/decisions/Notes.ts"
import * as Reports from "../../sync/reports/Customers.ts"
import { lateness, usual } from "../../sync/reports/Expected.ts"
import * as CustomerStatement from "../../sync/reports/CustomerStatement.ts"
import * as Receivables from "../../sync/reports/Receivables.ts"
import { Database } from "../../sync/state/Database.ts"
import { customerList, customerPage } from "./Customers.ts"
import * as Downloads from "./Downloads.ts"
import { html, sentence } from "./Html.ts"
import { nothing, type PageHandler, type ReadContext, type ReadingHandler } from "./Response.ts"
import { t } from "./language/Texts.ts"

const MOST = 100
const MOST_OPEN = 200
const LONGEST_NOTE = 2000

const idsOf = ({ connections }: ReadContext): ReadonlyArray<string> => connections.map(({ id }) => id)

const wanted = (query: URLSearchParams, around: ReadContext) => {
  const [text, currency] = [query.get("q")?.trim() ?? "", query.get("currency") ?? ""]
  const skip = Number(query.get("skip") ?? "0")
  return {
    filter: {
      connections: idsOf(around),
      currency: isCurrency(currency) ? currency : undefined,
      text: text === "" ? undefined : text
    },
    sort: Reports.CUSTOMER_SORTS.find((one) => one === query.get("sort")) ?? ("open" as const),
    skip: Number.isSafeInteger(skip) && skip > 0 ? skip : 0
  }
}

const today = Effect.map(Clock.currentTimeMillis, Day.fromEpochMillis)

export const list: ReadingHandler = ({ query }, around) =>
  Effect.gen(function* () {
    const db = yield* Database
    const day = yield* today
    const { filter, skip, sort } = wanted(query, around)
    const shown = yield* db.snapshot(() => {
      const rows = Reports.customers(db, filter, { sort, skip, most: MOST + 1 }, day)
      return {
        ...{ filter, sort, skip, more: rows.length > MOST },
        currencies: Receivables.totals(db, { connections: filter.connections }, day).map(({ currency }) => currency),
        rows: rows.slice(0, MOST).map((row) => ({ ...row, usual: usual(lateness(db, row.id))?.days }))
      }
    })
    return { title: t`Customers`, at: "/customers", body: customerList(shown) }
  })

export const download =
  (ending: Downloads.Ending): ReadingHandler =>
  ({ query }, around) =>
    Effect.gen(function* () {
      const day = yield* today
      const { filter, sort } = wanted(query, around)
      return yield* Downloads.asFile(`customers-${day}`, ending, (books) =>
        Reports.customersSheet(books, filter, sort, day)
      )
    })

/** The customer in the address. */
const found = (path: ReadonlyArray<string>, around: ReadContext) =>
  Effect.gen(function* () {
    const db = yield* Database
    const id = /^\d{1,15}$/.test(path[1] ?? "") ? Number(path[1]) : undefined
    return id === undefined ? undefined : yield* db.read(() => Reports.find(db, idsOf(around), id))
  })

export const one: ReadingHandler = (asked, around) =>
  Effect.gen(function* () {
    const db = yield* Database
    const day = yield* today
    const customer = yield* found(asked.path, around)
    if (customer === undefined) return nothing
    const page = yield* db.snapshot(() => {
      const filter = { connections: [customer.connection], customer: customer.id }
      return {
        story: Reports.story(db, customer, Receivables.totals(db, filter, day)),
        open: Receivables.receivables(db, filter, { sort: "due", skip: 0, most: MOST_OPEN }, day),
        account: Reports.account(db, customer.id)
      }
    })
    const title = customer.name === "" ? t`Customer without a name` : customer.name
    return { title, at: "/customers", body: customerPage(page, asked) }
  })

export const statement =
  (ending: Downloads.Ending): ReadingHandler =>
  ({ path }, around) =>
    Effect.gen(function* () {
      const customer = yield* found(path, around)
      if (customer === undefined) return nothing
      return yield* Downloads.asFile(`statement-of-account-${customer.id}-${yield* today}`, ending, (books) =>
        Reports.accountSheet(books, customer.id)
      )
    })

/** The statement of what the customer owes in one currency, to send to the customer. */
export const statementPdf: ReadingHandler = ({ path, query }, around) =>
  Effect.gen(function* () {
    const customer = yield* found(path, around)
    const currency = query.get("currency") ?? ""
    const connection = around.connections.find(({ id }) => id === customer?.connection)
    if (customer === undefined || connection === undefined || !isCurrency(currency)) return nothing
    const day = yield* today
    const made = yield* CustomerStatement.statementPdf(connection.planning, customer, currency, day)
    return "why" in made
      ? {
          title: t`No statement of account`,
          at: "/customers",
          status: 404,
          body: html`<p>There is no statement to download: ${sentence(made.why)}.</p><p><a href=${`/customers/${customer.id}`}>Back to the customer</a></p>`
        }
      : {
          file: `statement-of-account-${customer.id}-${currency}-${day}.pdf`,
          type: "application/pdf",
          body: made.bytes
        }
  })

/** Adds a note. */
export const note: PageHandler = ({ name, path, posted }, around) =>
  Effect.gen(function* () {
    const customer = yield* found(path, around)
    const words = (posted.get("words") ?? "").trim().slice(0, LONGEST_NOTE)
    if (customer === undefined || words === "") return nothing
    const who = name === "" ? "the page" : name
    yield* Notes.about(customer, who, words)
    return { to: `/customers/${customer.id}`, said: "noted" }
  })
