/**
 * Serves attention items and their forms, which do the same as `daybook attention`.
 */
import { Clock, Effect } from "effect"
import * as AttentionStore from "../../sync/apply/AttentionStore.ts"
import { Database, type Db } from "../../sync/state/Database.ts"
import * as AttentionActions from "../../sync/apply/AttentionActions.ts"
import * as Matching from "../../sync/matching/Run.ts"
import * as MatchCandidates from "../../sync/matching/Candidates.ts"
import * as MatchChoices from "../../sync/matching/Choices.ts"
import { decideTogether, namedItems, type Several } from "../../sync/decisions/Together.ts"
import { digestOfItem, MOST_CANDIDATES } from "../../sync/decisions/Drafts.ts"
import * as Movements from "../../sync/decisions/Movements.ts"
import { alone, type Whose, whose } from "../../sync/decisions/ConnectionLocks.ts"
import * as FirstDecision from "../../sync/library/FirstDecision.ts"
import * as PaymentChoice from "../../sync/library/PaymentChoice.ts"
import { type Answer, type PageHandler, nothing } from "./Response.ts"
import * as AttentionPage from "./Attention.ts"
import { stakeOf } from "../../sync/reports/AttentionGroups.ts"
import { html, type Node } from "./Html.ts"
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
    const { asked, bench } = yield* db.read(() => ({
      asked: Movements.question(db, found),
      bench: MatchChoices.isMatchingItem(found.rule)
        ? {
            ...candidatesOf(db, found.subject),
            received: stakeOf(db, found),
            payer: MatchChoices.paymentOf(db, found.subject)?.party?.name,
            fields
          }
        : undefined
    }))
    const item = AttentionPage.one(found, form, asked ?? bench, wrong === undefined ? undefined : { wrong, asks })
    const body = html`${note}${item}`
    const answer: Answer = { title: t`Attention ${found.id}`, at: "/attention", body }
    return wrong === undefined ? answer : { ...answer, status: 422 }
  })

/** What else there is to choose is looked up as the person may see it. */
const shownTo = (person: Person, ...shown: Parameters<typeof show>) => seenBy(person, show(...shown))

/**
 * Decides about an attention item once nothing else works on its connection. Undefined: a run or another person dealt with it
 * meanwhile.
 */
const decide = <A, E, R>(
  connections: ReadonlyArray<Whose>,
  { id, subject }: AttentionStore.OpenAttention,
  decision: (found: AttentionStore.OpenAttention) => Effect.Effect<A, E, R>
) =>
  Effect.gen(function* () {
    const db = yield* Database
    const still = Effect.flatMap(open(`${id}`), (found) =>
      found === undefined ? Effect.succeed(undefined) : decision(found)
    )
    return yield* db.hold(alone(db, whose(connections, subject), still))
  })

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

type Connections = ReadonlyArray<Whose>

/** Closes an item. Returns whether this answers a question about an order; undefined if it was already closed. */
const resolved = (connections: Connections, found: AttentionStore.OpenAttention, how = "closed by hand on the page") =>
  Effect.gen(function* () {
    const db = yield* Database
    const now = yield* Clock.currentTimeMillis
    return yield* decide(connections, found, (found) =>
      db.transaction(() => AttentionActions.resolve(db, found, how, now))
    )
  })

/** Retries an item. Returns whether it was still open. */
const retried = (connections: Connections, found: AttentionStore.OpenAttention) =>
  Effect.gen(function* () {
    const db = yield* Database
    const now = yield* Clock.currentTimeMillis
    const again = yield* decide(connections, found, ({ id }) =>
      Effect.tap(
        db.transaction(() => AttentionActions.retry(db, id, now)),
        () => Matching.run
      )
    )
    return again === true
  })

export const resolve: PageHandler = ({ path, posted }, { connections, wake }) =>
  Effect.gen(function* () {
    const found = yield* open(path[1])
    const how = posted.get("answer") ?? undefined
    const answered = found === undefined ? undefined : yield* resolved(connections, found, how)
    if (found === undefined || answered === undefined) return yield* second(path[1])
    if (answered) yield* wake(connectionOf(found))
    return { to: "/attention", said: answered ? "answered" : "resolved" }
  })

export const retry: PageHandler = ({ path }, { connections, wake }) =>
  Effect.gen(function* () {
    const found = yield* open(path[1])
    if (found === undefined || !(yield* retried(connections, found))) return yield* second(path[1])
    yield* wake(connectionOf(found))
    return { to: "/attention", said: "retried" }
  })

const SAID = { again: "retriedAll", close: "resolvedAll", none: "noneAll" } as const satisfies Record<
  Several["what"],
  string
>

/** The same for several items, exactly as it was shown: if it would do something else by now, nothing is done. */
export const together =
  (what: Several["what"]): PageHandler =>
  ({ form, posted }, { connections, wake }) =>
    Effect.gen(function* () {
      const db = yield* Database
      const now = yield* Clock.currentTimeMillis
      const several = { what, ids: namedItems(posted) }
      const items = yield* db.read(() => several.ids.flatMap((id) => AttentionStore.find(db, id) ?? []))
      const done = yield* db.hold(
        alone(
          db,
          items.flatMap(({ subject }) => whose(connections, subject)),
          Effect.tap(
            db.transaction(() => decideTogether(db, connections, several, posted.get("digest") ?? "", now)),
            (done) => (done === undefined || what === "close" ? Effect.void : Matching.run)
          )
        )
      )
      if (done === undefined) return yield* AttentionList.foreseen({ form, several, moved: true }, connections)
      if (what !== "close")
        for (const connection of new Set(done.items.map(({ item }) => connectionOf(item)))) yield* wake(connection)
      return { to: "/attention", said: SAID[what] }
    })

/** Stores which invoices a payment is for: one on each line, or with `none` for no invoice. */
export const match: PageHandler = ({ form, path, person, posted }, { connections, wake }) =>
  Effect.gen(function* () {
    const db = yield* Database
    const now = yield* Clock.currentTimeMillis
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
    const paid = connections.find(({ id }) => id === connectionOf(found))?.pays?.connection ?? connectionOf(found)
    if (!none && person.connections?.includes(paid) === false)
      return yield* shownTo(
        person,
        found,
        { fields, form },
        t`Nothing was saved: the invoices are of books that you may not see; ask somebody who may.`
      )
    const choice = yield* decide(connections, found, (found) =>
      Effect.gen(function* () {
        const choice = yield* db.transaction(() =>
          PaymentChoice.choose(db, found, invoices, now, posted.get("sure") !== null)
        )
        if (!("why" in choice)) yield* Matching.run
        return choice
      })
    )
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
    yield* wake(connectionOf(found))
    return { to: "/attention", said: none ? "forNone" : "matched" }
  })

/** Stores whether a payment is the same money as another, or apart from all that it was compared with. */
export const same: PageHandler = ({ form, path, person, posted }, { connections, wake }) =>
  Effect.gen(function* () {
    const db = yield* Database
    const now = yield* Clock.currentTimeMillis
    const found = yield* open(path[1])
    if (found === undefined) return yield* second(path[1])
    const fields = benchFields(posted)
    const as = posted.get("same")
    if ((as === null) === (posted.get("apart") === null))
      return yield* shownTo(person, found, { form, fields }, t`Choose one of the answers.`)
    const given = yield* decide(connections, found, (found) =>
      Effect.gen(function* () {
        const answered = yield* db.transaction(() => {
          const asked = Movements.question(db, found)
          return asked === undefined ? undefined : Movements.answer(db, asked, { same: as ?? undefined }, now)
        })
        if (answered !== undefined && !("why" in answered)) yield* Matching.run
        return answered
      })
    )
    if (given === undefined) return yield* second(path[1])
    if ("why" in given) return yield* shownTo(person, found, { form, fields }, t`Nothing was saved: ${given.why}.`)
    yield* wake(connectionOf(found))
    return { to: "/attention", said: "answered" }
  })

/** From now on the payer of a payment that waits pays for a customer. */
export const always: PageHandler = Payers.always((db, id) => {
  const found = /^\d{1,15}$/.test(id) ? AttentionStore.find(db, Number(id)) : undefined
  return found !== undefined && MatchChoices.isMatchingItem(found.rule) ? found.subject : undefined
})

/** Removes a choice of invoices. */
export const undo: PageHandler = ({ posted }, { connections, wake }) =>
  Effect.gen(function* () {
    const db = yield* Database
    const now = yield* Clock.currentTimeMillis
    const payment = posted.get("payment") ?? ""
    const undone = yield* db.hold(
      alone(
        db,
        whose(connections, payment),
        Effect.tap(
          db.transaction(() => MatchChoices.forget(db, payment, now)),
          (undone) => (undone === undefined ? Effect.void : Matching.run)
        )
      )
    )
    if (undone === undefined) return { to: "/attention", said: "handled" }
    yield* wake(payment.slice(0, payment.indexOf("/")))
    return { to: "/attention", said: "undone" }
  })
