/** The kinds of files that are generated, each by its seed. */
import { DISTURBANCES, disturbedFile, wrongOf } from "./Disturbed.ts"
import { COPY_DISTURBANCES, type Folder, FOLDER_DISTURBANCES, sameMoney, twoExports } from "./DisturbedFolders.ts"
import { wrongOfFolder } from "./Planned.ts"
import { disturbedList } from "./DisturbedLists.ts"
import { ledger, LEDGER_DISTURBANCES } from "./DisturbedLedgers.ts"
import { disturbedMoney, MONEY_DISTURBANCES } from "./DisturbedMoney.ts"
import { LIST_DISTURBANCES } from "./ListDisturbances.ts"
import { disturbedWorkbook, WORKBOOK_DISTURBANCES } from "./DisturbedWorkbooks.ts"
import { wrongOfFile, wrongOfList, wrongOfMoney } from "./DisturbedTruth.ts"

const ofFolder = (folder: (seed: number) => Folder) => (seed: number) => {
  const { answers, files, known } = folder(seed)
  return wrongOfFolder(files, known, answers)
}

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
  },
  "a folder with payments and a bank": {
    names: (seed: number) => sameMoney(seed).names,
    wrong: ofFolder(sameMoney),
    all: FOLDER_DISTURBANCES
  },
  "a folder with two exports of a list": {
    names: (seed: number) => twoExports(seed).names,
    wrong: ofFolder(twoExports),
    all: COPY_DISTURBANCES
  },
  "a ledger with both sides": {
    names: (seed: number) => ledger(seed).names,
    wrong: ofFolder(ledger),
    all: LEDGER_DISTURBANCES
  }
}

export type Generated = keyof typeof generated
export const GENERATED = Object.keys(generated) as ReadonlyArray<Generated>
