/** Finds the headings that the settings of a stream name. */
import * as Expressions from "./Expressions.ts"
import type { Written } from "./Streams.ts"

/** Every heading that the settings use for a field, in order, each with the setting that names it. */
export const headingsOf = (
  settings: Written
): ReadonlyArray<{ readonly by: string; readonly field: string; readonly heading: string }> => {
  const extras = "metadata" in settings ? (settings.metadata ?? {}) : {}
  return [
    ...Object.entries(settings.columns as Readonly<Record<string, Expressions.Expression>>).flatMap(([field, one]) =>
      Expressions.columnsOf(one).map((heading) => ({ by: `columns.${field}`, field, heading }))
    ),
    ...Object.entries(extras).map(([field, heading]) => ({ by: `metadata.${field}`, field: "", heading }))
  ]
}
