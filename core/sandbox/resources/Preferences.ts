/**
 * Payment-method preferences alone (DP 4, note 2): an organisation's PATCH under a path that does not name it.
 */
import { check, type Context, type Handler, missing } from "../store/Handler.ts"
import { organisations } from "./OrganisationsAndUsers.ts"

/** Assumption (not shown): `id` or `unique_id` says which organisation; where there is only one, neither is needed. */
const named = ({ mine: { organisation }, payload }: Context): string => {
  const { id, unique_id } = payload
  if (typeof id === "string") {
    check(organisation.get(id) === undefined ? { id: missing(id) } : {})
    return id
  }
  if (typeof unique_id === "string") {
    const [found] = organisation.by(unique_id)
    check(found === undefined ? { unique_id: missing(unique_id) } : {})
    return found!.id
  }
  check(organisation.length === 1 ? {} : { non_field_errors: ["Give the id or unique_id of the organisation."] })
  return organisation.slice(0, 1)[0]!.id
}

export const preferences = {
  update: (context) => {
    const params = { organisation_id: named(context) }
    const payload = { payment_method_config: context.payload["payment_method_config"] }
    return { ...organisations.update({ ...context, payload, params }), status: 201 }
  }
} satisfies Record<string, Handler>
