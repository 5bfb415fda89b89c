/** A secret in a configuration: the name of the environment variable that holds it, never the value. */
import { Schema } from "effect"

/** @param example a variable name for the error message when somebody writes the secret itself */
export const secret = (example: string) =>
  Schema.Struct({ env: Schema.NonEmptyString }).annotate({
    message: `a secret is not written here; name the environment variable that holds it, like { "env": "${example}" }`
  })
