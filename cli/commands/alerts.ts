/** `daybook alerts`: lists alerts and undelivered messages, and tests the channels. */
import { Clock, Effect, Option } from "effect"
import { Argument, Command } from "effect/cli"
import * as AlertStore from "../../sync/alerts/AlertStore.ts"
import { tryChannels } from "../../sync/alerts/Test.ts"
import { plural } from "../../core/Plural.ts"
import { channelsOf, shownAlerts } from "../../sync/library/AlertApi.ts"
import type { AlertShown, UnsentMessage } from "../../sync/model/reports/State.ts"
import { ATTENTION, Exit, UsageError } from "../../sync/library/Exit.ts"
import * as ServiceClient from "../../sync/library/ServiceClient.ts"
import * as CommandContext from "../CommandContext.ts"
import type { Output } from "../render/Output.ts"
import { headings, table } from "../render/Table.ts"

/** How many past alerts are listed below the current ones. */
const OVER_SHOWN = 10

const minute = (iso: string): string => iso.slice(0, 16).replace("T", " ")

const standing = (alerts: ReadonlyArray<AlertShown>, out: Output) =>
  table(
    [{ title: "Since (UTC)" }, { title: "Kind" }, { title: "Alert", flexible: true }],
    alerts.map(({ began, kind, title }) => [minute(began), kind, title]),
    out
  )

const over = (alerts: ReadonlyArray<AlertShown>, out: Output) =>
  table(
    [{ title: "Ended (UTC)" }, { title: "Kind" }, { title: "Alert", flexible: true }],
    alerts.map(({ ended, kind, passed, title }) => [
      minute(ended ?? ""),
      kind,
      `${title}${passed ? " (the day passed)" : ""}`
    ]),
    out
  )

const unsent = (messages: ReadonlyArray<UnsentMessage>, out: Output) =>
  table(
    headings(">#, Channel, >Tried, Next (UTC), ~Message, ~Why"),
    messages.map(({ attempts, channel, id, next, subject, why }) => [
      String(id),
      channel,
      String(attempts),
      next === null ? "given up" : minute(next),
      subject,
      why ?? ""
    ]),
    out
  )

const listAll = Effect.fn(function* () {
  const out = yield* CommandContext.output
  yield* CommandContext.inState("read", "alerts", function* (db) {
    const { alerts, messages } = yield* db.snapshot(() => shownAlerts(db))
    const open = alerts.filter(({ ended }) => ended === null)
    const past = alerts.filter(({ ended }) => ended !== null).slice(0, OVER_SHOWN)
    for (const one of [...open, ...past]) yield* out.emit({ type: "alert", ...one })
    for (const one of messages) yield* out.emit({ type: "message", ...one })
    const dead = messages.filter(({ standing }) => standing === "given up").length
    yield* out.emit({ type: "summary", alerts: open.length, waiting: messages.length - dead, givenUp: dead })
    yield* out.say(open.length === 0 ? "There are no alerts." : standing(open, out))
    if (past.length > 0) yield* out.say(`\n${over(past, out)}`)
    if (messages.length > 0) yield* out.say(`\nNot sent\n${unsent(messages, out)}`)
    if (dead > 0) yield* out.say(out.style.dim("\nSend again what was given up: daybook alerts retry"))
    if (open.length + dead > 0) yield* new Exit({ status: ATTENTION })
  })
})

const list = Command.make("list", {}, listAll).pipe(
  CommandContext.help(
    "List current and recent alerts, and messages that did not reach their channel",
    undefined,
    "daybook alerts list --json # The same for a program"
  )
)

const test = Command.make(
  "test",
  {
    channel: Argument.String("channel").pipe(
      Argument.withDescription("The channel's name in alerts.channels; default: all"),
      Argument.optional
    )
  },
  Effect.fn(function* ({ channel }) {
    const out = yield* CommandContext.output
    const configuration = yield* CommandContext.configuration
    const names = yield* channelsOf(configuration, Option.getOrUndefined(channel))
    const { alerts } = configuration
    if (alerts === undefined) return
    const tested = yield* tryChannels(alerts, configuration, names).pipe(Effect.provide(ServiceClient.outside))
    for (const { channel, sent, why } of tested) {
      yield* out.emit({ type: "tested", channel, sent, ...(why === undefined ? {} : { why }) })
      yield* out.say(sent ? `${out.style.green("ok ")}  ${channel}` : `${out.style.red("BAD")}  ${channel}  ${why}`)
    }
    if (tested.some(({ sent }) => !sent)) yield* new Exit({ status: 1 })
  })
).pipe(
  CommandContext.help(
    "Send a test message over one channel or all, and show each answer",
    undefined,
    "daybook alerts test # Try every channel",
    "daybook alerts test ops # Try one"
  )
)

const retry = Command.make(
  "retry",
  {
    ids: Argument.Int("id").pipe(
      Argument.withDescription("Numbers as listed by daybook alerts; default: all undelivered messages"),
      Argument.variadic()
    )
  },
  Effect.fn(function* ({ ids }) {
    const out = yield* CommandContext.output
    yield* CommandContext.inState("decide", "alerts retry", function* (db) {
      const now = yield* Clock.currentTimeMillis
      const retried = yield* db.transaction(() => AlertStore.retry(db, ids, now))
      const unknown = ids.find((id) => !retried.includes(id))
      if (unknown !== undefined)
        return yield* new UsageError({ why: `no message ${unknown} waits to be sent; daybook alerts lists them` })
      yield* out.emit({ type: "retried", ids: retried })
      yield* out.say(
        retried.length === 0
          ? "Every message was sent."
          : `The daemon sends ${plural(retried.length, "message")} again within a minute.`
      )
    })
  })
).pipe(
  CommandContext.help(
    "Send messages again that did not reach their channel",
    undefined,
    "daybook alerts retry # All of them",
    "daybook alerts retry 3 # Number 3"
  )
)

export const alerts = Command.make("alerts", {}, listAll).pipe(
  CommandContext.help(
    "List the alerts of the daemon (alerts in the configuration), and messages that could not be delivered. Exit status 3: an alert is open, or a message was given up.",
    "Show alerts, and test their delivery",
    "daybook alerts test # Try every channel"
  ),
  Command.withSubcommands([list, test, retry])
)
