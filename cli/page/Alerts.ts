/** The room of alerts: what stands, what is over, what did not reach its channel, and whether the channels work. */
import type { StoredAlert, QueuedMessage } from "../../sync/alerts/AlertStore.ts"
import { subjectOf } from "../../sync/alerts/Message.ts"
import type { TestedChannel } from "../../sync/alerts/Test.ts"
import { button, html, htmlTable, mark, type Node, when } from "./Html.ts"

export interface AlertsPage {
  readonly standing: ReadonlyArray<StoredAlert>
  readonly over: ReadonlyArray<StoredAlert>
  readonly unsent: ReadonlyArray<QueuedMessage>
  /** Names of channels with what kind each is; undefined: the configuration has no alerts. */
  readonly channels: ReadonlyArray<readonly [name: string, kind: string]> | undefined
}

export const alertsPage = ({ channels, over, standing, unsent }: AlertsPage, form: string): Node => html`
  ${
    channels === undefined
      ? html`<p>
          Nobody is told when something goes wrong: the configuration has no <code>alerts</code>. Add a channel to it, such as
          e-mail, Slack or Teams.
        </p>`
      : null
  }
  ${
    standing.length === 0
      ? html`<p>No alert stands.</p>`
      : htmlTable(
          "Alerts that stand",
          [{ title: "Since" }, { title: "Kind" }, { title: "Connection" }, { title: "Alert" }],
          standing.map((one) => [when(one.began), one.kind, one.connection ?? "this machine", words(one)])
        )
  }
  ${unsentTable(unsent, form)} ${channels === undefined ? null : channelTable(channels, form)}
  ${
    over.length === 0
      ? null
      : html`<h2 id="over">Over</h2>
          ${htmlTable(
            "Alerts that ended last",
            [{ title: "Ended" }, { title: "Kind" }, { title: "Connection" }, { title: "Alert" }],
            over.map((one) => [
              when(one.ended),
              one.kind,
              one.connection ?? "this machine",
              html`${one.title} ${one.passed ? mark("bad", "the day passed") : mark("good", "resolved")}`
            ])
          )}`
  }
`

const words = ({ title, words: text }: StoredAlert): Node =>
  html`<strong>${title}</strong>${text.split("\n").map((line) => html`<br />${line}`)}`

const unsentTable = (unsent: ReadonlyArray<QueuedMessage>, form: string): Node =>
  unsent.length === 0
    ? null
    : html`<h2 id="unsent">Not sent</h2>
        ${htmlTable(
          "Messages that did not reach their channel",
          [
            { title: "Made" },
            { title: "Channel" },
            { title: "Message" },
            { title: "Tried", right: true },
            { title: "Next" },
            { title: "Why" },
            { title: "Actions" }
          ],
          unsent.map(({ attempts, channel, id, made, message, next, why }) => [
            when(made),
            channel,
            subjectOf(message),
            String(attempts),
            next === null ? mark("bad", "given up") : when(next),
            why ?? "",
            button("/alerts/retry", "Send again", form, { id: String(id) })
          ])
        )}`

const channelTable = (channels: NonNullable<AlertsPage["channels"]>, form: string): Node => html`
  <h2 id="channels">Channels</h2>
  ${htmlTable(
    "Channels of the configuration",
    [{ title: "Channel" }, { title: "Kind" }, { title: "Actions" }],
    channels.map(([name, kind]) => [name, kind, button("/alerts/test", "Send a test", form, { channel: name })])
  )}
`

/** What a channel said to a test. */
export const testedPage = ({ channel, sent, why }: TestedChannel): Node => html`
  <p class=${sent ? "note" : "note bad"} role="status">
    ${sent ? `${channel} took the test message. Look whether it is there.` : `${channel} did not take the test message: ${why}.`}
  </p>
  <p><a href="/alerts">Back to alerts</a></p>
`
