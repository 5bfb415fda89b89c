/**
 * Reads consecutively numbered files, each once it exists. If one is missing while a later one exists, the pull stops with
 * an error, because the contents of the missing file would otherwise be lost unnoticed.
 */
import { Effect } from "effect"
import { failing } from "../Connector.ts"
import type { Asked, Read, Source } from "./Asking.ts"
import type { Root } from "./Declaration.ts"
import * as Turn from "./Turn.ts"

/** How many files after a missing one are looked for. */
const AHEAD = 2

export const isNumbered = ({ changes }: Root<never>): boolean => typeof changes === "object" && "numbered" in changes

/** The number of the next file; at least the one in the settings. */
export const first = (root: Root<never>, settings: never, mark = 0): number =>
  Math.max(mark, Number(root.from?.(settings) ?? 1))

const fileOf = (source: Source, root: Root<never>, n: number): Read<Asked> => {
  const path = root.path.replace("{n}", String(n))
  return source.page({ ...root, missing: "none" }, Turn.begin({ page: n }), path, {})
}

/** Requests a file; status 404 if it does not exist yet. */
export const ask = (connector: string, source: Source, root: Root<never>, n: number): Read<Asked> =>
  Effect.gen(function* () {
    const asked = yield* fileOf(source, root, n)
    if (asked.answer.status !== 404) return asked
    for (let later = n + 1; later <= n + AHEAD; later++) {
      const { answer } = yield* fileOf(source, root, later)
      if (answer.status === 404) continue
      const what = `there is a file ${later} of ${root.name}, and no file ${n}`
      const hint = `make file ${n} in the source, or change the settings to continue with ${later}`
      return yield* failing(connector).misconfigured(what, hint)
    }
    return asked
  })

/** The next file if this one exists; if none ever existed, a notice says that this may be a mistake. */
export const turn = ({ answer }: Asked, n: number, isFirst: boolean): Turn.Turned => {
  const isThere = answer.status === 200
  const none = `there is no file ${n} yet; if there should be one, check the settings`
  return { next: isThere ? Turn.begin({ page: n + 1 }) : undefined, notices: isFirst && !isThere ? [none] : [] }
}
