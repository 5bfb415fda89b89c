/** Simulates Odoo's JSON-2 API over models of records, as far as the connectors to Odoo use it. */
import { copy, type Record, type Source, textOf } from "./Simulator.ts"
import type { Lists } from "./Staging.ts"

/** The value that the domain compares a field with; undefined if it does not. */
export type Term = (field: string, operator: string) => unknown

const termIn =
  (domain: ReadonlyArray<unknown>): Term =>
  (field, operator) =>
    domain.flatMap((term) => (Array.isArray(term) && term[0] === field && term[1] === operator ? [term[2]] : []))[0]

const number = (id: unknown): bigint => (/^\d+$/.test(textOf(id)) ? BigInt(textOf(id)) : 0n)

/** Whether a record changed since the time in the domain, if there is one. */
export const isChanged = ({ write_date }: Record, term: Term): boolean => {
  const since = term("write_date", ">=") as string | undefined
  return since === undefined || write_date === null || write_date >= since
}

/**
 * @param fits the domain's conditions other than those on ids
 * @param shown a record as answers have it
 */
export const odooServer =
  (all: Lists, fits: (record: Record, term: Term) => boolean, shown = (record: Record) => record): Source["answer"] =>
  ({ body, headers, method, path }, paging) => {
    if (headers["authorization"] !== "Bearer sample-secret")
      return { status: 401, body: { name: "werkzeug.exceptions.Unauthorized", message: "Invalid apikey" } }
    const records = all[/^\/json\/2\/([\w.]+)\/web_search_read$/.exec(path)?.[1] ?? ""]
    if (records === undefined || method !== "POST") return undefined
    // Keeps the digits of numbers: an id may have more than a double can hold.
    const [{ domain, limit }] = copy([JSON.parse(body)])
    const term = termIn(domain)
    const [after, among] = [term("id", ">"), term("id", "in") as ReadonlyArray<unknown> | undefined]
    const found = records
      .filter((one) => fits(one, term) && (among === undefined || among.some((id) => textOf(id) === textOf(one.id))))
      .filter(({ id }) => after === undefined || number(id) > number(after))
      .sort((a, b) => (number(a.id) < number(b.id) ? -1 : 1))
    const page = among === undefined ? paging.after(found, null, "id", limit).records : found
    return { body: { length: found.length, records: page.map(shown) } }
  }
