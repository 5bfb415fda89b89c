/**
 * Amounts beside net and tax where no column has the whole: shipping, a surcharge, a discount. Whether they are part of what the buyer
 * owes is asked. Where a column has the whole amount, so is what the buyer withholds of it, unless the other columns show it.
 */
import { find } from "../../connectors/tabular/Cells.ts"
import * as Decimal from "../../core/money/Decimal.ts"
import type { SetupAnswers } from "./Answers.ts"
import type { AssignedColumns } from "./Columns.ts"
import { addsUp, amountsIn, isNear, shown } from "./Figures.ts"
import { type FoundTable, headingAt, type Proposal, type SetupQuestion } from "./Tables.ts"

interface Extras {
  readonly proposal: Proposal
  readonly questions: ReadonlyArray<SetupQuestion>
}

export const EXTRA =
  /shipping|freight|postage|delivery|carriage|handling|surcharge|gratuity|\btips?\b|discount|rebate|rounding|adjustment|packaging|deposit|retention|withh|versand|fracht|porto|zuschlag|rabatt|skonto|verpackung|rundung|frais de port|livraison|remise|escompte|arrondi|verzend|korting|toeslag|afronding|env[ií]o|descuento|recargo|redondeo|irpf|retenci|spedizione|sconto|arrotond|ritenuta|frakt|kuljetus|wysyłk|doprav/iu

const LOWERS =
  /discount|rebate|deposit|retention|withh|rabatt|skonto|remise|escompte|korting|descuento|irpf|retenci|sconto|ritenuta/iu

/** What a buyer withholds: for the tax office, or until the work is accepted. */
const WITHHELD = /retention|retainage|withh|einbehalt|irpf|retenci|retenue|inhouding|ritenut/iu
const RATE = /%|rate|satz|tipo|taux|aliquota|percent|porcent/iu

/** Whether the whole amount has to be lowered by what is withheld of it, as the other columns show; undefined if they do not. */
const shownBy = (table: FoundTable, { at }: AssignedColumns, whole: number, n: number): "minus" | "no" | undefined => {
  const [withheld, gross, net, tax, open, paid] = [n, whole, at.net, at.tax, at.balance, at.paid].map((one) =>
    amountsIn(table.rows, one)
  )
  const lowered = (columns: ReadonlyArray<typeof gross>, relation: (...all: ReadonlyArray<bigint>) => boolean) => {
    const { fits, rows } = addsUp(
      [withheld ?? [], ...columns.map((one) => one ?? [])],
      (one, ...all) => one === 0n || relation(one, ...all)
    )
    return rows > 0 && fits === rows
  }
  if (lowered([gross, paid, open], (_, all, done, left) => isNear(all - done, left))) return "no"
  if (lowered([net, tax, gross], (one, a, b, all) => isNear(a + b - Decimal.abs(one), all))) return "no"
  return lowered([gross, open], (one, all, left) => isNear(all - Decimal.abs(one), left)) ? "minus" : undefined
}

/** The proposal without what buyers withhold, and questions about it. */
const withoutWithheld = (
  table: FoundTable,
  columns: AssignedColumns,
  proposal: Proposal,
  added: SetupAnswers["added"] = {}
): Extras => {
  const { gross } = proposal.columns
  if (proposal.stream !== "invoices" || typeof gross !== "string") return { proposal, questions: [] }
  const used = new Set(Object.values(proposal.columns).flat())
  const found = table.header.flatMap((_, n) => {
    const heading = headingAt(table.header, n)
    const amount = amountsIn(table.rows, n).find((one) => one !== undefined && one !== 0n)
    return used.has(heading) || !WITHHELD.test(heading) || RATE.test(heading) || amount === undefined
      ? []
      : [{ heading, amount, said: added[heading] ?? shownBy(table, columns, find(table.header, gross), n) }]
  })
  const lowering = found.filter(({ said }) => said === "minus")
  const [plus, minus] = [true, false].map((isNegative) =>
    lowering.filter(({ amount }) => amount < 0n === isNegative).map(({ heading }) => heading)
  )
  const whole = { plus: [gross, ...(plus ?? [])], ...(minus?.length === 0 ? {} : { minus }) }
  return {
    proposal: lowering.length === 0 ? proposal : { ...proposal, columns: { ...proposal.columns, gross: whole } },
    questions: found
      .filter(({ said }) => said === undefined)
      .map(({ amount, heading }) => ({
        answer: `added.${heading}`,
        flag: `--added ${JSON.stringify(`${heading}=minus`)}`,
        what: `${JSON.stringify(heading)} of ${table.name}`,
        ask: `Does the buyer withhold ${JSON.stringify(heading)} (like ${shown(amount)}) of ${JSON.stringify(gross)} in ${table.name}, so that an invoice is owed without it (minus), or is it owed as well (no)?`,
        choices: ["minus", "no"]
      }))
  }
}

/** The proposal with the extras that a person added to its gross amount, and questions for the others. */
export const withExtras = (
  table: FoundTable,
  columns: AssignedColumns,
  proposal: Proposal,
  { columns: said = {}, added = {} }: SetupAnswers
): Extras => {
  const { gross } = proposal.columns
  const isSaid = said["gross"] !== undefined || said["invoices.gross"] !== undefined
  if (isSaid) return { proposal, questions: [] }
  if (proposal.stream !== "invoices" || !Array.isArray(gross)) return withoutWithheld(table, columns, proposal, added)
  const plus: Array<string> = [...gross]
  const minus: Array<string> = []
  const questions: Array<SetupQuestion> = []
  for (const n of table.header.keys()) {
    const heading = headingAt(table.header, n)
    const amount = amountsIn(table.rows, n).find((one) => one !== undefined && one !== 0n)
    if (!EXTRA.test(heading) || amount === undefined || gross.some((one) => find(table.header, one) === n)) continue
    const answer = added[heading]
    if (answer === "plus") plus.push(heading)
    if (answer === "minus") minus.push(heading)
    if (answer !== undefined) continue
    questions.push({
      answer: `added.${heading}`,
      flag: `--added ${JSON.stringify(`${heading}=${LOWERS.test(heading) ? "minus" : "plus"}`)}`,
      what: `${JSON.stringify(heading)} of ${table.name}`,
      ask: `No column of ${table.name} has the whole amount of an invoice. Is ${JSON.stringify(heading)} (like ${shown(amount)}) added to ${gross.join(" + ")}, subtracted, or in them already?`,
      choices: ["plus", "minus", "no"]
    })
  }
  const whole = minus.length === 0 ? plus : { plus, minus }
  return { proposal: { ...proposal, columns: { ...proposal.columns, gross: whole } }, questions }
}
