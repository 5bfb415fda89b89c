/**
 * Renders the result of an audit: how much was compared, and each difference with both sides.
 */
import type { Audited, Found } from "../../sync/reconciliation/Audit.ts"
import type { Output } from "./Output.ts"
import { plural } from "../../core/Plural.ts"
import { table } from "./Table.ts"

const NOTHING = "–"

export const audited = (figures: Audited, found: ReadonlyArray<Found>, { style, width }: Output): string => {
  const { differences, mended, orders, others, payments, transactions } = figures
  const compared = [
    plural(transactions, "transaction"),
    plural(payments, "payment"),
    ...(orders > 0 ? [plural(orders, "deferred payment")] : [])
  ]
  const rest =
    others === 0
      ? ""
      : ` ${plural(others, "transaction")} there ${others === 1 ? "is" : "are"} not of these connections.`
  const lines = [
    `Compared ${compared.slice(0, -1).join(", ")} and ${compared.at(-1)} of the service with the ledger.${rest}`
  ]
  if (differences === 0) return [...lines, style.green("The service says what the ledger says.")].join("\n")
  const rows = found.map(({ document, ledger, mended, service, what }) => [
    document,
    what,
    ledger ?? NOTHING,
    service ?? NOTHING,
    mended ? "put right" : ""
  ])
  lines.push(
    "",
    table(
      [
        { title: "Document" },
        { title: "What" },
        { title: "Ledger", flexible: true },
        { title: "Service", flexible: true },
        { title: "" }
      ],
      rows,
      { style, width }
    )
  )
  for (const todo of new Set(found.flatMap(({ todo }) => todo ?? []))) {
    const of = [...new Set(found.filter((one) => one.todo === todo).map(({ document }) => document))]
    lines.push("", `→ ${of.slice(0, 5).join(", ")}${of.length > 5 ? " and others" : ""}: ${todo}`)
  }
  if (differences > found.length)
    lines.push("", style.dim(`${plural(differences - found.length, "more difference")}; --json has all of them.`))
  lines.push(
    "",
    mended === differences
      ? style.green(`${plural(differences, "difference")}; the ledger now says what the service says.`)
      : style.yellow(
          `${plural(differences, "difference")}${mended > 0 ? `, ${mended} of them put right in the ledger` : "; --fix puts the ledger right"}.`
        )
  )
  return lines.join("\n")
}
