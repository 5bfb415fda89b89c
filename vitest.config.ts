/**
 * Two test files run at a time, each in a process of its own: they start servers, processes and databases. Some of them race
 * with real processes, which a busy machine may slow down at the worst moment: a test that fails is tried once more, and
 * the test command names those that passed only then.
 */
import { defineConfig } from "vitest/config"
import { EFFORT } from "./test/support/Effort.ts"

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    globalSetup: ["test/support/Built.ts"],
    retry: 1,
    testTimeout: 30_000 * Math.max(1, EFFORT / 2),
    hookTimeout: 60_000,
    pool: "forks",
    maxWorkers: 2
  }
})
