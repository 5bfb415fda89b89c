/** All layouts of programs, processors and banks of these tests, with the answers to what they do not say. */
import { bytes, EXPORTS } from "../../connectors/files/Programs.ts"
import type { Contents } from "../../connectors/files/support.ts"
import type { SetupAnswers } from "../../../sync/setup/Answers.ts"
import { banks } from "./corpus/Banks.ts"
import { programs } from "./corpus/Programs.ts"
import { accounting } from "./SamplesAccounting.ts"
import { languages } from "./SamplesLanguages.ts"
import { money } from "./SamplesMoney.ts"
import { quickbooks } from "./SamplesQuickBooks.ts"

/** What the exports of `EXPORTS` do not say. */
export const ANSWERS: Readonly<Record<string, SetupAnswers>> = {
  "QuickBooks, list of invoices": { currency: "USD" },
  "QuickBooks, transactions by customer": { currency: "USD" },
  "FreeAgent, invoices with what was paid and is due of each": { statuses: { "Written-off": "void" } },
  "Sage, audit trail with every type of transaction": { currency: "GBP" },
  "a bank's statement": { currency: "GBP" }
}

export interface Layout {
  readonly name: string
  readonly files: Contents
  readonly answers?: SetupAnswers
}

// What describes itself is read by another connector: test/connectors/ledger.
const byHand = EXPORTS.filter(({ name }) => name !== "DATEV, EXTF").map(({ name, source }): Layout => {
  const [path = ""] = Object.values(source).map((one) => (one as { readonly path: string }).path)
  return { name, files: { [path]: bytes(path) }, ...(ANSWERS[name] === undefined ? {} : { answers: ANSWERS[name] }) }
})

export const SAMPLES = [...accounting, ...quickbooks, ...money, ...languages]
export const CORPUS = [...banks, ...programs]
export const LAYOUTS: ReadonlyArray<Layout> = [...byHand, ...SAMPLES, ...CORPUS]
