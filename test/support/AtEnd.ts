/**
 * What is left to be done at the end of a test file. Tests of one file may run side by side, so it is not done at theirs;
 * and test files share a process, so that it cannot be left to the process's end.
 */
const left: Array<() => unknown> = []

export const atEnd = (one: () => unknown): void => void left.push(one)

/** Does it, what came last first. `AfterFile.ts` calls it after each file. */
export const end = async (): Promise<void> => {
  for (const one of left.splice(0).toReversed()) await one()
}
