/** The due day that the text of payment terms states, in the languages of EN 16931's commonest senders. */
import * as Day from "../core/wire/Day.ts"

const DAYS = /(\d{1,3})\s*(?:kalender)?(?:tagen?|days?|jours?|giorni|d[ií]as?|dni|dagen|dagar|dage|dias|zile)\b/gi
const AT_ONCE =
  /^\s*(?:sofort(?: fällig)?|(?:zahlbar )?sofort(?: ohne abzug)?|à réception(?: de facture)?|(?:due )?(?:up)?on receipt|immediate(?:ly)?|al contado|contado|a vista|alla ricezione|rimessa diretta|per direct|omgående)\s*(?:[.!]\s*)?$/i

/**
 * The day that the terms lead to: a line `#SKONTO#…` is a discount; otherwise exactly one number of days that is beside no
 * percentage, or words for "at once". Undefined where they say something else, or several things.
 */
export const dueOf = (terms: string | undefined, issued: Day.Day): Day.Day | undefined => {
  if (terms === undefined) return undefined
  const text = terms.replace(/#SKONTO#[^\r\n]*/gi, " ").replace(/#VERZUG#[^\r\n]*/gi, " ")
  if (AT_ONCE.test(text)) return issued
  if (text.includes("%")) return undefined
  const found = [...text.matchAll(DAYS)].map(([, days]) => Number(days))
  const [days] = found
  const numbers = text.match(/\d+/g) ?? []
  return days !== undefined && found.length === 1 && numbers.length === 1 ? Day.addDays(issued, days) : undefined
}
