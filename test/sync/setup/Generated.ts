/** The kinds of files that are generated, each by its seed. */
import { DISTURBANCES, disturbedFile, wrongOf } from "./Disturbed.ts"
import { disturbedList } from "./DisturbedLists.ts"
import { disturbedMoney, MONEY_DISTURBANCES } from "./DisturbedMoney.ts"
import { LIST_DISTURBANCES } from "./ListDisturbances.ts"
import { disturbedWorkbook, WORKBOOK_DISTURBANCES } from "./DisturbedWorkbooks.ts"
import { wrongOfFile, wrongOfList, wrongOfMoney } from "./DisturbedTruth.ts"

export const generated = {
  "a list of invoices in a fixed order": {
    names: (seed: number) => disturbedFile(seed).names,
    wrong: (seed: number) => wrongOf(disturbedFile(seed)),
    all: DISTURBANCES.map(([name]) => name)
  },
  "a list of invoices": {
    names: (seed: number) => disturbedList(seed).names,
    wrong: wrongOfList,
    all: LIST_DISTURBANCES.map(([name]) => name)
  },
  "a list of money": {
    names: (seed: number) => disturbedMoney(seed).names,
    wrong: wrongOfMoney,
    all: MONEY_DISTURBANCES.map(([name]) => name)
  },
  "a workbook of invoices": {
    names: (seed: number) => disturbedWorkbook(seed).names,
    wrong: (seed: number) => wrongOfFile(disturbedWorkbook(seed).file),
    all: [...LIST_DISTURBANCES, ...WORKBOOK_DISTURBANCES].map(([name]) => name)
  }
}

export type Generated = keyof typeof generated
export const GENERATED = Object.keys(generated) as ReadonlyArray<Generated>
