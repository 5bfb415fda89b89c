/** Serves the list of attention items. */
import { Effect } from "effect"
import * as AttentionStore from "../../sync/apply/AttentionStore.ts"
import * as MatchChoices from "../../sync/matching/Choices.ts"
import * as AttentionGroups from "../../sync/reports/AttentionGroups.ts"
import * as History from "../../sync/reports/History.ts"
import { Database } from "../../sync/state/Database.ts"
import * as AttentionPage from "./Attention.ts"
import type { ReadingHandler } from "./Response.ts"

export const list: ReadingHandler = ({ form }, { connections }) =>
  Effect.gen(function* () {
    const db = yield* Database
    const shown = yield* db.read(() => {
      const items = AttentionStore.list(db).slice(0, AttentionPage.MOST_TOGETHER)
      return {
        groups: AttentionGroups.group(items, (item) => AttentionGroups.stakeOf(db, item)),
        documents: new Map(items.map(({ subject }) => [subject, History.document(db, subject)])),
        total: AttentionStore.count(db),
        choices: connections.flatMap(({ id, pays }) => (pays === undefined ? [] : MatchChoices.list(db, id)))
      }
    })
    const choices = shown.choices.slice(0, AttentionPage.MOST_TOGETHER)
    const body = AttentionPage.all({ ...shown, choices }, form)
    return { title: "Work queue", at: "/attention", body }
  })
