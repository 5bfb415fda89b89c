/** Shows what another configuration or another day would change in today's plan, for `plan --with` and `plan --as-of`. */
import { Effect, Option } from "effect"
import { Exit, SOMETHING_TO_DO } from "../sync/library/Exit.ts"
import { writtenDay } from "../sync/library/Views.ts"
import * as WhatIf from "../sync/reports/WhatIf.ts"
import { Database } from "../sync/state/Database.ts"
import * as CommandContext from "./CommandContext.ts"
import type { Output } from "./render/Output.ts"
import { whatIfText } from "./render/WhatIfView.ts"

export interface WhatIfFlags {
  readonly all: boolean
  readonly asOf: Option.Option<string>
  readonly detailed: boolean
  readonly with: Option.Option<string>
}

export const showWhatIf = ({ all, asOf, detailed, with: file }: WhatIfFlags, out: Output) =>
  Effect.gen(function* () {
    const day = yield* writtenDay(Option.getOrUndefined(asOf))
    const { connections } = yield* CommandContext.configuration
    const other = Option.isNone(file) ? undefined : yield* CommandContext.configurationIn(file.value)
    const state = yield* CommandContext.state("read", "plan")
    yield* Effect.gen(function* () {
      const report = yield* WhatIf.report(yield* Database, connections, {
        ...(other === undefined ? {} : { connections: other.connections, url: other.service.url }),
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
    }).pipe(Effect.provide(state))
  })
