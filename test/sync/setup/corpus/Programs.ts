/** Exports of programs for invoices, of shops and of processors of payments. */
import { attackedPrograms } from "./Attacked.ts"
import { rememberedLists } from "./Remembered.ts"
import { triedLists } from "./Tried.ts"
import { INVOICES, OPEN } from "../Exports.ts"
import { firstLists } from "./Lists.ts"
import { moreLists } from "./MoreLists.ts"
import type { Layout } from "./Movements.ts"
import { payouts } from "./Payouts.ts"
import { payments } from "./Processors.ts"
import { small } from "./Small.ts"

/** Lists without states count every row. */
const withVoid = (layout: Layout): Layout => {
  const stateless = [
    "e-conomic",
    "Exact",
    "QuickBooks, with",
    "a list with the rate",
    "a list with signs",
    "Oracle",
    "Sage 50"
  ]
  if (!stateless.some((name) => layout.name.startsWith(name))) return layout
  const open = ["e-conomic", "Exact", "Oracle", "Sage 50"].some((name) => layout.name.startsWith(name))
  const total = INVOICES.reduce((sum, one) => sum + BigInt(one.gross.replace(".", "")), 0n)
  const text = total.toString()
  return {
    ...layout,
    sums: { invoice: [INVOICES.length, `${text.slice(0, -2)}.${text.slice(-2)}`] },
    ...(open ? { open: OPEN } : {})
  }
}

export const programs: ReadonlyArray<Layout> = [
  ...[...firstLists, ...moreLists, ...triedLists].map(withVoid),
  ...payments,
  ...payouts,
  ...small,
  ...attackedPrograms,
  ...rememberedLists
]
