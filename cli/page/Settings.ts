/** Shows what is set, in words, where it is written, and who changed it on the page; limits and rights among it. */
import { Effect } from "effect"
import { isVariable } from "../../connectors/Secrets.ts"
import * as ChangeConfig from "../../sync/library/config/ChangeConfig.ts"
import { messageOf } from "../../sync/library/Exit.ts"
import { may } from "../../sync/model/Person.ts"
import { Database } from "../../sync/state/Database.ts"
import { href, html, htmlTable, type Node, sentence, when } from "./Html.ts"
import { ownLook } from "./LanguageChoice.ts"
import type { Asked, PageHandler } from "./Response.ts"
import type { StoredPerson } from "../../sync/library/config/PersonsFile.ts"
import { plural } from "./language/Figures.ts"
import { t } from "./language/Texts.ts"

type Written = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is Written =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const isList = (value: unknown): value is ReadonlyArray<unknown> => Array.isArray(value) && value.some(isObject)

/** A secret is named by its variable; what may be the secret itself is not repeated. */
const shown = (value: unknown): string => {
  if (isObject(value)) {
    const { env } = value
    return typeof env === "string" && isVariable(env) ? t`from the variable ${env}` : t`a secret`
  }
  return Array.isArray(value)
    ? value.map(shown).join(", ")
    : value === true
      ? t`yes`
      : value === false
        ? t`no`
        : String(value)
}

const isSecret = (value: unknown): boolean => isObject(value) && Object.keys(value).join() === "env"

/** One row for each setting that is written: its key, where its meaning is found, and its value. */
const settingsIn = (value: unknown, key: string, about: string): ReadonlyArray<readonly [string, string, string]> => {
  if (isObject(value) && !isSecret(value))
    return Object.entries(value).flatMap(([name, one]) =>
      settingsIn(one, key === "" ? name : `${key}.${name}`, about === "" ? name : `${about}.${name}`)
    )
  if (isList(value)) return value.flatMap((one, n) => settingsIn(one, `${key}[${n + 1}]`, about))
  return [[key, about, shown(value)]]
}

/** Of a setting without words of its own, those of what it belongs to. */
const meaningOf = (texts: Readonly<Record<string, string>>, name: string): string =>
  texts[name] ?? (name.includes(".") ? meaningOf(texts, name.slice(0, name.lastIndexOf("."))) : "")

/** It may break between its parts. */
const inParts = (key: string): Node => key.split(".").map((part, n) => (n === 0 ? part : html`<wbr />.${part}`))

const tableOf = (caption: string, written: unknown, about: string, texts: Readonly<Record<string, string>>): Node =>
  htmlTable(
    caption,
    [{ title: t`Setting` }, { title: t`What it is` }, { title: t`Value` }],
    settingsIn(written, "", about).map(([key, name, value]) => [
      html`<code>${inParts(key)}</code>`,
      sentence(meaningOf(texts, name)),
      value
    ])
  )

/** What a source is told is the connector's own, and may be long: it is folded, by key and value. */
const sourceOf = (id: string, source: unknown): Node => {
  const { connector = "", ...own } = isObject(source) ? source : {}
  const rows = settingsIn(own, "", "")
  return html`<details>
    <summary>${t`What it reads: ${String(connector)}, ${plural(rows.length, "setting")}`}</summary>
    ${htmlTable(
      t`Settings of the source of ${id}`,
      [{ title: t`Setting` }, { title: t`Value` }],
      rows.map(([key, , value]) => [html`<code>${key}</code>`, value])
    )}
  </details>`
}

const limits = (upTo: StoredPerson["up_to"]): string =>
  upTo === undefined
    ? t`any amount`
    : Object.entries(upTo)
        .map(([code, amount]) => `${amount} ${code}`)
        .join(", ")

const accounts = (persons: ReadonlyArray<StoredPerson>): Node =>
  persons.length === 0
    ? html`<p>Nobody has an account. <code>daybook persons add</code> gives one.</p>`
    : htmlTable(
        t`Accounts, in the file of people beside the configuration`,
        [
          { title: t`Name` },
          { title: t`Signs in` },
          { title: t`Roles` },
          { title: t`Connections` },
          { title: t`Approves up to` }
        ],
        persons.map(({ connections, declares, full_name, name, openid_connect: elsewhere, password, roles, up_to }) => [
          full_name ?? name,
          [
            ...(password === undefined ? [] : [t`here`]),
            ...(elsewhere === undefined ? [] : [t`at ${elsewhere.issuer}`])
          ].join(", "),
          `${roles.join(", ")}${declares === true ? t`, declares to the insurer` : ""}`,
          connections?.join(", ") ?? t`all`,
          roles.includes("approver") ? limits(up_to) : ""
        ])
      )

interface Change {
  readonly changed: number
  readonly who: string
  readonly connection: string | null
  readonly words: string
}

const MOST_CHANGES = 20

/** Changes about these connections, and about all of them for whom sees all. */
const CHANGES = `SELECT changed, who, connection, words FROM config_change
  WHERE connection IN (SELECT value FROM json_each(:ids)) OR (connection IS NULL AND :all = 1) ORDER BY id DESC LIMIT ${MOST_CHANGES}`

const changesTable = (changes: ReadonlyArray<Change>): Node =>
  changes.length === 0
    ? html`<p>Nothing was changed on the page yet. <a href="/activity">Activity</a> has every decision.</p>`
    : html`${htmlTable(
        t`The latest changes on the page`,
        [{ title: t`When` }, { title: t`Who` }, { title: t`Connection` }, { title: t`What` }],
        changes.map(({ changed, connection, who, words }) => [when(changed), who, connection ?? t`all`, words])
      )}
      <p><a href=${href("/activity", { q: "configuration changed" })}>All changes</a></p>`

/** What is written of the connections that somebody sees, and the rest for whom nothing is hidden. */
const partsOf = (text: string, ids: ReadonlyArray<string>) => {
  const { connections, ...rest } = ChangeConfig.parsed(text)
  const all = Array.isArray(connections) ? (connections as ReadonlyArray<Written>) : []
  return { own: all.filter(({ id }) => ids.includes(String(id))), rest }
}

const mayChange = ({ person }: Pick<Asked, "person">): boolean => may(person, "set_up")

export const showSettings: PageHandler = (asked, { connections, file }) =>
  Effect.gen(function* () {
    const db = yield* Database
    const { person, sessions } = asked
    const ids = connections.map(({ id }) => id)
    const isAll = person.connections === undefined
    const [read, { CONFIG_TEXTS: texts }] = yield* Effect.all([
      Effect.result(
        Effect.flatMap(ChangeConfig.writtenText(file), (text) =>
          Effect.try({ try: () => partsOf(text, ids), catch: (error) => new Error(`${file}: ${messageOf(error)}`) })
        )
      ),
      Effect.promise(() => import("../../sync/library/config/schema/ConfigTexts.ts"))
    ])
    const changes = yield* db.read(
      () => db.prepare(CHANGES).all({ ids: JSON.stringify(ids), all: isAll ? 1 : 0 }) as ReadonlyArray<Change>
    )
    const parts = read._tag === "Failure" ? undefined : read.success
    const linked = ids.filter((id) => parts?.own.every((one) => one["id"] !== id))
    const body = html`
      <h2>For you</h2>
      ${ownLook(asked.form)}
      <p>Only what is written is listed; everything else is as the documentation says. Secrets are named by the variable that holds them.
        ${isAll ? html` The file is <code>${file}</code>.` : null}</p>
      ${read._tag === "Failure" ? html`<p class="note">${read.failure.message}</p>` : null}
      ${parts?.own.map((one) => {
        const { id: named, source, ...rest } = one
        const id = String(named)
        const setup = `/connections/${encodeURIComponent(id)}/setup`
        return html`<h2>${id}</h2>
          ${tableOf(t`Settings of ${id}`, rest, "connections", texts)} ${sourceOf(id, source)}
          ${mayChange(asked) ? html`<p><a href=${setup}>Change when it runs and whether plans are approved</a></p>` : null}`
      })}
      ${linked.length === 0 ? null : html`<p>Connected by links, and not in this file: ${linked.join(", ")}.</p>`}
      ${isAll && parts !== undefined ? html`<h2>For all connections</h2>${tableOf(t`Settings for all connections`, parts.rest, "", texts)}` : null}
      ${isAll && person.tenants === undefined && may(person, "administer") ? html`<h2>People</h2>${accounts(sessions.persons())}<p><a href="/people">Sessions and sign-ins</a> <a href="/alerts">Alerts</a></p>` : null}
      <h2>Who changed what</h2>
      ${changesTable(changes)}
    `
    return { title: t`Settings`, at: "/settings", body }
  })
