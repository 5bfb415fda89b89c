/**
 * Fills in secrets that a call names as `{ "env": "NAME" }`. They are in no plan, ledger, claim or digest; they are put into
 * the body just before the request is sent, and removed from whatever the service answers.
 */
import { Redacted, Result } from "effect"
import { isVariable, notSet, without } from "../../connectors/Secrets.ts"
import { type Reason, Refused, Unknown, Unsendable } from "../../core/ServiceError.ts"
import type { Fields, Json } from "../model/RemoteInvoice.ts"

export type Secrets = (name: string) => Redacted.Redacted | undefined

const nameOf = (value: Json): string | undefined =>
  typeof value === "object" && value !== null && "env" in value && typeof value.env === "string" ? value.env : undefined

const nothingToHide = (text: string): string => text

/** The body with its secrets, and a function that removes them from a text; or why the body cannot be completed. */
export const filled = (
  body: Fields | undefined,
  secrets: Secrets | undefined
): Result.Result<{ readonly body: Fields | undefined; readonly hide: (text: string) => string }, Unsendable> => {
  const named = Object.entries(body ?? {}).flatMap(([member, value]) => {
    const name = nameOf(value)
    return name === undefined ? [] : [[member, name] as const]
  })
  const found: Record<string, string> = {}
  for (const [member, name] of named) {
    const secret = isVariable(name) ? secrets?.(name) : undefined
    if (secret === undefined || Redacted.value(secret) === "")
      return Result.fail(new Unsendable({ why: `${member}: ${notSet(name)}` }))
    found[member] = Redacted.value(secret)
  }
  if (named.length === 0) return Result.succeed({ body, hide: nothingToHide })
  return Result.succeed({ body: { ...body, ...found }, hide: without(Object.values(found)) })
}

/** An answer without secrets: the service may repeat what it was given, and answers are stored. */
export const concealed = <A extends { readonly body: unknown }>(answer: A, hide: (text: string) => string): A =>
  answer.body === undefined || hide === nothingToHide
    ? answer
    : { ...answer, body: JSON.parse(hide(JSON.stringify(answer.body))) as unknown }

/** A reason without the secrets that the service repeats. */
export const hidden = (reason: Reason, hide: (text: string) => string): Reason => {
  switch (reason._tag) {
    case "Refused":
      return new Refused({ status: reason.status, problems: reason.problems.map(hide) })
    case "Unknown":
      return new Unknown({ ...reason, why: hide(reason.why) })
    default:
      return reason
  }
}

/** Reads secrets from an environment. */
export const namedSecretsFrom =
  (environment: Readonly<Record<string, string | undefined>>): Secrets =>
  (name) => {
    const value = environment[name]
    return value === undefined ? undefined : Redacted.make(value, { label: name })
  }
