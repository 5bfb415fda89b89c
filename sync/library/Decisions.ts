/** Carries out people's decisions: about attention items, payments, debtors, plans and connections. */
import { Effect } from "effect"
import type * as Approvals from "../plan/Approvals.ts"
import * as SourceBindings from "../plan/SourceBindings.ts"
import * as Debtors from "../reports/Debtors.ts"
import type { StateError } from "../state/Database.ts"
import * as Undoable from "../state/Undoable.ts"
import type { Api } from "./Api.ts"
import { isId } from "./config/Configuration.ts"
import * as DebtorDecisions from "../decisions/Debtors.ts"
import * as Items from "../decisions/Items.ts"
import * as Movements from "../decisions/Movements.ts"
import * as Plans from "../decisions/Plans.ts"
import * as Undo from "../decisions/Undo.ts"
import { UsageError } from "./Exit.ts"
import { partOf } from "./PartOfPlan.ts"
import type { Connection } from "../model/Connection.ts"
import { may } from "../model/Person.ts"
import { nameProblem } from "../model/PersonName.ts"
import { chosen, chosenOne, type HandleContext, writing } from "./Handle.ts"
import { dated, iso } from "./Plain.ts"

/** Why a choice that takes something from another payment was not stored. */
const unsure = ({ follows, why }: Undecided): string =>
  follows === undefined ? why : `${why}. Nothing was saved; if it is right, say so with sure: true`

type Undecided = { readonly why: string; readonly follows?: ReadonlyArray<string> }

/** Decisions about attention items and about what payments are for. */
export const onItems = ({
  configuration: { connections },
  db,
  given,
  wake
}: HandleContext): Pick<
  Api,
  "resolve" | "retry" | "assign" | "assignNone" | "sameMoney" | "ask" | "choices" | "unassign"
> => {
  const context = { connections, wake }
  /** Fails with the reason why nothing was decided. */
  const orWhy =
    (id: number) =>
    <A extends object>(
      answer: A | Undecided | undefined
    ): Effect.Effect<Exclude<A, Undecided>, StateError | UsageError> =>
      Effect.gen(function* () {
        const known = answer ?? (yield* db.read(() => Items.undecided(db, id)))
        if ("why" in known) return yield* new UsageError({ why: unsure(known) })
        return known as Exclude<A, Undecided>
      })
  return {
    resolve: (id, note = "resolved") =>
      Effect.map(given(Items.resolve(context, id, note)), (done) => done !== undefined),
    retry: (id) => Effect.map(given(Items.retry(context, [id])), (done) => done !== undefined),
    assign: (id, invoices, sure = false) =>
      given(Items.assign(context, id, invoices, sure)).pipe(
        Effect.flatMap(orWhy(id)),
        Effect.map(({ shares }) => shares)
      ),
    sameMoney: (id, as) =>
      given(Items.sameMoney(context, id, as)).pipe(
        Effect.flatMap(orWhy(id)),
        Effect.map(({ others }) => others)
      ),
    assignNone: (ids) =>
      given(Items.assignNone(context, ids)).pipe(
        Effect.flatMap((done) => ("why" in done ? Effect.fail(new UsageError(done)) : Effect.succeed(done.payments)))
      ),
    ask: (payment, sure = false) =>
      Effect.flatMap(given(Items.ask(context, payment, sure)), (done) =>
        "why" in done ? Effect.fail(new UsageError({ why: unsure(done) })) : Effect.succeed(done.invoices)
      ),
    choices: () =>
      db.read(() => connections.flatMap(({ id }) => Movements.choices(db, id).map((one) => dated(one, "chosen")))),
    unassign: (payment, options) =>
      Effect.flatMap(given(Items.unassign(context, payment, options)), (undone) =>
        undone !== undefined && "why" in undone
          ? Effect.fail(new UsageError({ why: unsure(undone) }))
          : Effect.succeed(undone !== undefined)
      )
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
