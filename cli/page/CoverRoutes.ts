/** Serves the section on cover and its forms: offers and declarations. */
import { Clock, Effect } from "effect"
import { kindOf } from "../../connectors/Document.ts"
import * as Day from "../../core/wire/Day.ts"
import * as Collections from "../../sync/decisions/Collections.ts"
import { digestOfOffers } from "../../sync/decisions/Drafts.ts"
import * as Offers from "../../sync/decisions/Offers.ts"
import { decideAbout } from "../../sync/decisions/Items.ts"
import type { Connection } from "../../sync/model/Connection.ts"
import * as CollectionList from "../../sync/reports/CollectionList.ts"
import * as Cover from "../../sync/reports/Cover.ts"
import { exposure } from "../../sync/reports/CoverExposure.ts"
import { Database, type Db } from "../../sync/state/Database.ts"
import * as CollectionPage from "./Collections.ts"
import { collectionOf, room } from "./Cover.ts"
import { html, sentence } from "./Html.ts"
import { prepared } from "./Prepared.ts"
import { sentenceText } from "./language/Sentences.ts"
import { type Answer, nothing, type PageHandler, type PostedFile, type ReadingHandler, type SAID } from "./Response.ts"
import { t } from "./language/Texts.ts"

/** The connection of an invoice; undefined if no connection with cover has it. */
const ownerOf = (connections: ReadonlyArray<Connection>, subject: string): Connection | undefined =>
  kindOf(subject) === "invoice"
    ? connections.find(({ id, planning }) => planning.cover !== undefined && subject.startsWith(`${id}/invoice/`))
    : undefined

export const show: ReadingHandler = (asked, { connections }) =>
  Effect.gen(function* () {
    const db = yield* Database
    const now = yield* Clock.currentTimeMillis
    const data = yield* db.read(() => {
      const covered = Cover.watched(db, connections)
      const exposed = covered.map(({ id }) => exposure(db, id))
      return {
        today: Day.fromEpochMillis(now),
        buyers: exposed.flatMap(({ buyers }) => buyers),
        totals: exposed.flatMap(({ totals }) => totals),
        sellerless: covered.filter(({ planning }) => planning.creditor === undefined).map(({ id }) => id),
        budgets: covered.flatMap((one) => Cover.budget(db, one, now) ?? []),
        offers: covered.flatMap((one) => Cover.offers(db, one, now)),
        deadlines: covered.flatMap((one) => Cover.deadlinesOf(db, one, now)),
        collections: covered.flatMap(({ id }) => CollectionList.collections(db, id, now))
      }
    })
    const named = new Set(asked.query.getAll("offer"))
    const chosen = data.offers.filter(({ subject }) => named.has(subject))
    const { isMoved, note } = prepared(asked.query, digestOfOffers(chosen))
    return { title: t`Cover`, at: "/cover", body: html`${note}${room(data, asked, isMoved ? [] : chosen)}` }
  })

/** As it was written: a name of several lines is refused, and not made into another one. */
const whoOf = (posted: URLSearchParams): string => (posted.get("name") ?? "").trim()

const refused = (why: string, to: string): Answer => ({
  title: t`Nothing was changed`,
  at: "/cover",
  status: 409,
  body: html`<p class="note bad">${sentence(why)}.</p><p><a href=${to}>Look at it again</a></p>`
})

export const decide =
  (decision: "buy" | "reject"): PageHandler =>
  ({ person, posted }, context) =>
    Effect.gen(function* () {
      const who = whoOf(posted)
      if (who === "") return refused(t`Say who decides: write your name beside the button`, "/cover")
      const named = [...new Set(posted.getAll("offer"))].map((text) => {
        const subject = text.slice(text.indexOf(" ") + 1)
        return { subject, digest: text.slice(0, text.indexOf(" ")), connection: ownerOf(context.connections, subject) }
      })
      const known = named.flatMap(({ connection, ...one }) =>
        connection === undefined ? [] : [{ ...one, connection }]
      )
      if (known.length < named.length) return nothing
      if (known.length === 0) return refused(t`Choose the offers that it is about`, "/cover")
      const limit = person.upTo === undefined ? {} : { upTo: person.upTo }
      const keys = known.map(({ subject }) => subject)
      const done = yield* decideAbout(context, keys, (db, now) => {
        const reasons = Offers.decide(db, known, { decision, who, ...limit }, now)
        return reasons.length === 0 || { why: reasons.join("; ") }
      })
      if (done !== true) return refused(t`Nothing was decided: ${done.why}`, "/cover")
      return { to: "/cover", said: decision === "buy" ? "bought" : "notBought" }
    })

export const showCollection: PageHandler = (asked, { connections }) =>
  Effect.gen(function* () {
    const subject = asked.path[1] ?? ""
    const connection = ownerOf(connections, subject)
    if (connection === undefined) return nothing
    const answer = yield* Collections.show(connection, subject)
    if ("why" in answer)
      return {
        title: subject,
        at: "/cover",
        body: html`<p>This invoice cannot be handed over: ${sentence(answer.why)}.</p><p><a href="/cover">Cover</a></p>`
      }
    return { title: t`Collection of ${answer.view.number}`, at: "/cover", body: CollectionPage.one(answer, asked) }
  })

/** Carries out a collection's form. */
const act =
  (
    said: keyof typeof SAID,
    of: (posted: URLSearchParams, file: PostedFile | undefined) => Collections.CollectionAct | string
  ): PageHandler =>
  ({ file, path, posted }, { connections, wake }) =>
    Effect.gen(function* () {
      const subject = path[1] ?? ""
      const connection = ownerOf(connections, subject)
      if (connection === undefined) return nothing
      const step = of(posted, file)
      const why = typeof step === "string" ? step : yield* Collections.decide(connection, subject, step)
      const to = collectionOf(subject)
      if (why !== undefined) return refused(t`Not done: ${sentenceText(why)}`, to)
      yield* wake(connection.id)
      return { to, said }
    })

export const confirm: PageHandler = act("confirmed", (posted) => {
  const text = (name: string) => {
    const value = (posted.get(name) ?? "").trim()
    return value === "" ? {} : { [name]: value }
  }
  const disputed = posted.get("disputed")
  if (disputed !== "yes" && disputed !== "no") return t`say whether the buyer disputes it`
  return {
    step: "confirm",
    who: whoOf(posted),
    digest: posted.get("digest") ?? "",
    disputed: disputed === "yes",
    ...(disputed === "yes" ? text("reasons") : {}),
    ...text("comments"),
    // An unchecked box is not a declaration.
    confirm_correct: posted.get("confirm_correct") === "yes",
    collections_terms_acceptance: posted.get("collections_terms_acceptance") === "yes"
  }
})

export const withdraw: PageHandler = act("withdrawn", (posted) => ({ step: "withdraw", who: whoOf(posted) }))

export const attach: PageHandler = act("attached", (posted, file) =>
  file === undefined
    ? t`choose a file`
    : { step: "attach", ...file, type: posted.get("type") ?? "", who: whoOf(posted) }
)

export const detach: PageHandler = act("detached", (posted) => ({
  step: "detach",
  name: posted.get("file") ?? "",
  who: whoOf(posted)
}))

/** How many invoices' cover waits for a person. */
export const waiting = (db: Db): number =>
  db
    .prepare("SELECT count(DISTINCT subject) FROM attention WHERE closed IS NULL AND rule IN ('Q5', 'Q10', 'H5')")
    .pluck()
    .get() as number
