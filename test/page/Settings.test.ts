/** The room of settings: what is written, in words, for whom it is; no secret, also where one was written by mistake. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { Client } from "../../core/Client.ts"
import { type Node, render, html } from "../../cli/page/Html.ts"
import { find } from "../../cli/page/Routes.ts"
import * as Notes from "../../sync/decisions/Notes.ts"
import { type Person, shared } from "../../sync/model/Person.ts"
import { Database } from "../../sync/state/Database.ts"
import { desk } from "../support/Cli.ts"
import { machine, of } from "../sync/Machine.ts"

const PASTED = "sk_live_51HxAbCdEfGhIjKl0123"
const WRITTEN = {
  service: { url: "https://api.example.com", key: { env: "SERVICE_KEY" } },
  connections: [
    {
      id: "books",
      every: "15 minutes",
      approve: { by: "another", two_above: { GBP: "25000.00" } },
      guards: { number: 20 },
      source: { connector: "xero", secret: { env: PASTED } }
    },
    { id: "bank", every: "1 day", source: { connector: "files" } }
  ],
  daemon: {
    page: { sessions: { idle: "1 hour" } },
    api: { tokens: [{ name: "erp", token: { env: "ERP" }, scopes: ["read"] }] }
  }
}
const ADA = {
  name: "ada",
  full_name: "Ada Lovelace",
  roles: ["approver"],
  up_to: { GBP: "1000.00" },
  password: "scrypt$of"
} as const
const LIMITED: Person = {
  ...{ name: "Bo", subject: "bo", issuer: "daybook", how: "password" },
  rights: ["look"],
  connections: ["books"]
}

/** What the room says, with a file of this text. */
const said = async (text: string, person = shared("shared password"), name = "daybook.config.json") => {
  const here = desk({ [name]: text })
  const made = await machine("2026-06-30T12:00:00Z", [])
  await Effect.runPromise(
    Effect.provideService(
      Effect.andThen(Notes.changed("Ada", "runs every hour", "bank"), Notes.changed("Ada", "runs every day", "books")),
      Database,
      made.db
    )
  )
  const asked = {
    path: ["settings"],
    query: new URLSearchParams(),
    posted: new URLSearchParams(),
    form: "",
    name: "",
    person
  }
  const sessions = { own: "", all: () => [], end: () => Effect.void, persons: () => [ADA] }
  const ids = person.connections ?? ["books", "bank"]
  const answer = await Effect.runPromise(
    find("GET", ["settings"])!(
      { ...asked, cookie: () => undefined, sessions },
      {
        connections: ids.map((id) => of(id)),
        folder: ".",
        environment: {},
        file: here.path(name),
        wake: () => Effect.void
      }
    ).pipe(Effect.provideService(Database, made.db), Effect.provideService(Client, undefined as never))
  )
  await made.close()
  return render(html`<p>${(answer as { readonly body: Node }).body}</p>`)
    .replace(/<wbr *\/?>(<\/wbr>)?/g, "")
    .replace(/<[^>]+>/g, " ")
    .replace(/\s+/g, " ")
}

describe("the room of settings", () => {
  it("says what is written, where and in which words, with limits and who changed it", async () => {
    const text = await said(JSON.stringify(WRITTEN))
    for (const words of [
      "every When the daemon runs it:",
      "15 minutes",
      "approve.two_above.GBP Above these amounts two people approve,",
      "25000.00",
      "guards.number A run with more reductions than this stops; default 50. 20",
      "service.key The service's key. from the variable SERVICE_KEY",
      "daemon.page.sessions.idle Without using the page",
      "daemon.api.tokens[1].scopes What it allows: read, plan, approve, connect. read",
      "Ada Lovelace here approver all 1000.00 GBP",
      "Ada bank runs every hour"
    ])
      assert.include(text, words)
    assert.notInclude(text, PASTED)
    assert.notInclude(text, "scrypt")
    assert.include(text, "a secret")
  })

  it("shows whom some connections belong to only these, and nobody's rights", async () => {
    const text = await said(JSON.stringify(WRITTEN), LIMITED)
    for (const words of ["15 minutes", "runs every day"]) assert.include(text, words)
    for (const words of ["bank", "1 day", "SERVICE_KEY", "erp", "Lovelace", "runs every hour", "daybook.config.json"])
      assert.notInclude(text, words)
  })

  it("says why it cannot say what is written", async () => {
    assert.match(await said("{ ", undefined), /daybook\.config\.json: /)
    assert.include(await said("", undefined, "daybook.config.ts"), "is a program, not JSON: change it in an editor")
  })
})
