/** The methods of the library that return one result. */
import type { Askable } from "../../sync/library/Promised.ts"

/** Every method by name: the type allows none to be left out. */
const NAMES: Readonly<Record<keyof Askable, true>> = {
  pull: true,
  plan: true,
  whatIf: true,
  apply: true,
  sync: true,
  completeness: true,
  status: true,
  attention: true,
  resolve: true,
  retry: true,
  assign: true,
  assignNone: true,
  sameMoney: true,
  choices: true,
  ask: true,
  unassign: true,
  undoable: true,
  undo: true,
  explain: true,
  export: true,
  views: true,
  backup: true,
  verify: true,
  month: true,
  check: true,
  preview: true,
  reconcile: true,
  independent: true,
  payouts: true,
  debtors: true,
  candidates: true,
  match: true,
  approve: true,
  reject: true,
  renameConnection: true,
  acceptConnection: true,
  connectLink: true,
  connectLinks: true,
  cover: true,
  decideCover: true,
  collection: true,
  collect: true,
  alerts: true,
  testAlerts: true,
  retryAlerts: true
}

/** The names of all methods. */
export const METHODS = Object.keys(NAMES) as ReadonlyArray<keyof Askable>
