/**
 * How soon `daybook --version` answers, against `node -e 0`, which does nothing. Whole processes in turns, the median
 * of 25 after one of each that is not counted. The start of a real command (`daybook plan --help`) is shown beside it.
 */
import { bundle, build, took } from "./Command.ts"
import { atMost, type Figure, median, seconds, shown } from "./Figure.ts"

export const figures = async (): Promise<ReadonlyArray<Figure>> => {
  build()
  const commands = { version: [bundle, "--version"], help: [bundle, "plan", "--help"], nothing: ["-e", "0"] }
  const times = { version: [] as Array<number>, help: [] as Array<number>, nothing: [] as Array<number> }
  for (let round = -1; round < 25; round++) {
    for (const name of ["version", "nothing", "help"] as const) {
      const time = took(commands[name])
      if (round >= 0) times[name].push(time)
    }
  }
  const against = (mine: ReadonlyArray<number>) => ({
    ours: seconds(median(mine)),
    baseline: seconds(median(times.nothing)),
    ratio: median(mine) / median(times.nothing)
  })
  return [
    atMost("version: daybook --version, node -e 0", 4, against(times.version)),
    shown("version: daybook plan --help, node -e 0", against(times.help))
  ]
}
