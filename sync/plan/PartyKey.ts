/** How the buyers of invoices are told apart and remembered. */
import type { Invoice } from "../../connectors/Document.ts"
import * as Document from "../../connectors/Document.ts"
import * as Body from "../state/Body.ts"

/**
 * How a debtor is remembered between invoices: by the source's id, or else by name, country and registration number. Two
 * companies of one name are two, and nothing is said about one because of the other.
 */
export const partyKey = ({ party }: Invoice): string =>
  party.id ??
  `${Document.storable(party.name)}|${party.country ?? ""}${party.regnum === undefined ? "" : `|${party.regnum}`}`

const partyMember = (name: string): string => Body.at("invoice", `party.${name}`, "d.body")

/** `partyKey` of the document `d`, in SQL. */
export const PARTY_KEY = `coalesce(${partyMember("id")}, (${partyMember("name")}) || '|' || coalesce(${partyMember("country")}, '') ||
  coalesce('|' || (${partyMember("regnum")}), ''))`
