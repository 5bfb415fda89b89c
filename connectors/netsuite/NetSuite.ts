/** NetSuite: reads invoices with what was applied to them, and what is left of payments, by SuiteQL. */
import { Schema } from "effect"
import * as Http from "../Http.ts"
import * as Rest from "../rest/index.ts"
import * as Mapping from "./Mapping.ts"

const Settings = Schema.Struct({
  /** The account's id, like 1234567 or 1234567_SB1. */
  account: Schema.NonEmptyString,
  client_id: Rest.secret("NETSUITE_CLIENT_ID"),
  /** The id of the certificate that is mapped to the application. */
  certificate: Schema.NonEmptyString,
  private_key: Rest.secret("NETSUITE_PRIVATE_KEY"),
  url: Schema.optionalKey(Http.Url)
})
type Settings = typeof Settings.Type

const hostOf = ({ account }: Settings): string =>
  `https://${encodeURIComponent(account.toLowerCase().replaceAll("_", "-"))}.suitetalk.api.netsuite.com`
const TOKENS = "/services/rest/auth/oauth2/v1/token"

/** Days as Daybook writes them: otherwise they are as the user prefers. */
const day = (column: string) => `TO_CHAR(${column}, 'YYYY-MM-DD')`

const INVOICES = `SELECT t.id, t.tranid, BUILTIN.CF(t.status) AS status, t.posting, t.voided, ${day("t.trandate")} AS trandate,
  ${day("t.duedate")} AS duedate, t.foreigntotal, t.foreignamountunpaid, c.symbol AS currency, t.entity,
  COALESCE(e.companyname, e.altname, e.entityid) AS name
  FROM transaction t JOIN currency c ON c.id = t.currency JOIN customer e ON e.id = t.entity WHERE t.type = 'CustInvc'`

const PAYMENTS = `SELECT t.id, t.posting, t.voided, ${day("t.trandate")} AS trandate, t.foreignpaymentamountunused AS unused,
  c.symbol AS currency, t.entity, t.tranid, t.memo
  FROM transaction t JOIN currency c ON c.id = t.currency WHERE t.type = 'CustPymt'`

/** One number for both transactions of an application, by which pages can be ordered. */
const BOTH = "(l.previousdoc * 1000000000000 + l.nextdoc)"
const LINKS =
  "FROM nexttransactionlinelink l JOIN transaction t ON t.id = l.nextdoc JOIN currency c ON c.id = t.currency WHERE l.linktype = 'Payment'"
const APPLIED = `SELECT ${BOTH} AS link, l.previousdoc AS invoice, l.nextdoc AS id, t.type, t.posting, t.voided,
  ${day("t.trandate")} AS trandate, c.symbol AS currency, t.tranid, t.memo, SUM(l.foreignamount) AS amount ${LINKS}`
const GROUPED =
  "GROUP BY l.previousdoc, l.nextdoc, t.type, t.posting, t.voided, t.trandate, c.symbol, t.tranid, t.memo ORDER BY link"

/** Only digits are put into a query. */
const number = (value: unknown): string => (/^\d{1,30}$/.test(String(value)) ? String(value) : "0")
const changed = (since: unknown): string =>
  since === undefined
    ? ""
    : ` AND t.lastmodifieddate >= TO_DATE('${String(since).replace(/[^\d :-]/g, "")}', 'YYYY-MM-DD HH24:MI:SS')`
const among = (column: string, ids: unknown): string =>
  ids === undefined ? "" : ` AND ${column} IN (${String(ids).split(",").map(number).join(", ")})`

/** What is asked for: the rows after the last one, of all, of those that changed, or of some. */
const asking =
  (select: string, key: string, of = key, rest = `ORDER BY ${key}`) =>
  (query: Http.Query) => ({
    q: `${select} AND ${key} > ${number(query["after"])}${changed(query["since"])}${among(of, query["ids"])} ${rest}`
  })

const PAGES = {
  path: "/services/rest/query/v1/suiteql",
  records: "items",
  size: { most: 1000 },
  pagination: { by: "last id", param: "after", more: "hasMore" }
} as const
const CHANGES = {
  since: "since",
  format: (millis: number) => new Date(millis).toISOString().slice(0, 19).replace("T", " "),
  inclusive: true
} as const
const invoices = asking(INVOICES, "t.id")

export const netsuite = Rest.make({
  name: "netsuite",
  title: "NetSuite: invoices, payments, credit memos",
  settings: Settings,
  identity: ({ account }) => account,
  kinds: ["invoice", "payment", "credit_note"],
  deletions: "status",
  blindSpots: ["a payment that is deleted, or no longer applied: seen when its invoice is read again"],
  limits: { perMinute: 120, atOnce: 2, by: "account" },
  // Nobody says of which time zone the compared times are: a day and 14 hours are more than any can be away.
  overlapSeconds: 26 * 3600,
  base: (settings) => settings.url ?? hostOf(settings),
  headers: { prefer: "transient" },
  authorise: {
    by: "client",
    tokens: TOKENS,
    scope: "rest_webservices",
    certificate: (settings: Settings) => ({
      certificate: settings.certificate,
      audience: `${hostOf(settings)}${TOKENS}`
    }),
    client: ({ client_id, private_key }) => ({ id: client_id.env, secret: private_key.env })
  },
  said: ["o:errorDetails.0.detail", "title"],
  lists: [
    {
      ...PAGES,
      name: "invoices",
      question: invoices,
      changes: CHANGES,
      kind: "invoice",
      children: {
        applied: {
          ...PAGES,
          by: "ids",
          id: "link",
          param: "ids",
          key: "invoice",
          question: asking(APPLIED, BOTH, "l.previousdoc", GROUPED)
        }
      },
      one: { path: PAGES.path, question: (id) => invoices({ ids: id }), records: "items" },
      several: (ids) => ({ ids: ids.join(",") }),
      decode: () => Mapping.invoice
    },
    {
      ...PAGES,
      name: "applications",
      id: "link",
      question: asking(
        `SELECT DISTINCT ${BOTH} AS link, l.previousdoc AS invoice ${LINKS} AND l.previoustype = 'CustInvc'`,
        BOTH,
        BOTH,
        "ORDER BY link"
      ),
      changes: CHANGES,
      reads: "changes",
      of: { list: "invoices", by: "invoice" },
      kind: "payment",
      decode: () => Mapping.invoice
    },
    {
      ...PAGES,
      name: "payments",
      question: asking(PAYMENTS, "t.id"),
      changes: CHANGES,
      kind: "payment",
      decode: () => Mapping.payment
    }
  ]
})
