/**
 * Explains QuickBooks Online's errors. Faults come as JSON in two spellings, and sometimes as XML although JSON was
 * requested; a rate limit comes as status 429, or as a fault with status 403.
 */
import type { Options } from "../Http.ts"
import * as Json from "../Json.ts"

const COMPANY =
  "check company (the realm id) and environment: this authorisation is for another company, or for a sandbox instead of a real one"
const SCOPE = "authorise it again with the scope com.intuit.quickbooks.accounting"

/** The texts of a fault, in any of its spellings. */
const words = (body: unknown, text: string): ReadonlyArray<string> => {
  if (Json.isObject(body)) {
    const fields = new Json.Fields(body)
    return [...Json.objects(fields.get("Fault.Error")), ...Json.objects(fields.get("fault.error"))].flatMap((error) =>
      ["Detail", "detail", "Message", "message"].flatMap((member) => {
        const said = error[member]
        return typeof said === "string" && said !== "" ? [said] : []
      })
    )
  }
  return ["Detail", "Message"].flatMap((tag) => new RegExp(`<${tag}>([^<]*)</${tag}>`).exec(text)?.[1] ?? [])
}

export const explain: NonNullable<Options["explain"]> = (status, body, text) => {
  const said = words(body, text)
  const all = said.join(" ")
  const quoted = said[0] === undefined ? {} : { said: said[0] }
  if (/ThrottleExceeded|errorCode=0*3001\b/.test(all)) return { ...quoted, busy: true }
  if (/scope/i.test(all)) return { ...quoted, hint: SCOPE }
  if (status === 403 || /WrongCluster|SRV-110|AuthenticationErrorGeneral/.test(all)) return { ...quoted, hint: COMPANY }
  return quoted
}
