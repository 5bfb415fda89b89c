/**
 * Payment-method preferences of an organisation (DP 2.4): which ways of paying its buyer is offered.
 */
import { check } from "./Handler.ts"

export interface Method {
  /** `on` or `off`: whether the method is allowed. Read-only. */
  readonly status: string
  /** Whether `preference` can change `status`. Read-only. */
  readonly overridable: boolean
  /** The platform's wish: `on`, `off`, or `default` for none. */
  readonly preference: string
}

export type Methods = Readonly<Record<string, Method>>

/** Assumption: the defaults are not shown. One method cannot be overridden, so that the refusal can be seen. */
export const DEFAULTS: Methods = {
  card: { status: "on", overridable: true, preference: "default" },
  bank_transfer: { status: "on", overridable: true, preference: "default" },
  direct_debit: { status: "on", overridable: true, preference: "default" },
  instant_payment: { status: "off", overridable: false, preference: "default" }
}

export type Wishes = Readonly<Record<string, { readonly preference?: string } | null>>

/**
 * The methods after a request; those that it does not name keep their setting (rule 1), and types that are not known
 * are ignored, as unknown members are. Refuses a wish on a method that cannot be overridden (rule 2, DP 7 case 5).
 */
export const wish = (before: Methods | undefined, wishes: Wishes | null | undefined): Methods => {
  const methods: Record<string, Method> = { ...(before ?? DEFAULTS) }
  const refused: Array<string> = []
  for (const [type, wished] of Object.entries(wishes ?? {})) {
    const method = Object.hasOwn(methods, type) ? methods[type] : undefined
    const preference = wished?.preference
    if (method === undefined || preference === undefined) continue
    if (preference === "default") methods[type] = { ...method, preference, status: DEFAULTS[type]!.status }
    else if (method.overridable) methods[type] = { ...method, preference, status: preference }
    else refused.push(`The preference of ${type} cannot be "${preference}": it is not overridable.`)
  }
  check(refused.length > 0 ? { preference: refused } : {})
  return methods
}

/** What of a plan's payments each method pays. Assumption: an invoice is paid by bank transfer. */
const PAYS: Readonly<Record<string, string>> = { direct_debit: "direct_debit", bank_transfer: "invoice", card: "card" }

/** Ways that a plan's payments may be made in, as DP 2.7 names them. */
export const allowed = (methods: Methods | undefined): ReadonlyArray<{ readonly type: string }> =>
  Object.entries(PAYS).flatMap(([method, type]) => ((methods ?? DEFAULTS)[method]?.status === "on" ? [{ type }] : []))
