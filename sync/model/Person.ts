/** Who is behind a request: a person who signed in, everybody who knows the shared password, or a program with a token. */
import type { Decimal } from "../../core/money/Decimal.ts"
import { EVERY_RIGHT, type Right } from "./Roles.ts"

export interface Person {
  /** As shown and recorded; empty for the shared password, where people type their names. */
  readonly name: string
  /** Who it is, and who says so: together they stay the same when the name changes. */
  readonly subject: string
  readonly issuer: string
  /** How they showed who they are. */
  readonly how: "shared password" | "start token" | "password" | "token" | "openid connect" | "command line"
  readonly rights: ReadonlyArray<Right>
  /** Whose books; absent: all. */
  readonly connections?: ReadonlyArray<string>
  /** Of which tenants, where there are several; absent: of all. */
  readonly tenants?: ReadonlyArray<string>
  /** Up to which sum per currency they approve a plan; absent: any. */
  readonly upTo?: ReadonlyMap<string, Decimal>
}

/** The issuer of accounts that Daybook itself keeps. */
export const HERE = "daybook"

/** Everybody who knows the password, or has the token that the daemon shows: on one machine, the operator. */
export const shared = (how: "shared password" | "start token"): Person => ({
  name: "",
  subject: "operator",
  issuer: how,
  how,
  rights: EVERY_RIGHT
})

/** Whether they typed their name, so that nobody knows who they are. */
export const isShared = ({ how }: Pick<Person, "how">): boolean => how === "shared password" || how === "start token"

export const may = ({ rights }: Pick<Person, "rights">, right: Right): boolean => rights.includes(right)

export const isSamePerson = (a: Pick<Person, "issuer" | "subject">, b: Pick<Person, "issuer" | "subject">): boolean =>
  a.issuer === b.issuer && a.subject === b.subject

/** The name that is recorded: of who signed in, or as it was typed. */
export const shownAs = (person: Pick<Person, "how" | "name">, typed: string): string =>
  isShared(person) ? typed || "the page" : person.name

/** Who decides with a token: a program, or its owner, who may do no more with it than without. */
export const ofToken = (token: string, allowed: ReadonlyArray<Right>, owner?: Person): Person =>
  owner === undefined
    ? { name: token, subject: token, issuer: "token", how: "token", rights: allowed }
    : {
        ...owner,
        name: `${owner.name} (${token})`,
        how: "token",
        rights: allowed.filter((right) => owner.rights.includes(right))
      }
