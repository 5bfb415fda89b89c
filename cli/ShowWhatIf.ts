/** Shows what another configuration or another day would change in today's plan, for `plan --with` and `plan --as-of`. */
import { Effect, Option } from "effect"
import { plural } from "../core/Plural.ts"
import { Exit, SOMETHING_TO_DO } from "../sync/library/Exit.ts"
import { readsSource } from "../sync/library/ReadTrial.ts"
import { writtenDay } from "../sync/library/Views.ts"
import type { DocumentDifference } from "../sync/reports/PlanDifference.ts"
import * as WhatIf from "../sync/reports/WhatIf.ts"
import * as CommandContext from "./CommandContext.ts"
import { compareVersions } from "./OtherVersion.ts"
import type { Output } from "./render/Output.ts"
import { whatIfText } from "./render/WhatIfView.ts"

export interface WhatIfFlags {
  readonly all: boolean
  readonly asOf: Option.Option<string>
  readonly detailed: boolean
  readonly read: boolean
  readonly with: Option.Option<string>
}

/** Shows what another version of Daybook would plan from the same books. */
export const showVersions = (by: string, { all, detailed }: Pick<WhatIfFlags, "all" | "detailed">, out: Output) =>
  Effect.gen(function* () {
    const configuration = yield* CommandContext.configuration
    yield* CommandContext.inState("read", "plan", function* (db) {
      const documents: Array<DocumentDifference> = []
      const compared = yield* compareVersions(db, configuration, by, (one) => void documents.push(one))
      for (const one of documents) yield* out.emit({ type: "document", ...one })
      yield* out.emit({ type: "summary", differ: documents.length, ...compared })
      const { calls, same } = compared
      const figures = { today: plural(calls.today, "call"), other: plural(calls.other, "call") }
      const report = { asOf: null, calls, documents, figures, notCovered: [], rules: [], same, stops: [] }
      yield* out.say(whatIfText(report, all, out))
      if (detailed && documents.length > 0) yield* new Exit({ status: SOMETHING_TO_DO })
    })
  })

export const showWhatIf = ({ all, asOf, detailed, read, with: file }: WhatIfFlags, out: Output) =>
  Effect.gen(function* () {
    const day = yield* writtenDay(Option.getOrUndefined(asOf))
    const today = yield* CommandContext.configuration
    const other = Option.isNone(file) ? undefined : yield* CommandContext.configurationIn(file.value)
    yield* CommandContext.inState("read", "plan", function* (db) {
      const report = yield* WhatIf.report(db, today.connections, {
        ...(other === undefined ? {} : { connections: other.connections, url: other.service.url }),
        ...(other === undefined || !read ? {} : { read: readsSource({ today, other }, db.file) }),
        ...(day === undefined ? {} : { asOf: day })
      })
      const { documents, notCovered, rules, stops, ...summary } = report
      for (const one of documents) yield* out.emit({ type: "document", ...one })
      for (const one of stops) yield* out.emit({ type: "guard", ...one })
      for (const one of rules) yield* out.emit({ type: "rule", ...one })
      for (const why of notCovered) yield* out.emit({ type: "not covered", why })
      yield* out.emit({ type: "summary", differ: documents.length, ...summary })
      yield* out.say(whatIfText(report, all, out))
      if (detailed && documents.length + stops.length > 0) yield* new Exit({ status: SOMETHING_TO_DO })
    })
  })
