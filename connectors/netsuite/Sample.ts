/** Provides fixtures for the NetSuite connector, and a simulated API that serves them, for the conformance kit. */
import { generateKeyPairSync, verify } from "node:crypto"
import type { Record, Source } from "../testing/Simulator.ts"
import * as Staging from "../testing/Staging.ts"
import type { Subject } from "../testing/Subject.ts"
import { netsuite } from "./NetSuite.ts"

/** In answers, all values are texts, and members without a value are left out. `modified` is asked for, and never shown. */
const AT = "2026-02-01 09:00:00"
const counted = { posting: "T", voided: "F", currency: "GBP", modified: AT }

const invoice = (id: number, code: string, [total, unpaid]: string[], more: object = {}) => ({
  ...{ id, tranid: `INV${id}`, status: `CustInvc:${code}`, ...counted },
  ...{ trandate: "2026-01-31", duedate: "2026-03-02", foreigntotal: total, foreignamountunpaid: unpaid },
  ...{ entity: "20001", name: "Harbour Tea Ltd", ...more }
})

const INVOICES = [
  invoice(70_001, "A", ["1250", "750"]),
  invoice(70_002, "B", ["300.5", "0"], { currency: "EUR", entity: "20002", name: "Trey Research GmbH" }),
  invoice(70_003, "B", ["100", "0"]),
  invoice(70_004, "D", ["40", "40"], { posting: "F" }),
  invoice(70_005, "V", ["0", "0"], { voided: "T" }),
  invoice(70_006, "A", ["60", "50"]),
  invoice(70_007, "A", ["99.99", "99.99"], { duedate: undefined })
]

const both = (of: number, by: number) => of * 1_000_000 + by
const link = (of: number, by: number, type: string, amount: string, more: object = {}) => ({
  ...{ link: both(of, by), invoice: of, id: by, type, ...counted },
  ...{ trandate: "2026-02-03", tranid: `TR${by}`, amount, ...more }
})

const LINKS = [
  link(70_001, 90_001, "CustPymt", "500", { memo: "Harbour Tea, INV70001" }),
  link(70_002, 90_002, "DepAppl", "300.5", { currency: "EUR" }),
  link(70_003, 90_003, "CustCred", "20"),
  link(70_003, 90_004, "CustPymt", "80"),
  link(70_006, 90_005, "Journal", "10"),
  link(70_006, 90_006, "CustPymt", "60", { posting: "F" }),
  link(70_007, 90_007, "CustPymt", "5", { voided: "T" })
]

const payment = (id: number, unused: string, more: object = {}) => ({
  ...{ id, ...counted, trandate: "2026-02-03", unused, entity: "20001", tranid: `TR${id}`, ...more }
})

const PAYMENTS = [
  payment(90_004, "15.25", { memo: "on account" }),
  payment(90_009, "0"),
  payment(90_010, "7", { posting: "F" }),
  payment(90_011, "12")
]

const { privateKey, publicKey } = generateKeyPairSync("ec", {
  namedCurve: "P-256",
  privateKeyEncoding: { type: "pkcs8", format: "pem" },
  publicKeyEncoding: { type: "spki", format: "pem" }
})

const TOKENS = "/services/rest/auth/oauth2/v1/token"
const HOST = "https://1234567-sb1.suitetalk.api.netsuite.com"

/** Whether a token was asked for as NetSuite has it, signed with the key of the certificate. */
const isProven = (body: string): boolean => {
  const asked = Object.fromEntries(new URLSearchParams(body))
  const [head = "", claims = "", signature = ""] = (asked["client_assertion"] ?? "").split(".")
  const read = (part: string) => JSON.parse(Buffer.from(part, "base64url").toString())
  const { alg, kid } = read(head)
  const { aud, exp, iat, iss, scope } = read(claims)
  const isSigned = verify(
    "sha256",
    Buffer.from(`${head}.${claims}`),
    { key: publicKey, dsaEncoding: "ieee-p1363" },
    Buffer.from(signature, "base64url")
  )
  const isFor = aud === `${HOST}${TOKENS}` && iss === "sample-client" && scope === "rest_webservices"
  const isAsked = asked["grant_type"] === "client_credentials" && asked["client_secret"] === undefined
  return isSigned && isFor && isAsked && alg === "ES256" && kid === "sample-certificate" && exp - iat < 3600
}

const no = (status: number, detail: string) => ({ status, body: { title: "Error", "o:errorDetails": [{ detail }] } })

const answerOf =
  ({ invoices, links, payments }: Staging.Lists): Source["answer"] =>
  ({ body, headers, path }, paging) => {
    if (path === TOKENS)
      return isProven(body) ? { body: { access_token: "access-fresh", expires_in: "3600" } } : { status: 400, body: {} }
    if (headers["authorization"] !== "Bearer access-fresh") return no(401, "Invalid login attempt.")
    if (path !== "/services/rest/query/v1/suiteql") return no(404, "The requested URL was not found.")
    if (headers["prefer"] !== "transient")
      return no(400, "The required request header 'Prefer' is missing or incorrect.")
    const { q } = JSON.parse(body) as { q: string }
    const isLink = q.includes("nexttransactionlinelink")
    const [all, key] = isLink ? [links!, "link"] : [q.includes("= 'CustInvc'") ? invoices! : payments!, "id"]
    const since = /TO_DATE\('([^']+)'/.exec(q)?.[1]
    const among = /IN \(([\d, ]+)\)/.exec(q)?.[1]?.split(", ")
    const [, after = "0"] = / > (\d+)/.exec(q) ?? []
    const found = all
      .filter(({ modified }) => since === undefined || modified === null || modified >= since)
      .filter((one) => among === undefined || among.includes(String(isLink ? one.invoice : one.id)))
      .toSorted((a, b) => a[key] - b[key])
    const at = found.findLast((one) => one[key] <= Number(after))
    const { more, records } = paging.after(found, at === undefined ? null : String(at[key]), key, 1000)
    const text = (value: unknown) => (typeof value === "number" ? String(value) : value)
    const items = records.map(({ modified: _, ...record }: Record) => ({
      links: [],
      ...Object.fromEntries(Object.entries(record).map(([name, value]) => [name, text(value)]))
    }))
    return { body: { links: [], count: items.length, hasMore: more, items, offset: 0, totalResults: found.length } }
  }

const HARBOUR = `"party":{"id":"20001","name":"Harbour Tea Ltd"}`
const head = (
  n: number,
  status: string,
  gross: string,
  more = "",
  party = HARBOUR,
  currency = "GBP",
  due = "2026-03-02"
) =>
  `{"kind":"invoice","id":"${n}","number":"INV${n}","status":"${status}",${party},"currency":"${currency}","issued":"2026-01-31","due":"${due}","gross":"${gross}n"${more}}`
const open = (amount: string) => `,"stated":{"open":"${amount}n"}`
const fact = (kind: string, by: number, of: number, amount: string, more = "", currency = "GBP") =>
  `{"kind":"${kind}","id":"${by}/${of}","date":"2026-02-03","currency":"${currency}","shares":[{"invoice":"${of}","amount":"${amount}n"}]${more}}`
const left = (n: number, amount: string, reference: string) =>
  `{"kind":"payment","id":"${n}","date":"2026-02-03","currency":"GBP","shares":[],"unallocated":"${amount}n","party":{"id":"20001"},"reference":"${reference}"}`

export const subject: Subject = {
  connector: netsuite,
  settings: {
    ...{ account: "1234567_SB1", certificate: "sample-certificate" },
    ...{ client_id: { env: "ID" }, private_key: { env: "KEY" } }
  },
  environment: { ID: "sample-client", KEY: privateKey.replaceAll("\n", "\\n") },
  tokens: TOKENS,
  documented: { atOnce: 5, page: 1000 },
  nothing: ["90009", "90010"],
  skips: { "tells net from gross": "what is asked for of an invoice has its gross amount only" },
  lacks: ["payments.unused"],
  golden: [
    head(70_001, "open", "125000000000", open("75000000000")),
    fact("payment", 90_001, 70_001, "50000000000", `,"reference":"TR90001, Harbour Tea, INV70001"`),
    head(70_002, "open", "30050000000", open("0"), `"party":{"id":"20002","name":"Trey Research GmbH"}`, "EUR"),
    fact("payment", 90_002, 70_002, "30050000000", `,"reference":"TR90002"`, "EUR"),
    head(70_003, "open", "10000000000", open("0")),
    fact("credit_note", 90_003, 70_003, "2000000000"),
    fact("payment", 90_004, 70_003, "8000000000", `,"reference":"TR90004"`),
    head(70_004, "draft", "4000000000"),
    head(70_005, "void", "0"),
    head(70_006, "open", "6000000000", open("5000000000")),
    head(70_007, "open", "9999000000", open("9999000000"), HARBOUR, "GBP", "2026-01-31"),
    left(90_004, "1525000000", "TR90004, on account"),
    left(90_011, "1200000000", "TR90011")
  ],
  open: Staging.staged(
    { invoices: INVOICES, links: LINKS, payments: PAYMENTS },
    {
      lists: {
        invoices: { stamp: Staging.stamping("modified", Staging.spaced) },
        links: { id: "link" },
        payments: { stamp: Staging.stamping("modified", Staging.spaced) }
      },
      answer: answerOf,
      grow: (add, n) => {
        const [id, by] = [100_000 + n, 200_000 + n]
        const isPaid = n % 2 === 0
        add("invoices", invoice(id, isPaid ? "B" : "A", ["12", isPaid ? "0" : "12"]))
        if (!isPaid) return
        add("links", link(id, by, "CustPymt", "12"))
        add("payments", payment(by, "0"))
      },
      changes: ({ invoices, links }) => ({
        remove: () => {
          Object.assign(invoices[0], { status: "CustInvc:V", voided: "T", modified: Staging.spaced(Staging.LATER) })
          return "invoice/70001"
        },
        // The payment is deleted, and nothing else is known to change.
        edit: () => {
          links.splice(0, 1)
          invoices[0].foreignamountunpaid = "1250"
          return "70001"
        },
        ...Staging.amountOf("invoice/70001", (value) => void (invoices[0].foreigntotal = value), "90071992547409.93")
      })
    }
  )
}
