/**
 * Organisations, users and memberships (DP 2.4, 2.5; II 2.3, 2.4, 4).
 */
import {
  check,
  conflict,
  type Context,
  find,
  gone,
  type Handler,
  membershipId,
  missing,
  ok,
  page,
  type Problems,
  timestamp
} from "../store/Handler.ts"
import { badEmails, unknownCountries, withCodes } from "./FieldFormats.ts"
import { wished, wishProblems } from "./PaymentMethods.ts"
import type { Entity } from "../store/Store.ts"
import {
  expanded,
  membersOf,
  membershipsOf,
  showMember,
  showOrganisation,
  showUser,
  showUserMembership
} from "./Serializers.ts"

const ORGANISATION = {
  billing_account: null,
  name: null,
  company: null,
  company_name: null,
  company_regnum: null,
  company_address: null,
  company_postcode: null,
  company_city: null,
  company_country: null,
  company_state: null,
  metadata: {}
}

const USER = {
  unique_id: null,
  name: null,
  phone: null,
  country: null,
  company: null,
  company_name: null,
  company_country: null,
  company_regnum: null,
  company_address: null,
  plan_type: null,
  has_password: false
}

const COUNTRIES = ["country", "company_country"]

/** Checks every field that refers to another object, and reports all problems. */
const references = ({ directory, key, payload }: Context): Problems => {
  const problems: Problems = { ...unknownCountries(payload, ...COUNTRIES), ...badEmails(payload, "email") }
  const { company } = payload
  if (typeof company === "string" && directory.get(company, key) === undefined) problems["company"] = missing(company)
  return problems
}

const written = ({ payload }: Context) => withCodes(payload, ...COUNTRIES)

const viewOrganisation = (context: Context) => (organisation: Entity) =>
  expanded(context, "organisation", showOrganisation(context)(organisation))

const viewUser = (context: Context) => (user: Entity) => expanded(context, "user", showUser(context)(user))

/** Answers 201, or 200 if an existing membership's role was replaced. */
const join = (context: Context, organisation: string, user: string, role: unknown) => {
  const id = membershipId(organisation, user)
  const known = context.mine.membership.get(id)
  const membership = context.store.put(context.key, "membership", { id, organisation, user, role })
  return { status: known === undefined ? 201 : 200, membership }
}

const membership = (context: Context): Entity =>
  find(context, "membership", membershipId(context.params["organisation_id"] ?? "", context.params["user_id"] ?? ""))

const list = (context: Context, kind: "organisation" | "user", path: string, show: (entity: Entity) => unknown) => {
  const { unique_id } = context.query
  const shelf = context.mine[kind]
  return page(context, path, unique_id === undefined ? shelf : shelf.by(unique_id, "unique_id"), show)
}

export const organisations = {
  create: (context) => {
    const [known] = context.mine.organisation.by(context.payload["unique_id"])
    const wishes = context.payload["payment_method_config"]
    check({ ...references(context), ...wishProblems(known?.["payment_method_config"], wishes) })
    const now = timestamp(context)
    const organisation = context.store.put(context.key, "organisation", {
      ...ORGANISATION,
      created: now,
      onboarding: { status: "not_started" },
      ...known,
      ...written(context),
      payment_method_config: wished(known?.["payment_method_config"], wishes),
      modified: now,
      id: known?.id ?? context.store.id("organisation")
    })
    return { status: known === undefined ? 201 : 200, body: showOrganisation(context)(organisation) }
  },
  list: (context) => list(context, "organisation", "/v1/organisations", viewOrganisation(context)),
  get: (context) => ok(viewOrganisation(context)(find(context, "organisation", context.params["organisation_id"]))),
  update: (context) => {
    const known = find(context, "organisation", context.params["organisation_id"])
    const { payment_method_config: wishes, unique_id } = context.payload
    const problems = { ...references(context), ...wishProblems(known["payment_method_config"], wishes) }
    if (unique_id !== undefined && context.mine.organisation.by(unique_id).some(({ id }) => id !== known.id)) {
      problems["unique_id"] = ["organisation with this unique_id already exists."]
    }
    check(problems)
    const organisation = context.store.put(context.key, "organisation", {
      ...known,
      ...written(context),
      payment_method_config: wished(known["payment_method_config"], wishes),
      modified: timestamp(context),
      id: known.id
    })
    return ok(showOrganisation(context)(organisation))
  },
  remove: (context) => {
    const { id } = find(context, "organisation", context.params["organisation_id"])
    // Assumption: of the payment objects in DP 7 case 8, the order comes first; owned transactions block deletion as well.
    if (context.mine.order.by(id, "organisation").length > 0 || context.mine.transaction.by(id, "owner").length > 0) {
      throw conflict("Organisation has attached objects and cannot be deleted.")
    }
    for (const one of membersOf(context, id)) context.store.delete(context.key, "membership", one.id)
    context.store.delete(context.key, "organisation", id)
    return gone
  },
  addUser: (context) => {
    const organisation = find(context, "organisation", context.params["organisation_id"])
    const user = String(context.payload["id"])
    check(context.mine.user.get(user) === undefined ? { id: missing(user) } : {})
    const { membership, status } = join(context, organisation.id, user, context.payload["role"])
    return { status, body: showMember(context)(membership) }
  },
  listUsers: (context) => {
    const { id } = find(context, "organisation", context.params["organisation_id"])
    const all = membersOf(context, id)
    return page(context, `/v1/organisations/${id}/users`, all, showMember(context))
  },
  getUser: (context) => ok(showMember(context)(membership(context))),
  updateUser: (context) => {
    const known = membership(context)
    return ok(
      showMember(context)(context.store.put(context.key, "membership", { ...known, role: context.payload["role"] }))
    )
  },
  removeUser: (context) => {
    context.store.delete(context.key, "membership", membership(context).id)
    return gone
  }
} satisfies Record<string, Handler>

/** Creates a user, or partially updates the one with that email (II 4). */
export const upsertUser = (context: Context, given: Readonly<Record<string, unknown>>) => {
  const [known] = context.mine.user.by(given["email"])
  const user = context.store.put(context.key, "user", {
    ...USER,
    ...known,
    ...given,
    id: known?.id ?? context.store.id("user")
  })
  return { user, known: known !== undefined }
}

export const users = {
  create: (context) => {
    check(references(context))
    // Assumption: a repeated POST with an existing email is answered with 200.
    const { known, user } = upsertUser(context, written(context))
    return { status: known ? 200 : 201, body: showUser(context)(user) }
  },
  list: (context) => list(context, "user", "/v1/users", viewUser(context)),
  get: (context) => ok(viewUser(context)(find(context, "user", context.params["user_id"]))),
  update: (context) => {
    const known = find(context, "user", context.params["user_id"])
    const { email } = context.payload
    const problems = references(context)
    if (email !== undefined && context.mine.user.by(email).some((other) => other.id !== known.id)) {
      problems["email"] = ["user with this email already exists."]
    }
    check(problems)
    return ok(
      showUser(context)(context.store.put(context.key, "user", { ...known, ...written(context), id: known.id }))
    )
  },
  remove: (context) => {
    const { id } = find(context, "user", context.params["user_id"])
    for (const one of membershipsOf(context, id)) context.store.delete(context.key, "membership", one.id)
    context.store.delete(context.key, "user", id)
    return gone
  },
  addOrganisation: (context) => {
    const user = find(context, "user", context.params["user_id"])
    const organisation = String(context.payload["id"])
    check(context.mine.organisation.get(organisation) === undefined ? { id: missing(organisation) } : {})
    const { membership, status } = join(context, organisation, user.id, context.payload["role"])
    return { status, body: showUserMembership(membership) }
  },
  listOrganisations: (context) => {
    const { id } = find(context, "user", context.params["user_id"])
    const all = membershipsOf(context, id)
    return page(context, `/v1/users/${id}/organisations`, all, showUserMembership)
  },
  getOrganisation: (context) => ok(showUserMembership(membership(context))),
  updateOrganisation: (context) =>
    ok(
      showUserMembership(
        context.store.put(context.key, "membership", { ...membership(context), role: context.payload["role"] })
      )
    ),
  removeOrganisation: (context) => {
    context.store.delete(context.key, "membership", membership(context).id)
    return gone
  }
} satisfies Record<string, Handler>
