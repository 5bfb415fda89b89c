/**
 * Makes a copy of a state file into one of the same books that was never sent anywhere: for a drill against a service of its own.
 * What was read and what people chose about the books stays; whatever was told to the service, or learned from it, goes.
 */
import Sqlite from "better-sqlite3"
import { Effect } from "effect"
import { rmSync } from "node:fs"
import { copyInto } from "./OwnFile.ts"
import { type StateError, stateError } from "./StateError.ts"

/** Tables of what is between books and service, and of who waits for it. */
const OF_THE_SERVICE = [
  ...[
    "receipt",
    "claim",
    "call_page",
    "call_of",
    "month_sum",
    "unnamed",
    "unnamed_sum",
    "month_account",
    "ledger_month",
    "ledger",
    "attention",
    "approval",
    "approval_voice",
    "match",
    "first_send",
    "other_transaction"
  ],
  ...["posted", "sent_whole", "pause", "run", "run_state", "webhook_queue", "delivery", "wake"],
  ...["cover", "cover_event", "cover_decision", "cover_unread", "cover_shown", "buyer_limit", "purchase_block"],
  ...["earlier_purchase", "bank_account"]
]

const forget = (db: Sqlite.Database): void => {
  db.pragma("foreign_keys = OFF")
  db.transaction(() => {
    for (const table of OF_THE_SERVICE) db.prepare(`DELETE FROM ${table}`).run()
    db.prepare("UPDATE connection SET owner = NULL, remote_ids = NULL").run()
    db.prepare(
      `UPDATE state SET service = NULL, account = NULL, behind = NULL, restored = 0, restored_at = NULL,
        decided_before = NULL, ahead = NULL, stamp = NULL, place = NULL, clean = 1`
    ).run()
    db.prepare(
      `INSERT INTO changed (subject) SELECT key FROM document UNION SELECT invoice FROM allocation WHERE invoice LIKE '%/buyer/%'
        ON CONFLICT DO UPDATE SET n = n + 1`
    ).run()
  })()
}

/** @param to the copy, which nobody has open */
export const copyWithoutService = (from: string, to: string): Effect.Effect<void, StateError> =>
  Effect.try({
    try: () => {
      const original = new Sqlite(from, { readonly: true, timeout: 5000 })
      try {
        copyInto(original, to)
      } finally {
        original.close()
      }
      const made = new Sqlite(to)
      try {
        forget(made)
      } finally {
        made.close()
      }
    },
    catch: (cause) => stateError(from, cause)
  })

/** Puts a backup in the place of a state file, as a person would. Its books count as read again: a drill asks no source. */
export const putBack = (backup: string, file: string): void => {
  for (const end of ["", "-wal", "-shm"]) rmSync(file + end, { force: true })
  const made = new Sqlite(backup)
  try {
    copyInto(made, file)
  } finally {
    made.close()
  }
}

/** Calls that left and of which nothing is known: how many up to this claim, and the last claim. */
export const unanswered = (
  file: string,
  last = Number.MAX_SAFE_INTEGER
): { readonly open: number; readonly last: number } => {
  const raw = new Sqlite(file, { readonly: true, timeout: 5000 })
  try {
    const sql =
      "SELECT count(*) FILTER (WHERE has_receipt = 0) AS open, coalesce(max(id), 0) AS last FROM claim WHERE id <= ?"
    return raw.prepare(sql).get(last) as { readonly open: number; readonly last: number }
  } finally {
    raw.close()
  }
}

/** Says of a restored copy that its sources were read to their ends. */
export const countAsRead = (file: string): void => {
  const raw = new Sqlite(file)
  try {
    raw.prepare("UPDATE bookmark SET reading = 0").run()
  } finally {
    raw.close()
  }
}
