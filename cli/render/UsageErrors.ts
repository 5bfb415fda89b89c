/**
 * Renders an invalid command line in one or two lines: what is wrong, what was probably meant, and where to read more. By
 * default the command line library would print the whole help with the mistake below it.
 */
import type { CliError, CliOutput } from "effect/cli"
import { nearest } from "../../core/Nearest.ts"

export type Event = Extract<CliOutput.Presenter.Event, { readonly _tag: "InvalidInvocation" }>

export const mistakes = ({ commandPath, errors, helpDoc }: Event): string => {
  const flags = [...helpDoc.flags, ...(helpDoc.globalFlags ?? [])].map(({ name }) => `--${name.replace(/^-+/, "")}`)
  const words = [...new Set(errors.map((error) => say(error, flags)))]
  const path = commandPath.join(" ")
  return `${words.join("\n")}\n${path} --help shows how it is used`
}

const meant = (name: string | undefined): string => (name === undefined ? "" : `; did you mean ${name}?`)

const say = (error: CliError.NonShowHelpErrors, flags: ReadonlyArray<string>): string => {
  switch (error._tag) {
    case "UnknownSubcommand":
      return `there is no command "${error.subcommand}"${meant(error.suggestions[0])}`
    case "UnrecognizedOption":
      return `there is no option ${error.option} here${meant(error.suggestions[0] ?? nearest(error.option, flags))}`
    case "MissingArgument":
      return `<${error.argument}> is missing`
    case "UnexpectedArgument":
      return `${error.arguments.map((one) => JSON.stringify(one)).join(", ")} not expected by this command`
    case "InvalidValue": {
      const name = error.kind === "argument" ? `<${error.option}>` : `--${error.option}`
      const expected = /number|integer/i.test(error.expected) ? "a whole number is expected" : error.expected
      return error.value === "" ? `${name} needs a value` : `${name}: "${error.value}" does not fit; ${expected}`
    }
    default:
      return error.message
  }
}
