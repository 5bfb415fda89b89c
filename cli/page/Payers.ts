/** Shows what people said of payers for good, and takes it from a form: that one always pays for a customer, or no longer. */
import { Effect } from "effect"
import * as Payers from "../../sync/decisions/Payers.ts"
import * as Items from "../../sync/decisions/Items.ts"
import * as Aliases from "../../sync/matching/Aliases.ts"
import * as NotOurs from "../../sync/matching/NotOurs.ts"
import type { Person } from "../../sync/model/Person.ts"
import { Database, type Db } from "../../sync/state/Database.ts"
import { button, html, htmlTable, type Node, when } from "./Html.ts"
import { nothing, type PageContext, type PageHandler, type ReadContext } from "./Response.ts"
import { t } from "./language/Texts.ts"

export interface KnownPayers {
  readonly payers: ReadonlyArray<Aliases.Alias>
  readonly kinds: ReadonlyArray<NotOurs.NotOurs>
}

/** The connections that pay for another one, as far as somebody may see both. */
export const paying = ({ connections }: ReadContext): ReadonlyArray<string> =>
  connections.flatMap(({ id, pays }) => (connections.some((one) => one.id === pays?.connection) ? [id] : []))

export const known = (db: Db, around: ReadContext): KnownPayers => ({
  payers: paying(around).flatMap((id) => Aliases.list(db, id)),
  kinds: paying(around).flatMap((id) => NotOurs.list(db, id))
})

export const knownPayers = ({ kinds, payers }: KnownPayers, form: string): Node =>
  payers.length + kinds.length === 0
    ? null
    : html`<h2>What is known of payers</h2>
        ${htmlTable(
          t`What people said, by a choice or for good; the next payments are matched by it`,
          [
            { title: t`Payer` },
            { title: t`Always pays for` },
            { title: t`Connection` },
            { title: t`Since` },
            { title: t`What can be done` }
          ],
          [
            ...payers.map(({ connection, customer, payer, since }) => [
              payer,
              customer,
              connection,
              when(since),
              button(
                "/payments/forget",
                t`Forget`,
                form,
                { connection, payer, customer },
                "plain",
                t`${payer} for ${customer}`
              )
            ]),
            ...kinds.map(({ connection, payer, payment, since, words }) => [
              payer,
              t`no invoice${words === "" || words === NotOurs.ANY ? "" : t`, where its text is like "${words}"`}`,
              connection,
              when(since),
              button("/payments/forget", t`Forget`, form, { connection, payment }, "plain", t`${payer} for no invoice`)
            ])
          ]
        )}`

/** Whether somebody may see both the payments and the invoices that they pay. */
const maySee = ({ connections: own }: Person, { id, pays }: PageContext["connections"][number]): boolean =>
  own === undefined || (own.includes(id) && pays !== undefined && own.includes(pays.connection))

/** Carries it out for a connection that pays for another, once nothing else works on either. */
const decided = (
  { person }: { readonly person: Person },
  context: PageContext,
  id: string,
  work: (db: Db, now: number) => boolean
) =>
  Effect.gen(function* () {
    const connection = context.connections.find((one) => one.id === id)
    if (connection?.pays === undefined || !maySee(person, connection)) return undefined
    return yield* Items.decideAbout(context, [`${id}/`], work)
  })

export const forget: PageHandler = (asked, around) =>
  Effect.gen(function* () {
    const { posted } = asked
    const [connection = "", payer = "", customer = "", payment = ""] = [
      "connection",
      "payer",
      "customer",
      "payment"
    ].map((name) => posted.get(name) ?? "")
    const isOwn = payment === "" || payment.startsWith(`${connection}/`)
    const done = yield* decided(asked, around, connection, (db, now) =>
      payment === ""
        ? Payers.forget(db, { connection, payer, customer }, now)
        : isOwn && Payers.forgetKind(db, payment, now)
    )
    return done === undefined ? nothing : { to: "/attention", said: done ? "payerForgotten" : "handled" }
  })

/** From now on the payer of this item's payment pays for a customer of the books that it is for. */
export const always =
  (paymentOf: (db: Db, id: string) => string | undefined): PageHandler =>
  (asked, around) =>
    Effect.gen(function* () {
      const db = yield* Database
      const payment = yield* db.read(() => paymentOf(db, asked.path[1] ?? ""))
      const customer = asked.posted.get("customer") ?? ""
      if (payment === undefined) return { to: "/attention", said: "handled" }
      const id = payment.slice(0, payment.indexOf("/"))
      const books = around.connections.find((one) => one.id === id)?.pays?.connection ?? ""
      const done = yield* decided(asked, around, id, (db, now) => {
        const isThere = db.prepare("SELECT 1 FROM customer WHERE connection = ? AND name = ?").get(books, customer)
        return isThere !== undefined && Payers.always(db, payment, customer, now)
      })
      return done === undefined ? nothing : { to: "/attention", said: done ? "payerKnown" : "handled" }
    })
