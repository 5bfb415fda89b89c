/** Shows the channels and rules of alerts, with forms to change them. */
import { ALERT_KINDS, type AlertSettings } from "../../sync/model/AlertSettings.ts"
import { type ChannelKind, CHANNEL_KINDS, ruleText, variablesOf } from "./AlertForms.ts"
import { html, htmlTable, mark, nameField, type Node, type Visitor } from "./Html.ts"
import { t } from "./language/Texts.ts"

export interface AlertSetupPage {
  /** Undefined: no alerts are configured. */
  readonly alerts: AlertSettings | undefined
  /** Whether a variable is set in the daemon's environment. */
  readonly isSet: (variable: string) => boolean
  /** The digest of the configuration as shown; undefined if it cannot be changed here. */
  readonly seen: string | undefined
  readonly wrong?: string | undefined
}

const KIND_WORDS: Readonly<Record<ChannelKind, string>> = {
  email: "E-mail",
  slack: "Slack",
  teams: "Teams",
  webhook: "Webhook"
}

/** A table whose buttons are of one form: who changes something is asked once. */
const changeable = (action: string, { seen }: AlertSetupPage, visitor: Visitor, table: Node): Node =>
  html`<form method="post" action=${action}>
    <input type="hidden" name="form" value=${visitor.form} />
    <input type="hidden" name="seen" value=${seen ?? ""} />
    ${table}
    ${seen === undefined ? null : html`<div class="row">${nameField(visitor, true)}<span class="dim">Who removes something.</span></div>`}
  </form>`

const variables = (names: ReadonlyArray<string>, isSet: AlertSetupPage["isSet"]): Node =>
  names.map(
    (name) => html`<div><code>${name}</code> ${isSet(name) ? mark("good", t`set`) : mark("bad", t`not set`)}</div>`
  )

const channels = (page: AlertSetupPage, visitor: Visitor): Node => {
  const { alerts, isSet, seen } = page
  if (alerts === undefined) return null
  const table = htmlTable(
    t`Who is written to`,
    [{ title: t`Channel` }, { title: t`Kind` }, { title: t`Its secret is in` }, { title: t`Actions` }],
    Object.entries(alerts.channels).map(([name, one]) => [
      name,
      KIND_WORDS[(Object.keys(one)[0] ?? "email") as ChannelKind],
      variables(variablesOf(one), isSet),
      html`<button formaction="/alerts/test" formnovalidate name="channel" value=${name}>Send a test</button>${" "}
          ${seen === undefined ? null : html`<button class="danger" name="channel" value=${name}>Remove</button>`}`
    ])
  )
  return html`${changeable("/alerts/channels/remove", page, visitor, table)}
      ${
        Object.values(alerts.channels)
          .flatMap(variablesOf)
          .every((name) => isSet(name))
          ? null
          : html`<p class="dim">Set a variable in the daemon's environment, or in a file <code>.env</code> where it is started; it takes effect with the next start.</p>`
      }`
}

const channelForm = (kind: ChannelKind, fields: Node, visitor: Visitor): Node => html`
  <details>
    <summary>${KIND_WORDS[kind]}</summary>
    <form class="row" method="post" action="/alerts/channels">
      <input type="hidden" name="form" value=${visitor.form} />
      <input type="hidden" name="kind" value=${kind} />
      <label>Name of the channel <input name="channel" required maxlength="63" placeholder="office" spellcheck="false" /></label>
      ${fields}
      ${nameField(visitor, true)}
      <button class="primary">Add</button>
    </form>
  </details>`

/** Made for each reader: a template is in the language of when it is made. */
const email = (): Node => html`
  <label>Mail server <input name="host" required maxlength="253" spellcheck="false" /></label>
  <label>Port <input name="port" size="6" inputmode="numeric" pattern="[0-9]{1,5}" placeholder="587" /></label>
  <label>Security <select name="security"><option value="">STARTTLS</option><option value="tls">TLS from the start</option><option value="none">None</option></select></label>
  <label>User, if it requires a password <input name="user" maxlength="200" autocomplete="off" spellcheck="false" /></label>
  <label>From <input name="from" required maxlength="300" placeholder="Daybook <daybook@acme.example>" /></label>
  <label>To, separated by commas <input name="to" required maxlength="500" placeholder="accounts@acme.example" /></label>`

const forms = (visitor: Visitor): Node => html`
  <h2 id="add">Add a channel</h2>
  <p class="dim">
    Do not enter secrets here. Each channel reads its own from an environment variable that is named after the channel and
    its address, like <code>ALERT_OFFICE_PASSWORD_</code> with more letters: once it is added, the table above shows the name.
    Another address gets another variable, so that a secret goes only where it was meant to go.
  </p>
  ${CHANNEL_KINDS.map((kind) =>
    channelForm(
      kind,
      kind === "email"
        ? email()
        : kind === "webhook"
          ? html`<label>Address <input name="url" type="url" required maxlength="500" placeholder="https://pager.acme.example/daybook" /></label>`
          : null,
      visitor
    )
  )}`

const rules = (page: AlertSetupPage, visitor: Visitor): Node => {
  const { alerts, seen } = page
  if (alerts === undefined) return null
  const { rules } = alerts
  return html`
    <h2 id="rules">Rules</h2>
    ${
      rules === undefined
        ? html`<p>Every kind of alert goes to every channel at once. Once there is a rule, only alerts named by rules are sent.</p>`
        : changeable(
            "/alerts/rules/remove",
            page,
            visitor,
            htmlTable(
              t`Who is alerted about what`,
              [{ title: "#", right: true }, { title: t`Rule` }, { title: t`Actions` }],
              rules.map((one, n) => [
                String(n + 1),
                ruleText(one),
                seen === undefined
                  ? ""
                  : html`<button class="danger" name="index" value=${String(n)} aria-label=${t`Remove rule ${n + 1}`}>Remove</button>`
              ])
            )
          )
    }
    ${seen === undefined ? null : ruleForm(alerts, visitor)}`
}

const ruleForm = ({ channels }: AlertSettings, visitor: Visitor): Node => html`
  <details>
    <summary>Add a rule</summary>
    <form method="post" action="/alerts/rules">
      <input type="hidden" name="form" value=${visitor.form} />
      <div class="row">
        <label>Of what <select name="on" required>${ALERT_KINDS.map((one) => html`<option value=${one}>${one}</option>`)}</select></label>
        <label>Failed so many times <input name="times" size="4" inputmode="numeric" pattern="[0-9]{1,3}" placeholder="3" /></label>
        <label>So many days before <input name="days" size="10" pattern="[0-9, ]*" placeholder="14, 3, 1" /></label>
        <label>Free disk space below <input name="free" size="8" placeholder="1 GB" /></label>
      </div>
      <p class="dim">Times are for failed, days for authorisation and deadline, free disk space for disk; leave empty for the default.</p>
      <fieldset>
        <legend>Channels (all if none is selected)</legend>
        ${Object.keys(channels).map((name) => html`<label><input type="checkbox" name="to" value=${name} />${name}</label>`)}
      </fieldset>
      <div class="row">
        <label>Once a day at (leave empty to send at once) <input name="at" type="time" /></label>
        <label>Time zone <input name="zone" maxlength="60" placeholder="Europe/London" spellcheck="false" /></label>
        ${nameField(visitor, true)}
        <button class="primary">Add</button>
      </div>
    </form>
  </details>`

export const alertSetup = (page: AlertSetupPage, visitor: Visitor): Node => html`
  ${page.wrong === undefined ? null : html`<p class="note bad" role="alert">${page.wrong}</p>`}
  <h2 id="channels">Channels</h2>
  ${channels(page, visitor)}
  ${page.seen === undefined ? html`<p class="dim">The configuration is not JSON: change its channels and rules there.</p>` : null}
  ${rules(page, visitor)}
  ${page.seen === undefined ? null : forms(visitor)}`
