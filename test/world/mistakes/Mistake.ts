/**
 * What people found in the program by trying it from outside, and what brings it back today. The world must find each by itself, within
 * as many lives as an assumption: `node test/world/mutants.ts` tries them.
 */
import type { Change } from "../../simulation/mutants.ts"

export interface Mistake {
  readonly name: string
  readonly changes: ReadonlyArray<Change>
  /** A word of the setting of lives that it may change anything in. */
  readonly where: string
  /** What has to happen in a life for it to show. */
  readonly needs?: ReadonlyArray<string>
}

export interface Finding extends Mistake {
  /** Where it was described: a folder of cases, and the number or the name there. */
  readonly from: string
}

export const change = (file: string, from: string, to: string): Change => ({ file, from, to })

export const finding = (
  from: string,
  name: string,
  changes: ReadonlyArray<Change>,
  where = "",
  needs: ReadonlyArray<string> = []
): Finding => ({ from, name, changes, where, needs })
