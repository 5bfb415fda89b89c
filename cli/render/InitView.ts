/** Renders what `daybook init` decided and asks, and the first documents as they would be read. */
import { plural } from "../../core/Plural.ts"
import type { SetupDecision, SetupQuestion } from "../../sync/library/FirstConfiguration.ts"
import type { Preview } from "../../sync/pull/Preview.ts"
import type { Output } from "./Output.ts"
import * as PreviewView from "./PreviewView.ts"
import { says } from "./StoryView.ts"
import { table } from "./Table.ts"

/** Decisions by file, each with its evidence. */
export const decisionText = (
  decisions: ReadonlyArray<SetupDecision>,
  { style, width }: Pick<Output, "style" | "width">
): string => {
  const files = [...new Set(decisions.map(({ file }) => file))]
  return files
    .map((file) => {
      const rows = decisions.filter((one) => one.file === file).map(({ because = "", what }) => [what, because])
      const columns = [{ title: "Decided" }, { title: "Because", flexible: true }]
      return `${style.bold(file ?? "Beside the files")}\n${table(columns, rows, { style, width })}`
    })
    .join("\n\n")
}

/** A question in one line. */
export const questionText = ({ ask, choices, suggestion }: SetupQuestion): string => {
  const shown = choices === undefined ? "" : ` (${choices.join(", ")})`
  return `${ask}${shown}${suggestion === undefined ? "" : ` [${suggestion}]`} `
}

/** What must be answered if nobody can be asked. */
export const lackingText = (questions: ReadonlyArray<SetupQuestion>, accepted: boolean): string => {
  const needed = questions.filter(({ suggestion }) => suggestion === undefined)
  const rest = questions.filter(({ suggestion }) => suggestion !== undefined)
  const lines = [
    ...needed.map(
      ({ ask, choices, flag }) => `  ${flag}  ${ask}${choices === undefined ? "" : ` (${choices.join(", ")})`}`
    ),
    ...rest.map(({ ask, flag, suggestion }) => `  ${flag}  ${ask} ${suggestion} unless given`)
  ]
  const yes = accepted ? "" : ", and add --yes to accept what was decided"
  return needed.length === 0
    ? `add --yes to accept what was decided; it can be said otherwise:\n${lines.join("\n")}`
    : `${plural(needed.length, "question")} must be answered${yes}:\n${lines.join("\n")}`
}

/** The first documents and the totals of all. */
export const firstText = (name: string, preview: Preview, out: Pick<Output, "style">): string => {
  const { notices, quarantined, rows } = preview
  const documents = rows.flatMap((row) => row.documents.map((one) => `  ${says(one)}${PreviewView.stated(one)}`))
  const unread = quarantined.length === 0 ? "" : `; ${PreviewView.wouldBe(quarantined)}`
  return [
    `${out.style.bold(name)}: ${PreviewView.found(preview)}${unread}`,
    ...documents,
    ...PreviewView.noticesOf(notices).map((line) => out.style.dim(`  ${line}`)),
    ...PreviewView.differs(preview).map((line) => out.style.yellow(`  ${line}`)),
    ...PreviewView.sumLines(preview, out).map((line) => `  ${line}`)
  ].join("\n")
}

/** The remaining steps for a source other than files. */
export const sourceNextText = (
  id: string,
  {
    authorises,
    missing
  }: {
    readonly authorises: boolean
    readonly missing: ReadonlyArray<{ readonly name: string; readonly text: string }>
  }
): string => {
  const steps = [
    ...missing.map(({ name, text }) => [`set ${name}`, text] as const),
    ...(authorises
      ? [[`daybook connect ${id}`, "agree in the browser; it shows which organisation it reads"] as const]
      : missing.length > 0
        ? [[`daybook connect ${id}`, "or have it asked, and sealed beside the state file"] as const]
        : []),
    [`daybook preview ${id}`, "its first records, and what they become"] as const,
    ["daybook sync", "read it, and send what is new"] as const
  ]
  const width = Math.max(...steps.map(([command]) => command.length))
  return `What to do next:\n${steps.map(([command, text]) => `  ${command.padEnd(width)}  ${text}`).join("\n")}`
}
