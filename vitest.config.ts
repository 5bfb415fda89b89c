/**
 * Eight test files run at a time on two cores, as many wait for a server or a clock: two left a core idle for a third of the time.
 * Each process takes one file after another, so that what they import is made ready eight times and not once for each file; and the
 * tests of a file run one after another, also where they could run together: each at a time needs a resident command of its own, which
 * took a quarter more processor time. So a file leaves nothing behind: what it changes of its process it puts back, and the rest is
 * done through `atEnd`. No test is tried again: one that passes only then is wrong, and what races has a clock of its own.
 */
import { defineConfig } from "vitest/config"
import { EFFORT, LONG } from "./test/support/Effort.ts"
import { LongestFirst } from "./test/support/Order.ts"

export default defineConfig({
  test: {
    include: [LONG === "only" ? "test/**/*.long.test.ts" : "test/**/*.test.ts"],
    exclude: LONG === "none" ? ["test/**/*.long.test.ts"] : [],
    globalSetup: ["test/support/Built.ts"],
    setupFiles: ["test/support/AfterFile.ts"],
    isolate: false,
    // Node strips the types itself, as it does for the command: nothing here needs vite's transform or its mocks.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    sequence: { sequencer: LongestFirst },
    testTimeout: 60_000 * Math.max(1, EFFORT / 2),
    hookTimeout: 60_000,
    // What is asked until it is so: a second, as vitest has it, is too little where everything runs at once.
    expect: { poll: { timeout: 25_000 } },
    pool: "forks",
    maxWorkers: 8,
    maxConcurrency: 1
  }
})
