/** Options that pass every guard, for random documents, which trip all of them. */
import { GUARDS } from "../../sync/model/Guard.ts"

export const GO_ON: ReadonlyArray<string> = ["--allow", GUARDS.join(",")]
