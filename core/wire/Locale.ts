/** The language of emails about an order (DP 2.7). */
import { Schema } from "effect"

/** `en-gb`, and `en_US` as some clients send it. */
export const Locale = Schema.String.check(
  Schema.isPattern(/^[a-zA-Z]{2,3}([-_][a-zA-Z]{2})?$/, { message: "Enter a locale, language and region, like en-gb." })
)
