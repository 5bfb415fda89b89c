/**
 * Prints how long each known program's exports take from `daybook init` to a dry run, with every question answered:
 * `node test/cli/minutes.ts`. Fails if one takes a minute, with ten seconds for each question.
 */
import { buildCommand } from "../support/Cli.ts"
import { minuteOf, NAMES, PER_QUESTION } from "./Minute.ts"

buildCommand()
console.log(`| preset | questions | the program, s | with ${PER_QUESTION} s for each question, s |\n|---|---|---|---|`)
let late = 0
for (const name of NAMES) {
  const { asked, isDry, seconds, shown, whole } = await minuteOf(name)
  if (!isDry || whole >= 60) late++
  console.log(`| ${name} | ${asked.length} | ${seconds.toFixed(1)} | ${whole.toFixed(1)} |${isDry ? "" : ` ${shown}`}`)
}
process.exit(late === 0 ? 0 : 1)
