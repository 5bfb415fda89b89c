/**
 * How often what is tried by chance is tried, beside what each test names: less in a run of the tests, so that it ends within
 * five minutes; `npm run nightly` asks with DAYBOOK_EFFORT for sixty times as much.
 */
export const EFFORT = Number(process.env["DAYBOOK_EFFORT"] ?? 0.2)

/** The nightly effort, with which everything is tried that there is. */
export const WHOLE = 12

/** So many, in proportion to the effort. */
export const times = (n: number): number => Math.max(1, Math.round(n * EFFORT))

/**
 * How far apart the steps are at which something goes wrong: each `n`th in a run of the tests, all of them nightly.
 */
export const apart = (n: number): number => Math.max(1, Math.ceil(n / EFFORT))

/** Runs of a property, in proportion to the effort. */
export const runs = (n: number) => ({ arbitrary: { runs: times(n) } })
