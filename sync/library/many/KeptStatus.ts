/** A tenant's state according to PostgreSQL, for who lists tenants without opening any. */
import type { TenantReport } from "../../cluster/Operations.ts"
import { NO_FIGURES } from "./TenantFigures.ts"
import type { TenantStatus } from "./TenantStatus.ts"

/** Of one whose configuration stayed in a folder. */
const IN_NO_DATABASE =
  "nothing runs it: its configuration is not in PostgreSQL; daybook tenants import moves it there from its folder"

export const keptStatus = ({ body, kept, tenant }: TenantReport): TenantStatus => {
  const said = (body ?? { ...NO_FIGURES, next: null }) as Omit<TenantStatus, "name">
  if (kept === null) return { ...said, name: tenant, state: "in trouble", trouble: IN_NO_DATABASE }
  const { due, held, isRunning, paused } = kept
  const rests = held === null ? "waiting" : "in trouble"
  return {
    ...said,
    name: tenant,
    state: isRunning ? "running" : paused === null ? rests : "paused",
    next: due,
    ...(held === null ? {} : { trouble: `held back: ${held}` }),
    ...(paused === null ? {} : { paused })
  }
}
