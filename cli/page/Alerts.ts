/** Shows alerts: current and past ones, undelivered messages, and tests of the channels. */
import type { StoredAlert, QueuedMessage } from "../../sync/alerts/AlertStore.ts"
import { subjectOf } from "../../sync/alerts/Message.ts"
import type { TestedChannel } from "../../sync/alerts/Test.ts"
import { type AlertSetupPage, alertSetup } from "./AlertSetup.ts"
import { button, html, htmlTable, mark, type Node, type Visitor, when, sentence } from "./Html.ts"
import { t, term } from "./language/Texts.ts"

export interface AlertsPage {
  readonly standing: ReadonlyArray<StoredAlert>
  readonly over: ReadonlyArray<StoredAlert>
  readonly unsent: ReadonlyArray<QueuedMessage>
  readonly setup: AlertSetupPage
}

export const alertsPage = ({ over, setup, standing, unsent }: AlertsPage, visitor: Visitor): Node => html`
  ${
    setup.alerts === undefined
      ? html`<p>Nobody is alerted yet when something goes wrong. <a href="#add">Add a channel</a>: e-mail, Slack, Teams or a webhook.</p>`
      : null
  }
  ${
    standing.length === 0
      ? html`<p>There are no alerts.</p>`
      : htmlTable(
          t`Current alerts`,
          [{ title: t`Since` }, { title: t`Kind` }, { title: t`Connection` }, { title: t`Alert` }],
          standing.map((one) => [when(one.began), term(one.kind), one.connection ?? t`this machine`, words(one)])
        )
  }
  ${unsentTable(unsent, visitor.form)} ${alertSetup(setup, visitor)}
  ${
    over.length === 0
      ? null
      : html`<h2 id="over">Ended</h2>
          ${htmlTable(
            t`The latest alerts that ended`,
            [{ title: t`Ended` }, { title: t`Kind` }, { title: t`Connection` }, { title: t`Alert` }],
            over.map((one) => [
              when(one.ended),
              term(one.kind),
              one.connection ?? t`this machine`,
              html`${one.title} ${one.passed ? mark("bad", t`the day passed`) : mark("good", t`resolved`)}`
            ])
          )}`
  }
`

const words = ({ title, words: text }: StoredAlert): Node =>
  html`<strong>${sentence(title)}</strong>${text.split("\n").map((line) => html`<br />${sentence(line)}`)}`

const unsentTable = (unsent: ReadonlyArray<QueuedMessage>, form: string): Node =>
  unsent.length === 0
    ? null
    : html`<h2 id="unsent">Not sent</h2>
        ${htmlTable(
          t`Messages that did not reach their channel`,
          [
            { title: t`Made` },
            { title: t`Channel` },
            { title: t`Message` },
            { title: t`Tried`, right: true },
            { title: t`Next` },
            { title: t`Why` },
            { title: t`Actions` }
          ],
          unsent.map(({ attempts, channel, id, made, message, next, why }) => [
            when(made),
            channel,
            subjectOf(message),
            String(attempts),
            next === null ? mark("bad", t`given up`) : when(next),
            why ?? "",
            button("/alerts/retry", t`Send again`, form, { id: String(id) })
          ])
        )}`

/** What a channel said to a test. */
export const testedPage = ({ channel, sent, why }: TestedChannel): Node => html`
  <p class=${sent ? "note" : "note bad"} role="status">
    ${sent ? t`${channel} took the test message. Look whether it is there.` : t`${channel} did not take the test message: ${why}.`}
  </p>
  <p><a href="/alerts">Back to alerts</a></p>
`
