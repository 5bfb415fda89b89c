/** Renders the daemon's page for a state file, without a daemon. */
import { Context, Effect, Layer } from "effect"
import { render, html } from "../../cli/page/Html.ts"
import { find } from "../../cli/page/Routes.ts"
import { shared } from "../../sync/model/Person.ts"
import { Client } from "../../core/Client.ts"
import { Database } from "../../sync/state/Database.ts"
import { connection, whole } from "../sync/Source.ts"
import type { Desk } from "./Cli.ts"

/** The page at an address. */
export const shownOn = (here: Desk, path: ReadonlyArray<string>, query = "", ids: ReadonlyArray<string> = ["books"]) =>
  Effect.gen(function* () {
    const db = Context.get(
      yield* Layer.build(Database.layer({ file: here.path("daybook.db"), mode: "read" })),
      Database
    )
    const asked = {
      path,
      query: new URLSearchParams(query),
      posted: new URLSearchParams(),
      form: "",
      name: "",
      cookie: () => undefined,
      sessions: { own: "", all: () => [], end: () => Effect.void, persons: () => [] },
      person: shared("shared password")
    }
    const around = {
      connections: ids.map((id) =>
        connection(
          whole(() => []),
          undefined,
          id
        )
      ),
      folder: ".",
      environment: {},
      file: "daybook.config.json",
      wake: () => Effect.void
    }
    const handler = find("GET", path)!
    const answer = yield* handler(asked, around).pipe(
      Effect.provideService(Database, db),
      Effect.provideService(Client, undefined as never)
    )
    return "body" in answer ? render(html`<main>${answer.body}</main>`) : ""
  }).pipe(Effect.scoped, Effect.runPromise)
