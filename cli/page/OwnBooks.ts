/**
 * Keeps people to the books that are theirs: who may see some connections only gets pages made from a view of the state file that
 * has no others (`TenantView.ts`), and no form about others. Also keeps who decided what.
 */
import { Context, Effect, Layer } from "effect"
import { concerned, withPaid } from "../../sync/decisions/Concerned.ts"
import * as Recorded from "../../sync/decisions/Recorded.ts"
import { type Person, shownAs } from "../../sync/model/Person.ts"
import { Database, type StateError } from "../../sync/state/Database.ts"
import * as Names from "./Names.ts"
import type { Answer, Asked, PageContext } from "./Response.ts"
import { causes, needed } from "./RouteRights.ts"

type Posted = Pick<Asked, "path" | "person" | "posted"> & { readonly from: string }

/** Outcomes of forms that decided nothing. */
const NOTHING: ReadonlyArray<string> = ["moved", "handled", "nobody", "noneChosen", "noDocument", "closedBefore"]

/** Carries out a form, and keeps who did what. */
export const recorded = <E, R>(
  { from, path, person, posted }: Posted,
  { connections }: Pick<PageContext, "connections">,
  work: Effect.Effect<Answer, E, R>
): Effect.Effect<Answer, E | StateError, R | Database> =>
  Effect.gen(function* () {
    const right = needed("POST", path)
    if (right === undefined || right === "own" || right === "prepare") return yield* work
    const db = yield* Database
    const about = yield* db.read(() => concerned(db, path, posted))
    const fields = ["document", "payment", "party", "ids", "plan", "offer", "undo", "month"].flatMap((name) =>
      posted.getAll(name)
    )
    const deed: Recorded.Deed = {
      who: { ...person, name: shownAs(person, Names.tidy(posted.get("name"))) },
      from,
      deed: `POST /${path.join("/")}`,
      connections: withPaid(about, connections),
      about: (fields.length === 0 ? (path[1] ?? "") : fields.join(" ")).slice(0, 1000),
      digest: posted.get("digest"),
      causes: causes(path)
    }
    return yield* Recorded.keepDecision(deed, work, (answer) =>
      "to" in answer && !NOTHING.includes(answer.said) ? answer.said : undefined
    )
  })

/** Reads the books as this person may see them, also where a form that may write leads to a page. */
export const seenBy = <A, E, R>(
  { connections }: Pick<Person, "connections">,
  look: Effect.Effect<A, E, R>
): Effect.Effect<A, E | StateError, R | Database> =>
  Effect.gen(function* () {
    if (connections === undefined) return yield* look
    const { file } = yield* Database
    const view = Layer.build(Database.layer({ file, mode: "read", only: connections }))
    return yield* Effect.scoped(
      Effect.flatMap(view, (made) => Effect.provideService(look, Database, Context.get(made, Database)))
    )
  })

/** Their connections that are paid by connections which they may not see, removed ones included. */
const PAID_UNSEEN = `SELECT DISTINCT pays FROM paying WHERE pays IN (SELECT value FROM json_each(:own))
  AND connection NOT IN (SELECT value FROM json_each(:own)) ORDER BY 1`

/** Of whose books a request is answered. */
type Whose = Pick<Asked, "path" | "posted"> & { readonly person: Person; readonly method: string }

/**
 * Answers with the books that are the person's own.
 *
 * @param refuse the answer to a request about others' books
 */
export const ownBooks = <A, E, R>(
  { method, path, person, posted }: Whose,
  around: PageContext,
  answer: (around: PageContext) => Effect.Effect<A, E, R | Database>,
  refuse: () => A
): Effect.Effect<A, E | StateError, R | Database> =>
  Effect.gen(function* () {
    const own = person.connections
    if (own === undefined) return yield* answer(around)
    const { alerts: _, ...rest } = around
    const db = yield* Database
    const paidUnseen = yield* db.read(
      () =>
        db
          .prepare(PAID_UNSEEN)
          .pluck()
          .all({ own: JSON.stringify(own) }) as ReadonlyArray<string>
    )
    const connections = around.connections.filter(({ id }) => own.includes(id))
    const theirs = { ...rest, connections, ...(paidUnseen.length === 0 ? {} : { paidUnseen }) }
    // The page of a collection reads the service before, and keeps what it says.
    if (method === "GET" && !(path[0] === "cover" && path.length === 2)) return yield* seenBy(person, answer(theirs))
    const about = yield* db.read(() => concerned(db, path, posted))
    const isOwn = needed(method, path) === "own" || (about.length > 0 && about.every((id) => own.includes(id)))
    return isOwn ? yield* answer(theirs) : refuse()
  })
