/**
 * Reads who is insured by an offer: the service matches the company by itself, and a person must be able to review that before
 * cover is paid for (II 4). A company that cannot be read is known by its identifier alone.
 */
import { Effect } from "effect"
import type { Client } from "../../core/Client.ts"
import type { CompanyId } from "../../core/wire/Ids.ts"
import * as CoverAnswers from "./CoverAnswers.ts"
import { wire } from "./ReadBackValues.ts"
import type { RemoteInvoice } from "../model/RemoteInvoice.ts"

export const withCompany = ({ companies }: Client["Service"], remote: RemoteInvoice): Effect.Effect<RemoteInvoice> => {
  const quote = remote.cover?.quote
  const matched = quote?.company
  if (quote?.status !== "offered" || !matched || matched.name !== undefined) return Effect.succeed(remote)
  return companies.get({ params: { company_id: matched.id as CompanyId } }).pipe(
    Effect.map((read) => CoverAnswers.company(wire(read))),
    Effect.orElseSucceed(() => undefined),
    Effect.map((read) => {
      const company = read ?? { id: matched.id, unread: true as const }
      return { ...remote, cover: { ...remote.cover, quote: { ...quote, company } } }
    })
  )
}
