/**
 * Payment-method preferences by themselves (DP 4, note 2): an organisation's PATCH under a path that does not name it.
 */
import { given } from "../../Entry.ts"
import { check, type Context, type Handler, missing, Refusal } from "../store/Handler.ts"
import { organisations } from "./OrganisationsAndUsers.ts"

/** Assumption (not shown): `id` or `unique_id` names the organisation; if there is only one, neither is needed. */
const named = ({ mine: { organisation }, payload }: Context): string => {
  const { id, unique_id } = payload
  if (typeof id === "string") {
    check(organisation.get(id) === undefined ? { id: missing(id) } : {})
    return id
  }
  if (typeof unique_id === "string") {
    const [found] = organisation.by(unique_id)
    check(found === undefined ? { unique_id: missing(unique_id) } : {})
    return given(found, "the organisation").id
  }
  const [only, another] = organisation.slice(0, 2)
  if (only === undefined || another !== undefined)
    throw new Refusal(400, { non_field_errors: ["Give the id or unique_id of the organisation."] })
  return only.id
}

export const preferences = {
  update: (context) => {
    const params = { organisation_id: named(context) }
    const payload = { payment_method_config: context.payload["payment_method_config"] }
    return { ...organisations.update({ ...context, payload, params }), status: 201 }
  }
} satisfies Record<string, Handler>
