/** `daybook connect link`: creates a link by which somebody else connects their own books. */
import { Effect, Option } from "effect"
import { Command, Flag } from "effect/cli"
import { makeLink } from "../../sync/library/ConnectLinks.ts"
import { Database } from "../../sync/state/Database.ts"
import * as CommandContext from "../CommandContext.ts"
import * as Flags from "../Flags.ts"

/** Splits a comma-separated list. */
const listOf = (said: string): ReadonlyArray<string> =>
  said
    .split(",")
    .map((one) => one.trim())
    .filter((one) => one !== "")

export const link = Command.make(
  "link",
  {
    tenant: Flags.needed("tenant", "ID", "Your own id for the customer; the ids of their connections begin with it"),
    name: Flags.text("name", "NAME", "The customer's name"),
    connectors: Flags.text(
      "connectors",
      "NAMES",
      "Sources that they may choose from, separated by commas (default: all of daemon.connect.sources)"
    ),
    expires: Flags.needed("expires", "DURATION", "How long the link is valid, from 1m to 30d").pipe(
      Flag.withDefault("24h")
    ),
    returnUrl: Flags.text(
      "return-url",
      "URL",
      "Where they are sent back to: one of daemon.connect.return_urls (default: the first)"
    ),
    email: Flags.text(
      "email",
      "ADDRESS",
      "The person it is for: only who types this e-mail address can open it; five wrong ones close it"
    ),
    person: Flags.text(
      "person",
      "ID",
      "The person it is for, by your own id: only somebody whom you send there with a proof can open it"
    ),
    state: Flags.text("state-text", "TEXT", "Returned with them, unchanged")
  },
  Effect.fn(function* ({ connectors, email, expires, name, person, returnUrl, state, tenant }) {
    const out = yield* CommandContext.output
    const configuration = yield* CommandContext.configuration
    const layer = yield* CommandContext.state("share", "connect link")
    const made = yield* Effect.gen(function* () {
      return yield* makeLink(
        configuration,
        yield* Database,
        {
          tenant,
          expires,
          ...(Option.isSome(name) ? { name: name.value } : {}),
          ...(Option.isSome(connectors) ? { connectors: listOf(connectors.value) } : {}),
          ...(Option.isSome(email) ? { email: email.value } : {}),
          ...(Option.isSome(person) ? { person: person.value } : {}),
          ...(Option.isSome(returnUrl) ? { returnUrl: returnUrl.value } : {}),
          ...(Option.isSome(state) ? { state: state.value } : {})
        },
        "command line"
      )
    }).pipe(Effect.provide(layer))
    yield* out.emit({ type: "connect link", ...made })
    yield* out.say(
      `${made.url}\n\nFor ${made.tenant}: ${made.connectors.join(", ")}. It can be opened once, until ${made.expires.slice(0, 16).replace("T", " ")} UTC, and is not shown again.\nThe daemon serves its pages.`
    )
  })
).pipe(
  CommandContext.help(
    "Create a link with which a customer connects their own books: they choose the source, authorise it or upload files, see the first documents, and are sent back. The link can be opened once. Needs daemon.connect in the configuration.",
    "A link by which a customer connects their own books",
    'daybook connect link --tenant acme --name "Acme Ltd" --connectors xero,files --expires 24h # For one customer, for a day'
  )
)
