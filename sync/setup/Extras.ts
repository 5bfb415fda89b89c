/**
 * Amounts beside net and tax where no column has the whole: shipping, a surcharge, a discount. Whether they are part of what the buyer
 * owes is asked. Not asked where a column of the whole amount exists.
 */
import { find } from "../../connectors/tabular/Cells.ts"
import type { SetupAnswers } from "./Answers.ts"
import { amountsIn, shown } from "./Figures.ts"
import { type FoundTable, headingAt, type Proposal, type SetupQuestion } from "./Tables.ts"

const EXTRA =
  /shipping|freight|postage|delivery|carriage|handling|surcharge|gratuity|\btips?\b|discount|rebate|rounding|adjustment|packaging|deposit|retention|withh|versand|fracht|porto|zuschlag|rabatt|skonto|verpackung|rundung|frais de port|livraison|remise|escompte|arrondi|verzend|korting|toeslag|afronding|env[ií]o|descuento|recargo|redondeo|irpf|retenci|spedizione|sconto|arrotond|ritenuta|frakt|kuljetus|wysyłk|doprav/iu

const LOWERS =
  /discount|rebate|deposit|retention|withh|rabatt|skonto|remise|escompte|korting|descuento|irpf|retenci|sconto|ritenuta/iu

/** The proposal with the extras that a person added to its gross amount, and questions for the others. */
export const withExtras = (
  table: FoundTable,
  proposal: Proposal,
  { columns: said = {}, added = {} }: SetupAnswers
): { readonly proposal: Proposal; readonly questions: ReadonlyArray<SetupQuestion> } => {
  const { gross } = proposal.columns
  const isSaid = said["gross"] !== undefined || said["invoices.gross"] !== undefined
  if (proposal.stream !== "invoices" || !Array.isArray(gross) || isSaid) return { proposal, questions: [] }
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
