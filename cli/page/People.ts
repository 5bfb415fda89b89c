/** Shows who is signed in, what each may do, and who signed in before; sessions can be ended. */
import { Effect } from "effect"
import { signIns } from "../../sync/decisions/Recorded.ts"
import { isShared, isSamePerson, may, type Person } from "../../sync/model/Person.ts"
import { RIGHTS } from "../../sync/model/Roles.ts"
import { Database } from "../../sync/state/Database.ts"
import { button, html, htmlTable, mark, when, sentence } from "./Html.ts"
import type { Asked, PageHandler } from "./Response.ts"
import type { OpenSession } from "./Sessions.ts"
import { t, term } from "./language/Texts.ts"

const MOST_SIGN_INS = 100

const dim = (text: string) => html`<span class="dim">${text}</span>`

/** Whose sessions somebody sees and may end: their own, or all. */
const theirs = ({ person, sessions }: Pick<Asked, "person" | "sessions">): ReadonlyArray<OpenSession> =>
  sessions.all().filter((one) => may(person, "administer") || isSamePerson(one.person, person))

const intro = (person: Person) =>
  isShared(person)
    ? html`<p>
        Everyone who knows the page's password can sign in as the operator, and do everything. People enter their names with their
        decisions; names are not verified. Give people accounts of their own with <code>daybook persons add</code>.
      </p>`
    : html`<p>You are signed in as ${person.name}. Your decisions are recorded with this name. You may:</p>
        <ul>${person.rights.map((right) => html`<li>${sentence(RIGHTS[right])}</li>`)}</ul>
        ${person.connections === undefined ? null : html`<p>You see these connections only: ${person.connections.join(", ")}.</p>`}`

const sessionTable = (asked: Asked) =>
  htmlTable(
    t`Open sessions, the one used last first`,
    [
      { title: t`Name` },
      { title: t`Signed in with` },
      { title: t`From` },
      { title: t`Since` },
      { title: t`Last used` },
      { title: t`Ends` },
      { title: t`Action` }
    ],
    theirs(asked).map(({ began, from, name, person, until, used, who }) => [
      html`${who === "" ? dim(t`not given`) : who}${name === asked.sessions.own ? html` ${mark("good", t`this one`)}` : null}`,
      term(person.how),
      from,
      when(began),
      when(used),
      when(until),
      button("/people/end", name === asked.sessions.own ? t`Sign out` : t`End`, asked.form, { session: name }, "danger")
    ])
  )

export const show: PageHandler = (asked) =>
  Effect.gen(function* () {
    const { form, person } = asked
    const db = yield* Database
    const past = may(person, "administer") ? yield* db.read(() => signIns(db, MOST_SIGN_INS)) : []
    const body = html`
      ${intro(person)} ${sessionTable(asked)}
      ${button("/leave/everywhere", isShared(person) ? t`End every session of the shared password` : t`Sign out everywhere`, form, {}, "danger")}
      ${
        past.length === 0
          ? null
          : htmlTable(
              t`Sign-ins, the latest first`,
              [{ title: t`When` }, { title: t`Name` }, { title: t`With` }, { title: t`From` }, { title: t`What` }],
              past.map(({ address, at, how, name, outcome }) => [
                when(at),
                name === "" ? dim(t`not given`) : name,
                term(how),
                address,
                outcome === "refused" ? mark("bad", term(outcome)) : term(outcome)
              ])
            )
      }
      <p>Programs use <a href="/connections">the HTTP interface</a> with tokens of their own; what each may do is in the configuration.</p>
    `
    return { title: t`People`, at: "/people", body }
  })

/** Ends a session: its owner must sign in again. */
export const end: PageHandler = (asked) =>
  Effect.gen(function* () {
    const name = asked.posted.get("session") ?? ""
    const isTheirs = theirs(asked).some((one) => one.name === name)
    if (isTheirs) yield* asked.sessions.end(name)
    return { to: "/people", said: isTheirs ? "ended" : "notEnded" } as const
  })
