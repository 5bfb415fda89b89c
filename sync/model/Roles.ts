/**
 * What each role may do, as one table: the page's router, the HTTP interface and the documentation read it. A role is a set of
 * rights, and every route needs one of them.
 */

/** What a request may do. */
export const RIGHTS = {
  look: "see everything, and download it",
  prepare: "read sources and the service now, and see what would be sent",
  work: "match payments, close and answer items, choose companies, add files, write notes, start a run",
  decide: "approve and reject plans, buy and reject cover, close months",
  collect: "gather and remove the documents of a collection",
  declare: "declare to the insurer, and take a declaration back",
  set_up: "set up, pause and resume connections, correct the ledger",
  link: "make links by which others connect their books",
  administer: "alerts, other people's sessions, backups"
} as const

export type Right = keyof typeof RIGHTS

export const EVERY_RIGHT = Object.keys(RIGHTS) as ReadonlyArray<Right>

/** Declaring is in no role: it is given to named people on top, with the look at the service that comes before. */
export const PERSON_ROLES = {
  reader: ["look"],
  bookkeeper: ["look", "prepare", "work"],
  operator: ["look", "prepare", "work", "collect", "set_up", "link"],
  approver: ["look", "prepare", "decide"],
  administrator: ["look", "set_up", "link", "administer"]
} as const satisfies Readonly<Record<string, ReadonlyArray<Right>>>

const DECLARING = ["look", "prepare", "declare"] as const satisfies ReadonlyArray<Right>

export type PersonRole = keyof typeof PERSON_ROLES

export const ROLE_NAMES = Object.keys(PERSON_ROLES) as ReadonlyArray<PersonRole>

/** The scopes of tokens in the same rights. */
export const SCOPES = {
  read: ["look"],
  plan: ["prepare"],
  approve: ["work", "decide", "collect", "declare", "set_up", "administer"],
  connect: ["link"]
} as const satisfies Readonly<Record<string, ReadonlyArray<Right>>>

export type TokenScope = keyof typeof SCOPES

export const rightsOfRoles = ({
  declares = false,
  roles
}: {
  readonly roles: ReadonlyArray<PersonRole>
  readonly declares?: boolean
}): ReadonlyArray<Right> => [
  ...new Set([...roles.flatMap((role) => PERSON_ROLES[role]), ...(declares ? DECLARING : [])])
]

/** The roles that have a right, in words: `an operator or a bookkeeper`. */
export const whoMay = (right: Right): string => {
  const able = ROLE_NAMES.filter((role) => (PERSON_ROLES[role] as ReadonlyArray<Right>).includes(right))
  return able.length === 0
    ? "somebody who may declare to the insurer"
    : able.map((role) => `${/^[aeo]/.test(role) ? "an" : "a"} ${role}`).join(" or ")
}
