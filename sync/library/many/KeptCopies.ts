/** Works on tenants of PostgreSQL beside whoever runs them: copies them, plans them from a copy, and changes their configuration. */
import { Effect } from "effect"
import { mkdirSync } from "node:fs"
import { join } from "node:path"
import { copyOf, type TenantPlace } from "../../cluster/Operations.ts"
import type { Backup } from "../../state/Backup.ts"
import * as Kept from "../../state/replication/postgres/KeptSettings.ts"
import type { PgSessions } from "../../state/replication/postgres/PgSessions.ts"
import type { SealKey } from "../../vault/Encryption.ts"
import * as ConnectionsFile from "../config/ConnectionsFile.ts"
import { parsed, withSetting } from "../config/ChangeConfig.ts"
import { overlaid, settingsChanged, touches } from "../config/Overlay.ts"
import { type KeptPlace, readKept } from "./KeptTenants.ts"
import { attempt, fail, sealedSettings, unsealed, writeSettings } from "./KeptTexts.ts"
import { type ConfigChange, STATE, type Tenant } from "./TenantSource.ts"

/** A tenant whose state file somebody puts there, with the configuration of its row. */
export const keptTenant = (place: Pick<KeptPlace, "files" | "key">, row: Kept.KeptSettings, state: string): Tenant => {
  const readAs = (change?: ConfigChange) => readKept(place, row, change)
  return {
    name: row.name,
    folder: join(state, ".."),
    state,
    read: readAs(),
    readAs,
    version: () => row.sealed,
    glance: () => undefined
  }
}

/**
 * Copies what is kept of a tenant into a folder that is made for it: its state, its sealed tokens and its configuration, without the
 * secrets of `.env`.
 *
 * @param key undefined: the configuration stays out of it
 */
export const backupKept = (sessions: PgSessions, place: TenantPlace, key: SealKey | undefined, to: string) =>
  Effect.gen(function* () {
    const row = yield* Kept.keptOf(sessions, place.id)
    yield* attempt(() => mkdirSync(to, { recursive: true }))
    if (row !== undefined && key !== undefined) {
      const { secrets: _, ...files } = yield* unsealed(row, key)
      yield* attempt(() => writeSettings(to, files))
    }
    const file = join(to, STATE)
    const made = yield* copyOf(sessions, place, file)
    if (made === undefined) return undefined
    return { file, bytes: made.bytes, ...(made.vault ? { vault: `${file}.vault` } : {}) } satisfies Backup
  })

/** Changes the configuration in a tenant's row; the rest of its text stays as it is. Its next run follows it. */
export const changeKept = (sessions: PgSessions, key: SealKey, row: Kept.KeptSettings, over: unknown) =>
  Effect.gen(function* () {
    const settings = yield* unsealed(row, key)
    const linked = settings.connections === undefined ? [] : ConnectionsFile.parsed(settings.connections)
    if (touches(over, linked))
      return yield* fail("one of the connections was made by a link, and only the page writes that")
    const config = yield* attempt(() => {
      const before = parsed(settings.config)
      return settingsChanged(before, overlaid(before, over)).reduce(
        (now, { path, value }) => withSetting(now, [...path], value),
        settings.config
      )
    })
    const sealed = sealedSettings(row.id, key, { ...settings, config })
    if (!(yield* Kept.replace(sessions, row, sealed)))
      return yield* fail("somebody else has changed its configuration meanwhile; try again")
  })
