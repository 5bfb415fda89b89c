/** Checks which service a state file belongs to since its first send. */
import { StateError, type Db } from "../state/Database.ts"

export interface Bound {
  readonly service: string | null
  /** `salt:fingerprint` */
  readonly account: string | null
}

export const bound = (db: Db): Bound => db.prepare("SELECT service, account FROM state").get() as Bound

/** Why these books do not belong to that service, or undefined. Read-only. */
export const otherService = (db: Db, url: string): StateError | undefined => {
  const { service } = bound(db)
  if (service === null || service === url) return undefined
  return new StateError({
    kind: "other service",
    file: db.file,
    why: `it belongs to ${service}, and the configuration names ${url}; nothing was sent. Name another file with --state, or correct service.url`
  })
}
