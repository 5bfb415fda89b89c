/**
 * Reads and writes the file of people who sign in with an account of their own: `daybook.persons.json` beside the configuration.
 * It holds their roles and slow hashes of their passwords, never a password. `daybook persons` writes it; roles may be changed in
 * an editor. The daemon looks at it with each request, so that a person who is removed is out at once.
 */
import { Result, Schema } from "effect"
import { existsSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs"
import { basename, dirname, join } from "node:path"
import { partialOf } from "../../../core/TemporaryFolder.ts"
import { HERE, isSamePerson, type Person } from "../../model/Person.ts"
import { nameProblem } from "../../model/PersonName.ts"
import { ROLE_NAMES, PERSON_ROLES, type PersonRole, rightsOfRoles } from "../../model/Roles.ts"
import { Limits, amountLimits } from "./Approve.ts"
import { problems } from "./ConfigProblems.ts"
import * as JsonText from "./JsonText.ts"

const maybe = Schema.optionalKey

const Names = Schema.NonEmptyArray(Schema.NonEmptyString)

/** What somebody may do, and whose books. */
export const Allowance = {
  roles: Schema.NonEmptyArray(Schema.Literals(ROLE_NAMES as readonly [PersonRole, ...Array<PersonRole>])),
  /** Whether they may declare to the insurer. */
  declares: maybe(Schema.Boolean),
  /** Only these connections' books; without it all. */
  connections: maybe(Names),
  /** Only these tenants; without it all. */
  tenants: maybe(Names),
  /** The largest plans that they approve, per currency: in others they approve none. Without it any. */
  up_to: maybe(Limits)
}

const allowance = Schema.Struct(Allowance)

/** What is written of somebody's allowance, as the daemon uses it. */
export const allowanceOf = ({
  connections,
  tenants,
  up_to,
  ...roles
}: typeof allowance.Type): Pick<Person, "connections" | "rights" | "tenants" | "upTo"> => ({
  rights: rightsOfRoles(roles),
  ...(connections === undefined ? {} : { connections }),
  ...(tenants === undefined ? {} : { tenants }),
  ...(up_to === undefined ? {} : { upTo: amountLimits(up_to) })
})

const StoredPerson = Schema.Struct({
  /** With which they sign in. */
  name: Schema.String.check(
    Schema.isPattern(/^[\p{L}\p{N}][\p{L}\p{N}._@-]{0,98}$/u, {
      message: 'use letters, digits, ".", "_", "@" and "-"'
    })
  ),
  /** As recorded with decisions; without it the name. */
  full_name: maybe(Schema.String.check(Schema.makeFilter((name: string) => nameProblem(name) ?? true))),
  ...Allowance,
  /** Who they are at the OpenID Connect provider, where they sign in. */
  openid_connect: maybe(Schema.Struct({ issuer: Schema.NonEmptyString, subject: Schema.NonEmptyString })),
  /** The hash; see `PasswordHash.ts`. */
  password: maybe(Schema.String)
})

export type StoredPerson = typeof StoredPerson.Type

const File = Schema.Struct({ persons: Schema.Array(StoredPerson) })
const decode = Schema.decodeUnknownResult(File, { errors: "all", onExcessProperty: "error" })

/** `daybook.persons.json` beside `daybook.config.json`. */
export const fileOf = (configuration: string): string =>
  join(dirname(configuration), `${basename(configuration).replace(/(?:\.config)?\.[a-z]+$/, "")}.persons.json`)

const peopleIn = (value: unknown): ReadonlyArray<StoredPerson> => {
  const found = decode(value)
  if (Result.isFailure(found)) throw new Error(problems(found.failure.issue).join("; "))
  const { persons } = found.success
  const twice = persons.find(({ name }, n) => persons.findIndex((one) => one.name === name) < n)
  if (twice !== undefined) throw new Error(`${twice.name} is in it twice`)
  const same = persons.find((one, n) => persons.findIndex((other) => isOf(other, identityOf(one))) < n)
  if (same !== undefined) throw new Error(`${same.name} is somebody else in it as well, by issuer and subject`)
  return persons
}

/** People who can be written. Throws an error that says why not. */
export const checked = (persons: ReadonlyArray<StoredPerson>): ReadonlyArray<StoredPerson> => peopleIn({ persons })

/** The file's people; none if it does not exist. Throws an error that says what is wrong with it. */
export const read = (file: string): ReadonlyArray<StoredPerson> =>
  existsSync(file) ? peopleIn(JsonText.parse(readFileSync(file, "utf8"))) : []

/** Writes the people, for nobody else on this machine to read. */
export const write = (file: string, persons: ReadonlyArray<StoredPerson>): void => {
  const partial = partialOf(file)
  writeFileSync(partial, `${JSON.stringify({ persons }, null, 2)}\n`, { mode: 0o600, flush: true })
  renameSync(partial, file)
}

/** Reads the file again whenever it has changed. While it cannot be read, nobody in it is let in. */
export const following = (file: string): (() => ReadonlyArray<StoredPerson>) => {
  let [seen, known]: readonly [string, ReadonlyArray<StoredPerson>] = ["", []]
  return () => {
    const { ino = 0, mtimeMs = 0, size = 0 } = statSync(file, { throwIfNoEntry: false }) ?? {}
    const now = `${ino} ${mtimeMs} ${size}`
    if (now === seen) return known
    seen = now
    try {
      known = read(file)
    } catch {
      known = []
    }
    return known
  }
}

/** Who it is, whichever way they sign in: at the provider, if they are known there. */
const identityOf = ({ name, openid_connect }: StoredPerson): Pick<Person, "issuer" | "subject"> =>
  openid_connect ?? { issuer: HERE, subject: name }

/** Whether this is their account. */
export const isOf = (stored: StoredPerson, person: Pick<Person, "issuer" | "subject">): boolean =>
  isSamePerson(identityOf(stored), person)

export const personOf = (stored: StoredPerson, how: Person["how"] = "password"): Person => ({
  name: stored.full_name ?? stored.name,
  ...identityOf(stored),
  how,
  ...allowanceOf(stored)
})

export const isRole = (text: string): text is PersonRole => Object.hasOwn(PERSON_ROLES, text)
