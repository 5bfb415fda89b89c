/**
 * Renders debtors and the companies that they may be.
 */
import type { Company } from "../../core/insurance/Companies.ts"
import type { Debtor } from "../../sync/reports/Debtors.ts"
import type { Output } from "./Output.ts"
import { grouped, plural } from "../../core/Plural.ts"
import { headings, table } from "./Table.ts"

export interface Row {
  readonly debtor: Debtor
  /** Undefined if none were searched. */
  readonly companies: ReadonlyArray<Company> | undefined
}

/** What distinguishes one company from another. */
export const candidate = ({ address, city, confidence, country, id, identifiers, name, postcode }: Company) => ({
  company: id,
  name,
  country: country ?? null,
  place: [address, [postcode, city].filter((one) => one != null).join(" ")]
    .filter((one) => one != null && one !== "")
    .join(", "),
  identifiers: (identifiers ?? []).map(({ value }) => value),
  confidence: confidence ?? null
})

const likeliest = (companies: ReadonlyArray<Company> | undefined, country: string | null): string => {
  if (companies === undefined) return "not searched"
  const [first] = companies
  if (first === undefined) return country === null ? "none: its country is not known" : "none found"
  const { company, name, place } = candidate(first)
  const more = companies.length > 1 ? `, and ${companies.length - 1} more` : ""
  return `${name}${place === "" ? "" : `, ${place}`} (${company})${more}`
}

export const list = (rows: ReadonlyArray<Row>, { style, width }: Output): string =>
  [
    table(
      headings("Debtor, Country, >Invoices, >Open, ~Might be"),
      rows.map(({ companies, debtor: { country, invoices, name, open } }) => [
        name,
        country ?? "",
        grouped(invoices),
        open.join(", "),
        likeliest(companies, country)
      ]),
      { style, width }
    ),
    "",
    `${plural(rows.length, "debtor")} that the service could not identify. All candidates: daybook match debtors show DEBTOR. Choose one: daybook match debtors choose DEBTOR COMPANY.`
  ].join("\n")

export const one = (
  { address, chosen, connection, country, invoices, name, open, party, regnum }: Debtor,
  companies: ReadonlyArray<Company>,
  { style, width }: Output
): string => {
  const says = [country, regnum, address].filter((text) => text !== null)
  const head = [
    `${style.bold(name)}  ${connection}, ${party}`,
    `${[...says, plural(invoices, "invoice"), ...(open.length === 0 ? [] : [`${open.join(", ")} open`])].join(", ")}`,
    ...(chosen === null ? [] : [`chosen: ${chosen}`])
  ]
  if (companies.length === 0)
    return [
      ...head,
      "",
      country === null
        ? "Its country is not known in the books, and the service's search needs one; add it in the source."
        : "The service's search finds no company of that name or number."
    ].join("\n")
  const rows = companies.map(candidate)
  return [
    ...head,
    "",
    table(
      headings("Company, Name, ~Where, Numbers, >Confidence"),
      rows.map(({ company, confidence, identifiers, name, place }) => [
        company,
        name,
        place,
        identifiers.join(", "),
        confidence === null ? "" : typeof confidence === "string" ? confidence : JSON.stringify(confidence)
      ]),
      { style, width }
    )
  ].join("\n")
}

export const chosen = (debtors: ReadonlyArray<Debtor>, { style, width }: Output): string =>
  table(
    headings("Debtor, Country, Connection, Company, >Invoices"),
    debtors.map(({ chosen, connection, country, invoices, name }) => [
      name,
      country ?? "",
      connection,
      chosen ?? "",
      grouped(invoices)
    ]),
    { style, width }
  )
