/** Shows who is signed in, from where and since when; any session can be ended. */
import { Effect } from "effect"
import { button, html, htmlTable, mark, when } from "./Html.ts"
import type { PageHandler } from "./Response.ts"

export const show: PageHandler = ({ form, sessions }) =>
  Effect.sync(() => {
    const body = html`
      <p>
        Everyone who knows the page's password can sign in. People enter their names with their decisions; names are not verified.
        A session ends after twelve hours, or when the daemon stops.
      </p>
      ${htmlTable(
        "Open sessions, the one used last first",
        [
          { title: "Name" },
          { title: "From" },
          { title: "Since" },
          { title: "Last used" },
          { title: "Ends" },
          { title: "Action" }
        ],
        sessions
          .all()
          .map(({ began, from, name, until, used, who }) => [
            html`${who === "" ? html`<span class="dim">not given</span>` : who}${name === sessions.own ? html` ${mark("good", "this one")}` : null}`,
            from,
            when(began),
            when(used),
            when(until),
            button("/people/end", name === sessions.own ? "Sign out" : "End", form, { session: name }, "danger")
          ])
      )}
      <p>Programs use <a href="/connections">the HTTP interface</a> with tokens of their own; what each may do is in the configuration.</p>
    `
    return { title: "People", at: "/people", body }
  })

/** Ends a session: its owner must sign in again. */
export const end: PageHandler = ({ posted, sessions }) =>
  Effect.sync(() => {
    sessions.end(posted.get("session") ?? "")
    return { to: "/people", said: "ended" } as const
  })
