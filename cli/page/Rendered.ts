/** Makes the answer of a page that only reads: here, or in a thread (`ThreadOfPages.ts`). */
import { Effect } from "effect"
import * as AlertStore from "../../sync/alerts/AlertStore.ts"
import * as AttentionStore from "../../sync/apply/AttentionStore.ts"
import * as Approvals from "../../sync/plan/Approvals.ts"
import * as Status from "../../sync/reports/Status.ts"
import { Database, type Db } from "../../sync/state/Database.ts"
import * as Undo from "../../sync/decisions/Undo.ts"
import { isFor } from "./RouteRights.ts"
import { addressOf } from "./UndoRoutes.ts"
import * as CoverRoutes from "./CoverRoutes.ts"
import { allowed } from "./Allowed.ts"
import { page } from "./Layout.ts"
import * as Looked from "./Looked.ts"
import { handlerOf } from "./ReadingRoutes.ts"
import {
  type Looking,
  nothing,
  type ReadingHandler,
  type ReadContext,
  SAID,
  type ShownPage,
  trouble
} from "./Response.ts"
import { term } from "./language/Texts.ts"
import { type Language, ChosenLook, Reader } from "./language/Language.ts"

/** Who looks at what, as another thread may be told. */
export interface PageLook extends Omit<Looking, "cookie" | "query"> {
  readonly query: string
  /** The cookie about the last visit. */
  readonly looked: string | undefined
  readonly language: Language
  readonly chosen: string
}

/** A page or a file. */
export interface MadePage {
  readonly status: number
  readonly body: string | Uint8Array<ArrayBuffer>
  /** Of a file: its name and its type. */
  readonly file?: { readonly name: string; readonly type: string }
  readonly remembers?: string | undefined
  readonly goes?: string | undefined
}

/** How much waits for a person, by entry of the menu. */
const counts = (db: Db): Readonly<Record<string, number>> => ({
  "/alerts": AlertStore.counts(db).open,
  "/attention": AttentionStore.count(db),
  "/plans": Approvals.waiting(db),
  "/cover": CoverRoutes.waiting(db)
})

/** Of how many decisions an address can ask whether they can be taken back. */
const MOST_UNDONE = 20

/** The page around an answer. */
export const rendered = (
  answer: ShownPage,
  { form, person, query }: Pick<Looking, "form" | "person" | "query">,
  { tenant }: Pick<ReadContext, "tenant">
): Effect.Effect<MadePage, never, Database> =>
  Effect.gen(function* () {
    if ("file" in answer) return { status: 200, body: answer.body, file: { name: answer.file, type: answer.type } }
    const db = yield* Database
    const said = query.get("said")
    const more = yield* db
      .read(() => ({ counts: counts(db), service: Status.service(db) }))
      .pipe(Effect.catch(() => Effect.succeed({})))
    const made = said === null ? [] : query.getAll("undo").slice(0, MOST_UNDONE)
    const offers = yield* db.read(() => Undo.offersOf(db, made)).pipe(Effect.catch(() => Effect.succeed([])))
    const undo = offers.filter((one) => isFor(person.rights, "POST", addressOf(one).split("/").slice(1)))
    const frame = {
      form,
      person,
      undo,
      ...more,
      title: answer.title,
      ...(answer.at === "/search" ? { sought: query.get("q") ?? "" } : {}),
      ...(tenant === undefined ? {} : { tenant }),
      ...(answer.at === undefined ? {} : { at: answer.at }),
      ...(answer.follows === undefined ? {} : { follows: answer.follows }),
      ...(said !== null && Object.hasOwn(SAID, said) ? { said: term(SAID[said as keyof typeof SAID]) } : {})
    }
    return {
      status: answer.status ?? 200,
      body: page(frame, allowed(answer.body, person.rights)),
      remembers: answer.remembers,
      goes: answer.goes
    }
  })

export const answerOf = (
  handler: ReadingHandler,
  asked: Looking,
  around: ReadContext
): Effect.Effect<MadePage, never, Database> =>
  Effect.flatMap(
    Effect.catch(handler(asked, around), (error) => Effect.succeed(trouble(error))),
    (answer) => rendered(answer, asked, around)
  )

/** Answers a look at an address of `ReadingRoutes.ts`. */
export const answerLook = (
  { chosen, language, looked, query, ...look }: PageLook,
  around: ReadContext
): Effect.Effect<MadePage, never, Database> => {
  const cookie = (name: string) => (name === Looked.NAME ? looked : undefined)
  return answerOf(
    handlerOf(look.path) ?? (() => Effect.succeed(nothing)),
    { ...look, query: new URLSearchParams(query), cookie },
    around
  ).pipe(Effect.provideService(Reader, language), Effect.provideService(ChosenLook, chosen))
}
