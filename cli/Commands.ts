/**
 * The commands that a command line needs. Each is loaded only when the command line names it: loading all of them takes longer
 * than most of them run. The list of commands needs only what is said of each; completions need all of them.
 */
import { Command } from "effect/cli"
import { withValue } from "./CommandContext.ts"
import { GROUPS } from "./Entries.ts"
import { summaries } from "./Summaries.ts"
import * as CommandContext from "./CommandContext.ts"

const valued = new Set(withValue.map(({ id }) => `--${id}`))

/** The command that the arguments name: the first word that is neither an option nor an option's value. */
const commandOf = (args: ReadonlyArray<string>): string | undefined => {
  let isValue = false
  for (const word of args) {
    if (isValue) isValue = false
    else if (valued.has(word)) isValue = true
    else if (!word.startsWith("-")) return word
  }
  return undefined
}

const isCommand = (word: string | undefined): boolean =>
  GROUPS.some(({ entries }) => entries.some(({ name }) => name === word))

/** Whether only the list of commands can be asked for, or a name that none has. */
const isOnlyList = (args: ReadonlyArray<string>): boolean =>
  !args.some((word) => isCommand(word) || word.startsWith("--completions"))

/** The groups with only the named command, or with all commands if none is named: those that can run, or what they are. */
export const commandsFor = async (args: ReadonlyArray<string>) => {
  const named = commandOf(args)
  const texts = isOnlyList(args) ? await summaries() : undefined
  const groups = await Promise.all(
    GROUPS.map(async ({ entries, group }) => ({
      group,
      commands: await Promise.all(
        entries
          .filter(({ name }) => !isCommand(named) || name === named)
          .map(({ load, name }) =>
            texts === undefined ? load() : Command.make(name).pipe(CommandContext.help(texts[name] ?? ""))
          )
      )
    }))
  )
  return groups.filter(({ commands }) => commands.length > 0)
}
