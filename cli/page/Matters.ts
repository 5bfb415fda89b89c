/**
 * What the page shows of matters for a person, and what its forms do about them: the same as `daybook attention`.
 */
import { Clock, Effect } from "effect"
import * as Attentions from "../../sync/apply/AttentionStore.ts"
import { Database } from "../../sync/state/Database.ts"
import * as Decisions from "../../sync/Decisions.ts"
import * as Match from "../../sync/matching/Run.ts"
import * as MatchChoices from "../../sync/matching/Choices.ts"
import * as PaymentChoice from "../../sync/library/PaymentChoice.ts"
import { type Answer, type Handler, nothing } from "./Response.ts"
import * as AttentionPage from "./Attention.ts"

const MOST = 200
const MOST_CANDIDATES = 10

export const list: Handler = ({ form }) =>
  Effect.gen(function* () {
    const db = yield* Database
    const { open, total } = yield* db.read(() => ({
      open: Attentions.list(db).slice(0, MOST),
      total: Attentions.count(db)
    }))
    return { title: "Attention", at: "/attention", body: AttentionPage.list(open, total, form) }
  })

const open = (id: string | undefined) =>
  Effect.gen(function* () {
    const db = yield* Database
    return yield* db.read(() => Attentions.list(db).find((one) => String(one.id) === id))
  })

const connectionOf = ({ subject }: Attentions.OpenAttention): string => subject.slice(0, subject.indexOf("/"))

const show = (found: Attentions.OpenAttention, form: string, wrong?: string) =>
  Effect.gen(function* () {
    const db = yield* Database
    const candidates = MatchChoices.isMatter(found.rule)
      ? yield* db.read(() => MatchChoices.candidates(db, found.subject, MOST_CANDIDATES))
      : undefined
    const body = AttentionPage.one(found, form, candidates, wrong)
    const answer: Answer = { title: `Attention ${found.id}`, at: "/attention", body }
    return wrong === undefined ? answer : { ...answer, status: 422 }
  })

export const one: Handler = ({ form, path }) =>
  Effect.flatMap(open(path[1]), (found) => (found === undefined ? Effect.succeed(nothing) : show(found, form)))

export const resolve: Handler = ({ path }, { wake }) =>
  Effect.gen(function* () {
    const db = yield* Database
    const now = yield* Clock.currentTimeMillis
    const found = yield* open(path[1])
    if (found === undefined) return { to: "/attention", said: "gone" }
    const accepted = yield* db.hold(
      db.transaction(() => Decisions.resolve(db, found, "a person closed it on the page", now))
    )
    if (accepted) yield* wake(connectionOf(found))
    return { to: "/attention", said: accepted ? "accepted" : "resolved" }
  })

export const retry: Handler = ({ path }, { wake }) =>
  Effect.gen(function* () {
    const db = yield* Database
    const now = yield* Clock.currentTimeMillis
    const found = yield* open(path[1])
    if (found === undefined) return { to: "/attention", said: "gone" }
    yield* db.hold(
      Effect.andThen(
        db.transaction(() => Decisions.retry(db, found.id, now)),
        Match.run
      )
    )
    yield* wake(connectionOf(found))
    return { to: "/attention", said: "retried" }
  })

/** Which invoices a payment is for: one on each line, or with `none` for no invoice. */
export const match: Handler = ({ form, path, posted }, { wake }) =>
  Effect.gen(function* () {
    const db = yield* Database
    const now = yield* Clock.currentTimeMillis
    const found = yield* open(path[1])
    if (found === undefined) return { to: "/attention", said: "gone" }
    const none = posted.get("none") !== null
    const lines = (posted.get("invoices") ?? "").split("\n").map((line) => line.trim())
    const invoices = none ? [] : lines.filter((line) => line !== "")
    if (!none && invoices.length === 0) return yield* show(found, form, "Name the invoice that it is for.")
    const choice = yield* db.hold(
      Effect.gen(function* () {
        const choice = yield* db.transaction(() => PaymentChoice.choose(db, found, invoices, now))
        if (!("why" in choice)) yield* Match.run
        return choice
      })
    )
    if ("why" in choice) return yield* show(found, form, `Nothing was remembered: ${choice.why}.`)
    yield* wake(connectionOf(found))
    return { to: "/attention", said: none ? "forNone" : "matched" }
  })
