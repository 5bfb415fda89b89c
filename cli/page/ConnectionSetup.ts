/**
 * Shows the settings of one connection: its schedule, whether a person approves its plans, and its files, which can be
 * replaced.
 */
import * as Schedule from "../../sync/model/Schedule.ts"
import { type Connection, nameOf } from "../../sync/model/Connection.ts"
import { href, html, htmlTable, nameField, type Node, type Visitor } from "./Html.ts"
import { t, term } from "./language/Texts.ts"

/** A connection's schedule in the form. */
export interface ScheduleFields {
  readonly how: "request" | "interval" | "cron"
  readonly count: string
  readonly unit: string
  readonly cron: string
  readonly zone: string
  readonly approve: boolean
}

export const UNITS = ["minutes", "hours", "days"] as const

const INTERVAL = /^(\d{1,4}) (minute|hour|day)s?$/

export const fieldsOf = ({ approve = false, every }: Pick<Connection, "approve" | "every">): ScheduleFields => {
  const none = { count: "15", unit: "minutes", cron: "0 6 * * 1-5", zone: "UTC", approve }
  if (every === undefined) return { ...none, how: "request" }
  if (typeof every !== "string") return { ...none, how: "cron", cron: every.cron, zone: every.zone ?? "UTC" }
  const [, count = "", unit = ""] = INTERVAL.exec(every) ?? []
  // Seconds, and other forms that a configuration may have, stay as they are.
  return count === ""
    ? { ...none, how: "interval", count: every, unit: "" }
    : { ...none, how: "interval", count, unit: `${unit}s` }
}

export const postedFields = (posted: URLSearchParams): ScheduleFields => {
  const text = (name: string) => (posted.get(name) ?? "").trim().slice(0, 100)
  const how = text("how")
  return {
    how: how === "interval" || how === "cron" ? how : "request",
    count: text("count"),
    unit: text("unit"),
    cron: text("cron"),
    zone: text("zone"),
    approve: text("approve") === "yes"
  }
}

/** The schedule in the format of the configuration; undefined: only on request. It is validated when it is written. */
export const everyOf = ({ count, cron, how, unit, zone }: ScheduleFields): Schedule.Schedule | undefined =>
  how === "request"
    ? undefined
    : how === "cron"
      ? { cron, ...(zone === "" || zone === "UTC" ? {} : { zone }) }
      : `${count} ${count === "1" ? unit.replace(/s$/, "") : unit}`.trim()

/** The schedule in words, for the record of changes. */
export const scheduleText = (fields: ScheduleFields): string => {
  const every = everyOf(fields)
  return `runs ${every === undefined ? "on request" : Schedule.words(every)}${fields.approve ? ", and each plan is approved" : ""}`
}

export interface SetupPage {
  readonly connection: Connection
  readonly fields: ScheduleFields
  /** Its files that were uploaded on the page, with their paths in the configuration. */
  readonly files: ReadonlyArray<string>
  /** Why it cannot be changed here. */
  readonly fixed: string | undefined
  readonly wrong?: string | undefined
}

const at = ({ id }: Connection, what: string): string => `/connections/${encodeURIComponent(id)}/${what}`

const schedule = ({ connection, fields }: SetupPage, visitor: Visitor): Node => {
  const { approve, count, cron, how, unit, zone } = fields
  return html`
    <form method="post" action=${at(connection, "setup")}>
      <input type="hidden" name="form" value=${visitor.form} />
      <fieldset>
        <legend>When it runs</legend>
        <label><input type="radio" name="how" value="request" checked=${how === "request"} />On request, and when its source sends a webhook</label>
        <label><input type="radio" name="how" value="interval" checked=${how === "interval"} />At intervals</label>
        <div class="row">
          <label>Every <input name="count" value=${count} size="6" maxlength="20" inputmode="numeric" /></label>
          <label>Unit <select name="unit">
            ${[...UNITS, ...(UNITS.some((one) => one === unit) ? [] : [unit])].map((one) => html`<option value=${one} selected=${one === unit}>${one === "" ? t`as written` : term(one)}</option>`)}
          </select></label>
        </div>
        <label><input type="radio" name="how" value="cron" checked=${how === "cron"} />At set times</label>
        <div class="row">
          <label>Minute, hour, day, month, weekday <input name="cron" value=${cron} maxlength="100" spellcheck="false" /></label>
          <label>Time zone <input name="zone" value=${zone} maxlength="60" spellcheck="false" /></label>
        </div>
        <p class="dim"><code>0 6 * * 1-5</code> is at 06:00 from Monday to Friday.</p>
      </fieldset>
      <fieldset>
        <legend>Plans</legend>
        <label><input type="checkbox" name="approve" value="yes" checked=${approve} />A person approves each plan before it is sent</label>
      </fieldset>
      <div class="row">${nameField(visitor, true)}<button class="primary">Save</button></div>
    </form>`
}

const files = ({ connection, files }: SetupPage, visitor: Visitor): Node =>
  files.length === 0
    ? null
    : html`<h2>Its files</h2>
        <p>A newer file replaces the previous one and is read at once. Upload complete lists: what is missing counts as deleted.</p>
        ${htmlTable(
          t`Files that were uploaded`,
          [{ title: t`File` }, { title: t`Newer one` }],
          files.map((path) => [
            path.slice(path.lastIndexOf("/") + 1),
            html`<form class="row" method="post" enctype="multipart/form-data" action=${at(connection, "file")}>
              <input type="hidden" name="form" value=${visitor.form} />
              <input type="hidden" name="path" value=${path} />
              <label>File <input type="file" name="file" required /></label>
              ${nameField(visitor, true)}
              <button>Upload</button>
            </form>`
          ])
        )}`

export const setupPage = (page: SetupPage, visitor: Visitor): Node => html`
  ${page.wrong === undefined ? null : html`<p class="note bad" role="alert">${page.wrong}</p>`}
  <p>${nameOf(page.connection)} reads ${page.connection.connector.name}. What is not on this page is set in the configuration's file; the rest of that file stays as it is.</p>
  ${page.fixed === undefined ? schedule(page, visitor) : html`<p class="note">${page.fixed}</p>`}
  ${files(page, visitor)}
  <p class="row"><a href="/connections">All connections</a> <a href=${href("/activity", { q: "configuration changed" })}>Who changed what</a></p>
`
