/** Business Central: reads the invoices of the customer ledger, and the detailed entries that settle them. */
import { Schema } from "effect"
import * as Http from "../Http.ts"
import * as Rest from "../rest/index.ts"
import * as Mapping from "./Mapping.ts"

const Settings = Schema.Struct({
  /** The Microsoft Entra tenant: its id or domain. */
  tenant: Schema.NonEmptyString,
  environment: Schema.optionalKey(Schema.NonEmptyString),
  /** The company's name, as Business Central shows it. */
  company: Schema.NonEmptyString,
  /** The currency of the books, which entries do not name. */
  currency: Schema.NonEmptyString,
  client_id: Rest.secret("BUSINESSCENTRAL_CLIENT_ID"),
  client_secret: Rest.secret("BUSINESSCENTRAL_CLIENT_SECRET"),
  /** Replaces Microsoft's own addresses, for a proxy or a test server. */
  url: Schema.optionalKey(Http.Url)
})
type Settings = typeof Settings.Type

const HOST = "https://api.businesscentral.dynamics.com"
const LOGIN = "https://login.microsoftonline.com"

/** The base of a company's web services. A quote in a name is doubled, as OData has it. */
const baseOf = ({ company, environment = "Production", tenant, url }: Settings): string => {
  const [of, where] = [encodeURIComponent(company.replaceAll("'", "''")), encodeURIComponent(environment)]
  return `${url ?? HOST}/v2.0/${encodeURIComponent(tenant)}/${where}/ODataV4/Company('${of}')`
}

const PAGES = { records: "value", id: "Entry_No", pagination: { by: "next", next: "@odata.nextLink" } } as const
/** As many records as the header `prefer` asks for. */
const SIZE = { most: 1000 } as const

/** The entries of the customer ledger: page 25. */
const ENTRIES = "/CustomerLedgerEntries"
const $select =
  "Entry_No,Document_Type,Document_No,Document_Date,Posting_Date,Due_Date,Customer_No,Customer_Name,Currency_Code,Original_Amount,Remaining_Amount,Open,Reversed"
/** What entries consist of: page 573. */
const DETAILS = "/DetailedCustLedgEntries"
const OF_DETAILS =
  "Entry_No,Cust_Ledger_Entry_No,Entry_Type,Document_Type,Document_No,Posting_Date,Currency_Code,Amount,Unapplied,Unapplied_by_Entry_No"

/** The entries with any of these values, of which so many are asked for that the address stays below 8,000 characters. */
const any = (member: string, values: ReadonlyArray<string>) => values.map((one) => `${member} eq ${one}`).join(" or ")
/** Only numbers are asked for, because Business Central refuses a filter with anything else. */
const numbered = (ids: ReadonlyArray<string>) => any("Entry_No", ["0", ...ids.filter((id) => /^\d{1,9}$/.test(id))])
const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`
const ENTRIES_OF = { ...PAGES, by: "ids", path: ENTRIES, query: { $select }, param: "$filter" } as const

export const businesscentral = Rest.make({
  name: "businesscentral",
  title: "Business Central: invoices, payments, credit notes of the customer ledger",
  settings: Settings,
  identity: ({ company, environment = "Production", tenant }) => `${tenant}/${environment}/${company}`,
  account: ({ environment = "Production", tenant }) => `${tenant}/${environment}`,
  kinds: ["invoice", "payment", "credit_note"],
  deletions: "status",
  blindSpots: ["a due date or a name that is edited in a posted entry: seen when its invoice is read again by id"],
  limits: { perMinute: 600, atOnce: 4, by: "account" },
  overlapSeconds: 300,
  base: baseOf,
  headers: { prefer: `odata.maxpagesize=${SIZE.most}` },
  authorise: {
    by: "client",
    tokens: ({ tenant, url }: Settings) => `${url ?? LOGIN}/${encodeURIComponent(tenant)}/oauth2/v2.0/token`,
    inBody: true,
    scope: `${HOST}/.default`,
    client: ({ client_id, client_secret }) => ({ id: client_id.env, secret: client_secret.env })
  },
  said: ["error.message"],
  lists: [
    {
      ...PAGES,
      name: "invoices",
      path: ENTRIES,
      size: SIZE,
      query: { $select },
      changes: {
        above: "Entry_No",
        query: (n) => ({ $filter: `Document_Type eq 'Invoice' and Entry_No gt ${n}` }),
        back: 100
      },
      kind: "invoice",
      one: { path: `${ENTRIES}({id})`, query: { $select } },
      several: (ids) => ({
        $filter: any(
          "Entry_No",
          ids.filter((id) => /^\d+$/.test(id))
        )
      }),
      decode: ({ currency }) => Mapping.invoice(currency)
    },
    {
      ...PAGES,
      name: "settlements",
      path: DETAILS,
      size: SIZE,
      query: { $select: OF_DETAILS },
      changes: {
        above: "Entry_No",
        query: (n) => ({ $filter: `Entry_Type ne 'Initial Entry' and Entry_No gt ${n}` }),
        back: 100
      },
      kind: "payment",
      children: {
        its_entry: {
          ...{ ...ENTRIES_OF, key: "Entry_No", whose: "Cust_Ledger_Entry_No", size: { most: 200 } },
          written: numbered
        },
        its_invoice: {
          ...{ ...ENTRIES_OF, key: "Document_No", whose: "Document_No", size: { most: 100 } },
          written: (ids) => `Document_Type eq 'Invoice' and (${any("Document_No", ids.map(quoted))})`
        }
      },
      decode: ({ currency }) => Mapping.settlement(currency)
    }
  ]
})
