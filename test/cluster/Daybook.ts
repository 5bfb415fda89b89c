/** The command `daybook` from its source, as a process of its own. */
import { main } from "../../cli/main.ts"

await main("0.0.0")
