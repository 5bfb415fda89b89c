/**
 * Organisations, users, and who belongs to what (DP 2.4, 2.5; II 2.3, 2.4, 4).
 */
import * as Country from "../wire/Country.ts"
import {
  check,
  conflict,
  type Context,
  find,
  gone,
  type Handler,
  missing,
  ok,
  page,
  type Problems,
  timestamp
} from "./Handler.ts"
import type { Entity } from "./Store.ts"

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

/** Fields that refer to something, each checked; every problem is named. */
const references = (context: Context, ...countries: ReadonlyArray<string>): Problems => {
  const problems: Problems = {}
  const { company } = context.payload
  if (typeof company === "string" && context.directory.get(company) === undefined)
    problems["company"] = missing(company)
  for (const name of countries) {
    const value = context.payload[name]
    if (typeof value === "string" && value !== "" && Country.parse(value) === undefined) {
      problems[name] = [`"${value}" is not a valid choice.`]
    }
  }
  return problems
}

const members = (context: Context, organisation: string): ReadonlyArray<Entity> =>
  context.mine.membership.by(organisation)

const showMember = (context: Context) => (membership: Entity) => ({
  id: membership["user"],
  email: context.mine.user.get(String(membership["user"]))?.["email"] ?? null,
  role: membership["role"]
})

const showOrganisation = (context: Context) => (organisation: Entity) => ({
  ...organisation,
  has_purchased_policy: [...context.mine.policy.values()].some((policy) => policy["owner"] === organisation.id),
  users: members(context, organisation.id).map(showMember(context))
})

const memberships = (context: Context, user: string): ReadonlyArray<Entity> =>
  [...context.mine.membership.values()].filter((one) => one["user"] === user)

const showUserMembership = (membership: Entity) => ({ id: membership["organisation"], role: membership["role"] })

const showUser = (context: Context) => (user: Entity) => ({
  ...user,
  organisations: memberships(context, user.id).map(showUserMembership)
})

/** 201, or 200 with the role replaced. */
const join = (context: Context, organisation: string, user: string, role: unknown) => {
  const id = `membership-${organisation}-${user}`
  const known = context.mine.membership.get(id)
  const membership = context.store.put(context.key, "membership", { id, organisation, user, role })
  return { status: known === undefined ? 201 : 200, membership }
}

const membership = (context: Context): Entity =>
  find(context, "membership", `membership-${context.params["organisation_id"]}-${context.params["user_id"]}`)

const list = (context: Context, kind: "organisation" | "user", path: string, show: (entity: Entity) => unknown) => {
  const { unique_id } = context.query
  if (unique_id === undefined) return page(context, path, context.mine[kind].values(), context.mine[kind].size, show)
  const found =
    kind === "organisation"
      ? context.mine[kind].by(unique_id)
      : [...context.mine[kind].values()].filter((one) => one["unique_id"] === unique_id)
  return page(context, path, found, found.length, show)
}

export const organisations = {
  create: (context) => {
    check(references(context, "company_country"))
    const [known] = context.mine.organisation.by(context.payload["unique_id"])
    const now = timestamp(context)
    const organisation = context.store.put(context.key, "organisation", {
      ...ORGANISATION,
      created: now,
      onboarding: { status: "not_started" },
      ...known,
      ...context.payload,
      modified: now,
      id: known?.id ?? context.store.id("organisation")
    })
    return { status: known === undefined ? 201 : 200, body: showOrganisation(context)(organisation) }
  },
  list: (context) => list(context, "organisation", "/v1/organisations", showOrganisation(context)),
  get: (context) => ok(showOrganisation(context)(find(context, "organisation", context.params["organisation_id"]))),
  update: (context) => {
    const known = find(context, "organisation", context.params["organisation_id"])
    const problems = references(context, "company_country")
    const { unique_id } = context.payload
    if (unique_id !== undefined && context.mine.organisation.by(unique_id).some(({ id }) => id !== known.id)) {
      problems["unique_id"] = ["organisation with this unique_id already exists."]
    }
    check(problems)
    const organisation = context.store.put(context.key, "organisation", {
      ...known,
      ...context.payload,
      modified: timestamp(context),
      id: known.id
    })
    return ok(showOrganisation(context)(organisation))
  },
  remove: (context) => {
    const { id } = find(context, "organisation", context.params["organisation_id"])
    // Assumption: the specification names payment objects (DP 7 case 8); transactions it owns hold it as well.
    if ([...context.mine.transaction.values()].some((one) => one["owner"] === id)) {
      throw conflict("Organisation has attached objects and cannot be deleted.")
    }
    for (const one of members(context, id)) context.store.delete(context.key, "membership", one.id)
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
    const all = members(context, id)
    return page(context, `/v1/organisations/${id}/users`, all, all.length, showMember(context))
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

export const users = {
  create: (context) => {
    check(references(context, "country", "company_country"))
    // A repeated POST with an existing email partially updates that user (II 4). Assumption: answered with 200.
    const [known] = context.mine.user.by(context.payload["email"])
    const user = context.store.put(context.key, "user", {
      ...USER,
      ...known,
      ...context.payload,
      id: known?.id ?? context.store.id("user")
    })
    return { status: known === undefined ? 201 : 200, body: showUser(context)(user) }
  },
  list: (context) => list(context, "user", "/v1/users", showUser(context)),
  get: (context) => ok(showUser(context)(find(context, "user", context.params["user_id"]))),
  update: (context) => {
    const known = find(context, "user", context.params["user_id"])
    const { email, id } = context.payload
    const problems: Problems = {}
    if (id !== undefined && id !== known.id) problems["id"] = ["The id cannot be changed."]
    if (email !== undefined && context.mine.user.by(email).some((other) => other.id !== known.id)) {
      problems["email"] = ["user with this email already exists."]
    }
    check(problems)
    return ok(showUser(context)(context.store.put(context.key, "user", { ...known, ...context.payload, id: known.id })))
  },
  remove: (context) => {
    const { id } = find(context, "user", context.params["user_id"])
    for (const one of memberships(context, id)) context.store.delete(context.key, "membership", one.id)
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
    const all = memberships(context, id)
    return page(context, `/v1/users/${id}/organisations`, all, all.length, showUserMembership)
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
