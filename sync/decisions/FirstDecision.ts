/**
 * Writes the message for a person who decides about an attention item that somebody else has already resolved: when, and with
 * what decision.
 */
import * as AttentionStore from "../apply/AttentionStore.ts"
import type { Db } from "../state/Database.ts"
import * as MatchChoices from "../matching/Choices.ts"

/** `2026-03-31 09:05 UTC` */
const minute = (millis: number): string => `${new Date(millis).toISOString().slice(0, 16).replace("T", " ")} UTC`

const chosenWords = ({ shares }: MatchChoices.StoredChoice): string =>
  shares.length === 0
    ? "marked by hand as not for an invoice"
    : `allocated by hand to ${shares.map(({ amount, invoice }) => `${invoice} (${amount})`).join(", ")}`

/** Undefined: there is no attention item with this number, or it is still open. */
export const words = (db: Db, id: number): string | undefined => {
  const found = AttentionStore.closedHow(db, id)
  if (found === undefined) return undefined
  const choice = MatchChoices.of(db, found.subject)
  const how = choice === undefined ? found.how : chosenWords(choice)
  return `item ${id} was already closed at ${minute(found.closed)}: ${how}. Nothing was changed`
}
