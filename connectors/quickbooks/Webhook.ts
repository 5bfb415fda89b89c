/**
 * Reads QuickBooks Online's webhooks, signed with the app's verifier token, in the older form (a list of entities for each
 * company) and as CloudEvents. They name the records to read again: `Invoice:145`.
 */
import type { Delivery, WebhookEvent } from "../Connector.ts"
import * as Json from "../Json.ts"
import * as Signature from "../Signature.ts"

export const verify = ({ body, headers }: Delivery, secret: string): boolean =>
  Signature.isSame(headers["intuit-signature"], Signature.hmac(secret, "base64", body))

/** `qbo.refundreceipt.updated.v1` */
const TYPE = /^qbo\.([a-z]+)\./

/** @param names the record types that are read, as QuickBooks spells them */
export const events = (
  { body }: Delivery,
  company: string,
  names: ReadonlyArray<string>
): ReadonlyArray<WebhookEvent> | undefined => {
  let value: unknown
  try {
    value = Json.parse(Buffer.from(body).toString("utf8"))
  } catch {
    return undefined
  }
  const eventOf = (name: string, id: string | undefined, event: string): ReadonlyArray<WebhookEvent> => {
    const spelt = names.find((one) => one.toLowerCase() === name.toLowerCase())
    return spelt === undefined || id === undefined ? [] : [{ about: `${spelt}:${id}`, event }]
  }
  if (Array.isArray(value)) {
    return Json.objects(value).flatMap((one) => {
      const event = new Json.Fields(one)
      if (Json.nameOf(event.get("intuitaccountid")) !== company) return []
      return eventOf(
        TYPE.exec(Json.nameOf(event.get("type")) ?? "")?.[1] ?? "",
        Json.nameOf(event.get("intuitentityid")),
        Json.nameOf(event.get("id")) ?? ""
      )
    })
  }
  const companies = Json.isObject(value) ? value["eventNotifications"] : undefined
  if (!Array.isArray(companies)) return undefined
  return Json.objects(companies)
    .map((one) => new Json.Fields(one))
    .filter((one) => Json.nameOf(one.get("realmId")) === company)
    .flatMap((one) =>
      Json.objects(one.get("dataChangeEvent.entities")).flatMap((entity) => {
        const fields = new Json.Fields(entity)
        const [name, id, operation, at] = ["name", "id", "operation", "lastUpdated"].map((part) =>
          Json.nameOf(fields.get(part))
        )
        return eventOf(name ?? "", id, [name, id, operation, at].join(" "))
      })
    )
}
