/** What a command is told where strange things are meant: documents by chance trip every guard. */
import { GUARDS } from "../../sync/model/Guard.ts"

export const GO_ON: ReadonlyArray<string> = ["--allow", GUARDS.join(",")]
