/** Fortnox: reads customer invoices, and the booked payments of them and of credit invoices. */
import { Schema } from "effect"
import * as Http from "../Http.ts"
import * as Rest from "../rest/index.ts"
import * as Mapping from "./Mapping.ts"

const Settings = Schema.Struct({
  ...Rest.app("FORTNOX"),
  /** Replaces Fortnox's own address, for a proxy or a test server. */
  url: Schema.optionalKey(Http.Url)
})
type Settings = typeof Settings.Type

/** `2026-02-01 09:00`. If Fortnox takes it as Swedish time, it asks for an hour or two more. */
const minute = (millis: number): string => new Date(millis).toISOString().slice(0, 16).replace("T", " ")

const list = (path: string, records: string, id: string) =>
  ({
    path,
    records,
    id,
    size: { most: 500, param: "limit" },
    pagination: {
      by: "page",
      param: "page",
      total: "MetaInformation.@TotalResources",
      pages: "MetaInformation.@TotalPages"
    },
    changes: { since: "lastmodified", format: minute, inclusive: false, resolution: 60 }
  }) as const

const ONE = { by: "each", size: { most: 1 }, pagination: { by: "none" }, single: true } as const

export const fortnox = Rest.make({
  name: "fortnox",
  title: "Fortnox: invoices, payments, credit invoices",
  settings: Settings,
  kinds: ["invoice", "payment", "reversal", "credit_note"],
  deletions: "status",
  blindSpots: ["a booked payment that somebody takes back without a payment of the opposite sign"],
  limits: { perMinute: 300, atOnce: 4, by: "authorisation" },
  overlapSeconds: 300,
  base: ({ url }) => url ?? "https://api.fortnox.se/3",
  authorise: Rest.oauth2<Settings>({
    page: "https://apps.fortnox.se/oauth-v1/auth?access_type=offline",
    tokens: "https://apps.fortnox.se/oauth-v1/token",
    scopes: ["invoice", "payment"]
  }),
  said: ["ErrorInformation.message", "ErrorInformation.Message"],
  lists: [
    {
      ...list("/invoices", "Invoices", "DocumentNumber"),
      name: "invoices",
      kind: "invoice",
      one: { path: "/invoices/{id}", record: "Invoice" },
      decode: () => Mapping.invoice
    },
    {
      ...list("/invoicepayments", "InvoicePayments", "Number"),
      name: "payments",
      kind: "payment",
      children: {
        its_detail: {
          ...{ ...ONE, path: "/invoicepayments/{id}", records: "InvoicePayment", id: "Number" },
          expects: Mapping.isDetailed
        },
        its_invoice: {
          ...{ ...ONE, path: "/invoices/{id}", records: "Invoice", id: "DocumentNumber", whose: "InvoiceNumber" },
          expects: Mapping.isBack
        }
      },
      decode: () => Mapping.payment
    },
    {
      ...list("/invoicepayments", "InvoicePayments", "Number"),
      name: "paid_invoices",
      kind: "payment",
      reads: "changes",
      of: { list: "invoices", by: "InvoiceNumber" },
      decode: () => Mapping.payment
    }
  ],
  // Unlike a print, a preview does not mark the invoice as sent.
  file: { kind: "invoice", path: "/invoices/{id}/preview", type: "application/pdf", ending: ".pdf" }
})
