/** Tests whether the folder that workers share is there: a volume that is not mounted is an empty folder, or none. */
import { Effect } from "effect"
import { opendir } from "node:fs/promises"
import { basename } from "node:path"
import { ownFolder } from "./TenantAsks.ts"

/** A network file system that hangs is not waited for. Milliseconds. */
const ANSWERS_MS = 2000

/** Whether there is something beside what workers remember. */
const hasSome = async (folder: string): Promise<boolean> => {
  for await (const { name } of await opendir(folder)) if (name !== basename(ownFolder(folder))) return true
  return false
}

/** Why it cannot be used; else whether somebody has put something there. */
const looked = (folder: string): Effect.Effect<boolean | string> =>
  Effect.tryPromise({ try: () => hasSome(folder), catch: (cause) => (cause as Error).message }).pipe(
    Effect.timeoutOrElse({ duration: ANSWERS_MS, orElse: () => Effect.fail("it does not answer") }),
    Effect.match({
      onFailure: (why) => `the folder of files cannot be read: ${why}`,
      onSuccess: (has): boolean | string => has
    })
  )

/** What to ask again and again: why the folder cannot be used, in words; undefined: it can. */
export const filesTest = (folder: string | undefined): Effect.Effect<Effect.Effect<string | undefined>> =>
  Effect.sync(() => {
    if (folder === undefined) return Effect.undefined
    let had = false
    return Effect.map(looked(folder), (found) => {
      if (typeof found === "string") return found
      had ||= found
      return had && !found ? `${folder} is empty, and was not before: is it mounted?` : undefined
    })
  })
