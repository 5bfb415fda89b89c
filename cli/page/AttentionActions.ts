/**
 * Serves attention items and their forms, which do the same as `daybook attention`.
 */
import { Effect } from "effect"
import * as AttentionStore from "../../sync/apply/AttentionStore.ts"
import { Database, type Db } from "../../sync/state/Database.ts"
import * as MatchCandidates from "../../sync/matching/Candidates.ts"
import * as MatchChoices from "../../sync/matching/Choices.ts"
import { decideTogether, namedItems, type Several } from "../../sync/decisions/Together.ts"
import { digestOfItem, MOST_CANDIDATES } from "../../sync/decisions/Drafts.ts"
import * as Items from "../../sync/decisions/Items.ts"
import * as Movements from "../../sync/decisions/Movements.ts"
import * as FirstDecision from "../../sync/decisions/FirstDecision.ts"
import { type Answer, type PageHandler, nothing } from "./Response.ts"
import * as AttentionPage from "./Attention.ts"
import { stakeOf } from "../../sync/reports/AttentionGroups.ts"
import * as History from "../../sync/reports/History.ts"
import { calledFully } from "./DocumentTitle.ts"
import { button, html, type Node } from "./Html.ts"
import { type BenchFields, benchFields, chosenLines, unclear } from "./Workbench.ts"
import * as Payers from "./Payers.ts"
import { prepared } from "./Prepared.ts"
import * as AttentionList from "./AttentionList.ts"
import { seenBy } from "./OwnBooks.ts"
import type { Person } from "../../sync/model/Person.ts"
import { t } from "./language/Texts.ts"
import { sentenceText } from "./language/Sentences.ts"

/** How many open invoices of a payer are shown beside them. */
const MOST_OWED = 25

const open = (id: string | undefined) =>
  Effect.gen(function* () {
    const db = yield* Database
    return yield* db.read(() =>
      id !== undefined && /^\d{1,15}$/.test(id) ? AttentionStore.find(db, Number(id)) : undefined
    )
  })

const connectionOf = ({ subject }: AttentionStore.OpenAttention): string => subject.slice(0, subject.indexOf("/"))

/** The invoices that a payment may be for, then what else its payer owes. */
const candidatesOf = (db: Db, payment: string) => {
  const candidates = MatchCandidates.candidates(db, payment, MOST_CANDIDATES)
  const known = new Set(candidates.map(({ invoice }) => invoice))
  const owed = MatchCandidates.openOfPayer(db, payment, MOST_OWED).filter(({ invoice }) => !known.has(invoice))
  return { candidates, owed }
}

/** @param asks the invoices of a choice that waits until its consequences were seen */
const show = (
  found: AttentionStore.OpenAttention,
  { fields, form, note = null }: { readonly form: string; readonly fields: BenchFields; readonly note?: Node },
  wrong?: string,
  asks?: ReadonlyArray<string>
) =>
  Effect.gen(function* () {
    const db = yield* Database
    const { asked, bench, document } = yield* db.read(() => {
      const payment = MatchChoices.paymentOf(db, found.subject)
      return {
        asked: Movements.question(db, found),
        document: History.document(db, found.subject),
        bench: MatchChoices.isMatchingItem(found.rule)
          ? {
              ...candidatesOf(db, found.subject),
              received: stakeOf(db, found),
              payer: payment?.party?.name,
              line: payment?.reference,
              fields
            }
          : undefined
      }
    })
    const item = AttentionPage.one(found, form, asked ?? bench, wrong === undefined ? undefined : { wrong, asks })
    const body = html`${note}${item}`
    const answer: Answer = { title: calledFully(found.subject, document), at: "/attention", body }
    return wrong === undefined ? answer : { ...answer, status: 422 }
  })

/** What else there is to choose is looked up as the person may see it. */
const shownTo = (person: Person, ...shown: Parameters<typeof show>) => seenBy(person, show(...shown))

/** If somebody else decided first, the second person sees that decision, and nothing changes. */
const second = (id: string | undefined) =>
  Effect.gen(function* () {
    const db = yield* Database
    const words = yield* db.read(() => FirstDecision.words(db, Number(id)))
    if (words === undefined) return { to: "/attention", said: "handled" } as const
    return { title: t`Attention ${id}`, at: "/attention", status: 409, body: AttentionPage.second(words) } as const
  })

export const one: PageHandler = ({ form, path, query }) =>
  Effect.flatMap(open(path[1]), (found) =>
    found === undefined
      ? Effect.succeed(nothing)
      : Effect.gen(function* () {
          const db = yield* Database
          const fields = benchFields(query)
          const now = query.has("draft")
            ? yield* db.read(() => digestOfItem(db, found, chosenLines(fields)))
            : undefined
          const { isMoved, note } = prepared(query, now)
          return yield* show(found, { form, note, fields: isMoved ? benchFields(new URLSearchParams()) : fields })
        })
  )

export const resolve: PageHandler = ({ path, posted }, context) =>
  Effect.gen(function* () {
    const found = yield* open(path[1])
    const how = posted.get("answer") ?? "closed by hand on the page"
    const done = found === undefined ? undefined : yield* Items.resolve(context, found.id, how)
    if (done === undefined) return yield* second(path[1])
    return { to: "/attention", said: done.isAnswer ? "answered" : "resolved" }
  })

export const retry: PageHandler = ({ path }, context) =>
  Effect.gen(function* () {
    const found = yield* open(path[1])
    const done = found === undefined ? undefined : yield* Items.retry(context, [found.id])
    return done === undefined ? yield* second(path[1]) : { to: "/attention", said: "retried" }
  })

const SAID = { again: "retriedAll", close: "resolvedAll", none: "noneAll" } as const satisfies Record<
  Several["what"],
  string
>

/** The same for several items, exactly as it was shown: if it would do something else by now, nothing is done. */
export const together =
  (what: Several["what"]): PageHandler =>
  ({ form, posted }, context) =>
    Effect.gen(function* () {
      const db = yield* Database
      const several = { what, ids: namedItems(posted) }
      const keys = yield* db.read(() => several.ids.flatMap((id) => AttentionStore.find(db, id)?.subject ?? []))
      const done = yield* Items.decideAbout(context, keys, (db, now) =>
        decideTogether(db, context.connections, several, posted.get("digest") ?? "", now)
      )
      if (done === undefined) return yield* AttentionList.foreseen({ form, several, moved: true }, context.connections)
      return { to: "/attention", said: SAID[what] }
    })

/** Stores which invoices a payment is for: one on each line, or with `none` for no invoice. */
export const match: PageHandler = ({ form, path, person, posted }, context) =>
  Effect.gen(function* () {
    const found = yield* open(path[1])
    if (found === undefined) return yield* second(path[1])
    const none = posted.get("none") !== null
    const fields = benchFields(posted)
    const invoices = none ? [] : chosenLines(fields)
    if (!none && invoices.length === 0)
      return yield* shownTo(person, found, { fields, form }, t`Name the invoice that it is for.`)
    const wrong = none ? undefined : unclear(fields)
    if (wrong !== undefined)
      return yield* shownTo(
        person,
        found,
        { fields, form },
        t`Nothing was saved: “${wrong}” is not an amount, or can be read in two ways. Write all of its decimal places, like 1234.50 or 1.234,50.`
      )
    const paid =
      context.connections.find(({ id }) => id === connectionOf(found))?.pays?.connection ?? connectionOf(found)
    if (!none && person.connections?.includes(paid) === false)
      return yield* shownTo(
        person,
        found,
        { fields, form },
        t`Nothing was saved: the invoices are of books that you may not see; ask somebody who may.`
      )
    const choice = yield* Items.assign(context, found.id, invoices, posted.get("sure") !== null)
    if (choice === undefined) return yield* second(path[1])
    if ("why" in choice) {
      const asks = choice.follows === undefined ? undefined : invoices
      return yield* shownTo(
        person,
        found,
        { fields, form },
        asks === undefined
          ? t`Nothing was saved: ${sentenceText(choice.why)}.`
          : t`Nothing was saved yet: ${sentenceText(choice.why)}.`,
        asks
      )
    }
    return { to: "/attention", said: none ? "forNone" : "matched" }
  })

/** Stores whether a payment is the same money as another, or apart from all that it was compared with. */
export const same: PageHandler = ({ form, path, person, posted }, context) =>
  Effect.gen(function* () {
    const found = yield* open(path[1])
    if (found === undefined) return yield* second(path[1])
    const fields = benchFields(posted)
    const as = posted.get("same")
    if ((as === null) === (posted.get("apart") === null))
      return yield* shownTo(person, found, { form, fields }, t`Choose one of the answers.`)
    const given = yield* Items.sameMoney(context, found.id, as ?? undefined)
    if (given === undefined) return yield* second(path[1])
    if ("why" in given)
      return yield* shownTo(person, found, { form, fields }, t`Nothing was saved: ${sentenceText(given.why)}.`)
    return { to: "/attention", said: "answered" }
  })

/** From now on the payer of a payment that waits pays for a customer. */
export const always: PageHandler = Payers.always((db, id) => {
  const found = /^\d{1,15}$/.test(id) ? AttentionStore.find(db, Number(id)) : undefined
  return found !== undefined && MatchChoices.isMatchingItem(found.rule) ? found.subject : undefined
})

/** A payment is not for what it was matched with: it is asked about. */
export const ask: PageHandler = ({ form, posted }, context) => {
  const payment = posted.get("payment") ?? ""
  return Effect.map(Items.ask(context, payment, posted.get("sure") !== null), (done): Answer => {
    if (!("why" in done)) return { to: "/attention", said: "askedAbout" }
    const again = button("/payments/ask", t`It is for another invoice all the same`, form, { payment, sure: "yes" })
    return unsaved(payment, done.why, done.follows === undefined ? null : again)
  })
}

const unsaved = (payment: string, why: string, again: Node): Answer => ({
  title: payment,
  at: "/attention",
  status: 422,
  body: html`<p class="note bad" role="alert">${t`Nothing was saved: ${sentenceText(why)}.`}</p>${again}`
})

/** Takes back what somebody decided of a payment. */
export const undo: PageHandler = ({ form, posted }, context) => {
  const payment = posted.get("payment") ?? ""
  const how = { same: posted.get("same") === "yes", sure: posted.get("sure") !== null }
  return Effect.map(Items.unassign(context, payment, how), (undone): Answer => {
    if (undone !== undefined && "why" in undone && "follows" in undone)
      return unsaved(
        payment,
        undone.why,
        button("/payments/undo", t`Undo all the same`, form, { payment, sure: "yes" })
      )
    return {
      to: "/attention",
      said: undone === undefined ? "handled" : "why" in undone ? "bothReported" : "undone"
    }
  })
}
