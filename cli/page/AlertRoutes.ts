/** What the room of alerts shows, and what its forms do: the same as `daybook alerts`. */
import { Clock, Effect } from "effect"
import * as AlertStore from "../../sync/alerts/AlertStore.ts"
import { tryChannels } from "../../sync/alerts/Test.ts"
import * as ServiceClient from "../../sync/library/ServiceClient.ts"
import { Database } from "../../sync/state/Database.ts"
import { alertsPage, testedPage } from "./Alerts.ts"
import { nothing, type PageHandler } from "./Response.ts"

const MOST = 200
const MOST_OVER = 20

export const show: PageHandler = ({ form }, { alerts }) =>
  Effect.gen(function* () {
    const db = yield* Database
    const { all, unsent } = yield* db.read(() => ({ all: AlertStore.list(db, MOST), unsent: AlertStore.unsent(db) }))
    const channels =
      alerts === undefined
        ? undefined
        : Object.entries(alerts.channels).map(([name, one]) => [name, Object.keys(one)[0] ?? ""] as const)
    const body = alertsPage(
      {
        standing: all.filter(({ ended }) => ended === null),
        over: all.filter(({ ended }) => ended !== null).slice(0, MOST_OVER),
        unsent,
        channels
      },
      form
    )
    return { title: "Alerts", at: "/alerts", body }
  })

export const retry: PageHandler = ({ posted }) =>
  Effect.gen(function* () {
    const id = posted.get("id") ?? ""
    if (!/^\d{1,15}$/.test(id)) return nothing
    const db = yield* Database
    const now = yield* Clock.currentTimeMillis
    const retried = yield* db.hold(db.transaction(() => AlertStore.retry(db, [Number(id)], now)))
    return { to: "/alerts", said: retried.length > 0 ? "alertRetried" : "alertSent" }
  })

export const test: PageHandler = ({ posted }, { alerts, environment }) =>
  Effect.gen(function* () {
    const name = posted.get("channel") ?? ""
    if (alerts === undefined || !Object.hasOwn(alerts.channels, name)) return nothing
    const [tested] = yield* Effect.provide(tryChannels(alerts, environment, [name]), ServiceClient.outside)
    return tested === undefined ? nothing : { title: "Test of a channel", at: "/alerts", body: testedPage(tested) }
  })
