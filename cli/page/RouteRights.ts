/**
 * Which right each of the page's addresses needs: the router asks here, and so does the page, which leaves out forms and links that
 * somebody may not use. An address that shows something needs `look` unless it is listed; a form that is not listed is refused.
 */
import type { Right } from "../../sync/model/Roles.ts"
import { among } from "./ReadingRoutes.ts"

/** "own": whoever is signed in may: it concerns nobody but them. */
const NEEDS: Readonly<Record<string, Right | "own">> = {
  "POST /seen": "own",
  "POST /language": "own",
  "POST /leave": "own",
  "POST /leave/everywhere": "own",
  "POST /people/end": "own",
  "POST /alerts/retry": "administer",
  "POST /alerts/test": "administer",
  "POST /alerts/channels": "administer",
  "POST /alerts/channels/remove": "administer",
  "POST /alerts/rules": "administer",
  "POST /alerts/rules/remove": "administer",
  "POST /connections/*/sync": "work",
  "POST /connections/*/pause": "set_up",
  "POST /connections/*/resume": "set_up",
  "GET /connections/new": "set_up",
  "GET /connections/*/setup": "set_up",
  "POST /connections/*/setup": "set_up",
  "POST /connections/*/file": "set_up",
  "POST /setup/files": "set_up",
  "POST /setup/*/files": "set_up",
  "GET /setup/*": "set_up",
  "POST /setup/*/look": "set_up",
  "POST /setup/*/connect": "set_up",
  "POST /setup/source": "set_up",
  "POST /plans/several/approve": "decide",
  "POST /plans/several/reject": "decide",
  "GET /plans/part": "decide",
  "POST /plans/part": "decide",
  "POST /plans/approve": "decide",
  "POST /plans/reject": "decide",
  "GET /attention/all": "work",
  "POST /attention/all/none": "work",
  "POST /attention/all/resolve": "work",
  "POST /attention/all/retry": "work",
  "POST /attention/*/resolve": "work",
  "POST /attention/*/retry": "work",
  "POST /attention/*/match": "work",
  "POST /attention/*/same": "work",
  "POST /attention/*/always": "work",
  "POST /payments/forget": "work",
  // Each needs the right of what is taken back.
  "POST /attention/undo": "work",
  "POST /plans/undo": "decide",
  "POST /customers/undo": "work",
  "POST /debtors/undo": "work",
  "POST /payments/ask": "work",
  "POST /payments/undo": "work",
  "POST /customers/*/note": "work",
  // The service is read first.
  "GET /cover/*": "prepare",
  "GET /preview": "prepare",
  "GET /preview/*": "prepare",
  "POST /preview/*": "prepare",
  "POST /months/close": "decide",
  "POST /cover/offers/buy": "decide",
  "POST /cover/offers/reject": "decide",
  "POST /cover/*/attach": "collect",
  "POST /cover/*/detach": "collect",
  "POST /cover/*/confirm": "declare",
  "POST /cover/*/withdraw": "declare",
  "POST /debtors/choose": "work",
  "POST /debtors/forget": "work",
  "POST /tenants/*/sync": "work",
  "POST /tenants/*/pause": "set_up",
  "POST /tenants/*/resume": "set_up"
}

/** What an address needs; undefined: it is a form that is not listed. */
export const needed = (method: string, path: ReadonlyArray<string>): Right | "own" | undefined =>
  among(NEEDS, method, path) ?? (method === "GET" ? "look" : undefined)

/** Whether somebody with these rights may use an address. */
export const isFor = (rights: ReadonlyArray<Right>, method: string, path: ReadonlyArray<string>): boolean => {
  const right = needed(method, path)
  return right === "own" || (right !== undefined && rights.includes(right))
}

/** Decisions that change nothing of what is sent: they cause no plan. */
const CAUSE_NOTHING = [
  "connections/sync",
  "connections/pause",
  "connections/resume",
  "customers/note",
  "customers/undo",
  "cover/offers/reject",
  "months/close"
]
const isOf = (room: string | undefined) => room === "plans" || room === "alerts" || room === "tenants"

/** Whether a form may change what is sent. */
export const causes = (path: ReadonlyArray<string>): boolean =>
  !isOf(path[0]) && !CAUSE_NOTHING.includes(path.join("/")) && !CAUSE_NOTHING.includes(`${path[0]}/${path.at(-1)}`)
