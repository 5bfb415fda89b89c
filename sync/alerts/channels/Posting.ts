/**
 * Builds the HTTP requests to Slack, Teams and programs. Pure.
 *
 * Text from others (names, ids, a source's messages) is never markup: Slack's plain_text and the text runs of an adaptive card
 * are shown literally.
 */
import { createHmac } from "node:crypto"
import { type AlertMessage, closing, subjectOf, TEST_WORDS, plainTextOf, headlineOf, wordsOf } from "../Message.ts"

export interface Posting {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

const JSON_TYPE = { "content-type": "application/json" }

/** The parts of a message, for any layout. */
const parts = (message: AlertMessage): ReadonlyArray<{ readonly title?: string; readonly words: string }> =>
  message.type === "daybook.test"
    ? [{ words: TEST_WORDS }]
    : [
        ...message.alerts.map((one) => ({ title: headlineOf(one), words: wordsOf(one) })),
        { words: closing(message).join("\n") }
      ]

/** Slack's limits: 150 characters of a heading, 3,000 of a section, 50 blocks. */
const HEADING = 150
const SECTION = 2900

/** In `text`, which is used for notifications, Slack interprets these three characters. */
const escaped = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")

const plainText = (text: string) => ({ type: "plain_text", text, emoji: false })

export const slack = (message: AlertMessage): Posting => ({
  headers: JSON_TYPE,
  body: JSON.stringify({
    text: escaped(subjectOf(message)),
    blocks: [
      { type: "header", text: plainText(subjectOf(message).slice(0, HEADING).toWellFormed()) },
      ...parts(message).map(({ title, words }) => ({
        type: "section",
        text: plainText(`${title === undefined ? "" : `${title}\n`}${words}`.slice(0, SECTION).toWellFormed())
      }))
    ]
  })
})

/** Teams accepts 28 KB. */
const TEAMS_BYTES = 24_000

const run = (text: string, more: object = {}) => ({ type: "TextRun", text, ...more })

const rich = (...inlines: ReadonlyArray<object>) => ({ type: "RichTextBlock", inlines })

/** An adaptive card for the workflow "When a Teams webhook request is received". */
const card = (message: AlertMessage, body: ReadonlyArray<object>) =>
  JSON.stringify({
    type: "message",
    attachments: [
      {
        contentType: "application/vnd.microsoft.card.adaptive",
        contentUrl: null,
        content: {
          $schema: "http://adaptivecards.io/schemas/adaptive-card.json",
          type: "AdaptiveCard",
          version: "1.4",
          msteams: { width: "Full" },
          body: [rich(run(subjectOf(message), { size: "Large", weight: "Bolder" })), ...body]
        }
      }
    ]
  })

export const teams = (message: AlertMessage): Posting => {
  const each = parts(message).map(({ title, words }) => [
    ...(title === undefined ? [] : [rich(run(title, { weight: "Bolder" }))]),
    ...words.split("\n").flatMap((line) => (line === "" ? [] : [rich(run(line))]))
  ])
  const last = each.at(-1) ?? []
  let shown = each.slice(0, -1)
  while (shown.length > 1 && Buffer.byteLength(card(message, [...shown.flat(), ...last])) > TEAMS_BYTES)
    shown = shown.slice(0, -1)
  const left = each.length - 1 - shown.length
  const others = left > 0 ? [rich(run(`And ${left} more of this message.`))] : []
  return { headers: JSON_TYPE, body: card(message, [...shown.flat(), ...others, ...last]) }
}

/** Secrets with the prefix of Standard Webhooks are base64 after it. */
const keyOf = (secret: string): Buffer =>
  secret.startsWith("whsec_") ? Buffer.from(secret.slice(6), "base64") : Buffer.from(secret)

/** @param seconds since the epoch */
export const signature = (secret: string, id: string, seconds: number, body: string): string =>
  `v1,${createHmac("sha256", keyOf(secret)).update(`${id}.${seconds}.${body}`).digest("base64")}`

/** Signed according to Standard Webhooks: HMAC-SHA256 over id, time and body. */
export const webhook = (message: AlertMessage, secret: string, now: number): Posting => {
  const body = JSON.stringify({ ...message, subject: subjectOf(message), text: plainTextOf(message) })
  const seconds = Math.floor(now / 1000)
  return {
    headers: {
      ...JSON_TYPE,
      "webhook-id": message.id,
      "webhook-timestamp": String(seconds),
      "webhook-signature": signature(secret, message.id, seconds, body)
    },
    body
  }
}
