/** Exact Online: reads sales entries, the payment terms of them that are matched, and what was deleted. */
import { Schema } from "effect"
import * as Http from "../Http.ts"
import * as Rest from "../rest/index.ts"
import * as Mapping from "./Mapping.ts"

const Settings = Schema.Struct({
  /** The number of the division, as the address of its pages has it. */
  division: Schema.String.check(Schema.isPattern(/^\d+$/, { message: "write the division's number, like 1234567" })),
  /** The end of the address at which its users sign in, `be` of start.exactonline.be; `nl` by default. */
  region: Schema.optionalKey(Schema.Literals(["nl", "be", "de", "fr", "es", "co.uk", "com"])),
  ...Rest.app("EXACTONLINE"),
  /** Replaces Exact Online's own address, for a proxy or a test server. */
  url: Schema.optionalKey(Http.Url)
})
type Settings = typeof Settings.Type

const host = ({ region = "nl" }: Settings): string => `https://start.exactonline.${region}`

const PAGES = { records: "d.results", pagination: { by: "next", next: "d.__next" } } as const
/** `2026-02-01T09:00:00`. If Exact Online takes it as the time of its users, it asks for an hour or two more. */
const second = (millis: number): string => new Date(millis).toISOString().slice(0, 19)

const ENTRIES = "/salesentry/SalesEntries"
const $select =
  "EntryID,EntryNumber,Type,Status,Reversal,Customer,CustomerName,EntryDate,DueDate,Currency,AmountFC,VATAmountFC,Modified"
const OF_TERMS =
  "ID,Timestamp,LineType,Status,TransactionType,TransactionEntryID,TransactionAmountFC,AmountFC,Currency,LastPaymentDate,EndDate,PaymentReference"

/** A list of row versions: every change of a record gives it a new one, higher than all. */
const versions = (name: string, fields: string) =>
  ({
    ...PAGES,
    name,
    kind: "payment",
    size: { most: 1000 },
    query: { $select: fields },
    changes: { above: "Timestamp", query: (n: string) => ({ $filter: `Timestamp gt ${n}L` }), back: 1000 },
    from: () => 1
  }) as const

export const exactonline = Rest.make({
  name: "exactonline",
  title: "Exact Online: sales entries, and what is matched to them",
  settings: Settings,
  identity: ({ division, region = "nl" }: Settings) => `division ${division} (${region})`,
  kinds: ["invoice", "payment", "credit_note"],
  deletions: "tombstones",
  blindSpots: [
    "an invoice that is deleted: seen when it is read again by id",
    "a match that is deleted with its payment term more than two months before the next pull"
  ],
  limits: { perMinute: 60, perDay: 5000, atOnce: 1, by: "account" },
  overlapSeconds: 300,
  base: (settings) => `${settings.url ?? host(settings)}/api/v1/${settings.division}`,
  authorise: Rest.oauth2<Settings>({
    page: (settings) => `${host(settings)}/api/oauth2/auth`,
    tokens: (settings) => `${settings.url ?? host(settings)}/api/oauth2/token`,
    inBody: true,
    scopes: [],
    marginSeconds: 20
  }),
  said: ["error.message.value", "error_description"],
  lists: [
    {
      ...PAGES,
      name: "invoices",
      kind: "invoice",
      path: ENTRIES,
      id: "EntryID",
      size: { most: 60 },
      query: { $select },
      changes: { since: (at) => ({ $filter: `Modified ge datetime'${at}'` }), inclusive: true, format: second },
      one: { path: `${ENTRIES}(guid'{id}')`, record: "d", query: { $select } },
      decode: () => Mapping.entry
    },
    { ...versions("terms", OF_TERMS), path: "/sync/Cashflow/PaymentTerms", id: "ID", decode: () => Mapping.term },
    {
      ...versions("deleted", "ID,Timestamp,EntityKey,EntityType"),
      path: "/sync/Deleted",
      id: "ID",
      decode: () => Mapping.deleted
    }
  ]
})
