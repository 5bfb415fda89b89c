/** Defines the flag that names the person who decides. */
import { Option } from "effect"
import { Flag } from "effect/cli"
import { userName } from "./Me.ts"

export const by = Flag.String("by").pipe(
  Flag.withDescription("Name to record (default: the name of this account)"),
  Flag.withMetavar("NAME"),
  Flag.filter(
    (name) => name.trim() !== "",
    () => "write who decides, or leave it out"
  ),
  Flag.optional
)

/** The given name, or else the system's user name. */
export const me = (by: Option.Option<string>): string => Option.getOrElse(by, userName)
