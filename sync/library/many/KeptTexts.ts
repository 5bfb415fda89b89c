/** The texts of a tenant's files as they are kept in PostgreSQL, sealed. */
import { Effect } from "effect"
import { existsSync, mkdirSync, writeFileSync } from "node:fs"
import { basename, join } from "node:path"
import { anyKept, type KeptSettings } from "../../state/replication/postgres/KeptSettings.ts"
import type { PgSessions } from "../../state/replication/postgres/PgSessions.ts"
import type { StoreAway } from "../../state/replication/Store.ts"
import { open as unseal, seal, type SealKey } from "../../vault/Encryption.ts"
import * as ConnectionsFile from "../config/ConnectionsFile.ts"
import { settingsText } from "../config/Largest.ts"
import { UsageError } from "../Exit.ts"
import { SECRETS } from "./TenantSource.ts"

/** The texts of a tenant's files. */
export interface Settings {
  readonly config: string
  readonly connections?: string
  readonly secrets?: string
}

export const CONFIG = "daybook.config.json"
export const CONNECTIONS = basename(ConnectionsFile.fileOf(CONFIG))

export const fail = (why: string) => Effect.fail(new UsageError({ why }))

const bond = (id: string) => ({ name: `the configuration of ${id}` })

export const attempt = <A>(work: () => A): Effect.Effect<A, UsageError> =>
  Effect.try({ try: work, catch: (cause) => new UsageError({ why: (cause as Error).message }) })

/** @param file the configuration */
export const settingsIn = (folder: string, file: string): Settings => {
  const text = (name: string) => (existsSync(join(folder, name)) ? settingsText(join(folder, name)) : undefined)
  const [connections, secrets] = [text(CONNECTIONS), text(SECRETS)]
  return {
    config: settingsText(file),
    ...(connections === undefined ? {} : { connections }),
    ...(secrets === undefined ? {} : { secrets })
  }
}

/**
 * Writes the files, for their owner alone.
 *
 * @param flush whether they must survive a power failure
 */
export const writeSettings = (folder: string, { config, connections, secrets }: Settings, flush = true): void => {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const files = { [CONFIG]: config, [CONNECTIONS]: connections, [SECRETS]: secrets }
  for (const [file, text] of Object.entries(files))
    if (text !== undefined) writeFileSync(join(folder, file), text, { mode: 0o600, flush })
}

export const sealedSettings = (id: string, key: SealKey, settings: Settings): string =>
  seal(key, bond(id), JSON.stringify(settings))

/** Fails if this is not the seal that it was sealed with. */
export const unsealed = (
  { id, sealed }: Pick<KeptSettings, "id" | "sealed">,
  key: SealKey
): Effect.Effect<Settings, UsageError> => attempt(() => JSON.parse(unseal(key, bond(id), sealed)) as Settings)

/** Why this seal is not that of the database; undefined: it is, or nothing is sealed there yet. */
export const sealProblem = (sessions: PgSessions, key: SealKey): Effect.Effect<string | undefined, StoreAway> =>
  Effect.flatMap(anyKept(sessions), (row) =>
    row === undefined
      ? Effect.undefined
      : Effect.match(unsealed(row, key), {
          onFailure: ({ why }) => `this machine's DAYBOOK_SEAL is not that of the database: ${why}`,
          onSuccess: () => undefined
        })
  )
