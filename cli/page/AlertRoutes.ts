/** Serves the section on alerts and its forms, which do the same as `daybook alerts`. */
import { Clock, Effect } from "effect"
import * as AlertStore from "../../sync/alerts/AlertStore.ts"
import { tryChannels } from "../../sync/alerts/Test.ts"
import * as ServiceClient from "../../sync/library/ServiceClient.ts"
import { Database } from "../../sync/state/Database.ts"
import * as ChangeConfig from "../../sync/library/config/ChangeConfig.ts"
import * as AlertForms from "./AlertForms.ts"
import { alertsPage, testedPage } from "./Alerts.ts"
import * as Changes from "./Changes.ts"
import { enteredProblem } from "./EnteredAddress.ts"
import type { PageChange } from "./Changes.ts"
import { type Asked, nothing, type PageContext, type PageHandler, type SAID } from "./Response.ts"
import { t } from "./language/Texts.ts"

const MOST = 200
const MOST_OVER = 20

/** The room with its forms, and what is wrong with what one of them said. */
const room = (asked: Asked, { alerts, environment, file }: PageContext, wrong?: string) =>
  Effect.gen(function* () {
    const db = yield* Database
    const { all, unsent } = yield* db.read(() => ({ all: AlertStore.list(db, MOST), unsent: AlertStore.unsent(db) }))
    const text = yield* Effect.result(ChangeConfig.writtenText(file))
    const isSet = (variable: string) => (environment[variable] ?? "") !== ""
    const seen = text._tag === "Success" ? ChangeConfig.digestOf(text.success) : undefined
    const body = alertsPage(
      {
        standing: all.filter(({ ended }) => ended === null),
        over: all.filter(({ ended }) => ended !== null).slice(0, MOST_OVER),
        unsent,
        setup: { alerts, isSet, seen, wrong }
      },
      asked
    )
    return { title: t`Alerts`, at: "/alerts", body, ...(wrong === undefined ? {} : { status: 422 }) }
  })

export const show: PageHandler = (asked, around) => room(asked, around)

/** Changes the configuration, or says beside the forms what is wrong. */
const changing = (asked: Asked, around: PageContext, said: keyof typeof SAID, change: PageChange | string) =>
  Effect.gen(function* () {
    const wrong = typeof change === "string" ? change : yield* Changes.make(asked, around, change)
    return wrong === undefined ? { to: "/alerts", said } : yield* room(asked, around, wrong)
  })

export const addChannel: PageHandler = (asked, around) =>
  Effect.gen(function* () {
    const channel = AlertForms.channelOf(asked.posted, around.tenant)
    if (typeof channel === "string") return yield* changing(asked, around, "channelAdded", channel)
    const { address, name, value } = channel
    const unreachable = yield* enteredProblem(around, address)
    const change = { words: `alerts: channel ${name} added`, edit: AlertForms.withChannel(name, value) }
    return yield* changing(asked, around, "channelAdded", unreachable ?? change)
  })

export const removeChannel: PageHandler = (asked, around) => {
  const name = asked.posted.get("channel") ?? ""
  const seen = asked.posted.get("seen") ?? ""
  const change = { words: `alerts: channel ${name} removed`, seen, edit: AlertForms.withoutChannel(name) }
  return changing(asked, around, "channelRemoved", change)
}

export const addRule: PageHandler = (asked, around) => {
  const rule = AlertForms.ruleOf(asked.posted)
  const words = `alerts: rule added: ${JSON.stringify(rule)}`
  return changing(asked, around, "ruleAdded", { words, edit: AlertForms.withRule(rule) })
}

export const removeRule: PageHandler = (asked, around) => {
  const index = asked.posted.get("index") ?? ""
  const rule = around.alerts?.rules?.[Number(index)]
  const seen = asked.posted.get("seen") ?? ""
  const words = `alerts: rule ${Number(index) + 1} removed${rule === undefined ? "" : `: ${AlertForms.ruleText(rule)}`}`
  return changing(
    asked,
    around,
    "ruleRemoved",
    /^\d{1,4}$/.test(index) ? { words, seen, edit: AlertForms.withoutRule(Number(index)) } : t`Choose a rule.`
  )
}

export const retry: PageHandler = ({ posted }) =>
  Effect.gen(function* () {
    const id = posted.get("id") ?? ""
    if (!/^\d{1,15}$/.test(id)) return nothing
    const db = yield* Database
    const now = yield* Clock.currentTimeMillis
    const retried = yield* db.hold(db.transaction(() => AlertStore.retry(db, [Number(id)], now)))
    return { to: "/alerts", said: retried.length > 0 ? "alertRetried" : "alertSent" }
  })

export const test: PageHandler = ({ posted }, { alerts, ...owner }) =>
  Effect.gen(function* () {
    const name = posted.get("channel") ?? ""
    if (alerts === undefined || !Object.hasOwn(alerts.channels, name)) return nothing
    const [tested] = yield* Effect.provide(tryChannels(alerts, owner, [name]), ServiceClient.outside)
    return tested === undefined ? nothing : { title: t`Test of a channel`, at: "/alerts", body: testedPage(tested) }
  })
