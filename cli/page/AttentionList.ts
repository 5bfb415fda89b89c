/** Serves the work queue, and what a decision about several of its items would do. */
import { Clock, Effect } from "effect"
import * as AttentionStore from "../../sync/apply/AttentionStore.ts"
import { foresee, MOST_OF_CAUSE, type Several } from "../../sync/decisions/Together.ts"
import * as Movements from "../../sync/decisions/Movements.ts"
import * as AttentionGroups from "../../sync/reports/AttentionGroups.ts"
import * as History from "../../sync/reports/History.ts"
import { Database } from "../../sync/state/Database.ts"
import * as AttentionPage from "./Attention.ts"
import { foreseenPage } from "./Foreseen.ts"
import { known, paying } from "./Payers.ts"
import { remembered } from "./Remembered.ts"
import { nothing, type ReadContext, type ReadingHandler } from "./Response.ts"
import { t } from "./language/Texts.ts"

/** The causes of what is open, as far as items are looked at. */
export const openCauses = remembered((db) =>
  AttentionGroups.group(AttentionStore.list(db).slice(0, MOST_OF_CAUSE), (item) => AttentionGroups.stakeOf(db, item))
)

export const list: ReadingHandler = ({ form, query }, { connections }) =>
  Effect.gen(function* () {
    const db = yield* Database
    const cause = query.get("cause") ?? undefined
    const shown = yield* db.read(() => {
      const groups = openCauses(db, "").filter((one) => cause === undefined || one.cause === cause)
      const items = groups.flatMap((one) => AttentionPage.shownOf(one, cause))
      return {
        cause,
        groups,
        documents: new Map(items.map(({ subject }) => [subject, History.document(db, subject)])),
        stakes: new Map(items.map((item) => [item.id, AttentionGroups.stakeOf(db, item)])),
        total: AttentionStore.count(db),
        known: known(db, { connections }),
        choices: paying({ connections }).flatMap((id) => Movements.choices(db, id))
      }
    })
    const choices = shown.choices.slice(0, AttentionPage.MOST_TOGETHER)
    const body = AttentionPage.all({ ...shown, choices }, form)
    return { title: t`Work queue`, at: "/attention", body }
  })

/** What would be done with several items. */
export const foreseen = (
  { form, moved = false, several }: { readonly form: string; readonly several: Several; readonly moved?: boolean },
  connections: ReadContext["connections"]
) =>
  Effect.gen(function* () {
    const db = yield* Database
    const now = yield* Clock.currentTimeMillis
    const data = yield* db.read(() => {
      const foreseen = foresee(db, connections, several, now)
      const items = foreseen.items.map(({ item }) => item)
      const documents = new Map(items.map(({ subject }) => [subject, History.document(db, subject)]))
      return { foreseen, documents, stake: AttentionGroups.group(items, (item) => AttentionGroups.stakeOf(db, item)) }
    })
    return foreseenPage({ ...data, what: several.what, moved }, form)
  })

/** Of the chosen items of a cause, or of all of them. */
export const several: ReadingHandler = ({ form, query }, { connections }) =>
  Effect.gen(function* () {
    const db = yield* Database
    const [what, all] = (query.get("do") ?? "").split(" ")
    if (what !== "close" && what !== "again" && what !== "none") return nothing
    const chosen = query.getAll("id").flatMap((id) => (/^\d{1,15}$/.test(id) ? [Number(id)] : []))
    const ids =
      all === undefined
        ? chosen.slice(0, AttentionPage.MOST_TOGETHER)
        : yield* db.read(
            () =>
              openCauses(db, "")
                .find(({ cause }) => cause === query.get("cause"))
                ?.items.map(({ id }) => id) ?? []
          )
    return yield* foreseen({ form, several: { what, ids } }, connections)
  })
