/**
 * Requests that whoever runs a tenant answers, whichever process heard them. Each is begun once: what was cut off is not begun again,
 * because it may have been carried out.
 */
import { Effect } from "effect"
import type { StoreAway } from "../Store.ts"
import type { PgSessions } from "./PgSessions.ts"

/** How many may wait for a tenant. */
const MOST = 100

const PUT = `WITH heard AS (INSERT INTO daybook.inbox (tenant, body) SELECT key, $2 FROM daybook.tenant
    WHERE key = $1 AND removed IS NULL AND (SELECT count(*) FROM daybook.inbox WHERE tenant = $1) < ${MOST} FOR KEY SHARE RETURNING id),
  runs AS (UPDATE daybook.tenant SET due = clock_timestamp()
    WHERE key = $1 AND (due IS NULL OR due > clock_timestamp()) AND EXISTS (SELECT 1 FROM heard))
  SELECT id::text AS id FROM heard`

/** Has the tenant run, so that it is answered. Undefined: too many wait already, or the tenant was removed. */
export const put = ({ use }: PgSessions, tenant: string, body: string): Effect.Effect<string | undefined, StoreAway> =>
  Effect.map(
    use(({ ask }) => ask<{ readonly id: string }>(PUT, [tenant, body], "inbox")),
    ([row]) => row?.id
  )

/** Undefined: there is none yet. */
export const replyTo = ({ use }: PgSessions, id: string): Effect.Effect<string | undefined, StoreAway> =>
  Effect.map(
    use(({ ask }) =>
      ask<{ readonly reply: string | null }>("SELECT reply FROM daybook.inbox WHERE id = $1", [id], "reply")
    ),
    ([row]) => row?.reply ?? undefined
  )

/** Nobody waits for it any more. Returns whether it was begun. */
export const leave = ({ use }: PgSessions, id: string): Effect.Effect<boolean, StoreAway> =>
  Effect.map(
    use(({ ask }) => ask<{ readonly begun: boolean }>("DELETE FROM daybook.inbox WHERE id = $1 RETURNING begun", [id])),
    ([row]) => row?.begun ?? true
  )

export interface AskedOf {
  readonly id: string
  readonly body: string
}

/** What waits for a tenant, which nobody else is given any more. */
export const begin = ({ use }: PgSessions, tenant: string): Effect.Effect<ReadonlyArray<AskedOf>, StoreAway> =>
  Effect.map(
    use(({ ask }) =>
      ask<AskedOf>(
        "UPDATE daybook.inbox SET begun = true WHERE tenant = $1 AND NOT begun RETURNING id::text AS id, body",
        [tenant],
        "begin"
      )
    ),
    (rows) => rows.toSorted((a, b) => Number(a.id) - Number(b.id))
  )

export const answer = ({ use }: PgSessions, id: string, reply: string): Effect.Effect<unknown, StoreAway> =>
  use(({ ask }) => ask("UPDATE daybook.inbox SET reply = $2 WHERE id = $1", [id, reply], "answer"))

/** Deletes what a process left that was killed while it waited. */
export const sweep = ({ use }: PgSessions): Effect.Effect<unknown, StoreAway> =>
  use(({ ask }) =>
    ask(
      "DELETE FROM daybook.inbox WHERE came NOT BETWEEN clock_timestamp() - interval '10 min' AND clock_timestamp() + interval '10 min'"
    )
  )
