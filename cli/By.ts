/** The flag with which whoever decides says who they are. */
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

/** Who decides: as they say, or else as the system knows them. */
export const me = (by: Option.Option<string>): string => Option.getOrElse(by, userName)
