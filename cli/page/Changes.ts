/** Carries out changes of the configuration on the page: written, applied at once, and recorded with the person's name. */
import { Effect } from "effect"
import * as Notes from "../../sync/decisions/Notes.ts"
import { type ConfigEdit, changeConfig } from "../../sync/library/config/ChangeConfig.ts"
import { messageOf } from "../../sync/library/Exit.ts"
import type { Database, StateError } from "../../sync/state/Database.ts"
import type { Asked, PageContext } from "./Response.ts"
import { t } from "./language/Texts.ts"

export interface PageChange extends Omit<ConfigEdit, "bounds" | "environment"> {
  /** The change, in words. */
  readonly words: string
  /** Left out if the change is about all connections. */
  readonly connection?: string
}

/** Records what a person changed. */
export const note = ({ name }: Pick<Asked, "name">, { connection, words }: Pick<PageChange, "connection" | "words">) =>
  Notes.changed(name === "" ? "the page" : name, words, connection)

/** Returns what is wrong if nothing was changed; undefined if it was. */
export const make = (
  asked: Pick<Asked, "name">,
  { bounds, environment, file, reread = Effect.void }: PageContext,
  { edit, seen, ...said }: PageChange
): Effect.Effect<string | undefined, StateError, Database> =>
  Effect.gen(function* () {
    if (asked.name === "") return t`Say who changes it.`
    const done = yield* Effect.result(
      changeConfig(file, { environment, edit, seen, ...(bounds === undefined ? {} : { bounds }) })
    )
    if (done._tag === "Failure") return messageOf(done.failure)
    yield* note(asked, said)
    yield* reread
    return undefined
  })
