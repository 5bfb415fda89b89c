/**
 * What the codes of UNTDID 1001 mean that EN 16931 allows (BR-CL-01 of the CEN's rules, checked in
 * github.com/ConnectingEurope/eInvoicing-EN16931, November 2026).
 */
import { Refused } from "../Refused.ts"
import { type Nothing, notRead, type Type } from "./Facts.ts"

const list = (codes: string): ReadonlySet<string> => new Set(codes.split(" "))

const INVOICES = list(
  "80 82 84 102 130 202 203 204 211 218 219 295 326 331 380 382 383 385 386 387 388 389 390 393 394 395 456 457 527 553 575 623 633 780 817 870 875 935 751"
)
const CREDIT_NOTES = list("81 83 261 262 296 308 381 396 420 458 502 503 532")

export const typeOf = (code: string | undefined): Type | Nothing => {
  if (code === undefined || code === "")
    throw new Refused("it has no type code, so whether it is an invoice is not known", "type code")
  if (code === "384") return "correction"
  if (code === "876" || code === "877") return "final invoice"
  if (INVOICES.has(code)) return "invoice"
  if (CREDIT_NOTES.has(code)) return "credit note"
  if (code === "325") return { nothing: "a pro-forma invoice (325) asks for nothing yet" }
  throw notRead(code, "type code")
}
