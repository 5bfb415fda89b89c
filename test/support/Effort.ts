/**
 * Scales the number of random trials of each test: low in a normal run, so that it ends within five minutes; `npm run nightly`
 * sets DAYBOOK_EFFORT to 240 times as much.
 */
export const EFFORT = Number(process.env["DAYBOOK_EFFORT"] ?? 0.05)

/** The nightly effort, with which every case is tried. */
export const WHOLE = 12

/** A number of trials, in proportion to the effort. */
export const times = (n: number): number => Math.max(1, Math.round(n * EFFORT))

/**
 * The distance between the steps at which a failure is simulated: every `n`th step in a normal run, every step nightly.
 */
export const apart = (n: number): number => Math.max(1, Math.ceil(n / EFFORT))

/** The number of runs of a property, in proportion to the effort. */
export const runs = (n: number) => ({ arbitrary: { runs: times(n) } })

/**
 * Whether the tests with "long" in their files' names run: real servers, browsers, packages, kills and long stories, which would
 * take a normal run over five minutes. `npm test` leaves them out, `npm run test:long` runs only those, and whoever names a file gets it.
 */
export const LONG = process.env["DAYBOOK_LONG"] ?? "all"
