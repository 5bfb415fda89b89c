/**
 * Counts how often a node died while it had a tenant open that had not ended a turn there: a configuration or connector that loops or
 * exits would end one node after the other. Whoever dies can say nothing any more, so it is written before.
 */
import { Effect } from "effect"
import type { PgSessions } from "../state/replication/postgres/PgSessions.ts"
import type { StoreAway } from "../state/replication/Store.ts"

/** From so many deaths on it waits before it is tried again, and is held back meanwhile. */
const HELD_BACK = 2
/** From so many on nobody tries it any more until a person asks for it. */
export const GIVEN_UP = 4

/** For a statement in which `t` is the tenant. */
export const MAY_BE_TRIED = `(t.tries < ${HELD_BACK} OR t.tries < ${GIVEN_UP}
    AND t.tried < clock_timestamp() - CASE t.tries WHEN ${HELD_BACK} THEN interval '10 minutes' ELSE interval '1 hour' END)`

const BEGINS = `UPDATE daybook.tenant SET tries = tries + 1, tried = clock_timestamp()
  WHERE key = $1 AND owner = $2 RETURNING tries`
const RUNS = `UPDATE daybook.tenant SET tries = greatest(tries, 1), tried = clock_timestamp() WHERE key = $1 AND owner = $2`
const ENDS = "UPDATE daybook.tenant SET tries = 0 WHERE key = $1 AND owner = $2 AND tries > 0"

export interface Risk {
  /** It is about to be opened; answers how often that was begun, and nothing ended. */
  readonly begins: Effect.Effect<number>
  /** A turn begins. */
  readonly runs: Effect.Effect<void>
  /** A turn ended, or it is closed, and this node is still there. */
  readonly ends: Effect.Effect<void>
}

/** Without PostgreSQL nothing is opened or run anyway. */
export const riskOf = ({ use }: PgSessions, key: string, node: string): Risk => {
  const said = (sql: string, name: string) =>
    Effect.match(
      use(({ ask }) => ask<{ tries: number }>(sql, [key, node], name)),
      { onFailure: () => 1, onSuccess: ([row]) => row?.tries ?? 1 }
    )
  return {
    begins: said(BEGINS, "begins"),
    runs: Effect.asVoid(said(RUNS, "runs")),
    ends: Effect.asVoid(said(ENDS, "ends"))
  }
}

const HELD = `SELECT t.id AS tenant, t.tries FROM daybook.tenant t LEFT JOIN daybook.node n ON n.id = t.owner AND NOT n.buried
  WHERE t.tries >= ${HELD_BACK} AND t.removed IS NULL AND n.id IS NULL ORDER BY t.id`

/** Those that no node has because nodes ended with them, and how many. */
export const heldBack = ({
  use
}: PgSessions): Effect.Effect<ReadonlyArray<{ readonly tenant: string; readonly tries: number }>, StoreAway> =>
  use(({ ask }) => ask(HELD))

/** What people are not told of yet: tenants that are held back since, or no longer. */
export interface Untold {
  readonly id: string
  readonly tenant: string
  readonly tries: number
}

const UNTOLD = `SELECT t.key AS id, t.id AS tenant, t.tries FROM daybook.tenant t LEFT JOIN daybook.node n ON n.id = t.owner AND NOT n.buried
  WHERE t.removed IS NULL AND (t.tries >= ${HELD_BACK} AND t.tries <> t.told AND n.id IS NULL OR t.tries = 0 AND t.told > 0)
  AND $1 = (SELECT min(id) FROM daybook.node WHERE NOT buried AND said->>'isOneRun' IS NULL) ORDER BY t.id`

/** For the first node alone, so that people are told once. */
export const untold = ({ use }: PgSessions, node: string): Effect.Effect<ReadonlyArray<Untold>, StoreAway> =>
  use(({ ask }) => ask<Untold>(UNTOLD, [node]))

/** People were told of these. */
export const told = ({ use }: PgSessions, all: ReadonlyArray<Untold>): Effect.Effect<unknown, StoreAway> =>
  use(({ ask }) =>
    ask(
      "UPDATE daybook.tenant t SET told = s.tries FROM unnest($1::text[], $2::int[]) s (key, tries) WHERE t.key = s.key",
      [all.map(({ id }) => id), all.map(({ tries }) => tries)]
    )
  )

/** A person wants it tried again. Returns whether it was held back. */
export const tryAgain = ({ use }: PgSessions, name: string): Effect.Effect<boolean, StoreAway> =>
  Effect.map(
    use(({ ask }) =>
      ask(
        `UPDATE daybook.tenant SET tries = 0, held = NULL, paused = NULL, due = CASE WHEN settings IS NULL THEN NULL ELSE clock_timestamp() END
          WHERE id = $1 AND removed IS NULL AND (tries >= ${HELD_BACK} OR held IS NOT NULL OR paused IS NOT NULL) RETURNING key`,
        [name]
      )
    ),
    (rows) => rows.length > 0
  )

/** Why no node has it, for people; undefined: it is not held back. */
export const heldBackBecause = (tries: number): string | undefined =>
  tries < HELD_BACK
    ? undefined
    : `${tries} nodes ended while they had it open; ${tries < GIVEN_UP ? "it is tried again later, or" : "it is not tried again"} until daybook tenants resume with --cluster`
