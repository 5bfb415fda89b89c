/**
 * A person's decisions about attention items and about what payments are for. Each is made once nothing else works on its
 * connection, in one transaction, and only if nobody decided before; then payments are matched again, and the connection runs.
 * The page, the HTTP interface, the command and the library all decide here.
 */
import { Clock, Effect } from "effect"
import * as AttentionActions from "../apply/AttentionActions.ts"
import * as AttentionStore from "../apply/AttentionStore.ts"
import * as Asked from "../matching/Asked.ts"
import * as MatchChoices from "../matching/Choices.ts"
import * as Matching from "../matching/Run.ts"
import { Database, type Db, type StateError } from "../state/Database.ts"
import { alone, type Whose, locksFor } from "./ConnectionLocks.ts"
import * as FirstDecision from "./FirstDecision.ts"
import * as Movements from "./Movements.ts"
import * as PaymentChoice from "./PaymentChoice.ts"

export interface DecisionContext {
  /** The connections of the configuration; one that is not among them has a lock of its own. */
  readonly connections: ReadonlyArray<Whose>
  /** Has a connection run; absent where no schedule runs. */
  readonly wake?: (connection: string) => Effect.Effect<void>
}

const isDecided = (answer: unknown): boolean =>
  answer !== undefined && answer !== false && !(typeof answer === "object" && answer !== null && "why" in answer)

/**
 * Carries out a decision about documents of connections: see above.
 *
 * @param keys the documents, or `connection/` for all of one
 * @param decide in the transaction; undefined, false or a reason: nothing was decided
 */
export const decideAbout = <A>(
  { connections, wake }: DecisionContext,
  keys: ReadonlyArray<string>,
  decide: (db: Db, now: number) => A
): Effect.Effect<A, StateError, Database> =>
  Effect.gen(function* () {
    const db = yield* Database
    const now = yield* Clock.currentTimeMillis
    const locks = keys.flatMap((key) => locksFor(connections, key))
    const answer = yield* db.hold(
      alone(
        db,
        locks,
        Effect.tap(
          db.transaction(() => decide(db, now)),
          (answer) => (isDecided(answer) ? Matching.run : Effect.void)
        )
      )
    )
    if (isDecided(answer) && wake !== undefined) for (const id of new Set(locks.map(({ id }) => id))) yield* wake(id)
    return answer
  })

/** Undefined if it is not open, or no longer: then nothing is decided. */
const about = <A>(
  context: DecisionContext,
  id: number,
  decide: (db: Db, found: AttentionStore.OpenAttention, now: number) => A
): Effect.Effect<A | undefined, StateError, Database> =>
  Effect.gen(function* () {
    const db = yield* Database
    const subject = yield* db.read(() => AttentionStore.find(db, id)?.subject)
    if (subject === undefined) return undefined
    return yield* decideAbout(context, [subject], (db, now) => {
      const found = AttentionStore.find(db, id)
      return found === undefined ? undefined : decide(db, found, now)
    })
  })

/** What is said where an item is not open: how somebody else decided it, or that there is none. */
export const undecided = (db: Db, id: number): MatchChoices.Unchosen => ({
  why: FirstDecision.words(db, id) ?? `there is no open attention item ${id}`
})

/**
 * Closes an item. Returns whether this answers a question about an order; undefined if it was not open.
 *
 * @param how one of the question's choices, or a note
 */
export const resolve = (context: DecisionContext, id: number, how: string) =>
  about(context, id, (db, found, now) => {
    const isAnswer = AttentionActions.resolve(db, found, how, now)
    return isAnswer === undefined ? undefined : { isAnswer }
  })

/** Has the documents of items planned again. Returns those that were open; undefined: none. */
export const retry = (
  context: DecisionContext,
  ids: ReadonlyArray<number>
): Effect.Effect<ReadonlyArray<number> | undefined, StateError, Database> =>
  Effect.gen(function* () {
    const db = yield* Database
    const keys = yield* db.read(() => ids.flatMap((id) => AttentionStore.find(db, id)?.subject ?? []))
    return yield* decideAbout(context, keys, (db, now) => {
      const done = ids.filter((id) => AttentionActions.retry(db, id, now))
      return done.length === 0 ? undefined : done
    })
  })

/**
 * Stores which invoices a payment is for; none: for no invoice. Undefined if the item was not open.
 *
 * @param sure whether the person has seen what follows from it
 */
export const assign = (context: DecisionContext, id: number, invoices: ReadonlyArray<string>, sure: boolean) =>
  about(context, id, (db, found, now) => PaymentChoice.choose(db, found, invoices, now, sure))

/**
 * Stores that a payment is not for what it was matched with, so that it is asked about: the invoices that it was for, or why that cannot
 * be.
 *
 * @param sure whether the person knows that an invoice stays marked as paid
 */
export const ask = (context: DecisionContext, payment: string, sure: boolean) =>
  decideAbout(context, [payment], (db, now) => Asked.ask(db, payment, now, sure))

/** Stores of several strangers' payments that they are for no invoice: of all, or why of none. */
export const assignNone = (context: DecisionContext, ids: ReadonlyArray<number>) =>
  Effect.gen(function* () {
    const db = yield* Database
    const keys = yield* db.read(() => ids.flatMap((id) => AttentionStore.find(db, id)?.subject ?? []))
    return yield* decideAbout(context, keys, (db, now) => PaymentChoice.chooseNone(db, ids, now))
  })

/** Stores whether a payment is the same money as another; undefined for `same`: as none. Undefined if the item was not open. */
export const sameMoney = (context: DecisionContext, id: number, same: string | undefined) =>
  about(context, id, (db, found, now) => {
    const asked = Movements.question(db, found)
    if (asked === undefined) return { why: `number ${id} does not ask whether two payments are the same money` }
    const answer = Movements.answer(db, asked, { same }, now)
    return "why" in answer ? answer : { ...answer, payment: asked.payment }
  })

/** How a decision about a payment is taken back. */
export interface TakenBack {
  readonly same?: boolean | undefined
  readonly sure?: boolean | undefined
}

/** The invoices that it was for, or the payments that it was compared with; or why nothing was taken back. */
type Unassigned =
  | MatchChoices.Unchosen
  | { readonly shares: MatchChoices.StoredChoice["shares"]; readonly compared: ReadonlyArray<string> }

/**
 * Takes back what people decided of a payment, and returns it: the invoices that it is for, or if nobody chose any, whether it is the
 * same money as another. Undefined if nobody decided.
 *
 * @param same what was said to be apart is the same money
 * @param sure whether the person knows that an invoice stays marked as paid
 */
export const unassign = (context: DecisionContext, payment: string, { same = false, sure = false }: TakenBack = {}) =>
  Effect.gen(function* () {
    const db = yield* Database
    const others = yield* db.read(() => Movements.answered(db, payment))
    return yield* decideAbout(context, [payment, ...others], (db, now): Unassigned | undefined => {
      const stays = same || MatchChoices.of(db, payment) === undefined ? undefined : Asked.staysPaid(db, payment, sure)
      if (stays !== undefined) return stays
      const choice = same ? undefined : MatchChoices.forget(db, payment, now)
      if (choice !== undefined) return { shares: choice.shares, compared: [] }
      const back = Movements.takeBack(db, payment, same, now)
      return back === undefined || "why" in back ? back : { shares: [], compared: back.others }
    })
  })
