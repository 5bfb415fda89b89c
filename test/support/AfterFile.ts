/** Runs after each test file, as a vitest setup file. */
import { afterAll } from "vitest"
import { end } from "./AtEnd.ts"
import { keepCompiled } from "./Built.ts"

keepCompiled()
afterAll(end)
