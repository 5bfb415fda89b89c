/** What vitest runs beside each test file. */
import { afterAll } from "vitest"
import { end } from "./AtEnd.ts"
import { keepCompiled } from "./Built.ts"

keepCompiled()
afterAll(end)
