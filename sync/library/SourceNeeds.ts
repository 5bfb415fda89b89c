/**
 * Finds the required settings that a connector still lacks, by decoding the settings so far. So it works for third-party
 * connectors as well.
 */
import { Result, Schema, type SchemaIssue } from "effect"
import type { Connector } from "../../connectors/Connector.ts"

export interface SourceNeed {
  readonly name: string
  /** Its settings name a variable; the value is never written into them. */
  readonly secret: boolean
}

/** Requests an optional setting from the person: `"token": "ask"`. */
const ASK = "ask"

type Settings = Readonly<Record<string, unknown>>

type Path = ReadonlyArray<PropertyKey>

interface Found {
  readonly path: Path
  readonly missing: boolean
}

const walk = (issue: SchemaIssue.Issue, path: Path): ReadonlyArray<Found> => {
  switch (issue._tag) {
    case "Pointer":
      return walk(issue.issue, [...path, ...issue.path])
    case "Composite":
      return issue.issues.flatMap((one) => walk(one, path))
    default:
      return [{ path, missing: issue._tag === "MissingKey" }]
  }
}

const issuesOf = ({ settings: schema }: Connector, settings: Settings): ReadonlyArray<Found> => {
  const read = Schema.decodeUnknownResult(schema, { errors: "all", onExcessProperty: "error" })(settings)
  return Result.isSuccess(read) ? [] : walk(read.failure.issue, [])
}

/** The settings in the file, without those that are left to the person. */
export const givenOf = (settings: Settings): Settings =>
  Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== ASK))

/** Whether a setting can have this value. */
export const accepts = (connector: Connector, settings: Settings, name: string, value: unknown): boolean =>
  !issuesOf(connector, { ...settings, [name]: value }).some(({ path }) => path[0] === name)

/** @param settings the known settings, without `connector` */
export const needsOf = (connector: Connector, settings: Settings): ReadonlyArray<SourceNeed> => {
  const given = givenOf(settings)
  const asked = Object.keys(settings).filter((name) => settings[name] === ASK)
  const missing = issuesOf(connector, given).flatMap(({ missing, path }) =>
    missing && path.length === 1 ? [String(path[0])] : []
  )
  const isSecret = (name: string) => accepts(connector, given, name, { env: "VARIABLE" })
  const needed = [...new Set([...missing, ...asked])].map((name) => ({ name, secret: isSecret(name) }))
  return [...needed, ...keyOf(connector, [...needed.filter(({ secret }) => secret), ...secretsOf(given)], isSecret)]
}

const secretsOf = (given: Settings): ReadonlyArray<unknown> =>
  Object.values(given).filter((one) => typeof one === "object" && one !== null && "env" in one)

/** Names of settings for keys, most likely first. */
const KEYS = ["token", "key", "password"]

/** For a connector with several ways to give a key, the first of them is needed. */
const keyOf = (
  { capabilities: { authorises } }: Connector,
  known: ReadonlyArray<unknown>,
  isSecret: (name: string) => boolean
): ReadonlyArray<SourceNeed> => {
  const name = KEYS.find(isSecret)
  return authorises !== "key" || known.length > 0 || name === undefined ? [] : [{ name, secret: true }]
}
