/** Renders what other settings or another day would change for many tenants: the ways, each with an example. */
import { grouped, plural } from "../../core/Plural.ts"
import type { Fleet } from "../../sync/library/many/PlanTenants.ts"
import { inWords, type Way } from "../../sync/reports/Fleet.ts"
import type { Output } from "./Output.ts"
import { headings, table } from "./Table.ts"

const PLANS = { "only today": "only today's plan", "only other": "only the other plan", different: "both, otherwise" }

const wayText = ({ change, fields, rule, what }: Way): string => {
  if (what === "guard") return `${PLANS[change]} is stopped by ${rule}`
  const subject = what === "attention" ? `${rule} needs attention` : rule
  return `${subject}: ${PLANS[change]}${fields.length === 0 ? "" : ` (${fields.join(", ")})`}`
}

const moneyText = ({ amounts: { other, today } }: Way): string => {
  const [before, after] = [inWords(today), inWords(other)]
  return before === after ? before : `${before === "" ? "nothing" : before} → ${after === "" ? "nothing" : after}`
}

export const fleetText = (
  { asOf, differ, failed, partly, same, tenants, untouched, ways }: Fleet,
  { style, width }: Pick<Output, "style" | "width">,
  other = asOf === null ? "the other settings" : `the plan of ${asOf}`
): string => {
  const columns = headings("~Rule: which plan, >Tenants, >Documents, ~Amounts, ~For example")
  const rows = ways.map((one) => [
    wayText(one),
    grouped(one.tenants),
    one.documents === 0 ? "" : grouped(one.documents),
    moneyText(one),
    `${one.example.tenant}: ${one.example.document}${one.example.why === "" ? "" : `, ${one.example.why}`}`
  ])
  const kinds = ways.length === 1 ? "one way" : `${grouped(ways.length)} ways`
  return [
    ...(rows.length === 0 ? [] : [table(columns, rows, { style, width }), ""]),
    ...(partly === 0
      ? []
      : [`Of ${plural(partly, "tenant")} not all is compared; --json says what, and \`daybook plan --with\` of each.`]),
    `${plural(tenants, "tenant")} under ${other}: ${grouped(same)} the same${untouched === 0 ? "" : ` (${grouped(untouched)} of them have nothing that it changes)`}, ${grouped(differ)} ${differ === 1 ? "differs" : "differ"}${differ === 0 ? "" : ` in ${kinds}`}${failed === 0 ? "" : `, ${grouped(failed)} could not be planned`}.`,
    "Nothing was sent, and no state file was written."
  ].join("\n")
}
