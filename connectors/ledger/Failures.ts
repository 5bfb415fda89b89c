/** Says that a file or setting cannot be used. */
import { failing } from "../Connector.ts"

export const { misconfigured, unavailable } = failing("ledger")
