/**
 * Lists the faults that Daybook must survive, by name, with the tests that show each: a test file, and how the name of a test
 * in it begins, as in the source (placeholders without their dollar sign). `faults.ts` writes the list down, and a test keeps
 * both up to date. The rows are in `test/faults/rows`, by subject.
 */
import { ACCESS } from "../faults/rows/Access.ts"
import { ANSWERS } from "../faults/rows/Answers.ts"
import { COVER } from "../faults/rows/Cover.ts"
import { FILES } from "../faults/rows/Files.ts"
import { MACHINE } from "../faults/rows/Machine.ts"
import { PARTIES } from "../faults/rows/Parties.ts"
import { SAFETY } from "../faults/rows/Safety.ts"
import { SERVICE } from "../faults/rows/Service.ts"
import { SOURCES } from "../faults/rows/Sources.ts"
import type { FaultRow } from "./FaultRow.ts"

export type { FaultRow }

export const FAULTS: ReadonlyArray<FaultRow> = [
  ...MACHINE,
  ...ANSWERS,
  ...SOURCES,
  ...ACCESS,
  ...PARTIES,
  ...SERVICE,
  ...FILES,
  ...COVER,
  ...SAFETY
]
