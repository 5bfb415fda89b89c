/** What an attack on orders found, item by item, over the real command with figures that are written out. */
import { describe } from "@effect/vitest"
import { cases, keysOf, useProgram } from "./Suite.ts"

const key = "sk-orders"
const program = useProgram(keysOf({ key }))

describe("orders", () => cases({ key, program }))
