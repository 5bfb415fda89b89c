/** Checks an address that a person types on the page, as those of links are. */
import { Effect } from "effect"
import { reachProblem } from "../../core/Reach.ts"
import type { PageContext } from "./Response.ts"

/** @param entered an address, the name of a mail server, or something else that leads nowhere */
export const enteredProblem = (
  { privateAddresses = false }: Pick<PageContext, "privateAddresses">,
  entered: string | undefined
): Effect.Effect<string | undefined> =>
  entered === undefined || privateAddresses
    ? Effect.succeed(undefined)
    : Effect.map(
        Effect.promise(() => reachProblem(entered, "")),
        (problem) =>
          problem === undefined
            ? undefined
            : `${problem}. To allow addresses of this machine and its network, set daemon.private_addresses to true in the configuration.`
      )
