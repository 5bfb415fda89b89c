/**
 * Adyen's webhooks, by its OpenAPI document: it has no paths, so that Prism has nothing to serve. Each example is signed, and
 * must be what its schema says and what the connector understands. Of all, only a settlement report leads to a pull.
 */
import { createHmac } from "node:crypto"
import { Ajv2020 } from "ajv/dist/2020.js"
import { adyen } from "../../connectors/adyen/Adyen.ts"
import type { Exchange } from "./Document.ts"

const KEY = "44782DEF547AAA06C910C43932B1EB0C71FC68D9D0C057550C48EC2ACF6BA056"
const REPORT = "https://ca-test.adyen.com/reports/download/MerchantAccount/Ours/settlement_detail_report_batch_4.csv"

// biome-ignore lint/suspicious/noExplicitAny: an OpenAPI document
type Any = any

/** Signs an item as Adyen's page of HMAC signatures has it. */
const signed = ({ NotificationRequestItem: { additionalData, ...item } }: Any): Any => {
  const { amount, eventCode, merchantAccountCode, merchantReference, originalReference, pspReference, success } = item
  const covered = [pspReference, originalReference, merchantAccountCode, merchantReference]
  const words = [...covered, amount?.value, amount?.currency, eventCode, success]
  const text = words.map((one) => String(one ?? "")).join(":")
  const hmacSignature = createHmac("sha256", Buffer.from(KEY, "hex")).update(text).digest("base64")
  return { NotificationRequestItem: { ...item, additionalData: { ...additionalData, hmacSignature } } }
}

/** What is wrong with a delivery. */
const against = (payload: Any, isReport: boolean, problems: () => ReadonlyArray<string>): ReadonlyArray<string> => {
  const delivery = { headers: {}, body: Buffer.from(JSON.stringify(payload)) }
  const { events, verify } = adyen.webhook!
  const found = events(delivery, {} as never)
  return [
    ...problems(),
    ...(verify(delivery, KEY, 0) ? [] : ["the connector does not accept its signature"]),
    ...(found === undefined ? ["the connector does not know it for a webhook"] : []),
    ...(found === undefined || found.length === (isReport ? 1 : 0) ? [] : [`it is taken for ${found.length} reports`])
  ]
}

/** @param text the document */
export const deliveries = (text: string): ReadonlyArray<Exchange> => {
  const { components, webhooks } = JSON.parse(text)
  const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true })
  ajv.addSchema({ components }, "document")
  let count = 0
  const exchanges = Object.entries<Any>(webhooks).flatMap(([name, { post }]) => {
    const { examples = {}, schema } = post.requestBody.content["application/json"]
    const fits = ajv.compile({ $ref: `document${schema.$ref}` })
    return Object.values<Any>(examples).flatMap(({ $ref }): ReadonlyArray<Exchange> => {
      const { value } = components.examples[$ref.split("/").pop()]
      // Webhooks of other kinds, which are not sent to a standard webhook.
      if (!("notificationItems" in value)) return []
      const report = (one: Any) => ({
        NotificationRequestItem: { ...one.NotificationRequestItem, reason: REPORT }
      })
      const isReport = name === "/REPORT_AVAILABLE"
      const notificationItems = value.notificationItems.map((one: Any) => signed(isReport ? report(one) : one))
      const payload = { ...value, notificationItems }
      count++
      // Described as a generic container; the schemas of some events leave the signature out of it.
      const isContainer = (path: string) => path.endsWith("/additionalData")
      const problems = () =>
        (fits(payload) ? [] : (fits.errors ?? []))
          .filter(({ instancePath }) => !isContainer(instancePath))
          .map(({ instancePath, message }) => `${instancePath} ${message}`)
      return [{ asked: `webhook ${name}`, says: against(payload, isReport, problems) }]
    })
  })
  const wrong = exchanges.filter(({ says }) => says.length > 0)
  console.log(`adyen: ${count} examples of webhooks`)
  for (const { asked, says } of wrong) console.log(`  ${asked}: ${says.join("; ")}`)
  return wrong
}
