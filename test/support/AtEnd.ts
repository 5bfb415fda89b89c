/**
 * Collects clean-up work for the end of a test file. Tests of one file may run concurrently, so it cannot be done after each
 * test; test files share a process, so it cannot wait for the end of the process.
 */
const left: Array<() => unknown> = []

export const atEnd = (one: () => unknown): void => void left.push(one)

/** Does the work, last added first. `AfterFile.ts` calls this after each file. */
export const end = async (): Promise<void> => {
  for (const one of left.splice(0).toReversed()) await one()
}
