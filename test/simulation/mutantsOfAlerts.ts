/** Mistakes in whom alerts are told, when, and how often. */
import type { UnitMutant } from "./unitMutants.ts"

const DECIDES = "test/sync/alerts/Decide.test.ts"
const WATCHES = "test/sync/alerts/Watching.test.ts"

export const ALERTS: ReadonlyArray<UnitMutant> = [
  {
    name: "a cause is told at each look",
    caughtBy: [DECIDES, "is told once while its cause lasts"],
    changes: [
      {
        file: "sync/alerts/Decide.ts",
        from: "stage > highest(alert, channel) ?",
        to: "stage >= highest(alert, channel) ?"
      }
    ]
  },
  {
    name: "nobody is told that a cause is over",
    caughtBy: [DECIDES, "and once more when it is over"],
    changes: [
      {
        file: "sync/alerts/AlertStore.ts",
        from: "    note(db, id, notices, 1)",
        to: "    if (id < 0) note(db, id, notices, 1)"
      }
    ]
  },
  {
    name: "what was over before anybody was told is told all the same",
    caughtBy: [DECIDES, "that is over before anybody was told is not told"],
    changes: [
      {
        file: "sync/alerts/AlertStore.ts",
        from: "DELETE FROM alert_notice WHERE alert = ? AND message IS NULL",
        to: "DELETE FROM alert_notice WHERE alert = ? AND message IS NULL AND 0"
      }
    ]
  },
  {
    name: "a cause that is there again is told before anybody heard that it was over",
    caughtBy: [DECIDES, "that is there again before anybody heard"],
    changes: [
      {
        file: "sync/alerts/Decide.ts",
        from: "    if (end === undefined) return [notice]",
        to: "    if (end === undefined || end.stage >= 0) return [notice]"
      }
    ]
  },
  {
    name: "quiet hours end at midnight",
    caughtBy: [DECIDES, "span midnight"],
    changes: [
      {
        file: "sync/alerts/Timing.ts",
        from: "from <= time || time < to",
        to: "from <= time"
      }
    ]
  },
  {
    name: "what is not known is over",
    caughtBy: [DECIDES, "of which nothing is known now stays"],
    changes: [
      {
        file: "sync/alerts/Decide.ts",
        from: ".filter((alert) => !holding.has(nameOf(alert)) && isKnown(facts, alert))",
        to: ".filter((alert) => !holding.has(nameOf(alert)) && (isKnown(facts, alert) || true))"
      }
    ]
  },
  {
    name: "a deadline that passed is called resolved",
    caughtBy: [DECIDES, "the deadline that passed is not called resolved"],
    changes: [
      {
        file: "sync/alerts/Decide.ts",
        from: "alert.until !== null && alert.until <= now",
        to: "alert.until !== null && alert.until < 0"
      }
    ]
  },
  {
    name: "what was on its way when the program ended is forgotten",
    caughtBy: [WATCHES, "goes again with the next one"],
    changes: [
      {
        file: "sync/alerts/AlertStore.ts",
        from: "attempts = attempts + 1, next = ?, why = NULL",
        to: "attempts = attempts + 1, next = iif(? > 0, NULL, NULL), why = NULL"
      }
    ]
  },
  {
    name: "a tenant sends what is another's",
    caughtBy: [WATCHES, "of one tenant is sent by nobody else"],
    changes: [
      {
        file: "sync/alerts/Watching.ts",
        from: "return this.#options.tenant === true ? connections.map(({ id }) => id) : undefined",
        to: "return this.#options.tenant === undefined ? connections.map(({ id }) => id) : undefined"
      }
    ]
  },
  {
    name: "an authorisation is found again when the network fails",
    caughtBy: [WATCHES, "that was lost stays lost through other failures"],
    changes: [
      {
        file: "sync/schedule/RunState.ts",
        from: "unauthorised = coalesce(?, unauthorised)",
        to: "unauthorised = ?"
      }
    ]
  },
  {
    name: "a webhook is signed with another hash than the page says",
    caughtBy: ["test/sync/alerts/Channels.test.ts", "is signed so that the lines on the page accept it"],
    changes: [
      {
        file: "sync/alerts/channels/Posting.ts",
        from: 'createHmac("sha256", keyOf(secret))',
        to: 'createHmac("sha1", keyOf(secret))'
      }
    ]
  },
  {
    name: "what a waiting plan closed is not looked at again",
    caughtBy: ["test/cli/Approval.test.ts", "opens what needs attention again"],
    changes: [
      {
        file: "sync/library/RunConnection.ts",
        from: "if (ChangedDocuments.count(db, subject) === 0) ChangedDocuments.touch",
        to: "if (false) ChangedDocuments.touch"
      }
    ]
  },
  {
    name: "a sync without a daemon tells beside a daemon that does",
    caughtBy: ["test/cli/SyncAlerts.test.ts", "leaves it to a daemon"],
    changes: [
      {
        file: "sync/library/RunAlerts.ts",
        from: "if (yield* hasDaemon(db.file)) return",
        to: "yield* hasDaemon(db.file)"
      }
    ]
  },
  {
    name: "an answer to a message is read to its end",
    caughtBy: ["test/sync/alerts/Channels.test.ts", "is read so far as it may be long"],
    changes: [{ file: "sync/alerts/channels/Post.ts", from: "LARGEST_BYTES = 2 ** 16", to: "LARGEST_BYTES = 2 ** 40" }]
  },
  {
    name: "a mail server keeps the connection for as long as it likes",
    caughtBy: ["test/sync/alerts/Email.test.ts", "ends the connection with whoever waits for it"],
    changes: [{ file: "sync/alerts/channels/Email.ts", from: "          signal\n", to: "" }]
  }
]
