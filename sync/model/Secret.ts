/** A secret as a configuration names it: by the environment variable that holds it, never by itself. */
import { Schema } from "effect"

/** @param example a variable of this kind, for the message to who wrote the secret itself */
export const secret = (example: string) =>
  Schema.Struct({ env: Schema.NonEmptyString }).annotate({
    message: `a secret is not written here; name the environment variable that holds it, like { "env": "${example}" }`
  })
