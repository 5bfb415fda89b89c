/** Facts, rules and a state file in memory, for tests of alerts. */
import { Effect } from "effect"
import * as AlertStore from "../../../sync/alerts/AlertStore.ts"
import { decideAlerts } from "../../../sync/alerts/Decide.ts"
import type { Facts, RunFact } from "../../../sync/alerts/Facts.ts"
import { type Watch, watches } from "../../../sync/alerts/Rules.ts"
import type { AlertRule, AlertSettings } from "../../../sync/model/AlertSettings.ts"
import { Database } from "../../../sync/state/Database.ts"

export const at = (text: string): number => Date.parse(text)

const WEBHOOK = { webhook: { url: "https://ops.example/alerts", secret: { env: "ALERT_SECRET" } } }

export const settings = (rules: ReadonlyArray<AlertRule>, more: Partial<AlertSettings> = {}): AlertSettings => ({
  channels: { ops: WEBHOOK, desk: WEBHOOK },
  rules: rules as NonNullable<AlertSettings["rules"]>,
  ...more
})

export const rulesOf = (...rules: ReadonlyArray<AlertRule>): ReadonlyArray<Watch> => watches(settings(rules))

export const run = (failures: number, more: Partial<RunFact> = {}): RunFact => ({
  connection: "books",
  failures,
  message: failures > 0 ? "no file" : null,
  unauthorised: null,
  authorisedUntil: null,
  ...more
})

export const facts = (now: number, more: Partial<Facts> = {}): Facts => ({
  now,
  names: new Map([
    ["books", "books"],
    ["bank", "bank"]
  ]),
  runs: [],
  attention: [],
  approvals: [],
  deadlines: [],
  looked: { drift: new Set(["books", "bank"]), difference: new Set(["books", "bank"]) },
  drift: [],
  differences: [],
  disk: { freeBytes: 2 ** 36, totalBytes: 2 ** 38 },
  aheadMs: 0,
  ...more
})

type Db = Database["Service"]

export const CHANNELS = new Set(["ops", "desk"])

/** One look of the daemon: decides, keeps, and puts what is due into messages. */
export const look = (db: Db, rules: ReadonlyArray<Watch>, found: Facts, channels = CHANNELS): void => {
  AlertStore.keep(db, decideAlerts(rules, found, AlertStore.before(db, undefined), channels), found.now)
  AlertStore.enqueue(db, { now: found.now, only: undefined, channels })
}

/** `ops began books: 3 runs in a row failed`, for each alert of each message so far, in their order. */
export const messages = (db: Db): ReadonlyArray<string> =>
  AlertStore.unsent(db).flatMap(({ channel, message }) =>
    message.alerts.map(({ title, what }) => `${channel} ${what} ${title}`)
  )

export const inMemory = <A>(work: (db: Db) => A): A =>
  Effect.runSync(Effect.map(Database, work).pipe(Effect.provide(Database.layer({ file: ":memory:", mode: "write" }))))
