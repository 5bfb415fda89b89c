/** What a folder of files comes to, from `init` to the plan of calls, held against what is known of its invoices. */
import { Effect } from "effect"
import { rmSync } from "node:fs"
import { join } from "node:path"
import * as Decimal from "../../../core/money/Decimal.ts"
import { Daybook } from "../../../sync/library/Daybook.ts"
import * as FirstConfiguration from "../../../sync/library/FirstConfiguration.ts"
import type { SetupAnswers } from "../../../sync/setup/Answers.ts"
import { type Contents, write } from "../../connectors/files/support.ts"

/** What is true of an invoice, in cents. */
export interface Known {
  readonly cents: number
  readonly paid: number
  /** Taken off by credit notes. */
  readonly credited?: number
  /** It may be there or not. */
  readonly mayBe?: boolean
}

interface Sent {
  /** As its buyer knows it. */
  readonly number: string
  cents: number
  paid: number
  isSettled: boolean
}

const CENT = Decimal.of("0.01")
const centsIn = (text: unknown): number => Number(Decimal.of(String(text)) / CENT)

export interface Planned {
  readonly invoices: ReadonlyMap<string, Sent>
  /** Whether somebody is told that something is to be looked at. */
  readonly isTold: boolean
}

/** Undefined if a question has no answer of its own. */
export const planned = async (files: Contents, answers: SetupAnswers = {}): Promise<Planned | undefined> => {
  const folder = write(files)
  try {
    const paths = Object.keys(files).map((name) => join(folder, name))
    const options = { folder, accept: true, answers: { name: "Acme", ...answers } }
    const found = await Effect.runPromise(
      Effect.flatMap(FirstConfiguration.look(paths, folder), (looked) => FirstConfiguration.initial(looked, options))
    )
    if (found.questions.length > 0) return undefined
    const state = join(folder, "daybook.db")
    const daybook = await Daybook.open(found.config, { state, folder, environment: { SERVICE_KEY: "sk-1" } })
    try {
      const read = await daybook.pull()
      const { attention, calls } = await daybook.plan()
      const { payments } = await daybook.completeness()
      const invoices = new Map<string, Sent>()
      for (const call of calls) {
        const { operation, subject } = call
        const body = "body" in call ? (call.body as Readonly<Record<string, string | undefined>>) : {}
        if (operation === "transactions.create")
          invoices.set(subject, {
            number: body["number"] ?? subject,
            cents: centsIn(body.gross_amount ?? body.net_amount),
            paid: 0,
            isSettled: false
          })
        const one = invoices.get(subject)
        if (one === undefined) continue
        if (operation === "transactions.createPayment") one.paid += centsIn(body.amount)
        if (operation === "transactions.paid") one.isSettled = true
      }
      return {
        invoices: new Map([...invoices.values()].map((one) => [one.number, one])),
        isTold:
          attention.length > 0 ||
          payments.some(({ differences }) => differences.length > 0) ||
          Object.values(read).some(({ quarantined }) => quarantined > 0)
      }
    } finally {
      await daybook.close()
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** What is wrong with a plan; undefined if nothing is, or somebody is told. */
export const wrongIn = ({ invoices, isTold }: Planned, known: ReadonlyMap<string, Known>): string | undefined => {
  for (const [no, { cents, isSettled, paid }] of invoices) {
    const truth = known.get(no)
    if (truth === undefined) return `${no} is asked for, and no file has it`
    if (cents !== truth.cents && cents !== truth.cents - (truth.credited ?? 0))
      return `${no} is ${cents} cents, and ${truth.cents} are asked`
    if (paid > truth.paid) return `${no} has ${paid} cents, and ${truth.paid} were paid`
    if (isSettled && truth.paid + (truth.credited ?? 0) < truth.cents)
      return `${no} is settled, and ${truth.paid} of ${truth.cents} were paid`
    if (!isTold && !isSettled && paid !== truth.paid)
      return `${no} has ${paid} cents without a word, and ${truth.paid} were paid`
  }
  const missing = [...known].find(([no, { mayBe = false }]) => !mayBe && !invoices.has(no))
  return missing === undefined || isTold ? undefined : `${missing[0]} is not asked for, and nothing says so`
}

export const wrongOfFolder = async (
  files: Contents,
  known: ReadonlyMap<string, Known>,
  answers?: SetupAnswers
): Promise<string | undefined> => {
  const plan = await planned(files, answers)
  return plan === undefined ? undefined : wrongIn(plan, known)
}
