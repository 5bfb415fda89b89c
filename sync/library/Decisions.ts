/** Carries out people's decisions: about attention items, payments, debtors, plans and connections. */
import { Clock, Effect } from "effect"
import * as AttentionActions from "../apply/AttentionActions.ts"
import * as AttentionStore from "../apply/AttentionStore.ts"
import * as MatchChoices from "../matching/Choices.ts"
import * as Matching from "../matching/Run.ts"
import type * as Approvals from "../plan/Approvals.ts"
import * as SourceBindings from "../plan/SourceBindings.ts"
import * as Debtors from "../reports/Debtors.ts"
import type { StateError } from "../state/Database.ts"
import * as Undoable from "../state/Undoable.ts"
import type { Api } from "./Api.ts"
import { isId } from "./config/Configuration.ts"
import { alone, whose } from "../decisions/ConnectionLocks.ts"
import * as DebtorDecisions from "../decisions/Debtors.ts"
import * as Answers from "../decisions/Movements.ts"
import * as Plans from "../decisions/Plans.ts"
import * as Undo from "../decisions/Undo.ts"
import { UsageError } from "./Exit.ts"
import * as FirstDecision from "./FirstDecision.ts"
import { partOf } from "./PartOfPlan.ts"
import type { Connection } from "../model/Connection.ts"
import { may } from "../model/Person.ts"
import { nameProblem } from "../model/PersonName.ts"
import { chosen, chosenOne, type HandleContext, writing } from "./Handle.ts"
import * as PaymentChoice from "./PaymentChoice.ts"
import { dated, iso } from "./Plain.ts"

const item = ({ db }: HandleContext, id: number) => AttentionStore.list(db).find((one) => one.id === id)

const connectionOf = (subject: string): string => subject.slice(0, Math.max(0, subject.indexOf("/")))

/**
 * Decides about an attention item once nothing else works on its connection; it may be resolved by then. What payments are for
 * is decided again, and the connection runs.
 */
const deciding = <A, E>(
  handle: HandleContext,
  id: number,
  decision: Effect.Effect<A, E>,
  isDecided: (answer: A) => boolean
): Effect.Effect<A, E | StateError> =>
  Effect.flatMap(
    handle.db.read(() => item(handle, id)),
    (found) =>
      found === undefined
        ? decision
        : alone(
            handle.db,
            whose(handle.configuration.connections, found.subject),
            Effect.tap(decision, (answer) => (isDecided(answer) ? handle.given(Matching.run) : Effect.void))
          ).pipe(Effect.tap((answer) => (isDecided(answer) ? handle.wake(connectionOf(found.subject)) : Effect.void)))
  )

type OnItems = Pick<Api, "resolve" | "retry" | "assign" | "assignNone" | "sameMoney" | "choices" | "unassign">

/** Stores of several payments that they are for no invoice. */
const assignNone =
  ({ configuration: { connections }, db, given, wake }: HandleContext): Api["assignNone"] =>
  (ids) =>
    Effect.gen(function* () {
      const now = yield* Clock.currentTimeMillis
      const of = yield* db.read(() => ids.flatMap((id) => AttentionStore.find(db, id)?.subject ?? []))
      const done = yield* alone(
        db,
        of.flatMap((subject) => whose(connections, subject)),
        Effect.tap(
          db.transaction(() => PaymentChoice.chooseNone(db, ids, now)),
          (done) => ("why" in done ? Effect.void : given(Matching.run))
        )
      )
      if ("why" in done) return yield* new UsageError(done)
      for (const connection of new Set(done.payments.map(connectionOf))) yield* wake(connection)
      return done.payments
    })

/** Stores whether two payments are the same money. */
const sameMoney =
  (handle: HandleContext): Api["sameMoney"] =>
  (id, as) =>
    deciding(
      handle,
      id,
      writing(handle, (now) => {
        const found = item(handle, id)
        const asked = found === undefined ? undefined : Answers.question(handle.db, found)
        return asked === undefined
          ? { why: `there is no open attention item ${id} that asks whether two payments are the same money` }
          : Answers.answer(handle.db, asked, { same: as }, now)
      }),
      (answer) => !("why" in answer)
    ).pipe(
      Effect.flatMap((answer) =>
        "why" in answer ? Effect.fail(new UsageError(answer)) : Effect.succeed(answer.others)
      )
    )

/** Decisions about attention items and about what payments are for. */
export const onItems = (handle: HandleContext): OnItems => {
  const { configuration, db, given } = handle
  const { connections } = configuration
  return {
    resolve: (id, note = "resolved") =>
      deciding(
        handle,
        id,
        writing(handle, (now) => {
          const found = item(handle, id)
          return found !== undefined && AttentionActions.resolve(db, found, note, now) !== undefined
        }),
        (isOpen) => isOpen
      ),
    retry: (id) =>
      deciding(
        handle,
        id,
        writing(handle, (now) => AttentionActions.retry(db, id, now)),
        (open) => open
      ),
    assign: (id, invoices) =>
      deciding(
        handle,
        id,
        writing(handle, (now) => {
          const found = item(handle, id)
          return found === undefined
            ? { why: FirstDecision.words(db, id) ?? `there is no open attention item ${id}` }
            : PaymentChoice.choose(db, found, invoices, now)
        }),
        (choice) => !("why" in choice)
      ).pipe(
        Effect.flatMap((choice) =>
          "why" in choice ? Effect.fail(new UsageError(choice)) : Effect.succeed(choice.shares)
        )
      ),
    assignNone: assignNone(handle),
    sameMoney: sameMoney(handle),
    choices: () =>
      db.read(() => connections.flatMap(({ id }) => MatchChoices.list(db, id).map((one) => dated(one, "chosen")))),
    unassign: (payment) =>
      Effect.flatMap(Clock.currentTimeMillis, (now) =>
        alone(
          db,
          whose(connections, payment),
          Effect.tap(
            db.transaction(() => MatchChoices.forget(db, payment, now) !== undefined),
            (undone) => (undone ? given(Matching.run) : Effect.void)
          )
        )
      ).pipe(Effect.tap((undone) => (undone ? handle.wake(connectionOf(payment)) : Effect.void)))
  }
}

/** Takes decisions back. Whoever may not decide about plans does not take back such a decision either. */
export const takingBack = ({
  configuration: { connections },
  db,
  given,
  person,
  wake
}: HandleContext): Pick<Api, "undoable" | "undo"> => ({
  undoable: () =>
    db.read(() =>
      Undo.offers(db, Undo.LATEST).map(({ at, connections, digest, id, words }) => ({
        ...{ id, at: iso(at), connections, words, digest }
      }))
    ),
  undo: (id, digest) =>
    Effect.gen(function* () {
      const found = yield* db.read(() => Undoable.find(db, String(id)))
      if (found?.deed.kind === "plan" && person !== undefined && !may(person, "decide"))
        return yield* new UsageError({ why: `decision ${id} is about a plan, and you may not decide about plans` })
      const done = yield* given(Undo.undo(connections, { id: String(id), digest }))
      if ("why" in done) return yield* new UsageError({ why: `decision ${id} was not taken back: ${done.why}` })
      if (Undo.isPlanned(done)) for (const connection of done.connections) yield* wake(connection)
    })
})

type Part = Pick<Approvals.Approval, "documents">

type OnConnections = Pick<
  Api,
  "debtors" | "candidates" | "match" | "approve" | "reject" | "renameConnection" | "acceptConnection"
>

/** Decisions about debtors, waiting plans, and connections. */
export const onConnections = (handle: HandleContext): OnConnections => {
  const { configuration, db, given, person } = handle
  const decide = (
    connection: string,
    digest: string,
    decision: "approved" | "rejected",
    who: string,
    part?: Part
  ): Effect.Effect<boolean, UsageError | StateError> => {
    const why = nameProblem(who, "say who decides")
    if (why !== undefined) return Effect.fail(new UsageError({ why }))
    const own = configuration.connections.find(({ id }) => id === connection)
    return writing(handle, (now) =>
      Plans.decide(db, own, { connection, digest, decision, who, ...part }, person, now)
    ).pipe(
      Effect.flatMap((done) => (typeof done === "object" ? Effect.fail(new UsageError(done)) : Effect.succeed(done))),
      Effect.tap((isDecided) => (isDecided ? handle.wake(connection) : Effect.void))
    )
  }
  /** A part of a plan; false: the plan is not the one with this digest any more. */
  const decidePart = (connection: Connection, digest: string, who: string, names: ReadonlyArray<string>) =>
    Effect.flatMap(given(partOf(connection, names)), (part): Effect.Effect<boolean, UsageError | StateError> => {
      if ("why" in part) return Effect.fail(new UsageError(part))
      if (part.digest !== digest) return Effect.succeed(false)
      return decide(connection.id, digest, "approved", who, { documents: part.documents })
    })
  return {
    debtors: (choice) =>
      Effect.flatMap(chosen(configuration, choice), (connections) =>
        db.read(() => connections.flatMap(({ id }) => Debtors.list(db, id)))
      ),
    candidates: (debtor) => given(Debtors.candidates(debtor)),
    match: (debtor, company) =>
      Effect.tap(given(DebtorDecisions.match(configuration.connections, debtor, company)), () =>
        handle.wake(debtor.connection)
      ),
    approve: (id, digest, who, documents) =>
      documents === undefined
        ? decide(id, digest, "approved", who)
        : Effect.flatMap(chosenOne(configuration, id), (connection) => decidePart(connection, digest, who, documents)),
    reject: (connection, digest, who) => decide(connection, digest, "rejected", who),
    renameConnection: (from, to) =>
      isId(to)
        ? Effect.flatMap(
            db.transaction(() => SourceBindings.rename(db, from, to)),
            (done) => ("why" in done ? Effect.fail(new UsageError(done)) : Effect.succeed(done.key))
          )
        : Effect.fail(new UsageError({ why: `${JSON.stringify(to)} is not a connection's name` })),
    acceptConnection: (id) =>
      Effect.flatMap(chosenOne(configuration, id), (connection) =>
        db.transaction(() => SourceBindings.accept(db, connection))
      )
  }
}
