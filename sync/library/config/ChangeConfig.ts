/**
 * Changes a configuration that a person wrote, one setting at a time, so that the rest of the file stays identical. A change
 * that would make the configuration invalid is rejected, and the file is always complete.
 */
import { Effect, Semaphore } from "effect"
import { applyEdits, type Edit, findNodeAtLocation, type JSONPath, modify, type Node, parseTree } from "jsonc-parser"
import { createHash } from "node:crypto"
import { readFileSync } from "node:fs"
import { resolve } from "node:path"
import { exportError } from "../../export/ExportError.ts"
import { OutputFile } from "../../export/OutputFile.ts"
import { UsageError } from "../Exit.ts"
import { checked } from "./ConfigFile.ts"
import type { ConfigError, Configuration } from "./Configuration.ts"
import * as JsonText from "./JsonText.ts"

/** The file's indentation for each level. */
const unitOf = (text: string): string => /\n([ \t]+)\S/.exec(text)?.[1] ?? "  "

/** The white space before a position, if there is nothing else before it on the line. */
const indentAt = (text: string, offset: number): string | undefined =>
  /(?:^|\n)([ \t]*)$/.exec(text.slice(0, offset))?.[1]

/** The indentation of a position's line. */
const lineIndent = (text: string, offset: number): string =>
  /^[ \t]*/.exec(text.slice(text.lastIndexOf("\n", offset - 1) + 1))?.[0] ?? ""

/** The innermost existing node of a path. */
const parentOf = (text: string, path: JSONPath): Node | undefined => {
  const root = parseTree(text)
  for (let n = path.length - 1; root !== undefined && n >= 0; n--) {
    const found = findNodeAtLocation(root, path.slice(0, n))
    if (found !== undefined) return found
  }
  return root
}

/** Formats what is inserted like its neighbours: on its own line, or on theirs. The rest is not changed. */
const styled = (text: string, path: JSONPath, edit: Edit): Edit => {
  const parent = parentOf(text, path)
  const { children = [], offset: start = 0, type } = parent ?? {}
  const isFirst = children.length === 0
  const isNew = parent !== undefined && edit.length === 0 && (isFirst || edit.content.startsWith(","))
  if (!isNew) return edit
  const unit = unitOf(text)
  const eol = text.includes("\r\n") ? "\r\n" : "\n"
  const bare = edit.content.replace(/^,\s*/, "").trim()
  const last = children.at(-1)
  const indent = last === undefined ? `${lineIndent(text, start)}${unit}` : indentAt(text, last.offset)
  if (indent === undefined) return { ...edit, content: `, ${bare}` }
  const value: unknown = JSON.parse(type === "object" ? `{${bare}}` : bare)
  const lines = JSON.stringify(value, null, unit).split("\n")
  // For an object only its members, which are already indented by one level.
  const own = type === "object" ? lines.slice(1, -1).map((line) => line.slice(unit.length)) : lines
  const block = own.map((line) => `${eol}${indent}${line}`).join("")
  return { ...edit, content: isFirst ? `${block}${eol}${lineIndent(text, start)}` : `,${block}` }
}

const changed = (text: string, path: JSONPath, value: unknown, isArrayInsertion: boolean): string =>
  applyEdits(
    text,
    modify(text, path, value, { isArrayInsertion }).map((edit) =>
      edit.content === "" ? edit : styled(text, path, edit)
    )
  )

/** Sets the setting at this path; undefined removes it. */
export const withSetting = (text: string, path: JSONPath, value: unknown): string => changed(text, path, value, false)

/** Appends an entry to a list, which is created if necessary. */
export const withEntry = (text: string, path: JSONPath, value: unknown): string =>
  changed(text, [...path, -1], value, true)

/** A digest of a file's contents, to detect changes. */
export const digestOf = (text: string): string => createHash("sha256").update(text).digest("base64url").slice(0, 22)

/** The text of a configuration that can be changed; or why it cannot. */
export const writtenText = (file: string): Effect.Effect<string, UsageError> =>
  file.endsWith(".json")
    ? Effect.try({
        try: () => readFileSync(resolve(file), "utf8"),
        catch: (cause) => new UsageError({ why: `${file} cannot be read: ${(cause as Error).message}` })
      })
    : Effect.fail(new UsageError({ why: `${file} is a program, not JSON: change it in an editor` }))

/** Parses the text without validating it. */
export const parsed = (text: string): Readonly<Record<string, unknown>> =>
  (JsonText.parse(text) ?? {}) as Readonly<Record<string, unknown>>

/** Allows one change at a time: the file is read and rewritten. */
const writing = Semaphore.makeUnsafe(1)

const write = (file: string, text: string) =>
  Effect.uninterruptible(
    Effect.tryPromise({
      try: async () => {
        const output = await OutputFile.create(file)
        try {
          await output.append(Buffer.from(text))
          await output.close()
          await output.commit()
        } finally {
          await output.discard()
        }
      },
      catch: (cause) => new UsageError({ why: exportError(file, cause).message })
    })
  )

export interface ConfigEdit {
  readonly environment: Configuration["environment"]
  readonly bounds?: Configuration["bounds"]
  /** The digest of the text that the person saw, if the change depends on it. */
  readonly seen?: string | undefined
  /** Pure; may throw an error that says what is wrong. */
  readonly edit: (text: string) => string
}

const MOVED = "the configuration changed meanwhile, and nothing was written: look at it again"

/** Changes the file, and returns its new contents. */
export const changeConfig = (
  file: string,
  { bounds, edit, environment, seen }: ConfigEdit
): Effect.Effect<Configuration, UsageError | ConfigError> =>
  writing.withPermit(
    Effect.gen(function* () {
      const before = yield* writtenText(file)
      if (seen !== undefined && seen !== digestOf(before)) return yield* new UsageError({ why: MOVED })
      const after = yield* Effect.try({
        try: () => edit(before),
        catch: (cause) => new UsageError({ why: `${file}: ${cause instanceof Error ? cause.message : String(cause)}` })
      })
      const configuration = yield* checked(file, after, { environment, ...(bounds === undefined ? {} : { bounds }) })
      // Somebody may have saved it in an editor while connectors were loaded.
      if ((yield* writtenText(file)) !== before) return yield* new UsageError({ why: MOVED })
      if (after !== before) yield* write(resolve(file), after)
      return configuration
    })
  )
