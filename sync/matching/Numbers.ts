/** What people call an invoice: its number; its id where the number is not known, or another one of the text has it, too. */
import * as Document from "../../connectors/Document.ts"
import * as Body from "../state/Body.ts"
import type { Db } from "../state/Database.ts"
import * as MatchRules from "./Rules.ts"

/** @param key of an invoice */
export const numberOf = (db: Db, key: string): string => {
  const number = db
    .prepare(`SELECT ${Body.at("invoice", "number")} FROM document WHERE key = ?`)
    .pluck()
    .get(key)
  return typeof number === "string" && number !== "" ? number : Document.parseKey(key).id
}

/** A reason as people read it. */
export const withNumbers = (db: Db, why: string): string => {
  const keys = new Map<string, string>()
  MatchRules.withNames(why, (key) => {
    keys.set(key, numberOf(db, key))
    return key
  })
  const isShared = (number: string) => [...keys.values()].filter((one) => one === number).length > 1
  return MatchRules.withNames(why, (key) => {
    const number = keys.get(key) ?? key
    return isShared(number) ? `${number} (${Document.parseKey(key).id})` : number
  })
}
