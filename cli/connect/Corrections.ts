/** Handles columns that a person may correct: which heading of their file is which field. */
import type { FileHeadings, Initial } from "../../sync/library/FirstConfiguration.ts"
import { html, type Node } from "../page/Html.ts"
import { t } from "../page/language/Texts.ts"

interface Stream {
  readonly path?: unknown
  readonly columns?: Readonly<Record<string, unknown>>
}

/** The streams of the files that were read, each with the name for an answer. */
const streamsOf = ({ config }: Pick<Initial, "config">): ReadonlyArray<readonly [string, Stream]> =>
  config.connections.flatMap(({ source: { connector: _, ...streams } }) =>
    Object.entries(streams).flatMap(([name, all]) => [all].flat().map((one) => [name, one as Stream] as const))
  )

/** Texts of the columns that the file has, in its order. */
const headingsOf = (all: ReadonlyArray<FileHeadings>, path: unknown): ReadonlyArray<string> => [
  ...new Set(all.filter((one) => one.path === path).flatMap(({ header }) => header.filter((one) => one !== "")))
]

const select = (name: string, label: string, value: string, headings: ReadonlyArray<string>): Node => html`
  <div class="field">
    <label for=${name}>${label}</label>
    <select id=${name} name=${`column:${name}`}>
      ${headings.map((one) => html`<option value=${one} selected=${one === value}>${one}</option>`)}
    </select>
  </div>
`

export const correctionsOf = (
  draft: Pick<Initial, "config"> & { readonly headings: ReadonlyArray<FileHeadings> },
  shown: (text: string) => string
): Node => {
  const seen = new Set<string>()
  const fields = streamsOf(draft).flatMap(([stream, { columns = {}, path }]) => {
    const headings = headingsOf(draft.headings, path)
    return Object.entries(columns).flatMap(([field, heading]) => {
      const name = `${stream}.${field}`
      if (typeof heading !== "string" || !headings.includes(heading) || seen.has(name)) return []
      seen.add(name)
      const label = t`${shown(String(path))}: ${field.replaceAll("_", " ")} of ${stream.replaceAll("_", " ")}`
      return [select(name, label, heading, headings)]
    })
  })
  return fields.length === 0
    ? null
    : html`<details>
        <summary>Was a column misread?</summary>
        ${fields}
        <button class="plain">Read the files again with these columns</button>
      </details>`
}

/** The columns in which a form differs from the draft. */
export const correctedOf = (
  draft: Pick<Initial, "config">,
  posted: URLSearchParams
): Readonly<Record<string, string>> => {
  const known = new Map<string, unknown>(
    streamsOf(draft).flatMap(([stream, { columns = {} }]) =>
      Object.entries(columns).map(([field, heading]) => [`${stream}.${field}`, heading] as const)
    )
  )
  return Object.fromEntries(
    [...posted].flatMap(([name, heading]) => {
      const field = name.startsWith("column:") ? name.slice("column:".length) : ""
      return known.has(field) && known.get(field) !== heading ? [[field, heading]] : []
    })
  )
}
