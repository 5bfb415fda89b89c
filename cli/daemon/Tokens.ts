/** Looks up the tokens of the HTTP interface in the environment. */
import { Redacted } from "effect"
import { basename, join } from "node:path"
import type { Configuration } from "../../sync/library/config/Configuration.ts"
import * as PersonsFile from "../../sync/library/config/PersonsFile.ts"
import { type Person, ofToken } from "../../sync/model/Person.ts"
import { type TokenScope, SCOPES } from "../../sync/model/Roles.ts"

export interface Token {
  readonly name: string
  readonly value: Redacted.Redacted
  readonly scopes: ReadonlyArray<TokenScope>
  /** Who decides with it: a program, or a person; undefined: a person who has no account any more. */
  readonly person: Person | undefined
}

const files = new Map<string, () => ReadonlyArray<PersonsFile.StoredPerson>>()

const peopleOf = (file: string): ReadonlyArray<PersonsFile.StoredPerson> => {
  const known = files.get(file) ?? PersonsFile.following(file)
  files.set(file, known)
  return known()
}

type Settings = Pick<Configuration, "daemon" | "environment" | "file" | "folder">

export const tokensOf = ({ daemon, environment, file, folder }: Settings): ReadonlyArray<Token> =>
  daemon.api.map(({ name, person: whose, scopes, token }) => {
    const allowed = scopes.flatMap((scope) => SCOPES[scope])
    const people = whose === undefined ? [] : peopleOf(PersonsFile.fileOf(join(folder, basename(file))))
    const owner = people.find((one) => one.name === whose)
    const person = ofToken(name, allowed, owner === undefined ? undefined : PersonsFile.personOf(owner))
    return {
      name,
      scopes,
      value: Redacted.make(environment[token] ?? ""),
      person: whose === undefined || owner !== undefined ? person : undefined
    }
  })
