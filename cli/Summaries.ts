/** What the list of commands says of each; the bundle has it as a table, made when it is built. */
import { GROUPS } from "./Entries.ts"

/** By the command's name. */
export const summaries = async (): Promise<Readonly<Record<string, string>>> => {
  const entries = GROUPS.flatMap(({ entries }) => entries)
  const commands = await Promise.all(entries.map(({ load }) => load()))
  return Object.fromEntries(
    entries.map(({ name }, i) => [name, commands[i]?.shortDescription ?? commands[i]?.description ?? ""])
  )
}
