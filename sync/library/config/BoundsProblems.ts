/** Finds what a tenant's configuration names and may not reach: files, variables and addresses of others. */
import { resolve } from "node:path"
import { isOutside, OUTSIDE } from "../../../connectors/Confined.ts"
import { connectors } from "../../../connectors/list.ts"
import { isVariable } from "../../../connectors/Secrets.ts"
import { addressOfHost, leadsHere, reachProblem } from "../../../core/Reach.ts"
import type { Bounds } from "../../model/Bounds.ts"
import { addressesIn } from "../../pull/BoundedAddresses.ts"

interface Found {
  readonly at: string
  readonly value: unknown
  /** The members that lead to it. */
  readonly names: ReadonlyArray<string>
}

/** Every member of a value, with its place. */
const members = (value: unknown, at = "", names: ReadonlyArray<string> = []): ReadonlyArray<Found> => {
  if (typeof value !== "object" || value === null) return []
  return Object.entries(value).flatMap(([name, one]) => {
    const place = Array.isArray(value) ? `${at}[${name}]` : at === "" ? name : `${at}.${name}`
    const way = Array.isArray(value) ? names : [...names, name]
    return [{ at: place, value: one, names: way }, ...members(one, place, way)]
  })
}

/** Settings that are paths: those of sources, the copies of invoices, the logo. */
const isPath = ({ names }: Found): boolean => {
  const last = names.at(-1) ?? ""
  return (
    (names.includes("source") && ["path", "file"].includes(last)) ||
    names.join(".").includes("handover.documents") ||
    names.join(".") === "daemon.connect.logo"
  )
}

const pathProblems = (all: ReadonlyArray<Found>, folder: string, { folders }: Bounds): ReadonlyArray<string> =>
  all.flatMap((found) =>
    isPath(found) &&
    typeof found.value === "string" &&
    !found.value.startsWith("data:") &&
    isOutside(resolve(folder, found.value), [folder, ...folders])
      ? [`${found.at}: ${JSON.stringify(found.value)} ${OUTSIDE.what}; ${OUTSIDE.hint}`]
      : []
  )

type Part = Readonly<Record<string, unknown>>

/** What sends secrets. */
interface Sends {
  readonly at: string
  /** Where it sends them. */
  readonly to: string
  /** The configuration cannot say where: the vendor has one address. */
  readonly isVendors: boolean
  readonly part: Part
}

/** Of whom this program knows the address; where another connector sends what it is given is the operator's to say. */
const VENDORS = new Set(["slack", "teams", ...connectors.map(({ name }) => name).filter((name) => name !== "sql")])

const sendersIn = (value: unknown): ReadonlyArray<Sends> => {
  const { alerts, connections, service } = (value ?? {}) as {
    readonly service?: Part
    readonly connections?: ReadonlyArray<{ readonly source?: Part }>
    readonly alerts?: { readonly channels?: Readonly<Record<string, Readonly<Record<string, Part>>>> }
  }
  const sends = (at: string, part: Part, kind: string): Sends => {
    const to = part["url"] ?? part["host"]
    return typeof to === "string"
      ? { at, to: URL.parse(to)?.origin ?? to, isVendors: false, part }
      : { at, to: kind, isVendors: VENDORS.has(kind), part }
  }
  return [
    ...(service === undefined ? [] : [sends("service", service, "")]),
    ...(connections ?? []).flatMap(({ source }, n) =>
      source === undefined ? [] : [sends(`connections[${n}].source`, source, String(source["connector"]))]
    ),
    ...Object.entries(alerts?.channels ?? {}).flatMap(([name, channel]) =>
      Object.entries(channel).map(([kind, part]) => sends(`alerts.channels.${name}.${kind}`, part, kind))
    )
  ]
}

/** Encrypts the vault, and is read by this program alone. */
const isSeal = (variable: string): boolean => variable.startsWith("DAYBOOK_SEAL")

const variableProblems = (
  value: unknown,
  { daemon, file, isTriedOut, own, variables }: Bounds
): ReadonlyArray<string> =>
  sendersIn(value).flatMap(({ at, isVendors, part, to }) =>
    members(part, at).flatMap(({ at: place, names, value: name }) => {
      if (names.at(-1) !== "env" || typeof name !== "string" || own[name] !== undefined) return []
      const where = place.replace(/\.env$/, "")
      const shown = isVariable(name) ? name : "its variable"
      if (daemon.has(name) || isSeal(name))
        return [
          `${where}: ${shown} is the daemon's own; name a variable of this tenant, from the file .env in its folder`
        ]
      const goes = variables?.[name]
      if (goes !== undefined && (URL.parse(goes)?.origin ?? goes) === to) return []
      if (variables === undefined && (isVendors || (isTriedOut && leadsHere(to)))) return []
      return [
        `${where}: ${shown} of the daemon's environment may not be sent to ${to}; set it in the file .env in the tenant's folder, or the operator allows it as tenants.variables in ${file}`
      ]
    })
  )

const addressProblems = async (
  value: unknown,
  { file, isTriedOut, own, privateAddresses, variables = {} }: Bounds
): Promise<ReadonlyArray<string>> => {
  if (privateAddresses) return []
  const hint = `the operator can allow addresses of this network, as daemon.private_addresses in ${file}`
  const problems: Array<string> = []
  const allowed = new Set(Object.values(variables).map((one) => URL.parse(one)?.origin))
  for (const { at, part, to } of sendersIn(value)) {
    if (at === "service" && (allowed.has(to) || (isTriedOut && leadsHere(to)))) continue
    // A source's name is looked up when it is read, and the service's certificate names its host.
    const isSource = at.endsWith(".source") || at === "service"
    const host = isSource ? undefined : part["host"]
    const all = [
      ...addressesIn(part, own, at),
      ...(typeof host === "string" ? [{ text: addressOfHost(host), where: `${at}.host` }] : [])
    ]
    for (const { text, where } of all) {
      const problem = await (isSource ? reachProblem(text, "", async () => []) : reachProblem(text, ""))
      if (problem !== undefined) problems.push(`${where}: ${problem}; ${hint}`)
    }
  }
  return problems
}

/** @param value a valid configuration as it is written */
export const boundsProblems = async (
  value: unknown,
  folder: string,
  bounds: Bounds
): Promise<ReadonlyArray<string>> => [
  ...pathProblems(members(value), folder, bounds),
  ...variableProblems(value, bounds),
  ...(await addressProblems(value, bounds))
]
