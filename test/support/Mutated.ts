/** Texts of the source with one mistake, for programs that a test must catch. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

const ROOT = fileURLToPath(new URL("../..", import.meta.url))

export interface Change {
  readonly file: string
  readonly from: string
  readonly to: string
}

/** The text of a file that it changes. Throws when the source no longer has what is changed, or has it twice. */
export const mutated = (name: string, { file, from, to }: Change): string => {
  const [before, after, more] = readFileSync(join(ROOT, file), "utf8").split(from)
  if (before === undefined || after === undefined || more !== undefined)
    throw new Error(`"${name}": ${file} should have this text once, so the mutant must be written anew:\n${from}`)
  return before + to + after
}
