/** Everything that was found and that the world must find by itself. */
import type { Finding } from "./Mistake.ts"
import { OF_MONEY } from "./OfMoney.ts"
import { OF_SHOPS } from "./OfShops.ts"

export const FINDINGS: ReadonlyArray<Finding> = [...OF_MONEY, ...OF_SHOPS]
