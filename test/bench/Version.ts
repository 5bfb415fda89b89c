/**
 * How soon `daybook --version` answers, against `node -e 0`, which does nothing. Whole processes in turns, the median
 * of 15 after one of each that is not counted. The start of a real command (`daybook plan --help`) is shown beside it.
 */
import { bundle, build, took } from "./Command.ts"
import { atMost, type Figure, shown, times } from "./Figure.ts"

const ROUNDS = 15

export const figures = async (): Promise<ReadonlyArray<Figure>> => {
  build()
  const commands = { version: [bundle, "--version"], help: [bundle, "plan", "--help"], nothing: ["-e", "0"] }
  const taken = { version: [] as Array<number>, help: [] as Array<number>, nothing: [] as Array<number> }
  for (let round = -1; round < ROUNDS; round++) {
    for (const name of ["version", "nothing", "help"] as const) {
      const time = took(commands[name])
      if (round >= 0) taken[name].push(time)
    }
  }
  const theirs = taken.nothing
  return [
    atMost("version: daybook --version, node -e 0", 4, times({ ours: taken.version, theirs })),
    shown("version: daybook plan --help, node -e 0", times({ ours: taken.help, theirs }))
  ]
}
